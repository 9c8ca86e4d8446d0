// SPDX-License-Identifier: GPL-3.0-or-later
#include "diff/rowcolours.h"

#include "editor/lexers.h"
#include "editor/scintilla.h"

namespace ako {

namespace {

using Kind = DiffRow::Kind;

bool isSource(const DiffRow &row)
{
    return row.kind == Kind::Context || row.kind == Kind::Added || row.kind == Kind::Removed;
}

// A style byte for each byte of the text.
QByteArray stylesOf(QsciScintilla &view, const QByteArray &text)
{
    view.setText(QString::fromUtf8(text));
    view.SendScintilla(QsciScintilla::SCI_COLOURISE, 0UL, -1L);
    QByteArray cells(2 * text.size() + 2, '\0'); // a character and its style, by turns
    view.SendScintilla(QsciScintilla::SCI_GETSTYLEDTEXT, 0L, long(text.size()), cells.data());
    QByteArray styles(text.size(), '\0');
    for (qsizetype i = 0; i < text.size(); ++i)
        styles[i] = cells.at(2 * i + 1);
    return styles;
}

QList<ColouredRange> rangesOf(const QString &text, const QByteArray &bytes, const char *styles, const QsciLexer &lexer)
{
    QList<ColouredRange> ranges;
    const bool isPlain = bytes.size() == text.size();
    const auto characters = [&](qsizetype byte) {
        return isPlain ? byte : QString::fromUtf8(bytes.first(byte)).size();
    };
    const QColor usual = lexer.color(0);
    for (qsizetype begin = 0; begin < bytes.size();) {
        qsizetype end = begin + 1;
        while (end < bytes.size() && styles[end] == styles[begin])
            ++end;
        const QColor colour = lexer.color(static_cast<unsigned char>(styles[begin]));
        if (colour != usual)
            ranges << ColouredRange{characters(begin), characters(end) - characters(begin), colour};
        begin = end;
    }
    return ranges;
}

} // namespace

QString fileOf(const DiffRow &heading)
{
    return heading.text.section(QLatin1String(" ("), 0, 0);
}

QList<QList<ColouredRange>> rowColours(const QList<DiffRow> &rows, const QPalette &palette, const QString &file)
{
    QList<QList<ColouredRange>> colours(rows.size());
    qsizetype end = 0;
    for (qsizetype begin = 0; begin < rows.size(); begin = end) {
        end = begin + 1;
        while (end < rows.size() && rows.at(end).kind != Kind::File)
            ++end;
        QsciScintilla view;
        view.setUtf8(true);
        QsciLexer *lexer = makeLexer(rows.at(begin).kind == Kind::File ? fileOf(rows.at(begin)) : file, &view);
        if (lexer == nullptr)
            continue;
        applyColours(lexer, palette);
        view.setLexer(lexer);
        QByteArray text;
        for (qsizetype row = begin; row < end; ++row)
            text += (isSource(rows.at(row)) ? rows.at(row).text.toUtf8() : QByteArray()) + '\n';
        const QByteArray styles = stylesOf(view, text);
        qsizetype at = 0;
        for (qsizetype row = begin; row < end; ++row) {
            const QByteArray bytes = isSource(rows.at(row)) ? rows.at(row).text.toUtf8() : QByteArray();
            colours[row] = rangesOf(rows.at(row).text, bytes, styles.constData() + at, *lexer);
            at += bytes.size() + 1;
        }
    }
    return colours;
}

} // namespace ako
