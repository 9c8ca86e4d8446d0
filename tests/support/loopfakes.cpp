// SPDX-License-Identifier: GPL-3.0-or-later
#include "loopfakes.h"

#include "git/folderfiles.h"
#include "history/trajectory.h"
#include "profile/workmodelprofiler.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTimer>

#include <utility>

namespace ako::test {

namespace {

QByteArray read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString &path, const QByteArray &bytes)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

double timeOf(const QByteArray &source)
{
    static const QRegularExpression word(QStringLiteral("ms=([0-9.]+)"));
    const auto match = word.match(QString::fromUtf8(source));
    return match.hasMatch() ? match.captured(1).toDouble() : 10.0;
}

Timing timing(double milliseconds)
{
    return {milliseconds, milliseconds, 0.99 * milliseconds, 1.02 * milliseconds};
}

Interval interval(double ratio)
{
    return {ratio, 0.995 * ratio, 1.005 * ratio};
}

} // namespace

QByteArray kernel(double milliseconds, const QByteArray &more)
{
    return "// ms=" + QByteArray::number(milliseconds) +
           "\nvoid k() {\n    int a = 1;\n    int b = 2;\n    int c = 3;\n}\n" + more;
}

Result<ResolvedPlan> FakePlanner::open(const QString &workspace, const QString &request)
{
    m_plan = {};
    m_plan.workspace = workspace;
    m_plan.request = request;
    m_plan.kernelName = QStringLiteral("toy");
    m_plan.kernelFiles = QStringList{QStringLiteral("kernel.cpp")} + moreKernelFiles;
    m_plan.problemFile = QStringLiteral("problem.json");
    m_plan.referenceFile = reference;
    m_plan.agent = agent;
    m_plan.evaluator = evaluator;
    if (evaluator == EvaluatorKind::Custom)
        m_plan.benchCommand = QStringLiteral("./mine.sh");
    m_plan.iterationCap = iterationCap;
    m_plan.scaffoldToCopy = QStringList{QStringLiteral("bench-wrapper.sh"), QStringLiteral(".gitignore")};
    PlanField field;
    field.key = QLatin1String(planKey::kernel);
    field.value = m_plan.kernelFiles.first();
    PlanField golden;
    golden.key = QLatin1String(planKey::reference);
    golden.label = QStringLiteral("Reference");
    golden.value = reference;
    m_plan.fields = {field, golden};
    m_plan.hints = {Hint{QStringLiteral("do not use threads"), QStringLiteral("from your request"), {}}};
    return m_plan;
}

Result<ResolvedPlan> FakePlanner::change(const QString &key, const QString &value)
{
    if (key == QLatin1String(planKey::iterationCap))
        m_plan.iterationCap = value.toInt();
    else if (key == QLatin1String(planKey::reference))
        m_plan.referenceFile = value;
    else
        return fail(QStringLiteral("no such key"));
    return m_plan;
}

void FakeBench::start()
{
    labels << m_request.label;
    m_trajectory = newTrajectory(m_request.workspace, m_request.label, QDateTime::currentDateTime());
    const QString folder = m_request.workspace + QLatin1Char('/') + m_trajectory;
    QDir().mkpath(folder);
    const auto solution = readFolder(m_request.workspace + QStringLiteral("/solution"));
    if (!solution || !replaceFolder(folder + QStringLiteral("/solution"), *solution))
        qFatal("no snapshot");
    const QByteArray source = solution->files.value(QStringLiteral("kernel.cpp"));
    if (whileBenching)
        whileBenching(m_request.label);
    if (hangs || source.contains("hang"))
        return;
    const BenchResult result = measure();
    QTimer::singleShot(0, this, [this, result] { finish(result); });
}

BenchResult FakeBench::measure() const
{
    const QByteArray source =
        read(m_request.workspace + QLatin1Char('/') + m_trajectory + QStringLiteral("/solution/kernel.cpp"));
    BenchResult result;
    result.mode = m_request.mode;
    result.exitCode = 0;
    result.status = QStringLiteral("OK");
    result.compiled = !source.contains("nocompile");
    result.correct = result.compiled && !source.contains("wrong");
    result.margin = 0.005;
    if (!result.correct) {
        result.exitCode = result.compiled ? 1 : 3;
        result.status = result.compiled ? QStringLiteral("INCORRECT") : QStringLiteral("COMPILE_ERROR");
        result.message = QStringLiteral("y[0] differs");
        return result;
    }
    const double time = timeOf(source);
    result.solution = timing(time);
    if (m_request.mode == BenchMode::Verdict) {
        result.state = ResultState::Confirmed;
        result.reference = timing(20.0);
        result.speedupOverReference = interval(20.0 / time);
    }
    if (m_request.arguments.contains(QStringLiteral("--champion")))
        result.speedupOverChampion =
            interval(timeOf(read(m_request.workspace + QStringLiteral("/.ako/champion/kernel.cpp"))) / time);
    return result;
}

void FakeBench::finish(const BenchResult &result)
{
    if (std::exchange(m_finished, true)) // it was stopped when it was done already
        return;
    write(m_request.workspace + QLatin1Char('/') + m_trajectory + QStringLiteral("/output.txt"),
          moreOutput + "CORRECT: " + QByteArray(result.correct ? "True" : "False") + "\n");
    Q_EMIT outputAppended(QStringLiteral("benched %1\n").arg(m_request.label));
    Q_EMIT finished(result, m_trajectory);
}

