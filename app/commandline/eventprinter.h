// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/runevent.h"

#include <QSet>
#include <QString>

namespace ako {

// Writes events for a person or, as one JSON object a line, for a program. Standard output only; a progress line
// goes to standard error when that is a terminal.
class EventPrinter
{
public:
    explicit EventPrinter(bool json);

    void print(const RunEvent &event);
    void printPlan(const ResolvedPlan &plan, bool approved, bool withEvidence = false);
    void printText(const QString &text) { line(text); }
    void printError(const QString &message, const QString &remedy);
    // The last line.
    void printOutcome(int exitCode, const QString &reason, const QList<PlanField> &questions = {});

private:
    void line(const QString &text);
    void printRecord(const IterationRecord &record);
    void printHints(const event::HintsSeen &seen);
    void printProgress(const QString &text);
    void clearProgress();

    bool m_json;
    bool m_terminal;
    bool m_progressShown = false;
    QSet<QString> m_printedCommits;
    QString m_lastError;
};

// "iter-3     improved    1.416x ± 0.012   2.310 ms  unroll the inner loop by 4"
QString historyLine(const IterationRecord &record);
QString historyLegend(); // what the columns and the star of these lines mean

} // namespace ako
