// SPDX-License-Identifier: GPL-3.0-or-later
// Kills a running loop with SIGKILL at every effect, opens the workspace again and lets it run to the end.
#include "history/iterationslog.h"
#include "support/loopfakes.h"
#include "support/scratchrepository.h"

#include <QProcess>
#include <QTest>

using namespace ako;
using namespace ako::test;

class TestRecovery : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void killedAnywhere_data();
    void killedAnywhere();
    void killedWhileAnAgentBenched();
    void killedTwiceCountsAsFailed_data();
    void killedTwiceCountsAsFailed();

private:
    struct End
    {
        int exitCode = -1;
        bool killed = false;
        QString output;
    };
    static End host(const QString &workspace, const QString &killAt);
};

TestRecovery::End TestRecovery::host(const QString &workspace, const QString &killAt)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (!killAt.isEmpty())
        environment.insert(QStringLiteral("AKO_TEST_KILL_AT"), killAt);
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QCoreApplication::applicationDirPath() + QStringLiteral("/loop_host"),
                  {workspace, QStringLiteral(AKO_SOURCE_DIR) + QStringLiteral("/scaffold")});
    if (!process.waitForFinished(60000))
        qFatal("the host hangs: %s", process.readAll().constData());
    return {process.exitCode(), process.exitStatus() == QProcess::CrashExit, QString::fromUtf8(process.readAll())};
}

void TestRecovery::killedAnywhere_data()
{
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("says"); // what the second process must tell; empty: nothing was unfinished
    const auto row = [](const char *place, const char *says = "") {
        QTest::newRow(place) << QString::fromLatin1(place) << QString::fromLatin1(says);
    };
    for (const char *effect : {"open", "record-approval", "prepare-repository", "prepare-scaffold", "prepare-solution",
                               "prepare-bench-script"}) {
        for (const char *when : {"before", "after"})
            row(qPrintable(QStringLiteral("%1:%2").arg(QLatin1String(effect), QLatin1String(when))));
    }
    row("profile:before");
    row("mark:before");                          // the baseline is about to be begun
    row("verdict:before", "recovered 0 edited"); // the baseline's
    row("verdict:after", "recovered 0 edited");
    row("mark:before:2", "recovered 0 edited");
    row("write-entry:before", "recovered 0 benched completed");
    row("write-entry:between", "recovered 0 benched completed");
    row("write-entry:after", "recovered 0 benched completed");
    row("commit:before", "recovered 0 logged completed");
    row("commit:between", "recovered 0 committed completed");
    row("commit:after", "recovered 0 committed completed");
    row("inspect:before");
    row("inspect:after");
    row("reset-solution:before");
    row("reset-solution:after");
    row("propose:before", "recovered 1 begun discarded");
    row("propose:after", "recovered 1 begun discarded");
    row("compare-tree:before", "recovered 1 begun discarded");
    row("compare-tree:after", "recovered 1 begun discarded");
    row("bench:before", "recovered 1 edited kept");
    row("bench:after", "recovered 1 edited kept");
    row("verdict:before:2", "recovered 1 benched kept");
    row("verdict:after:2", "recovered 1 benched kept");
    row("write-entry:before:2", "recovered 1 benched completed");
    row("write-entry:between:2", "recovered 1 benched completed");
    row("write-entry:after:2", "recovered 1 benched completed");
    row("commit:before:2", "recovered 1 logged completed");
    row("commit:between:2", "recovered 1 committed completed");
    row("commit:after:2", "recovered 1 committed completed");
    row("write-entry:before:3", "recovered 2 benched completed"); // a regression
    row("write-entry:before:4", "recovered 3 benched completed"); // not correct
    row("commit:before:4", "recovered 3 logged completed");
    row("reset-solution:before:4");
    row("reset-solution:before:5"); // the final's
    row("reset-solution:after:5");
    row("verdict:before:4", "recovered 4 edited discarded"); // the final's, numbered by what it restores
    row("verdict:after:4", "recovered 4 edited discarded");
    row("write-entry:before:6", "recovered 4 benched completed");
    row("commit:before:6", "recovered 4 logged completed");
    row("commit:between:6", "recovered 4 committed completed");
}

