// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/tuner/lexer.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ako::tuner {

// Replace the bytes [begin, end) by text; begin == end inserts.
struct Edit
{
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string text;
};

// The text after all edits, or nothing when two of them overlap or one lies outside.
std::optional<std::string> applyEdits(const std::string &text, std::vector<Edit> edits);

// Solution-relative path -> content: what a candidate is made of.
using FileSet = std::map<std::string, std::string>;

// One source file with its tokens. Indices below count code tokens (comments left out, directives kept).
class Source
{
public:
    Source(std::string path, std::string text);

    const std::string &path() const { return m_path; }
    const std::string &text() const { return m_text; }
    const std::vector<Token> &comments() const { return m_comments; }

    int size() const { return static_cast<int>(m_code.size()); }
    const Token &token(int index) const { return m_code[static_cast<std::size_t>(index)]; }
    std::string_view view(int index) const; // empty outside the source
    bool is(int index, std::string_view text) const { return view(index) == text; }
    bool isKind(int index, TokenKind kind) const { return index >= 0 && index < size() && token(index).kind == kind; }
    bool isIdentifier(int index) const { return isKind(index, TokenKind::Identifier); }

    // The bracket that belongs to the one at index, -1 for none.
    int partner(int index) const;
    // The first token after the bracket group or single token at index.
    int after(int index) const;

    std::string_view range(int first, int last) const; // text of the tokens [first, last)
    int line(std::size_t offset) const;                // counted from 1
    std::size_t lineStart(std::size_t offset) const;
    std::string indentation(std::size_t offset) const; // of the line the offset is in
    std::string lineBreak(std::size_t offset) const;   // as the line the offset is in ends

private:
    void matchBrackets();

    std::string m_path;
    std::string m_text;
    std::vector<Token> m_code;
    std::vector<Token> m_comments;
    std::vector<int> m_partner;
};

} // namespace ako::tuner
