// SPDX-License-Identifier: GPL-3.0-or-later
#include "layout.h"

#include "workspace/planbuilder.h"
#include "workspace/pythonparser.h"

#include <QTemporaryDir>

#include <atomic>
#include <thread>

using namespace ako;

class PythonParserTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void sees_data();
    void sees();
    void faultsHaveTheirLine_data();
    void faultsHaveTheirLine();
    void anAwkwardTextCostsOnlyItself_data();
    void anAwkwardTextCostsOnlyItself();
    void aProgramThatIsNoPython_data();
    void aProgramThatIsNoPython();
    void thePythonOfTheWorkspaceIsNotStarted();
    void nothingOfTheWorkspaceIsRun();
    void filesThatVanishAndAppear();

private:
    PythonFacts parsed(const QByteArray &text) const
    {
        return parsePython(m_python, {{QStringLiteral("a.py"), text}})[0];
    }

    QString m_python;
};

void PythonParserTest::initTestCase()
{
    m_python = parsingPython(QStringLiteral("/nowhere"));
    if (m_python.isEmpty())
        QSKIP("no Python on this machine");
}

void PythonParserTest::sees_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("what"); // "decorators triton.jit 2"
    QTest::newRow("alias of a module") << QByteArray("import triton as tt\n@tt.jit\ndef k(): pass\n")
                                       << "decorators triton.jit 2";
    QTest::newRow("alias of a name") << QByteArray("from triton import jit as j\n@j\ndef k(): pass\n")
                                     << "decorators triton.jit 2";
    QTest::newRow("decorator with arguments")
        << QByteArray("import tilelang\n@tilelang.jit(\n  out_idx=[1])\ndef k(): pass\n")
        << "decorators tilelang.jit 2";
    QTest::newRow("nested definition")
        << QByteArray("import tilelang.language as T\ndef f():\n  @T.prim_func\n  def main(): pass\n")
        << "decorators tilelang.language.prim_func 3";
    QTest::newRow("inside try") << QByteArray("try:\n  class Model: pass\nexcept E:\n  pass\n") << "classes Model 2";
    QTest::newRow("relative import") << QByteArray("from ..a import b\n") << "imports ..a.b 1";
    QTest::newRow("continued call") << QByteArray("from torch.utils import cpp_extension as c\nx = (c\n .load(1))\n")
                                    << "calls torch.utils.cpp_extension.load 2";
    QTest::newRow("precision") << QByteArray("import torch\ntorch.backends.cuda.matmul.allow_tf32 = True\n")
                               << "settings allow_tf32=True 2";
    QTest::newRow("forward") << QByteArray(
                                    "import torch\nclass Model:\n  def forward(self, x):\n    return torch.relu(x)\n")
                             << "forward torch.relu 4";
}

void PythonParserTest::sees()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, what);
    const PythonFacts facts = parsed(text);
    const QStringList parts = what.split(u' ');
    const QHash<QString, QMap<QString, int>> maps{
        {QStringLiteral("decorators"), facts.decorators}, {QStringLiteral("classes"), facts.classes},
        {QStringLiteral("imports"), facts.imports},       {QStringLiteral("calls"), facts.calls},
        {QStringLiteral("settings"), facts.settings},     {QStringLiteral("forward"), facts.forwardCalls}};
    QCOMPARE(maps.value(parts[0]).value(parts[1]), parts[2].toInt());
    QVERIFY(!facts.python.isEmpty());
}

void PythonParserTest::faultsHaveTheirLine_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line");
    QTest::newRow("no colon") << QByteArray("import torch\nclass Model\n    pass\n") << 2;
    QTest::newRow("unclosed") << QByteArray("x = 1\ny = (2,\n") << 2;
    QTest::newRow("indentation") << QByteArray("def f():\n    x = 1\n  y = 2\n") << 3;
    QTest::newRow("Python 2") << QByteArray("print 'hello'\n") << 1;
}

void PythonParserTest::faultsHaveTheirLine()
{
    QFETCH(QByteArray, text);
    const PythonFacts facts = parsed(text);
    QVERIFY(!facts.syntaxError.isEmpty());
    QTEST(facts.syntaxErrorLine, "line");
}

