// SPDX-License-Identifier: GPL-3.0-or-later
#include "layout.h"

#include "workspace/answers.h"
#include "workspace/approval.h"
#include "workspace/integritymanifest.h"
#include "workspace/scaffold.h"
#include "workspace/statefolder.h"
#include "workspace/treesnapshot.h"

#include <QScopeGuard>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace ako;

namespace {

const EvaluatorKind native = EvaluatorKind::Native;

QStringList texts(const QList<FileChange> &changes)
{
    QStringList list;
    for (const FileChange &change : changes)
        list.append(changeText(change));
    return list;
}

QString sourceScaffold()
{
    return QStringLiteral(AKO_SOURCE_DIR "/scaffold");
}

} // namespace

class WorkspaceFilesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void scaffoldIsCopiedOnce();
    void scaffoldOverwritesNothing();
    void scaffoldIntoReadOnlyFolder();
    void scaffoldThatIsMissing();
    void manifestSeesEveryChange();
    void manifestHasTheInputsOfTheProblem();
    void manifestNeedsItsFiles();
    void manifestOfCustomBench();
    void snapshotSeesWritesOutside();
    void snapshotTakesATouchForNothing();
    void answersAreKept();
    void brokenAnswersAreNamed();
    void approvalIsKept();
    void approvalIsOnesOwn_data();
    void approvalIsOnesOwn();
    void stateFolderInAnothersPlace();
};

void WorkspaceFilesTest::scaffoldIsCopiedOnce()
{
    QTemporaryDir source;
    QTemporaryDir folder;
    lay(source.path(), {{QStringLiteral("bench-wrapper.sh"), "w"},
                        {QStringLiteral("HINTS.md"), "h"},
                        {QStringLiteral("ITERATIONS.md"), "i"},
                        {QStringLiteral("workspace.gitignore"), "g"}});
    const QStringList missing = missingScaffold(folder.path(), native);
    QCOMPARE(missing, scaffoldFiles(folder.path(), native));
    QCOMPARE(copyScaffold(source.path(), folder.path(), missing).value(), missing);
    QCOMPARE(readFile(folder.filePath(QStringLiteral(".gitignore"))), QByteArray("g"));
    QVERIFY(QFileInfo(folder.filePath(QStringLiteral("bench-wrapper.sh"))).isExecutable());
    QVERIFY(missingScaffold(folder.path(), native).isEmpty());
    const QStringList before = treeState(folder.path());
    QVERIFY(copyScaffold(source.path(), folder.path(), scaffoldFiles(folder.path(), native)).value().isEmpty());
    QStringList after = treeState(folder.path());
    QCOMPARE(after, before);
}

void WorkspaceFilesTest::scaffoldOverwritesNothing()
{
    QTemporaryDir source;
    QTemporaryDir folder;
    lay(source.path(), {{QStringLiteral("bench-wrapper.sh"), "w"},
                        {QStringLiteral("HINTS.md"), "h"},
                        {QStringLiteral("ITERATIONS.md"), "i"},
                        {QStringLiteral("workspace.gitignore"), "g"}});
    lay(folder.path(), {{QStringLiteral("HINTS.md"), ""}, {QStringLiteral("ITERATIONS.md -> nowhere"), {}}});
    QDir(folder.path()).mkdir(QStringLiteral("bench-wrapper.sh"));
    QCOMPARE(missingScaffold(folder.path(), native), QStringList{QStringLiteral(".gitignore")});
    QCOMPARE(copyScaffold(source.path(), folder.path(), scaffoldFiles(folder.path(), native)).value(),
             QStringList{QStringLiteral(".gitignore")});
    QCOMPARE(readFile(folder.filePath(QStringLiteral("HINTS.md"))), QByteArray());
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("nowhere"))));
    QVERIFY(QFileInfo(folder.filePath(QStringLiteral("ITERATIONS.md"))).isSymLink());
    const QStringList names =
        QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    QCOMPARE(names.size(), 4); // no temporary file stays behind
}

void WorkspaceFilesTest::scaffoldIntoReadOnlyFolder()
{
    if (::geteuid() == 0)
        QSKIP("root may write everywhere");
    QTemporaryDir folder;
    ::chmod(QFile::encodeName(folder.path()).constData(), 0500);
    const Result<QStringList> copied = copyScaffold(sourceScaffold(), folder.path(), {QStringLiteral("HINTS.md")});
    ::chmod(QFile::encodeName(folder.path()).constData(), 0700);
    QVERIFY(!copied);
    QVERIFY(copied.error().message.contains(QStringLiteral("HINTS.md")));
    QVERIFY(!copied.error().remedy.isEmpty());
}

