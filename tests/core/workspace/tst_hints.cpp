// SPDX-License-Identifier: GPL-3.0-or-later
#include "layout.h"

#include "workspace/hints.h"

#include <QTemporaryDir>

using namespace ako;

namespace {

Hint hint(const char *text, const char *origin = "from your request")
{
    return {QString::fromUtf8(text), QString::fromUtf8(origin), {}};
}

QStringList lines(const char *text)
{
    return QString::fromUtf8(text).split(QLatin1Char('|'));
}

} // namespace

class HintsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void parses_data();
    void parses();
    void merges_data();
    void merges();
    void mergingTwiceAddsNothing();
    void comparesVersions();
    void capInForce_data();
    void capInForce();
    void mergesIntoTheFile();
    void tooBigIsRefusedAndLeftAlone();
    void linkInPlaceIsNotWrittenThrough();
    void templateHoldsNoHint();
};

void HintsTest::parses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("items"); // "line: text"
    QTest::newRow("empty") << "" << QStringList();
    QTest::newRow("bullets") << "# Hints\n\n- one\n* two\n1. three\n" << lines("3: one|4: two|5: three");
    QTest::newRow("continuation") << "- one\n  goes on\n\n  a paragraph\n" << lines("1: one goes on|4: a paragraph");
    QTest::newRow("comment") << "<!-- - no\n- no\n-->- yes\n- a <!-- b --> c\n" << lines("3: yes|4: a  c");
    QTest::newRow("fence") << "- one\n```\n- code\n```\n- two\n" << lines("1: one|5: two");
    QTest::newRow("CRLF") << "- one\r\n- two\r\n" << lines("1: one|2: two");
    QTest::newRow("rule") << "---\n***\nText\n===\n" << lines("3: Text");
    QTest::newRow("task list") << "- [ ] one\n- [x] two\n" << lines("1: one|2: two");
    QTest::newRow("#pragma is text") << "- use it\n#pragma omp\n" << lines("1: use it #pragma omp");
}

void HintsTest::parses()
{
    QFETCH(QString, text);
    QStringList items;
    const QList<HintItem> parsed = parseHints(text);
    for (const HintItem &item : parsed)
        items.append(QStringLiteral("%1: %2").arg(item.line).arg(item.text));
    QTEST(items, "items");
}

void HintsTest::merges_data()
{
    QTest::addColumn<QByteArray>("existing");
    QTest::addColumn<QList<Hint>>("hints");
    QTest::addColumn<QByteArray>("appended");
    const QList<Hint> one{hint("use tiles")};
    QTest::newRow("into nothing") << QByteArray() << one << QByteArray("## From your request\n\n- use tiles\n");
    QTest::newRow("under what stands there")
        << QByteArray("# Hints\n- x\n") << one << QByteArray("\n## From your request\n\n- use tiles\n");
    QTest::newRow("no line end at the end")
        << QByteArray("- x") << one << QByteArray("\n\n## From your request\n\n- use tiles\n");
    QTest::newRow("CRLF") << QByteArray("- x\r\n") << one
                          << QByteArray("\r\n## From your request\r\n\r\n- use tiles\r\n");
    QTest::newRow("known in other words") << QByteArray("* Use  TILES.\n") << one << QByteArray();
    QTest::newRow("twice in one call") << QByteArray("- x\n") << QList<Hint>{hint("a"), hint("A.")}
                                       << QByteArray("\n## From your request\n\n- a\n");
    QTest::newRow("same heading goes on")
        << QByteArray("## From your request\n\n- x\n") << one << QByteArray("- use tiles\n");
    QTest::newRow("two origins") << QByteArray("- x\n")
                                 << QList<Hint>{hint("a", "from r.md: 3"), hint("b", "from r.md: 7"), hint("c")}
                                 << QByteArray("\n## From r.md\n\n- a\n- b\n\n## From your request\n\n- c\n");
    QTest::newRow("not ASCII") << QByteArray("- größer\n") << QList<Hint>{hint("GRÖßER"), hint("行列 zuerst")}
                               << QByteArray("\n## From your request\n\n- 行列 zuerst\n");
    QTest::newRow("not UTF-8 is not touched")
        << QByteArray("- \xff\xfe\n") << one << QByteArray("\n## From your request\n\n- use tiles\n");
    QTest::newRow("in a comment is not there")
        << QByteArray("<!-- - use tiles -->\n") << one << QByteArray("\n## From your request\n\n- use tiles\n");
}

void HintsTest::merges()
{
    QFETCH(QByteArray, existing);
    QFETCH(QList<Hint>, hints);
    QFETCH(QByteArray, appended);
    const HintsMerge merge = mergeHints(existing, hints);
    QVERIFY(merge.content.startsWith(existing));
    QCOMPARE(merge.content.mid(existing.size()), appended);
    QCOMPARE(merge.added.isEmpty(), appended.isEmpty());
}

