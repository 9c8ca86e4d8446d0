// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/numbers.h"
#include "git/folderdiff.h"
#include "report/reportchart.h"
#include "report/runreport.h"
#include "support/samplerun.h"
#include "support/scratchrepository.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>
#include <QXmlStreamReader>

using namespace ako;
using namespace ako::test;

class ReportTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void patchIsWhatGitApplies_data();
    void patchIsWhatGitApplies();
    void pageHasEveryEntry();
    void whatWasMultipliedIsMarked();
    void workloadsHaveIntervals();
    void whatWasNotMeasuredIsNoNumber();
    void textsOfTheWorkspaceAreNoMarkup();
    void pageNeedsNothingElse();
    void chartIsWellFormed();
    void environmentIsAsTheEvaluatorWroteIt();
};

namespace {

RunReport report()
{
    RunReport report;
    report.name = QStringLiteral("softmax");
    report.branch = QStringLiteral("opt/softmax");
    report.when = QDateTime(QDate(2026, 1, 15), QTime(9, 30));
    report.records = sampleRun::records() << sampleRun::finalRecord();
    report.best = sampleRun::finalRecord();
    report.patch = "diff --git a/softmax.cpp b/softmax.cpp\n@@ -1 +1 @@\n-int a;\n+int b;\n";
    report.environment = {{QStringLiteral("cpu"), QStringLiteral("a processor")}};
    report.reproduce = {QStringLiteral("git checkout abc")};
    return report;
}

QString page(const RunReport &report)
{
    return QString::fromUtf8(reportHtml(report));
}

// The table's row whose first cell is that.
QString rowOf(const QString &page, const QString &entry)
{
    const qsizetype begin = page.indexOf(QStringLiteral("<tr><td class=\"n\">%1</td>").arg(entry));
    return begin < 0 ? QString() : page.mid(begin, page.indexOf(QStringLiteral("</tr>"), begin) - begin);
}

} // namespace

void ReportTest::patchIsWhatGitApplies_data()
{
    using Files = QMap<QString, QByteArray>;
    QTest::addColumn<Files>("before");
    QTest::addColumn<Files>("after");
    QByteArray many;
    for (int line = 1; line <= 60; ++line)
        many += "line " + QByteArray::number(line) + '\n';
    QByteArray changed = many;
    changed.replace("line 5\n", "fifth\n").replace("line 50\n", "");
    const QString name = QStringLiteral("k.cpp");
    QTest::newRow("two hunks") << Files{{name, many}} << Files{{name, changed}};
    QTest::newRow("no newline at the end") << Files{{name, "a\nb"}} << Files{{name, "a\nc\n"}};
    QTest::newRow("newline goes") << Files{{name, "a\nb\n"}} << Files{{name, "a\nb"}};
    QTest::newRow("new file") << Files{{name, "a\n"}} << Files{{name, "a\n"}, {QStringLiteral("b/x.h"), "1\n2\n"}};
    QTest::newRow("file goes") << Files{{name, "a\n"}, {QStringLiteral("x.h"), "1\n"}} << Files{{name, "a\n"}};
    QTest::newRow("first lines") << Files{{name, "a\nb\nc\n"}} << Files{{name, "0\na\nb\nc\n"}};
    QTest::newRow("other line ends") << Files{{name, "a\r\nb\r\n"}} << Files{{name, "a\r\nc\r\n"}};
    QTest::newRow("from empty") << Files{{name, ""}} << Files{{name, "a\n"}};
    for (const char *odd :
         {"my kernel.cpp", "a \"b\" c.cpp", "back\\slash.cpp", "tab\there.cpp", "größe.cpp", " leads.cpp"})
        QTest::newRow(odd) << Files{{QString::fromUtf8(odd), many}} << Files{{QString::fromUtf8(odd), changed}};
}

