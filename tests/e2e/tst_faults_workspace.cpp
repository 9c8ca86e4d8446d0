// SPDX-License-Identifier: GPL-3.0-or-later
// The real command line on workspaces that are not as one would wish: what is refused is named with its remedy, and
// whatever happens, nothing that is the user's has changed.
#include "eval/sanitized.h"
#include "support/programrun.h"
#include "support/scratchrepository.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTest>

#include <algorithm>
#include <functional>
#include <unistd.h>

using namespace ako::test;

namespace {

// One workspace in a repository, in a path with a space and a letter that is not ASCII.
struct Scene
{
    Scene()
        : repository(QStringLiteral("Arbeits mappe ü"))
        , workspace(repository.path())
        , environment(QProcessEnvironment::systemEnvironment())
    {
        writeProblem({});
        repository.write(QStringLiteral("notes.txt"), "mine\n");
        repository.commitAll(QStringLiteral("mine"));
    }

    void writeProblem(const QString &folder) const
    {
        const QHash<QString, QByteArray> files = smallProblem();
        for (auto file = files.cbegin(); file != files.cend(); ++file)
            repository.write(folder + file.key(), file.value());
    }
    void git(const QString &command) const { repository.git(command.split(QLatin1Char(' '))); }
    ProgramRun run() const
    {
        return runProgram({QStringLiteral("run"), workspace, QStringLiteral("--approve"),
                           QStringLiteral("--iterations"), QStringLiteral("1")},
                          environment, before);
    }

