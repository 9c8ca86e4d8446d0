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
