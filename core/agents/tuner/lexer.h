// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ako::tuner {

enum class TokenKind { Identifier, Number, String, Character, Punctuator, Directive, Comment };

// A token of C++ or CUDA source by its byte range; nothing is copied, so a rewrite can replace exactly these bytes.
struct Token
{
    TokenKind kind = TokenKind::Punctuator;
    std::size_t begin = 0;
    std::size_t end = 0;

    bool operator==(const Token &) const = default;
};

// Splits a source into tokens. White space is dropped; a preprocessor line with its continuations is one token, without
// a comment at its end. Never fails: what is not finished (a string, a comment) ends with its line or with the source.
std::vector<Token> lex(std::string_view source);

} // namespace ako::tuner