    ScratchRepository repository;
    QString workspace;
    QProcessEnvironment environment;
    QStringList before;
    QString skip; // why it cannot be tried on this machine
};

using Preparation = std::function<void(Scene &)>;

// The same line a second time, whichever stream it came from.
QString saidTwice(const QString &output)
{
    QStringList seen;
    for (QString line : output.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        line.remove(QLatin1String("ako4all: "));
        if (seen.contains(line.trimmed()))
            return line;
        seen << line.trimmed();
    }
    return {};
}

void underLimit(Scene &scene, const char *limit)
{
    scene.before =
        QStringList{QStringLiteral("bash"), QStringLiteral("-c"),
                    QStringLiteral("ulimit %1 && exec \"$@\"").arg(QLatin1String(limit)), QStringLiteral("-")};
#ifdef AKO_SANITIZER
    scene.skip = QStringLiteral("a sanitizer needs more than any limit");
#endif
}

void smallFiles(Scene &scene)
{
    underLimit(scene, "-f 8");
}

void littleMemory(Scene &scene)
{
    underLimit(scene, "-v 600000");
}

void noMemory(Scene &scene)
{
    underLimit(scene, "-v 200000");
}

void leastMemory(Scene &scene)
{
    underLimit(scene, "-v 110000");
}

void betweenThem(Scene &scene)
{
    underLimit(scene, "-v 290000");
}

void hugeHints(Scene &scene)
{
    scene.repository.write(QStringLiteral("HINTS.md"), QByteArray("- be quick\n").repeated(1000000));
}

// Root may write anywhere, so those cases are run as nobody.
void asNobody(Scene &scene)
{
    if (::geteuid() != 0)
        return;
    scene.before = QStringList{QStringLiteral("setpriv"), QStringLiteral("--reuid=65534"),
                               QStringLiteral("--regid=65534"), QStringLiteral("--clear-groups")};
    const QString around = QFileInfo(scene.repository.path()).path();
    QFile::setPermissions(around, QFileDevice::Permissions(0x7755));
    QProcess::execute(QStringLiteral("chown"), {QStringLiteral("-R"), QStringLiteral("65534:65534"), around});
    scene.environment.insert(QStringLiteral("HOME"), around);
    if (runProgram({QStringLiteral("--version")}, scene.environment, scene.before).exitCode != 0)
        scene.skip = QStringLiteral("as root everything can be written, and nobody cannot run the program here");
}

void missing(Scene &scene)
{
    scene.workspace += QStringLiteral("/not there");
}

void aFile(Scene &scene)
{
    scene.workspace += QStringLiteral("/notes.txt");
}

void readOnly(Scene &scene)
{
    asNobody(scene);
    QFile::setPermissions(scene.workspace, QFileDevice::Permissions(0x5555));
}

void unreadable(Scene &scene)
{
    asNobody(scene);
    QFile::setPermissions(scene.workspace, QFileDevice::Permissions(0x0000));
}

void bareAndEmpty(Scene &scene)
{
    const QString folder = QFileInfo(scene.workspace).path() + QStringLiteral("/bare.git");
    scene.repository.git(
        {QStringLiteral("clone"), QStringLiteral("-q"), QStringLiteral("--bare"), QStringLiteral("."), folder});
    scene.workspace = folder;
}

void bare(Scene &scene)
{
    bareAndEmpty(scene);
    const QHash<QString, QByteArray> files = smallProblem();
    for (auto file = files.cbegin(); file != files.cend(); ++file)
        scene.repository.write(QStringLiteral("../bare.git/") + file.key(), file.value());
}

void detached(Scene &scene)
{
    scene.git(QStringLiteral("checkout -q --detach"));
}

void merging(Scene &scene)
{
    scene.git(QStringLiteral("checkout -q -b other"));
    scene.repository.write(QStringLiteral("notes.txt"), "theirs\n");
    scene.repository.commitAll(QStringLiteral("theirs"));
    scene.git(QStringLiteral("checkout -q main"));
    scene.repository.write(QStringLiteral("notes.txt"), "ours\n");
    scene.repository.commitAll(QStringLiteral("ours"));
    scene.repository.gitExitCode({QStringLiteral("merge"), QStringLiteral("-q"), QStringLiteral("other")});
}

void noIdentity(Scene &scene)
{
    scene.git(QStringLiteral("config --unset user.name"));
    scene.git(QStringLiteral("config --unset user.email"));
}

void brokenProblem(Scene &scene)
{
    QByteArray problem = smallProblem().value(QStringLiteral("problem.json"));
    scene.repository.write(QStringLiteral("problem.json"), problem.replace("\"device\": \"cpu\",", "\"device\": cpu,"));
}

void unknownKey(Scene &scene)
{
    QByteArray problem = smallProblem().value(QStringLiteral("problem.json"));
    scene.repository.write(QStringLiteral("problem.json"), problem.replace("\"dtype\"", "\"dtpye\""));
}

// All of PATH but the compilers.
void noCompiler(Scene &scene)
{
    const QString programs = QFileInfo(scene.workspace).path() + QStringLiteral("/programs");
    QDir().mkpath(programs);
    const QStringList path = qEnvironmentVariable("PATH").split(QLatin1Char(':'));
    for (const QString &folder : path) {
        const QFileInfoList entries = QDir(folder).entryInfoList(QDir::Files | QDir::Executable);
        for (const QFileInfo &entry : entries) {
            const QString name = entry.fileName();
            if (!name.contains(QLatin1String("++")) && !name.contains(QLatin1String("gcc")) &&
                !name.contains(QLatin1String("clang")) && name != QLatin1String("cc"))
                QFile::link(entry.absoluteFilePath(), programs + QLatin1Char('/') + name);
        }
    }
    scene.environment.insert(QStringLiteral("PATH"), programs);
    scene.environment.remove(QStringLiteral("CXX"));
}

void branchInTheWay(Scene &scene)
{
    scene.git(QStringLiteral("branch opt"));
}

void branchBelow(Scene &scene)
{
    scene.git(QStringLiteral("branch opt/scale/other"));
}

void noRepository(Scene &scene)
{
    scene.environment.insert(QStringLiteral("GIT_CEILING_DIRECTORIES"), QFileInfo(scene.workspace).path());
    const QString folder = QFileInfo(scene.workspace).path() + QStringLiteral("/plain folder");
    QDir().mkpath(folder);
    const QHash<QString, QByteArray> files = smallProblem();
    for (auto file = files.cbegin(); file != files.cend(); ++file)
        scene.repository.write(QStringLiteral("../plain folder/") + file.key(), file.value());
    QFile configuration(QDir::homePath() + QStringLiteral("/.gitconfig"));
    if (configuration.open(QIODevice::WriteOnly))
        configuration.write("[user]\n\tname = Ada\n\temail = ada@example.org\n");
    scene.workspace = folder;
}

void insideAnother(Scene &scene)
{
    scene.writeProblem(QStringLiteral("deep er/kernel/"));
    scene.repository.commitAll(QStringLiteral("a kernel further down"));
    scene.workspace += QStringLiteral("/deep er/kernel");
}

void stagedAndUnstaged(Scene &scene)
{
    scene.repository.write(QStringLiteral("both.txt"), "one\n");
    scene.repository.write(QStringLiteral("removed.txt"), "one\n");
    scene.repository.commitAll(QStringLiteral("more"));
    scene.repository.write(QStringLiteral("notes.txt"), "changed, not staged\n");
    scene.repository.write(QStringLiteral("both.txt"), "staged\n");
    scene.repository.write(QStringLiteral("added.txt"), "staged\n");
    scene.git(QStringLiteral("add both.txt added.txt"));
    scene.git(QStringLiteral("rm -q removed.txt"));
    scene.repository.write(QStringLiteral("both.txt"), "changed again\n");
    scene.repository.write(QStringLiteral("untracked ü.txt"), "new\n");
    scene.repository.write(QStringLiteral("intended.txt"), "later\n");
    scene.git(QStringLiteral("add -N intended.txt"));
}

void submodule(Scene &scene)
{
    const QString other = QFileInfo(scene.workspace).path() + QStringLiteral("/library");
    scene.repository.git({QStringLiteral("clone"), QStringLiteral("-q"), QStringLiteral("."), other});
    scene.repository.git({QStringLiteral("-c"), QStringLiteral("protocol.file.allow=always"),
                          QStringLiteral("submodule"), QStringLiteral("--quiet"), QStringLiteral("add"),
                          QStringLiteral("../library"), QStringLiteral("third_party/library")});
    scene.repository.commitAll(QStringLiteral("a submodule"));
    scene.repository.write(QStringLiteral("third_party/library/notes.txt"), "changed in the submodule\n");
    scene.git(QStringLiteral("branch opt/scale"));
}

void carriageReturns(Scene &scene)
{
    const QHash<QString, QByteArray> files = smallProblem();
    for (auto file = files.cbegin(); file != files.cend(); ++file) {
        QByteArray bytes = file.value();
        scene.repository.write(file.key(), bytes.replace("\n", "\r\n"));
    }
    scene.repository.write(QStringLiteral("HINTS.md"), "# Hints\r\n\r\n- Stay simple.\r\n");
    scene.repository.commitAll(QStringLiteral("from another system"));
    scene.git(QStringLiteral("config core.autocrlf true"));
}

bool isOurs(const QString &name)
{
    static const QStringList folders{QStringLiteral(".git/"), QStringLiteral(".ako/"), QStringLiteral("solution/"),
                                     QStringLiteral("scripts/"), QStringLiteral("trajectory/")};
    static const QStringList files{QStringLiteral(".git"),       QStringLiteral(".ako"),
                                   QStringLiteral("solution"),   QStringLiteral("scripts"),
                                   QStringLiteral("trajectory"), QStringLiteral("ITERATIONS.md"),
                                   QStringLiteral("HINTS.md"),   QStringLiteral("bench-wrapper.sh"),
                                   QStringLiteral(".gitignore"), QStringLiteral("_bench_output.txt"),
                                   QStringLiteral("REPORT.md")};
    if (files.contains(name))
        return true;
    return std::any_of(folders.cbegin(), folders.cend(),
                       [&name](const QString &folder) { return name.startsWith(folder); });
}

// What git says of paths that are not the loop's: the staged blobs, and the state of each.
QString gitStateOfOthers(const ScratchRepository &repository, const QString &workspace)
{
    const QString below = QDir(repository.path()).relativeFilePath(workspace);
    QStringList kept;
    const QString all =
        repository.git({QStringLiteral("-c"), QStringLiteral("core.quotePath=false"), QStringLiteral("status"),
                        QStringLiteral("--porcelain=v2"), QStringLiteral("--untracked-files=all")}) +
        QLatin1Char('\n') +
        repository.git({QStringLiteral("-c"), QStringLiteral("core.quotePath=false"), QStringLiteral("ls-files"),
                        QStringLiteral("-s")});
    const QStringList lines = all.split(QLatin1Char('\n'));
    for (const QString &line : lines) {
        const int fields = line.startsWith(QLatin1Char('?')) ? 1 : line.startsWith(QLatin1Char('1')) ? 8 : 3;
        QString name = line.contains(QLatin1Char('\t')) ? line.section(QLatin1Char('\t'), 1)
                                                        : line.section(QLatin1Char(' '), fields);
        if (below != QLatin1String(".") && name.startsWith(below + QLatin1Char('/')))
            name = name.mid(below.size() + 1);
        if (!isOurs(name))
            kept << line;
    }
    return kept.join(QLatin1Char('\n'));
}

} // namespace

