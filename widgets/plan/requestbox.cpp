// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/requestbox.h"

#include "style/fonts.h"
#include "style/palette.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QTimer>
#include <QVBoxLayout>

namespace ako {

namespace {

constexpr int shownLines = 3;
constexpr int afterTyping = 500; // milliseconds

} // namespace

RequestBox::RequestBox(QWidget *parent)
    : QWidget(parent)
    , m_text(new QPlainTextEdit(this))
    , m_typing(new QTimer(this))
{
    auto *label = new QLabel(tr("Re&quest"), this);
    label->setBuddy(m_text);
    m_text->setPlaceholderText(tr("Anything the loop should know, in your words: “at most 20 iterations, do not use "
                                  "OpenMP, follow rules.md” (optional)"));
    m_text->setAccessibleName(tr("Your request"));
    m_text->setTabChangesFocus(true);
    const int margins = 2 * (m_text->frameWidth() + int(m_text->document()->documentMargin()));
    m_text->setFixedHeight(shownLines * QFontMetrics(textFont()).lineSpacing() + margins);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * grid, 2 * grid, 3 * grid, grid);
    layout->setSpacing(grid);
    layout->addWidget(label);
    layout->addWidget(m_text);
    m_typing->setSingleShot(true);
    m_typing->setInterval(afterTyping);
    connect(m_text, &QPlainTextEdit::textChanged, m_typing, qOverload<>(&QTimer::start));
    connect(m_typing, &QTimer::timeout, this, &RequestBox::submit);
}

void RequestBox::setRequest(const QString &text)
{
    m_submitted = text;
    if (m_typing->isActive() || request() == text.trimmed())
        return;
    const QSignalBlocker quiet(m_text);
    m_text->setPlainText(text);
}

QString RequestBox::request() const
{
    return m_text->toPlainText().trimmed();
}

void RequestBox::submit()
{
    const QString text = request();
    if (text == m_submitted.trimmed())
        return;
    m_submitted = text;
    Q_EMIT edited(text);
}

} // namespace ako
