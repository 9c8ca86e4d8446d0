// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/bencheditbar.h"

#include "style/fonts.h"
#include "style/icons.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

namespace ako {

BenchEditBar::BenchEditBar(QWidget *parent)
    : QWidget(parent)
    , m_title(new QLineEdit(this))
    , m_hypothesis(new QLineEdit(this))
    , m_bench(new QPushButton(icon(QStringLiteral("bench")), tr("Bench"), this))
{
    m_title->setPlaceholderText(tr("What you tried, in a few words"));
    m_title->setAccessibleName(tr("Title of the iteration"));
    m_hypothesis->setPlaceholderText(tr("Why it should be faster (optional)"));
    m_hypothesis->setAccessibleName(tr("Hypothesis"));
    m_bench->setEnabled(false);
    m_bench->setToolTip(tr("Save, bench, log and commit as the next iteration (Enter)"));
    auto *close = new QToolButton(this);
    close->setIcon(icon(QStringLiteral("close")));
    close->setAutoRaise(true);
    close->setToolTip(tr("Not now (Escape)"));
    close->setAccessibleName(close->toolTip());
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_title, &QLineEdit::textChanged, this,
            [this](const QString &text) { m_bench->setEnabled(!text.trimmed().isEmpty()); });
    connect(m_bench, &QPushButton::clicked, this, &BenchEditBar::submit);
    for (QLineEdit *edit : {m_title, m_hypothesis})
        connect(edit, &QLineEdit::returnPressed, this, &BenchEditBar::submit);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(3 * grid, grid, grid, grid);
    layout->setSpacing(2 * grid);
    layout->addWidget(m_title, 2);
    layout->addWidget(m_hypothesis, 3);
    layout->addWidget(m_bench);
    layout->addWidget(close);
    hide();
}

void BenchEditBar::open()
{
    show();
    m_title->setFocus();
    m_title->selectAll();
}

void BenchEditBar::submit()
{
    if (!m_bench->isEnabled())
        return;
    hide();
    Q_EMIT benchRequested(m_title->text().trimmed(), m_hypothesis->text().trimmed());
    m_title->clear();
    m_hypothesis->clear();
}

void BenchEditBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        hide();
    else
        QWidget::keyPressEvent(event);
}

} // namespace ako
