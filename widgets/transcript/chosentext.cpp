// SPDX-License-Identifier: GPL-3.0-or-later
#include "transcript/chosentext.h"

#include "style/elidedlabel.h"
#include "style/fonts.h"
#include "style/icons.h"
#include "transcript/textlog.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace ako {

ChosenText::ChosenText(const Words &words, QWidget *parent)
    : QWidget(parent)
    , m_liveTitle(words.liveTitle)
    , m_live(new TextLog(words.liveEmpty, this))
    , m_stored(new TextLog(words.storedEmpty, this))
    , m_title(new ElidedLabel({}, this))
    , m_button(new QToolButton(this))
{
    m_live->setAccessibleName(words.liveName);
    m_stored->setAccessibleName(words.storedName);
    m_title->setElideMode(Qt::ElideRight);
    m_button->setIcon(icon(QStringLiteral("live")));
    m_button->setText(tr("Live"));
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setAutoRaise(true);
    m_button->setCheckable(true);
    m_button->setToolTip(words.liveTip);
    connect(m_button, &QToolButton::clicked, this, [this](bool on) {
        setLive(on);
        request();
    });
    auto *top = new QHBoxLayout;
    top->setContentsMargins(2 * grid, grid, grid, 0);
    top->addWidget(m_title, 1);
    top->addWidget(m_button);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(m_live, 1);
    layout->addWidget(m_stored, 1);
    setLive(true);
}

bool ChosenText::isLive() const
{
    return m_button->isChecked();
}

void ChosenText::setLive(bool on)
{
    m_button->setChecked(on);
    m_live->setVisible(on);
    m_stored->setVisible(!on);
    m_title->setText(on ? m_liveTitle : m_chosenTitle);
}

void ChosenText::choose(const QString &trajectory, const QString &title)
{
    m_trajectory = trajectory;
    m_chosenTitle = title;
    m_stored->empty();
    setLive(trajectory.isEmpty());
    request();
}

void ChosenText::setLookedAt(bool lookedAt)
{
    m_lookedAt = lookedAt;
    request();
}

void ChosenText::request()
{
    if (m_lookedAt && !isLive() && !m_trajectory.isEmpty())
        Q_EMIT requested(m_trajectory, ++m_token);
}

void ChosenText::showStored(quint64 token, const QString &text, const QString &error)
{
    if (token == m_token)
        m_stored->replaceAll(error.isEmpty() ? text : error);
}

void ChosenText::clear()
{
    m_live->empty();
    m_stored->empty();
}

} // namespace ako
