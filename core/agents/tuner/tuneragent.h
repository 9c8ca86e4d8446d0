// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agents/agent.h"

#include <map>
#include <memory>
#include <string>

namespace ako {

// Tunes C++ without network or key: one change from a catalogue at a time, chosen by what the history says.
// It remembers nothing itself: everything is read from the request. A file is looked at per turn of the event loop.
class TunerAgent : public Agent
{
    Q_OBJECT

public:
    explicit TunerAgent(QObject *parent = nullptr);
    ~TunerAgent() override;

    QString name() const override;
    void propose(const ProposalRequest &request) override;
    void cancel() override;

private:
    struct Work;

    void begin();
    void say(const QString &text);
    void next();
    void lookAtFile();
    void decide();
    void write(const Proposal &proposal, const std::map<std::string, std::string> &files);
    void finish(const Proposal &proposal);
    void finishFailed(const QString &error);
    void finishCancelled();

    std::unique_ptr<Work> m_work; // present while a proposal is being made
    quint64 m_turn = 0;           // queued steps of an older proposal are dropped
};

} // namespace ako
