// SPDX-License-Identifier: GPL-3.0-or-later
// The agent as the loop has it: what it is asked, what comes of it, and how its program is found and started.
#include "agents/acp/acpagent.h"
#include "agents/acp/agentcommand.h"
#include "agents/agentfactory.h"
#include "process/sandbox.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;
using Outcome = Proposal::Outcome;

namespace {

constexpr int patience = 90'000;

QString quoted(const QString &path)
{
    return QLatin1Char('"') + path + QLatin1Char('"');
}

} // namespace

class TestAcpAgent : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void outcomes_data();
    void outcomes();
    void sessionGoesOn();
    void keysAreMasked();
    void homeIsHidden();
    void commandWords_data();
    void commandWords();
    void missingProgram();
    void cancelled();

private:
    Proposal propose(const QString &switches, bool confined = false);
    QString path(const char *name) const { return m_workspace + QLatin1Char('/') + QLatin1String(name); }
    QString read(const QString &file) const
    {
        QFile opened(file);
        return opened.open(QIODevice::ReadOnly) ? QString::fromUtf8(opened.readAll()) : QString();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_workspace;
    ProposalRequest m_request;
    std::unique_ptr<Agent> m_agent;
    QString m_transcript;
};

void TestAcpAgent::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_workspace = m_folder->filePath(QStringLiteral("work space"));
    QVERIFY(QDir().mkpath(path("solution")));
    QFile kernel(path("solution/kernel.cpp"));
    QVERIFY(kernel.open(QIODevice::WriteOnly));
    kernel.write("// original\n");
    m_request = ProposalRequest();
    m_request.workspace = m_workspace;
    m_request.solutionDirectory = path("solution");
    m_request.plan = QStringLiteral("- **Kernel** — kernel.cpp");
    m_agent.reset();
    m_transcript.clear();
    qputenv("XDG_CACHE_HOME", m_folder->filePath(QStringLiteral("cache")).toLocal8Bit());
}

Proposal TestAcpAgent::propose(const QString &switches, bool confined)
{
    if (!m_agent) {
        AgentSettings settings;
        settings.command = QStringLiteral("%1 %2 %3")
                               .arg(quoted(QCoreApplication::applicationDirPath() + QStringLiteral("/fake_agent")),
                                    switches, quoted(QStringLiteral("notes=") + path("solution/notes.txt")));
        settings.confined = confined;
        auto agent = createAgent(QLatin1String(commandAgent), settings);
        if (!agent)
            return {};
        m_agent = std::move(*agent);
        connect(m_agent.get(), &Agent::transcript, this, [this](const QString &text) { m_transcript += text; });
    }
    QSignalSpy proposed(m_agent.get(), &Agent::proposed);
    m_agent->propose(m_request);
    if (!proposed.wait(patience))
        qWarning("no answer");
    return proposed.isEmpty() ? Proposal() : proposed.first().first().value<Proposal>();
}

void TestAcpAgent::outcomes_data()
{
    QTest::addColumn<QString>("switches");
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("words"); // in the changes, or of a failure in its error
    QTest::newRow("says what it did") << QString() << Outcome::Candidate << QStringLiteral("A title")
                                      << QStringLiteral("a file");
    QTest::newRow("says nothing of it") << QStringLiteral("no-answer-block") << Outcome::Candidate
                                        << QStringLiteral("2 files changed")
                                        << QStringLiteral("kernel.cpp: +1 -1 lines");
    QTest::newRow("fails") << QStringLiteral("prompt-error") << Outcome::Failed << QString()
                           << QStringLiteral("429 rate limited");
    QTest::newRow("is not logged in") << QStringLiteral("not-logged-in") << Outcome::Failed << QString()
                                      << QStringLiteral("Nobody is logged in");
}

void TestAcpAgent::outcomes()
{
    QFETCH(QString, switches);
    QFETCH(Outcome, outcome);
    QFETCH(QString, title);
    QFETCH(QString, words);
    const Proposal proposal = propose(switches);
    QVERIFY2(proposal.outcome == outcome, qPrintable(proposal.error));
    QCOMPARE(proposal.title, title);
    const QString told = outcome == Outcome::Candidate ? proposal.changes : proposal.error;
    QVERIFY2(told.contains(words), qPrintable(told));
    if (outcome != Outcome::Candidate)
        return;
    QVERIFY2(m_transcript.contains(QLatin1String("Asked for iteration 1")), qPrintable(m_transcript));
    QVERIFY(read(path("solution/notes.txt")).contains(QLatin1String("prompt You are making")));
    const auto data = nlohmann::json::parse(proposal.agentData.toStdString());
    QCOMPARE(acp::textOf(data, "session"), QStringLiteral("s-1"));
    QCOMPARE(acp::textOf(data, "cost"), QStringLiteral("0.25 USD"));
}

