// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing of a workspace runs before its plan is approved: every place from which something might be run by itself
// holds a trap here, which would leave a mark. Nothing is written there either.
#include "support/programrun.h"
#include "support/scratchrepository.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace ako::test;

class TestPlanRunsNothing : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { isolateGitConfiguration(); }
    void trapsWork();
    void staysAsItIs_data();
    void staysAsItIs();

private:
    void layTraps(const ScratchRepository &repository) const;
    QByteArray takeMarks() const
    {
        QByteArray marks;
        for (const QString &name : QDir(m_marks.path()).entryList(QDir::Files)) {
            QFile file(m_marks.filePath(name));
            if (file.open(QIODevice::ReadOnly))
                marks += name.toUtf8() + ": " + file.readAll() + '\n';
            file.remove();
        }
        return marks;
    }
    // What a shell script, a Python module, and C++ being loaded would do.
    QByteArray shellTrap() const
    {
        return "#!/bin/sh\necho \"$0 $*\" > " + QFile::encodeName(m_marks.path()) + "/$$\n";
    }
    QByteArray pythonTrap() const { return "open('" + QFile::encodeName(m_marks.path()) + "/python', 'w').close()\n"; }

    QTemporaryDir m_marks;
};

void TestPlanRunsNothing::layTraps(const ScratchRepository &repository) const
{
    const auto shell = [&](const QString &path) {
        repository.write(path, shellTrap());
        repository.makeExecutable(path);
    };
    repository.write(QStringLiteral("kernel.py"), pythonTrap() + "import torch\nimport trapped\n\n"
                                                                 "class Model(torch.nn.Module):\n"
                                                                 "    def forward(self, x):\n        return x * 2\n\n"
                                                                 "def get_inputs():\n    return [torch.rand(16)]\n\n"
                                                                 "def get_init_inputs():\n    return []\n");
    for (const char *name : {"trapped.py", "sitecustomize.py", "usercustomize.py", "conftest.py", "setup.py",
                             "torch/__init__.py", "ast.py", "json.py", "encodings/__init__.py"})
        repository.write(QLatin1String(name), pythonTrap());
    repository.write(QStringLiteral("trap.pth"), "import trapped\n");
    repository.write(QStringLiteral("pyproject.toml"), "[build-system]\nrequires = []\nbuild-backend = 'trapped'\n");
    repository.write(QStringLiteral("data.pkl"),
                     "cos\nsystem\n(S'touch " + QFile::encodeName(m_marks.path()) + "/pickle'\ntR.");
    repository.write(QStringLiteral("Makefile"), "$(shell sh ./bench.sh)\nbench:\n\tsh ./bench.sh\n");
    repository.write(QStringLiteral(".envrc"), "sh ./bench.sh\n");
    repository.write(QStringLiteral(".gdbinit"), "shell sh ./bench.sh\n");
    repository.write(QStringLiteral(".gitattributes"), "*.py filter=trap diff=trap\n");
    shell(QStringLiteral("bench.sh"));
    for (const char *name : {"python3", "python", "nvcc", "nvidia-smi", "ncu", "git", "g++", "cc", "bwrap", "opencode",
                             "claude-agent-acp", "gemini", "qwen", "codex-acp", "ako-bench", "uname", "sh"})
        shell(QStringLiteral("bin/") + QLatin1String(name));
    for (const char *environment : {".venv", "venv", "env", ".conda"}) {
        const QString folder = QLatin1String(environment);
        repository.write(folder + QStringLiteral("/pyvenv.cfg"), "home = /usr/bin\nversion = 3.11.2\n");
        repository.write(folder + QStringLiteral("/conda-meta/history"), "");
        repository.write(folder + QStringLiteral("/lib/python3.11/site-packages/torch/__init__.py"), pythonTrap());
        repository.write(folder + QStringLiteral("/lib/python3.11/site-packages/trap.pth"), "import trapped\n");
        for (const char *name : {"python", "python3", "python3.11", "ninja"})
            shell(folder + QStringLiteral("/bin/") + QLatin1String(name));
    }
    repository.commitAll(QStringLiteral("traps"));
    for (const char *name :
         {"post-checkout", "pre-commit", "post-commit", "fsmonitor-watchman", "reference-transaction"})
        shell(QStringLiteral(".git/hooks/") + QLatin1String(name));
    QFile config(repository.path() + QStringLiteral("/.git/config"));
    QVERIFY(config.open(QIODevice::Append));
    const QByteArray trap = "\"'" + QFile::encodeName(repository.path()) + "/bench.sh'\"";
    config.write("[core]\n\tfsmonitor = " + trap + "\n\tpager = " + trap + "\n\tsshCommand = " + trap +
                 "\n[filter \"trap\"]\n\tclean = " + trap + "\n\tsmudge = " + trap + "\n\trequired = true\n" +
                 "[diff \"trap\"]\n\ttextconv = " + trap + "\n\tcommand = " + trap + "\n[alias]\n\tstatus = !" + trap +
                 "\n");
}