void ReportTest::patchIsWhatGitApplies()
{
    using Files = QMap<QString, QByteArray>;
    QFETCH(Files, before);
    QFETCH(Files, after);
    ScratchRepository scratch;
    for (auto file = before.cbegin(); file != before.cend(); ++file)
        scratch.write(QStringLiteral("src/") + file.key(), *file);
    scratch.write(QStringLiteral("keep"), "so that there is a commit\n");
    scratch.commitAll(QStringLiteral("before"));
    const auto patch = patchOf({before, {}, {}}, {after, {}, {}}, QStringLiteral("src"));
    QVERIFY(patch.has_value());
    scratch.write(QStringLiteral("p.patch"), *patch);
    scratch.git({QStringLiteral("apply"), QStringLiteral("p.patch")});
    for (auto file = after.cbegin(); file != after.cend(); ++file)
        QCOMPARE(scratch.read(QStringLiteral("src/") + file.key()), *file);
    if (!QStandardPaths::findExecutable(QStringLiteral("patch")).isEmpty()) {
        QProcess process; // takes it back again
        process.setWorkingDirectory(scratch.path());
        process.start(QStringLiteral("patch"), {QStringLiteral("-p1"), QStringLiteral("-s"), QStringLiteral("-R"),
                                                QStringLiteral("-i"), QStringLiteral("p.patch")});
        QVERIFY(process.waitForFinished());
        QVERIFY2(process.exitCode() == 0, process.readAllStandardOutput().constData());
        for (auto file = before.cbegin(); file != before.cend(); ++file)
            QCOMPARE(scratch.read(QStringLiteral("src/") + file.key()), *file);
        scratch.git({QStringLiteral("apply"), QStringLiteral("p.patch")});
    }
    for (auto file = before.cbegin(); file != before.cend(); ++file)
        QCOMPARE(QFile::exists(scratch.path() + QStringLiteral("/src/") + file.key()), after.contains(file.key()));
}

void ReportTest::pageHasEveryEntry()
{
    const QString html = page(report());
    QVERIFY(html.contains(QStringLiteral("2.130x (2.114x … 2.146x) over the original kernel")));
    for (const IterationRecord &record : sampleRun::records()) {
        const QString row = rowOf(html, QString::number(record.number));
        QVERIFY2(row.contains(record.title.toHtmlEscaped()), qPrintable(record.title));
        QVERIFY(row.contains(record.commit.left(10)));
    }
    QVERIFY(rowOf(html, QStringLiteral("1")).contains(QStringLiteral("no-change, provisional")));
    QVERIFY(rowOf(html, QStringLiteral("7")).contains(QStringLiteral("improved, confirmed")));
    QVERIFY(rowOf(html, QStringLiteral("9")).contains(QStringLiteral("failed, quarantined")));
    for (const char *part : {"a processor", "git checkout abc", "rows=4096 columns=1024"})
        QVERIFY2(html.contains(QLatin1String(part)), part);
    QVERIFY(html.contains(report().best.solutionHash));
}

void ReportTest::whatWasMultipliedIsMarked()
{
    RunReport shown = report();
    QString html = page(shown);
    QVERIFY(html.contains(QStringLiteral("measured side by side with the original kernel")));
    QVERIFY(rowOf(html, QStringLiteral("7")).contains(QStringLiteral("≈1.960x")));
    QVERIFY(!rowOf(html, QStringLiteral("final (10)")).contains(QStringLiteral("≈")));
    QCOMPARE(html.count(QStringLiteral("multiplied from steps")), 1);
    shown.best = shown.records.at(10);
    html = page(shown);
    QVERIFY(html.contains(QStringLiteral("finish the run to measure it directly")));
    // The first champion was measured beside the original kernel itself.
    shown.best.bench.speedupOverChampion = shown.best.speedupOverBaseline;
    shown.records = {shown.records.first(), shown.best};
    html = page(shown);
    QVERIFY(!html.contains(QStringLiteral("finish the run")) && !html.contains(QStringLiteral("≈")));
}

