// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/agentfactory.h"
#include "agents/tuner/buildflags.h"
#include "agents/tuner/tuneragent.h"
#include "eval/flags.h"
#include "history/solutionhash.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;

class TestTunerAgent : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void proposesAndWrites();
    void writesOnlyBelowSolution();
    void sameRequestSameAnswer();
    void neverRepeatsAndEndsExhausted();
    void honoursHints();
    void failures_data();
    void failures();
    void leavesFlagsToABenchThatReadsThem();
    void cancelEndsOnce();
    void secondProposeEndsTheFirst();
    void linkIsNotFollowed();
    void flagsAreAllowed();
    void factory();

private:
    ProposalRequest request() const;
    Proposal answer(TunerAgent &agent, const ProposalRequest &request) const;
    QMap<QString, QByteArray> snapshot() const;
    void write(const QString &path, const QByteArray &content) const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestTunerAgent::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("solution/sub")));
    write(QStringLiteral("solution/kernel.cpp"), "#define TILE 16\n"
                                                 "extern \"C\" void run(const float *a, float *b, long n)\n{\n"
                                                 "    for (long t = 0; t < n; t += TILE)\n"
                                                 "        for (long i = t; i < t + TILE; ++i)\n"
                                                 "            b[i] = a[i];\n"
                                                 "}\n");
    write(QStringLiteral("solution/sub/notes.txt"), "not code\n");
    write(QStringLiteral("problem.json"), R"({"entry": {"symbol": "run", "args": ["a", "b", "n"]}})");
}

