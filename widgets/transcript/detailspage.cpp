// SPDX-License-Identifier: GPL-3.0-or-later
#include "transcript/detailspage.h"

#include "style/fonts.h"
#include "transcript/detailsview.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>

namespace ako {

DetailsPage::DetailsPage(QWidget *parent)
    : QWidget(parent)
    , m_view(new DetailsView(this))
    , m_note(new QLineEdit(this))
    , m_keep(new QPushButton(tr("Keep note"), this))
{
    m_note->setPlaceholderText(tr("Your note on this iteration"));
    m_note->setAccessibleName(m_note->placeholderText());
    m_keep->setToolTip(tr("Keep it with the iteration and in ITERATIONS.md, committed (Enter)"));
    connect(m_note, &QLineEdit::returnPressed, this, &DetailsPage::keep);
    connect(m_keep, &QPushButton::clicked, this, &DetailsPage::keep);
    connect(m_note, &QLineEdit::textChanged, this,
            [this](const QString &text) { m_keep->setEnabled(m_iteration >= 0 && text.trimmed() != m_kept); });
    auto *row = new QHBoxLayout;
    row->setContentsMargins(2 * grid, grid, 2 * grid, grid);
    row->setSpacing(2 * grid);
    row->addWidget(m_note, 1);
    row->addWidget(m_keep);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_view, 1);
    layout->addLayout(row);
    setFocusProxy(m_view);
    showRecord(nullptr);
}

// What is being written stays while the same iteration is told anew.
void DetailsPage::showRecord(const IterationRecord *record)
{
    m_view->showRecord(record);
    const bool keeps =
        record != nullptr && record->kind != IterationRecord::Kind::Final && !record->trajectory.isEmpty();
    const int iteration = keeps ? record->number : -1;
    const QString kept = keeps ? record->note : QString();
    const bool isEdited = iteration == m_iteration && m_note->text().trimmed() != m_kept;
    m_iteration = iteration;
    m_kept = kept;
    m_note->setEnabled(keeps);
    if (!isEdited)
        m_note->setText(kept);
    m_keep->setEnabled(keeps && m_note->text().trimmed() != kept);
}

void DetailsPage::keep()
{
    if (m_keep->isEnabled())
        Q_EMIT noteGiven(m_iteration, m_note->text().trimmed());
}

} // namespace ako
