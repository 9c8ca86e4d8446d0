// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/sourcefacts.h"

#include <QList>

#include <algorithm>
#include <cctype>

namespace ako {

namespace {

bool isWord(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Copies text to a same-sized blanked version, one construct at a time.
class Blanker
{
public:
    explicit Blanker(const QByteArray &text)
        : m_in(text)
        , m_out(text)
    {
    }

    QByteArray run()
    {
        while (m_at < m_in.size())
            next();
        return m_out;
    }

private:
    char peek(qsizetype offset = 0) const { return m_at + offset < m_in.size() ? m_in[m_at + offset] : '\0'; }

    void blankTo(qsizetype end)
    {
        end = std::min(end, m_in.size());
        for (; m_at < end; ++m_at) {
            if (m_in[m_at] != '\n' && m_in[m_at] != '\r')
                m_out[m_at] = ' ';
        }
    }

    void next()
    {
        const char c = peek();
        if (c == '/' && peek(1) == '/')
            blankTo(lineCommentEnd());
        else if (c == '/' && peek(1) == '*')
            blankTo(endOf("*/", m_at + 2));
        else if (c == '"')
            literal('"');
        else if (c == '\'')
            literal('\'');
        else if (isWord(c))
            word();
        else
            ++m_at;
    }

    qsizetype endOf(QByteArrayView mark, qsizetype from) const
    {
        const qsizetype found = m_in.indexOf(mark, from);
        return found < 0 ? m_in.size() : found + mark.size();
    }

    qsizetype lineCommentEnd() const
    {
        qsizetype end = m_in.indexOf('\n', m_at);
        while (end > 0 && continuesAt(end))
            end = m_in.indexOf('\n', end + 1);
        return end < 0 ? m_in.size() : end;
    }

    bool continuesAt(qsizetype newline) const
    {
        const qsizetype last = m_in[newline - 1] == '\r' ? newline - 2 : newline - 1;
        return last >= 0 && m_in[last] == '\\';
    }

    // An unterminated literal ends with its line, so that one stray quote does not hide the rest of the file.
    void literal(char quote)
    {
        qsizetype end = m_at + 1;
        while (end < m_in.size() && m_in[end] != quote && m_in[end] != '\n') {
            if (m_in[end] == '\\' && end + 1 < m_in.size())
                ++end;
            ++end;
        }
        ++m_at;
        blankTo(end);
        if (peek() == quote)
            ++m_at;
    }

    // Words and numbers, as a unit: R"( begins a raw string, and the ' in 1'000 is no quote.
    void word()
    {
        const qsizetype start = m_at;
        const bool isNumber = std::isdigit(static_cast<unsigned char>(peek()));
        while (isWord(peek()) || (isNumber && peek() == '\'' && isWord(peek(1))))
            ++m_at;
        static const QList<QByteArray> rawPrefixes{"R", "LR", "uR", "UR", "u8R"};
        if (peek() == '"' && rawPrefixes.contains(m_in.mid(start, m_at - start)))
            rawString();
    }

    void rawString()
    {
        const qsizetype open = m_in.indexOf('(', m_at);
        if (open < 0 || open - m_at > 17) { // a delimiter has at most 16 characters
            ++m_at;
            return;
        }
        const QByteArray close = ')' + m_in.mid(m_at + 1, open - m_at - 1) + '"';
        ++m_at;
        blankTo(endOf(close, open) - 1);
        if (peek() == '"')
            ++m_at;
    }

    const QByteArray &m_in;
    QByteArray m_out;
    qsizetype m_at = 0;
};

} // namespace

QByteArray withoutCommentsAndStrings(const QByteArray &text)
{
    return Blanker(text).run();
}

} // namespace ako
