// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the window in its states, sizes and palettes. With AKO_SCREENSHOTS=FOLDER the pictures are kept there.
#include "history/runstore.h"
#include "style/palette.h"
#include "support/samplerun.h"
#include "window/mainwindow.h"

#include <QAction>
#include <QDialog>
#include <QDir>
#include <QListView>
#include <QSettings>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;

class WindowLookTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void looks_data();
    void looks();
};

void WindowLookTest::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("ako4all-test"));
    QCoreApplication::setApplicationName(QStringLiteral("windowlook"));
    QSettings().clear();
}

void WindowLookTest::looks_data()
{
    QTest::addColumn<QString>("state");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<bool>("dark");
    for (const char *state : {"start", "plan", "question", "running", "permission", "paused", "finished", "diff",
                              "hints", "triage", "changed", "recovered", "apply", "settings", "shortcuts"}) {
        for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)}) {
            for (const bool dark : {false, true})
                QTest::addRow("%s-%d-%s", state, size.width(), dark ? "dark" : "light")
                    << QString::fromLatin1(state) << size << dark;
        }
    }
}

// The share of pixels that are not of the commonest colour: an empty window has next to none.
static double inkOf(const QImage &image)
{
    QHash<QRgb, int> counts;
    for (int y = 0; y < image.height(); y += 2) {
        for (int x = 0; x < image.width(); x += 2)
            ++counts[image.pixel(x, y)];
    }
    int all = 0;
    int most = 0;
    for (const int count : std::as_const(counts)) {
        all += count;
        most = qMax(most, count);
    }
    return 1.0 - double(most) / all;
}

static void openDiff(const MainWindow &window)
{
    for (QAction *action : window.findChildren<QAction *>()) {
        if (action->text().remove(QLatin1Char('&')) == QLatin1String("What it changed"))
            action->trigger();
    }
}

static QList<RunEvent> eventsOf(const QString &state, const QString &workspace)
{
    if (state == QLatin1String("start"))
        return {};
    if (state == QLatin1String("plan"))
        return sampleRun::opened(workspace);
    if (state == QLatin1String("question"))
        return sampleRun::opened(workspace) << event::PlanResolved{sampleRun::planWithQuestion(workspace), false};
    if (state == QLatin1String("permission"))
        return sampleRun::underWay(workspace)
               << event::PhaseChanged{Phase::Proposing, 8, {}, QDateTime::currentDateTimeUtc()}
               << event::OutputAppended{event::OutputAppended::Source::Agent,
                                        QStringLiteral(
                                            "Agent: opencode 1.18.33\nAsked for iteration 8:\n\n…\n\nThought:\n"
                                            "Two rows a block leave half of the lanes idle at 1009 "
                                            "columns.\nAgent:\nI look at the champion first.\n[tool] "
                                            "read_champion\n[allowed] edit solution/softmax.cpp\n[bench] probe "
                                            "1 of 5\n[bench] probe 1: correct, 2.31 ms, 1.042x [1.031, "
                                            "1.055] over the champion\n[asked] execute objdump -d\n")}
               << event::PermissionAsked{{1, QStringLiteral("OpenCode"), QStringLiteral("execute"),
                                          QStringLiteral("objdump -d solution/softmax.o")}}
               << event::PermissionAsked{{2, QStringLiteral("OpenCode"), QStringLiteral("fetch"),
                                          QStringLiteral("https://docs.example.org/avx512")}};
    if (state == QLatin1String("running"))
        return sampleRun::underWay(workspace);
    return state == QLatin1String("finished") ? sampleRun::finished(workspace) : sampleRun::paused(workspace);
}

static void choose(const MainWindow &window, int iteration)
{
    auto *list = window.findChild<QListView *>(QStringLiteral("iterations"));
    QVERIFY(list != nullptr);
    list->setCurrentIndex(list->model()->index(list->model()->rowCount() - 1 - iteration, list->modelColumn()));
}

