// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/unit.h"

#include <algorithm>
#include <array>

// Changes to arithmetic that keep its precision: single-precision functions and literals in single-precision kernels,
// and one division instead of many.
namespace ako::tuner {
namespace {

bool usesWord(const Source &source, std::string_view word)
{
    for (int i = 0; i < source.size(); ++i) {
        if (source.isIdentifier(i) && source.is(i, word))
            return true;
    }
    return false;
}

// Only where everything is float already: then a double function or literal is an accident.
bool isSinglePrecision(const Source &source, const Contract &contract)
{
    return contract.singlePrecision && usesWord(source, "float") && !usesWord(source, "double");
}

bool isDoubleLiteral(std::string_view number)
{
    const bool hexadecimal = number.starts_with("0x") || number.starts_with("0X");
    const bool isFloating = number.find_first_of(".eE") != std::string_view::npos;
    return !hexadecimal && isFloating && number.find_first_of("fFlL") == std::string_view::npos;
}

} // namespace

void Catalogue::addMath(const Unit &unit, Changes &changes) const
{
    static constexpr std::array<std::string_view, 19> functions{"exp",  "exp2", "log",  "log2", "log10", "sqrt", "pow",
                                                                "sin",  "cos",  "tan",  "tanh", "sinh",  "cosh", "atan",
                                                                "fabs", "fmax", "fmin", "fma",  "cbrt"};
    const Source &source = unit.source;
    std::vector<Edit> edits;
    const int last = isSinglePrecision(source, m_situation.contract) ? source.size() : 0;
    for (int i = 0; i < last; ++i) {
        const std::string_view before = source.view(i - 1);
        const bool isQualified = before == "." || before == "->" || before == "::" || before == "&";
        const bool isDeclaration = source.isIdentifier(i - 1) && before != "return";
        const bool isKnown = std::find(functions.begin(), functions.end(), source.view(i)) != functions.end();
        if (source.isIdentifier(i) && isKnown && source.is(i + 1, "(") && !isQualified && !isDeclaration)
            edits.push_back({source.token(i).end, source.token(i).end, "f"});
    }
    Change change;
    change.direction = "float-math";
    change.key = "float-math:" + source.path();
    change.gain = 0.3;
    change.title = translated("Single-precision mathematical functions");
    change.hypothesis = translated("exp() and the like without std:: are the double-precision functions: two "
                                   "conversions and more work for digits that are rounded away.");
    change.summary = translated("%1: %2 calls changed to their single-precision form (exp to expf)")
                         .arg(toQString(source.path()))
                         .arg(edits.size());
    finish(unit, std::move(change), edits, changes);
}

void Catalogue::addLiterals(const Unit &unit, Changes &changes) const
{
    const Source &source = unit.source;
    std::vector<Edit> edits;
    if (!isSinglePrecision(source, m_situation.contract))
        return;
    for (const Function &function : unit.functions) {
        for (int i = function.body.tokens.first; i < function.body.tokens.last; ++i) {
            if (source.isKind(i, TokenKind::Number) && isDoubleLiteral(source.view(i)))
                edits.push_back({source.token(i).end, source.token(i).end, "f"});
        }
    }
    Change change;
    change.direction = "float-literals";
    change.key = "float-literals:" + source.path();
    change.gain = 0.15;
    change.title = translated("Single-precision literals");
    change.hypothesis = translated("A literal without f makes the expression around it double precision: conversions "
                                   "and half as many elements in a vector.");
    change.summary = translated("%1: %2 literals get the suffix f").arg(toQString(source.path())).arg(edits.size());
    finish(unit, std::move(change), edits, changes);
}

// element /= scalar; inside a loop that does not change the scalar: element *= 1 / scalar;
void Catalogue::addReciprocals(const Unit &unit, Changes &changes) const
{
    const Source &source = unit.source;
    for (const Function &function : unit.functions) {
        const Scope scope(source, function);
        visitStatements(function.body, [&](const Statement &statement) {
            const int last = statement.tokens.last;
            const int name = last - 2;
            if (statement.kind != Statement::Kind::Simple || !source.isIdentifier(statement.tokens.first) ||
                !source.is(statement.tokens.first + 1, "[") || !source.is(name - 1, "/=") || !source.isIdentifier(name))
                return;
            const std::string divisor(source.view(name));
            const auto list = scope.declarations(divisor);
            const Parameter *parameter = scope.parameter(divisor);
            const std::string type =
                list.size() == 1 ? list.front().type
                : parameter      ? std::string(source.range(parameter->tokens.first, parameter->tokens.last - 1))
                                 : std::string();
            const auto around = enclosingLoops(function, statement);
            if (around.empty() || (type != "float" && type != "double") ||
                scope.isDeclaredOnlyIn(divisor, around.back()->tokens))
                return;
            for (int i = around.back()->tokens.first; i < around.back()->tokens.last; ++i) {
                if (i != name && source.is(i, divisor))
                    return;
            }
            const int line = source.line(source.token(name).begin);
            Change change;
            change.direction = "reciprocal";
            change.key = "reciprocal:" + source.path() + ":" + function.name + ":" + divisor;
            change.gain = 0.08;
            change.title = translated("Multiply by the reciprocal of %1").arg(toQString(divisor));
            change.hypothesis = translated("%1 stays the same in the loop: one division before it instead of one for "
                                           "each element, at the cost of one rounding.")
                                    .arg(toQString(divisor));
            change.summary = translated("%1:%2: division by %3 replaced by a multiplication")
                                 .arg(toQString(source.path()))
                                 .arg(line)
                                 .arg(toQString(divisor));
            const std::string one = type == "float" ? "1.0f" : "1.0";
            finish(unit, std::move(change),
                   {{source.token(name - 1).begin, source.token(name).end, "*= " + one + " / " + divisor}}, changes);
        });
    }
}

} // namespace ako::tuner
