// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/environment.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QScrollArea;

namespace ako {

// What this machine has and lacks, each lack with its remedy; the same as `ako4all doctor`. It asks to be looked and
// shows what it is told.
class DoctorDialog : public QDialog
{
    Q_OBJECT

public:
    explicit DoctorDialog(QWidget *parent = nullptr);

    void look(); // says so while it waits
    void showFindings(const QList<EnvironmentFinding> &findings);
    const QList<EnvironmentFinding> &findings() const { return m_findings; }
    void copyAsText() const;

Q_SIGNALS:
    void lookRequested();

protected:
    void changeEvent(QEvent *event) override;

private:
    void fill();

    QList<EnvironmentFinding> m_findings;
    QScrollArea *m_scroll;
    QLabel *m_summary;
    QPushButton *m_copy;
    QPushButton *m_again;
};

} // namespace ako
