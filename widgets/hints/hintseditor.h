// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QStackedLayout;
class QTimer;

namespace ako {

class ChipRow;
class SourceEditor;

// HINTS.md, edited at any time. Shows which of its directives the program itself keeps, and from which iteration on an
// edit counts.
class HintsEditor : public QWidget
{
    Q_OBJECT

public:
    explicit HintsEditor(QWidget *parent = nullptr);

    void open(const QString &path); // may not exist yet
    void setNextIteration(int iteration);
    SourceEditor *editor() const { return m_editor; }
    QStringList recognised() const;

private:
    void refresh();
    void updateNote();

    QString m_path;
    int m_nextIteration = 1;
    ChipRow *m_chips;
    QLabel *m_note;
    QLabel *m_empty;
    SourceEditor *m_editor;
    QStackedLayout *m_stack = nullptr;
    QTimer *m_typing;
};

} // namespace ako
