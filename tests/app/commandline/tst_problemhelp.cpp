// SPDX-License-Identifier: GPL-3.0-or-later
// ako-bench --help problem describes every key and every name that problem.json may have.
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

class TestProblemHelp : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesEverythingThatIsRead();
};

void TestProblemHelp::namesEverythingThatIsRead()
{
    QString source;
    for (const char *name : {"problemreader", "workloadreader"}) {
        QFile reader(QStringLiteral(AKO_SOURCE_DIR "/core/eval/%1.cpp").arg(QLatin1String(name)));
        QVERIFY(reader.open(QIODevice::ReadOnly));
        source += QString::fromUtf8(reader.readAll());
    }
    static const QRegularExpression lists(QStringLiteral("(?:allowOnly\\(|known)\\{([^}]*)\\}"));
    static const QRegularExpression quoted(QStringLiteral("\"([a-z0-9_]+)\""));
    static const QRegularExpression told(QStringLiteral("known: ([a-z0-9_ ]+)"));
    QSet<QString> names;
    for (auto list = lists.globalMatch(source); list.hasNext();) {
        for (auto name = quoted.globalMatch(list.next().captured(1)); name.hasNext();)
            names.insert(name.next().captured(1));
    }
    for (auto list = told.globalMatch(source); list.hasNext();) {
        for (const QString &name : list.next().captured(1).split(QLatin1Char(' '), Qt::SkipEmptyParts))
            names.insert(name);
    }
    for (const char *name : {"selftest_skip", "inout", "matched_ratio", "one_hot", "float64", "density"})
        QVERIFY2(names.contains(QLatin1String(name)), name); // that they are found in the source at all

    QProcess bench;
    bench.start(QStringLiteral(AKO_BINARY_DIR "/app/bench/ako-bench"),
                {QStringLiteral("--help"), QStringLiteral("problem")});
    QVERIFY(bench.waitForFinished());
    QCOMPARE(bench.exitCode(), 0);
    const QString help = QString::fromUtf8(bench.readAllStandardOutput());
    for (const QString &name : std::as_const(names)) {
        const QRegularExpression word(QStringLiteral("(?<![a-z0-9_])%1(?![a-z0-9_])").arg(name));
        QVERIFY2(help.contains(word), qPrintable(name));
    }
    for (const QString &line : help.split(QLatin1Char('\n')))
        QVERIFY2(line.size() <= 120, qPrintable(line));
}

QTEST_GUILESS_MAIN(TestProblemHelp)
#include "tst_problemhelp.moc"
