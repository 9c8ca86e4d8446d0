// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QMetaType>
#include <QPair>
#include <QString>

namespace ako {

// All that a report says of a run; gathered by loop/reporting.h.
struct RunReport
{
    QString name; // of the kernel
    QString branch;
    QString program; // "AKO4ALL 1.2"
    QDateTime when;
    QList<IterationRecord> records;
    IterationRecord best; // what is reported on: the champion, as its entry or the final measured it
    QByteArray patch;     // from the original kernel to it, for git apply
    QList<QPair<QString, QString>> environment; // name and value, as the evaluator reported them
    QStringList reproduce;                      // commands, in order
};

// What a result of the evaluator (ako.result/1) says of the machine and the compiler; empty where it says nothing.
QList<QPair<QString, QString>> environmentFacts(const QByteArray &resultJson);

// One page that needs nothing else: figures, chart, table, difference, environment, hashes, how to reproduce it. Every
// text of the workspace's is escaped.
QByteArray reportHtml(const RunReport &report);

} // namespace ako

Q_DECLARE_METATYPE(ako::RunReport)
