// SPDX-License-Identifier: GPL-3.0-or-later
#include "diff/diffsubject.h"

#include "diff/diffview.h"
#include "diff/sidechooser.h"
#include "history/runstore.h"
#include "models/iterationselection.h"
#include "style/fonts.h"
#include "style/icons.h"
#include "style/status.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace ako {

namespace {

constexpr int nothing = -10; // no such side

} // namespace

DiffSubject::DiffSubject(const RunStore &store, IterationSelection &selection, DiffView &view)
    : QWidget(&view)
    , m_store(store)
    , m_selection(selection)
    , m_view(view)
    , m_before(new SideChooser(store, {SideChooser::Parent, SideChooser::Champion, SideChooser::Present}, this))
    , m_after(new SideChooser(store, {SideChooser::Present}, this))
    , m_swap(new QToolButton(this))
    , m_against(SideChooser::Parent)
{
    m_before->setAccessibleName(tr("Compared from"));
    m_after->setAccessibleName(tr("Compared to"));
    m_swap->setIcon(icon(QStringLiteral("swap")));
    m_swap->setAutoRaise(true);
    m_swap->setToolTip(tr("Swap the two sides"));
    m_swap->setAccessibleName(m_swap->toolTip());
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(grid);
    row->addWidget(m_before, 1);
    row->addWidget(m_swap);
    row->addWidget(m_after, 1);
    view.setHeader(this);
    connect(m_before, &SideChooser::chosen, this, [this](int side) {
        m_against = side;
        update();
    });
    connect(m_after, &SideChooser::chosen, this, [this](int side) {
        m_toPresent = side == SideChooser::Present;
        if (!m_toPresent)
            m_selection.selectIteration(side);
        update();
    });
    connect(&view, &DiffView::wholeFilesWanted, this, &DiffSubject::update);
    connect(m_swap, &QToolButton::clicked, this, &DiffSubject::swap);
    connect(&selection, &IterationSelection::changed, this, [this] {
        if (m_isChoosing)
            return;
        if (m_isPair) // what was compared by hand is over when another iteration is looked at
            m_against = SideChooser::Parent;
        m_isPair = false;
        m_toPresent = false;
        update();
    });
    connect(&store, &RunStore::recordsReset, this, &DiffSubject::update);
    connect(&store, &RunStore::recordInserted, this, [this] {
        if (m_store.records().size() == 1)
            update();
    });
    connect(&store, &RunStore::championChanged, this, [this] {
        if (m_against == SideChooser::Champion)
            update();
    });
    update();
}

void DiffSubject::against(int side)
{
    m_against = side;
    m_isPair = false;
    m_toPresent = false;
    update();
    if (!m_view.isVisible())
        refresh();
}

void DiffSubject::between(int from, int to)
{
    if (to != SideChooser::Present) {
        m_isChoosing = true;
        m_selection.selectIteration(to);
        m_isChoosing = false;
    }
    m_against = from;
    m_isPair = true;
    m_toPresent = to == SideChooser::Present;
    update();
    if (!m_view.isVisible())
        refresh();
}

void DiffSubject::swap()
{
    const int from = fromNumber();
    const int to = toNumber();
    if (from != nothing && to != nothing)
        between(to, from);
}

void DiffSubject::forget()
{
    m_against = SideChooser::Parent;
    m_isPair = false;
    m_toPresent = false;
    ++m_token;
    update();
}

void DiffSubject::openBeforeChoice()
{
    m_before->setFocus();
    m_before->showPopup();
}

int DiffSubject::toNumber() const
{
    if (m_toPresent)
        return SideChooser::Present;
    const IterationRecord *record = m_selection.record();
    return record != nullptr ? record->number : nothing;
}

int DiffSubject::fromNumber() const
{
    if (m_against == SideChooser::Champion)
        return m_store.champion() >= 0 ? m_store.champion() : nothing;
    if (m_against != SideChooser::Parent)
        return m_against;
    const IterationRecord *record = m_selection.record();
    if (record == nullptr)
        return nothing;
    if (m_toPresent || record->kind == IterationRecord::Kind::Final)
        return m_toPresent ? record->number : 0;
    return record->parent >= 0 ? record->parent : nothing;
}

QString DiffSubject::nameOfSide(int number) const
{
    if (number == SideChooser::Present)
        return tr("now");
    return number == 0 ? tr("baseline") : QString::number(number);
}

QString DiffSubject::textOfSide(int number) const
{
    if (number == SideChooser::Present)
        return presentText();
    const IterationRecord *record = m_store.record(number);
    return record != nullptr ? sideText(*record) : QString();
}

// What is written above the difference follows at once; the difference itself is asked for when it is looked at.
void DiffSubject::update()
{
    const int from = fromNumber();
    const int to = toNumber();
    m_stale = true;
    m_swap->setEnabled(from != nothing && to != nothing);
    for (SideChooser *side : {m_before, m_after})
        side->setEnabled(!m_store.records().isEmpty());
    m_before->showChoice(m_against, from != nothing ? textOfSide(from)
                                    : to != nothing ? tr("nothing before it")
                                                    : QString());
    m_after->showChoice(to, to == nothing ? tr("no iteration chosen") : textOfSide(to));
    m_view.setSideNames(from == nothing ? QString() : textOfSide(from), to == nothing ? QString() : textOfSide(to));
    if (m_view.isVisible())
        refresh();
}

void DiffSubject::refresh()
{
    const int from = fromNumber();
    const int to = toNumber();
    const bool present = from == SideChooser::Present || to == SideChooser::Present; // may have changed on disk
    if (!m_stale && !present && from == m_shownFrom && to == m_shownTo)
        return;
    m_stale = false;
    m_shownFrom = from;
    m_shownTo = to;
    if (from != nothing && to != nothing && from != to)
        return ask(from, to);
    ++m_token; // an answer that is under way is not wanted any more
    m_view.showNote(to == nothing     ? tr("Choose an iteration to see what it changed.")
                    : from == nothing ? tr("The baseline is the original kernel: there is nothing before it.\nChoose "
                                           "above what to compare it with.")
                                      : tr("Both sides are the same.\nChoose another one above."));
    Q_EMIT titleChanged({});
}

void DiffSubject::ask(int from, int to)
{
    m_view.showWaiting();
    Q_EMIT titleChanged(QStringLiteral("%1 → %2").arg(nameOfSide(from), nameOfSide(to)));
    Q_EMIT requested(from, to, ++m_token, m_view.showsWholeFiles());
}

void DiffSubject::showDiff(quint64 token, const Diff &diff, const QString &error)
{
    if (token != m_token)
        return;
    if (error.isEmpty())
        m_view.showDiff(diff);
    else
        m_view.showNote(error);
}

} // namespace ako
