// SPDX-License-Identifier: GPL-3.0-or-later
#include "diff/diffpane.h"

#include "style/fonts.h"
#include "style/palette.h"

#include <QElapsedTimer>
#include <QPainter>
#include <QTextBlock>
#include <QTimer>

#include <algorithm>
#include <limits>

namespace ako {

namespace {

using Kind = DiffRow::Kind;

constexpr int sliceMilliseconds = 6;
constexpr int rowsBetweenLooks = 16; // at the clock
constexpr qsizetype rowsInChunk = 192;

QTextBlockFormat blockFormat(Kind kind, const QPalette &palette)
{
    QTextBlockFormat format;
    switch (kind) {
    case Kind::Added:
        format.setBackground(toneColour(Tone::AddedBackground, palette));
        break;
    case Kind::Removed:
        format.setBackground(toneColour(Tone::RemovedBackground, palette));
        break;
    case Kind::File:
        format.setBackground(separator(palette));
        break;
    case Kind::Hunk:
        format.setBackground(palette.color(QPalette::AlternateBase));
        break;
    case Kind::Filler:
        format.setBackground(QBrush(separator(palette), Qt::BDiagPattern));
        break;
    case Kind::Context:
        break;
    }
    return format;
}

QTextCharFormat textFormat(Kind kind, const QPalette &palette)
{
    QTextCharFormat format;
    format.setForeground(palette.color(QPalette::Active, QPalette::Text));
    if (kind == Kind::File)
        format.setFontWeight(QFont::Bold);
    else if (kind == Kind::Hunk)
        format.setForeground(mutedText(palette));
    else if (kind == Kind::Added)
        format.setForeground(toneColour(Tone::AddedText, palette));
    else if (kind == Kind::Removed)
        format.setForeground(toneColour(Tone::RemovedText, palette));
    return format;
}

// In pieces of one look each: the language colours the text, what differs from the other side has a ground of its own.
void insertRow(QTextCursor &cursor, const DiffRow &row, const QList<ColouredRange> &colours, const QPalette &palette)
{
    const QTextCharFormat plain = textFormat(row.kind, palette);
    const QColor ground = toneColour(row.kind == Kind::Added ? Tone::ChangedAdded : Tone::ChangedRemoved, palette);
    const qsizetype changedEnd = row.changedFrom + row.changedLength;
    QList<qsizetype> edges{0, row.text.size()};
    if (row.changedLength > 0)
        edges << row.changedFrom << changedEnd;
    for (const ColouredRange &range : colours)
        edges << range.from << range.from + range.length;
    std::ranges::sort(edges);
    qsizetype coloured = 0;
    for (qsizetype i = 0; i + 1 < edges.size(); ++i) {
        const qsizetype begin = edges.at(i);
        const qsizetype end = edges.at(i + 1);
        if (begin >= end)
            continue;
        while (coloured < colours.size() && colours.at(coloured).from + colours.at(coloured).length <= begin)
            ++coloured;
        QTextCharFormat format = plain;
        if (coloured < colours.size() && colours.at(coloured).from <= begin)
            format.setForeground(colours.at(coloured).colour);
        if (row.changedLength > 0 && begin >= row.changedFrom && begin < changedEnd)
            format.setBackground(ground);
        cursor.insertText(row.text.sliced(begin, end - begin), format);
    }
}

QString signOf(Kind kind)
{
    return kind == Kind::Added ? QStringLiteral("+") : kind == Kind::Removed ? QStringLiteral("−") : QString();
}

} // namespace

class DiffPane::Margin : public QWidget
{
public:
    explicit Margin(DiffPane *pane)
        : QWidget(pane)
        , m_pane(pane)
    {
    }

protected:
    void paintEvent(QPaintEvent *event) override { m_pane->paintMargin(event); }

private:
    DiffPane *m_pane;
};

DiffPane::DiffPane(Numbers numbers, QWidget *parent)
    : QPlainTextEdit(parent)
    , m_numbers(numbers)
    , m_filler(new QTimer(this))
    , m_margin(new Margin(this))
{
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setLineWrapMode(NoWrap);
    setFrameShape(QFrame::NoFrame);
    setFont(monospaceFont());
    setUndoRedoEnabled(false);
    m_filler->setInterval(0);
    connect(m_filler, &QTimer::timeout, this, [this] { fillUpTo(m_rows.size(), sliceMilliseconds); });
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect &rect, int dy) {
        if (dy != 0)
            m_margin->scroll(0, dy);
        else
            m_margin->update(0, rect.y(), m_margin->width(), rect.height());
    });
}

