// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/effect.h"
#include "loop/loopevent.h"
#include "loop/ports.h"
#include "loop/session.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QObject>

#include <memory>

namespace ako {

// One call of scripts/bench.sh, with what it is to be compared with laid out beside it.
class Benching : public QObject
{
    Q_OBJECT

public:
    Benching(Session &session, Ports &ports, QObject *parent);
    ~Benching() override;

    // against: the entry whose sources are timed interleaved; null for none.
    Result<void> start(const effect::Bench &bench, const IterationRecord *against);
    void stop();
    void drop(); // ends it without a word

Q_SIGNALS:
    void benched(const ako::outcome::Benched &benched);
    void progressChanged(const QString &label, const QString &stage, double fraction);
    void outputAppended(const QString &text);

private:
    Result<void> layOut(const effect::Bench &bench, const IterationRecord *against);
    void finish(BenchResult result, const QString &trajectory);
    bool wasChanged(const QString &trajectory) const;

    Session &m_session;
    Ports &m_ports;
    std::unique_ptr<BenchJob> m_job;
    QDateTime m_startedAt;
    QElapsedTimer m_clock;
    bool m_stopped = false;
    bool m_isCustom = false; // a person's own script, which may build where it likes
};

} // namespace ako
