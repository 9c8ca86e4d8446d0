// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QTimer;

namespace ako {

class ChipRow;
class SourceEditor;
struct Directives;

// HINTS.md, edited at any time, also before there is one. Shows which of its directives the program itself keeps, which
// cannot be kept, which are left to an agent, and from which iteration on an edit counts.
class HintsEditor : public QWidget
{
    Q_OBJECT

public:
    explicit HintsEditor(QWidget *parent = nullptr);

    void open(const QString &path); // may not exist yet
    void setNextIteration(int iteration);
    void setPlanCap(int iterations);     // so that it is said which of two caps holds; 0 for none
    void setAwaitsApproval(bool awaits); // an edit counts for the plan and is saved by approving it
    SourceEditor *editor() const { return m_editor; }
    QStringList recognised() const;
    QStringList refused() const { return m_refusals; }    // what cannot be kept, with the reason
    QStringList unrecognised() const { return m_others; } // left to an agent, word for word

Q_SIGNALS:
    void textEdited(const QString &text); // a moment after the last key, or when it is read anew

private:
    void refresh();
    void showUnkept(const Directives &read);
    void updateNote();

    QString m_path;
    QString m_told; // by textEdited()
    int m_nextIteration = 1;
    int m_planCap = 0;
    bool m_awaitsApproval = false;
    QStringList m_refusals;
    QStringList m_others;
    ChipRow *m_chips;
    QLabel *m_refused;
    QLabel *m_left;
    QLabel *m_note;
    SourceEditor *m_editor;
    QTimer *m_typing;
};

} // namespace ako