void PythonParserTest::anAwkwardTextCostsOnlyItself_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("parentheses") << QByteArray(200000, '(');
    QTest::newRow("signs") << QByteArray("x = ") + QByteArray(300000, '-') + '1';
    QTest::newRow("attributes") << QByteArray("x = a") + QByteArray(".b").repeated(200000);
    QTest::newRow("a sum") << QByteArray("x = 1") + QByteArray("+1").repeated(200000);
    QTest::newRow("zero bytes") << QByteArray("x = 1\0y = 2", 11);
    QTest::newRow("invalid UTF-8") << QByteArray("# \xff\xfe\nx = '\xe9'\n");
    QTest::newRow("a number line") << QByteArray("12\nimport os\n");
    QTest::newRow("our own mark") << QByteArray("print('ako:{\"calls\": {}}')\n");
}

void PythonParserTest::anAwkwardTextCostsOnlyItself()
{
    QFETCH(QByteArray, text);
    const QByteArray good = "import triton\n@triton.jit\ndef k(): pass\n";
    const QList<PythonFacts> facts = parsePython(
        m_python, {{QStringLiteral("a.py"), good}, {QStringLiteral("b.py"), text}, {QStringLiteral("c.py"), good}});
    QCOMPARE(facts.size(), 3);
    for (const qsizetype i : {0, 2}) {
        QCOMPARE(facts[i].decorators.value(QStringLiteral("triton.jit")), 2);
        QVERIFY(!facts[i].python.isEmpty());
    }
}

void PythonParserTest::aProgramThatIsNoPython_data()
{
    QTest::addColumn<QString>("program");
    for (const char *program : {"", "/bin/false", "/bin/echo", "/nowhere/python3", "/bin/cat"})
        QTest::newRow(*program ? program : "none") << QString::fromLatin1(program);
}

// What is left is what the scanner sees.
void PythonParserTest::aProgramThatIsNoPython()
{
    QFETCH(QString, program);
    const PythonText text{QStringLiteral("a.py"), "import triton\n@triton.jit\ndef k(): pass\n"};
    const QList<PythonFacts> facts = parsePython(program, {text, text});
    QCOMPARE(facts.size(), 2);
    QCOMPARE(facts[1].decorators.value(QStringLiteral("triton.jit")), 2);
    QVERIFY(facts[1].python.isEmpty());
}

void PythonParserTest::thePythonOfTheWorkspaceIsNotStarted()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("env/bin/python3"), "#!/bin/sh\n"}, {QStringLiteral("own/bin/x"), ""}});
    QFile::setPermissions(folder.filePath(QStringLiteral("env/bin/python3")), QFile::ReadOwner | QFile::ExeOwner);
    QVERIFY(QFile::link(QStringLiteral("/bin/sh"), folder.filePath(QStringLiteral("own/bin/python3"))));
    const QByteArray before = qgetenv("VIRTUAL_ENV");
    for (const char *environment : {"env", "own"}) {
        qputenv("VIRTUAL_ENV", folder.filePath(QLatin1String(environment)).toLocal8Bit());
        QCOMPARE(parsingPython(folder.path()), m_python);
    }
    before.isNull() ? qunsetenv("VIRTUAL_ENV") : qputenv("VIRTUAL_ENV", before);
}

