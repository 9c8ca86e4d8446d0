// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/tuner/source.h"

namespace ako::tuner {

// The parts of C++ that the catalogue needs, found from tokens. What is not understood becomes Opaque or Simple and is
// refused later by the analysis; nothing here guesses. All ranges are code-token indices [first, last).

struct Range
{
    int first = 0;
    int last = 0;

    bool isEmpty() const { return first >= last; }
};

struct Parameter
{
    std::string name; // empty when it has none
    Range tokens;
    int star = -1; // the only *, -1 when it is not a plain pointer
    bool isPointer = false;
    bool isReference = false;
    bool isConstPointer = false; // the pointer itself is const
    bool isRestrict = false;
    std::string type; // of a pointer: what it points to, with its const
};

struct Statement
{
    enum class Kind { Block, For, If, Simple, Jump, Directive, Opaque };
    Kind kind = Kind::Simple;
    Range tokens;
    Range condition;                 // If
    std::vector<Statement> children; // Block: all; For: the body; If: one or two branches

    // For, of the form for (T v = init; v < bound; v += step); not canonical: variable is empty.
    std::string variable;
    Range init;
    Range bound;
    Range step;             // empty: 1
    bool inclusive = false; // <= instead of <
    bool declares = false;  // the variable is declared in the header
    Range header;           // from "for" to the closing parenthesis, inclusive

    const Statement &body() const { return children.front(); }
};

struct Function
{
    std::string name;
    std::vector<Parameter> parameters;
    Statement body;
    bool isTemplate = false;
    int nameToken = -1;
};

// The functions with a body at namespace scope (also in extern "C" and namespaces), in order.
std::vector<Function> parseFunctions(const Source &source);

// Every statement below, outermost first.
template <typename Visitor>
void visitStatements(const Statement &statement, const Visitor &visit)
{
    visit(statement);
    for (const Statement &child : statement.children)
        visitStatements(child, visit);
}

// All for statements inside, outermost first; the statement itself included.
std::vector<const Statement *> loopsOf(const Statement &statement);

// The loops around the statement inside the function, outermost first, without itself.
std::vector<const Statement *> enclosingLoops(const Function &function, const Statement &statement);

// What the body of a loop consists of: a block with one statement and that statement alone are the same.
const Statement *onlyStatement(const Statement &body);

} // namespace ako::tuner
