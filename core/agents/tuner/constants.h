// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/tuner/syntax.h"

namespace ako::tuner {

// An integer in a source that may be changed without changing what is computed. The benchmark decides whether that is
// so.
struct TunableConstant
{
    enum class Kind { Variable, Define, TemplateArgument, Enumerator, Pragma };
    enum class Role { InnermostTile, Tile, Named, Other }; // by use in loops, by name, neither
    Kind kind = Kind::Variable;
    Role role = Role::Other;
    std::string name; // TILE_M, process<#1>, unroll@stencil_run#1
    long long value = 0;
    std::size_t begin = 0; // bytes of the number without its suffix
    std::size_t end = 0;
    std::vector<long long> candidates; // from an "ako: tune" comment; empty: powers of two
    bool isListed = false;             // the comment is there, so the constant is meant to be tuned

    // Values worth trying, without the present one; the most promising first.
    std::vector<long long> values() const;
};

// All that look tunable: marked by a comment, named like a tile or unroll factor, used as the step of a loop, or powers
// of two from 4 up.
std::vector<TunableConstant> findConstants(const Source &source, const std::vector<Function> &functions);

} // namespace ako::tuner
