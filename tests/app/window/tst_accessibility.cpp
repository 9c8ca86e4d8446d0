// SPDX-License-Identifier: GPL-3.0-or-later
// The window for whoever does not see it or has no mouse, and in another language.
#include "history/runstore.h"
#include "plan/planrow.h"
#include "support/samplerun.h"
#include "window/mainwindow.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QSettings>
#include <QShortcut>
#include <QStandardPaths>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

using namespace ako;

class AccessibilityTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void everyControlHasAName_data() { states(); }
    void everyControlHasAName();
    void everyControlIsReachedByTheKeyboard_data() { states(); }
    void everyControlIsReachedByTheKeyboard();
    void mnemonicsDoNotClash_data() { states(); }
    void mnemonicsDoNotClash();
    void shortcutsDoNotClash();
    void whatMattersHasAShortcut_data();
    void whatMattersHasAShortcut();
    void panelKeysGiveTheFocus();
    void everyTextCanBeTranslated_data() { states(); }
    void everyTextCanBeTranslated();

private:
    static void states();
    QList<RunEvent> events(const QString &state) const;
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

struct Shown
{
    RunStore store;
    MainWindow window{store};

    explicit Shown(const QList<RunEvent> &events)
    {
        window.setExamples({QStringLiteral("matmul")});
        window.resize(1280, 800);
        window.show();
        QApplication::setActiveWindow(&window);
        for (const RunEvent &event : events)
            store.apply(event);
    }
};

QString described(const QWidget *widget)
{
    QStringList path;
    for (; widget != nullptr && !widget->isWindow(); widget = widget->parentWidget())
        path.prepend(QString::fromLatin1(widget->metaObject()->className()) +
                     (widget->objectName().isEmpty() ? QString() : QLatin1Char('#') + widget->objectName()));
    return path.join(QStringLiteral(" > "));
}

// Parts of Qt's own compound widgets speak through the whole.
bool isInner(const QWidget *widget)
{
    return widget->objectName().startsWith(QLatin1String("qt_")) ||
           qobject_cast<const QAbstractSlider *>(widget) != nullptr ||
           widget->metaObject()->className() == QByteArray("QLineEditIconButton") ||
           widget->metaObject()->className() == QByteArray("QDockWidgetTitleButton") ||
           qobject_cast<const QComboBox *>(widget->parentWidget()) != nullptr ||
           qobject_cast<const QTabBar *>(widget->parentWidget()) != nullptr;
}

QList<QWidget *> controls(const QWidget &window)
{
    QList<QWidget *> found;
    const QList<QWidget *> all = window.findChildren<QWidget *>();
    for (QWidget *widget : all) {
        const bool isControl =
            widget->focusPolicy() != Qt::NoFocus || qobject_cast<QAbstractButton *>(widget) != nullptr;
        if (isControl && widget->isVisible() && !isInner(widget))
            found << widget;
    }
    return found;
}

QChar mnemonicOf(const QString &text)
{
    static const QRegularExpression pattern(QStringLiteral("(?<!&)&([^&\\s])"));
    const QRegularExpressionMatch match = pattern.match(text);
    return match.hasMatch() ? match.captured(1).at(0).toLower() : QChar();
}

// What is said twice, with both texts.
QStringList clashes(const QStringList &texts)
{
    QHash<QChar, QString> seen;
    QStringList found;
    for (const QString &text : texts) {
        const QChar letter = mnemonicOf(text);
        if (letter.isNull())
            continue;
        if (seen.contains(letter))
            found << QStringLiteral("%1 | %2").arg(seen.value(letter), text);
        seen.insert(letter, text);
    }
    return found;
}

} // namespace

void AccessibilityTest::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("ako4all-test"));
    QCoreApplication::setApplicationName(QStringLiteral("accessibility"));
    QAccessible::setActive(true);
}

void AccessibilityTest::init()
{
    QSettings().clear();
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(sampleRun::writeWorkspace(m_folder->path()));
}

void AccessibilityTest::states()
{
    QTest::addColumn<QString>("state");
    for (const char *state : {"start", "plan", "question", "running", "paused"})
        QTest::newRow(state) << QString::fromLatin1(state);
}

QList<RunEvent> AccessibilityTest::events(const QString &state) const
{
    const QString workspace = m_folder->path();
    if (state == QLatin1String("start"))
        return {};
    if (state == QLatin1String("plan"))
        return sampleRun::opened(workspace);
    if (state == QLatin1String("question"))
        return sampleRun::opened(workspace) << event::PlanResolved{sampleRun::planWithQuestion(workspace), false}
                                            << event::PhaseChanged{Phase::AwaitingAnswers, -1, {}, {}};
    return state == QLatin1String("running") ? sampleRun::underWay(workspace) : sampleRun::paused(workspace);
}

// Every tab is looked at, as what is behind another one is not visible.
static void forEachTab(const MainWindow &window, const std::function<void()> &look)
{
    look();
    for (QTabWidget *tabs : window.findChildren<QTabWidget *>()) {
        for (int index = 0; index < tabs->count(); ++index) {
            tabs->setCurrentIndex(index);
            look();
        }
    }
}

