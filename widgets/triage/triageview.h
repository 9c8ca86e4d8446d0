// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QWidget>

class QLineEdit;
class QPushButton;
class QTextBrowser;

namespace ako {

// What is held against a quarantined iteration, and what a person decides of it: accept it as honest, uphold the
// quarantine, or measure it again. The decision goes into the history; it changes no number.
class TriageView : public QWidget
{
    Q_OBJECT

public:
    explicit TriageView(QWidget *parent = nullptr);

    void showRecord(const IterationRecord *record); // null or not quarantined: nothing to decide
    void setMeasurable(bool measurable);            // the loop is at rest
    QLineEdit *reason() const { return m_reason; }
    QTextBrowser *evidence() const { return m_evidence; }
    QPushButton *acceptButton() const { return m_accept; }
    QPushButton *rejectButton() const { return m_reject; }
    QPushButton *measureButton() const { return m_measure; }

Q_SIGNALS:
    void decided(int iteration, bool accepted, const QString &reason);
    void measureRequested(int iteration);

private:
    void decide(bool accepted);

    int m_iteration = -1;
    QTextBrowser *m_evidence;
    QLineEdit *m_reason;
    QPushButton *m_accept;
    QPushButton *m_reject;
    QPushButton *m_measure;
};

// Rules, evidence and the decision, as rich text.
QString evidenceHtml(const IterationRecord &record);

} // namespace ako
