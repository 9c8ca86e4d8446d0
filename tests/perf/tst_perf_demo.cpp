// SPDX-License-Identifier: GPL-3.0-or-later
// Prints what `ako4all demo --headless` reaches on each example.
//   AKO_PERF_ITERATIONS: iterations of each (10)
#include "process/childprocess.h"
#include "support/figures.h"
#include "support/scratchrepository.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace ako;
using namespace ako::test;
using nlohmann::json;

namespace {

// What the lines of --json said.
struct Run
{
    int iterations = 0;
    QMap<QString, int> statuses;
    json finalRecord;
    int exitCode = -1;
    QString reason;
};

void take(Run &run, const json &event)
{
    const std::string kind = event.value("event", "");
    if (kind == "outcome") {
        run.exitCode = event.value("exit", -1);
        run.reason = QString::fromStdString(event.value("reason", ""));
    }
    if (kind != "iteration" || event["record"].value("commit", "").empty())
        return;
    const json &record = event["record"];
    if (record.value("kind", "") == "final")
        run.finalRecord = record;
    const int number = record.value("number", 0);
    if (record.value("kind", "") != "iteration" || number <= run.iterations)
        return; // an earlier one, completed with its analysis
    run.iterations = number;
    ++run.statuses[QString::fromStdString(record.value("status", ""))];
}

Run runDemo(const QString &example, const QString &into, int iterations)
{
    CommandSpec spec;
    spec.program = QStringLiteral(AKO_BINARY_DIR "/app/ako4all");
    spec.arguments = QStringList{QStringLiteral("demo"),
                                 QStringLiteral("--headless"),
                                 QStringLiteral("--json"),
                                 QStringLiteral("--example"),
                                 example,
                                 QStringLiteral("--into"),
                                 into,
                                 QStringLiteral("--iterations"),
                                 QString::number(iterations)};
    spec.outputLimitBytes = 256LL * 1024 * 1024;
    const ProcessEnd end = runToEnd(spec);
    Run run;
    const QList<QByteArray> lines = end.output.split('\n');
    for (const QByteArray &line : lines) {
        const json event = json::parse(line.begin(), line.end(), nullptr, false);
        if (event.is_object())
            take(run, event);
    }
    return run;
}

QString interval(const json &record, const char *key)
{
    const json ratio = record.value(key, json::object());
    if (ratio.empty())
        return QStringLiteral("none");
    const auto number = [&ratio](const char *name) { return QString::number(ratio.value(name, 0.0), 'f', 3); };
    return QStringLiteral("%1x [%2, %3]").arg(number("est"), number("lo"), number("hi"));
}

} // namespace

class TestDemoFigures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void demo_data();
    void demo();
};

void TestDemoFigures::initTestCase()
{
    isolateGitConfiguration();
    QFile configuration(QDir::homePath() + QStringLiteral("/.gitconfig"));
    QVERIFY(configuration.open(QIODevice::WriteOnly));
    configuration.write("[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n");
}

void TestDemoFigures::demo_data()
{
    QTest::addColumn<QString>("example");
    for (const char *name : {"matmul", "softmax", "stencil"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestDemoFigures::demo()
{
    QFETCH(QString, example);
    const QTemporaryDir folder;
    const Run run = runDemo(example, folder.filePath(example), amount("AKO_PERF_ITERATIONS", 10));
    QStringList statuses;
    for (auto status = run.statuses.cbegin(); status != run.statuses.cend(); ++status)
        statuses << QStringLiteral("%1 %2").arg(status.value()).arg(status.key());
    const bool hasFinal = run.finalRecord.is_object();
    printFigure(QStringLiteral("demo, %1").arg(example),
                QStringLiteral("%1 iterations (%2); final verdict against the baseline %3, restored iteration %4; %5 "
                               "(wanted: at least 6, and on two examples a lower end above 1.5x)")
                    .arg(run.iterations)
                    .arg(statuses.join(QStringLiteral(", ")),
                         hasFinal ? interval(run.finalRecord, "speedup_over_baseline") : QStringLiteral("none"))
                    .arg(hasFinal ? run.finalRecord.value("number", -1) : -1)
                    .arg(run.reason));
    QVERIFY2(run.exitCode == 0 && hasFinal && run.iterations > 0, qPrintable(run.reason));
}

QTEST_GUILESS_MAIN(TestDemoFigures)
#include "tst_perf_demo.moc"