void AccessibilityTest::everyControlHasAName()
{
    QFETCH(QString, state);
    const Shown shown(events(state));
    QStringList nameless;
    int seen = 0;
    forEachTab(shown.window, [&] {
        for (QWidget *control : controls(shown.window)) {
            ++seen;
            QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(control);
            QVERIFY2(interface != nullptr, qPrintable(described(control)));
            if (interface->text(QAccessible::Name).trimmed().isEmpty())
                nameless << described(control);
        }
    });
    nameless.removeDuplicates();
    QVERIFY(seen > 3);
    QVERIFY2(nameless.isEmpty(), qPrintable(QLatin1Char('\n') + nameless.join(QLatin1Char('\n'))));
}

// Tab leads to it, or to something that stands for it (the tool bar's buttons have keys of their own).
void AccessibilityTest::everyControlIsReachedByTheKeyboard()
{
    QFETCH(QString, state);
    const Shown shown(events(state));
    QStringList lost;
    forEachTab(shown.window, [&] {
        QSet<const QWidget *> chain;
        for (QWidget *widget = shown.window.nextInFocusChain(); !chain.contains(widget);
             widget = widget->nextInFocusChain())
            chain.insert(widget);
        for (const QWidget *control : controls(shown.window)) {
            const auto *button = qobject_cast<const QAbstractButton *>(control);
            const QList<QAction *> actions = control->actions();
            const bool hasKey = button != nullptr && std::ranges::any_of(actions, [](const QAction *action) {
                                    return !action->shortcut().isEmpty();
                                });
            const QWidget *proxy = control->focusProxy() != nullptr ? control->focusProxy() : control;
            const bool byTab = (proxy->focusPolicy() & Qt::TabFocus) != 0 && chain.contains(control);
            const bool isText = qobject_cast<const QLabel *>(control) != nullptr; // can be selected with the mouse
            if (control->isEnabled() && !byTab && !hasKey && !isText)
                lost << described(control);
        }
    });
    lost.removeDuplicates();
    QVERIFY2(lost.isEmpty(), qPrintable(QLatin1Char('\n') + lost.join(QLatin1Char('\n'))));
}

void AccessibilityTest::mnemonicsDoNotClash()
{
    QFETCH(QString, state);
    const Shown shown(events(state));
    QStringList texts;
    for (const QAction *action : shown.window.menuBar()->actions())
        texts << action->text();
    for (const QWidget *widget : shown.window.findChildren<QWidget *>()) {
        if (!widget->isVisible())
            continue;
        const auto *label = qobject_cast<const QLabel *>(widget);
        const auto *button = qobject_cast<const QAbstractButton *>(widget);
        if (label != nullptr && label->buddy() != nullptr)
            texts << label->text();
        if (button != nullptr && button->actions().isEmpty())
            texts << button->text();
    }
    QVERIFY(texts.size() >= 5);
    QCOMPARE(clashes(texts).join(QLatin1Char('\n')), QString());
    for (const QMenu *menu : shown.window.findChildren<QMenu *>()) {
        QStringList items;
        for (const QAction *action : menu->actions())
            items << action->text();
        QCOMPARE(clashes(items).join(QLatin1Char('\n')), QString());
    }
}

void AccessibilityTest::shortcutsDoNotClash()
{
    const Shown shown(events(QStringLiteral("paused")));
    QHash<QString, QString> seen;
    const auto take = [&seen](const QKeySequence &keys, const QString &owner) {
        if (keys.isEmpty())
            return;
        const QString text = keys.toString();
        QVERIFY2(!seen.contains(text) || seen.value(text) == owner,
                 qPrintable(QStringLiteral("%1: %2 and %3").arg(text, seen.value(text), owner)));
        seen.insert(text, owner);
    };
    for (const QAction *action : shown.window.findChildren<QAction *>()) {
        if (action->shortcutContext() == Qt::WindowShortcut) {
            for (const QKeySequence &keys : action->shortcuts())
                take(keys, action->text());
        }
    }
    for (const QShortcut *shortcut : shown.window.findChildren<QShortcut *>()) {
        if (shortcut->context() == Qt::WindowShortcut)
            take(shortcut->key(),
                 described(shortcut->parent() != nullptr ? qobject_cast<QWidget *>(shortcut->parent()) : nullptr));
    }
    for (const QAbstractButton *button : shown.window.findChildren<QAbstractButton *>()) {
        if (mnemonicOf(button->text()).isNull())
            take(button->shortcut(), button->toolTip());
    }
    QVERIFY(seen.size() > 20);
}

void AccessibilityTest::whatMattersHasAShortcut_data()
{
    QTest::addColumn<QString>("keys");
    QTest::newRow("Run") << QStringLiteral("F5");
    QTest::newRow("Pause") << QStringLiteral("F6");
    QTest::newRow("Step") << QStringLiteral("F10");
    QTest::newRow("Stop") << QStringLiteral("Shift+F5");
    QTest::newRow("Restore") << QStringLiteral("Ctrl+Alt+R");
    QTest::newRow("Revert") << QStringLiteral("Ctrl+Alt+Z");
    QTest::newRow("Open …") << QStringLiteral("Ctrl+O");
    QTest::newRow("Save") << QStringLiteral("Ctrl+S");
    QTest::newRow("Bench my edit …") << QStringLiteral("Ctrl+B");
    QTest::newRow("Compare with …") << QStringLiteral("Ctrl+E");
}