Q_DECLARE_METATYPE(Preparation)

class TestWorkspaceFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { isolateGitConfiguration(); }
    void refused_data();
    void refused();
    void runsAndKeepsWhatIsTheUsers_data();
    void runsAndKeepsWhatIsTheUsers();
};

void TestWorkspaceFaults::refused_data()
{
    QTest::addColumn<Preparation>("prepare");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QStringList>("said"); // each of these
    const auto row = [](const char *name, void (*prepare)(Scene &), int exitCode, const QStringList &said) {
        QTest::newRow(name) << Preparation(prepare) << exitCode << said;
    };
    row("missing", missing, 1, {QStringLiteral("not there does not exist"), QStringLiteral("Give the folder")});
    row("a file", aFile, 1, {QStringLiteral("notes.txt is a file"), QStringLiteral("Give the folder")});
    row("read-only", readOnly, 1,
        {QStringLiteral("Arbeits mappe ü cannot be written to"), QStringLiteral("permissions"),
         QStringLiteral("chmod u+w")});
    row("unreadable", unreadable, 1, {QStringLiteral("Arbeits mappe ü cannot be read"), QStringLiteral("permissions")});
    row("bare, no files", bareAndEmpty, 1, {QStringLiteral("bare"), QStringLiteral("git clone")});
    row("bare", bare, 1, {QStringLiteral("bare"), QStringLiteral("Clone it")});
    row("detached HEAD", detached, 1, {QStringLiteral("HEAD is detached"), QStringLiteral("git switch -c")});
    row("merge under way", merging, 1, {QStringLiteral("merge"), QStringLiteral("git status")});
    row("no identity", noIdentity, 1, {QStringLiteral("who commits"), QStringLiteral("git config --global user.name")});
    row("problem.json broken", brokenProblem, 3, {QStringLiteral("problem.json:4:13 is not valid JSON")});
    row("problem.json, unknown key", unknownKey, 3, {QStringLiteral("problem.json"), QStringLiteral("dtpye")});
    row("no compiler", noCompiler, 1, {QStringLiteral("no C++ compiler"), QStringLiteral("g++")});
    row("small files only", smallFiles, 1, {QStringLiteral("8 KiB"), QStringLiteral("ulimit -f")});
    row("little memory", littleMemory, 1, {QStringLiteral("585 MiB"), QStringLiteral("ulimit -v")});
    row("no memory", noMemory, 1, {QStringLiteral("no more memory"), QStringLiteral("ulimit -a")});
    row("least memory", leastMemory, 1, {QStringLiteral("no more memory"), QStringLiteral("ulimit -a")});
    row("more, but not enough", betweenThem, 1, {QStringLiteral("memory"), QStringLiteral("ulimit -")});
    row("huge hints", hugeHints, 3, {QStringLiteral("HINTS.md is too big"), QStringLiteral("Shorten it")});
    row("a branch opt", branchInTheWay, 1, {QStringLiteral("branch opt"), QStringLiteral("git branch -m opt")});
}

