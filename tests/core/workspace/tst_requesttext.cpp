// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/requesttext.h"

#include <QTest>

using namespace ako;

class RequestTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void iterationCaps_data();
    void iterationCaps();
    void impossibleCaps_data();
    void impossibleCaps();
    void nothingIsPassedOver_data();
    void nothingIsPassedOver();
    void timeCaps_data();
    void timeCaps();
    void otherDirectives_data();
    void otherDirectives();
    void refusals_data();
    void refusals();
    void statementsStayWordForWord();
    void goalNamesKernelAndReference();
    void filesToFollow();
    void laterStatementHolds();
    void megabyteIsOneHint();
};

void RequestTextTest::iterationCaps_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("cap"); // 0: none
    QTest::newRow("at most") << "at most 20 iterations" << 20;
    QTest::newRow("At most, with a dot") << "At most 20 iterations." << 20;
    QTest::newRow("stop after") << "Please stop after 20 iterations" << 20;
    QTest::newRow("stop the run after") << "stop the run after twelve iterations" << 12;
    QTest::newRow("no more than") << "no more than ten attempts" << 10;
    QTest::newRow("max") << "max 5 iters" << 5;
    QTest::newRow("up to") << "Run up to 30 iterations" << 30;
    QTest::newRow("named") << "iterations: 8" << 8;
    QTest::newRow("cap named") << "iteration cap = 8" << 8;
    QTest::newRow("cap of") << "with a cap of 15 iterations" << 15;
    QTest::newRow("at most behind") << "20 iterations at most" << 20;
    QTest::newRow("max behind") << "20 iterations max" << 20;
    QTest::newRow("a dozen") << "do a dozen iterations" << 12;
    QTest::newRow("wide spaces") << "stop  after\t20   iterations" << 20;
    QTest::newRow("of the kernel's loop") << "unroll at most 8 iterations" << 0;
    QTest::newRow("of the solver") << "it runs 20 iterations of the solver" << 0;
    QTest::newRow("a fact") << "20 iterations took an hour last time" << 0;
    QTest::newRow("zero") << "at most 0 iterations" << 0;
    QTest::newRow("fraction") << "at most 2.5 iterations" << 0;
    QTest::newRow("too many") << "at most 99999999999 iterations" << 0;
    QTest::newRow("threads") << "use at most 20 threads" << 0;
    QTest::newRow("per") << "at most 3 iterations per thread" << 0;
}

void RequestTextTest::iterationCaps()
{
    QFETCH(QString, text);
    QFETCH(int, cap);
    const Directives directives = parseRequest(text).directives;
    QCOMPARE(directives.iterationCap.value_or(0), cap);
    QCOMPARE(directives.descriptions.isEmpty(), cap == 0);
}

void RequestTextTest::impossibleCaps_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("why"); // empty: it speaks of something else
    const QString whole = QStringLiteral("a whole number of iterations from 1 to 1,000,000");
    const QString time = QStringLiteral("from one second to a year");
    QTest::newRow("none at all") << "stop after 0 iterations" << whole;
    QTest::newRow("zero in words") << "at most zero iterations" << whole;
    QTest::newRow("negative") << "stop after -3 iterations" << whole;
    QTest::newRow("a true minus sign") << QStringLiteral("stop after \u22123 iterations") << whole;
    QTest::newRow("half a one") << "at most 2.5 iterations" << whole;
    QTest::newRow("more than anybody waits for") << "at most 99999999999 iterations" << whole;
    QTest::newRow("named") << "iterations: 0" << whole;
    QTest::newRow("named, negative") << "iteration cap = -8" << whole;
    QTest::newRow("behind") << "0 iterations at most" << whole;
    QTest::newRow("no time") << "stop after 0 minutes" << time;
    QTest::newRow("negative time") << "at most -2 hours" << time;
    QTest::newRow("centuries") << "at most 99999 days" << time;
    QTest::newRow("negative money") << "spend at most $-5" << QStringLiteral("not negative");
    QTest::newRow("of the kernel's loop") << "unroll at most 0 iterations" << QString();
    QTest::newRow("per thread") << "at most 0 iterations per thread" << QString();
    QTest::newRow("possible") << "at most 1 iteration" << QString();
}

void RequestTextTest::impossibleCaps()
{
    QFETCH(QString, text);
    QFETCH(QString, why);
    const Directives directives = parseRequest(text).directives;
    QCOMPARE(directives.refused.isEmpty(), why.isEmpty());
    if (why.isEmpty())
        return;
    QVERIFY2(directives.refused.constFirst().contains(why), qPrintable(directives.refused.constFirst()));
    QVERIFY(directives.refused.constFirst().contains(text)); // what it is about
    QVERIFY(!directives.iterationCap && !directives.timeCapSeconds && !directives.costCapDollars);
    QVERIFY(directives.unrecognised.isEmpty());
}

