// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "style/palette.h"

#include <QDialog>

class QLineEdit;
class QVBoxLayout;

namespace ako {

// What is kept for a person across sessions, to be searched. Each change counts at once.
class SettingsDialog : public QDialog
{
    Q_OBJECT

public:
    explicit SettingsDialog(QWidget *parent = nullptr);
    QLineEdit *search() const { return m_search; }

    static bool reopensLast(); // the workspace of the last session
    static Appearance appearance();

Q_SIGNALS:
    void appearanceChosen(ako::Appearance appearance);

private:
    void addRow(const QString &title, const QString &words, QWidget *control);
    void addCheck(const QString &title, const QString &words, const QString &key, bool otherwise);
    void filter(const QString &text);

    QLineEdit *m_search;
    QVBoxLayout *m_rows;
};

} // namespace ako
