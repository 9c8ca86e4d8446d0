// SPDX-License-Identifier: GPL-3.0-or-later
// The Edit menu acts on the text that has the focus, whichever widget that is.
#include "editor/codeview.h"
#include "window/editactions.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QTest>
#include <QTextBrowser>
#include <QVBoxLayout>

using namespace ako;

namespace {

struct Shown
{
    QWidget window;
    QVBoxLayout column{&window};
    CodeView *code = new CodeView(&window);
    QLineEdit *line = new QLineEdit(&window);
    QComboBox *combo = new QComboBox(&window);
    QTextBrowser *page = new QTextBrowser(&window);
    QLabel *label = new QLabel(QStringLiteral("a label"), &window);
    QListView *list = new QListView(&window);
    EditActions *actions = new EditActions(&window);
    QMenu menu;

    Shown()
    {
        combo->setEditable(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        for (QWidget *widget : QList<QWidget *>{code, line, combo, page, label, list})
            column.addWidget(widget);
        actions->addTo(&menu);
        window.show();
        QApplication::setActiveWindow(&window);
    }
    QAction *action(const QString &text) const
    {
        for (QAction *candidate : menu.actions()) {
            if (candidate->text().remove(QLatin1Char('&')) == text)
                return candidate;
        }
        return nullptr;
    }
    QString enabled() const
    {
        QStringList names;
        for (QAction *candidate : menu.actions()) {
            if (candidate->isEnabled() && !candidate->isSeparator())
                names << candidate->text().remove(QLatin1Char('&'));
        }
        return names.join(QLatin1Char(' '));
    }
    void focus(QWidget *widget)
    {
        QApplication::setActiveWindow(&window);
        widget->setFocus();
        QTRY_VERIFY(QApplication::focusWidget() == widget);
    }
};

const QString all = QStringLiteral("Undo Redo Cut Copy Paste Select all");

} // namespace

class EditActionsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areThereForATextOnly();
    void actOnTheFocus_data();
    void actOnTheFocus();
    void theMenuKnowsWhatCanBeDoneNow();
};

void EditActionsTest::areThereForATextOnly()
{
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.window));
    shown.focus(shown.code);
    QCOMPARE(shown.enabled(), all);
    shown.focus(shown.combo);
    QCOMPARE(shown.enabled(), all);
    shown.focus(shown.page); // read only
    QCOMPARE(shown.enabled(), QStringLiteral("Copy Select all"));
    shown.focus(shown.label);
    QCOMPARE(shown.enabled(), QStringLiteral("Copy"));
    shown.focus(shown.list);
    QCOMPARE(shown.enabled(), QString());
    shown.code->setReadOnly(true);
    shown.focus(shown.code);
    QCOMPARE(shown.enabled(), QStringLiteral("Copy Select all"));
}

void EditActionsTest::actOnTheFocus_data()
{
    QTest::addColumn<bool>("byKey");
    QTest::newRow("by the menu") << false;
    QTest::newRow("by the key") << true;
}

void EditActionsTest::actOnTheFocus()
{
    QFETCH(bool, byKey);
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.window));
    const auto perform = [&](const char *text, const QKeySequence &key) {
        if (byKey)
            QTest::keySequence(QApplication::focusWidget(), key);
        else
            shown.action(QLatin1String(text))->trigger();
    };
    shown.focus(shown.code);
    shown.code->append(QStringLiteral("kernel"));
    perform("Select all", QKeySequence::SelectAll);
    perform("Copy", QKeySequence::Copy);
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("kernel"));
    perform("Cut", QKeySequence::Cut);
    QCOMPARE(shown.code->text(), QString());
    perform("Undo", QKeySequence::Undo);
    QCOMPARE(shown.code->text(), QStringLiteral("kernel"));
    perform("Redo", QKeySequence(Qt::CTRL | Qt::Key_Y));
    QCOMPARE(shown.code->text(), QString());
    shown.focus(shown.line);
    perform("Paste", QKeySequence::Paste);
    QCOMPARE(shown.line->text(), QStringLiteral("kernel"));
}

void EditActionsTest::theMenuKnowsWhatCanBeDoneNow()
{
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.window));
    shown.focus(shown.line);
    Q_EMIT shown.menu.aboutToShow();
    QVERIFY(!shown.action(QStringLiteral("Undo"))->isEnabled());
    QVERIFY(!shown.action(QStringLiteral("Cut"))->isEnabled());
    Q_EMIT shown.menu.aboutToHide();
    QVERIFY(shown.action(QStringLiteral("Undo"))->isEnabled()); // or its key would be dead after the first edit
    QTest::keyClicks(shown.line, QStringLiteral("x"));
    shown.line->selectAll();
    Q_EMIT shown.menu.aboutToShow();
    QVERIFY(shown.action(QStringLiteral("Undo"))->isEnabled());
    QVERIFY(shown.action(QStringLiteral("Cut"))->isEnabled());
}

QTEST_MAIN(EditActionsTest)
#include "tst_editactions.moc"
