// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/movednumbers.h"

#include <QWidget>

class QLabel;
class QTreeWidget;

namespace ako {

// The chosen iteration's numbers beside those of the one it was made from, by how much they moved. Asked for when they
// are looked at.
class NumbersView : public QWidget
{
    Q_OBJECT

public:
    explicit NumbersView(QWidget *parent = nullptr);

    void choose(int iteration, const QString &heading); // negative: none
    void setLookedAt(bool lookedAt);
    void showNumbers(quint64 token, const QList<MovedNumber> &numbers, const QString &error);
    QTreeWidget *list() const { return m_list; }
    QString note() const; // above the list

Q_SIGNALS:
    void requested(int iteration, quint64 token);

private:
    void request();

    QLabel *m_note;
    QTreeWidget *m_list;
    QString m_heading;
    int m_iteration = -1;
    bool m_lookedAt = false;
    bool m_isStale = false;
    quint64 m_token = 0;
};

QString changeText(const MovedNumber &number); // "+12.5 %", "−3 %", "–" where it stands on one side only

} // namespace ako
