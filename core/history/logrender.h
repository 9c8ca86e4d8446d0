// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QByteArray>
#include <QString>

namespace ako {

// What a record looks like in ITERATIONS.md. Lines end in \n; words of an agent cannot become structure.
namespace logrender {

QByteArray iterCell(const IterationRecord &record); // "3", "0", "final (3)"
QByteArray titleCell(const IterationRecord &record);
QByteArray speedupCell(const IterationRecord &record); // mean; "≈" before a figure chained through the champion
QByteArray runtimeCell(const IterationRecord &record); // mean
QByteArray statusCell(const IterationRecord &record);

QByteArray heading(const IterationRecord &record);    // "### Iter 3 — Title"
QByteArray benchBlock(const IterationRecord &record); // "- **Bench:**" and its lines
QByteArray section(const IterationRecord &record);
QByteArray field(const char *name, const QString &text); // "- **Name:** text", further lines indented
QByteArray continuation(const QString &text);            // the lines indented

} // namespace logrender

} // namespace ako