void TestWorkspaceFaults::refused()
{
    QFETCH(Preparation, prepare);
    QFETCH(int, exitCode);
    QFETCH(QStringList, said);
    Scene scene;
    prepare(scene);
    if (!scene.skip.isEmpty())
        QSKIP(qPrintable(scene.skip));
    const QString around = QFileInfo(scene.repository.path()).path();
    const QHash<QString, QByteArray> before = filesBelow(around);
    const ProgramRun run = scene.run();
    QFile::setPermissions(scene.repository.path(), QFileDevice::Permissions(0x7755));
    for (const QString &words : said)
        QVERIFY2(run.output.contains(words), qPrintable(words + QStringLiteral(" is not in:\n") + run.output));
    QCOMPARE(saidTwice(run.output), QString());
    QVERIFY2(run.exitCode == exitCode, qPrintable(QStringLiteral("%1\n%2").arg(run.exitCode).arg(run.output)));
    QCOMPARE(differences(before, filesBelow(around)).join(QLatin1Char('\n')), QString());
}

void TestWorkspaceFaults::runsAndKeepsWhatIsTheUsers_data()
{
    QTest::addColumn<Preparation>("prepare");
    QTest::addColumn<QString>("branch");
    const auto row = [](const char *name, void (*prepare)(Scene &), const QString &branch) {
        QTest::newRow(name) << Preparation(prepare) << branch;
    };
    row("no repository", noRepository, {});
    row("inside another repository", insideAnother, QStringLiteral("opt/scale"));
    row("staged and unstaged changes", stagedAndUnstaged, QStringLiteral("opt/scale"));
    row("a submodule, and its branch is there already", submodule, QStringLiteral("opt/scale-2"));
    row("a branch below the one wanted", branchBelow, QStringLiteral("opt/scale-2"));
    row("CRLF line ends", carriageReturns, QStringLiteral("opt/scale"));
}

