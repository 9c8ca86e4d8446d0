// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace ako {

// What the program itself honours, found in a request or in HINTS.md. Of two statements the later one holds.
struct Directives
{
    std::optional<int> iterationCap;
    std::optional<int> timeCapSeconds;
    std::optional<double> costCapDollars;
    bool noProfiler = false;
    bool noInstall = false;
    QString language;         // "C++", "CUDA", "Triton", ...
    QStringList frozenPaths;  // must not change, as written
    QStringList descriptions; // what was recognised, for showing: "cap: 20 iterations"
    QStringList refused;      // statements that ask for what cannot be, with the reason: a cap of 0
    QStringList unrecognised; // statements that only an agent can follow, word for word
    bool operator==(const Directives &) const = default;
};

// Which of two caps counts, where HINTS.md and the plan (0: none) say different things; else empty.
QString capInForce(const Directives &directives, int planCap);

// One statement (a bullet, a sentence). Returns what was recognised in it; nothing: an empty list.
QStringList recogniseStatement(const QString &statement, Directives &into);

// Sentences, lines and clauses that stand for themselves, word for word.
QStringList splitStatements(const QString &text);
// What looks like a file or folder in a text, as written.
QStringList mentionedPaths(const QString &text);

// The text of HINTS.md.
Directives recogniseDirectives(const QString &hintsText);

} // namespace ako
