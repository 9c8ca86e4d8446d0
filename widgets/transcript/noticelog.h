// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/runevent.h"

#include <QListWidget>

namespace ako {

// What happened, newest last, each with its severity and what can be done about it. Ctrl+C copies what is selected.
class NoticeLog : public QListWidget
{
    Q_OBJECT

public:
    explicit NoticeLog(QWidget *parent = nullptr);

    void add(Severity severity, const QString &text, const QString &remedy = {});

public Q_SLOTS:
    void copy() const; // what is selected

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
};

} // namespace ako
