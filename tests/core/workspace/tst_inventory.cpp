// SPDX-License-Identifier: GPL-3.0-or-later
#include "layout.h"

#include "workspace/inventory.h"

#include <QTemporaryDir>

using namespace ako;

namespace {

QStringList pathsOf(const Inventory &inventory, Role role)
{
    QStringList paths;
    for (const Finding &finding : inventory.withRole(role))
        paths.append(finding.path + QLatin1Char(' ') + finding.kind);
    paths.sort();
    return paths;
}

QString notesOf(const Inventory &inventory)
{
    return inventory.notes.join(QLatin1Char('\n'));
}

} // namespace

class InventoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void badWorkspaces_data();
    void badWorkspaces();
    void unreadableWorkspace();
    void unreadableFolderInside();
    void pipesAndDevicesAreNotOpened();
    void linksOutsideAreNotFollowed();
    void dataByItsFirstBytes();
    void benchScriptsByWhatTheyDo();
    void scaffoldPresent();
    void evidenceNamesFileAndLine();
    void problemDataFiles();
};

void InventoryTest::badWorkspaces_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("message");
    QTest::newRow("missing") << "nowhere" << "does not exist";
    QTest::newRow("a file") << "file" << "is a file";
    QTest::newRow("a dangling link") << "dangling" << "does not exist";
}

void InventoryTest::badWorkspaces()
{
    QFETCH(QString, path);
    QFETCH(QString, message);
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("file"), "x"}, {QStringLiteral("dangling -> nowhere"), {}}});
    const Result<Inventory> inventory = takeInventory(folder.filePath(path));
    QVERIFY(!inventory);
    QVERIFY2(inventory.error().message.contains(message), qPrintable(inventory.error().message));
    QVERIFY(inventory.error().message.contains(folder.filePath(path)));
    QVERIFY(!inventory.error().remedy.isEmpty());
}

void InventoryTest::unreadableWorkspace()
{
    if (::geteuid() == 0)
        QSKIP("root may read everything");
    QTemporaryDir folder;
    ::chmod(QFile::encodeName(folder.path()).constData(), 0);
    const Result<Inventory> inventory = takeInventory(folder.path());
    ::chmod(QFile::encodeName(folder.path()).constData(), 0700);
    QVERIFY(!inventory);
    QVERIFY(inventory.error().remedy.contains(QStringLiteral("chmod")));
}

void InventoryTest::unreadableFolderInside()
{
    if (::geteuid() == 0)
        QSKIP("root may read everything");
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("a.cpp"), kernelSource()}, {QStringLiteral("shut/b.cpp"), kernelSource()}});
    const QByteArray shut = QFile::encodeName(folder.filePath(QStringLiteral("shut")));
    ::chmod(shut.constData(), 0);
    const Result<Inventory> inventory = takeInventory(folder.path());
    ::chmod(shut.constData(), 0700);
    QVERIFY(inventory);
    QVERIFY(notesOf(*inventory).contains(QStringLiteral("shut/ was skipped: it cannot be read")));
    QCOMPARE(inventory->sources.size(), 1);
}

void InventoryTest::pipesAndDevicesAreNotOpened()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("a.cpp"), kernelSource()}, {QStringLiteral("zero.cpp -> /dev/zero"), {}}});
    for (const char *name : {"pipe.cpp", "problem.json", "HINTS.md"})
        QCOMPARE(::mkfifo(QFile::encodeName(folder.filePath(QLatin1String(name))).constData(), 0600), 0);
    const Result<Inventory> inventory = takeInventory(folder.path());
    QVERIFY(inventory);
    QCOMPARE(inventory->sources.size(), 1);
    QVERIFY(notesOf(*inventory).contains(QStringLiteral("pipe.cpp was skipped: it is no regular file")));
    QVERIFY(inventory->scaffoldPresent.contains(QStringLiteral("HINTS.md")));
}

void InventoryTest::linksOutsideAreNotFollowed()
{
    QTemporaryDir folder;
    QTemporaryDir outside;
    lay(outside.path(), {{QStringLiteral("o.cpp"), kernelSource()}});
    lay(folder.path(), {{QStringLiteral("in/a.cpp"), kernelSource()},
                        {QStringLiteral("loop -> in/.."), {}},
                        {QStringLiteral("self -> self"), {}},
                        {QStringLiteral("out -> ") + outside.path(), {}},
                        {QStringLiteral("o.cpp -> ") + outside.filePath(QStringLiteral("o.cpp")), {}}});
    const Result<Inventory> inventory = takeInventory(folder.path());
    QVERIFY(inventory);
    QCOMPARE(inventory->files, QStringList{QStringLiteral("in/a.cpp")});
    QVERIFY(notesOf(*inventory).contains(QStringLiteral("o.cpp was skipped: a link that leads outside")));
}

