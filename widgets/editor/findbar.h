// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;

namespace ako {

class CodeView;

// Find and replace below the text it works on. Enter: next, Shift+Enter: previous, Escape: close.
class FindBar : public QWidget
{
    Q_OBJECT

public:
    explicit FindBar(CodeView &view, QWidget *parent = nullptr);

    void open(); // starts with what is selected
    bool find(bool forward);
    void replace(); // the present match, then finds the next
    int replaceAll();
    QLineEdit *pattern() const { return m_pattern; }
    QLineEdit *replacement() const { return m_replacement; }

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *makeButton(const QString &iconName, const QString &text, const QString &tip, void (FindBar::*slot)());
    void next() { find(true); }
    void previous() { find(false); }
    void all() { replaceAll(); }
    void dismiss();
    void say(const QString &text);

    CodeView &m_view;
    QLineEdit *m_pattern;
    QLineEdit *m_replacement;
    QCheckBox *m_caseSensitive;
    QLabel *m_note;
};

} // namespace ako
