// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/syntax.h"

#include <algorithm>
#include <array>

namespace ako::tuner {
namespace {

constexpr int nestingLimit = 64; // what lies deeper is left alone

template <std::size_t N>
bool contains(const std::array<std::string_view, N> &list, std::string_view word)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

class StatementParser
{
public:
    explicit StatementParser(const Source &source)
        : m_source(source)
    {
    }

    Statement parse(int first, int limit);

private:
    Statement parseNested(int first, int limit);
    Statement block(int first, int limit);
    Statement loop(int first, int limit);
    Statement conditional(int first, int limit);
    Statement opaque(int first, int limit);
    Statement simple(int first, int limit, Statement::Kind kind);
    void parseHeader(Statement &statement, int open, int close);
    bool parseInit(Statement &statement, int first, int last);
    bool parseCondition(Statement &statement, int first, int last);
    bool parseStep(Statement &statement, int first, int last);
    int find(std::string_view text, int first, int last) const;

    const Source &m_source;
    int m_nesting = 0;
};

// The token with this text between first and last that is in no bracket, else last.
int StatementParser::find(std::string_view text, int first, int last) const
{
    while (first < last && !m_source.is(first, text))
        first = m_source.after(first);
    return std::min(first, last);
}

Statement StatementParser::parse(int first, int limit)
{
    if (m_nesting >= nestingLimit)
        return simple(first, limit, Statement::Kind::Opaque);
    ++m_nesting;
    Statement statement = parseNested(first, limit);
    --m_nesting;
    return statement;
}

Statement StatementParser::parseNested(int first, int limit)
{
    static constexpr std::array jumps =
        std::to_array<std::string_view>({"return", "break", "continue", "goto", "throw"});
    static constexpr std::array opaques =
        std::to_array<std::string_view>({"while", "do", "switch", "try", "case", "default", "co_return", "asm"});
    const std::string_view word = m_source.view(first);
    if (m_source.isKind(first, TokenKind::Directive)) {
        Statement statement;
        statement.kind = Statement::Kind::Directive;
        statement.tokens = {first, first + 1};
        return statement;
    }
    if (word == "{")
        return block(first, limit);
    if (word == "for" && m_source.is(first + 1, "("))
        return loop(first, limit);
    if (word == "if")
        return conditional(first, limit);
    if (contains(opaques, word))
        return opaque(first, limit);
    return simple(first, limit, contains(jumps, word) ? Statement::Kind::Jump : Statement::Kind::Simple);
}

Statement StatementParser::simple(int first, int limit, Statement::Kind kind)
{
    Statement statement;
    statement.kind = kind;
    statement.tokens = {first, std::min(find(";", first, limit) + 1, limit)};
    return statement;
}

Statement StatementParser::block(int first, int limit)
{
    Statement statement;
    const int close = m_source.partner(first);
    if (close < 0 || close >= limit)
        return simple(first, limit, Statement::Kind::Opaque);
    statement.kind = Statement::Kind::Block;
    statement.tokens = {first, close + 1};
    for (int i = first + 1; i < close;) {
        statement.children.push_back(parse(i, close));
        i = std::max(i + 1, statement.children.back().tokens.last);
    }
    return statement;
}

// Left alone as a whole: up to the end of its last block or to its semicolon.
Statement StatementParser::opaque(int first, int limit)
{
    Statement statement;
    statement.kind = Statement::Kind::Opaque;
    int i = first + 1;
    while (i < limit && !m_source.is(i, ";") && !m_source.is(i, "{") && !m_source.is(i, ":"))
        i = m_source.after(i);
    i = m_source.is(i, "{") ? m_source.after(i) : i + 1;
    if (m_source.is(first, "do") || m_source.is(i, "catch"))
        i = m_source.is(first, "do") ? find(";", i, limit) + 1 : opaque(i, limit).tokens.last;
    statement.tokens = {first, std::min(i, limit)};
    return statement;
}

Statement StatementParser::conditional(int first, int limit)
{
    Statement statement;
    const int open = m_source.is(first + 1, "constexpr") ? first + 2 : first + 1;
    const int close = m_source.partner(open);
    if (!m_source.is(open, "(") || close < 0 || close + 1 >= limit)
        return simple(first, limit, Statement::Kind::Opaque);
    statement.kind = Statement::Kind::If;
    statement.condition = {open + 1, close};
    statement.children.push_back(parse(close + 1, limit));
    int last = statement.children.back().tokens.last;
    if (last + 1 < limit && m_source.is(last, "else")) {
        statement.children.push_back(parse(last + 1, limit));
        last = statement.children.back().tokens.last;
    }
    statement.tokens = {first, last};
    return statement;
}

Statement StatementParser::loop(int first, int limit)
{
    Statement statement;
    const int close = m_source.partner(first + 1);
    if (close < 0 || close + 1 >= limit)
        return simple(first, limit, Statement::Kind::Opaque);
    statement.kind = Statement::Kind::For;
    statement.header = {first, close + 1};
    parseHeader(statement, first + 1, close);
    statement.children.push_back(parse(close + 1, limit));
    // A pragma between the header and the body belongs to the body.
    while (statement.children.size() == 1 && statement.children.back().kind == Statement::Kind::Directive &&
           statement.children.back().tokens.last < limit) {
        Statement group;
        group.kind = Statement::Kind::Block;
        const Statement directive = statement.children.back();
        group.children = {directive, parse(directive.tokens.last, limit)};
        group.tokens = {directive.tokens.first, group.children.back().tokens.last};
        statement.children = {group};
    }
    statement.tokens = {first, statement.children.back().tokens.last};
    return statement;
}

void StatementParser::parseHeader(Statement &statement, int open, int close)
{
    const int semicolon = find(";", open + 1, close);
    const int second = find(";", semicolon + 1, close);
    if (semicolon >= close || second >= close)
        return;
    if (!parseInit(statement, open + 1, semicolon) || !parseCondition(statement, semicolon + 1, second) ||
        !parseStep(statement, second + 1, close))
        statement.variable.clear();
}

bool StatementParser::parseInit(Statement &statement, int first, int last)
{
    const int equals = find("=", first, last);
    if (equals >= last || equals == first || !m_source.isIdentifier(equals - 1) || find(",", first, last) < last)
        return false;
    statement.variable = m_source.view(equals - 1);
    statement.declares = equals - 1 > first;
    statement.init = {equals + 1, last};
    return !m_source.is(equals - 2, "*") && !m_source.is(equals - 2, "&") && !m_source.is(first, "static");
}

bool StatementParser::parseCondition(Statement &statement, int first, int last)
{
    if (!m_source.is(first, statement.variable))
        return false;
    statement.inclusive = m_source.is(first + 1, "<=");
    statement.bound = {first + 2, last};
    return (statement.inclusive || m_source.is(first + 1, "<")) && find("&&", first, last) == last &&
           find("||", first, last) == last && find("?", first, last) == last && first + 2 < last;
}

bool StatementParser::parseStep(Statement &statement, int first, int last)
{
    const bool prefix = m_source.is(first, "++") && m_source.is(first + 1, statement.variable);
    const bool postfix = m_source.is(first, statement.variable) && m_source.is(first + 1, "++");
    if (prefix || postfix)
        return last == first + 2;
    statement.step = {first + 2, last};
    return m_source.is(first, statement.variable) && m_source.is(first + 1, "+=") && first + 2 < last &&
           find(",", first, last) == last;
}

// --- functions -------------------------------------------------------------------------------------------------------

// The first token after a template argument list at index, or index itself where there is none.
int afterAngles(const Source &source, int index)
{
    if (!source.is(index, "<"))
        return index;
    int depth = 0;
    for (int i = index; i < source.size(); i = source.after(i)) {
        depth += source.is(i, "<") ? 1 : source.is(i, ">") ? -1 : source.is(i, ">>") ? -2 : 0;
        if (depth <= 0)
            return i + 1;
        if (source.is(i, ";") || source.is(i, "{"))
            break;
    }
    return index + 1;
}

Parameter parseParameter(const Source &source, Range tokens)
{
    Parameter parameter;
    parameter.tokens = tokens;
    int stars = 0;
    int name = -1;
    for (int i = tokens.first; i < tokens.last && !source.is(i, "="); ++i) {
        const std::string_view word = source.view(i);
        const bool qualifier = word == "__restrict" || word == "__restrict__";
        if (word == "*") {
            ++stars;
            parameter.star = i;
        }
        parameter.isReference = parameter.isReference || word == "&" || word == "&&";
        parameter.isRestrict = parameter.isRestrict || qualifier;
        parameter.isConstPointer = parameter.isConstPointer || (stars > 0 && word == "const");
        if (source.isIdentifier(i) && !qualifier && word != "const" && i > tokens.first)
            name = i;
    }
    parameter.isPointer = stars == 1 && !parameter.isReference && name > parameter.star && name == tokens.last - 1;
    if (name >= 0)
        parameter.name = source.view(name);
    if (parameter.isPointer)
        parameter.type = source.range(tokens.first, parameter.star);
    else
        parameter.star = -1;
    return parameter;
}

std::vector<Parameter> parseParameters(const Source &source, int open)
{
    std::vector<Parameter> result;
    const int close = source.partner(open);
    int first = open + 1;
    for (int i = first; i <= close;) {
        if (i == close || source.is(i, ",")) {
            if (i > first)
                result.push_back(parseParameter(source, {first, i}));
            first = i + 1;
        }
        i = source.is(i, "<") ? afterAngles(source, i) : i == close ? i + 1 : source.after(i);
    }
    return result;
}

class FunctionFinder
{
public:
    explicit FunctionFinder(const Source &source)
        : m_source(source)
    {
    }

