// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/loopfacts.h"
#include "agents/tuner/words.h"

#include <algorithm>
#include <array>

namespace ako::tuner {
namespace {

bool isAssignment(std::string_view word)
{
    return isOneOf(word, {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="});
}

class Collector
{
public:
    Collector(const Scope &scope, const Statement &loop)
        : m_scope(scope)
        , m_source(scope.source())
        , m_loop(loop)
    {
    }

    LoopFacts run();

private:
    struct ScalarWrite
    {
        std::string name;
        std::string operation;
        Range value;
        Range statement;
    };

    void refuse(const std::string &reason);
    void walk(const Statement &statement);
    void walkLoop(const Statement &loop);
    void walkDirective(const Statement &statement);
    void walkSimple(const Statement &statement);
    void walkDeclaration(const Declaration &declaration);
    void walkAssignment(Range statement, int operation);
    void walkRead(Range range);
    int walkName(int index);
    void addAccess(int name, bool isWrite);
    bool isPrivate(const std::string &name) const { return m_scope.isDeclaredOnlyIn(name, m_loop.tokens); }
    bool isUnary(int index) const;
    void checkScalarWrites();
    std::optional<std::string> reductionOperation(const ScalarWrite &write) const;
    int occurrences(const std::string &name, Range range) const;

    const Scope &m_scope;
    const Source &m_source;
    const Statement &m_loop;
    LoopFacts m_facts;
    std::vector<ScalarWrite> m_writes;
    std::set<std::string> m_variables; // of the loops of the nest
};

void Collector::refuse(const std::string &reason)
{
    if (m_facts.refusal.empty())
        m_facts.refusal = reason;
}

LoopFacts Collector::run()
{
    walk(m_loop);
    checkScalarWrites();
    return std::move(m_facts);
}

void Collector::walk(const Statement &statement)
{
    switch (statement.kind) {
    case Statement::Kind::Block:
        break;
    case Statement::Kind::For:
        walkLoop(statement);
        break;
    case Statement::Kind::If:
        walkRead(statement.condition);
        break;
    case Statement::Kind::Simple:
        walkSimple(statement);
        break;
    case Statement::Kind::Directive:
        walkDirective(statement);
        break;
    case Statement::Kind::Jump:
        refuse("it is left early or jumps");
        break;
    case Statement::Kind::Opaque:
        refuse("it has a statement that is not analysed");
        break;
    }
    for (const Statement &child : statement.children)
        walk(child);
}

void Collector::walkLoop(const Statement &loop)
{
    if (loop.variable.empty() || !loop.declares)
        return refuse("a loop does not count upwards in the usual form");
    m_variables.insert(loop.variable);
    // Loops one after the other may share a name, loops inside each other may not.
    for (const Statement *around : enclosingLoops(m_scope.function(), loop)) {
        if (around->variable == loop.variable)
            return refuse("two nested loops use the same variable");
    }
    m_facts.nest.push_back(&loop);
    walkRead(loop.init);
    walkRead(loop.bound);
    walkRead(loop.step);
}

void Collector::walkDirective(const Statement &statement)
{
    const std::string_view text = m_source.view(statement.tokens.first);
    const bool harmless =
        text.find("pragma") != std::string_view::npos &&
        (text.find("unroll") != std::string_view::npos || text.find("ivdep") != std::string_view::npos ||
         text.find("omp simd") != std::string_view::npos);
    if (!harmless)
        refuse("it has a preprocessor line inside");
}

void Collector::walkSimple(const Statement &statement)
{
    const Range tokens = statement.tokens;
    const auto declarations = parseDeclarations(m_source, statement);
    for (const Declaration &declaration : declarations)
        walkDeclaration(declaration);
    if (!declarations.empty())
        return m_source.range(tokens.first, tokens.last).find("static ") == 0 ? refuse("it declares a static variable")
                                                                              : void();
    const bool isIncrement = isOneOf(m_source.view(tokens.first), {"++", "--"}) && tokens.last == tokens.first + 3;
    const bool isPostfix = isOneOf(m_source.view(tokens.first + 1), {"++", "--"}) && tokens.last == tokens.first + 3;
    if (isIncrement || isPostfix) {
        const int name = isIncrement ? tokens.first + 1 : tokens.first;
        m_writes.push_back({std::string(m_source.view(name)), "++", {}, tokens});
        return;
    }
    int operation = tokens.first;
    while (operation < tokens.last && !isAssignment(m_source.view(operation)))
        operation = m_source.after(operation);
    if (operation < tokens.last)
        walkAssignment(tokens, operation);
    else
        walkRead({tokens.first, tokens.last});
}

void Collector::walkDeclaration(const Declaration &declaration)
{
    if (declaration.kind == Declaration::Kind::Unknown || declaration.kind == Declaration::Kind::Reference)
        return refuse("it declares \"" + declaration.name + "\" of a type that is not analysed");
    const bool isAlias = declaration.kind == Declaration::Kind::Pointer;
    if (isAlias && !m_scope.locate(declaration.name))
        return refuse("the pointer \"" + declaration.name + "\" is not a fixed place in an array");
    if (!isAlias)
        walkRead(declaration.initialiser);
}

void Collector::walkAssignment(Range statement, int operation)
{
    const int first = statement.first;
    const std::string_view sign = m_source.view(operation);
    walkRead({operation + 1, statement.last});
    if (!m_source.isIdentifier(first))
        return refuse("it writes through something that is not an array element");
    if (operation == first + 1) {
        m_writes.push_back(
            {std::string(m_source.view(first)), std::string(sign), {operation + 1, statement.last}, statement});
        return;
    }
    if (!m_source.is(first + 1, "[") || m_source.partner(operation - 1) < 0)
        return refuse("it writes to something that is not an array element");
    addAccess(first, true);
    if (sign != "=")
        addAccess(first, false);
    for (int i = first + 1; i < operation; i = m_source.after(i)) {
        if (!m_source.is(i, "["))
            return refuse("it writes to something that is not an array element");
        walkRead({i + 1, m_source.partner(i)});
    }
}

// Whether the operator at index has no operand on its left.
bool Collector::isUnary(int index) const
{
    const std::string_view before = m_source.view(index - 1);
    return !(m_source.isIdentifier(index - 1) && before != "return") &&
           !m_source.isKind(index - 1, TokenKind::Number) && before != ")" && before != "]";
}

void Collector::walkRead(Range range)
{
    for (int i = range.first; i < range.last;) {
        const std::string_view word = m_source.view(i);
        if (m_source.isIdentifier(i)) {
            i = walkName(i);
            continue;
        }
        if (m_source.isKind(i, TokenKind::Directive))
            refuse("it has a preprocessor line inside");
        else if (isAssignment(word) || word == "++" || word == "--")
            refuse("it assigns inside an expression");
        else if ((word == "*" || word == "&") && isUnary(i))
            refuse("it takes an address or follows a pointer");
        else if (word == "[" && !m_source.isIdentifier(i - 1) && !m_source.is(i - 1, "]"))
            refuse("it has a lambda");
        else if (word == "." || word == "->")
            refuse("it uses members of an object");
        ++i;
    }
}

// Returns the token to go on with.
int Collector::walkName(int index)
{
    const std::string name(m_source.view(index));
    if (name == "std" && m_source.is(index + 1, "::"))
        return index + 2;
    if (name == "static_cast") {
        while (index < m_source.size() && !m_source.is(index, ">"))
            ++index;
        return index + 1;
    }
    if (isArithmeticType(name) || isOneOf(name, {"const", "true", "false", "sizeof", "nullptr"}))
        return index + 1;
    if (isOneOf(name, {"new", "delete", "throw", "asm", "reinterpret_cast", "const_cast", "co_await", "this"})) {
        refuse("it uses " + name);
        return index + 1;
    }
    int next = index + 1;
    if (isPureFunction(name) && m_source.is(next, "<")) {
        while (next < m_source.size() && !m_source.is(next, ">"))
            ++next;
        ++next;
    }
    if (m_source.is(next, "(")) {
        m_facts.callsMath = m_facts.callsMath || isPureFunction(name);
        if (!isPureFunction(name) || m_scope.isMacro(name))
            refuse("it calls " + name + "()");
        return next + 1;
    }
    if (m_scope.isMacro(name))
        refuse("it uses the macro " + name);
    if (m_source.is(next, "[")) {
        addAccess(index, false);
        return next;
    }
    if (m_scope.isPointer(name))
        refuse("it passes the pointer \"" + name + "\" on");
    if (!isPrivate(name) && !m_variables.contains(name))
        m_facts.outerNames.insert(name);
    return next;
}

void Collector::addAccess(int name, bool isWrite)
{
    const std::string pointer(m_source.view(name));
    const int close = m_source.partner(name + 1);
    Access access;
    access.isWrite = isWrite;
    access.subscript = {name + 2, close};
    const auto place = m_scope.locate(pointer);
    access.array = place ? place->array : pointer;
    if (isPrivate(access.array))
        return;
    const bool isParameter = m_scope.parameter(access.array);
    if (!place && (m_scope.isPointer(pointer) || isParameter || !m_scope.declarations(pointer).empty()))
        refuse("where \"" + pointer + "\" points is not known");
    if (!isPrivate(pointer))
        m_facts.outerNames.insert(pointer);
    if (isParameter)
        m_facts.outerNames.insert(access.array);
    const auto index = m_scope.polynomial(access.subscript);
    if (place && index && !m_source.is(close + 1, "["))
        access.index = place->offset + *index;
    m_facts.accesses.push_back(std::move(access));
}

int Collector::occurrences(const std::string &name, Range range) const
{
    int count = 0;
    for (int i = range.first; i < range.last; ++i)
        count += m_source.isIdentifier(i) && m_source.is(i, name) ? 1 : 0;
    return count;
}

// x += e, x -= e, x *= e, x = std::max(x, e), x = std::min(x, e), where e is without x.
std::optional<std::string> Collector::reductionOperation(const ScalarWrite &write) const
{
    const int inside = occurrences(write.name, write.value);
    if (write.operation == "+=" || write.operation == "-=")
        return inside == 0 ? std::optional<std::string>("+") : std::nullopt;
    if (write.operation == "*=")
        return inside == 0 ? std::optional<std::string>("*") : std::nullopt;
    if (write.operation != "=" || inside != 1)
        return std::nullopt;
    int i = write.value.first;
    if (m_source.is(i, "std") && m_source.is(i + 1, "::"))
        i += 2;
    const std::string_view call = m_source.view(i);
    const bool isMaximum = isOneOf(call, {"max", "fmax", "fmaxf"});
    const bool isMinimum = isOneOf(call, {"min", "fmin", "fminf"});
    const bool spansAll = m_source.is(i + 1, "(") && m_source.partner(i + 1) == write.value.last - 2;
    if ((!isMaximum && !isMinimum) || !spansAll || !m_source.is(i + 2, write.name) || !m_source.is(i + 3, ","))
        return std::nullopt;
    return isMaximum ? "max" : "min";
}

void Collector::checkScalarWrites()
{
    for (const ScalarWrite &write : m_writes) {
        if (m_variables.contains(write.name))
            refuse("it changes the loop variable \"" + write.name + "\"");
        if (m_scope.isPointer(write.name))
            refuse("it moves the pointer \"" + write.name + "\"");
        if (isPrivate(write.name))
            continue;
        const auto operation = reductionOperation(write);
        const Parameter *parameter = m_scope.parameter(write.name);
        const auto list = m_scope.declarations(write.name);
        const bool isLocal = list.size() == 1 && list.front().kind == Declaration::Kind::Scalar && !parameter;
        const bool onlyHere = occurrences(write.name, m_loop.tokens) == occurrences(write.name, write.statement);
        if (!operation || !onlyHere || !isLocal)
            refuse("each pass depends on \"" + write.name + "\" of the one before");
        else
            m_facts.reductions.push_back({write.name, *operation});
        m_facts.outerNames.erase(write.name);
    }
}

} // namespace

bool isPureFunction(std::string_view name)
{
    static constexpr std::array<std::string_view, 26> roots{
        "exp",  "exp2", "expm1", "log",   "log2", "log10", "log1p", "sqrt", "cbrt",  "pow",  "sin", "cos",  "tan",
        "asin", "acos", "atan",  "atan2", "sinh", "cosh",  "tanh",  "fabs", "floor", "ceil", "fma", "fmax", "fmin"};
    static constexpr std::array<std::string_view, 9> others{"abs", "max",  "min",    "round", "trunc",
                                                            "erf", "erff", "rsqrtf", "hypot"};
    if (std::find(others.begin(), others.end(), name) != others.end())
        return true;
    const std::string_view root = name.ends_with('f') ? name.substr(0, name.size() - 1) : name;
    return std::find(roots.begin(), roots.end(), name) != roots.end() ||
           std::find(roots.begin(), roots.end(), root) != roots.end();
}

LoopFacts collectFacts(const Scope &scope, const Statement &loop)
{
    return Collector(scope, loop).run();
}

} // namespace ako::tuner
