// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "editor/scintilla.h"
#include "models/sourceplaces.h"

namespace ako {

// The text area for source: highlighting, line numbers, folding, brackets, in the palette's colours. Knows no files.
class CodeView : public QsciScintilla
{
    Q_OBJECT

public:
    explicit CodeView(QWidget *parent = nullptr);

    void setLanguageOf(const QString &fileName);
    void setContent(const QString &text); // unmodified, no undo, cursor and scroll kept as far as they exist
    void goToLine(int line);              // 1-based
    // What a compiler says of lines: a mark in the margin and the words below the line.
    void setProblems(const QList<SourcePlace> &problems);

protected:
    void changeEvent(QEvent *event) override;

private:
    void showProblems();
    void applyPalette();
    void fitNumbers();

    QList<SourcePlace> m_problems;
};

} // namespace ako
