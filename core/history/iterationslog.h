// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "history/iterationrecord.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QMap>
#include <QString>

namespace ako {

// One row of the Summary table of ITERATIONS.md, as far as it can be understood.
struct LogEntry
{
    QString iter;       // as it stands: "3", "final (3)"
    int iteration = -1; // -1: not an iteration, or the row does not say
    QString title;
    QString speedup;
    QString runtime;
    QString status;
    QMap<QString, QString> otherColumns; // the user's, by heading
};

// ITERATIONS.md: the program writes into it and the user does too. Only what is named in a call changes; every other
// byte stays, line ends and a broken table included. Applying the same record twice changes nothing.
class IterationsLog
{
public:
    explicit IterationsLog(QByteArray text = {});

    static Result<IterationsLog> load(const QString &workspace); // an empty log when the file is missing
    Result<void> save(const QString &workspace) const;           // temp file + rename; nothing if nothing changed

    const QByteArray &text() const { return m_text; }
    bool isChanged() const { return m_text != m_original; }

    // Adds or updates the record's row and section. The final gets a row and a section of its own.
    void record(const IterationRecord &record);
    // What the agent said afterwards, into Analysis and Next of an earlier section; added to what somebody has written
    // there. False: no such section.
    bool setAnalysis(const QString &label, const QString &analysis, const QString &next = {});
    // A run-level event (re-assessment, stop with its citations, finish) under "## Run log".
    void note(const QDateTime &when, const QString &heading, const QString &text);

    QList<LogEntry> entries() const; // any columns; empty when there is no table

private:
    bool isAnotherFinal(const IterationRecord &record) const;
    void recordRow(const IterationRecord &record, bool isNew);
    void insertTable(const IterationRecord &record);
    void recordSection(const IterationRecord &record, bool isNew);
    void completeSection(const IterationRecord &record);
    static LogEntry entryOf(const QList<QByteArray> &header, const QList<QByteArray> &cells);

    QByteArray m_text;
    QByteArray m_original;
};

} // namespace ako
