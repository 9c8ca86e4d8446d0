// SPDX-License-Identifier: GPL-3.0-or-later
#include "layout.h"

#include "eval/landlock.h"
#include "workspace/environment.h"
#include "workspace/pythonenvironments.h"

#include <QRegularExpression>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

using namespace ako;

namespace {

EnvironmentFinding finding(const QList<EnvironmentFinding> &findings, const char *name)
{
    for (const EnvironmentFinding &candidate : findings) {
        if (candidate.name == QLatin1String(name))
            return candidate;
    }
    return {};
}

} // namespace

// Runs with a PATH of its own, so that what is on this machine does not matter.
class EnvironmentTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void nothingOnPath();
    void compilerIsAsked();
    void compilerThatHangs();
    void compilerInTheWorkspaceIsNotStarted();
    void identity();
    void gpuAndItsUsers_data();
    void gpuAndItsUsers();
    void remediesAreCommands();
    void torchIsFoundWithoutStartingPython();
    void agents_data();
    void agents();
    void sandboxIsThatOfThisKernel();
    void json();

private:
    void program(const QString &name, const QByteArray &script);

    std::unique_ptr<QTemporaryDir> m_path;
};

void EnvironmentTest::initTestCase()
{
    qunsetenv("GIT_AUTHOR_NAME");
    qunsetenv("GIT_AUTHOR_EMAIL");
    qunsetenv("VIRTUAL_ENV");
    qunsetenv("CONDA_PREFIX");
}

void EnvironmentTest::init()
{
    m_path = std::make_unique<QTemporaryDir>();
    qputenv("PATH", QFile::encodeName(m_path->path()));
}

