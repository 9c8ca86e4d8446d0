// SPDX-License-Identifier: GPL-3.0-or-later
#include "longhistory.h"

#include "loopfakes.h"
#include "process/childprocess.h"
#include "scratchrepository.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTimer>

#include <cmath>

namespace ako::test {

namespace {

constexpr int version = 2; // of what is kept in the build folder: one more where what is written below changes
constexpr int improvesEvery = 50;

const char problem[] = R"({
  "schema": "ako.problem/1", "name": "toy", "device": "cpu",
  "axes": {"n": {"type": "var"}},
  "inputs": {"x": {"shape": ["n"], "dtype": "float64"}},
  "outputs": {"y": {"shape": ["n"], "dtype": "float64"}},
  "entry": {"symbol": "toy_run", "args": ["x", "y", "n"]},
  "reference": {"source": "reference.cpp"},
  "workloads": [{"id": "main", "axes": {"n": 1024}, "weight": 1, "inputs": {"x": {"type": "random"}}}]
}
)";

void write(const QString &path, const QByteArray &bytes)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

void runOrDie(const QString &program, const QStringList &arguments)
{
    CommandSpec spec;
    spec.program = program;
    spec.arguments = arguments;
    const ProcessEnd end = runToEnd(spec);
    if (!end.succeeded())
        qFatal("%s %s: %s", qPrintable(program), qPrintable(arguments.join(QLatin1Char(' '))),
               (end.output + end.error.toUtf8()).constData());
}

// A kernel of common length; a little faster every fiftieth time, else the same, slower or wrong.
QByteArray candidate(int number)
{
    double milliseconds = 10.0 * std::pow(0.95, number / improvesEvery);
    QByteArray more = "// attempt " + QByteArray::number(number) + '\n';
    if (number % improvesEvery != 0) {
        milliseconds *= number % 3 == 0 ? 1.1 : 1.0;
        more += number % 7 == 0 ? "// wrong\n" : "";
    }
    for (int line = 0; line < 120; ++line)
        more += "static const int value" + QByteArray::number(line) + " = " + QByteArray::number(number * line) + ";\n";
    more += "extern \"C\" void toy_run(const double *x, double *y, long n)\n{\n    y[0] = x[0] * double(n);\n}\n";
    return kernel(milliseconds, more);
}

class HistoryAgent : public Agent
{
public:
    QString name() const override { return QStringLiteral("scripted"); }
    void cancel() override {}
    void propose(const ProposalRequest &request) override
    {
        write(request.solutionDirectory + QStringLiteral("/kernel.cpp"), candidate(request.iteration));
        Proposal proposal;
        proposal.outcome = Proposal::Outcome::Candidate;
        proposal.title = QStringLiteral("Attempt %1 with other values").arg(request.iteration);
        proposal.hypothesis = QStringLiteral("Other values keep more of the row in registers, so fewer loads wait.");
        proposal.changes = QStringLiteral("value0 to value119 are multiples of %1.").arg(request.iteration);
        if (request.iteration > 1)
            proposal.analysisOfPrevious = QStringLiteral("As fast as what it was made from, within the noise.");
        QTimer::singleShot(0, this, [this, proposal] { Q_EMIT proposed(proposal); });
    }
};

QByteArray benchOutputText()
{
    QByteArray text;
    for (int line = 0; line < 30; ++line)
        text += "NOTE: line " + QByteArray::number(line) + " of what a bench says about its workloads\n";
    return text;
}

// The real planner; a bench and an agent that take no time. Starts the clock at the end of each bench.
Ports historyPorts(QElapsedTimer &sinceBench)
{
    Ports ports = standardPorts();
    ports.bench = [&sinceBench](const BenchRequest &request) -> std::unique_ptr<BenchJob> {
        auto job = std::make_unique<FakeBench>(request);
        QObject::connect(job.get(), &BenchJob::finished, job.get(), [&sinceBench] { sinceBench.start(); });
        return job;
    };
    ports.agent = [](const QString &, const AgentSettings &) -> Result<std::unique_ptr<Agent>> {
        return std::make_unique<HistoryAgent>();
    };
    return ports;
}