void WorkspaceFilesTest::scaffoldThatIsMissing()
{
    QTemporaryDir folder;
    QVERIFY(!locateScaffold(folder.filePath(QStringLiteral("none"))));
    const Result<QStringList> copied = copyScaffold(folder.path(), folder.path(), {QStringLiteral("HINTS.md")});
    QVERIFY(!copied);
    QVERIFY(copied.error().message.contains(QStringLiteral("HINTS.md")));
}

void WorkspaceFilesTest::manifestSeesEveryChange()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), "#include \"r/r.h\"\n"},
                        {QStringLiteral("r/r.h"), "int x;"},
                        {QStringLiteral("x.bin"), "1"},
                        {QStringLiteral("tool"), "t"}});
    ResolvedPlan plan;
    plan.workspace = folder.path();
    plan.problemFile = QStringLiteral("problem.json");
    plan.referenceFile = QStringLiteral("ref.cpp");
    plan.inputFiles = {QStringLiteral("x.bin")};
    const Result<IntegrityManifest> manifest = IntegrityManifest::of(plan, {folder.filePath(QStringLiteral("tool"))});
    QVERIFY(manifest);
    QCOMPARE(manifest->hashes.size(), 5);
    QCOMPARE(IntegrityManifest::fromJson(manifest->toJson()).value(), *manifest);
    QVERIFY(manifest->changes(folder.path()).isEmpty());

    writeFile(folder.filePath(QStringLiteral("r/r.h")), "int y;");
    writeFile(folder.filePath(QStringLiteral("tool")), "T");
    QFile::remove(folder.filePath(QStringLiteral("x.bin")));
    QCOMPARE(texts(manifest->changes(folder.path())),
             QStringList({folder.filePath(QStringLiteral("tool")) + QStringLiteral(" was changed"),
                          QStringLiteral("r/r.h was changed"), QStringLiteral("x.bin was removed")}));
}

void WorkspaceFilesTest::manifestHasTheInputsOfTheProblem()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("sub/problem.json"),
                         R"({"schema": "ako.problem/1", "name": "p", "axes": {"n": {"type": "const", "value": 4}},
 "inputs": {"x": {"shape": ["n"], "dtype": "float32"}}, "outputs": {"y": {"shape": ["n"], "dtype": "float32"}},
 "entry": {"symbol": "f", "args": ["x", "y", "n"]},
 "workloads": [{"id": "a", "inputs": {"x": {"type": "file", "path": "data/x.bin"}}}]})"},
                        {QStringLiteral("sub/data/x.bin"), "0123456789abcdef"}});
    ResolvedPlan plan;
    plan.workspace = folder.path();
    plan.problemFile = QStringLiteral("sub/problem.json");
    const Result<IntegrityManifest> manifest = IntegrityManifest::of(plan, {});
    QVERIFY(manifest);
    QCOMPARE(manifest->hashes.keys(),
             QStringList({QStringLiteral("sub/data/x.bin"), QStringLiteral("sub/problem.json")}));
    QFile::remove(folder.filePath(QStringLiteral("sub/data/x.bin")));
    QVERIFY(!IntegrityManifest::of(plan, {}));
}

void WorkspaceFilesTest::manifestNeedsItsFiles()
{
    QTemporaryDir folder;
    QCOMPARE(::mkfifo(QFile::encodeName(folder.filePath(QStringLiteral("p"))).constData(), 0600), 0);
    for (const char *name : {"none", "p", "."}) {
        const Result<IntegrityManifest> manifest = IntegrityManifest::ofFiles(folder.path(), {QLatin1String(name)});
        QVERIFY(!manifest);
        QVERIFY(manifest.error().message.contains(QStringLiteral("cannot be read")));
    }
    QVERIFY(!IntegrityManifest::fromJson(nlohmann::json::array()));
}

