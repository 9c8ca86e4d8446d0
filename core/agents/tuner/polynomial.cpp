// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/polynomial.h"

#include <algorithm>

namespace ako::tuner {
namespace {

constexpr std::size_t termLimit = 128;
constexpr std::size_t degreeLimit = 12;

} // namespace

bool Polynomial::operator==(const Polynomial &other) const
{
    return !m_isTooLarge && !other.m_isTooLarge && m_terms == other.m_terms;
}

Polynomial::Polynomial(long long constant)
{
    add({}, constant);
}

Polynomial Polynomial::variable(const std::string &name)
{
    Polynomial result;
    result.add({name}, 1);
    return result;
}

void Polynomial::add(const Monomial &monomial, long long factor)
{
    long long &term = m_terms[monomial];
    m_isTooLarge = __builtin_add_overflow(term, factor, &term) || m_isTooLarge || monomial.size() > degreeLimit;
    if (term == 0)
        m_terms.erase(monomial);
    m_isTooLarge = m_isTooLarge || m_terms.size() > termLimit;
    if (m_isTooLarge)
        m_terms.clear();
}

Polynomial Polynomial::operator+(const Polynomial &other) const
{
    Polynomial result = *this;
    result.m_isTooLarge = m_isTooLarge || other.m_isTooLarge;
    for (const auto &[monomial, factor] : other.m_terms)
        result.add(monomial, factor);
    return result;
}

Polynomial Polynomial::operator-(const Polynomial &other) const
{
    return *this + other * Polynomial(-1);
}

Polynomial Polynomial::operator*(const Polynomial &other) const
{
    Polynomial result;
    result.m_isTooLarge = m_isTooLarge || other.m_isTooLarge;
    for (const auto &[left, leftFactor] : m_terms) {
        for (const auto &[right, rightFactor] : other.m_terms) {
            Monomial product = left;
            product.insert(product.end(), right.begin(), right.end());
            std::sort(product.begin(), product.end());
            long long factor = 0;
            result.m_isTooLarge = __builtin_mul_overflow(leftFactor, rightFactor, &factor) || result.m_isTooLarge;
            result.add(product, factor);
        }
    }
    return result;
}

std::optional<long long> Polynomial::constant() const
{
    if (m_isTooLarge)
        return std::nullopt;
    if (m_terms.empty())
        return 0;
    if (m_terms.size() == 1 && m_terms.begin()->first.empty())
        return m_terms.begin()->second;
    return std::nullopt;
}

bool Polynomial::contains(const std::string &name) const
{
    return std::any_of(m_terms.begin(), m_terms.end(), [&name](const auto &term) {
        return std::find(term.first.begin(), term.first.end(), name) != term.first.end();
    });
}

std::set<std::string> Polynomial::names() const
{
    std::set<std::string> result;
    for (const auto &[monomial, factor] : m_terms)
        result.insert(monomial.begin(), monomial.end());
    return result;
}

std::optional<Polynomial> Polynomial::coefficient(const std::string &name) const
{
    if (m_isTooLarge)
        return std::nullopt;
    Polynomial result;
    for (const auto &[monomial, factor] : m_terms) {
        const auto count = std::count(monomial.begin(), monomial.end(), name);
        if (count > 1)
            return std::nullopt;
        if (count == 0)
            continue;
        Monomial rest = monomial;
        rest.erase(std::find(rest.begin(), rest.end(), name));
        result.add(rest, factor);
    }
    return result;
}

Polynomial Polynomial::substituted(const std::string &name, const Polynomial &value) const
{
    Polynomial result;
    result.m_isTooLarge = m_isTooLarge;
    for (const auto &[monomial, factor] : m_terms) {
        Polynomial product(factor);
        for (const std::string &part : monomial)
            product = product * (part == name ? value : variable(part));
        result = result + product;
    }
    return result;
}

Polynomial Polynomial::with(const std::set<std::string> &names) const
{
    return *this - without(names);
}

Polynomial Polynomial::without(const std::set<std::string> &names) const
{
    Polynomial result;
    result.m_isTooLarge = m_isTooLarge;
    for (const auto &[monomial, factor] : m_terms) {
        if (std::none_of(monomial.begin(), monomial.end(), [&names](const auto &part) { return names.contains(part); }))
            result.add(monomial, factor);
    }
    return result;
}

} // namespace ako::tuner
