// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QString>

class QsciLexer;

namespace ako {

// The lexer for a file by its name (C++, CUDA, HIP, Python, JSON, shell); null for plain text.
QsciLexer *makeLexer(const QString &fileName, QObject *parent);

// Gives the lexer's styles fonts and colours that read well on the palette.
void applyColours(QsciLexer *lexer, const QPalette &palette);

} // namespace ako