void ReportTest::workloadsHaveIntervals()
{
    RunReport shown = report();
    WorkloadResult &workload = shown.best.bench.workloads[0];
    const auto rowOfWorkload = [&shown, &workload] {
        const QString html = page(shown);
        const qsizetype begin = html.indexOf(QStringLiteral("<tr><td>%1</td>").arg(workload.id.toHtmlEscaped()));
        return begin < 0 ? QString() : html.mid(begin, html.indexOf(QStringLiteral("</tr>"), begin) - begin);
    };
    workload.speedupOverChampion = Interval{1.5, 1.4, 1.6};
    QVERIFY2(rowOfWorkload().contains(intervalText(*workload.speedupOverChampion)), qPrintable(rowOfWorkload()));
    workload.speedupOverChampion.reset();
    QVERIFY(rowOfWorkload().contains(QStringLiteral("<td class=\"n\">–</td>")));
}

void ReportTest::whatWasNotMeasuredIsNoNumber()
{
    const QString row = rowOf(page(report()), QStringLiteral("3"));
    QVERIFY(row.contains(QStringLiteral("wrong: output 0 differs")));
    QCOMPARE(row.count(QStringLiteral("<td class=\"n\">–</td>")), 3);
    QVERIFY(!row.contains(QStringLiteral("0x")) && !row.contains(QStringLiteral("0.00")));
}

void ReportTest::textsOfTheWorkspaceAreNoMarkup()
{
    const QString bad = QStringLiteral("<script>alert(1)</script>\"'&");
    RunReport hostile = report();
    hostile.name = hostile.branch = hostile.program = bad;
    hostile.environment = {{bad, bad}};
    hostile.reproduce = {bad};
    hostile.patch = bad.toUtf8() + '\n';
    for (IterationRecord &record : hostile.records) {
        record.title = record.statusReason = record.commit = record.label = bad;
        record.bench.flags = {bad};
    }
    hostile.best.title = hostile.best.commit = hostile.best.solutionHash = hostile.best.bench.evaluatorHash = bad;
    hostile.best.bench.flags = {bad};
    hostile.best.bench.workloads[0].id = bad;
    const QString html = page(hostile);
    QVERIFY(!html.contains(QStringLiteral("<script")));
    QVERIFY(html.count(QStringLiteral("&lt;script&gt;")) > 20);
}

void ReportTest::pageNeedsNothingElse()
{
    const QString html = page(report());
    static const QRegularExpression outside(QStringLiteral("(src|href)\\s*=|url\\(|@import|https?://"));
    QVERIFY(!outside.match(html).hasMatch());
}

void ReportTest::chartIsWellFormed()
{
    const QString svg = chartSvg(report().records);
    QXmlStreamReader reader(svg);
    int crosses = 0;
    int intervals = 0;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        const auto kind = reader.attributes().value(QStringLiteral("class"));
        if (reader.name() == QLatin1String("path"))
            crosses += kind == QLatin1String("failed") ? 1 : 0;
        else if (reader.name() == QLatin1String("line"))
            intervals += kind == QLatin1String("improved") || kind == QLatin1String("nochange") ? 1 : 0;
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QCOMPARE(crosses, 2);
    QCOMPARE(intervals, 8); // four improved, the final, three without a change
    QVERIFY(chartSvg({}).isEmpty());
}

void ReportTest::environmentIsAsTheEvaluatorWroteIt()
{
    const auto facts = environmentFacts(R"({"env": {"cpu": "a\nprocessor", "cores": 2, "flags": ["-O3", "-fopenmp"],
                                            "sandbox": {"level": "full", "mseal": true}, "odd": null}})");
    QStringList lines;
    for (const auto &[name, value] : facts)
        lines << name + QLatin1Char('=') + value;
    QCOMPARE(lines, (QStringList{QStringLiteral("cores=2"), QStringLiteral("cpu=a processor"),
                                 QStringLiteral("flags=-O3 -fopenmp"), QStringLiteral("sandbox=full")}));
    for (const char *other : {"", "{", "[]", "{\"env\": 3}"})
        QVERIFY(environmentFacts(other).isEmpty());
}

QTEST_GUILESS_MAIN(ReportTest)
#include "tst_report.moc"
