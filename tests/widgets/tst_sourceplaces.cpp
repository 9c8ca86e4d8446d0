// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/sourceplaces.h"

#include <QElapsedTimer>
#include <QTest>

using namespace ako;

class SourcePlacesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void places_data();
    void places();
    void otherLinesAreNone_data();
    void otherLinesAreNone();
    void fileIsKnownByItsEnd_data();
    void fileIsKnownByItsEnd();
};

void SourcePlacesTest::places_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("number");
    QTest::addColumn<int>("column");
    QTest::addColumn<int>("severity");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const char *line, const char *path, int number, int column, Severity severity,
                        const char *message) {
        QTest::newRow(name) << QString::fromUtf8(line) << QString::fromUtf8(path) << number << column << int(severity)
                            << QString::fromUtf8(message);
    };
    row("g++", "softmax.cpp:41:9: error: no matching function for call to ‘load’", "softmax.cpp", 41, 9,
        Severity::Error, "no matching function for call to ‘load’");
    row("clang, a path", "/tmp/a b/solution/k.cu:3:1: fatal error: 'x.h' file not found", "/tmp/a b/solution/k.cu", 3,
        1, Severity::Error, "'x.h' file not found");
    row("warning without a column", "k.cpp:7: warning: unused variable", "k.cpp", 7, 0, Severity::Warning,
        "unused variable");
    row("note", "k.cpp:7:2: note: declared here", "k.cpp", 7, 2, Severity::Info, "declared here");
    row("nvcc", "solution/kernel.cu(12): error: identifier \"blockdim\" is undefined", "solution/kernel.cu", 12, 0,
        Severity::Error, "identifier \"blockdim\" is undefined");
    row("nvcc, numbered", "kernel.cu(5): warning #177-D: variable was declared but never referenced", "kernel.cu", 5, 0,
        Severity::Warning, "variable was declared but never referenced");
    row("python", "  File \"/w/solution/solution.py\", line 12, in forward", "/w/solution/solution.py", 12, 0,
        Severity::Error, "forward");
    row("python, no function", "  File \"solution.py\", line 3", "solution.py", 3, 0, Severity::Error, "");
}

void SourcePlacesTest::places()
{
    QFETCH(QString, line);
    QFETCH(QString, path);
    QFETCH(int, number);
    QFETCH(int, column);
    QFETCH(int, severity);
    QFETCH(QString, message);
    const auto place = sourcePlace(line);
    QVERIFY(place.has_value());
    QCOMPARE(*place, (SourcePlace{path, number, column, Severity(severity), message}));
}

void SourcePlacesTest::otherLinesAreNone_data()
{
    QTest::addColumn<QString>("line");
    QTest::newRow("empty") << QString();
    QTest::newRow("prose") << QStringLiteral("1 error generated.");
    QTest::newRow("result") << QStringLiteral("CORRECT: True");
    QTest::newRow("time") << QStringLiteral("12:03:04: error in nothing");
    QTest::newRow("no line") << QStringLiteral("k.cpp: error: bad");
    QTest::newRow("line 0") << QStringLiteral("k.cpp:0:0: error: bad");
    QTest::newRow("huge") << QStringLiteral("k.cpp:99999999999: error: bad");
    QTest::newRow("too long") << QStringLiteral("k.cpp:1: error: ") + QString(5000, QLatin1Char('x'));
}

void SourcePlacesTest::otherLinesAreNone()
{
    QFETCH(QString, line);
    QVERIFY(!sourcePlace(line).has_value());
}

void SourcePlacesTest::fileIsKnownByItsEnd_data()
{
    QTest::addColumn<QString>("printed");
    QTest::addColumn<QString>("meant");
    QTest::newRow("name") << QStringLiteral("k.cpp") << QStringLiteral("/w/solution/k.cpp");
    QTest::newRow("of a folder that is gone")
        << QStringLiteral("/tmp/ako-123/solution/sub/k.cpp") << QStringLiteral("/w/solution/sub/k.cpp");
    QTest::newRow("another") << QStringLiteral("/usr/include/vector.h") << QString();
}

void SourcePlacesTest::fileIsKnownByItsEnd()
{
    QFETCH(QString, printed);
    QFETCH(QString, meant);
    const QStringList files{QStringLiteral("/w/solution/k.cpp"), QStringLiteral("/w/solution/sub/k.cpp")};
    QCOMPARE(fileMeant(printed, files), meant);
}

QTEST_GUILESS_MAIN(SourcePlacesTest)
#include "tst_sourceplaces.moc"
