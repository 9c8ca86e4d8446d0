// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/expression.h"

#include "eval/boundedtext.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <stdexcept>
#include <vector>

namespace ako::eval {

namespace {

using Integer = std::int64_t;

class Parser
{
public:
    Parser(std::string_view text, const AxisValues &axes)
        : m_text(text)
        , m_axes(axes)
    {
    }

    Integer parse()
    {
        if (m_text.size() > lengthLimit)
            throw std::invalid_argument(inQuotes(m_text) + " is longer than " + std::to_string(lengthLimit) +
                                        " characters");
        const Integer value = sum();
        if (peek() != '\0')
            fail("unexpected character");
        return value;
    }

private:
    static constexpr int depthLimit = 64;
    static constexpr std::size_t lengthLimit = 1000;

    [[noreturn]] void fail(const std::string &reason) const
    {
        throw std::invalid_argument(reason + " at character " + std::to_string(m_position + 1) + " of " +
                                    inQuotes(m_text));
    }

    char peek()
    {
        while (m_position < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_position])))
            ++m_position;
        return m_position < m_text.size() ? m_text[m_position] : '\0';
    }

    bool accept(std::string_view token)
    {
        peek();
        if (m_text.substr(m_position, token.size()) != token)
            return false;
        m_position += token.size();
        return true;
    }

    void expect(std::string_view token)
    {
        if (!accept(token))
            fail("expected \"" + std::string(token) + '"');
    }

    Integer sum()
    {
        Integer value = product();
        while (true) {
            if (accept("+")) {
                const Integer right = product();
                value = checked(__builtin_add_overflow(value, right, &value), value);
            } else if (accept("-")) {
                const Integer right = product();
                value = checked(__builtin_sub_overflow(value, right, &value), value);
            } else {
                return value;
            }
        }
    }

    Integer product()
    {
        Integer value = unary();
        while (true) {
            if (accept("*")) {
                const Integer right = unary();
                value = checked(__builtin_mul_overflow(value, right, &value), value);
            } else if (accept("//")) {
                value = floorDivide(value, unary());
            } else if (accept("/")) {
                value = exactDivide(value, unary());
            } else if (accept("%")) {
                const Integer right = unary();
                value -= floorDivide(value, right) * right;
            } else {
                return value;
            }
        }
    }

    Integer unary()
    {
        if (++m_depth > depthLimit)
            fail("nested too deeply");
        Integer value = 0;
        if (accept("-"))
            value = checked(__builtin_sub_overflow(Integer(0), unary(), &value), value);
        else
            value = primary();
        --m_depth;
        return value;
    }

    Integer primary()
    {
        const char next = peek();
        if (accept("(")) {
            const Integer value = sum();
            expect(")");
            return value;
        }
        if (std::isdigit(static_cast<unsigned char>(next)))
            return literal();
        if (std::isalpha(static_cast<unsigned char>(next)) || next == '_')
            return named();
        fail(next == '\0' ? "the expression ends too early" : "unexpected character");
    }

    Integer literal()
    {
        Integer value = 0;
        bool overflow = false;
        while (m_position < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[m_position]))) {
            overflow |= __builtin_mul_overflow(value, Integer(10), &value);
            overflow |= __builtin_add_overflow(value, Integer(m_text[m_position++] - '0'), &value);
        }
        return checked(overflow, value);
    }

    Integer named()
    {
        const std::size_t begin = m_position;
        while (m_position < m_text.size() &&
               (std::isalnum(static_cast<unsigned char>(m_text[m_position])) || m_text[m_position] == '_'))
            ++m_position;
        const std::string name(m_text.substr(begin, m_position - begin));
        if (accept("("))
            return call(name);
        const auto found = m_axes.find(name);
        if (found == m_axes.end()) {
            m_position = begin;
            fail("unknown axis " + inQuotes(name));
        }
        return found->second;
    }

    Integer call(const std::string &name)
    {
        std::vector<Integer> values{sum()};
        while (accept(","))
            values.push_back(sum());
        expect(")");
        if (name == "min")
            return *std::min_element(values.begin(), values.end());
        if (name == "max")
            return *std::max_element(values.begin(), values.end());
        if (name == "ceildiv" && values.size() == 2)
            return ceilingDivide(values[0], values[1]);
        fail(name == "ceildiv" ? "ceildiv takes two arguments" : "unknown function " + inQuotes(name));
    }

    // By reference: the value is read after the overflow was computed into it.
    Integer checked(bool overflow, const Integer &value) const
    {
        if (overflow)
            fail("the value does not fit 64 bits");
        return value;
    }

    void checkDivision(Integer left, Integer right) const
    {
        if (right == 0)
            fail("division by zero");
        checked(left == std::numeric_limits<Integer>::min() && right == -1, 0);
    }

    Integer floorDivide(Integer left, Integer right) const
    {
        checkDivision(left, right);
        const Integer quotient = left / right;
        return quotient - (left % right != 0 && (left < 0) != (right < 0) ? 1 : 0);
    }

    Integer ceilingDivide(Integer left, Integer right) const
    {
        checkDivision(left, right);
        const Integer quotient = left / right;
        return quotient + (left % right != 0 && (left < 0) == (right < 0) ? 1 : 0);
    }

    Integer exactDivide(Integer left, Integer right) const
    {
        checkDivision(left, right);
        if (left % right != 0)
            fail("\"/\" does not come out even (use \"//\" or ceildiv)");
        return left / right;
    }

    std::string_view m_text;
    const AxisValues &m_axes;
    std::size_t m_position = 0;
    int m_depth = 0;
};

} // namespace

std::int64_t evaluateExpression(std::string_view text, const AxisValues &axes)
{
    return Parser(text, axes).parse();
}

} // namespace ako::eval