void InventoryTest::dataByItsFirstBytes()
{
    QTemporaryDir folder;
    const QByteArray zip = QByteArray("PK\x03\x04", 4) + QByteArray(26, '\0');
    lay(folder.path(), {{QStringLiteral("a.dat"), "\x93NUMPY\x01"},
                        {QStringLiteral("b.x"), zip + "arr_0.npy"},
                        {QStringLiteral("c.x"), zip + "archive/data.pkl"},
                        {QStringLiteral("d.x"), QByteArray("\x10\0\0\0\0\0\0\0{\"a\":{}}", 15)},
                        {QStringLiteral("e.pkl"), "\x80\x04\x95..."},
                        {QStringLiteral("f.bin"), QByteArray("\0\1\2", 3)},
                        {QStringLiteral("g.npy"), "not numpy"},
                        {QStringLiteral("h.zip"), zip + "readme"}});
    const Result<Inventory> inventory = takeInventory(folder.path());
    QVERIFY(inventory);
    QCOMPARE(pathsOf(*inventory, Role::Input).join(QStringLiteral(", ")),
             QStringLiteral("a.dat npy, b.x npz, c.x pt, d.x safetensors, e.pkl pickle, f.bin raw"));
}

void InventoryTest::benchScriptsByWhatTheyDo()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("bench.sh"), "#!/bin/sh\necho hello\n"}, // measures nothing
                        {QStringLiteral("run_bench.sh"), "#!/bin/sh\ntime ./x\n"},
                        {QStringLiteral("tools/benchmark.py"), "import time\nt = time.perf_counter()\n"},
                        {QStringLiteral("sub dir/Makefile"), "all:\nbench:\n\t./x\n"},
                        {QStringLiteral("Makefile"), "BENCH := 1\nbench := 2\nall:\n"},
                        {QStringLiteral("scripts/bench.sh"), "time ./x\n"}});
    const Result<Inventory> inventory = takeInventory(folder.path());
    QVERIFY(inventory);
    QStringList commands;
    for (const Finding &finding : inventory->withRole(Role::BenchScript))
        commands.append(finding.command);
    commands.sort();
    QCOMPARE(commands.join(QStringLiteral(" | ")),
             QStringLiteral("bash run_bench.sh | make -C 'sub dir' bench | python3 tools/benchmark.py"));
}

void InventoryTest::scaffoldPresent()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("HINTS.md"), ""}, {QStringLiteral(".gitignore -> nowhere"), {}}});
    const Result<Inventory> inventory = takeInventory(folder.path());
    QVERIFY(inventory);
    QCOMPARE(inventory->scaffoldPresent, QStringList({QStringLiteral("HINTS.md"), QStringLiteral(".gitignore")}));
}

void InventoryTest::evidenceNamesFileAndLine()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("a.cpp"), "\n// x\n" + kernelSource()}});
    const Result<Inventory> inventory = takeInventory(folder.path());
    QVERIFY(inventory);
    const QList<Finding> kernels = inventory->withRole(Role::Kernel);
    QCOMPARE(kernels.size(), 1);
    QCOMPARE(kernels.first().evidence.first().file, QStringLiteral("a.cpp"));
    QCOMPARE(kernels.first().evidence.first().line, 4);
    QVERIFY(kernels.first().evidence.first().reason.contains(QStringLiteral("scale_run()")));
}

void InventoryTest::problemDataFiles()
{
    QTemporaryDir folder;
    lay(folder.path(), {{QStringLiteral("p/problem.json"),
                         problemJson().replace(R"("type": "random")", R"("type": "file", "path": "../data/x.bin")")}});
    const Result<Inventory> inventory = takeInventory(folder.path());
    QVERIFY(inventory);
    QCOMPARE(inventory->problems.size(), 1);
    QCOMPARE(inventory->problems.first().dataFiles, QStringList{QStringLiteral("data/x.bin")});
    QCOMPARE(inventory->problems.first().referenceSources, QStringList{QStringLiteral("p/ref.cpp")});
}

QTEST_GUILESS_MAIN(InventoryTest)
#include "tst_inventory.moc"
