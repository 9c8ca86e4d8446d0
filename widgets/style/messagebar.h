// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/runevent.h"

#include <QFrame>

#include <functional>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace ako {

// A line along the edge of what it speaks about, with what can be done about it. Never modal; its text can be
// selected and copied. A long text shows its beginning until the rest is asked for.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    explicit MessageBar(QWidget *parent = nullptr);

    void showMessage(Severity severity, const QString &text, const QString &remedy = {}); // without choices
    void addChoice(const QString &text, std::function<void()> chosen);                    // hides the bar first
    QString text() const { return m_whole; }

Q_SIGNALS:
    void dismissed(); // by its cross

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void clearChoices();
    void updateIcon();
    void showText(bool whole);

    Severity m_severity = Severity::Info;
    QString m_whole;
    QLabel *m_icon;
    QLabel *m_text;
    QHBoxLayout *m_choice; // the only one, beside the text
    QHBoxLayout *m_below;  // several, below it
    QList<QPushButton *> m_buttons;
    QToolButton *m_more;
    QToolButton *m_close;
};

} // namespace ako