void TestWorkspaceFaults::runsAndKeepsWhatIsTheUsers()
{
    QFETCH(Preparation, prepare);
    QFETCH(QString, branch);
    Scene scene;
    prepare(scene);
    const QHash<QString, QByteArray> before = filesBelow(scene.workspace);
    const QString gitBefore = gitStateOfOthers(scene.repository, scene.workspace);
    const QString main = scene.repository.head();
    const ProgramRun run = scene.run();
    if (run.output.contains(QLatin1String("could not be measured")))
        QSKIP("this machine is too busy to measure anything");
    QVERIFY2(run.exitCode == 0, qPrintable(run.output));
    QStringList changed = differences(before, filesBelow(scene.workspace));
    changed.removeIf([](const QString &name) { return isOurs(name.mid(2)); });
    QCOMPARE(changed.join(QLatin1Char('\n')), QString());
    QCOMPARE(gitStateOfOthers(scene.repository, scene.workspace), gitBefore);
    QCOMPARE(scene.repository.git({QStringLiteral("rev-parse"), QStringLiteral("main")}), main);
    if (!branch.isEmpty())
        QCOMPARE(scene.repository.git({QStringLiteral("branch"), QStringLiteral("--show-current")}), branch);
}

QTEST_GUILESS_MAIN(TestWorkspaceFaults)
#include "tst_faults_workspace.moc"