void RequestTextTest::nothingIsPassedOver_data()
{
    QTest::addColumn<QString>("hints");
    QTest::addColumn<QStringList>("left"); // to an agent, word for word
    QTest::newRow("understood") << "- at most 5 iterations\n- no ncu" << QStringList();
    QTest::newRow("not understood") << "- Think of SIMD." << QStringList{QStringLiteral("Think of SIMD")};
    QTest::newRow("half and half") << "- no ncu. Use float4 loads" << QStringList{QStringLiteral("Use float4 loads")};
    QTest::newRow("half of a sentence") << "- at most 4 iterations, keep the tail loop"
                                        << QStringList{QStringLiteral("keep the tail loop")};
    QTest::newRow("a reason") << "- don't use ncu, it hangs" << QStringList{QStringLiteral("it hangs")};
    QTest::newRow("a list of files") << "- do not change a.h, b.h" << QStringList();
    QTest::newRow("a list of techniques") << "- avoid unrolling, fast-math" << QStringList();
    QTest::newRow("twice the same") << "- Think!\n- Think!" << QStringList{QStringLiteral("Think")};
    QTest::newRow("another script") << QStringLiteral("- \u5171\u6709\u30e1\u30e2\u30ea")
                                    << QStringList{QStringLiteral("\u5171\u6709\u30e1\u30e2\u30ea")};
    QTest::newRow("refused is not left") << "- stop after 0 iterations" << QStringList();
    QTest::newRow("nothing") << "" << QStringList();
}

void RequestTextTest::nothingIsPassedOver()
{
    QFETCH(QString, hints);
    QFETCH(QStringList, left);
    QCOMPARE(recogniseDirectives(hints).unrecognised, left);
}

void RequestTextTest::timeCaps_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("seconds");
    QTest::newRow("two hours") << "stop after two hours" << 7200;
    QTest::newRow("2h") << "at most 2h" << 7200;
    QTest::newRow("1h30") << "stop after 1h30" << 5400;
    QTest::newRow("1 hour 30 minutes") << "at most 1 hour and 30 minutes" << 5400;
    QTest::newRow("90 min") << "time cap: 90 min" << 5400;
    QTest::newRow("half an hour") << "for half an hour" << 1800;
    QTest::newRow("an hour") << "within an hour" << 3600;
    QTest::newRow("1.5 hours") << "no more than 1.5 hours" << 5400;
    QTest::newRow("not longer") << "It must not take longer than 45 minutes" << 2700;
    QTest::newRow("bench time") << "at most 20 seconds per bench" << 0;
    QTest::newRow("a size") << "use at most 8 MB" << 0;
    QTest::newRow("milliseconds") << "at most 20 ms" << 0;
    QTest::newRow("a fact") << "the bench takes two hours" << 0;
}

void RequestTextTest::timeCaps()
{
    QFETCH(QString, text);
    QFETCH(int, seconds);
    QCOMPARE(parseRequest(text).directives.timeCapSeconds.value_or(0), seconds);
}

void RequestTextTest::otherDirectives_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("recognised");
    const auto list = [](const char *text) {
        return QString::fromUtf8(text).split(QLatin1Char('|'), Qt::SkipEmptyParts);
    };
    QTest::newRow("no ncu") << "no ncu" << list("no profiler");
    QTest::newRow("don't use ncu") << QStringLiteral("Don’t use ncu, it hangs") << list("no profiler");
    QTest::newRow("no profiling") << "skip profiling" << list("no profiler");
    QTest::newRow("run ncu") << "use ncu at every step" << list("");
    QTest::newRow("packages") << "do not install packages" << list("nothing is installed");
    QTest::newRow("pip") << "never pip install anything" << list("nothing is installed");
    QTest::newRow("stay in C++") << "Stay in C++." << list("language: C++ (for the agent)");
    QTest::newRow("stay with C++") << "stay with C++" << list("language: C++ (for the agent)");
    QTest::newRow("rewrite") << "rewrite it in CUDA" << list("language: CUDA (for the agent)");
    QTest::newRow("prefer") << "prefer Triton" << list("language: Triton (for the agent)");
    QTest::newRow("C") << "use only C" << list("language: C (for the agent)");
    QTest::newRow("frozen") << "do not touch include/config.h" << list("must not change: include/config.h");
    QTest::newRow("frozen in backticks") << "`my file.h` must not be changed" << list("must not change: my file.h");
    QTest::newRow("keep unchanged") << "keep a.h and b.h unchanged" << list("must not change: a.h, b.h");
    QTest::newRow("no path") << "do not change the algorithm" << list("");
    QTest::newRow("cost") << "spend at most $5" << list("cost cap: $5.00 (as far as an agent reports what it costs)");
    QTest::newRow("prohibition") << "do not use shared memory" << list("");
    QTest::newRow("a library") << "do not use OpenMP" << list("the tuner leaves out: threads, omp simd");
    QTest::newRow("a technique") << "avoid unrolling" << list("the tuner leaves out: unrolling");
    QTest::newRow("a flag") << "never use -funroll-loops" << list("the tuner leaves out: -funroll-loops");
    QTest::newRow("wanted, not forbidden") << "use OpenMP" << list("");
    QTest::newRow("two in one") << "at most 5 iterations and no ncu" << list("cap: 5 iterations|no profiler");
}

