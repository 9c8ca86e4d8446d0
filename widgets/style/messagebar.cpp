// SPDX-License-Identifier: GPL-3.0-or-later
#include "style/messagebar.h"

#include "style/fonts.h"
#include "style/icons.h"
#include "style/palette.h"
#include "style/severity.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace ako {

namespace {

Tone toneOfSeverity(Severity severity)
{
    switch (severity) {
    case Severity::Info:
        return Tone::Champion;
    case Severity::Warning:
        return Tone::Warning;
    case Severity::Error:
        return Tone::Error;
    }
    return Tone::Champion;
}

constexpr int longestText = 240; // characters: about three lines

} // namespace

MessageBar::MessageBar(QWidget *parent)
    : QFrame(parent)
    , m_icon(new QLabel(this))
    , m_text(new QLabel(this))
    , m_choice(new QHBoxLayout)
    , m_below(new QHBoxLayout)
    , m_more(new QToolButton(this))
    , m_close(new QToolButton(this))
{
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setFocusPolicy(Qt::ClickFocus);
    m_more->setText(tr("More"));
    m_more->setAutoRaise(true);
    m_more->setToolTip(tr("Show the whole message"));
    connect(m_more, &QToolButton::clicked, this, [this] { showText(true); });
    m_close->setIcon(icon(QStringLiteral("close")));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Dismiss"));
    m_close->setAccessibleName(tr("Dismiss this message"));
    connect(m_close, &QToolButton::clicked, this, [this] {
        hide();
        Q_EMIT dismissed();
    });

    m_below->addStretch(1);
    auto *line = new QHBoxLayout;
    line->setSpacing(2 * grid);
    line->addWidget(m_icon);
    line->addWidget(m_text, 1);
    line->addWidget(m_more);
    line->addLayout(m_choice);
    line->addWidget(m_close);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * grid, grid, grid, grid);
    layout->setSpacing(grid);
    layout->addLayout(line);
    layout->addLayout(m_below);
    hide();
}

void MessageBar::showMessage(Severity severity, const QString &text, const QString &remedy)
{
    m_severity = severity;
    clearChoices();
    m_text->setTextFormat(Qt::PlainText);
    m_whole = remedy.isEmpty() ? text : text + QLatin1Char('\n') + remedy;
    showText(m_whole.size() <= longestText);
    setAccessibleName(m_whole);
    updateIcon();
    show();
    update();
}

void MessageBar::addChoice(const QString &text, std::function<void()> chosen)
{
    auto *button = new QPushButton(text, this);
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, [this, chosen = std::move(chosen)] {
        hide();
        chosen();
    });
    const bool isOnly = m_buttons.isEmpty();
    m_buttons << button;
    if (isOnly)
        return m_choice->addWidget(button);
    for (QPushButton *choice : std::as_const(m_buttons)) { // several would leave the text no room
        m_choice->removeWidget(choice);
        m_below->removeWidget(choice);
        m_below->addWidget(choice);
    }
}

void MessageBar::showText(bool whole)
{
    m_text->setText(whole ? m_whole : m_whole.left(longestText).trimmed() + QStringLiteral(" …"));
    m_more->setVisible(!whole);
}

void MessageBar::clearChoices()
{
    for (QPushButton *choice : std::as_const(m_buttons)) {
        choice->hide();
        m_choice->removeWidget(choice);
        m_below->removeWidget(choice);
        choice->deleteLater();
    }
    m_buttons.clear();
}

void MessageBar::updateIcon()
{
    m_icon->setPixmap(icon(iconOfSeverity(m_severity)).pixmap(16, 16));
}

void MessageBar::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        updateIcon();
    QFrame::changeEvent(event);
}

void MessageBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    QColor tint = toneColour(toneOfSeverity(m_severity), palette());
    painter.fillRect(QRect(0, 0, grid, height()), tint);
    tint.setAlphaF(0.14F);
    painter.fillRect(rect().adjusted(grid, 0, 0, 0), tint);
}

} // namespace ako
