// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "editor/scintilla.h"

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

protected:
    void changeEvent(QEvent *event) override;

private:
    void applyPalette();
    void fitNumbers();
};

} // namespace ako
