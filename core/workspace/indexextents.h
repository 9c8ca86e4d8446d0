// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>

namespace ako {

// How many elements of its pointers a function reaches, from its index expressions, the bounds of its loops and its
// guards ("if (i >= n) return;"). Assumed is that sizes are positive and that loops begin at or above 0.
struct IndexExtents
{
    QMap<QString, QString> lengths; // "x" -> "m*n", an expression over its own parameters
    QStringList passedOn;           // only ever handed to other functions, whole
    QStringList addedTo;            // changed ("+=", "++") and never set before: what it held is read
};

// `body` is without comments and strings, `parameters` its parameters' names. A pointer of which one index cannot be
// told (it is read from memory, say), or that is used in another way, is in neither.
IndexExtents indexExtents(const QString &body, const QStringList &parameters);

} // namespace ako