void EnvironmentTest::program(const QString &name, const QByteArray &script)
{
    writeFile(m_path->filePath(name), "#!/bin/sh\n" + script);
    QFile::setPermissions(m_path->filePath(name), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

void EnvironmentTest::nothingOnPath()
{
    const QList<EnvironmentFinding> findings = discoverEnvironment();
    for (const char *name : {"C++ compiler", "git", "git identity", "GPU"}) {
        const EnvironmentFinding lacking = finding(findings, name);
        QVERIFY2(!lacking.found && !lacking.detail.isEmpty() && !lacking.remedy.isEmpty(), name);
    }
    QVERIFY(finding(findings, "C++ compiler").required);
    QVERIFY(!finding(findings, "git").required);
    QVERIFY(!finding(findings, "GPU").required);
}

void EnvironmentTest::compilerIsAsked()
{
    program(QStringLiteral("g++"), "echo 'g++ (Test) 12.3'; echo more\n");
    program(QStringLiteral("clang++"), "echo broken >&2; exit 1\n");
    const EnvironmentFinding compiler = finding(discoverEnvironment(), "C++ compiler");
    QVERIFY(compiler.found);
    QVERIFY(compiler.remedy.isEmpty());
    QVERIFY(compiler.detail.startsWith(QStringLiteral("g++ (Test) 12.3 (")));
    QVERIFY(compiler.detail.contains(QStringLiteral("broken")));
}

void EnvironmentTest::compilerThatHangs()
{
    program(QStringLiteral("g++"), "while :; do :; done\n");
    const EnvironmentFinding compiler = finding(discoverEnvironment({}, 200), "C++ compiler");
    QVERIFY(!compiler.found);
    QVERIFY(compiler.detail.contains(QStringLiteral("did not answer")));
}

void EnvironmentTest::compilerInTheWorkspaceIsNotStarted()
{
    program(QStringLiteral("g++"), "echo started > \"$(dirname \"$0\")/started\"\n");
    const EnvironmentFinding compiler = finding(discoverEnvironment(m_path->path()), "C++ compiler");
    QVERIFY(!compiler.found);
    QVERIFY(!QFile::exists(m_path->filePath(QStringLiteral("started"))));
}

void EnvironmentTest::identity()
{
    program(QStringLiteral("git"),
            "case \"$*\" in *user.name) echo Ada;; *user.email) echo ada@example.org;; *) echo git version 2;; esac\n");
    const EnvironmentFinding identity = finding(discoverEnvironment(), "git identity");
    QVERIFY(identity.found);
    QCOMPARE(identity.detail, QStringLiteral("Ada <ada@example.org>"));
}

void EnvironmentTest::gpuAndItsUsers_data()
{
    QTest::addColumn<QByteArray>("users");
    QTest::addColumn<QByteArray>("mode");
    QTest::addColumn<bool>("isFree");
    QTest::addColumn<bool>("isSteady");
    QTest::newRow("all to itself") << QByteArray() << QByteArray("Enabled") << true << true;
    QTest::newRow("others compute") << QByteArray("4711, python, 1024 MiB\n4712, train, 9 MiB") << QByteArray("Enabled")
                                    << false << true;
    QTest::newRow("no persistence") << QByteArray() << QByteArray("Disabled") << true << false;
}

void EnvironmentTest::gpuAndItsUsers()
{
    QFETCH(QByteArray, users);
    QFETCH(QByteArray, mode);
    QFETCH(bool, isFree);
    QFETCH(bool, isSteady);
    program(QStringLiteral("nvidia-smi"), "case \"$*\" in *compute-apps*) echo '" + users +
                                              "';; *clocks*) echo '345 MHz, 1980 MHz, " + mode +
                                              "';; *) echo 'NVIDIA H200, 580.1, 143771 MiB';; esac\n");
    const QList<EnvironmentFinding> findings = discoverEnvironment();
    QVERIFY(finding(findings, "GPU").found);
    const EnvironmentFinding others = finding(findings, "GPU free of others");
    QCOMPARE(others.found, isFree);
    QVERIFY(isFree || (others.detail.contains(QStringLiteral("train")) &&
                       others.remedy.contains(QStringLiteral("kill 4711 4712"))));
    const EnvironmentFinding clocks = finding(findings, "GPU clocks");
    QCOMPARE(clocks.found, isSteady);
    QVERIFY2(clocks.detail.contains(QStringLiteral("345 MHz of 1980 MHz")), qPrintable(clocks.detail));
    QCOMPARE(clocks.remedy, isSteady ? QString() : QStringLiteral("sudo nvidia-smi -pm 1"));
}

// A lack that a command mends comes with it: one that begins with a program, not advice.
void EnvironmentTest::remediesAreCommands()
{
    const QList<EnvironmentFinding> findings = discoverEnvironment();
    int lacks = 0;
    for (const char *name : {"C++ compiler", "git", "git identity", "Python with torch", "CUDA compiler (nvcc)",
                             "Nsight Compute (ncu)", "GPU"}) {
        const EnvironmentFinding lacking = finding(findings, name);
        if (lacking.found) // beside the search path: torch of the system, a toolkit in /usr/local
            continue;
        ++lacks;
        QVERIFY2(lacking.remedy.contains(QRegularExpression(QStringLiteral("\\b(sudo|git config|python3 -m)\\b"))) ||
                     lacking.remedy.contains(QStringLiteral("Install the package")),
                 qPrintable(lacking.remedy));
    }
    QVERIFY(lacks >= 4);
}

void EnvironmentTest::torchIsFoundWithoutStartingPython()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral(".venv/bin/python3"), "#!/bin/sh\ntouch \"$0.started\"\n"},
                        {QStringLiteral(".venv/lib/python3.11/site-packages/torch/version.py"),
                         "__all__ = []\n__version__ = '2.5.1+cpu'\n"}});
    QFile::setPermissions(folder.filePath(QStringLiteral(".venv/bin/python3")), QFile::ReadOwner | QFile::ExeOwner);
    const QList<PythonEnvironment> environments = findPythonEnvironments(folder.path());
    QVERIFY(!environments.isEmpty());
    QCOMPARE(environments.first().interpreter, folder.filePath(QStringLiteral(".venv/bin/python3")));
    QCOMPARE(environments.first().torchVersion, QStringLiteral("2.5.1+cpu"));
    const EnvironmentFinding torch = finding(discoverEnvironment(folder.path()), "Python with torch");
    QVERIFY(torch.found);
    QVERIFY(torch.detail.contains(QStringLiteral("2.5.1+cpu")));
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral(".venv/bin/python3.started"))));
}

