// SPDX-License-Identifier: GPL-3.0-or-later
// Every command says the same of a folder that is none, or in which nothing has run.
#include "support/programrun.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace ako::test;

class TestWrongFolders : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isNone_data();
    void isNone();
    void asksAllAtOnce();
    void hasNoRun_data();
    void hasNoRun();
};

static QStringList words(const char *text)
{
    return QString::fromLatin1(text).split(QLatin1Char(' '));
}

void TestWrongFolders::isNone_data()
{
    QTest::addColumn<QStringList>("arguments"); // FOLDER in the place of the folder
    for (const char *command : {"plan FOLDER", "run FOLDER", "history FOLDER", "restore FOLDER 1", "revert FOLDER 1",
                                "measure FOLDER 1", "iterate FOLDER --title x", "note FOLDER 1 --text x",
                                "finish FOLDER", "report FOLDER", "apply FOLDER", "doctor FOLDER"})
        QTest::newRow(command) << words(command);
}

void TestWrongFolders::isNone()
{
    QFETCH(QStringList, arguments);
    const QTemporaryDir place;
    QFile file(place.filePath(QStringLiteral("file")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (const char *name : {"missing", "file"}) {
        QStringList here = arguments;
        here.replaceInStrings(QStringLiteral("FOLDER"), place.filePath(QLatin1String(name)));
        const ProgramRun run = runProgram(here);
        QCOMPARE(run.exitCode, 1);
        QVERIFY2(run.output.startsWith(QStringLiteral("ako4all: ") + place.path()), qPrintable(run.output));
        QCOMPARE(run.output.count(place.path()), 1);
    }
}

// Two kernels and two benches: one call can answer both questions.
void TestWrongFolders::asksAllAtOnce()
{
    const QTemporaryDir place;
    const auto put = [&](const char *name, const QByteArray &content) {
        QFile file(place.filePath(QLatin1String(name)));
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() &&
               file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    for (const char *name : {"a", "b"})
        QVERIFY(put(qPrintable(QLatin1String(name) + QStringLiteral(".cpp")),
                    "extern \"C\" void scale_" + QByteArray(name) +
                        "(const float *x, float *y, long n)\n{\n    for (long i = 0; i < n; ++i)\n"
                        "        y[i] = 2 * x[i];\n}\n"));
    for (const char *name : {"bench1.sh", "bench2.sh"})
        QVERIFY(put(name, "#!/bin/sh\ng++ -O2 solution/*.cpp main.cpp && ./a.out\necho RUNTIME: 1\n"));
    const ProgramRun run = runProgram({QStringLiteral("plan"), place.path()});
    QCOMPARE(run.exitCode, 3);
    QVERIFY2(run.output.contains(QStringLiteral("--answer kernel=VALUE --answer bench-mode=VALUE")),
             qPrintable(run.output));
    const ProgramRun answered =
        runProgram({QStringLiteral("plan"), place.path(), QStringLiteral("--answer"), QStringLiteral("kernel=a.cpp"),
                    QStringLiteral("--answer"), QStringLiteral("bench-mode=custom: bench1.sh")});
    QVERIFY2(!answered.output.contains(QStringLiteral("Question (")), qPrintable(answered.output));
}

void TestWrongFolders::hasNoRun_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QString>("says");
    const QString none = QStringLiteral("There is no run in ");
    for (const char *command : {"restore FOLDER 1", "revert FOLDER 1", "measure FOLDER 1", "iterate FOLDER --title x",
                                "note FOLDER 1 --text x", "finish FOLDER"})
        QTest::newRow(command) << words(command) << 4 << none;
    QTest::newRow("report") << words("report FOLDER") << 1 << QStringLiteral("nothing to report");
    QTest::newRow("apply") << words("apply FOLDER") << 1 << QStringLiteral("nothing to report");
    QTest::newRow("history") << words("history FOLDER") << 0 << QStringLiteral("No iterations yet");
}

void TestWrongFolders::hasNoRun()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, exitCode);
    QFETCH(QString, says);
    const QTemporaryDir place;
    arguments.replaceInStrings(QStringLiteral("FOLDER"), place.path());
    const ProgramRun run = runProgram(arguments);
    QVERIFY2(run.output.contains(says), qPrintable(run.output));
    QVERIFY2(!run.output.contains(QStringLiteral("Resolved Plan")), qPrintable(run.output));
    QCOMPARE(run.exitCode, exitCode);
}

QTEST_GUILESS_MAIN(TestWrongFolders)
#include "tst_wrongfolders.moc"
