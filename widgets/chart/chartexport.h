// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

class QCustomPlot;

namespace ako {

// The endings that a chart can be written as: png, svg, pdf, csv.
QStringList chartFormats();

// The plot as it is seen (png, pdf), the whole run (svg), or its numbers (csv), by the ending of the path. Empty: done;
// else what went wrong.
QString writeChart(const QString &path, QCustomPlot &plot, const QList<IterationRecord> &records);

// A line per entry, times in ms; what was not measured is an empty cell, never zero.
QByteArray chartCsv(const QList<IterationRecord> &records);

} // namespace ako
