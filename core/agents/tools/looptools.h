// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/agent.h"
#include "agents/tools/probe.h"
#include "agents/tools/toolbox.h"

#include <optional>

namespace ako {

// What the loop knows and can measure, for the agent that is making a candidate: the history, any entry's sources, the
// knowledge files, a signal bench of the present edit, and a profile. All but the bench only read.
class LoopTools : public Toolbox
{
    Q_OBJECT

public:
    // Measures solution/ as it is now against the champion. `number` counts the probes of an iteration from 1.
    using Measure = std::function<void(int number, const ProbeReply &reply)>;
    // A profile from what a bench has told, as text.
    using Profile = std::function<QString(const BenchResult &result)>;

    LoopTools(Measure measure, Profile profile, QObject *parent = nullptr);

    void begin(const ProposalRequest &request);  // a turn; the probes of the last one are forgotten
    void update(const ProposalRequest &request); // the same turn, what is known has changed
    int probes() const { return m_probes; }

    QList<Tool> tools() const override;
    void call(const QString &name, const nlohmann::json &arguments, const Reply &reply) override;

Q_SIGNALS:
    void used(const QString &line); // for the transcript, whole lines

private:
    ToolAnswer history(const nlohmann::json &arguments) const;
    ToolAnswer champion(const nlohmann::json &arguments) const;
    ToolAnswer entry(const IterationRecord &record, const QString &file) const;
    ToolAnswer knowledge(const nlohmann::json &arguments) const;
    ToolAnswer profile() const;
    void bench(const Reply &reply);

    Measure m_measure;
    Profile m_profile;
    ProposalRequest m_request;
    std::optional<BenchResult> m_lastProbe;
    int m_probes = 0;
    bool m_measuring = false;
};

} // namespace ako