void TestAcpAgent::sessionGoesOn()
{
    propose(QStringLiteral("resumes"));
    propose({});
    const QString notes = read(path("solution/notes.txt"));
    QCOMPARE(notes.count(QLatin1String("started")), 2); // a process for each turn
    QCOMPARE(notes.count(QLatin1String("\nnew\n")), 1);
    QVERIFY(notes.contains(QLatin1String("session/resume")));
    // Told once what does not change.
    QCOMPARE(notes.count(QLatin1String("## Rules")), 1);
    QCOMPARE(notes.count(QLatin1String("## Your turn")), 2);

    // Another start of this program goes on with it as well.
    IterationRecord record;
    record.number = 1;
    record.agent = QLatin1String(commandAgent);
    record.agentData = QStringLiteral("{\"session\": \"s-1\"}");
    m_request.history = {record};
    m_agent.reset();
    propose(QStringLiteral("resumes"));
    QCOMPARE(read(path("solution/notes.txt")).count(QLatin1String("session/resume")), 2);
}

void TestAcpAgent::keysAreMasked()
{
    qputenv("FAKE_API_KEY", "very-secret-value-123");
    const Proposal proposal = propose(QStringLiteral("says-secret"));
    qunsetenv("FAKE_API_KEY");
    QCOMPARE(proposal.outcome, Outcome::Candidate);
    QVERIFY2(m_transcript.contains(QLatin1String("the key is ***")), qPrintable(m_transcript));
    QVERIFY(!m_transcript.contains(QLatin1String("very-secret")));
}

void TestAcpAgent::homeIsHidden()
{
    if (const auto usable = sandboxIsUsable(); !usable)
        QSKIP(qPrintable(usable.error().message));
    const QByteArray before = qgetenv("HOME");
    const QString home = m_folder->filePath(QStringLiteral("home"));
    QVERIFY(QDir().mkpath(home));
    QFile secret(home + QStringLiteral("/secret.txt"));
    QVERIFY(secret.open(QIODevice::WriteOnly) && secret.write("x") == 1);
    secret.close();
    qputenv("HOME", home.toLocal8Bit());
    qputenv("OTHER_TOKEN", "12345678");
    const Proposal open = propose(QStringLiteral("sees-home"), false);
    QVERIFY2(read(path("solution/notes.txt")).contains(QLatin1String("home seen")),
             qPrintable(open.error)); // the check can fail
    m_agent.reset();
    const Proposal hidden = propose(QStringLiteral("sees-home"), true);
    qputenv("HOME", before);
    qunsetenv("OTHER_TOKEN");
    QVERIFY2(hidden.outcome == Outcome::Candidate, qPrintable(hidden.error));
    QVERIFY2(read(path("solution/notes.txt")).contains(QLatin1String("home hidden")), qPrintable(hidden.error));
    QVERIFY(!read(path("solution/notes.txt")).contains(QLatin1String("token seen")));
}

void TestAcpAgent::commandWords_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char *name, const char *line, const QStringList &words) {
        QTest::newRow(name) << QString::fromUtf8(line) << words;
    };
    row("plain", "a --b c", {QStringLiteral("a"), QStringLiteral("--b"), QStringLiteral("c")});
    row("blanks", "  a \t b ", {QStringLiteral("a"), QStringLiteral("b")});
    row("double quotes", "\"a b\" c", {QStringLiteral("a b"), QStringLiteral("c")});
    row("single quotes", "'a \"b' c", {QStringLiteral("a \"b"), QStringLiteral("c")});
    row("within a word", "a=\"b c\"d", {QStringLiteral("a=b cd")});
    row("backslash", "a\\ b", {QStringLiteral("a b")});
    row("backslash in single quotes", "'a\\b'", {QStringLiteral("a\\b")});
    row("empty word", "a '' b", {QStringLiteral("a"), QString(), QStringLiteral("b")});
    row("nothing is expanded", "$HOME *", {QStringLiteral("$HOME"), QStringLiteral("*")});
    row("a quote that does not end", "a 'b", {});
    row("nothing", "  ", {});
}

void TestAcpAgent::commandWords()
{
    QFETCH(QString, line);
    QFETCH(QStringList, words);
    const auto got = acp::commandWords(line);
    QCOMPARE(got.has_value(), !line.contains(QLatin1String("'b")) || line.count(QLatin1Char('\'')) == 2);
    QCOMPARE(got.value_or(QStringList()), words);
}

void TestAcpAgent::missingProgram()
{
    const QByteArray before = qgetenv("PATH");
    qputenv("PATH", "/nowhere");
    for (const KnownAgent &known : knownAgents()) {
        if (!known.isExternal())
            continue;
        m_agent = std::move(*createAgent(known.name));
        const Proposal proposal = propose({});
        QCOMPARE(proposal.outcome, Outcome::Failed);
        QVERIFY2(known.install.isEmpty() || proposal.error.contains(known.install), qPrintable(proposal.error));
        QVERIFY(!proposal.error.isEmpty());
    }
    qputenv("PATH", before);
}

void TestAcpAgent::cancelled()
{
    QTimer cancel;
    connect(&cancel, &QTimer::timeout, this, [this] {
        if (m_agent && read(path("solution/notes.txt")).contains(QLatin1String("new")))
            m_agent->cancel();
    });
    cancel.start(50);
    const Proposal proposal = propose(QStringLiteral("waits-for-cancel"));
    QCOMPARE(proposal.outcome, Outcome::Cancelled);
}

QTEST_GUILESS_MAIN(TestAcpAgent)
#include "tst_acpagent.moc"
