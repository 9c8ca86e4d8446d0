// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/diff.h"

#include <QList>
#include <QString>

namespace ako {

// One line as a diff pane shows it.
struct DiffRow
{
    enum class Kind { File, Hunk, Context, Added, Removed, Filler };
    Kind kind = Kind::Context;
    int oldLine = -1;
    int newLine = -1;
    QString text;
    int changedFrom = 0; // the part that differs from the line it stands for; empty when all or none does
    int changedLength = 0;
};

QList<DiffRow> unifiedRows(const Diff &diff);

// Left and right have the same number of rows; a Filler stands where a side has no line.
struct DiffSides
{
    QList<DiffRow> left;
    QList<DiffRow> right;
};
DiffSides sideBySideRows(const Diff &diff);

// The change of a row, with what stands around it: lines before and after it as text, each with its line end. `path`
// is empty where the row is of no change that can be taken.
struct DiffChange
{
    QString path;
    QString before;
    QString after;
};
DiffChange changeAt(const Diff &diff, const DiffRow &row);

// First row of each run of changed rows, in order.
QList<int> changeStarts(const QList<DiffRow> &rows);

} // namespace ako
