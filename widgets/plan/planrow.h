// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/resolvedplan.h"

#include <QWidget>

#include <optional>

class QHBoxLayout;
class QLineEdit;
class QVBoxLayout;

namespace ako {

// One field of the plan: its value, why it was chosen, and a way to change it. Certain ones are quiet; an open one
// stands on its own ground with the question and its candidates.
class PlanRow : public QWidget
{
    Q_OBJECT

public:
    // With a folder, a row that names files has a button that lets one be chosen there.
    PlanRow(const PlanField &field, bool locked, QWidget *parent = nullptr, const QString &folder = {});

    const PlanField &field() const { return m_field; }
    bool isOpen() const { return !m_field.question.isEmpty() || !m_field.problem.isEmpty(); }
    void setEvidenceShown(bool shown);
    std::optional<QString> draft() const;      // typed, and not taken as an answer yet
    void setDraft(const QString &text);        // with the keyboard, as it was being typed
    QWidget *input() const { return m_input; } // combo box or line edit; null when it cannot be edited

Q_SIGNALS:
    void edited(const QString &key, const QString &value);

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QLineEdit *lineEdit() const; // that of the input; null when it cannot be edited
    QWidget *makeInput();
    QWidget *makeValue(bool locked);
    QWidget *makeText();
    QWidget *addNote(QVBoxLayout *layout, const QString &text, bool strong);
    bool namesFiles() const;
    void addPicker(QHBoxLayout *layout, const QString &folder);
    void submit(const QString &value);
    void submitTyped(const QLineEdit *edit, const QString &text);

    PlanField m_field;
    QWidget *m_input = nullptr;
    QWidget *m_value = nullptr;
    QList<QWidget *> m_evidence;
};

} // namespace ako
