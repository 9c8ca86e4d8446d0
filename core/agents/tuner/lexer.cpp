// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/lexer.h"

#include <algorithm>
#include <array>
#include <string>

namespace ako::tuner {
namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// Bytes above 127 belong to identifiers (UTF-8), as compilers take them.
bool isIdentifierStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) > 127;
}

bool isIdentifier(char c)
{
    return isIdentifierStart(c) || isDigit(c);
}

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

class Lexer
{
public:
    explicit Lexer(std::string_view source)
        : m_source(source)
    {
    }

    std::vector<Token> run();

private:
    char at(std::size_t position) const { return position < m_source.size() ? m_source[position] : '\0'; }
    bool startsWith(std::string_view text) const { return m_source.substr(m_position).starts_with(text); }
    std::size_t continuation(std::size_t position) const;
    void emit(TokenKind kind, std::size_t end);
    std::size_t lineCommentEnd(std::size_t from) const;
    std::size_t blockCommentEnd(std::size_t from) const;
    std::size_t quotedEnd(std::size_t quote) const;
    std::size_t rawStringEnd(std::size_t quote) const;
    std::size_t numberEnd() const;
    std::size_t directiveEnd() const;
    std::size_t identifierEnd() const;
    void lexWord();
    void lexOne();

    std::string_view m_source;
    std::size_t m_position = 0;
    bool m_lineStart = true; // only white space and comments since the line began
    std::vector<Token> m_tokens;
};

// Length of a backslash-newline at the position, 0 when there is none.
std::size_t Lexer::continuation(std::size_t position) const
{
    if (at(position) != '\\')
        return 0;
    if (at(position + 1) == '\n')
        return 2;
    return at(position + 1) == '\r' && at(position + 2) == '\n' ? 3 : 0;
}

void Lexer::emit(TokenKind kind, std::size_t end)
{
    end = std::min(end, m_source.size());
    m_tokens.push_back({kind, m_position, end});
    m_position = end;
    if (kind != TokenKind::Comment)
        m_lineStart = false;
}

std::size_t Lexer::lineCommentEnd(std::size_t from) const
{
    while (from < m_source.size() && m_source[from] != '\n') {
        const std::size_t skip = continuation(from);
        from += skip > 0 ? skip : 1;
    }
    return from;
}

std::size_t Lexer::blockCommentEnd(std::size_t from) const
{
    const std::size_t end = m_source.find("*/", from + 2);
    return end == std::string_view::npos ? m_source.size() : end + 2;
}

std::size_t Lexer::quotedEnd(std::size_t quote) const
{
    const char mark = m_source[quote];
    std::size_t position = quote + 1;
    while (position < m_source.size() && m_source[position] != '\n') {
        const std::size_t skip = continuation(position);
        if (skip > 0)
            position += skip;
        else if (m_source[position] == '\\')
            position += 2;
        else if (m_source[position++] == mark)
            return position;
    }
    return position;
}

std::size_t Lexer::rawStringEnd(std::size_t quote) const
{
    const std::size_t open = m_source.find('(', quote);
    if (open == std::string_view::npos || open - quote > 17)
        return quotedEnd(quote);
    std::string close = ")";
    close.append(m_source.substr(quote + 1, open - quote - 1)).push_back('"');
    const std::size_t end = m_source.find(close, open);
    return end == std::string_view::npos ? m_source.size() : end + close.size();
}

// A preprocessing number: digits, letters, dots, digit separators, and signs after an exponent letter.
std::size_t Lexer::numberEnd() const
{
    std::size_t position = m_position + 1;
    const bool hexadecimal = at(m_position) == '0' && (at(position) == 'x' || at(position) == 'X');
    for (;;) {
        const char c = at(position);
        const char before = at(position - 1);
        const bool exponent = hexadecimal ? before == 'p' || before == 'P' : before == 'e' || before == 'E';
        const bool sign = (c == '+' || c == '-') && exponent;
        const bool separator = c == '\'' && isIdentifier(at(position + 1));
        if (position >= m_source.size() || !(isIdentifier(c) || c == '.' || sign || separator))
            return position;
        ++position;
    }
}