void EnvironmentTest::agents_data()
{
    QTest::addColumn<QString>("program"); // on PATH
    QTest::addColumn<bool>("inWorkspace");
    QTest::addColumn<QString>("agent");
    QTest::addColumn<bool>("found");
    QTest::addColumn<QString>("detail"); // part of it
    const auto row = [](const char *name, const char *program, const char *agent, bool found, const char *detail) {
        QTest::newRow(name) << QString::fromLatin1(program) << false << QString::fromLatin1(agent) << found
                            << QString::fromLatin1(detail);
    };
    row("none", "", "agent: others", false, "opencode acp (npm install -g opencode-ai), claude-agent-acp (");
    row("the tuner is always there", "", "agent: tuner", true, "C++");
    row("so are you", "", "agent: user", true, "solution/");
    row("a model by HTTP without its key", "", "agent: anthropic", false, "ANTHROPIC_API_KEY is not set");
    row("a model by HTTP", "", "agent: openai", true, "its key is that of OPENAI_API_KEY");
    row("opencode", "opencode", "agent: opencode", true, "\"opencode acp\". Log in with: opencode auth login");
    row("gemini", "gemini", "agent: gemini", true, "\"gemini --acp\"");
    row("claude with its part for the protocol", "claude-agent-acp", "agent: claude", true, "\"claude-agent-acp\"");
    row("claude without it", "claude", "agent: claude", false, "claude-agent-acp, is not on PATH");
    row("codex", "codex-acp", "agent: codex", true, "\"codex-acp\"");
    QTest::newRow("one that lies in the workspace")
        << QStringLiteral("opencode") << true << QStringLiteral("agent: others") << false << QString();
}

void EnvironmentTest::agents()
{
    QFETCH(QString, program);
    QFETCH(bool, inWorkspace);
    QFETCH(QString, agent);
    QFETCH(bool, found);
    QFETCH(QString, detail);
    if (!program.isEmpty())
        this->program(program, "touch \"$0.started\"\n");
    qunsetenv("ANTHROPIC_API_KEY");
    qputenv("OPENAI_API_KEY", "x");
    const auto findings = discoverEnvironment(inWorkspace ? m_path->path() : QString());
    const EnvironmentFinding seen = finding(findings, qPrintable(agent));
    QVERIFY(!seen.name.isEmpty());
    QCOMPARE(seen.found, found);
    QVERIFY2(seen.detail.contains(detail), qPrintable(seen.detail));
    QVERIFY(!seen.required);
    QVERIFY2(seen.name != QLatin1String("agent: anthropic") ||
                 seen.remedy.contains(QLatin1String("export ANTHROPIC_API_KEY=")),
             qPrintable(seen.remedy));
    QVERIFY(!QFile::exists(m_path->filePath(program + QStringLiteral(".started")))); // none was started
    QVERIFY(toText(findings).contains(seen.detail));
}

void EnvironmentTest::sandboxIsThatOfThisKernel()
{
    const auto findings = discoverEnvironment();
    const EnvironmentFinding files = finding(findings, "sandbox: files (Landlock)");
    QCOMPARE(files.found, eval::landlockVersion() > 0);
    QCOMPARE(files.detail.contains(QStringLiteral("ABI %1:").arg(eval::landlockVersion())), files.found);
    for (const char *name : {"sandbox: files (Landlock)", "sandbox: calls (seccomp)", "sandbox: memory (mseal)"}) {
        const EnvironmentFinding seen = finding(findings, name);
        QVERIFY2(!seen.detail.isEmpty(), name);
        QCOMPARE(seen.remedy.isEmpty(), seen.found);
    }
}

void EnvironmentTest::json()
{
    const nlohmann::json array = toJson({{QStringLiteral("git"), true, false, QStringLiteral("2.39"), {}}});
    QCOMPARE(array.dump(),
             std::string(R"([{"detail":"2.39","found":true,"name":"git","remedy":"","required":false}])"));
}

QTEST_GUILESS_MAIN(EnvironmentTest)
#include "tst_environment.moc"
