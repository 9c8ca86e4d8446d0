// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/expressionparser.h"

#include "agents/tuner/words.h"

#include <algorithm>
#include <charconv>

namespace ako::tuner {
namespace {

constexpr int nestingLimit = 200; // no index is longer

std::optional<long long> integerLiteral(std::string_view text)
{
    std::string digits(text);
    std::erase(digits, '\'');
    const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    while (!digits.empty() && isOneOf(digits.substr(digits.size() - 1), {"u", "U", "l", "L", "z", "Z"}))
        digits.pop_back();
    const char *begin = digits.data() + (hexadecimal ? 2 : 0);
    const char *end = digits.data() + digits.size();
    if (!hexadecimal && digits.size() > 1 && digits.front() == '0')
        return std::nullopt; // octal and binary are not used for sizes
    long long value = 0;
    const auto [last, error] = std::from_chars(begin, end, value, hexadecimal ? 16 : 10);
    return error == std::errc() && last == end ? std::optional(value) : std::nullopt;
}

} // namespace

std::optional<Polynomial> ExpressionParser::sum()
{
    auto result = product();
    while (result && m_position < m_last) {
        const bool minus = m_source.is(m_position, "-");
        if (!accept("+") && !accept("-"))
            return result;
        const auto next = product();
        if (!next)
            return std::nullopt;
        result = minus ? *result - *next : *result + *next;
    }
    return result;
}

std::optional<Polynomial> ExpressionParser::product()
{
    auto result = factor();
    while (result && accept("*")) {
        const auto next = factor();
        if (!next)
            return std::nullopt;
        result = *result * *next;
    }
    return result;
}

// (expression), or (type) factor.
std::optional<Polynomial> ExpressionParser::group()
{
    const int close = m_source.partner(m_position);
    if (close < 0 || close >= m_last)
        return std::nullopt;
    const Range inside{m_position + 1, close};
    bool isType = !inside.isEmpty();
    for (int i = inside.first; i < inside.last; ++i)
        isType = isType && (isArithmeticType(m_source.view(i)) || m_source.is(i, "std") || m_source.is(i, "::"));
    m_position = close + 1;
    return isType ? factor() : ExpressionParser(m_scope, inside, m_depth, m_nesting).parse();
}

std::optional<Polynomial> ExpressionParser::factor()
{
    if (m_position >= m_last || ++m_nesting > nestingLimit)
        return std::nullopt;
    if (accept("-")) {
        const auto value = factor();
        return value ? std::optional(Polynomial() - *value) : std::nullopt;
    }
    if (m_source.is(m_position, "("))
        return group();
    if (m_source.isKind(m_position, TokenKind::Number)) {
        const auto value = integerLiteral(m_source.view(m_position++));
        return value ? std::optional(Polynomial(*value)) : std::nullopt;
    }
    if (accept("static_cast")) {
        while (m_position < m_last && !accept(">"))
            ++m_position;
        return m_source.is(m_position, "(") ? group() : std::nullopt;
    }
    if (m_source.is(m_position, "std") && m_source.is(m_position + 1, "::"))
        m_position += 2;
    if (!m_source.isIdentifier(m_position))
        return std::nullopt;
    const std::string name(m_source.view(m_position++));
    if (isArithmeticType(name) && m_source.is(m_position, "("))
        return group();
    if (m_position < m_last && isOneOf(m_source.view(m_position), {"(", "[", ".", "->", "::", "{"}))
        return std::nullopt;
    return m_scope.nameValue(name, m_depth);
}

} // namespace ako::tuner