void WorkspaceFilesTest::manifestOfCustomBench()
{
    QTemporaryDir folder;
    lay(folder.path(),
        {{QStringLiteral("tools/bench.py"), "run('tools/check.sh', 'solution/k.cpp', 'k.cpp', 'out.json', "
                                            "'tools/missing.py', '../outside.py')\n"},
         {QStringLiteral("tools/check.sh"), "x"},
         {QStringLiteral("solution/k.cpp"), "x"},
         {QStringLiteral("k.cpp"), "x"},
         {QStringLiteral("out.json"), "{}"}});
    ResolvedPlan plan;
    plan.kernelFiles = QStringList{QStringLiteral("k.cpp")};
    plan.workspace = folder.path();
    plan.evaluator = EvaluatorKind::Custom;
    plan.benchCommand = QStringLiteral("python3 tools/bench.py --fast");
    const Result<IntegrityManifest> manifest = IntegrityManifest::of(plan, {});
    QVERIFY(manifest);
    // What it calls counts too; not what the loop changes, nor what the bench itself may write.
    QCOMPARE(manifest->hashes.keys(),
             QStringList({QStringLiteral("tools/bench.py"), QStringLiteral("tools/check.sh")}));
}

void WorkspaceFilesTest::snapshotSeesWritesOutside()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("a"), "1"},
                        {QStringLiteral("b"), "1"},
                        {QStringLiteral("c"), "1"},
                        {QStringLiteral("d"), "1"},
                        {QStringLiteral("l -> a"), {}},
                        {QStringLiteral("solution/k.cpp"), "1"},
                        {QStringLiteral(".ako/x"), "1"},
                        {QStringLiteral(".git/x"), "1"}});
    const Result<TreeSnapshot> snapshot = TreeSnapshot::take(folder.path(), {QStringLiteral("solution")});
    QVERIFY(snapshot);
    QVERIFY(snapshot->changes().value().isEmpty());
    lay(folder.path(), {{QStringLiteral("a"), "2"},
                        {QStringLiteral("new/e"), ""},
                        {QStringLiteral("solution/k.cpp"), "2"},
                        {QStringLiteral(".ako/x"), "2"}});
    QFile::remove(folder.filePath(QStringLiteral("b")));
    QFile::remove(folder.filePath(QStringLiteral("l")));
    lay(folder.path(), {{QStringLiteral("l -> c"), {}}});
    ::chmod(QFile::encodeName(folder.filePath(QStringLiteral("d"))).constData(), 0755);
    QCOMPARE(texts(snapshot->changes().value()),
             QStringList({QStringLiteral("a was changed"), QStringLiteral("b was removed"),
                          QStringLiteral("d was changed"), QStringLiteral("l was changed"),
                          QStringLiteral("new was added"), QStringLiteral("new/e was added")}));
}

void WorkspaceFilesTest::snapshotTakesATouchForNothing()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("a"), "1"}});
    const Result<TreeSnapshot> snapshot = TreeSnapshot::take(folder.path(), {});
    QVERIFY(snapshot);
    QFile::remove(folder.filePath(QStringLiteral("a")));
    writeFile(folder.filePath(QStringLiteral("a")), "1");
    QVERIFY(snapshot->changes().value().isEmpty());
    QVERIFY(!TreeSnapshot::take(folder.filePath(QStringLiteral("none")), {}));
}

void WorkspaceFilesTest::answersAreKept()
{
    QTemporaryDir folder;
    const QStringList before = treeState(folder.path());
    QVERIFY(loadAnswers(folder.path()).value().isEmpty());
    QCOMPARE(treeState(folder.path()), before);
    const Answers answers{{QStringLiteral("kernel"), QStringLiteral("größer/行列.cpp")}};
    QVERIFY(saveAnswers(folder.path(), answers));
    QCOMPARE(loadAnswers(folder.path()).value(), answers);
    QCOMPARE(readFile(folder.filePath(QStringLiteral(".ako/.gitignore"))), QByteArray("*\n"));
}

void WorkspaceFilesTest::brokenAnswersAreNamed()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral(".ako/answers.json"), "[1, 2"}, {QStringLiteral(".ako/approval.json"), "{}"}});
    QVERIFY(loadAnswers(folder.path()).error().message.contains(QStringLiteral("answers.json")));
    QVERIFY(loadApproval(folder.path()).error().message.contains(QStringLiteral("approval.json")));
}

