// SPDX-License-Identifier: GPL-3.0-or-later
#include "diff/diffpane.h"
#include "diff/diffrows.h"
#include "diff/diffview.h"
#include "diff/rowcolours.h"
#include "style/palette.h"
#include "support/samplerun.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>

using namespace ako;

class DiffViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void unifiedRowsArePrinted();
    void sidesStandBesideEachOther();
    void marksWhatDiffersWithinALine();
    void binaryFilesAreNamed();
    void coloursBothPalettes();
    void walksFromChangeToChange();
    void sidesScrollTogether();
    void saysWhatItWaitsForAndWhatWentWrong();
    void rowsHaveTheColoursOfTheirLanguage();
    void aLongDifferenceComesBitByBit();
    void aChangeIsTakenWithWhatIsAroundIt();
    void theButtonTakesTheChangeGoneTo();
};

static QString signOf(const DiffRow &row)
{
    switch (row.kind) {
    case DiffRow::Kind::File:
        return QStringLiteral("F");
    case DiffRow::Kind::Hunk:
        return QStringLiteral("@");
    case DiffRow::Kind::Added:
        return QStringLiteral("+");
    case DiffRow::Kind::Removed:
        return QStringLiteral("-");
    case DiffRow::Kind::Filler:
        return QStringLiteral("/");
    case DiffRow::Kind::Context:
        break;
    }
    return QStringLiteral("=");
}

static QStringList printed(const QList<DiffRow> &rows)
{
    QStringList lines;
    for (const DiffRow &row : rows)
        lines << QStringLiteral("%1 %2 %3 %4")
                     .arg(signOf(row))
                     .arg(row.oldLine)
                     .arg(row.newLine)
                     .arg(row.text.simplified().left(24))
                     .trimmed();
    return lines;
}

void DiffViewTest::unifiedRowsArePrinted()
{
    const QStringList expected{
        QStringLiteral("F -1 -1 softmax.cpp"),
        QStringLiteral("@ -1 -1 @@ -5,4 +5,5 @@"),
        QStringLiteral("= 5 5"),
        QStringLiteral("- 6 -1 constexpr int unroll = 8"),
        QStringLiteral("+ -1 6 constexpr int unroll = 1"),
        QStringLiteral("+ -1 7 constexpr int rowsAtOnce"),
        QStringLiteral("= 7 8"),
        QStringLiteral("@ -1 -1 @@ -16,4 +17,3 @@ extern"),
        QStringLiteral("= 16 17 float sum = 0.0F;"),
        QStringLiteral("- 17 -1 #pragma omp simd reducti"),
        QStringLiteral("- 18 -1 for (std::size_t i = 0;"),
        QStringLiteral("+ -1 18 for (std::size_t i = 0;"),
        QStringLiteral("= 19 19 out[i] = std::exp(in[i]"),
        QStringLiteral("F -1 -1 build.json (added)"),
        QStringLiteral("@ -1 -1 @@ -0,0 +1 @@"),
        QStringLiteral("+ -1 1 {\"flags\": [\"-O3\", \"-marc"),
    };
    QCOMPARE(printed(unifiedRows(sampleRun::diff())).join(QLatin1Char('\n')), expected.join(QLatin1Char('\n')));
}

void DiffViewTest::sidesStandBesideEachOther()
{
    const DiffSides sides = sideBySideRows(sampleRun::diff());
    QCOMPARE(sides.left.size(), sides.right.size());
    QStringList shapes;
    for (qsizetype row = 0; row < sides.left.size(); ++row)
        shapes << signOf(sides.left.at(row)) + signOf(sides.right.at(row));
    QCOMPARE(shapes.join(QLatin1Char(' ')), QStringLiteral("FF @@ == -+ /+ == @@ == -+ -/ == FF @@ /+"));
}

void DiffViewTest::marksWhatDiffersWithinALine()
{
    const QList<DiffRow> rows = unifiedRows(sampleRun::diff());
    QCOMPARE(rows.at(3).text.mid(rows.at(3).changedFrom, rows.at(3).changedLength), QStringLiteral("8"));
    QCOMPARE(rows.at(4).text.mid(rows.at(4).changedFrom, rows.at(4).changedLength), QStringLiteral("16"));
    QCOMPARE(rows.at(5).changedLength, 0);
}

void DiffViewTest::binaryFilesAreNamed()
{
    FileDiff table;
    table.path = QStringLiteral("table.bin");
    table.binary = true;
    const QList<DiffRow> rows = unifiedRows({table});
    QCOMPARE(rows.size(), 2);
    QVERIFY(rows.at(1).text.contains(QStringLiteral("binary")));
}

void DiffViewTest::coloursBothPalettes()
{
    DiffPane pane(DiffPane::Numbers::Both);
    pane.setRows(unifiedRows(sampleRun::diff()));
    for (const Appearance appearance : {Appearance::Light, Appearance::Dark}) {
        const QPalette palette = paletteFor(appearance);
        pane.setPalette(palette);
        const auto ground = [&pane](int row) {
            return pane.document()->findBlockByNumber(row).blockFormat().background().color();
        };
        QCOMPARE(ground(3), toneColour(Tone::RemovedBackground, palette));
        QCOMPARE(ground(4), toneColour(Tone::AddedBackground, palette));
    }
}

void DiffViewTest::walksFromChangeToChange()
{
    DiffView view;
    view.resize(700, 200);
    view.show();
    view.showDiff(sampleRun::diff());
    QList<int> rows;
    for (int i = 0; i < 4; ++i) {
        view.nextChange();
        rows << view.unified()->textCursor().blockNumber();
    }
    view.previousChange();
    rows << view.unified()->textCursor().blockNumber();
    QCOMPARE(rows, (QList<int>{3, 9, 15, 3, 15}));
}

