// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/iterationlinks.h"

#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextTable>
#include <QUrl>

namespace ako {

namespace {

constexpr int linkedColumns = 2; // number and title

std::optional<int> numberIn(const QRegularExpression &pattern, const QString &text)
{
    const QRegularExpressionMatch match = pattern.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const QString number = match.captured(QStringLiteral("number"));
    return number.isEmpty() ? 0 : number.toInt(); // "Baseline" has none
}

// "7", "final (4)"
std::optional<int> iterationOfRow(const QTextTable &table, int row)
{
    static const QRegularExpression pattern(QStringLiteral("^(final \\()?(?<number>\\d{1,9})\\)?$"));
    return numberIn(pattern, table.cellAt(row, 0).firstCursorPosition().block().text().trimmed());
}

// "Iter 7 — title", "Iteration 7: title", "Baseline — title"
std::optional<int> iterationOfHeading(const QTextBlock &block)
{
    static const QRegularExpression pattern(QStringLiteral("^(Iter(ation)?[ -]?(?<number>\\d{1,9})\\b|Baseline\\b)"),
                                            QRegularExpression::CaseInsensitiveOption);
    return block.blockFormat().headingLevel() > 1 ? numberIn(pattern, block.text()) : std::nullopt;
}

void link(QTextCursor cursor, int number, const QColor &colour)
{
    if (cursor.selectedText().trimmed().isEmpty())
        return;
    QTextCharFormat format;
    format.setAnchor(true);
    format.setAnchorHref(QStringLiteral("iteration:%1").arg(number));
    if (colour.isValid())
        format.setForeground(colour);
    cursor.mergeCharFormat(format);
}

void linkRows(const QTextTable &table, const QColor &colour)
{
    for (int row = 0; row < table.rows(); ++row) {
        const std::optional<int> number = iterationOfRow(table, row);
        for (int column = 0; number && column < qMin(linkedColumns, table.columns()); ++column) {
            QTextCursor cursor = table.cellAt(row, column).firstCursorPosition();
            cursor.setPosition(table.cellAt(row, column).lastPosition(), QTextCursor::KeepAnchor);
            link(cursor, *number, column == 0 ? colour : QColor());
        }
    }
}

} // namespace

void linkIterations(QTextDocument &document, const QColor &linkColour)
{
    for (const QTextFrame *frame : document.rootFrame()->childFrames()) {
        if (const auto *table = qobject_cast<const QTextTable *>(frame))
            linkRows(*table, linkColour);
    }
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (const std::optional<int> number = iterationOfHeading(block)) {
            QTextCursor cursor(block);
            cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
            link(cursor, *number, {});
        }
    }
}

std::optional<int> iterationOf(const QUrl &link)
{
    static const QRegularExpression fragment(QStringLiteral("^iter(ation)?-?(?<number>\\d{1,9})\\b"),
                                             QRegularExpression::CaseInsensitiveOption);
    if (link.scheme() == QLatin1String("iteration"))
        return link.path().toInt();
    return link.scheme().isEmpty() && link.path().isEmpty() ? numberIn(fragment, link.fragment()) : std::nullopt;
}

std::optional<int> placeOfIteration(const QTextDocument &document, int number)
{
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (iterationOfHeading(block) == number)
            return block.position();
    }
    return std::nullopt;
}

} // namespace ako
