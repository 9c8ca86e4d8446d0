// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QToolButton;

namespace ako {

class ElidedLabel;
class TextLog;

// A text of the iteration under way, which grows, or the one that the chosen iteration has kept; a button goes back to
// the first. What was kept is asked for only when it is looked at.
class ChosenText : public QWidget
{
    Q_OBJECT

public:
    struct Words
    {
        QString liveTitle; // above the text that grows
        QString liveTip;
        QString liveEmpty, storedEmpty; // what stands in the empty logs
        QString liveName, storedName;   // for those who hear the window
    };
    explicit ChosenText(const Words &words, QWidget *parent = nullptr);

    // What was chosen: its folder and how it is called; an empty folder: nothing.
    void choose(const QString &trajectory, const QString &title);
    void setLookedAt(bool lookedAt);
    void showStored(quint64 token, const QString &text, const QString &error);
    void clear();
    bool isLive() const;

    TextLog *live() const { return m_live; }
    TextLog *stored() const { return m_stored; }

Q_SIGNALS:
    void requested(const QString &trajectory, quint64 token);

private:
    void setLive(bool on);
    void request();

    QString m_liveTitle;
    TextLog *m_live;
    TextLog *m_stored;
    ElidedLabel *m_title;
    QToolButton *m_button;
    QString m_trajectory;
    QString m_chosenTitle;
    bool m_lookedAt = false;
    quint64 m_token = 0;
};

} // namespace ako
