// SPDX-License-Identifier: GPL-3.0-or-later
// Every flag that an evaluator or the loop may raise is told in plain words.
#include "bench/flagtext.h"
#include "history/logrender.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace ako;

class TestFlagText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFlagHasWords();
    void unknownFlagStandsForItself();
    void standsInTheLog();
};

namespace {

QSet<QString> flagsRaisedIn(const QString &folder, const QStringList &names)
{
    static const QRegularExpression raised(QStringLiteral(
        "(?:flags(?:\\.(?:emplace_back|push_back|append|back\\(\\) =))|\\.flag|flags\\[.*\\] =|Suspicion|"
        "quarantine)\\s*[({]?\\s*(?:QStringLiteral\\()?\"([A-Z][A-Z0-9_]{3,})\""));
    QSet<QString> flags;
    QDirIterator files(QStringLiteral(AKO_SOURCE_DIR "/") + folder, names, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        auto found = raised.globalMatch(QString::fromUtf8(file.readAll()));
        while (found.hasNext())
            flags.insert(found.next().captured(1));
    }
    return flags;
}

} // namespace

void TestFlagText::everyFlagHasWords()
{
    const QSet<QString> native = flagsRaisedIn(QStringLiteral("core/eval"), {QStringLiteral("*.cpp")});
    const QSet<QString> python =
        flagsRaisedIn(QStringLiteral("scaffold/bench/kernelbench/akobench"), {QStringLiteral("*.py")});
    const QSet<QString> loop = flagsRaisedIn(QStringLiteral("core/loop"), {QStringLiteral("*.cpp")});
    // That the sources were read at all, and each way of raising one is seen.
    for (const char *flag : {"REF_SLOWER", "EXAMINED_10X", "HOST_BUSY"})
        QVERIFY2(native.contains(QLatin1String(flag)), flag);
    for (const char *flag : {"INPUTS_IGNORED", "PROBLEM_WEAK"})
        QVERIFY2(python.contains(QLatin1String(flag)), flag);
    QVERIFY(loop.contains(QStringLiteral("WROTE_OUTSIDE_SOLUTION")));
    for (const QString &flag : native + python + loop) {
        const QString text = flagText(flag);
        QVERIFY2(text.endsWith(QStringLiteral(" (%1)").arg(flag)), qPrintable(flag));
    }
}

void TestFlagText::unknownFlagStandsForItself()
{
    QCOMPARE(flagText(QStringLiteral("NEW_ONE")), QStringLiteral("NEW_ONE"));
    QVERIFY(!flagText(QStringLiteral("\x1b[31m\n## evil")).contains(QLatin1Char('\n')));
}

void TestFlagText::standsInTheLog()
{
    IterationRecord record;
    record.bench.flags = QStringList{QStringLiteral("REF_SLOWER")};
    const QByteArray block = logrender::benchBlock(record);
    QVERIFY2(block.contains("  - Note: the reference ran slower than in earlier verdicts"), block.constData());
}

QTEST_GUILESS_MAIN(TestFlagText)
#include "tst_flagtext.moc"
