// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ako::tuner {

// solution/build.json: the compiler flags of a solution. Absent or unreadable: the defaults.
struct BuildFlags
{
    // The text of build.json, empty when there is none.
    static BuildFlags parse(const std::string &json, bool onGpu = false);

    bool contains(const std::string &flag) const;
    // With the flag; one that contradicts it (another -O level, another vector width) is replaced.
    BuildFlags with(const std::string &flag) const;
    BuildFlags without(const std::string &flag) const;
    std::string toJson(const std::string &previous) const; // keeps other keys of the previous text

    std::vector<std::string> flags{"-O3", "-march=native"};
};

// Flags worth trying together, with what they are expected to bring (natural logarithm of the speedup).
struct FlagIdea
{
    std::vector<std::string> flags;
    double gain;
    const char *reason; // to be translated in the context Tuner
};

// Reordering of sums alone: what -ffast-math does, but without treating the smallest numbers as zero.
extern const char *const reassociation;

// A subset of the flags that the native evaluator allows.
const std::vector<FlagIdea> &flagIdeas(bool onGpu = false); // on a GPU: of nvcc

} // namespace ako::tuner