void AccessibilityTest::whatMattersHasAShortcut()
{
    QFETCH(QString, keys);
    const Shown shown(events(QStringLiteral("paused")));
    for (const QAction *action : shown.window.findChildren<QAction *>()) {
        if (action->text().remove(QLatin1Char('&')) == QString::fromUtf8(QTest::currentDataTag())) {
            QCOMPARE(action->shortcut().toString(), keys);
            return;
        }
    }
    QFAIL("there is no such action");
}

void AccessibilityTest::panelKeysGiveTheFocus()
{
    const Shown shown(events(QStringLiteral("paused")));
    QVERIFY(shown.window.isVisible());
    const QList<QDockWidget *> docks = shown.window.findChildren<QDockWidget *>();
    QCOMPARE(docks.size(), 6);
    for (const QDockWidget *dock : docks) {
        if (dock->objectName() == QLatin1String("machine"))
            continue; // shows, and takes no key
        for (QAction *action : shown.window.actions()) {
            if (action->text() == dock->windowTitle())
                action->trigger();
        }
        QTRY_VERIFY2(dock->isAncestorOf(QApplication::focusWidget()), qPrintable(dock->objectName()));
    }
}

namespace {

// As if every text had been translated.
class Marker : public QTranslator
{
public:
    QString translate(const char *, const char *text, const char *, int) const override
    {
        return QStringLiteral("«%1»").arg(QString::fromUtf8(text));
    }
    bool isEmpty() const override { return false; }
};

// Names, data and signs are the same in every language.
bool isOfNoLanguage(QString text)
{
    static const QRegularExpression names(QStringLiteral(
        "[\\w./-]*\\.(cpp|sh|gitignore)\\b|HINTS\\.md|ITERATIONS\\.md|AKO4ALL|softmax\\S*|build\\.json|matmul|/"
        "\\S+|opt/\\S+|Ctrl|Shift|Alt|"
        "F\\d+|Up|Down|Return|x\\b|ms\\b"));
    text.remove(names);
    return !text.contains(QRegularExpression(QStringLiteral("\\p{L}{2,}")));
}

bool isOfTheSample(const QWidget *widget)
{
    for (; widget != nullptr; widget = widget->parentWidget()) {
        if (qobject_cast<const PlanRow *>(widget) != nullptr || widget->objectName() == QLatin1String("machine"))
            return true;
    }
    return false;
}

} // namespace

void AccessibilityTest::everyTextCanBeTranslated()
{
    QFETCH(QString, state);
    Marker marker;
    QCoreApplication::installTranslator(&marker);
    {
        QList<RunEvent> facts = events(state);
        for (RunEvent &fact : facts) { // what the loop says it has translated already
            if (auto *plan = std::get_if<event::PlanResolved>(&fact)) {
                plan->plan.warnings.clear();
                plan->plan.hints.clear();
            }
        }
        const Shown shown(facts);
        QStringList raw;
        const auto take = [&raw](const QString &text, const QString &owner) {
            if (!text.contains(QChar(0xBB)) && !isOfNoLanguage(text))
                raw << QStringLiteral("%1: %2").arg(owner, text);
        };
        for (const QAction *action : shown.window.findChildren<QAction *>()) {
            const bool isQt = action->parent() != nullptr && action->parent()->inherits("QLineEdit");
            if (!isQt) {
                take(action->text(), QStringLiteral("action"));
                take(action->toolTip(), QStringLiteral("tip of action"));
            }
        }
        for (const QWidget *widget : shown.window.findChildren<QWidget *>()) {
            if (isOfTheSample(widget) || isInner(widget))
                continue;
            const QString owner = described(widget);
            if (const auto *label = qobject_cast<const QLabel *>(widget); label != nullptr && label->isVisible())
                take(label->text(), owner);
            if (const auto *button = qobject_cast<const QAbstractButton *>(widget))
                take(button->text(), owner);
            if (const auto *line = qobject_cast<const QLineEdit *>(widget))
                take(line->placeholderText(), owner);
            if (const auto *tabs = qobject_cast<const QTabWidget *>(widget)) {
                for (int index = 0; index < tabs->count(); ++index)
                    take(tabs->tabText(index), owner);
            }
            take(widget->windowTitle(), owner);
            if (widget->focusPolicy() != Qt::NoFocus)
                take(widget->accessibleName(), owner);
        }
        raw.removeDuplicates();
        // An iteration's title and its reason are the agent's words.
        for (const IterationRecord &record : sampleRun::records())
            raw.removeIf([&record](const QString &text) { return text.contains(record.title); });
        QCoreApplication::removeTranslator(&marker);
        QVERIFY2(raw.isEmpty(), qPrintable(QLatin1Char('\n') + raw.join(QLatin1Char('\n'))));
    }
}

QTEST_MAIN(AccessibilityTest)
#include "tst_accessibility.moc"
