// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/constants.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

namespace ako::tuner {
namespace {

constexpr long long largestValue = 4096;
constexpr std::size_t constantLimit = 40; // more is a table, not a handful of tunables

// Length of the digits at the start of a number token when it is a plain decimal integer, else 0.
std::size_t decimalLength(std::string_view number)
{
    const std::size_t digits = std::min(number.find_first_not_of("0123456789"), number.size());
    const std::string_view suffix = number.substr(digits);
    const bool isInteger = suffix.find_first_not_of("uUlLzZ") == std::string_view::npos;
    return digits > 0 && digits < 10 && isInteger && (number.front() != '0' || digits == 1) ? digits : 0;
}

std::string upperCase(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return result;
}

bool hasTileName(std::string_view name)
{
    static constexpr std::array<std::string_view, 10> parts{"TILE",  "BLOCK",  "UNROLL", "CHUNK", "BATCH",
                                                            "LANES", "VECTOR", "STRIP",  "PANEL", "PREFETCH"};
    const std::string upper = upperCase(name);
    return std::any_of(parts.begin(), parts.end(), [&](auto part) { return upper.find(part) != std::string::npos; });
}

// 8, 16 32 from the start of the text, up to what is no number.
std::vector<long long> numbersIn(std::string_view text)
{
    std::vector<long long> result;
    for (;;) {
        text.remove_prefix(std::min(text.find_first_not_of(" ,\t"), text.size()));
        long long value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc())
            return result;
        result.push_back(value);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
}

class ConstantFinder
{
public:
    ConstantFinder(const Source &source, const std::vector<Function> &functions)
        : m_source(source)
        , m_functions(functions)
    {
    }

    std::vector<TunableConstant> run();

private:
    void findVariable(int index);
    void findDefine(int index);
    void findUnroll(int index);
    void findTemplateArguments(int index);
    void findEnumerators(int index);
    void add(TunableConstant::Kind kind, std::string name, std::size_t begin);
    void collectMarks();
    std::vector<long long> listedCandidates(std::size_t offset) const;
    TunableConstant::Role roleOf(const std::string &name) const;
    std::string functionAt(int index) const;

    const Source &m_source;
    const std::vector<Function> &m_functions;
    std::vector<TunableConstant> m_result;