void TestRecovery::killedAnywhere()
{
    QFETCH(QString, place);
    QFETCH(QString, says);
    ScratchRepository repository;
    repository.write(QStringLiteral("kernel.cpp"), kernel(10.0));
    repository.write(QStringLiteral("reference.cpp"), "void r() {}\n");
    repository.write(QStringLiteral("problem.json"), "{}\n");
    repository.write(QStringLiteral("notes.txt"), "one\n");
    repository.commitAll(QStringLiteral("mine"));
    repository.write(QStringLiteral("notes.txt"), "two and more\n");

    const End first = host(repository.path(), place);
    QVERIFY2(first.killed, qPrintable(first.output));
    const End second = host(repository.path(), {});
    QVERIFY2(second.exitCode == 0 && !second.killed, qPrintable(second.output));
    QVERIFY2(says.isEmpty() ? !second.output.contains(QStringLiteral("recovered"))
                            : second.output.contains(
                                  says + (says.count(QLatin1Char(' ')) == 3 ? QStringLiteral("\n") : QString())),
             qPrintable(second.output));

    // Nothing lost, nothing doubled.
    QStringList marks;
    for (const QString &subject :
         repository.git({QStringLiteral("log"), QStringLiteral("--reverse"), QStringLiteral("--format=%s")})
             .split(QLatin1Char('\n')))
        marks << subject.section(QLatin1Char(']'), 0, 0);
    QCOMPARE(marks.join(QLatin1Char(' ')), QStringLiteral("mine [baseline [iter 1 [iter 2 [iter 3 [iter 4 [final"));
    const auto log = IterationsLog::load(repository.path());
    QVERIFY(log);
    QCOMPARE(log->entries().size(), 6);
    const QStringList folders =
        QDir(repository.filePath(QStringLiteral("trajectory"))).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    QCOMPARE(folders.size(), 8); // baseline, final, 1 to 4, and a verdict for two of them
    QCOMPARE(repository.read(QStringLiteral("solution/kernel.cpp")), kernel(5.0));
    QCOMPARE(repository.git({QStringLiteral("status"), QStringLiteral("--porcelain")}), QStringLiteral(" M notes.txt"));
}

// What its bench left is no part of the history; a person's own trials stay.
void TestRecovery::killedWhileAnAgentBenched()
{
    ScratchRepository repository;
    repository.write(QStringLiteral("kernel.cpp"), kernel(10.0));
    repository.write(QStringLiteral("reference.cpp"), "void r() {}\n");
    repository.write(QStringLiteral("problem.json"), "{}\n");
    repository.commitAll(QStringLiteral("mine"));
    QVERIFY(host(repository.path(), QStringLiteral("propose:after")).killed);
    const QString left = QStringLiteral("trajectory/20261130-101500_iter-1-probe-2/");
    const QString theirs = QStringLiteral("trajectory/20261130-101501_my-probe-2/");
    repository.write(left + QStringLiteral("output.txt"), "half of it\n");
    repository.write(theirs + QStringLiteral("output.txt"), "mine\n");
    const End second = host(repository.path(), {});
    QVERIFY2(second.exitCode == 0, qPrintable(second.output));
    QVERIFY(!QFile::exists(repository.filePath(left)));
    QCOMPARE(repository.read(QStringLiteral(".ako/probes/iter-1/2/output.txt")), QByteArray("half of it\n"));
    QCOMPARE(repository.read(theirs + QStringLiteral("output.txt")), QByteArray("mine\n"));
    QVERIFY(
        !repository.git({QStringLiteral("log"), QStringLiteral("--name-only")}).contains(QStringLiteral("probe-2")));
}

void TestRecovery::killedTwiceCountsAsFailed_data()
{
    QTest::addColumn<QString>("place");
    QTest::newRow("in the signal") << QStringLiteral("bench:before");
    QTest::newRow("in the verdict") << QStringLiteral("verdict:before");
}

void TestRecovery::killedTwiceCountsAsFailed()
{
    QFETCH(QString, place);
    ScratchRepository repository;
    repository.write(QStringLiteral("kernel.cpp"), kernel(10.0));
    repository.write(QStringLiteral("reference.cpp"), "void r() {}\n");
    repository.write(QStringLiteral("problem.json"), "{}\n");
    repository.commitAll(QStringLiteral("mine"));
    const bool baselineIsFirst = place.startsWith(QLatin1String("verdict"));
    QVERIFY(host(repository.path(), baselineIsFirst ? place + QStringLiteral(":2") : place).killed);
    const End second = host(repository.path(), place);
    QVERIFY2(second.killed && !second.output.contains(QStringLiteral("failed")), qPrintable(second.output));
    const End third = host(repository.path(), {});
    QVERIFY2(third.exitCode == 0 && third.output.contains(QStringLiteral("iter-1 counts as failed")),
             qPrintable(third.output));
    QVERIFY(repository.git({QStringLiteral("log"), QStringLiteral("--format=%s")})
                .contains(QStringLiteral("[iter 1] eight")));
    const auto log = IterationsLog::load(repository.path());
    QVERIFY(log);
    QCOMPARE(log->entries().size(), 6);
    QCOMPARE(repository.read(QStringLiteral("solution/kernel.cpp")), kernel(5.0)); // the fourth
    QCOMPARE(repository.git({QStringLiteral("status"), QStringLiteral("--porcelain")}), QString());
}

QTEST_GUILESS_MAIN(TestRecovery)
#include "tst_recovery.moc"
