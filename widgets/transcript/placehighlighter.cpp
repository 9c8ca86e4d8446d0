// SPDX-License-Identifier: GPL-3.0-or-later
#include "transcript/placehighlighter.h"

#include "models/sourceplaces.h"
#include "style/palette.h"

#include <QApplication>

namespace ako {

PlaceHighlighter::PlaceHighlighter(QTextDocument *document)
    : QSyntaxHighlighter(document)
{
}

void PlaceHighlighter::highlightBlock(const QString &text)
{
    const auto place = sourcePlace(text);
    if (!place)
        return;
    const QPalette colours = QApplication::palette();
    QTextCharFormat link;
    link.setForeground(colours.color(QPalette::Link));
    link.setFontUnderline(true);
    const int end = int(text.indexOf(place->message));
    const bool hasMessage = !place->message.isEmpty() && end > 0;
    setFormat(0, hasMessage ? end : int(text.size()), link);
    if (hasMessage && place->severity != Severity::Info) {
        const Tone tone = place->severity == Severity::Error ? Tone::Error : Tone::Warning;
        setFormat(end, int(text.size()) - end, toneColour(tone, colours));
    }
}

} // namespace ako