void HintsTest::mergingTwiceAddsNothing()
{
    const QList<Hint> hints{hint("a\nb\nc"), hint("- d\n- e"), hint("größer")};
    const HintsMerge first = mergeHints("# Hints\r\n", hints);
    QCOMPARE(first.added.size(), 3);
    const HintsMerge second = mergeHints(first.content, hints);
    QCOMPARE(second.content, first.content);
    QVERIFY(second.added.isEmpty());
}

void HintsTest::comparesVersions()
{
    const HintsDifference difference =
        compareHints(QStringLiteral("- a\n- b\n"), QStringLiteral("- B.\n- at most 4 iterations\n- no ncu\n"));
    QCOMPARE(difference.added, QStringList({QStringLiteral("at most 4 iterations"), QStringLiteral("no ncu")}));
    QCOMPARE(difference.removed, QStringList{QStringLiteral("a")});
    QCOMPARE(difference.recognised, QStringList({QStringLiteral("cap: 4 iterations"), QStringLiteral("no profiler")}));
    QVERIFY(compareHints(QStringLiteral("- a\n"), QStringLiteral("# New\r\n\r\n* A\r\n")).isEmpty());
}

void HintsTest::capInForce_data()
{
    QTest::addColumn<QString>("hints");
    QTest::addColumn<int>("planCap");
    QTest::addColumn<QString>("holds"); // the beginning
    QTest::newRow("only HINTS.md") << "- stop after 20 iterations" << 0 << QString();
    QTest::newRow("only the plan") << "- be brief" << 10 << QString();
    QTest::newRow("the same") << "- stop after 20 iterations" << 20 << QString();
    QTest::newRow("the plan's is smaller")
        << "- stop after 20 iterations" << 10 << QStringLiteral("the plan's cap of 10 iterations holds");
    QTest::newRow("HINTS.md's is smaller")
        << "- stop after 20 iterations" << 30 << QStringLiteral("HINTS.md's cap of 20 iterations holds");
}

void HintsTest::capInForce()
{
    QFETCH(QString, hints);
    QFETCH(int, planCap);
    QFETCH(QString, holds);
    const QString said = ako::capInForce(recogniseDirectives(hints), planCap);
    QVERIFY2(holds.isEmpty() ? said.isEmpty() : said.startsWith(holds), qPrintable(said));
}

void HintsTest::mergesIntoTheFile()
{
    QTemporaryDir folder;
    QVERIFY(mergeIntoHintsFile(folder.path(), {}).value().isEmpty());
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("HINTS.md"))));
    QCOMPARE(mergeIntoHintsFile(folder.path(), {hint("a")}).value().size(), 1);
    const QStringList before = treeState(folder.path());
    QVERIFY(mergeIntoHintsFile(folder.path(), {hint("a")}).value().isEmpty());
    QCOMPARE(treeState(folder.path()), before);
}

void HintsTest::tooBigIsRefusedAndLeftAlone()
{
    const QTemporaryDir folder;
    const QByteArray most = QByteArray("- one\n").leftJustified(hintsLimit, '.');
    lay(folder.path(), {{QStringLiteral("HINTS.md"), most}});
    QCOMPARE(readHintsFile(folder.path()).value_or(QByteArray()), most);
    const QByteArray huge = QByteArray("- one\n").repeated(2000000);
    lay(folder.path(), {{QStringLiteral("HINTS.md"), huge}});
    const auto read = readHintsFile(folder.path());
    const auto merged = mergeIntoHintsFile(folder.path(), {hint("two")});
    QVERIFY(!read && !merged);
    for (const Error &refused : {read.error(), merged.error()}) {
        QVERIFY2(refused.message.contains(QStringLiteral("HINTS.md is too big")), qPrintable(refused.message));
        QVERIFY(!refused.remedy.isEmpty());
    }
    QFile file(folder.filePath(QStringLiteral("HINTS.md")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), huge);
}

void HintsTest::linkInPlaceIsNotWrittenThrough()
{
    QTemporaryDir folder;
    QTemporaryDir outside;
    writeFile(outside.filePath(QStringLiteral("x")), "secret\n");
    lay(folder.path(), {{QStringLiteral("HINTS.md -> ") + outside.filePath(QStringLiteral("x")), {}}});
    const Result<QList<Hint>> merged = mergeIntoHintsFile(folder.path(), {hint("a")});
    QVERIFY(!merged);
    QVERIFY(merged.error().message.contains(QStringLiteral("HINTS.md")));
    QCOMPARE(readFile(outside.filePath(QStringLiteral("x"))), QByteArray("secret\n"));
}

void HintsTest::templateHoldsNoHint()
{
    const QByteArray content = readFile(QStringLiteral(AKO_SOURCE_DIR "/scaffold/HINTS.md"));
    QVERIFY(!content.isEmpty());
    QVERIFY(parseHints(QString::fromUtf8(content)).isEmpty());
    QCOMPARE(recogniseDirectives(QString::fromUtf8(content)), Directives());
}

QTEST_GUILESS_MAIN(HintsTest)
#include "tst_hints.moc"
