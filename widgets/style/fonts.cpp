// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/fonts.h"

#include <QApplication>
#include <QFontDatabase>

namespace ako {

QFont textFont()
{
    return QApplication::font();
}

QFont smallFont()
{
    QFont font = QApplication::font();
    if (font.pointSizeF() > 0)
        font.setPointSizeF(qMax(7.5, font.pointSizeF() - 1));
    return font;
}

QFont monospaceFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleHint(QFont::Monospace);
    if (QApplication::font().pointSizeF() > 0)
        font.setPointSizeF(QApplication::font().pointSizeF());
    return font;
}

} // namespace ako
