// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ako::eval {

// Whether a compiler flag may be chosen by a solution: optimisation, target, floating point, OpenMP, language level and
// plain definitions. Nothing that names a file, a library, a plug-in or another program.
bool isAllowedFlag(std::string_view flag, bool cuda = false); // cuda: of nvcc

std::vector<std::string> defaultFlags(bool cuda = false); // -O3 -march=native; -O3

// Flags of a solution folder: build.json {"flags": [...]}, else the default. Throws Failure(ProblemError) naming the
// place.
std::vector<std::string> solutionFlags(const std::string &solution, bool cuda = false);

// Whether code built with these flags may take denormal numbers for 0.
bool flushesDenormals(const std::vector<std::string> &flags);

} // namespace ako::eval
