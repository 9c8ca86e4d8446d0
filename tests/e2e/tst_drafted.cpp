// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel without a problem.json, on the real command line: the draft is approved, written, and what is measured with
// it is a verdict.
#include "support/programrun.h"
#include "support/scratchrepository.h"

#include <QTest>

using namespace ako::test;

class TestDrafted : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { isolateGitConfiguration(); }
    void draftRunsToAVerdict_data();
    void draftRunsToAVerdict();
};

void TestDrafted::draftRunsToAVerdict_data()
{
    QTest::addColumn<QByteArray>("callers"); // main.cpp; empty: there is none
    QTest::addColumn<QStringList>("answers");
    QTest::addColumn<QByteArray>("drafted");
    QTest::newRow("sizes from a program") << QByteArray(R"(#include <vector>
extern "C" void add_rows(const float *, const float *, float *, int, int);
int main()
{
    for (int m : {64, 200}) {
        const int n = 300;
        std::vector<float> a(m * n), b(n), c(m * n);
        add_rows(a.data(), b.data(), c.data(), m, n);
    }
}
)") << QStringList{} << QByteArray("\"m=200,n=300\"");
    QTest::newRow("sizes answered, shapes from the indices")
        << QByteArray() << QStringList{QStringLiteral("--answer"), QStringLiteral("input=m=64, n=300; m=7")}
        << QByteArray("\"m=7,n=300\"");
}

void TestDrafted::draftRunsToAVerdict()
{
    QFETCH(QByteArray, callers);
    QFETCH(QStringList, answers);
    QFETCH(QByteArray, drafted);
    const ScratchRepository repository;
    repository.write(QStringLiteral("add_rows.cpp"),
                     R"(extern "C" void add_rows(const float *a, const float *b, float *c, int m, int n)
{
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
            c[i * n + j] = a[i * n + j] + b[j];
}
)");
    if (!callers.isEmpty())
        repository.write(QStringLiteral("main.cpp"), callers);
    repository.commitAll(QStringLiteral("mine"));
    const ProgramRun run = runProgram(QStringList{QStringLiteral("run"), repository.path(), QStringLiteral("--approve"),
                                                  QStringLiteral("--agent"), QStringLiteral("user")} +
                                      answers);
    if (run.output.contains(QStringLiteral("could not be measured")))
        QSKIP("this machine is too busy to measure anything");
    QVERIFY2(run.exitCode == 0, qPrintable(run.output));
    QVERIFY(repository.read(QStringLiteral("problem.json")).contains(drafted));
    // The baseline is measured by a verdict, of both workloads.
    const QString record =
        repository.git({QStringLiteral("show"), QStringLiteral("--name-only"), QStringLiteral("HEAD")});
    QVERIFY2(record.contains(QStringLiteral("_baseline/result.json")), qPrintable(record));
    QString path;
    for (const QString &line : record.split(QLatin1Char('\n'))) {
        if (line.endsWith(QStringLiteral("_baseline/result.json")))
            path = line.trimmed();
    }
    const QByteArray result = repository.read(path);
    QVERIFY(result.contains("\"verdict\"") && result.contains("\"confirmed\""));
    QVERIFY(result.contains(drafted));
}

QTEST_GUILESS_MAIN(TestDrafted)
#include "tst_drafted.moc"