void RequestTextTest::otherDirectives()
{
    QFETCH(QString, text);
    QFETCH(QStringList, recognised);
    const ParsedRequest parsed = parseRequest(text);
    QCOMPARE(parsed.directives.descriptions, recognised);
    QVERIFY(!parsed.hints.isEmpty()); // a directive stands in HINTS.md whether the program honours it or not
}

void RequestTextTest::refusals_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isRefused");
    QTest::newRow("nothing") << "" << false;
    QTest::newRow("optimise") << "Optimise src/matmul.cpp" << false;
    QTest::newRow("faster") << "make it faster" << false;
    QTest::newRow("hints only") << "do not use AVX-512" << false;
    QTest::newRow("rewrite") << "rewrite the kernel in CUDA" << false;
    QTest::newRow("review and make faster") << "review this kernel and make it faster" << false;
    QTest::newRow("write a faster kernel") << "write a faster kernel than ref.cpp" << false;
    QTest::newRow("implementation detail") << "explain each change; optimise for latency" << false;
    QTest::newRow("new kernel") << "Write a new kernel for layer norm" << true;
    QTest::newRow("new, as fast as possible") << "write a new kernel for softmax, as fast as possible" << true;
    QTest::newRow("create") << "Please create a CUDA kernel that adds two vectors" << true;
    QTest::newRow("from scratch") << "implement attention from scratch" << true;
    QTest::newRow("review") << "Review this" << true;
    QTest::newRow("code review") << "I would like a code review" << true;
    QTest::newRow("explain") << "Explain what this kernel does" << true;
    QTest::newRow("advice") << "Which GPU should I buy?" << true;
}

void RequestTextTest::refusals()
{
    QFETCH(QString, text);
    QFETCH(bool, isRefused);
    const QString refusal = parseRequest(text).refusal;
    QVERIFY2(refusal.isEmpty() != isRefused, qPrintable(refusal));
}

void RequestTextTest::statementsStayWordForWord()
{
    const ParsedRequest parsed = parseRequest(QStringLiteral("Optimise a.cpp. Denk an Größe, e.g. 4 KiB pages; do not "
                                                             "use OpenMP, and stop after 20 iterations\r\n\r\nThink!"));
    QStringList texts;
    for (const Hint &hint : parsed.hints)
        texts.append(hint.text);
    QCOMPARE(texts, QStringList({QStringLiteral("Denk an Größe, e.g. 4 KiB pages"), QStringLiteral("do not use OpenMP"),
                                 QStringLiteral("stop after 20 iterations"), QStringLiteral("Think")}));
    QCOMPARE(parsed.hints[2].recognised, QStringLiteral("cap: 20 iterations"));
    QCOMPARE(parsed.hints[2].origin, QStringLiteral("from your request"));
}

void RequestTextTest::goalNamesKernelAndReference()
{
    const ParsedRequest parsed = parseRequest(QStringLiteral("Make `my dir/k.cpp` faster against ref/gold.cpp"));
    QCOMPARE(parsed.kernelPaths, QStringList{QStringLiteral("my dir/k.cpp")});
    QCOMPARE(parsed.referencePaths, QStringList{QStringLiteral("ref/gold.cpp")});
    QVERIFY(parsed.hints.isEmpty());
    // What says how is for the agent as well.
    QCOMPARE(parseRequest(QStringLiteral("Optimise k.cpp for small batches")).hints.size(), 1);
}

void RequestTextTest::filesToFollow()
{
    QCOMPARE(parseRequest(QStringLiteral("follow rules.md")).followPaths, QStringList{QStringLiteral("rules.md")});
    QCOMPARE(parseRequest(QStringLiteral("Follow the rules in notes/rules.md.")).followPaths,
             QStringList{QStringLiteral("notes/rules.md")});
    QCOMPARE(parseRequest(QStringLiteral("follow the naming of a.cpp")).followPaths, QStringList());
    QVERIFY(parseRequest(QStringLiteral("follow rules.md")).hints.isEmpty());
}

void RequestTextTest::laterStatementHolds()
{
    QCOMPARE(recogniseDirectives(QStringLiteral("- at most 5 iterations\n- at most 9 iterations\n"))
                 .iterationCap.value_or(0),
             9);
    QVERIFY(!recogniseDirectives(QStringLiteral("<!-- at most 5 iterations -->\n# no ncu\n")).iterationCap);
    QVERIFY(!recogniseDirectives(QStringLiteral("<!--\n- no ncu\n-->\n")).noProfiler);
}

void RequestTextTest::megabyteIsOneHint()
{
    const QString text = QString(qsizetype(1024) * 1024, QLatin1Char('x'));
    const ParsedRequest parsed = parseRequest(text);
    QCOMPARE(parsed.hints.size(), 1);
    QCOMPARE(parsed.hints.first().text.size(), text.size());
}

QTEST_GUILESS_MAIN(RequestTextTest)
#include "tst_requesttext.moc"