void WorkspaceFilesTest::approvalIsKept()
{
    QTemporaryDir folder;
    QVERIFY(!loadApproval(folder.path()).value());
    Approval approval;
    approval.plan.workspace = folder.path();
    approval.plan.kernelName = QStringLiteral("scale");
    approval.manifest.hashes.insert(QStringLiteral("ref.cpp"), "ab");
    approval.time = QDateTime::fromMSecsSinceEpoch(1767225600123);
    QVERIFY(saveApproval(folder.path(), approval));
    const Result<std::optional<Approval>> loaded = loadApproval(folder.path());
    QVERIFY(loaded && *loaded);
    QCOMPARE((*loaded)->plan.toJson().dump(), approval.plan.toJson().dump());
    QCOMPARE((*loaded)->manifest, approval.manifest);
    QCOMPARE((*loaded)->time, approval.time);
}

void WorkspaceFilesTest::approvalIsOnesOwn_data()
{
    QTest::addColumn<QString>("change");
    QTest::addColumn<bool>("approved");
    QTest::newRow("moved") << QStringLiteral("move") << true;
    QTest::newRow("by another user, packed with the workspace") << QStringLiteral("user") << false;
    QTest::newRow("another kernel written into it") << QStringLiteral("plan") << false;
    QTest::newRow("another hash written into it") << QStringLiteral("hash") << false;
    QTest::newRow("no seal") << QStringLiteral("seal") << false;
    QTest::newRow("the configuration cannot be written") << QStringLiteral("configuration") << true;
    QTest::newRow("a key that others can read") << QStringLiteral("open key") << false;
}

void WorkspaceFilesTest::approvalIsOnesOwn()
{
    QFETCH(QString, change);
    QFETCH(bool, approved);
    const QTemporaryDir place;
    const QByteArray configuration = QFile::encodeName(place.filePath(QStringLiteral("configuration")));
    const bool isUnwritable = change == QLatin1String("configuration") || change == QLatin1String("open key");
    qputenv("XDG_CONFIG_HOME", isUnwritable ? QByteArray("/dev/null/x") : configuration);
    qputenv("TMPDIR", QFile::encodeName(place.path()));
    const auto restored = qScopeGuard([] {
        qunsetenv("XDG_CONFIG_HOME");
        qunsetenv("TMPDIR");
    });
    QString folder = place.filePath(QStringLiteral("here"));
    QVERIFY(QDir().mkpath(folder));
    Approval approval;
    approval.plan.kernelName = QStringLiteral("scale");
    approval.manifest.hashes.insert(QStringLiteral("ref.cpp"), "ab");
    QVERIFY(saveApproval(folder, approval));
    QVERIFY(loadApproval(folder)->has_value());

    if (change == QLatin1String("move")) {
        const QString there = place.filePath(QStringLiteral("there"));
        QVERIFY(QDir().rename(folder, there));
        folder = there;
    } else if (change == QLatin1String("user")) {
        qputenv("XDG_CONFIG_HOME", configuration + "-of-another");
    } else if (change == QLatin1String("open key")) {
        QFile key(place.path() + QStringLiteral("/ako4all-%1/approval-key").arg(geteuid()));
        QVERIFY(key.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther));
    } else if (change != QLatin1String("configuration")) {
        QByteArray content = readFile(folder + QStringLiteral("/.ako/approval.json"));
        content.replace("scale", change == QLatin1String("plan") ? "other" : "scale");
        content.replace("\"ab\"", change == QLatin1String("hash") ? "\"cd\"" : "\"ab\"");
        content.replace("\"seal\"", change == QLatin1String("seal") ? "\"zeal\"" : "\"seal\"");
        lay(folder, {{QStringLiteral(".ako/approval.json"), content}});
    }
    const auto loaded = loadApproval(folder);
    QVERIFY2(loaded.has_value(), loaded ? "" : qPrintable(loaded.error().text()));
    QCOMPARE(loaded->has_value(), approved);
}

void WorkspaceFilesTest::stateFolderInAnothersPlace()
{
    QTemporaryDir folder;
    QTemporaryDir outside;
    lay(folder.path(), {{QStringLiteral(".ako -> ") + outside.path(), {}}});
    const Result<void> saved = saveAnswers(folder.path(), {});
    QVERIFY(!saved);
    QVERIFY(saved.error().message.contains(QStringLiteral(".ako")));
    QVERIFY(QDir(outside.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
}

QTEST_GUILESS_MAIN(WorkspaceFilesTest)
#include "tst_workspacefiles.moc"