void FakeBench::stop()
{
    BenchResult result;
    result.mode = m_request.mode;
    result.exitCode = 130;
    result.status = QStringLiteral("STOPPED");
    result.message = QStringLiteral("stopped");
    QTimer::singleShot(0, this, [this, result] { finish(result); });
}

void ScriptedAgent::propose(const ProposalRequest &request)
{
    requests << request;
    m_waiting = true;
    if (hangs)
        return;
    QTimer::singleShot(0, this, [this, request] {
        m_waiting = false;
        const Proposal proposal = turn(request);
        const bool waits = benches == Benches::AndWaits && proposal.outcome == Proposal::Outcome::Candidate;
        if (benches != Benches::Not)
            m_tools->call(QStringLiteral("bench"), {}, [this, waits, proposal](const ToolAnswer &answer) {
                benchAnswers << answer;
                if (waits)
                    Q_EMIT proposed(proposal);
            });
        if (!waits)
            Q_EMIT proposed(proposal);
    });
}

Proposal ScriptedAgent::turn(const ProposalRequest &request)
{
    Proposal proposal;
    const qsizetype index = m_fromIteration ? request.iteration - 1 : 0;
    if (index >= m_turns.size()) {
        proposal.outcome = Proposal::Outcome::Exhausted;
        proposal.directions =
            QStringList{QStringLiteral("tiles (1)"), QStringLiteral("unroll (2)"), QStringLiteral("flags (3)")};
        return proposal;
    }
    const Turn turn = m_fromIteration ? m_turns.at(index) : m_turns.takeFirst();
    write(request.solutionDirectory + QStringLiteral("/kernel.cpp"), turn.kernel);
    if (!turn.fileOutside.isEmpty())
        write(request.workspace + QLatin1Char('/') + turn.fileOutside, "changed by the agent\n");
    if (afterTurn)
        afterTurn(request);
    proposal.outcome = Proposal::Outcome::Candidate;
    proposal.title = turn.title;
    proposal.hypothesis = QStringLiteral("it may help");
    if (request.iteration > 1)
        proposal.analysisOfPrevious = QStringLiteral("analysis of %1").arg(request.iteration - 1);
    return proposal;
}

void ScriptedAgent::cancel()
{
    if (!m_waiting)
        return;
    m_waiting = false;
    Proposal proposal;
    proposal.outcome = Proposal::Outcome::Cancelled;
    QTimer::singleShot(0, this, [this, proposal] { Q_EMIT proposed(proposal); });
}

void resetFakes()
{
    FakeBench::hangs = false;
    FakePlanner::iterationCap = 0;
    FakePlanner::reference = QStringLiteral("reference.cpp");
    FakePlanner::evaluator = EvaluatorKind::Native;
    FakePlanner::agent = QStringLiteral("scripted");
    FakePlanner::moreKernelFiles.clear();
    FakeBench::labels.clear();
    FakeBench::whileBenching = nullptr;
    ScriptedAgent::requests.clear();
    ScriptedAgent::hangs = false;
    ScriptedAgent::benches = ScriptedAgent::Benches::Not;
    ScriptedAgent::benchAnswers.clear();
    ScriptedAgent::afterTurn = nullptr;
}

Ports fakePorts(const QList<ScriptedAgent::Turn> &turns, bool fromIteration)
{
    Ports ports;
    ports.planner = std::make_unique<FakePlanner>();
    ports.profiler = std::make_unique<WorkModelProfiler>();
    ports.bench = [](const BenchRequest &request) { return std::make_unique<FakeBench>(request); };
    ports.agent = [turns, fromIteration](const QString &, const AgentSettings &) -> Result<std::unique_ptr<Agent>> {
        return std::make_unique<ScriptedAgent>(turns, fromIteration);
    };
    return ports;
}

LoopDriver::LoopDriver(Ports ports)
    : engine(std::move(ports))
{
    connect(&engine, &LoopEngine::happened, this, [this](const RunEvent &event) { events << event; });
}

event::RunStopped LoopDriver::until(const LoopEvent &intent)
{
    const qsizetype before = all<event::RunStopped>().size();
    engine.handle(intent);
    if (all<event::RunStopped>().size() > before)
        return all<event::RunStopped>().last();
    return untilStopped();
}

event::RunStopped LoopDriver::untilStopped()
{
    const qsizetype before = all<event::RunStopped>().size();
    QDeadlineTimer deadline(20000);
    while (all<event::RunStopped>().size() == before) {
        if (deadline.hasExpired())
            qFatal("the loop has not stopped; stage %d, %s", int(engine.state().stage), qPrintable(notices()));
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    }
    return all<event::RunStopped>().last();
}

void LoopDriver::settle()
{
    QDeadlineTimer deadline(20000);
    do {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 50);
    } while (engine.state().isBusy() && !deadline.hasExpired());
}

QString LoopDriver::notices() const
{
    QStringList lines;
    for (const event::Notice &notice : all<event::Notice>())
        lines << notice.text + QLatin1Char('|') + notice.remedy;
    return lines.join(QLatin1Char('\n'));
}

} // namespace ako::test
