// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/proposing.h"

#include "agents/prompt/historytext.h"
#include "base/logging.h"
#include "git/folderfiles.h"
#include "history/solutionhash.h"
#include "history/transcript.h"
#include "loop/solutionfolder.h"

#include <QThread>

#include <utility>

namespace ako {

namespace {

constexpr qint64 transcriptLimitBytes = 512LL * 1024;

QStringList changedFiles(const FolderContent &before, const FolderContent &after)
{
    QStringList changed;
    for (auto file = before.files.cbegin(); file != before.files.cend(); ++file) {
        if (!after.files.contains(file.key()) || after.files.value(file.key()) != file.value())
            changed << file.key();
    }
    for (auto file = after.files.cbegin(); file != after.files.cend(); ++file) {
        if (!before.files.contains(file.key()))
            changed << file.key();
    }
    return changed;
}

// A path as a person writes it in HINTS.md: with or without solution/, a file, its bare name or a folder.
bool isFrozen(const QString &file, const QStringList &frozenPaths)
{
    for (QString path : frozenPaths) {
        if (path.startsWith(QLatin1String("solution/")))
            path = path.mid(9);
        while (path.endsWith(QLatin1Char('/')))
            path.chop(1);
        const bool matches =
            file == path || file.startsWith(path + QLatin1Char('/')) || file.section(QLatin1Char('/'), -1) == path;
        if (!path.isEmpty() && matches)
            return true;
    }
    return false;
}

} // namespace

Proposing::Proposing(Session &session, Ports &ports, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_ports(ports)
    , m_probing(session, ports, this)
    , m_tools([this](int number, const ProbeReply &reply) { measure(number, reply); },
              [this](const BenchResult &result) {
                  IterationRecord record;
                  record.bench = result;
                  return m_ports.profiler ? m_ports.profiler->profile(record).summary : QString();
              })
    , m_said(transcriptLimitBytes)
{
    connect(&m_tools, &LoopTools::used, this, [this](const QString &line) { say(line + QLatin1Char('\n')); });
    connect(&m_probing, &Probing::ended, this, [this] {
        if (const auto held = std::exchange(m_held, std::nullopt))
            answer(*held);
    });
}

Proposing::~Proposing() = default;

Result<void> Proposing::needAgent(const ResolvedPlan &plan)
{
    const AgentSettings settings = agentSettingsOf(plan);
    if (m_agent && m_agentName == plan.agent && m_agentSettings == settings)
        return {};
    auto agent = m_ports.agent(plan.agent, settings);
    if (!agent)
        return std::unexpected(agent.error());
    m_agent = std::move(*agent);
    m_agentName = plan.agent;
    m_agentSettings = settings;
    connect(m_agent.get(), &Agent::proposed, this, &Proposing::answer);
    connect(m_agent.get(), &Agent::transcript, this, &Proposing::say);
    connect(m_agent.get(), &Agent::permissionAsked, this, &Proposing::permissionAsked);
    connect(m_agent.get(), &Agent::permissionSettled, this, &Proposing::permissionSettled);
    m_agent->setTools(&m_tools);
    return {};
}

void Proposing::say(const QString &text)
{
    m_said.append(text.toUtf8());
    Q_EMIT transcript(text);
}

void Proposing::measure(int number, const ProbeReply &reply)
{
    if (!m_waiting)
        return reply({tr("The turn has ended."), {}, {}});
    m_probe.number = number;
    m_probing.start(m_probe, reply);
}

Result<void> Proposing::propose(const ResolvedPlan &plan, const effect::Propose &propose)
{
    if (const auto done = needAgent(plan); !done)
        return done;
    if (const auto done = m_guard.arm(m_session); !done)
        return done;
    auto before = readFolder(m_session.solution());
    if (!before)
        return std::unexpected(before.error());
    m_before = std::move(*before);
    ProposalRequest request = propose.request;
    request.workspace = m_session.workspace;
    request.solutionDirectory = m_session.solution();
    request.logicalCores = QThread::idealThreadCount();
    request.flagsCount = plan.evaluator != EvaluatorKind::Custom;
    m_label = propose.record.label;
    m_probe.label = m_label;
    m_probe.mode = plan.evaluator == EvaluatorKind::Custom ? BenchMode::Custom : BenchMode::Signal;
    if (const IterationRecord *base = entryOf(request.history, request.champion))
        m_probe.against = *base;
    m_tools.begin(request);
    m_said = BoundedBytes(transcriptLimitBytes);
    m_waiting = true;
    m_clock.start();
    m_agent->propose(request);
    return {};
}

// An agent that answers twice is heard once.
void Proposing::answer(const Proposal &proposal)
{
    if (!m_waiting)
        return;
    if (m_probing.isRunning()) { // nothing may be compared or benched beside it
        m_held = proposal;
        return m_probing.stop();
    }
    m_waiting = false;
    keepTranscript();
    Q_EMIT proposed(proposal, m_clock.elapsed());
}

// Beside the run's other state until the iteration has its folder; what cannot be kept is no reason to stop.
void Proposing::keepTranscript()
{
    const auto kept = transcript::keep(m_session.workspace, m_label, m_said.content());
    if (!kept)
        qCWarning(logLoop) << kept.error().message;
}

void Proposing::answerPermission(quint64 number, PermissionChoice choice)
{
    if (m_agent)
        m_agent->answerPermission(number, choice);
}

void Proposing::cancel()
{
    if (m_agent && m_waiting)
        m_agent->cancel();
}

void Proposing::forgetAgent()
{
    m_waiting = false;
    m_held.reset();
    m_probing.drop();
    m_agent.reset();
    m_agentName.clear();
}

Result<outcome::Compared> Proposing::compare(const IterationRecord &draft, const QList<IterationRecord> &records,
                                             const QStringList &frozenPaths)
{
    outcome::Compared compared;
    const auto outside = m_guard.restore(m_session, draft.label);
    if (!outside)
        return std::unexpected(outside.error());
    compared.outside = *outside;
    auto content = readFolder(m_session.solution());
    if (!content) { // a name that is no text, a file that nobody may read
        compared.unusable = content.error().message;
        if (const auto done = SolutionFolder(m_session).replaceUnreadable(m_before, draft.label); !done)
            return std::unexpected(done.error());
        content = m_before;
    }
    compared.solutionHash = solutionHash(*content);
    for (const QString &file : changedFiles(m_before, *content)) {
        if (isFrozen(file, frozenPaths))
            compared.frozen << QStringLiteral("solution/") + file;
    }
    for (auto file = m_before.files.cbegin(); file != m_before.files.cend(); ++file) {
        if (!content->files.contains(file.key()))
            compared.removed << file.key();
    }
    compared.changed = compared.solutionHash != draft.solutionHash; // the draft still has its base's
    for (const IterationRecord &record : records) {
        if (record.solutionHash == compared.solutionHash && record.kind != IterationRecord::Kind::Final)
            compared.sameAs = record.number;
    }
    return compared;
}

} // namespace ako
