// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/scope.h"

#include "agents/tuner/expressionparser.h"
#include "agents/tuner/loopfacts.h"
#include "agents/tuner/words.h"

#include <algorithm>
#include <array>

namespace ako::tuner {
namespace {

constexpr int maximumDepth = 16; // of definitions that refer to definitions

bool isQualifier(std::string_view word)
{
    return isOneOf(word, {"const", "constexpr", "register", "volatile", "static", "thread_local", "alignas"});
}

// The end of the type at first, or first where no known or plausible type stands there.
int typeEnd(const Source &source, int first, int last)
{
    int i = first;
    bool any = false;
    while (i < last && source.isIdentifier(i)) {
        const std::string_view word = source.view(i);
        if (isOneOf(word, {"else", "if", "return", "case", "new", "delete", "using", "typedef", "operator"}))
            return first;
        if (isQualifier(word)) {
            ++i;
        } else if (source.is(i + 1, "::")) {
            i += 2;
        } else if (isArithmeticType(word) || !any) {
            any = any || !isQualifier(word);
            ++i;
            while (source.is(i, "<") && !isArithmeticType(word)) { // template arguments of a class type
                const int open = i;
                while (i < last && !source.is(i, ">") && !source.is(i, ";"))
                    ++i;
                if (!source.is(i, ">"))
                    return open;
                ++i;
            }
        } else {
            break;
        }
    }
    return any ? i : first;
}

} // namespace

bool isArithmeticType(std::string_view word)
{
    return isOneOf(word, {"float",    "double",   "int",      "long",      "short",        "unsigned",
                          "signed",   "char",     "bool",     "auto",      "size_t",       "ptrdiff_t",
                          "int8_t",   "int16_t",  "int32_t",  "int64_t",   "uint8_t",      "uint16_t",
                          "uint32_t", "uint64_t", "intptr_t", "uintptr_t", "int_fast32_t", "int_fast64_t"});
}

std::vector<Declaration> parseDeclarations(const Source &source, const Statement &statement)
{
    const Range tokens = statement.tokens;
    std::vector<Declaration> result;
    int i = typeEnd(source, tokens.first, tokens.last);
    if (i == tokens.first)
        return result;
    std::string type;
    bool isKnown = true;
    for (int word = tokens.first; word < i; ++word) {
        if (!source.isIdentifier(word) || isQualifier(source.view(word)) || source.is(word, "std"))
            continue;
        type.append(type.empty() ? "" : " ").append(source.view(word));
        isKnown = isKnown && isArithmeticType(source.view(word));
    }
    while (i < tokens.last) {
        Declaration declaration;
        declaration.type = type;
        declaration.isConstexpr = source.range(tokens.first, i).find("constexpr") != std::string_view::npos;
        declaration.kind = isKnown ? Declaration::Kind::Scalar : Declaration::Kind::Unknown;
        for (; isOneOf(source.view(i), {"*", "&", "&&", "const", "__restrict", "__restrict__"}); ++i) {
            if (source.is(i, "*"))
                declaration.kind = declaration.kind == Declaration::Kind::Pointer ? Declaration::Kind::Unknown
                                                                                  : Declaration::Kind::Pointer;
            else if (source.is(i, "&") || source.is(i, "&&"))
                declaration.kind = Declaration::Kind::Reference;
        }
        if (!source.isIdentifier(i))
            return {};
        declaration.name = source.view(i);
        declaration.token = i++;
        if (!isOneOf(source.view(i), {"=", ";", ",", "[", "{", "("}))
            return {};
        if (source.is(i, "(") || (source.is(i, "{") && declaration.kind != Declaration::Kind::Scalar))
            declaration.kind = Declaration::Kind::Unknown;
        const int firstBracket = i;
        while (source.is(i, "["))
            i = source.after(i);
        if (i > firstBracket) {
            declaration.kind = isKnown ? Declaration::Kind::Array : Declaration::Kind::Unknown;
            declaration.dimensions = {firstBracket, i};
        }
        const int initialiser = source.is(i, "=") ? i + 1 : source.is(i, "{") ? i : -1;
        while (i < tokens.last && !source.is(i, ",") && !source.is(i, ";"))
            i = source.after(i);
        if (initialiser >= 0)
            declaration.initialiser = {initialiser, i};
        result.push_back(std::move(declaration));
        if (!source.is(i, ","))
            break;
        ++i;
    }
    return result;
}

Scope::Scope(const Source &source, const Function &function)
    : m_source(source)
    , m_function(function)
{
    collectFile();
    collectFunction();
}

void Scope::collectFile()
{
    int templateEnd = -1;
    for (int i = 0; i < m_source.size(); ++i) {
        if (m_source.isKind(i, TokenKind::Directive)) {
            const Source line("", std::string(m_source.view(i).substr(1)));
            if (line.is(0, "define"))
                (line.size() == 3 && line.isKind(2, TokenKind::Number) ? m_fileConstants : m_macros)
                    .insert(std::string(line.view(1)));
        }
        if (m_source.is(i, "template"))
            templateEnd = i + 40;
        const bool ends = isOneOf(m_source.view(i + 1), {"=", ",", ">", "{", "}"});
        const bool typed = m_source.isIdentifier(i - 1) && isArithmeticType(m_source.view(i - 1));
        if (m_source.isIdentifier(i) && ends && typed && i < templateEnd)
            m_fileConstants.insert(std::string(m_source.view(i)));
        if (!m_source.is(i, "const") && !m_source.is(i, "constexpr") && !m_source.is(i, "enum"))
            continue;
        if (m_source.is(i, "enum")) {
            for (int j = i + 1; j < m_source.size() && !m_source.is(j, "}") && !m_source.is(j, ";"); ++j) {
                if (m_source.isIdentifier(j))
                    m_fileConstants.insert(std::string(m_source.view(j)));
            }
            continue;
        }
        const int outside = m_function.body.tokens.first;
        for (int j = i + 1; j < i + 8 && (j < outside || j >= m_function.body.tokens.last); ++j) {
            if (m_source.isIdentifier(j) && m_source.is(j + 1, "="))
                m_fileConstants.insert(std::string(m_source.view(j)));
            if (!m_source.isIdentifier(j) && !m_source.is(j, "::"))
                break;
        }
    }
}

void Scope::collectFunction()
{
    std::set<int> declared; // tokens that are the name in a declaration
    visitStatements(m_function.body, [this, &declared](const Statement &statement) {
        if (statement.kind == Statement::Kind::For && !statement.variable.empty())
            m_loopVariables.insert(statement.variable);
        if (statement.kind != Statement::Kind::Simple)
            return;
        for (const Declaration &declaration : parseDeclarations(m_source, statement)) {
            m_declarations.emplace(declaration.name, declaration);
            declared.insert(declaration.token);
        }
    });
    const Range body = m_function.body.tokens;
    for (int i = body.first; i < body.last; ++i) {
        if (!m_source.isIdentifier(i))
            continue;
        const std::string_view before = m_source.view(i - 1);
        const std::string_view next = m_source.view(i + 1);
        const bool isDeclaration = declared.contains(i);
        const bool assigns =
            isOneOf(next, {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"});
        const bool addressed = before == "&" && !m_source.isIdentifier(i - 2) && !m_source.is(i - 2, ")") &&
                               !m_source.is(i - 2, "]") && next != "[";
        if ((assigns && !isDeclaration) || before == "++" || before == "--" || addressed)
            m_assigned.insert(std::string(m_source.view(i)));
        if (next == "(" && !isDeclaration)
            collectArguments(i);
    }
}

// A variable that is handed to a function by itself may be changed there, unless the function is known to take values.
void Scope::collectArguments(int call)
{
    const std::string_view name = m_source.view(call);
    const int close = m_source.partner(call + 1);
    if (isPureFunction(name) || isArithmeticType(name) ||
        isOneOf(name, {"if", "for", "while", "switch", "sizeof", "return"}))
        return;
    std::vector<std::string> arguments;
    for (int i = call + 2; i < close; ++i) {
        const bool isAlone = isOneOf(m_source.view(i - 1), {"(", ","}) && isOneOf(m_source.view(i + 1), {")", ","});
        if (isAlone && m_source.isIdentifier(i))
            arguments.emplace_back(m_source.view(i));
    }
    if (!arguments.empty() && !takesValues(name))
        m_assigned.insert(arguments.begin(), arguments.end());
}

bool Scope::takesValues(std::string_view function) const
{
    bool isKnown = false;
    for (const Function &each : parseFunctions(m_source)) {
        if (each.name != function)
            continue;
        isKnown = true;
        for (const Parameter &parameter : each.parameters) {
            if (parameter.isReference)
                return false;
        }
    }
    return isKnown;
}

const Parameter *Scope::parameter(const std::string &name) const
{
    const auto &list = m_function.parameters;
    const auto found = std::find_if(list.begin(), list.end(), [&name](const auto &each) { return each.name == name; });
    return found == list.end() ? nullptr : &*found;
}

std::vector<Declaration> Scope::declarations(const std::string &name) const
{
    std::vector<Declaration> result;
    const auto [first, last] = m_declarations.equal_range(name);
    std::transform(first, last, std::back_inserter(result), [](const auto &each) { return each.second; });
    return result;
}

bool Scope::isDeclaredOnlyIn(const std::string &name, Range range) const
{
    const auto list = declarations(name);
    return !list.empty() && !parameter(name) && std::all_of(list.begin(), list.end(), [range](const auto &each) {
        return each.token >= range.first && each.token < range.last;
    });
}

bool Scope::isPointer(const std::string &name) const
{
    const Parameter *own = parameter(name);
    const auto list = declarations(name);
    return (own && own->isPointer) || std::any_of(list.begin(), list.end(), [](const auto &each) {
               return each.kind == Declaration::Kind::Pointer;
           });
}

// A loop variable or a constant is its own name, a local that is set once is its definition.
std::optional<Polynomial> Scope::nameValue(const std::string &name, int depth) const
{
    const auto list = declarations(name);
    const Parameter *own = parameter(name);
    if (m_macros.contains(name) || depth > maximumDepth)
        return std::nullopt;
    if (m_loopVariables.contains(name))
        return list.empty() && !own ? std::optional(Polynomial::variable(name)) : std::nullopt;
    if (m_assigned.contains(name))
        return std::nullopt;
    if (own)
        return list.empty() && !own->isPointer && !own->isReference ? std::optional(Polynomial::variable(name))
                                                                    : std::nullopt;
    if (list.size() == 1 && list.front().kind == Declaration::Kind::Scalar && !list.front().initialiser.isEmpty())
        return localValue(name, list.front().initialiser, depth);
    if (list.empty() && m_fileConstants.contains(name))
        return Polynomial::variable(name);
    return std::nullopt;
}

// Each definition is expanded once, whatever refers to it.
std::optional<Polynomial> Scope::localValue(const std::string &name, Range initialiser, int depth) const
{
    const auto known = m_values.find(name);
    if (known != m_values.end())
        return known->second;
    m_values[name] = std::nullopt; // a definition by itself has no value
    return m_values[name] = polynomial(initialiser, depth + 1);
}

std::optional<Polynomial> Scope::polynomial(Range expression) const
{
    return polynomial(expression, 0);
}

std::optional<Polynomial> Scope::polynomial(Range expression, int depth) const
{
    return ExpressionParser(*this, expression, depth).parse();
}

std::vector<Polynomial> Scope::upperLimits(Range expression) const
{
    std::set<std::string> seen;
    return upperLimits(expression, 0, seen);
}

// Each definition is followed once: a second time would only find the same limits again.
std::vector<Polynomial> Scope::upperLimits(Range expression, int depth, std::set<std::string> &seen) const
{
    if (depth > maximumDepth)
        return {};
    if (const auto exact = polynomial(expression, depth))
        return {*exact};
    int i = expression.first;
    if (m_source.is(i, "std") && m_source.is(i + 1, "::"))
        i += 2;
    if (i == expression.last - 1 && m_source.isIdentifier(i)) {
        const std::string name(m_source.view(i));
        const auto list = declarations(name);
        const bool isDefined =
            list.size() == 1 && !m_assigned.contains(name) && !parameter(name) && seen.insert(name).second;
        return isDefined ? upperLimits(list.front().initialiser, depth + 1, seen) : std::vector<Polynomial>();
    }
    if (!m_source.is(i, "min"))
        return {};
    int open = i + 1;
    while (open < expression.last && !m_source.is(open, "("))
        ++open;
    const int close = m_source.partner(open);
    if (close != expression.last - 1)
        return {};
    std::vector<Polynomial> result;
    int first = open + 1;
    for (int j = first; j <= close; j = j == close ? j + 1 : m_source.after(j)) {
        if (j != close && !m_source.is(j, ","))
            continue;
        for (const Polynomial &each : upperLimits({first, j}, depth + 1, seen))
            result.push_back(each);
        first = j + 1;
    }
    return result;
}

std::optional<Location> Scope::location(Range expression) const
{
    return location(expression, 0);
}

std::optional<Location> Scope::locate(const std::string &pointer) const
{
    return locate(pointer, 0);
}

std::optional<Location> Scope::location(Range expression, int depth) const
{
    int i = expression.first;
    const bool addressed = m_source.is(i, "&");
    i += addressed ? 1 : 0;
    if (!m_source.isIdentifier(i) || depth > maximumDepth)
        return std::nullopt;
    auto base = locate(std::string(m_source.view(i)), depth + 1);
    if (!base || (i + 1 == expression.last && !addressed))
        return base;
    Range offset{i + 1, expression.last};
    if (addressed && m_source.is(i + 1, "[") && m_source.partner(i + 1) == expression.last - 1)
        offset = {i + 2, expression.last - 1};
    else if (addressed || !m_source.is(i + 1, "+"))
        return std::nullopt;
    else
        offset.first = i + 2;
    const auto value = polynomial(offset, depth);
    if (!value)
        return std::nullopt;
    base->offset = base->offset + *value;
    return base;
}

std::optional<Location> Scope::locate(const std::string &pointer, int depth) const
{
    const auto list = declarations(pointer);
    const Parameter *own = parameter(pointer);
    if (m_assigned.contains(pointer) || m_macros.contains(pointer) || depth > maximumDepth)
        return std::nullopt;
    if (own)
        return own->isPointer && list.empty() ? std::optional(Location{pointer, {}}) : std::nullopt;
    if (list.size() != 1)
        return std::nullopt;
    if (list.front().kind == Declaration::Kind::Array)
        return Location{pointer, {}};
    if (list.front().kind == Declaration::Kind::Scalar && list.front().type == "auto")
        return location(list.front().initialiser, depth + 1);
    return list.front().kind == Declaration::Kind::Pointer ? location(list.front().initialiser, depth + 1)
                                                           : std::nullopt;
}

} // namespace ako::tuner
