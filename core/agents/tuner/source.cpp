// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/source.h"

#include <algorithm>

namespace ako::tuner {

std::optional<std::string> applyEdits(const std::string &text, std::vector<Edit> edits)
{
    std::stable_sort(edits.begin(), edits.end(), [](const Edit &a, const Edit &b) { return a.begin < b.begin; });
    std::string result;
    std::size_t position = 0;
    for (const Edit &edit : edits) {
        if (edit.begin < position || edit.end < edit.begin || edit.end > text.size())
            return std::nullopt;
        result.append(text, position, edit.begin - position).append(edit.text);
        position = edit.end;
    }
    return result.append(text, position);
}

Source::Source(std::string path, std::string text)
    : m_path(std::move(path))
    , m_text(std::move(text))
{
    for (const Token &token : lex(m_text))
        (token.kind == TokenKind::Comment ? m_comments : m_code).push_back(token);
    matchBrackets();
}

std::string_view Source::view(int index) const
{
    if (index < 0 || index >= size())
        return {};
    return std::string_view(m_text).substr(token(index).begin, token(index).end - token(index).begin);
}

void Source::matchBrackets()
{
    m_partner.assign(m_code.size(), -1);
    std::vector<int> open;
    for (int i = 0; i < size(); ++i) {
        if (!isKind(i, TokenKind::Punctuator))
            continue;
        const char c = view(i).front();
        if (c == '(' || c == '[' || c == '{') {
            open.push_back(i);
        } else if (c == ')' || c == ']' || c == '}') {
            const char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
            // A bracket that does not fit is skipped: #if branches may leave some over.
            if (open.empty() || view(open.back()).front() != wanted)
                continue;
            m_partner[static_cast<std::size_t>(i)] = open.back();
            m_partner[static_cast<std::size_t>(open.back())] = i;
            open.pop_back();
        }
    }
}

int Source::partner(int index) const
{
    return index < 0 || index >= size() ? -1 : m_partner[static_cast<std::size_t>(index)];
}

int Source::after(int index) const
{
    const int close = partner(index);
    return close > index ? close + 1 : index + 1;
}

std::string_view Source::range(int first, int last) const
{
    if (first < 0 || first >= last || last > size())
        return {};
    return std::string_view(m_text).substr(token(first).begin, token(last - 1).end - token(first).begin);
}

int Source::line(std::size_t offset) const
{
    return 1 + static_cast<int>(std::count(m_text.begin(), m_text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

std::size_t Source::lineStart(std::size_t offset) const
{
    const std::size_t newline = offset == 0 ? std::string::npos : m_text.rfind('\n', offset - 1);
    return newline == std::string::npos ? 0 : newline + 1;
}

std::string Source::indentation(std::size_t offset) const
{
    const std::size_t start = lineStart(offset);
    const std::size_t end = m_text.find_first_not_of(" \t", start);
    return m_text.substr(start, (end == std::string::npos ? m_text.size() : end) - start);
}

std::string Source::lineBreak(std::size_t offset) const
{
    const std::size_t newline = m_text.find('\n', offset);
    return newline != std::string::npos && newline > 0 && m_text[newline - 1] == '\r' ? "\r\n" : "\n";
}

} // namespace ako::tuner