std::size_t Lexer::directiveEnd() const
{
    std::size_t position = m_position;
    while (position < m_source.size() && m_source[position] != '\n') {
        const std::string_view rest = m_source.substr(position);
        const std::size_t skip = continuation(position);
        if (rest.starts_with("//"))
            break;
        if (rest.starts_with("/*"))
            position = blockCommentEnd(position);
        else if (m_source[position] == '"')
            position = quotedEnd(position);
        else
            position += skip > 0 ? skip : 1;
    }
    while (position > m_position && isSpace(m_source[position - 1]))
        --position;
    return position;
}

std::size_t Lexer::identifierEnd() const
{
    std::size_t position = m_position;
    while (position < m_source.size() && isIdentifier(m_source[position]))
        ++position;
    return position;
}

// An identifier, or the prefix of a string or character literal.
void Lexer::lexWord()
{
    static constexpr std::array<std::string_view, 4> prefixes{"L", "u", "U", "u8"};
    static constexpr std::array<std::string_view, 5> rawPrefixes{"R", "LR", "uR", "UR", "u8R"};
    const std::size_t end = identifierEnd();
    const std::string_view word = m_source.substr(m_position, end - m_position);
    const auto isOneOf = [word](const auto &list) { return std::find(list.begin(), list.end(), word) != list.end(); };
    if (at(end) == '"' && isOneOf(rawPrefixes))
        emit(TokenKind::String, rawStringEnd(end));
    else if (at(end) == '"' && isOneOf(prefixes))
        emit(TokenKind::String, quotedEnd(end));
    else if (at(end) == '\'' && isOneOf(prefixes))
        emit(TokenKind::Character, quotedEnd(end));
    else
        emit(TokenKind::Identifier, end);
}

std::size_t punctuatorLength(std::string_view rest)
{
    static constexpr std::array<std::string_view, 5> three{"<<=", ">>=", "...", "->*", "<=>"};
    static constexpr std::array<std::string_view, 20> two{"::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
                                                          "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
    const auto begins = [rest](std::string_view text) { return rest.starts_with(text); };
    if (std::any_of(three.begin(), three.end(), begins))
        return 3;
    return std::any_of(two.begin(), two.end(), begins) ? 2 : 1;
}

void Lexer::lexOne()
{
    const char c = m_source[m_position];
    if (startsWith("//"))
        emit(TokenKind::Comment, lineCommentEnd(m_position));
    else if (startsWith("/*"))
        emit(TokenKind::Comment, blockCommentEnd(m_position));
    else if (c == '#' && m_lineStart)
        emit(TokenKind::Directive, directiveEnd());
    else if (c == '"')
        emit(TokenKind::String, quotedEnd(m_position));
    else if (c == '\'')
        emit(TokenKind::Character, quotedEnd(m_position));
    else if (isDigit(c) || (c == '.' && isDigit(at(m_position + 1))))
        emit(TokenKind::Number, numberEnd());
    else if (isIdentifierStart(c))
        lexWord();
    else
        emit(TokenKind::Punctuator, m_position + punctuatorLength(m_source.substr(m_position)));
}

std::vector<Token> Lexer::run()
{
    while (m_position < m_source.size()) {
        const std::size_t skip = continuation(m_position);
        if (skip > 0) {
            m_position += skip;
        } else if (isSpace(m_source[m_position])) {
            m_lineStart = m_lineStart || m_source[m_position] == '\n';
            ++m_position;
        } else {
            lexOne();
        }
    }
    return std::move(m_tokens);
}

} // namespace

std::vector<Token> lex(std::string_view source)
{
    return Lexer(source).run();
}

} // namespace ako::tuner