void DiffPane::setRows(const QList<DiffRow> &rows)
{
    m_rows = rows;
    int largest = 99;
    for (const DiffRow &row : rows)
        largest = qMax(largest, qMax(row.oldLine, row.newLine));
    m_digits = int(QString::number(largest).size());
    placeMargin();
    fill();
}

void DiffPane::fill()
{
    setFont(monospaceFont());
    clear();
    m_filled = 0;
    m_file.clear();
    fillUpTo(m_rows.size(), sliceMilliseconds);
    moveCursor(QTextCursor::Start);
    m_margin->update();
}

// Bit by bit as well; a comment that goes on from one chunk into the next loses its colour there.
void DiffPane::colourChunk()
{
    const QList<DiffRow> chunk = m_rows.mid(m_filled, rowsInChunk);
    m_colours = rowColours(chunk, palette(), m_file);
    for (const DiffRow &row : chunk) {
        if (row.kind == Kind::File)
            m_file = fileOf(row);
    }
}

// Goes on by itself where there was not time enough for all.
void DiffPane::fillUpTo(qsizetype row, int milliseconds)
{
    QElapsedTimer clock;
    clock.start();
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    cursor.beginEditBlock();
    while (m_filled < row && !(m_filled % rowsBetweenLooks == 0 && clock.elapsed() >= milliseconds)) {
        if (m_filled % rowsInChunk == 0)
            colourChunk();
        if (m_filled > 0)
            cursor.insertBlock();
        cursor.setBlockFormat(blockFormat(m_rows.at(m_filled).kind, palette()));
        insertRow(cursor, m_rows.at(m_filled), m_colours.at(m_filled % rowsInChunk), palette());
        ++m_filled;
    }
    cursor.endEditBlock();
    if (isComplete())
        m_filler->stop();
    else
        m_filler->start();
}

void DiffPane::showRow(int row)
{
    if (row >= m_filled)
        fillUpTo(std::min<qsizetype>(row + 1, m_rows.size()), std::numeric_limits<int>::max());
    const QTextBlock block = document()->findBlockByNumber(row);
    if (!block.isValid())
        return;
    setTextCursor(QTextCursor(block));
    centerCursor();
}

int DiffPane::marginWidth() const
{
    const int columns = (m_numbers == Numbers::Both ? 2 * m_digits + 1 : m_digits) + 2;
    return QFontMetrics(font()).horizontalAdvance(QLatin1Char('0')) * columns + 2 * grid;
}

QString DiffPane::numberText(const DiffRow &row) const
{
    const auto text = [this](int number) {
        return (number > 0 ? QString::number(number) : QString()).rightJustified(m_digits);
    };
    switch (m_numbers) {
    case Numbers::Old:
        return text(row.oldLine);
    case Numbers::New:
        return text(row.newLine);
    case Numbers::Both:
        break;
    }
    return text(row.oldLine) + QLatin1Char(' ') + text(row.newLine);
}

void DiffPane::paintMargin(QPaintEvent *event)
{
    QPainter painter(m_margin);
    painter.fillRect(event->rect(), palette().color(QPalette::Base));
    painter.setFont(font());
    QTextBlock block = firstVisibleBlock();
    int top = qRound(blockBoundingGeometry(block).translated(contentOffset()).top());
    while (block.isValid() && top <= event->rect().bottom()) {
        const int height = qRound(blockBoundingRect(block).height());
        const int index = block.blockNumber();
        if (index < m_rows.size() && m_rows.at(index).kind != Kind::File && m_rows.at(index).kind != Kind::Hunk) {
            const DiffRow &row = m_rows.at(index);
            const QRect box(grid, top, m_margin->width() - 2 * grid, height);
            painter.setPen(mutedText(palette()));
            painter.drawText(box, Qt::AlignLeft, numberText(row));
            painter.drawText(box, Qt::AlignRight, signOf(row.kind));
        }
        block = block.next();
        top += height;
    }
}

void DiffPane::placeMargin()
{
    setViewportMargins(marginWidth(), 0, 0, 0);
    m_margin->setGeometry(QRect(contentsRect().topLeft(), QSize(marginWidth(), contentsRect().height())));
}

void DiffPane::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    placeMargin();
}

void DiffPane::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_rows.isEmpty())
        fill();
}

} // namespace ako