// Everything that a Python, a make or a shell would pick up leaves a mark if it is run.
void PythonParserTest::nothingOfTheWorkspaceIsRun()
{
    QTemporaryDir folder;
    QTemporaryDir elsewhere;
    const QByteArray mark = elsewhere.filePath(QStringLiteral("ran")).toLocal8Bit();
    const QByteArray python = "open('" + mark + "', 'w')\n";
    const QByteArray shell = "#!/bin/sh\ntouch " + mark + "\n";
    Layout layout{
        {QStringLiteral("model.py"), python + "import torch\nclass Model: pass\ndef get_inputs(): return []\n"},
        {QStringLiteral("bench.sh"), shell + "time true\n"},
        {QStringLiteral("Makefile"), "X := $(shell touch " + mark + ")\nbench:\n\ttouch " + mark + "\n"},
        {QStringLiteral("README.md"), "    ./bench.sh\n"},
        {QStringLiteral("x.pth"), "import os; os.system('touch " + mark + "')\n"},
        {QStringLiteral("w.pt"), QByteArray::fromHex("80046370")},
        {QStringLiteral(".git/hooks/post-checkout"), shell},
        {QStringLiteral("setup.py"), python}};
    for (const char *module : {"ast", "json", "sys", "encodings", "resource", "sitecustomize", "usercustomize", "site",
                               "conftest", "codecs", "io"})
        layout.insert(QString::fromLatin1(module) + QStringLiteral(".py"), python);
    for (const char *program : {"python3", "python", "git", "make", "sh", "bash", "nvcc", "g++"}) {
        layout.insert(QStringLiteral("bin/") + QLatin1String(program), shell);
        layout.insert(QString::fromLatin1(program), shell);
    }
    lay(folder.path(), layout);
    for (const QString &path : layout.keys())
        QFile::setPermissions(folder.filePath(path), QFile::ReadOwner | QFile::ExeOwner);
    const QHash<QByteArray, QByteArray> planted{
        {"PYTHONPATH", folder.path().toLocal8Bit()},
        {"PYTHONSTARTUP", folder.filePath(QStringLiteral("ast.py")).toLocal8Bit()},
        {"PYTHONHOME", folder.path().toLocal8Bit()},
        {"VIRTUAL_ENV", folder.path().toLocal8Bit()},
        {"PATH", folder.path().toLocal8Bit() + ":" + qgetenv("PATH")}};
    QHash<QByteArray, QByteArray> before;
    for (auto it = planted.cbegin(); it != planted.cend(); ++it) {
        before.insert(it.key(), qgetenv(it.key().constData()));
        qputenv(it.key().constData(), it.value());
    }
    const QString place = QDir::currentPath();
    QDir::setCurrent(folder.path());
    const Result<Inventory> inventory = takeInventory(folder.path());
    QDir::setCurrent(place);
    for (auto it = before.cbegin(); it != before.cend(); ++it)
        it->isNull() ? qunsetenv(it.key().constData()) : qputenv(it.key().constData(), *it);
    QVERIFY(inventory);
    const ResolvedPlan plan = buildPlan(*inventory, QStringLiteral("follow README.md"), {});
    QCOMPARE(plan.field(QLatin1String(planKey::kernel))->value, QStringLiteral("model.py"));
    QVERIFY(!inventory->pythonFile(QStringLiteral("model.py"))->facts.python.isEmpty()); // Python did read it
    QVERIFY(!QFileInfo::exists(QString::fromLocal8Bit(mark)));
}

// Whatever is there at the moment is read; nothing fails and nothing waits.
void PythonParserTest::filesThatVanishAndAppear()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("problem.json"), problemJson()},
                        {QStringLiteral("ref.cpp"), kernelSource()},
                        {QStringLiteral("k.cpp"), kernelSource()}});
    std::atomic<bool> stop = false;
    std::thread other([&] {
        for (int i = 0; !stop; ++i) {
            const QString name = folder.filePath(QStringLiteral("d%1/f%2").arg(i % 3).arg(i % 40));
            QDir().mkpath(QFileInfo(name).path());
            for (const char *suffix : {".py", ".cpp", ".npy", ".json"}) {
                QFile file(name + QLatin1String(suffix));
                if (file.open(QIODevice::WriteOnly))
                    file.write("import torch\n");
                file.close();
                if (i % 2)
                    QFile::remove(file.fileName());
            }
            if (i % 50 == 49)
                QDir(folder.filePath(QStringLiteral("d1"))).removeRecursively();
        }
    });
    for (int round = 0; round < 10; ++round) {
        const Result<Inventory> inventory = takeInventory(folder.path());
        QVERIFY(inventory);
        QCOMPARE(buildPlan(*inventory, {}, {}).field(QLatin1String(planKey::kernel))->value, QStringLiteral("k.cpp"));
    }
    stop = true;
    other.join();
}

QTEST_GUILESS_MAIN(PythonParserTest)
#include "tst_pythonparser.moc"
