// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace ako::eval {

enum class Mode { Verdict, Signal, NoReference, SelfComparison, SelfTest, Profile, AddLauncher, Probe, Help, Version };

struct Options
{
    Mode mode = Mode::Verdict;
    std::string problem, solution, reference, champion;
    std::string device; // cpu or the number of a GPU; empty: as the problem says
    std::string json, buildFolder, compiler;
    bool verbose = false, hotCache = false, oneProcess = false;
    int seeds = 0;        // 0: by mode
    int maximumPairs = 0; // 0: by mode
    double capSeconds = 0, compileTimeout = 120, callTimeout = 0, totalTimeout = 600;
    std::vector<std::string> notes; // AKO flags that were accepted without effect
};

const char *modeName(Mode mode);

// Throws Failure(UsageError) naming the argument.
Options parseOptions(const std::vector<std::string> &arguments);
std::string usageText();

} // namespace ako::eval
