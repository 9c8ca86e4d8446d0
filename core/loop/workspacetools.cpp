// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/workspacetools.h"

#include "agents/prompt/historytext.h"
#include "loop/opening.h"
#include "profile/counterprofile.h"

#include <algorithm>
#include <utility>

namespace ako {

namespace {

ProposalRequest requestOf(const outcome::Opened &opened)
{
    ProposalRequest request;
    request.workspace = opened.path;
    request.solutionDirectory = opened.path + QStringLiteral("/solution");
    request.history = opened.records;
    request.champion = std::max(opened.champion, 0);
    for (const IterationRecord &record : opened.records) {
        if (record.kind == IterationRecord::Kind::Iteration)
            request.iteration = std::max(request.iteration, record.number + 1);
    }
    request.knowledge = opened.plan.knowledgeFiles;
    if (const QByteArray kept = keptProfile(opened.path); !kept.isEmpty())
        request.profileSummary = withCounters({}, kept).summary;
    return request;
}

} // namespace

WorkspaceTools::WorkspaceTools(QString workspace, Ports ports, const QString &benchProgram, QObject *parent)
    : Toolbox(parent)
    , m_workspace(std::move(workspace))
    , m_ports(std::move(ports))
    , m_probing(m_session, m_ports, this)
    , m_tools([this](int number, const ProbeReply &reply) { measure(number, reply); },
              [this](const BenchResult &result) {
                  IterationRecord record;
                  record.bench = result;
                  return m_ports.profiler ? m_ports.profiler->profile(record).summary : QString();
              })
{
    m_session.benchProgram = benchProgram;
    connect(&m_probing, &Probing::ended, this, [this] {
        m_session.lock.reset();
        Q_EMIT idle();
    });
}

Result<outcome::Opened> WorkspaceTools::open(bool readOnly)
{
    return openWorkspace(m_session, m_ports.planner.get(), {m_workspace, {}, readOnly});
}

void WorkspaceTools::call(const QString &name, const nlohmann::json &arguments, const Reply &reply)
{
    if (!m_probing.isRunning()) { // else it is open already
        const auto opened = open(true);
        if (!opened)
            return reply({opened.error().text(), true});
        m_tools.update(requestOf(*opened));
    }
    m_tools.call(name, arguments, reply);
}

void WorkspaceTools::measure(int number, const ProbeReply &reply)
{
    const auto refuse = [this, &reply](const QString &why) {
        m_session.lock.reset();
        reply({why, {}, {}});
    };
    const auto opened = open(false);
    if (!opened)
        return refuse(opened.error().text());
    if (!opened->approved)
        return refuse(opened->harnessChanges.isEmpty()
                          ? tr("The workspace is not prepared: approve its plan first, in the window or with ako4all "
                               "run %1.")
                                .arg(opened->path)
                          : tr("What would be measured with is not what was approved: %1")
                                .arg(opened->harnessChanges.join(QLatin1String("; "))));
    if (opened->unfinished)
        return refuse(tr("An iteration is unfinished: complete it first, in the window or with ako4all run."));
    const ProposalRequest request = requestOf(*opened);
    const IterationRecord *champion = entryOf(request.history, request.champion);
    if (!champion)
        return refuse(tr("There is no baseline yet: make it in the window or with ako4all run."));
    const bool isCustom = opened->plan.evaluator == EvaluatorKind::Custom;
    m_probing.start({QStringLiteral("iter-%1").arg(request.iteration), number,
                     isCustom ? BenchMode::Custom : BenchMode::Signal, *champion},
                    reply);
    if (!m_probing.isRunning())
        m_session.lock.reset();
}

} // namespace ako