void WindowLookTest::looks()
{
    QFETCH(QString, state);
    QFETCH(QSize, size);
    QFETCH(bool, dark);
    QTemporaryDir folder;
    const QString workspace = folder.filePath(QStringLiteral("kernels/normalisation/softmax"));
    QVERIFY(QDir().mkpath(workspace));
    QVERIFY(sampleRun::writeWorkspace(workspace));
    if (state == QLatin1String("plan") || state == QLatin1String("question"))
        QVERIFY(QDir(workspace + QStringLiteral("/solution")).removeRecursively());
    QSettings().clear();
    applyAppearance(dark ? Appearance::Dark : Appearance::Light);

    RunStore store;
    MainWindow window(store);
    connect(&window, &MainWindow::diffRequested, &window,
            [&window](int, int, quint64 token) { window.showDiff(token, sampleRun::diff(), {}); });
    window.setExamples({QStringLiteral("matmul"), QStringLiteral("softmax"), QStringLiteral("stencil")});
    window.resize(size);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    for (const RunEvent &event : eventsOf(state, workspace))
        store.apply(event);
    auto *tabs = window.findChild<QTabWidget *>(QStringLiteral("editorTabs"));
    QVERIFY(tabs != nullptr);
    if (state == QLatin1String("permission")) {
        for (QTabWidget *each : window.findChildren<QTabWidget *>()) {
            for (int tab = 0; tab < each->count(); ++tab) {
                if (each->tabText(tab).remove(QLatin1Char('&')) == QLatin1String("Transcript"))
                    each->setCurrentIndex(tab);
            }
        }
    }
    if (state == QLatin1String("diff"))
        openDiff(window);
    if (state == QLatin1String("hints"))
        tabs->setCurrentIndex(tabs->count() - 2);
    if (state == QLatin1String("finished"))
        tabs->setCurrentIndex(tabs->count() - 1);
    if (state == QLatin1String("triage"))
        choose(window, 9);
    if (state == QLatin1String("changed"))
        window.showHarness(
            0, {sampleRun::diff(), {}, {QStringLiteral("softmax.cpp")}, {QStringLiteral("weights.npy was changed")}},
            {}, {});
    if (state == QLatin1String("recovered"))
        window.showKeptEdit(0,
                            {{13, QStringLiteral("begun"), QStringLiteral("discarded"), 10,
                              QStringLiteral(".ako/discarded/20261201-101500_iter-13/solution")},
                             sampleRun::diff()},
                            {});
    if (state == QLatin1String("apply"))
        window.showSourceChange(
            0, sampleRun::diff(), {QStringLiteral("softmax.cpp")},
            QStringLiteral("The champion is compiled with -O3 -fopenmp; build your source with the same flags."), {});
    for (const auto &[name, text] :
         {std::pair("settings", "&Settings …"), std::pair("shortcuts", "&Keyboard shortcuts")}) {
        for (QAction *action : window.findChildren<QAction *>()) {
            if (state == QLatin1String(name) && action->text() == QString::fromUtf8(text))
                action->trigger();
        }
    }
    QDialog *dialog = nullptr;
    for (auto *each : window.findChildren<QDialog *>())
        dialog = each->isVisible() ? each : dialog;
    const bool isDialog = QStringList{QStringLiteral("changed"), QStringLiteral("recovered"), QStringLiteral("apply"),
                                      QStringLiteral("settings"), QStringLiteral("shortcuts")}
                              .contains(state);
    QCOMPARE(dialog != nullptr, isDialog);
    QTest::qWait(50);
    QTRY_VERIFY(inkOf(window.grab().toImage()) > 0.01);
    if (dialog != nullptr)
        QVERIFY2(dialog->width() <= size.width() && dialog->height() <= size.height(),
                 qPrintable(dialog->windowTitle()));
    QCOMPARE(window.size(), size);
    QCOMPARE(isDark(window.palette()), dark);
    const QString keep = qEnvironmentVariable("AKO_SCREENSHOTS");
    if (!keep.isEmpty()) {
        QTest::qWait(400);
        QVERIFY((dialog != nullptr ? dialog : static_cast<QWidget *>(&window))
                    ->grab()
                    .save(QStringLiteral("%1/%2.png").arg(keep, QString::fromLatin1(QTest::currentDataTag()))));
    }
}

QTEST_MAIN(WindowLookTest)
#include "tst_windowlook.moc"