    struct Mark
    {
        int line = 0;
        bool isAlone = false; // nothing else stands on the line
        std::vector<long long> values;
    };
    std::vector<Mark> m_marks;
};

std::vector<TunableConstant> ConstantFinder::run()
{
    collectMarks();
    for (int i = 0; i < m_source.size() && m_result.size() < constantLimit; ++i) {
        if (m_source.isKind(i, TokenKind::Directive)) {
            findDefine(i);
            findUnroll(i);
        } else if (m_source.is(i, "const") || m_source.is(i, "constexpr")) {
            findVariable(i);
        } else if (m_source.is(i, "enum")) {
            findEnumerators(i);
        } else if (m_source.isIdentifier(i) && m_source.is(i + 1, "<")) {
            findTemplateArguments(i);
        }
    }
    return std::move(m_result);
}

// const or constexpr, a type of up to six words, a name, = number ;
void ConstantFinder::findVariable(int index)
{
    for (int i = index + 1; i < index + 8 && (m_source.isIdentifier(i) || m_source.is(i, "::")); ++i) {
        const bool isNumber =
            m_source.isKind(i + 2, TokenKind::Number) && (m_source.is(i + 3, ";") || m_source.is(i + 3, ","));
        if (m_source.is(i + 1, "=") && isNumber && i > index + 1 && !m_source.is(i - 1, "::"))
            return add(TunableConstant::Kind::Variable, std::string(m_source.view(i)), m_source.token(i + 2).begin);
    }
}

// #define NAME number, also in parentheses; the position is looked up in the line itself.
void ConstantFinder::findDefine(int index)
{
    const Source line("", std::string(m_source.view(index).substr(1)));
    const bool parenthesised = line.is(2, "(") && line.is(4, ")") && line.size() == 5;
    const int number = parenthesised ? 3 : 2;
    if (!line.is(0, "define") || !line.isIdentifier(1) || !line.isKind(number, TokenKind::Number) ||
        (!parenthesised && line.size() != 3))
        return;
    // NAME( without a blank would be a macro with parameters.
    if (parenthesised && line.token(1).end == line.token(2).begin)
        return;
    add(TunableConstant::Kind::Define, std::string(line.view(1)),
        m_source.token(index).begin + 1 + line.token(number).begin);
}

void ConstantFinder::findUnroll(int index)
{
    const Source line("", std::string(m_source.view(index).substr(1)));
    if (!line.is(0, "pragma"))
        return;
    for (int i = 1; i + 1 < line.size(); ++i) {
        const int number = line.is(i + 1, "(") ? i + 2 : i + 1;
        if (!line.is(i, "unroll") || !line.isKind(number, TokenKind::Number))
            continue;
        const auto same = std::count_if(m_result.begin(), m_result.end(),
                                        [](const auto &each) { return each.kind == TunableConstant::Kind::Pragma; });
        add(TunableConstant::Kind::Pragma, "unroll@" + functionAt(index) + "#" + std::to_string(same + 1),
            m_source.token(index).begin + 1 + line.token(number).begin);
    }
}

// name<8, 16>( : a call with numbers for template parameters.
void ConstantFinder::findTemplateArguments(int index)
{
    int close = index + 2;
    while (m_source.isKind(close, TokenKind::Number) || m_source.isIdentifier(close) || m_source.is(close, ",") ||
           m_source.is(close, "::"))
        ++close;
    if (!m_source.is(close, ">") || !m_source.is(close + 1, "(") || m_source.is(index, "static_cast"))
        return;
    int argument = 1;
    for (int i = index + 2; i < close; ++i) {
        argument += m_source.is(i, ",") ? 1 : 0;
        const bool alone =
            (m_source.is(i - 1, "<") || m_source.is(i - 1, ",")) && (m_source.is(i + 1, ",") || i + 1 == close);
        if (m_source.isKind(i, TokenKind::Number) && alone)
            add(TunableConstant::Kind::TemplateArgument,
                std::string(m_source.view(index)) + "<#" + std::to_string(argument) + ">", m_source.token(i).begin);
    }
}

void ConstantFinder::findEnumerators(int index)
{
    int open = index + 1;
    while (open < index + 8 && !m_source.is(open, "{"))
        ++open;
    const int close = m_source.is(open, "{") ? m_source.partner(open) : -1;
    for (int i = open + 1; i < close; ++i) {
        const bool ends = m_source.is(i + 3, ",") || i + 3 == close;
        if (m_source.isIdentifier(i) && m_source.is(i + 1, "=") && m_source.isKind(i + 2, TokenKind::Number) && ends)
            add(TunableConstant::Kind::Enumerator, std::string(m_source.view(i)), m_source.token(i + 2).begin);
    }
}

void ConstantFinder::add(TunableConstant::Kind kind, std::string name, std::size_t begin)
{
    const std::string_view rest = std::string_view(m_source.text()).substr(begin);
    const std::size_t tokenLength = std::min(rest.find_first_not_of("0123456789abcdefxABCDEFXuUlLzZ.'"), rest.size());
    const std::size_t length = decimalLength(rest.substr(0, tokenLength));
    if (length == 0)
        return;
    TunableConstant constant;
    constant.kind = kind;
    constant.name = std::move(name);
    constant.begin = begin;
    constant.end = begin + length;
    std::from_chars(rest.data(), rest.data() + length, constant.value);
    constant.candidates = listedCandidates(begin);
    constant.isListed = !constant.candidates.empty();
    constant.role = kind == TunableConstant::Kind::Pragma ? TunableConstant::Role::Named : roleOf(constant.name);
    const bool isPower = constant.value >= 4 && std::has_single_bit(static_cast<unsigned long long>(constant.value));
    const bool looksTunable = constant.isListed || constant.role != TunableConstant::Role::Other || isPower;
    if (looksTunable && constant.value > 0 && constant.value <= largestValue)
        m_result.push_back(std::move(constant));
}

// The comments with "ako: tune 8,16,32".
void ConstantFinder::collectMarks()
{
    static constexpr std::string_view word = "ako: tune";
    for (const Token &comment : m_source.comments()) {
        const std::string_view text =
            std::string_view(m_source.text()).substr(comment.begin, comment.end - comment.begin);
        const std::size_t position = text.find(word);
        if (position == std::string_view::npos)
            continue;
        const std::size_t start = m_source.lineStart(comment.begin);
        Mark mark;
        mark.line = m_source.line(comment.begin);
        mark.isAlone = m_source.text().find_first_not_of(" \t", start) == comment.begin;
        mark.values = numbersIn(text.substr(position + word.size()));
        m_marks.push_back(std::move(mark));
    }
}

// What a mark on the line of the constant, or alone on the line above it, lists.
std::vector<long long> ConstantFinder::listedCandidates(std::size_t offset) const
{
    std::vector<long long> result;
    const int line = m_marks.empty() ? 0 : m_source.line(offset);
    for (const Mark &mark : m_marks) {
        if (mark.line == line || (mark.isAlone && mark.line == line - 1))
            result.insert(result.end(), mark.values.begin(), mark.values.end());
    }
    return result;
}

TunableConstant::Role ConstantFinder::roleOf(const std::string &name) const
{
    auto role = hasTileName(name) ? TunableConstant::Role::Named : TunableConstant::Role::Other;
    for (const Function &function : m_functions) {
        const auto loops = loopsOf(function.body);
        for (const Statement *loop : loops) {
            if (loop->step.last != loop->step.first + 1 || !m_source.is(loop->step.first, name))
                continue;
            const bool isInnermost = std::any_of(loops.begin(), loops.end(), [&](const Statement *inner) {
                const auto nested = loopsOf(*inner);
                const bool startsHere = m_source.range(inner->init.first, inner->init.last) == loop->variable;
                // Short loops of constant length below it do not count: they are unrolled.
                const bool isLast = std::all_of(nested.begin() + 1, nested.end(), [&](const Statement *each) {
                    return m_source.isKind(each->init.first, TokenKind::Number) &&
                           each->bound.last == each->bound.first + 1 &&
                           !std::any_of(
                               function.parameters.begin(), function.parameters.end(),
                               [&](const auto &parameter) { return m_source.is(each->bound.first, parameter.name); });
                });
                return startsHere && isLast;
            });
            if (isInnermost)
                return TunableConstant::Role::InnermostTile;
            role = TunableConstant::Role::Tile;
        }
    }
    return role;
}

std::string ConstantFinder::functionAt(int index) const
{
    for (const Function &function : m_functions) {
        if (index >= function.body.tokens.first && index < function.body.tokens.last)
            return function.name;
    }
    return "file";
}

} // namespace

std::vector<long long> TunableConstant::values() const
{
    std::vector<long long> result = candidates;
    const long long limit =
        kind == Kind::Pragma || upperCase(name).find("UNROLL") != std::string::npos ? 32 : largestValue;
    if (!isListed) {
        for (const long long factor : {4, 2, 16, 8, 32})
            result.push_back(value * factor);
        for (const long long divisor : {2, 4, 8})
            result.push_back(value % divisor == 0 ? value / divisor : 0);
    }
    std::erase_if(result,
                  [this, limit](long long each) { return each <= 0 || each == value || (!isListed && each > limit); });
    return result;
}

std::vector<TunableConstant> findConstants(const Source &source, const std::vector<Function> &functions)
{
    return ConstantFinder(source, functions).run();
}

} // namespace ako::tuner
