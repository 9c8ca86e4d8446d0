// SPDX-License-Identifier: GPL-3.0-or-later
// The real command line with candidates that misbehave in every way: each is logged and committed as failed, nothing
// else of the workspace is touched, and the next iteration works.
#include "eval/sanitized.h"
#include "support/programrun.h"
#include "support/scratchrepository.h"

#include <QDir>
#include <QFileInfo>
#include <QTest>

#include <memory>

using namespace ako::test;

namespace {

QByteArray kernel(const QByteArray &body, const QByteArray &head = {})
{
    return head + "\nextern \"C\" void scale_run(const double *x, double *y, long n)\n{\n" + body + "\n}\n";
}

} // namespace

class TestKernelFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void isLoggedAsFailed_data();
    void isLoggedAsFailed();
    void theNextOneWorks();

private:
    ProgramRun iterate(const QString &title) const
    {
        return runProgram({QStringLiteral("iterate"), m_repository->path(), QStringLiteral("--title"), title});
    }

    std::unique_ptr<ScratchRepository> m_repository;
};

// Approved and with a baseline; without a terminal `run` ends there, as the person is the agent.
void TestKernelFaults::initTestCase()
{
    m_repository = std::make_unique<ScratchRepository>();
    const QHash<QString, QByteArray> files = smallProblem();
    for (auto file = files.cbegin(); file != files.cend(); ++file)
        m_repository->write(file.key(), file.value());
    m_repository->commitAll(QStringLiteral("mine"));
    const ProgramRun run = runProgram({QStringLiteral("run"), m_repository->path(), QStringLiteral("--approve"),
                                       QStringLiteral("--agent"), QStringLiteral("user")});
    if (run.output.contains(QLatin1String("could not be measured")))
        QSKIP("this machine is too busy to measure anything");
    QVERIFY2(run.exitCode == 0, qPrintable(run.output));
}

void TestKernelFaults::isLoggedAsFailed_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QString>("words"); // of the reason
    const auto row = [](const char *name, const QByteArray &source, const char *words) {
        QTest::newRow(name) << source << QString::fromLatin1(words);
    };
    row("does not compile", "extern \"C\" void scale_run( {", "compile");
    row("wrong", kernel("for (long i = 0; i < n; ++i) y[i] = 3.0 * x[i];"), "correct");
    row("crashes", kernel("(void)x; *reinterpret_cast<volatile double *>(n - n) = y[0];"), "signal 11");
    row("hangs", kernel("(void)x; (void)n; for (volatile long i = 0;; ++i) y[0] = double(i);"), "");
    row("forks",
        kernel("if (fork() == 0) for (;;) pause(); for (long i = 0; i < n; ++i) y[i] = 2.0 * x[i];",
               "#include <unistd.h>"),
        "process");
    row("prints a gigabyte",
        kernel(
            "static char text[1 << 20]; for (int i = 0; i < 1024; ++i) { if (write(1, text, sizeof text) < 0) break; } "
            "for (long i = 0; i < n; ++i) y[i] = 3.0 * x[i];",
            "#include <unistd.h>"),
        "");
    row("writes outside its outputs", kernel("for (long i = 0; i < n + 64; ++i) y[i] = 2.0 * x[i < n ? i : 0];"), "");
    row("eats all memory",
        kernel("(void)n; std::vector<char *> all; for (;;) { all.push_back(new char[64 << 20]); for (long i = 0; i < "
               "(64 << "
               "20); i += 4096) all.back()[i] = char(x[0]); y[0] = 1; }",
               "#include <vector>"),
        "");
}

void TestKernelFaults::isLoggedAsFailed()
{
    QFETCH(QByteArray, source);
    QFETCH(QString, words);
#ifdef AKO_SANITIZER
    if (qstrcmp(QTest::currentDataTag(), "eats all memory") == 0)
        QSKIP("a sanitizer's build cannot limit the memory of its workers");
#endif
    const QString title = QString::fromLatin1(QTest::currentDataTag());
    const QString before = m_repository->head();
    const QHash<QString, QByteArray> filesBefore = filesBelow(m_repository->path());
    m_repository->write(QStringLiteral("solution/scale.cpp"), source);
    const ProgramRun run = iterate(title);
    QVERIFY2(run.output.contains(QStringLiteral("failed")) || run.output.contains(QStringLiteral("quarantined")),
             qPrintable(run.output));
    const QString log = QString::fromUtf8(m_repository->read(QStringLiteral("ITERATIONS.md")));
    const QString entry = log.mid(log.lastIndexOf(QStringLiteral("### Iter ")));
    QVERIFY2(entry.contains(title) && entry.contains(words), qPrintable(entry + run.output));
    QCOMPARE(m_repository->git({QStringLiteral("rev-parse"), QStringLiteral("HEAD~1")}), before); // one commit
    QVERIFY(m_repository->git({QStringLiteral("log"), QStringLiteral("-1"), QStringLiteral("--format=%s")})
                .endsWith(QStringLiteral("] ") + title));
    QCOMPARE(m_repository->status(), QString());
    QStringList changed = differences(filesBefore, filesBelow(m_repository->path()));
    changed.removeIf([](const QString &line) {
        const QString name = line.mid(2);
        return name.startsWith(QLatin1String(".git/")) || name.startsWith(QLatin1String("trajectory/")) ||
               name == QLatin1String("ITERATIONS.md") || name == QLatin1String("solution/scale.cpp") ||
               name == QLatin1String("_bench_output.txt");
    });
    QCOMPARE(changed.join(QLatin1Char('\n')), QString());
    qint64 size = 0; // whatever it printed
    for (const QByteArray &bytes : filesBelow(m_repository->filePath(QStringLiteral("trajectory"))))
        size += bytes.size();
    QVERIFY2(size < (32LL << 20), qPrintable(QString::number(size)));
}

// After all of them: from the baseline's sources with a change that does nothing.
void TestKernelFaults::theNextOneWorks()
{
    m_repository->write(QStringLiteral("solution/scale.cpp"),
                        m_repository->read(QStringLiteral("scale.cpp")) + "// after it\n");
    const ProgramRun next = iterate(QStringLiteral("after it"));
    if (next.output.contains(QLatin1String("measurement is invalid")))
        QSKIP("this machine is too busy to measure anything");
    QVERIFY2(next.exitCode == 0 && !next.output.contains(QStringLiteral("failed")), qPrintable(next.output));
}

QTEST_GUILESS_MAIN(TestKernelFaults)
#include "tst_faults_kernel.moc"
