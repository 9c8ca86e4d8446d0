// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace ako {

class DetailsView;

// An iteration in words, with a line below it for a person's own note.
class DetailsPage : public QWidget
{
    Q_OBJECT

public:
    explicit DetailsPage(QWidget *parent = nullptr);
    void showRecord(const IterationRecord *record);
    DetailsView *view() const { return m_view; }
    QLineEdit *note() const { return m_note; }

Q_SIGNALS:
    void noteGiven(int iteration, const QString &note);

private:
    void keep();

    int m_iteration = -1; // whose note it is; -1: none can be kept
    QString m_kept;
    DetailsView *m_view;
    QLineEdit *m_note;
    QPushButton *m_keep;
};

} // namespace ako
