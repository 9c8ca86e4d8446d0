// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

// What others have written (a title, a commit's subject, a file's name, a bench's message), made fit to be shown: none
// of it may steer a terminal or turn the direction of what stands around it, and none fills the screen.
namespace ako::words {

inline constexpr qsizetype longestTitle = 200;
inline constexpr qsizetype longestEcho = 100; // of what a person gave, in a message about it

// Without control characters and marks that turn the direction of writing; lines and tabs stay.
QString plain(const QString &text);

QString oneLine(const QString &text);

// At most that many characters, the last an ellipsis where something was cut.
QString shortened(const QString &text, qsizetype most = longestEcho);

// One line of at most 200 characters.
QString title(const QString &text);

// "a, b, c and 238 more"
QString listed(const QStringList &texts, qsizetype most = 12);

// As a shell takes it for one word: as it is where nothing in it means anything to a shell, else in quotes.
QString shellWord(const QString &text);

} // namespace ako::words
