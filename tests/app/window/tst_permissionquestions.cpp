// SPDX-License-Identifier: GPL-3.0-or-later
// What an agent asks to be allowed, in the window: one after the other, answered once each, and never hidden by another
// message.
#include "history/runstore.h"
#include "style/messagebar.h"
#include "window/permissionquestions.h"

#include <QPushButton>
#include <QTest>
#include <QToolButton>

using namespace ako;

class TestPermissionQuestions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_bar.reset(); }
    void answers_data();
    void answers();
    void oneAfterTheOther();
    void settledElsewhere();
    void aLongQuestion();

private:
    void ask(quint64 number);
    void press(const char *text);

    std::unique_ptr<RunStore> m_store;
    std::unique_ptr<MessageBar> m_bar;
    std::unique_ptr<PermissionQuestions> m_questions;
    QList<std::pair<quint64, PermissionChoice>> m_given;
};

void TestPermissionQuestions::init()
{
    m_given.clear();
    m_questions.reset();
    m_store = std::make_unique<RunStore>();
    m_bar = std::make_unique<MessageBar>();
    m_questions = std::make_unique<PermissionQuestions>(*m_store, *m_bar, nullptr);
    connect(m_questions.get(), &PermissionQuestions::answered, this,
            [this](quint64 number, PermissionChoice choice) { m_given << std::pair(number, choice); });
}

void TestPermissionQuestions::ask(quint64 number)
{
    m_store->apply(event::PermissionAsked{
        {number, QStringLiteral("Claude Code"), QStringLiteral("execute"), QStringLiteral("make %1").arg(number)}});
}

void TestPermissionQuestions::press(const char *text)
{
    for (QPushButton *button : m_bar->findChildren<QPushButton *>()) {
        if (button->text() == QLatin1String(text) && button->parent() == m_bar.get() && button->isEnabled()) {
            button->click();
            return;
        }
    }
    qWarning("there is no button %s", text);
}

void TestPermissionQuestions::answers_data()
{
    QTest::addColumn<QByteArray>("button");
    QTest::addColumn<int>("choice");
    QTest::newRow("once") << QByteArray("Allow once") << int(PermissionChoice::Once);
    QTest::newRow("for this run") << QByteArray("Allow all of this kind for this run")
                                  << int(PermissionChoice::ForThisRun);
    QTest::newRow("deny") << QByteArray("Deny") << int(PermissionChoice::Deny);
    QTest::newRow("its cross is a no") << QByteArray() << int(PermissionChoice::Deny);
}

void TestPermissionQuestions::answers()
{
    QFETCH(QByteArray, button);
    QFETCH(int, choice);
    QVERIFY(m_bar->isHidden());
    ask(7);
    QVERIFY(!m_bar->isHidden());
    QVERIFY2(m_bar->text().contains(QLatin1String("Claude Code asks to run: make 7")), qPrintable(m_bar->text()));
    if (button.isEmpty())
        Q_EMIT m_bar->dismissed();
    else
        press(button.constData());
    QCOMPARE(m_given.size(), 1);
    QCOMPARE(m_given.constFirst().first, quint64(7));
    QCOMPARE(int(m_given.constFirst().second), choice);
    m_store->apply(event::PermissionSettled{7, QStringLiteral("done")});
    QVERIFY(m_bar->isHidden());
    Q_EMIT m_bar->dismissed();
    QCOMPARE(m_given.size(), 1);
}

void TestPermissionQuestions::oneAfterTheOther()
{
    ask(1);
    ask(2);
    QVERIFY2(m_bar->text().contains(QLatin1String("make 1")) &&
                 m_bar->text().contains(QLatin1String("One more question waits")),
             qPrintable(m_bar->text()));
    press("Allow once");
    ask(3); // while the first answer is on its way
    QVERIFY(m_bar->isHidden());
    m_store->apply(event::PermissionSettled{1, QStringLiteral("allowed once")});
    QVERIFY(!m_bar->isHidden());
    QVERIFY2(m_bar->text().contains(QLatin1String("make 2")), qPrintable(m_bar->text()));
    press("Deny");
    m_store->apply(event::PermissionSettled{2, QStringLiteral("denied")});
    QVERIFY2(m_bar->text().contains(QLatin1String("make 3")), qPrintable(m_bar->text()));
    QCOMPARE(m_given.size(), 2);
}

// The turn has ended, or another workspace was opened.
void TestPermissionQuestions::settledElsewhere()
{
    QStringList told;
    connect(m_store.get(), &RunStore::questionSettled, this,
            [&told](const PermissionQuestion &question, const QString &outcome) {
                told << question.what + QLatin1Char(' ') + outcome;
            });
    ask(1);
    m_store->apply(event::PermissionSettled{1, QStringLiteral("the turn ended")});
    QVERIFY(m_bar->isHidden());
    QCOMPARE(told, QStringList{QStringLiteral("make 1 the turn ended")});
    m_store->apply(event::PermissionSettled{1, QStringLiteral("again")});
    QCOMPARE(told.size(), 1);
    ask(2);
    m_store->apply(event::WorkspaceOpened{QStringLiteral("/elsewhere"), {}});
    QVERIFY(m_bar->isHidden());
    QVERIFY(m_given.isEmpty());
}

// It takes no more room than there is, and all of it can be read.
void TestPermissionQuestions::aLongQuestion()
{
    const QString address = QStringLiteral("https://example.org/") + QString(900, QLatin1Char('x'));
    m_store->apply(event::PermissionAsked{{1, QStringLiteral("OpenCode"), QStringLiteral("fetch"), address}});
    QVERIFY(
        m_bar->text().remove(QChar(0x200b)).contains(QLatin1String("OpenCode asks to use the network: ") + address));
    const auto isNarrow = [this] { return m_bar->minimumSizeHint().width() < 700; };
    QVERIFY2(isNarrow(), qPrintable(QString::number(m_bar->minimumSizeHint().width())));
    for (QToolButton *button : m_bar->findChildren<QToolButton *>()) {
        if (button->text() == QLatin1String("More"))
            button->click();
    }
    QVERIFY2(isNarrow(), qPrintable(QString::number(m_bar->minimumSizeHint().width())));
}

QTEST_MAIN(TestPermissionQuestions)
#include "tst_permissionquestions.moc"
