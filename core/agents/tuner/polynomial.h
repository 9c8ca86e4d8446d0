// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ako::tuner {

// An integer polynomial over names: what array indices, bounds and steps are made of. One that grows beyond any
// sensible index (terms, degree, coefficients) becomes "too large", stays so, and equals nothing, not even itself.
class Polynomial
{
public:
    using Monomial = std::vector<std::string>; // sorted; empty is the constant term

    Polynomial() = default;
    Polynomial(long long constant);
    static Polynomial variable(const std::string &name);

    Polynomial operator+(const Polynomial &other) const;
    Polynomial operator-(const Polynomial &other) const;
    Polynomial operator*(const Polynomial &other) const;
    bool operator==(const Polynomial &other) const;
    bool isTooLarge() const { return m_isTooLarge; }

    bool isZero() const { return m_terms.empty() && !m_isTooLarge; }
    std::optional<long long> constant() const; // the value, when no name is left
    bool contains(const std::string &name) const;
    std::set<std::string> names() const;
    const std::map<Monomial, long long> &terms() const { return m_terms; }

    // What the name is multiplied by; nothing when it occurs in a higher power.
    std::optional<Polynomial> coefficient(const std::string &name) const;
    Polynomial substituted(const std::string &name, const Polynomial &value) const;
    // The part whose monomials have at least one of the names, or none of them.
    Polynomial with(const std::set<std::string> &names) const;
    Polynomial without(const std::set<std::string> &names) const;

private:
    void add(const Monomial &monomial, long long factor);

    std::map<Monomial, long long> m_terms;
    bool m_isTooLarge = false;
};

} // namespace ako::tuner
