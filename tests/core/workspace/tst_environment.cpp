// SPDX-License-Identifier: GPL-3.0-or-later
#include "layout.h"

#include "workspace/environment.h"
#include "workspace/pythonenvironments.h"

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
    void torchIsFoundWithoutStartingPython();
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
    for (const char *name : {"C++ compiler", "git", "git identity", "sandbox (bubblewrap)", "GPU"}) {
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

void EnvironmentTest::json()
{
    const nlohmann::json array = toJson({{QStringLiteral("git"), true, false, QStringLiteral("2.39"), {}}});
    QCOMPARE(array.dump(),
             std::string(R"([{"detail":"2.39","found":true,"name":"git","remedy":"","required":false}])"));
}

QTEST_GUILESS_MAIN(EnvironmentTest)
#include "tst_environment.moc"
