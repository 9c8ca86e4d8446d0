// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/descriptor.h"
#include "eval/problem.h"

#include <cstddef>

namespace ako::eval {

// The arrays that a problem takes from files, read once by the parent into sealed memory that every worker maps: a
// worker opens no file, and nobody can change what it sees.
class StoredInputs
{
public:
    // Reads them and notes in each rule where its array begins. Throws Failure(ProblemError) for what cannot be read,
    // Failure(Infrastructure) where there is no memory.
    explicit StoredInputs(Problem &problem);

    int descriptor() const { return m_memory.get(); } // -1: no input is from a file
    std::size_t bytes() const { return m_bytes; }

private:
    Descriptor m_memory;
    std::size_t m_bytes = 0;
};

// What they will take, by the declared shapes; in bytes.
std::size_t storedBytes(const Problem &problem);

// Whether no input of the workload changes its values between calls; one that is only moved in a circle does not.
bool hasSameInputs(const Workload &workload);

// Maps them, read-only and for as long as this process lives; what was mapped before stays unused.
void mapStoredInputs(int descriptor, std::size_t bytes);

// An array of this process's mapping, null where it does not lie inside.
const unsigned char *storedInput(std::size_t offset, std::size_t bytes);

} // namespace ako::eval