void TestTunerAgent::write(const QString &path, const QByteArray &content) const
{
    QFile file(m_folder->filePath(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

ProposalRequest TestTunerAgent::request() const
{
    ProposalRequest request;
    request.workspace = m_folder->path();
    request.solutionDirectory = m_folder->filePath(QStringLiteral("solution"));
    request.logicalCores = 2;
    return request;
}

Proposal TestTunerAgent::answer(TunerAgent &agent, const ProposalRequest &request) const
{
    QSignalSpy spy(&agent, &Agent::proposed);
    agent.propose(request);
    if (!spy.wait(10000) || spy.size() != 1)
        return {};
    return spy.front().front().value<Proposal>();
}

QMap<QString, QByteArray> TestTunerAgent::snapshot() const
{
    QMap<QString, QByteArray> result;
    QDirIterator files(m_folder->path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly))
            result.insert(QDir(m_folder->path()).relativeFilePath(file.fileName()), file.readAll());
    }
    return result;
}

void TestTunerAgent::proposesAndWrites()
{
    TunerAgent agent;
    QSignalSpy words(&agent, &Agent::transcript);
    const QString before = solutionHash(request().solutionDirectory);
    const Proposal proposal = answer(agent, request());
    QCOMPARE(proposal.outcome, Proposal::Outcome::Candidate);
    QVERIFY(!proposal.title.isEmpty());
    QVERIFY(!proposal.hypothesis.isEmpty());
    QVERIFY(proposal.agentData.startsWith(QLatin1String("tuner: {")));
    QVERIFY(!proposal.changes.contains(QLatin1Char('{'))); // which a person reads
    QVERIFY(!proposal.direction.isEmpty());
    QVERIFY(solutionHash(request().solutionDirectory) != before);
    QVERIFY(words.size() >= 3); // the machine, the files, the choice
    for (const QList<QVariant> &line : words)
        QVERIFY2(line.first().toString().endsWith(QLatin1Char('\n')), qPrintable(line.first().toString()));
}

void TestTunerAgent::writesOnlyBelowSolution()
{
    TunerAgent agent;
    const auto before = snapshot();
    QCOMPARE(answer(agent, request()).outcome, Proposal::Outcome::Candidate);
    const auto after = snapshot();
    int changed = 0;
    for (auto file = after.begin(); file != after.end(); ++file) {
        if (before.value(file.key()) == file.value() && before.contains(file.key()))
            continue;
        ++changed;
        QVERIFY2(file.key().startsWith(QLatin1String("solution/")), qPrintable(file.key()));
    }
    QVERIFY(changed > 0);
    for (auto file = before.begin(); file != before.end(); ++file)
        QVERIFY(after.contains(file.key()));
}

void TestTunerAgent::sameRequestSameAnswer()
{
    TunerAgent first;
    const Proposal one = answer(first, request());
    init();
    TunerAgent second;
    const Proposal two = answer(second, request());
    QCOMPARE(one.outcome, Proposal::Outcome::Candidate);
    QCOMPARE(two.agentData, one.agentData);
}

// As the loop does it: each candidate is measured without success and put back; a new agent each time.
void TestTunerAgent::neverRepeatsAndEndsExhausted()
{
    const QByteArray kernel = snapshot().value(QStringLiteral("solution/kernel.cpp"));
    ProposalRequest asked = request();
    QSet<QString> seen{solutionHash(asked.solutionDirectory)};
    for (int number = 1; number <= 200; ++number) {
        TunerAgent agent;
        const Proposal proposal = answer(agent, asked);
        if (proposal.outcome == Proposal::Outcome::Exhausted) {
            QVERIFY(number > 10);
            QVERIFY(proposal.directions.size() >= 3);
            return;
        }
        QCOMPARE(proposal.outcome, Proposal::Outcome::Candidate);
        IterationRecord record;
        record.number = number;
        record.parent = 0;
        record.status = IterationStatus::NoChange;
        record.agentData = proposal.agentData;
        record.solutionHash = solutionHash(asked.solutionDirectory);
        QVERIFY2(!seen.contains(record.solutionHash), qPrintable(proposal.title));
        seen.insert(record.solutionHash);
        asked.history.append(record);
        asked.reassess = number % 4 == 3;
        write(QStringLiteral("solution/kernel.cpp"), kernel);
        QFile::remove(m_folder->filePath(QStringLiteral("solution/build.json")));
    }
    QFAIL("never exhausted");
}

void TestTunerAgent::honoursHints()
{
    ProposalRequest asked = request();
    asked.hints = QStringLiteral("# Hints\n- Do not change kernel.cpp\n");
    TunerAgent agent;
    const Proposal proposal = answer(agent, asked);
    QCOMPARE(proposal.outcome, Proposal::Outcome::Failed); // nothing is left that it may change
    QVERIFY(!proposal.error.isEmpty());
}

void TestTunerAgent::failures_data()
{
    QTest::addColumn<QString>("solution");
    QTest::newRow("no folder") << QStringLiteral("nowhere");
    QTest::newRow("no source in it") << QStringLiteral("solution/sub");
}

void TestTunerAgent::failures()
{
    QFETCH(QString, solution);
    ProposalRequest asked = request();
    asked.solutionDirectory = m_folder->filePath(solution);
    TunerAgent agent;
    const Proposal proposal = answer(agent, asked);
    QCOMPARE(proposal.outcome, Proposal::Outcome::Failed);
    QVERIFY2(proposal.error.contains(solution), qPrintable(proposal.error));
}

void TestTunerAgent::leavesFlagsToABenchThatReadsThem()
{
    // All that can be proposed, one after the other.
    TunerAgent agent;
    ProposalRequest asked = request();
    asked.flagsCount = false;
    for (int i = 1; i <= 100; ++i) {
        asked.iteration = i;
        const Proposal proposal = answer(agent, asked);
        QVERIFY(!QFile::exists(m_folder->filePath(QStringLiteral("solution/build.json"))));
        if (proposal.outcome == Proposal::Outcome::Exhausted)
            return;
        QCOMPARE(proposal.outcome, Proposal::Outcome::Candidate);
        IterationRecord record;
        record.number = i;
        record.agentData = proposal.agentData;
        record.status = IterationStatus::NoChange;
        asked.history << record;
    }
    QFAIL("The tuner does not come to an end.");
}

void TestTunerAgent::cancelEndsOnce()
{
    TunerAgent agent;
    agent.cancel(); // without a request: nothing
    QSignalSpy spy(&agent, &Agent::proposed);
    const auto before = snapshot();
    agent.propose(request());
    agent.cancel();
    agent.cancel();
    QVERIFY(spy.wait(10000));
    QCoreApplication::processEvents();
    QCOMPARE(spy.size(), 1);
    QCOMPARE(spy.front().front().value<Proposal>().outcome, Proposal::Outcome::Cancelled);
    QCOMPARE(snapshot(), before);
}

void TestTunerAgent::secondProposeEndsTheFirst()
{
    TunerAgent agent;
    QSignalSpy spy(&agent, &Agent::proposed);
    agent.propose(request());
    agent.propose(request());
    QTRY_COMPARE(spy.size(), 2);
    QCOMPARE(spy.at(0).front().value<Proposal>().outcome, Proposal::Outcome::Cancelled);
    QCOMPARE(spy.at(1).front().value<Proposal>().outcome, Proposal::Outcome::Candidate);
}

// A link in solution/ that leads out of the workspace is neither read as a source nor written through.
void TestTunerAgent::linkIsNotFollowed()
{
    QTemporaryDir outside;
    const QString target = outside.filePath(QStringLiteral("secret.cpp"));
    QVERIFY(QFile::copy(m_folder->filePath(QStringLiteral("solution/kernel.cpp")), target));
    QVERIFY(QFile::remove(m_folder->filePath(QStringLiteral("solution/kernel.cpp"))));
    QVERIFY(QFile::link(target, m_folder->filePath(QStringLiteral("solution/kernel.cpp"))));
    TunerAgent agent;
    QCOMPARE(answer(agent, request()).outcome, Proposal::Outcome::Failed);
    QFile file(target);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith("#define TILE 16\n"));
}

// A flag that the evaluator refuses would waste an iteration.
void TestTunerAgent::flagsAreAllowed()
{
    std::vector<std::string> flags{"-fopenmp", "-fopenmp-simd"};
    for (const tuner::FlagIdea &idea : tuner::flagIdeas())
        flags.insert(flags.end(), idea.flags.begin(), idea.flags.end());
    for (const std::string &flag : flags)
        QVERIFY2(eval::isAllowedFlag(flag), flag.c_str());
    QVERIFY(!eval::isAllowedFlag("-fplugin=x")); // the question can be answered with no
}

void TestTunerAgent::factory()
{
    const auto agent = createAgent(QStringLiteral("tuner"));
    QVERIFY(agent.has_value());
    QCOMPARE((*agent)->name(), QStringLiteral("tuner"));
    const auto unknown = createAgent(QStringLiteral("nobody"));
    QVERIFY(!unknown.has_value());
    QVERIFY(unknown.error().message.contains(QLatin1String("nobody")));
}

QTEST_GUILESS_MAIN(TestTunerAgent)
#include "tst_tuneragent.moc"