    std::vector<Function> run()
    {
        scope(0, m_source.size());
        return std::move(m_functions);
    }

private:
    void scope(int first, int last);
    int declaration(int first, int last);
    void addFunction(int name, int brace, bool isTemplate);

    const Source &m_source;
    std::vector<Function> m_functions;
    int m_nesting = 0;
};

void FunctionFinder::scope(int first, int last)
{
    if (m_nesting >= nestingLimit)
        return;
    ++m_nesting;
    while (first < last)
        first = std::max(first + 1, declaration(first, last));
    --m_nesting;
}

// Steps over one declaration; returns where the next begins.
int FunctionFinder::declaration(int first, int last)
{
    static constexpr std::array types = std::to_array<std::string_view>({"struct", "class", "union", "enum"});
    if (m_source.isKind(first, TokenKind::Directive))
        return first + 1;
    const bool isTemplate = m_source.is(first, "template");
    bool isType = false;
    bool isNamespace = false;
    bool initialised = false;
    int name = -1;
    for (int i = isTemplate ? afterAngles(m_source, first + 1) : first; i < last;) {
        isType = isType || (name < 0 && contains(types, m_source.view(i)));
        isNamespace =
            isNamespace || m_source.is(i, "namespace") || (m_source.is(i, "extern") && m_source.is(i + 2, "{"));
        initialised = initialised || m_source.is(i, "=");
        if (m_source.is(i, ";"))
            return i + 1;
        if (m_source.is(i, "(") && name < 0 && m_source.isIdentifier(i - 1) && !m_source.is(i - 1, "__attribute__") &&
            !m_source.is(i - 1, "alignas") && !m_source.is(i - 1, "__launch_bounds__"))
            name = i - 1;
        if (m_source.is(i, "{") && m_source.partner(i) > i) {
            const int close = m_source.partner(i);
            if (isNamespace)
                scope(i + 1, close);
            else if (name >= 0 && !initialised)
                addFunction(name, i, isTemplate);
            if (!isType && !initialised)
                return close + 1;
            i = close + 1;
            continue;
        }
        i = m_source.after(i);
    }
    return last;
}

void FunctionFinder::addFunction(int name, int brace, bool isTemplate)
{
    Function function;
    function.name = m_source.view(name);
    function.nameToken = name;
    function.parameters = parseParameters(m_source, name + 1);
    function.isTemplate = isTemplate;
    function.body = StatementParser(m_source).parse(brace, m_source.partner(brace) + 1);
    m_functions.push_back(std::move(function));
}

} // namespace

std::vector<Function> parseFunctions(const Source &source)
{
    return FunctionFinder(source).run();
}

std::vector<const Statement *> loopsOf(const Statement &statement)
{
    std::vector<const Statement *> result;
    visitStatements(statement, [&result](const Statement &each) {
        if (each.kind == Statement::Kind::For)
            result.push_back(&each);
    });
    return result;
}

std::vector<const Statement *> enclosingLoops(const Function &function, const Statement &statement)
{
    std::vector<const Statement *> result;
    for (const Statement *loop : loopsOf(function.body)) {
        const bool around = loop->tokens.first <= statement.tokens.first && loop->tokens.last >= statement.tokens.last;
        if (around && loop->tokens.first < statement.tokens.first)
            result.push_back(loop);
    }
    return result;
}

const Statement *onlyStatement(const Statement &body)
{
    if (body.kind != Statement::Kind::Block)
        return &body;
    return body.children.size() == 1 ? onlyStatement(body.children.front()) : nullptr;
}

} // namespace ako::tuner
