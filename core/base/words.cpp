// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/words.h"

#include <QCoreApplication>

#include <algorithm>

namespace ako::words {

namespace {

bool turnsDirection(QChar character)
{
    const char16_t code = character.unicode();
    return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

bool isUnfit(QChar character)
{
    if (character == QLatin1Char('\n') || character == QLatin1Char('\t'))
        return false;
    return character.category() == QChar::Other_Control || turnsDirection(character);
}

} // namespace

QString plain(const QString &text)
{
    QString kept = text;
    kept.replace(QLatin1String("\r\n"), QLatin1String("\n"));
    return kept.removeIf(isUnfit);
}

QString oneLine(const QString &text)
{
    return text.simplified().removeIf(isUnfit);
}

QString shortened(const QString &text, qsizetype most)
{
    if (text.size() <= most)
        return text;
    qsizetype length = most - 1;
    if (text.at(length - 1).isHighSurrogate())
        --length;
    return text.left(length) + QChar(0x2026);
}

QString title(const QString &text)
{
    return shortened(oneLine(shortened(text, 8 * longestTitle)), longestTitle);
}

QString listed(const QStringList &texts, qsizetype most)
{
    if (texts.size() <= most)
        return texts.join(QStringLiteral(", "));
    return QCoreApplication::translate("Words", "%1 and %2 more")
        .arg(texts.first(most).join(QStringLiteral(", ")))
        .arg(texts.size() - most);
}

QString shellWord(const QString &text)
{
    constexpr QLatin1String marks("_@%+=:,./-");
    const bool isPlain = !text.isEmpty() && std::ranges::all_of(text, [marks](QChar c) {
        return c.isLetterOrNumber() || marks.contains(c);
    });
    if (isPlain)
        return text;
    QString quoted = text;
    quoted.replace(QLatin1Char('\''), QLatin1String("'\\''"));
    return QLatin1Char('\'') + quoted + QLatin1Char('\'');
}

} // namespace ako::words