// That a trap leaves its mark at all.
void TestPlanRunsNothing::trapsWork()
{
    const ScratchRepository repository;
    layTraps(repository);
    QCOMPARE(takeMarks(), QByteArray());
    QProcess process;
    process.setWorkingDirectory(repository.path());
    for (const QStringList &command :
         {QStringList{QStringLiteral("git"), QStringLiteral("diff"), QStringLiteral("HEAD")},
          QStringList{QStringLiteral("python3"), QStringLiteral("kernel.py")},
          QStringList{repository.path() + QStringLiteral("/bin/nvcc")}}) {
        if (command.constFirst() == QLatin1String("git")) // there is something to filter
            repository.write(QStringLiteral("conftest.py"), pythonTrap() + "# changed\n");
        process.start(command.constFirst(), command.mid(1));
        QVERIFY(process.waitForFinished());
        QVERIFY2(!takeMarks().isEmpty(), qPrintable(command.join(QLatin1Char(' '))));
    }
}

void TestPlanRunsNothing::staysAsItIs_data()
{
    QTest::addColumn<QStringList>("arguments"); // WORKSPACE in the place of its path
    for (const char *line :
         {"plan WORKSPACE", "plan WORKSPACE --json", "plan WORKSPACE --verbose",
          "plan WORKSPACE --answer kernel=kernel.py", "plan WORKSPACE --answer bench-mode=custom:bench.sh",
          "plan WORKSPACE --agent user", "plan WORKSPACE --agent opencode", "run WORKSPACE", "history WORKSPACE",
          "report WORKSPACE", "doctor WORKSPACE"})
        QTest::newRow(line) << QString::fromLatin1(line).split(QLatin1Char(' '));
}

void TestPlanRunsNothing::staysAsItIs()
{
    QFETCH(QStringList, arguments);
    const ScratchRepository repository;
    layTraps(repository);
    const auto before = filesBelow(repository.path());
    arguments.replaceInStrings(QStringLiteral("WORKSPACE"), repository.path());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    // As where a person has put the workspace's tools first, or Python's folders.
    environment.insert(QStringLiteral("PATH"),
                       repository.path() + QStringLiteral("/bin:.:") + environment.value(QStringLiteral("PATH")));
    environment.insert(QStringLiteral("PYTHONPATH"), repository.path());
    environment.insert(QStringLiteral("VIRTUAL_ENV"), repository.path() + QStringLiteral("/.venv"));
    environment.insert(QStringLiteral("CONDA_PREFIX"), repository.path() + QStringLiteral("/.conda"));
    environment.insert(QStringLiteral("PYTHONSTARTUP"), repository.path() + QStringLiteral("/trapped.py"));
    const ProgramRun run = runProgram(arguments, environment);
    QVERIFY2(run.exitCode >= 0, qPrintable(run.output));
    QCOMPARE(takeMarks(), QByteArray());
    QVERIFY(!QFile::exists(repository.path() + QStringLiteral("/.ako")));
    QCOMPARE(differences(before, filesBelow(repository.path())), QStringList{});
}

QTEST_GUILESS_MAIN(TestPlanRunsNothing)
#include "tst_planrunsnothing.moc"
