// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/tuner/scope.h"

namespace ako::tuner {

// Sums and products of names and integers; anything else is not a polynomial.
class ExpressionParser
{
public:
    ExpressionParser(const Scope &scope, Range range, int depth, int nesting = 0)
        : m_scope(scope)
        , m_source(scope.source())
        , m_position(range.first)
        , m_last(range.last)
        , m_depth(depth)
        , m_nesting(nesting)
    {
    }

    std::optional<Polynomial> parse()
    {
        const auto result = sum();
        return m_position == m_last ? result : std::nullopt;
    }

private:
    bool accept(std::string_view text)
    {
        const bool matches = m_position < m_last && m_source.is(m_position, text);
        m_position += matches ? 1 : 0;
        return matches;
    }

    std::optional<Polynomial> sum();
    std::optional<Polynomial> product();
    std::optional<Polynomial> factor();
    std::optional<Polynomial> group();

    const Scope &m_scope;
    const Source &m_source;
    int m_position;
    int m_last;
    int m_depth;   // of definitions
    int m_nesting; // of brackets and signs
};

} // namespace ako::tuner
