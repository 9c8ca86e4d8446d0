// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/tuner/catalogue.h"

#include <QCoreApplication>

namespace ako::tuner {

struct Catalogue::Unit
{
    Unit(const std::string &path, const std::string &text)
        : source(path, text)
        , functions(parseFunctions(source))
    {
        // Generated code with loops by the hundred is not what a person would tune by hand either.
        std::erase_if(functions, [](const Function &function) {
            const Range tokens = function.body.tokens;
            return tokens.last - tokens.first > tokenLimit || loopsOf(function.body).size() > loopLimit;
        });
    }

    static constexpr int tokenLimit = 10000;
    static constexpr std::size_t loopLimit = 100;

    Source source;
    std::vector<Function> functions;
};

// Where a loop stands, for keys (stable while lines move) and for people.
std::string loopKey(const Function &function, const Statement &loop);
QString loopName(const Source &source, const Function &function, const Statement &loop);

// The directive on the line directly before the statement, -1 for none.
int directiveBefore(const Source &source, const Statement &statement);
// Whether a loop around the loop or inside it, or the loop itself, is shared between threads already.
bool isInParallelRegion(const Source &source, const Function &function, const Statement &loop);
// A line before the statement, indented like it; nothing when the statement does not begin its line.
std::optional<Edit> lineBefore(const Source &source, const Statement &statement, const std::string &line);
// How many loops deep the statement is, itself included.
int depthOf(const Statement &statement);

inline QString translated(const char *text)
{
    return QCoreApplication::translate("Tuner", text);
}

inline QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace ako::tuner
