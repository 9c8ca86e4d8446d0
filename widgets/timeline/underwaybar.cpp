// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/underwaybar.h"

#include "bench/numbers.h"
#include "history/runstore.h"
#include "models/phasetext.h"
#include "style/fonts.h"
#include "style/palette.h"

#include <QLabel>
#include <QProgressBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace ako {

namespace {

constexpr int lastOnes = 9; // benches that a usual duration is taken from

bool isMeasuring(Phase phase)
{
    return phase == Phase::Baseline || phase == Phase::Benching || phase == Phase::Verifying ||
           phase == Phase::Finishing;
}

} // namespace

qint64 usualBenchMilliseconds(const RunStore &store)
{
    QList<qint64> times;
    const QList<IterationRecord> &records = store.records();
    for (qsizetype row = records.size() - 1; row >= 0 && times.size() < lastOnes; --row) {
        if (records.at(row).benchMilliseconds > 0 && records.at(row).verdictTrajectory.isEmpty())
            times << records.at(row).benchMilliseconds;
    }
    std::ranges::sort(times);
    return times.isEmpty() ? 0 : times.at(times.size() / 2);
}

UnderWayBar::UnderWayBar(const RunStore &store, QWidget *parent)
    : QWidget(parent)
    , m_store(store)
    , m_text(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_clock(new QTimer(this))
{
    m_text->setFont(smallFont());
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(grid);
    m_progress->setAccessibleName(tr("Progress of the entry under way"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * grid, grid, 2 * grid, grid);
    layout->setSpacing(grid);
    layout->addWidget(m_text);
    layout->addWidget(m_progress);
    m_clock->setInterval(1000);
    connect(m_clock, &QTimer::timeout, this, &UnderWayBar::refresh);
    connect(&store, &RunStore::phaseChanged, this, &UnderWayBar::refresh);
    connect(&store, &RunStore::progressChanged, this, &UnderWayBar::refresh);
    refresh();
}

QString UnderWayBar::text() const
{
    return m_text->text();
}

void UnderWayBar::refresh()
{
    const event::PhaseChanged phase = m_store.phase();
    const bool isEntry = m_store.isBusy() && (isMeasuring(phase.phase) || phase.iteration >= 0);
    setVisible(isEntry);
    if (!isEntry)
        return m_clock->stop();
    m_clock->start();
    QStringList parts{phase.iteration > 0 ? tr("Iteration %1").arg(phase.iteration) : tr("Baseline"),
                      phaseText(phase.phase)};
    if (phase.phase == Phase::Finishing)
        parts.first() = tr("Final");
    const event::BenchProgress progress = m_store.progress();
    const bool isKnown = isMeasuring(phase.phase) && progress.fraction >= 0 && !progress.stage.isEmpty();
    if (isKnown)
        parts << QStringLiteral("%1 %2 %").arg(progress.stage).arg(qRound(progress.fraction * 100));
    m_progress->setRange(0, isKnown ? 100 : 0);
    m_progress->setValue(isKnown ? qRound(progress.fraction * 100) : 0);
    const qint64 usual = phase.phase == Phase::Benching && phase.since.isValid() ? usualBenchMilliseconds(m_store) : 0;
    const qint64 rest = usual - phase.since.msecsTo(QDateTime::currentDateTime());
    if (usual > 0 && rest >= 1000)
        parts << tr("about %1 left").arg(durationText(rest / 1000 * 1000));
    m_text->setText(parts.join(QStringLiteral(" · ")));
}

} // namespace ako
