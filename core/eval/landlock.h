// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/descriptor.h"

#include <cstdint>
#include <string>

namespace ako::eval {

// Version of the running kernel's Landlock, 0: it has none.
int landlockVersion();

// The rights to change files that a version knows.
std::uint64_t landlockWriting(int version);

// What a process may do with files, and all that it starts: nothing but what is allowed here. Made before the fork,
// entered after it. With version 0 it is empty and entering it does nothing.
class FileRules
{
public:
    explicit FileRules(int version = landlockVersion());
    // A file, or a folder and all below it. A path that does not exist is left out.
    void allowReading(const std::string &path); // and running
    void allowWriting(const std::string &path); // reading as well
    int descriptor() const { return m_ruleset.get(); }

private:
    void allow(const std::string &path, std::uint64_t rights);

    int m_version;
    Descriptor m_ruleset; // -1: none
};

// Async-signal-safe; false: the kernel refused, and the process must not go on.
bool enterFileRules(int descriptor);

} // namespace ako::eval
