// SPDX-License-Identifier: GPL-3.0-or-later
#include "transcript/textlog.h"

#include "models/sourceplaces.h"
#include "style/fonts.h"
#include "transcript/placehighlighter.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTextBlock>
#include <QTimer>

namespace ako {

namespace {

constexpr int mostLines = 20'000;
constexpr qsizetype longestLine = 4'000;
constexpr qsizetype mostAtOnce = 64LL * 1024;    // characters that are shown before other events have their turn
constexpr qsizetype mostPending = 1024LL * 1024; // of a flood all but its end is skipped

} // namespace

TextLog::TextLog(const QString &emptyText, QWidget *parent)
    : QPlainTextEdit(parent)
    , m_gather(new QTimer(this))
{
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setUndoRedoEnabled(false);
    setFrameShape(NoFrame);
    setFont(monospaceFont());
    setMaximumBlockCount(mostLines);
    setPlaceholderText(emptyText);
    setLineWrapMode(NoWrap);
    m_gather->setSingleShot(true);
    m_gather->setInterval(50);
    connect(m_gather, &QTimer::timeout, this, &TextLog::flush);
}

void TextLog::setLeadsToSource(bool leads)
{
    delete m_places;
    m_places = leads ? new PlaceHighlighter(document()) : nullptr;
    viewport()->setMouseTracking(leads);
}

bool TextLog::follow(const QString &line)
{
    const auto place = m_places != nullptr ? sourcePlace(line) : std::nullopt;
    if (place)
        Q_EMIT placeChosen(*place);
    return place.has_value();
}

void TextLog::mouseMoveEvent(QMouseEvent *event)
{
    QPlainTextEdit::mouseMoveEvent(event);
    if (m_places == nullptr || event->buttons() != Qt::NoButton)
        return;
    const bool leads = sourcePlace(cursorForPosition(event->pos()).block().text()).has_value();
    viewport()->setCursor(leads ? Qt::PointingHandCursor : Qt::IBeamCursor);
}

// Whoever selects text wants the text.
void TextLog::mouseReleaseEvent(QMouseEvent *event)
{
    QPlainTextEdit::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && !textCursor().hasSelection())
        follow(cursorForPosition(event->pos()).block().text());
}

void TextLog::keyPressEvent(QKeyEvent *event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!isEnter || !follow(textCursor().block().text()))
        QPlainTextEdit::keyPressEvent(event);
}

void TextLog::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_places != nullptr)
        m_places->rehighlight();
}

void TextLog::append(const QString &text)
{
    m_pending += text;
    if (m_pending.size() > mostPending)
        m_pending = tr("[earlier output is in the trajectory]\n") + m_pending.right(mostAtOnce / 2);
    if (!m_gather->isActive())
        m_gather->start();
}

void TextLog::replaceAll(const QString &text)
{
    empty();
    append(text);
    flush();
    verticalScrollBar()->setValue(0);
}

void TextLog::empty()
{
    m_pending.clear();
    m_lineLength = 0;
    clear();
}

void TextLog::flush()
{
    if (m_pending.isEmpty())
        return;
    const QString now = m_pending.left(mostAtOnce);
    m_pending.remove(0, now.size());
    QString shown;
    shown.reserve(now.size());
    for (const QChar character : now) {
        m_lineLength = character == QLatin1Char('\n') ? 0 : m_lineLength + 1;
        if (m_lineLength == longestLine)
            shown += QStringLiteral(" …");
        if (m_lineLength < longestLine && character != QLatin1Char('\r'))
            shown += character;
    }
    QScrollBar *bar = verticalScrollBar();
    const bool atEnd = bar->value() >= bar->maximum() - 1;
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    cursor.insertText(shown);
    if (atEnd)
        bar->setValue(bar->maximum());
    if (!m_pending.isEmpty())
        m_gather->start();
}

} // namespace ako