void DiffViewTest::sidesScrollTogether()
{
    DiffView view;
    view.resize(700, 120);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.showDiff(sampleRun::diff());
    view.setSideBySide(true);
    QTRY_VERIFY(view.left()->verticalScrollBar()->maximum() > 3);
    view.left()->verticalScrollBar()->setValue(3);
    QCOMPARE(view.right()->verticalScrollBar()->value(), 3);
    QCOMPARE(view.left()->document()->blockCount(), view.right()->document()->blockCount());
}

void DiffViewTest::saysWhatItWaitsForAndWhatWentWrong()
{
    DiffView view;
    QVERIFY(!view.note().isEmpty());
    view.showWaiting();
    QVERIFY(view.note().contains(QStringLiteral("Reading")));
    view.showNote(QStringLiteral("Commit abc is not in this repository."));
    QCOMPARE(view.note(), QStringLiteral("Commit abc is not in this repository."));
    view.showDiff({});
    QVERIFY(view.note().contains(QStringLiteral("No difference")));
    view.showDiff(sampleRun::diff());
    QCOMPARE(view.note(), QString());
}

static Diff manyChanges()
{
    DiffHunk hunk;
    const auto add = [&hunk](char origin, int before, int after, const char *text) {
        hunk.lines << DiffLine{origin, before, after, QString::fromLatin1(text)};
    };
    add(' ', 1, 1, "a");
    add('-', 2, -1, "b");
    add('+', -1, 2, "B");
    add(' ', 3, 3, "c");
    add(' ', 4, 4, "d");
    add('+', -1, 5, "new");
    add(' ', 5, 6, "e");
    return {FileDiff{FileDiff::Kind::Modified, QStringLiteral("k.cpp"), false, {hunk}}};
}

void DiffViewTest::rowsHaveTheColoursOfTheirLanguage()
{
    const QPalette palette = paletteFor(Appearance::Light);
    QList<DiffRow> rows = unifiedRows(sampleRun::diff());
    rows[2].text = QStringLiteral("/* größer"); // goes on below, and is not of one byte each
    rows[3].text = QStringLiteral("ä */ constexpr int unroll = 8;");
    const auto colours = rowColours(rows, palette);
    QCOMPARE(colours.size(), rows.size());
    const auto colourOf = [&](int row, const char *word) {
        const qsizetype at = rows.at(row).text.indexOf(QString::fromUtf8(word));
        for (const ColouredRange &range : colours.at(row)) {
            if (at >= range.from && at < range.from + range.length)
                return range.colour;
        }
        return QColor();
    };
    QCOMPARE(colourOf(2, "größer"), toneColour(Tone::Comment, palette));
    QCOMPARE(colourOf(3, "ä"), toneColour(Tone::Comment, palette));
    QCOMPARE(colourOf(3, "constexpr"), toneColour(Tone::Keyword, palette));
    QCOMPARE(colourOf(3, "8"), toneColour(Tone::Number, palette));
    QVERIFY(!colourOf(3, "unroll").isValid());
    QVERIFY(colours.at(1).isEmpty()); // a hunk's heading is no source
}

void DiffViewTest::aLongDifferenceComesBitByBit()
{
    DiffHunk hunk;
    for (int line = 1; line <= 20'000; ++line)
        hunk.lines << DiffLine{line % 2 == 0 ? '+' : ' ', line, line, QStringLiteral("int x%1 = %1;").arg(line)};
    DiffView view;
    view.showDiff({FileDiff{FileDiff::Kind::Modified, QStringLiteral("k.cpp"), false, {hunk}}});
    QVERIFY(!view.unified()->isComplete());
    view.nextChange();
    view.previousChange(); // the last one: what it needs is there at once
    QCOMPARE(view.unified()->textCursor().block().text(), QStringLiteral("int x20000 = 20000;"));
    QTRY_VERIFY(view.unified()->isComplete());
    QCOMPARE(view.unified()->document()->blockCount(), int(view.unified()->rows().size()));
}

void DiffViewTest::aChangeIsTakenWithWhatIsAroundIt()
{
    const Diff diff = manyChanges();
    const QList<DiffRow> rows = unifiedRows(diff);
    const DiffChange first = changeAt(diff, rows.at(3));
    QCOMPARE(first.path, QStringLiteral("k.cpp"));
    QCOMPARE(first.before, QStringLiteral("a\nb\nc\nd\n"));
    QCOMPARE(first.after, QStringLiteral("a\nB\nc\nd\n"));
    const DiffChange second = changeAt(diff, rows.at(7));
    QCOMPARE(second.before, QStringLiteral("c\nd\ne\n"));
    QCOMPARE(second.after, QStringLiteral("c\nd\nnew\ne\n"));
    QVERIFY(changeAt(diff, rows.at(2)).path.isEmpty()); // a line that stayed
}

void DiffViewTest::theButtonTakesTheChangeGoneTo()
{
    DiffView view;
    QSignalSpy taken(&view, &DiffView::changeTaken);
    view.showDiff(manyChanges());
    view.takeChange();
    QCOMPARE(taken.size(), 0); // none is chosen
    view.nextChange();
    view.nextChange();
    view.takeChange();
    QCOMPARE(taken.value(0).value(2).toString(), QStringLiteral("c\nd\nnew\ne\n"));
    view.setSideBySide(true);
    view.nextChange();
    view.takeChange();
    QCOMPARE(taken.value(1).value(2).toString(), QStringLiteral("a\nB\nc\nd\n"));
}

QTEST_MAIN(DiffViewTest)
#include "tst_diffview.moc"
