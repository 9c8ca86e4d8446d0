// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/statusstrip.h"

#include "bench/numbers.h"
#include "history/runstore.h"
#include "models/phasetext.h"
#include "style/elidedlabel.h"
#include "style/fonts.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QTimer>

#include <algorithm>

namespace ako {

StatusStrip::StatusStrip(const RunStore &store, QWidget *parent)
    : QWidget(parent)
    , m_store(store)
    , m_text(new ElidedLabel({}, this))
    , m_progress(new QProgressBar(this))
    , m_clock(new QTimer(this))
{
    m_text->setElideMode(Qt::ElideRight);
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(24 * grid, 2 * grid);
    m_progress->setAccessibleName(tr("Progress of the bench"));
    QSizePolicy keep = m_progress->sizePolicy();
    keep.setRetainSizeWhenHidden(true);
    m_progress->setSizePolicy(keep);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(2 * grid, 0, 2 * grid, 0);
    layout->setSpacing(2 * grid);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_progress);
    m_clock->setInterval(1000);
    connect(m_clock, &QTimer::timeout, this, &StatusStrip::refresh);
    connect(&store, &RunStore::phaseChanged, this, &StatusStrip::refresh);
    connect(&store, &RunStore::pausingChanged, this, &StatusStrip::refresh);
    connect(&store, &RunStore::progressChanged, this, &StatusStrip::refresh);
    connect(&store, &RunStore::planChanged, this, &StatusStrip::refresh);
    connect(&store, &RunStore::recordInserted, this, &StatusStrip::refresh);
    connect(&store, &RunStore::recordsReset, this, &StatusStrip::refresh);
    connect(&store, &RunStore::stopped, this, [this](const event::RunStopped &stop) {
        m_stop = stop;
        refresh();
    });
    refresh();
}

QString StatusStrip::text() const
{
    return m_text->text();
}

QString StatusStrip::iterationText() const
{
    int iteration = m_store.phase().iteration;
    if (iteration < 1) {
        for (const IterationRecord &record : m_store.records())
            iteration = std::max(iteration, record.number);
    }
    if (iteration < 1)
        return {};
    const int cap = m_store.plan().iterationCap;
    return cap >= iteration ? tr("iteration %1 of %2").arg(iteration).arg(cap) : tr("iteration %1").arg(iteration);
}

// Ready says nothing to somebody who has just paused, or whose baseline failed.
QString StatusStrip::restLine() const
{
    const bool measured = m_store.record(0) != nullptr;
    if (m_stop && !measured && m_stop->why == event::RunStopped::Why::Failed)
        return tr("no baseline: it could not be measured");
    if (m_stop && (measured || m_stop->why == event::RunStopped::Why::Stopped))
        return restingText(*m_stop);
    return measured ? phaseText(Phase::Ready) : tr("ready to measure the baseline");
}

QString StatusStrip::phaseLine() const
{
    if (m_store.phase().phase == Phase::Ready)
        return restLine();
    QString line = phaseText(m_store.phase().phase);
    // Why it failed stands in the message; which iteration it is stands before.
    const QString detail = m_store.phase().detail;
    const bool isSaid = m_store.phase().phase == Phase::Failed || detail.startsWith(QLatin1String("iter-"));
    if (!detail.isEmpty() && !isSaid)
        line += QStringLiteral(": ") + detail;
    const event::BenchProgress progress = m_store.progress();
    if (m_progress->isVisibleTo(this) && !progress.stage.isEmpty())
        line += QStringLiteral(", ") + progress.stage;
    if (m_progress->isVisibleTo(this) && progress.fraction >= 0)
        line += QStringLiteral(" %1 %").arg(qRound(progress.fraction * 100));
    return line;
}

QString StatusStrip::elapsedText() const
{
    if (!m_busySince.isValid())
        return {};
    const qint64 seconds = std::max<qint64>(0, m_busySince.secsTo(QDateTime::currentDateTime()));
    if (seconds >= 3600)
        return durationText(seconds * 1000);
    return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

void StatusStrip::refresh()
{
    const bool busy = m_store.isBusy();
    if (busy && !m_busySince.isValid())
        m_busySince = m_store.phase().since.isValid() ? m_store.phase().since : QDateTime::currentDateTime();
    if (busy)
        m_stop.reset();
    else
        m_busySince = {};
    busy ? m_clock->start() : m_clock->stop();
    const Phase phase = m_store.phase().phase;
    const bool benching =
        phase == Phase::Baseline || phase == Phase::Benching || phase == Phase::Verifying || phase == Phase::Finishing;
    m_progress->setVisible(benching);
    const double fraction = m_store.progress().fraction;
    m_progress->setRange(0, fraction < 0 ? 0 : 1000);
    m_progress->setValue(qRound(fraction * 1000));
    QStringList parts{iterationText(), elapsedText(), phaseLine()};
    if (m_store.isPausing())
        parts << tr("pausing after this iteration …");
    parts.removeAll(QString());
    m_text->setText(parts.join(QStringLiteral(" · ")));
    setAccessibleName(m_text->text());
}

} // namespace ako
