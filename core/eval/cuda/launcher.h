// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/files.h"
#include "eval/problem.h"

#include <string>

namespace ako::eval {

// A function on the host that starts a kernel which has none.
struct GeneratedLauncher
{
    std::string file;   // of the sources: the one with the kernel, at whose end it belongs
    std::string kernel; // its name
    std::string text;   // empty: none could be made,
    std::string reason; // and why
};

// For the one __global__ function whose parameters are all named as arguments of problem.json's entry. How many blocks
// and threads it needs is guessed from the indices it uses: one thread for each element of the first output, or one
// block for each of its rows. Whether that is right, the check of the answers tells.
GeneratedLauncher launcherFor(const Problem &problem, const SourceList &sources);

} // namespace ako::eval
