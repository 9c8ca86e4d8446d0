// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "workspace/directives.h"
#include "workspace/resolvedplan.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace ako {

// One hint of a text: a bullet with its continuation lines, or a paragraph. Headings, comments, rules and the text
// of code fences are none.
struct HintItem
{
    QString text;
    int line = 0; // 1-based
};
QList<HintItem> parseHints(const QString &text);

// For comparing: case, white space, bullets and closing punctuation do not count.
QString normalisedHint(const QString &text);

struct HintsMerge
{
    QByteArray content; // the whole file; begins with exactly what stood there
    QList<Hint> added;  // those that were not there yet
};
// Adds hints at the end, under a heading that says where they came from, in the file's own line endings.
HintsMerge mergeHints(const QByteArray &existing, const QList<Hint> &hints);

struct HintsDifference
{
    QStringList added;
    QStringList removed;
    QStringList recognised; // directives of the new text that the program honours
    bool isEmpty() const { return added.isEmpty() && removed.isEmpty(); }
};
HintsDifference compareHints(const QString &before, const QString &after);

inline constexpr qint64 hintsLimit = 256LL * 1024; // bytes: hints are read by people, and at each iteration boundary
Error hintsTooBig(qint64 bytes);

// HINTS.md of the workspace; empty where there is none, an error where it is too big.
Result<QByteArray> readHintsFile(const QString &workspace);
// Reads, merges and writes it by rename; returns what was added. Nothing to add: the file is left alone.
Result<QList<Hint>> mergeIntoHintsFile(const QString &workspace, const QList<Hint> &hints);

} // namespace ako
