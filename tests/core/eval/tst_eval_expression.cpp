// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/expression.h"

#include <QTest>

#include <stdexcept>

using namespace ako::eval;

class TestEvalExpression : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void evaluates_data();
    void evaluates();
    void refuses_data();
    void refuses();
};

void TestEvalExpression::evaluates_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("expected");
    const auto row = [](const char *text, qint64 expected) {
        QTest::newRow(text) << QString::fromLatin1(text) << expected;
    };
    row("7", 7);
    row("rows*cols", 37 * 1009);
    row("2 + 3 * 4", 14);
    row("(2 + 3) * 4", 20);
    row("10 - 3 - 2", 5);
    row("-rows + 40", 3);
    row("- -5", 5);
    row("12 / 4", 3);
    row("7 // 2", 3);
    row("-7 // 2", -4);
    row("-7 % 3", 2);
    row("ceildiv(7, 2)", 4);
    row("ceildiv(-7, 2)", -3);
    row("ceildiv(rows, 16) * 16", 48);
    row("min(rows, cols, 5)", 5);
    row("max(rows, cols)", 1009);
    row("4*(rows*cols + 25)", 4 * (37 * 1009 + 25));
    row("9223372036854775807", std::numeric_limits<qint64>::max());
}

void TestEvalExpression::evaluates()
{
    QFETCH(QString, text);
    QFETCH(qint64, expected);
    QCOMPARE(qint64(evaluateExpression(text.toStdString(), {{"rows", 37}, {"cols", 1009}})), expected);
}

void TestEvalExpression::refuses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *text, const char *words) {
        QTest::newRow(*text ? text : "empty") << QString::fromLatin1(text) << QString::fromLatin1(words);
    };
    row("", "too early");
    row("1 +", "too early");
    row("depth", "unknown axis \"depth\" at character 1");
    row("rows cols", "unexpected character at character 6");
    row("rows $ 2", "unexpected character");
    row("(1", "expected \")\"");
    row("7 / 2", "does not come out even");
    row("1 / 0", "division by zero");
    row("1 // 0", "division by zero");
    row("1 % 0", "division by zero");
    row("9223372036854775808", "does not fit");
    row("9223372036854775807 + 1", "does not fit");
    row("9223372036854775807 * rows", "does not fit");
    row("sqrt(4)", "unknown function \"sqrt\"");
    row("ceildiv(1)", "two arguments");
    row("min()", "unexpected character");
    row("1.5", "unexpected character");
    QTest::newRow("deep") << QString(500, u'(') << QStringLiteral("nested too deeply");
}

void TestEvalExpression::refuses()
{
    QFETCH(QString, text);
    QFETCH(QString, words);
    try {
        evaluateExpression(text.toStdString(), {{"rows", 37}});
        QFAIL("accepted");
    } catch (const std::invalid_argument &error) {
        const QString message = QString::fromStdString(error.what());
        QVERIFY2(message.contains(words), qPrintable(message));
    }
}

QTEST_APPLESS_MAIN(TestEvalExpression)
#include "tst_eval_expression.moc"