void waitFor(LoopDriver &driver, const std::function<bool()> &isSo)
{
    QDeadlineTimer deadline(3600 * 1000);
    while (!isSo()) {
        if (deadline.hasExpired() || !driver.all<event::RunStopped>().isEmpty())
            qFatal("the history cannot be made: %s", qPrintable(driver.notices()));
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    }
}

void openApproved(LoopDriver &driver, const QString &workspace)
{
    driver.engine.handle(intent::Open{workspace, {}, false});
    driver.settle();
    driver.engine.handle(intent::ChangePlan{QString::fromLatin1(planKey::iterationCap), QStringLiteral("100000")});
    driver.settle();
    if (driver.engine.state().approved)
        return;
    driver.until(intent::Approve{});
    driver.events.clear();
}

} // namespace

QString emptyHistory(const QString &parent)
{
    isolateGitConfiguration();
    const QString workspace = parent + QStringLiteral("/toy workspace");
    write(workspace + QStringLiteral("/kernel.cpp"), candidate(0));
    write(workspace + QStringLiteral("/reference.cpp"),
          "extern \"C\" void toy_run(const double *x, double *y, long n) { y[0] = x[0] * double(n); }\n");
    write(workspace + QStringLiteral("/problem.json"), problem);
    // Of its own, wherever the folder is: a history never goes into a repository around it.
    runOrDie(QStringLiteral("git"), {QStringLiteral("init"), QStringLiteral("-q"), workspace});
    return workspace;
}

QString copyOfWorkspace(const QString &workspace, const QString &parent)
{
    const QString copy = parent + QLatin1Char('/') + QFileInfo(workspace).fileName();
    runOrDie(QStringLiteral("cp"), {QStringLiteral("-a"), workspace, copy});
    return copy;
}

QList<double> recordIterations(const QString &workspace, int iterations)
{
    isolateGitConfiguration();
    const QString scaffold = QStringLiteral(AKO_SOURCE_DIR "/scaffold");
    FakeBench::moreOutput = benchOutputText();
    QElapsedTimer sinceBench;
    LoopDriver driver(historyPorts(sinceBench));
    driver.engine.setIdentity({QStringLiteral("Ada Lovelace"), QStringLiteral("ada@example.org")});
    // Any small file stands for the evaluator's program: its hash is part of the approval.
    driver.engine.setSettings({scaffold + QStringLiteral("/HINTS.md"), scaffold, false});
    openApproved(driver, workspace);
    QList<double> took;
    int last = driver.engine.state().nextNumber() - 1;
    QObject::connect(&driver.engine, &LoopEngine::happened, &driver, [&](const RunEvent &event) {
        const auto *recorded = std::get_if<event::IterationRecorded>(&event);
        if (!recorded || recorded->record.number <= last || recorded->record.commit.isEmpty())
            return; // an analysis of an earlier one
        took << double(sinceBench.nsecsElapsed()) / 1e6;
        last = recorded->record.number;
        if (took.size() == iterations)
            QTimer::singleShot(0, &driver, [&driver] { driver.engine.handle(intent::Pause{}); });
    });
    driver.engine.handle(intent::Run{});
    waitFor(driver, [&] { return took.size() >= iterations; });
    if (driver.engine.state().isBusy())
        driver.untilStopped();
    return took;
}

QString longHistory(int iterations)
{
    const QString kept = QStringLiteral(AKO_BINARY_DIR "/perf/history-%1-v%2").arg(iterations).arg(version);
    const QString workspace = kept + QStringLiteral("/toy workspace");
    isolateGitConfiguration();
    if (QFileInfo::exists(workspace))
        return workspace;
    const QTemporaryDir making;
    recordIterations(emptyHistory(making.path()), iterations);
    const QString part = kept + QStringLiteral(".part");
    QDir(part).removeRecursively();
    QDir().mkpath(part);
    copyOfWorkspace(making.path() + QStringLiteral("/toy workspace"), part);
    if (!QDir().rename(part, kept))
        qFatal("%s cannot be made", qPrintable(kept));
    return workspace;
}

} // namespace ako::test
