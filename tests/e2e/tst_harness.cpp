// SPDX-License-Identifier: GPL-3.0-or-later
// A change of what the measurement depends on, from a terminal: shown, put back, and then gone on as if nothing were.
#include "support/agentworkspace.h"
#include "support/programrun.h"
#include "support/scratchrepository.h"

#include <QTest>

using namespace ako;
using namespace ako::test;

class TestHarness : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { isolateGitConfiguration(); }
    void isShownAndPutBack();
};

void TestHarness::isShownAndPutBack()
{
    const ScratchRepository repository;
    agentworkspace::writeTo(repository);
    const auto call = [&](const QStringList &words) {
        QStringList arguments = words;
        arguments.insert(1, repository.path());
        return runProgram(arguments);
    };
    const auto expect = [](const ProgramRun &run, int exitCode, const char *says) {
        if (run.exitCode != exitCode || !run.output.contains(QLatin1String(says)))
            qWarning("%d: %s", run.exitCode, qPrintable(run.output));
        return run.exitCode == exitCode && run.output.contains(QLatin1String(says));
    };
    const QString harness = QStringLiteral("harness"), restore = QStringLiteral("--restore");
    QVERIFY(expect(call({harness}), 1, "Nothing was approved here yet"));
    const ProgramRun first = runProgram(agentworkspace::run(repository, QStringLiteral("comment"), 1));
    QVERIFY2(first.exitCode == 0, qPrintable(first.output));
    QVERIFY(expect(call({harness}), 0, "is as it was approved"));

    const QByteArray approved = repository.read(QStringLiteral("reference.cpp"));
    repository.write(QStringLiteral("reference.cpp"), approved + "// easier\n");
    const QStringList iterate{QStringLiteral("iterate"), QStringLiteral("--title"), QStringLiteral("x")};
    QVERIFY(expect(call(iterate), 4, "reference.cpp"));
    QVERIFY(expect(call({harness}), 4, "+// easier\n"));
    QVERIFY(expect(call({harness, QStringLiteral("--json")}), 4, "ako4all harness"));
    QCOMPARE(repository.read(QStringLiteral("reference.cpp")), approved + "// easier\n");
    QVERIFY(expect(call({harness, restore}), 0, "Put back: reference.cpp. What was there is in .ako/discarded/"));
    QCOMPARE(repository.read(QStringLiteral("reference.cpp")), approved);
    QVERIFY(expect(call({harness, restore}), 0, "is as it was approved"));
    QVERIFY(expect(call(iterate), 1, "there is no edit to bench"));
}

QTEST_GUILESS_MAIN(TestHarness)
#include "tst_harness.moc"
