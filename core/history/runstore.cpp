// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/runstore.h"

#include "history/iterationorder.h"

#include <algorithm>
#include <utility>

namespace ako {

RunStore::RunStore(QObject *parent)
    : QObject(parent)
{
}

RunStore::~RunStore() = default;

void RunStore::apply(const RunEvent &event)
{
    std::visit([this](const auto &alternative) { applyEvent(alternative); }, event);
}

const IterationRecord *RunStore::record(int iteration) const
{
    const auto found = std::ranges::find_if(m_records, [iteration](const IterationRecord &record) {
        return record.kind != IterationRecord::Kind::Final && record.number == iteration;
    });
    return found == m_records.cend() ? nullptr : &*found;
}

bool RunStore::isBusy() const
{
    switch (m_phase.phase) {
    case Phase::Idle:
    case Phase::AwaitingAnswers:
    case Phase::AwaitingApproval:
    case Phase::Ready:
    case Phase::Finished:
    case Phase::Failed:
        return false;
    default:
        return true;
    }
}

bool RunStore::canRun() const
{
    return m_approved && m_phase.phase == Phase::Ready;
}

// Another workspace: nothing of the one before may shine through.
void RunStore::applyEvent(const event::WorkspaceOpened &opened)
{
    m_workspace = opened.path;
    m_branch = opened.branch;
    m_plan = {};
    m_approved = false;
    m_records.clear();
    m_champion = -1;
    m_phase = {};
    m_progress = {};
    m_hintMarks.clear();
    m_questions.clear();
    Q_EMIT questionsChanged();
    Q_EMIT workspaceChanged();
    Q_EMIT planChanged();
    Q_EMIT recordsReset();
    Q_EMIT championChanged(m_champion);
    Q_EMIT phaseChanged();
    Q_EMIT progressChanged();
}

void RunStore::applyEvent(const event::PlanResolved &resolved)
{
    m_plan = resolved.plan;
    m_approved = resolved.approved;
    Q_EMIT planChanged();
}

void RunStore::applyEvent(const event::HistoryLoaded &history)
{
    m_records = history.records;
    m_champion = history.champion;
    Q_EMIT recordsReset();
    Q_EMIT championChanged(m_champion);
}

void RunStore::applyEvent(const event::PhaseChanged &phase)
{
    m_phase = phase;
    Q_EMIT phaseChanged();
    if (m_progress.stage.isEmpty() && m_progress.label.isEmpty())
        return;
    m_progress = {};
    Q_EMIT progressChanged();
}

void RunStore::applyEvent(const event::IterationRecorded &recorded)
{
    const IterationRecord &record = recorded.record;
    for (qsizetype index = 0; index < m_records.size(); ++index) {
        if (!isSameEntry(m_records.at(index), record))
            continue;
        m_records[index] = record;
        Q_EMIT recordChanged(int(index));
        return;
    }
    const qsizetype index = placeFor(record, m_records);
    m_records.insert(index, record);
    Q_EMIT recordInserted(int(index));
}

void RunStore::applyEvent(const event::ChampionChanged &champion)
{
    if (m_champion == champion.iteration)
        return;
    m_champion = champion.iteration;
    Q_EMIT championChanged(m_champion);
}

void RunStore::applyEvent(const event::BenchProgress &progress)
{
    m_progress = progress;
    Q_EMIT progressChanged();
}

void RunStore::applyEvent(const event::OutputAppended &output)
{
    Q_EMIT outputAppended(output.source, output.text);
}

void RunStore::applyEvent(const event::HintsSeen &hints)
{
    m_hintMarks << hints;
    Q_EMIT hintsSeen(hints);
}

void RunStore::applyEvent(const event::Notice &notice)
{
    Q_EMIT noticed(notice);
}

void RunStore::applyEvent(const event::PauseAsked &pause)
{
    if (std::exchange(m_isPausing, pause.asked) != pause.asked)
        Q_EMIT pausingChanged();
}

void RunStore::applyEvent(const event::RunStopped &stop)
{
    applyEvent(event::PauseAsked{false});
    Q_EMIT stopped(stop);
}

void RunStore::applyEvent(const event::Recovered &recovery)
{
    Q_EMIT recovered(recovery);
}

void RunStore::applyEvent(const event::PermissionAsked &asked)
{
    m_questions << asked.question;
    Q_EMIT questionsChanged();
}

void RunStore::applyEvent(const event::PermissionSettled &settled)
{
    const auto found = std::ranges::find(m_questions, settled.number, &PermissionQuestion::number);
    if (found == m_questions.end())
        return;
    const PermissionQuestion question = *found;
    m_questions.erase(found);
    Q_EMIT questionSettled(question, settled.outcome);
    Q_EMIT questionsChanged();
}

} // namespace ako
