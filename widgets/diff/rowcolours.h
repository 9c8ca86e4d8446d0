// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "diff/diffrows.h"

#include <QColor>
#include <QPalette>

namespace ako {

struct ColouredRange
{
    qsizetype from = 0;
    qsizetype length = 0;
    QColor colour;
};

// What the editor's lexer for each file makes of the rows' text, a list for each row; an empty one where there is no
// lexer. `file`: what those before the first heading are of.
QList<QList<ColouredRange>> rowColours(const QList<DiffRow> &rows, const QPalette &palette, const QString &file = {});
QString fileOf(const DiffRow &heading); // its path

} // namespace ako
