// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/tuner/polynomial.h"
#include "agents/tuner/syntax.h"

#include <set>

namespace ako::tuner {

// A local variable as its declaration says it.
struct Declaration
{
    enum class Kind { Scalar, Pointer, Array, Reference, Unknown };
    Kind kind = Kind::Scalar;
    std::string name;
    std::string type; // its words, without const, joined by blanks
    bool isConstexpr = false;
    int token = 0;     // of the name
    Range initialiser; // after =; empty when there is none
    Range dimensions;  // of an array: the brackets
};

// A pointer as a named array plus an offset in elements.
struct Location
{
    std::string array;
    Polynomial offset;
};

// The declarations in a simple statement; empty when it declares nothing.
std::vector<Declaration> parseDeclarations(const Source &source, const Statement &statement);

// Words that name an arithmetic type (float, std::int64_t, unsigned, ...).
bool isArithmeticType(std::string_view word);

// What the names inside one function mean. A name that is not known to stay the same has no meaning here.
class Scope
{
public:
    Scope(const Source &source, const Function &function);

    const Source &source() const { return m_source; }
    const Function &function() const { return m_function; }

    const Parameter *parameter(const std::string &name) const;
    // The declarations of that name in the function, parameters not included.
    std::vector<Declaration> declarations(const std::string &name) const;
    bool isDeclaredOnlyIn(const std::string &name, Range range) const;
    bool isAssigned(const std::string &name) const { return m_assigned.contains(name); }
    bool isPointer(const std::string &name) const;
    bool isMacro(const std::string &name) const { return m_macros.contains(name); }

    // The polynomial an expression stands for; single-assignment locals are expanded. Loop variables stay names.
    std::optional<Polynomial> polynomial(Range expression) const;
    // Polynomials that the expression is at most: several for std::min(a, b).
    std::vector<Polynomial> upperLimits(Range expression) const;
    // The array a pointer expression points into: x + row * cols, &x[row * cols], x.
    std::optional<Location> location(Range expression) const;
    std::optional<Location> locate(const std::string &pointer) const;

private:
    friend class ExpressionParser;
    void collectFile();
    void collectFunction();
    void collectArguments(int call);
    bool takesValues(std::string_view function) const;
    std::optional<Polynomial> nameValue(const std::string &name, int depth) const;
    std::optional<Polynomial> localValue(const std::string &name, Range initialiser, int depth) const;
    std::optional<Polynomial> polynomial(Range expression, int depth) const;
    std::vector<Polynomial> upperLimits(Range expression, int depth, std::set<std::string> &seen) const;
    std::optional<Location> location(Range expression, int depth) const;
    std::optional<Location> locate(const std::string &pointer, int depth) const;

    const Source &m_source;
    const Function &m_function;
    std::multimap<std::string, Declaration> m_declarations;
    std::set<std::string> m_assigned; // written somewhere, or its address or reference may be taken
    std::set<std::string> m_loopVariables;
    std::set<std::string> m_fileConstants; // const, constexpr, enumerators, #define NAME number, template parameters
    std::set<std::string> m_macros;        // #define of anything else
    mutable std::map<std::string, std::optional<Polynomial>> m_values; // of single-assignment locals, once found
};

} // namespace ako::tuner
