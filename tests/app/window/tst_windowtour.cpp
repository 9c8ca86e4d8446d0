// SPDX-License-Identifier: GPL-3.0-or-later
// A run of an example in the window, with a picture of every stage in both palettes and two sizes. Done only where
// AKO_SCREENSHOTS=FOLDER says where the pictures go: it benches.
#include "base/installation.h"
#include "diff/diffview.h"
#include "diff/sidechooser.h"
#include "doctor/doctordialog.h"
#include "editor/codeview.h"
#include "editor/editortabs.h"
#include "editor/sourceeditor.h"
#include "hints/hintseditor.h"
#include "history/runstore.h"
#include "loop/controller.h"
#include "plan/planpanel.h"
#include "plan/requestbox.h"
#include "style/palette.h"
#include "support/figures.h"
#include "support/longhistory.h"
#include "support/scratchrepository.h"
#include "transcript/outputpanel.h"
#include "window/mainwindow.h"
#include "window/wiring.h"

#include <QAction>
#include <QDir>
#include <QListView>
#include <QPlainTextEdit>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;

class WindowTour : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void tour_data();
    void tour();
};

namespace {

class Tour
{
public:
    Tour(const QString &parent, const QSize &size)
        : m_size(size)
    {
        workspace = test::copyOfWorkspace(
            installation::dataFolder(QStringLiteral("examples")) + QStringLiteral("/matmul"), parent);
        controller.setIdentity(QStringLiteral("Ada Lovelace"), QStringLiteral("ada@example.org"));
        connectWindow(window, controller, store);
        window.setExamples({QStringLiteral("matmul"), QStringLiteral("softmax"), QStringLiteral("stencil")});
        window.resize(size);
        window.show();
    }

    void shoot(const char *name, QWidget *what = nullptr)
    {
        for (const Appearance appearance : {Appearance::Light, Appearance::Dark}) {
            applyAppearance(appearance);
            QTest::qWait(350);
            const QString look = appearance == Appearance::Dark ? QStringLiteral("dark") : QStringLiteral("light");
            const QString file = QStringLiteral("%1/%2-%3-%4.png")
                                     .arg(qEnvironmentVariable("AKO_SCREENSHOTS"), QString::fromLatin1(name))
                                     .arg(m_size.width())
                                     .arg(look);
            QVERIFY((what != nullptr ? what : &window)->grab().save(file));
        }
        QCOMPARE(window.size(), m_size);
    }

    bool reaches(const std::function<bool()> &state) const { return test::runEventLoopUntil(state, 240000); }
    bool rests() const { return !store.isBusy(); }
    void trigger(const char *name) const
    {
        for (QAction *action : window.findChildren<QAction *>()) {
            if (action->text().remove(QLatin1Char('&')) == QString::fromUtf8(name))
                action->trigger();
        }
    }
    template <typename Part>
    Part *part() const
    {
        return window.findChild<Part *>();
    }

    QString workspace;
    RunStore store;
    LoopController controller;
    MainWindow window{store};

private:
    QSize m_size;
};

void write(const QString &path, const QByteArray &content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
}

} // namespace

void WindowTour::initTestCase()
{
    if (!qEnvironmentVariableIsSet("AKO_SCREENSHOTS"))
        QSKIP("AKO_SCREENSHOTS does not say where the pictures go");
    test::isolateGitConfiguration();
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("ako4all-test"));
    QCoreApplication::setApplicationName(QStringLiteral("windowtour"));
}

void WindowTour::tour_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280") << QSize(1280, 800);
    QTest::newRow("1920") << QSize(1920, 1080);
}

void WindowTour::tour()
{
    QFETCH(QSize, size);
    QSettings().clear();
    const QTemporaryDir folder;
    Tour tour(folder.path(), size);
    QVERIFY(QTest::qWaitForWindowExposed(&tour.window));
    tour.shoot("start");

    tour.window.openWorkspace(folder.filePath(QStringLiteral("nowhere")));
    QVERIFY(tour.reaches([&] { return tour.store.phase().phase == Phase::Failed; }));
    tour.shoot("error");

    const QString ambiguous = folder.filePath(QStringLiteral("two"));
    QVERIFY(QDir().mkpath(ambiguous));
    for (const char *file : {"problem.json", "reference.cpp", "matmul.cpp"})
        QVERIFY(QFile::copy(tour.workspace + QLatin1Char('/') + QLatin1String(file),
                            ambiguous + QLatin1Char('/') + QLatin1String(file)));
    QVERIFY(
        QFile::copy(tour.workspace + QStringLiteral("/matmul.cpp"), ambiguous + QStringLiteral("/matmul_blocked.cpp")));
    tour.window.openWorkspace(ambiguous);
    QVERIFY(tour.reaches([&] { return tour.store.phase().phase == Phase::AwaitingAnswers; }));
    tour.shoot("question");

    tour.window.openWorkspace(tour.workspace);
    QVERIFY(tour.reaches([&] { return tour.store.phase().phase == Phase::AwaitingApproval; }));
    tour.shoot("plan");
    tour.part<PlanPanel>()->request()->text()->setPlainText(
        QStringLiteral("at most 4 iterations, stay with C++, keep the tail loop"));
    QVERIFY(tour.reaches([&] { return tour.store.plan().iterationCap == 4; }));
    tour.part<EditorTabs>()->setCurrentIndex(2);
    tour.shoot("request");
    CodeView *hints = tour.part<EditorTabs>()->hints()->editor()->view();
    const QString standing = hints->text();
    hints->append(
        QStringLiteral("- stop after 0 iterations\n- no ncu\n- use 32-byte loads where the tail allows it\n"));
    QVERIFY(tour.reaches([&] { return tour.store.plan().hasOpenQuestions(); }));
    tour.shoot("hints");
    hints->setText(standing);
    QVERIFY(tour.reaches([&] { return !tour.store.plan().hasOpenQuestions(); }));
    tour.trigger("Doctor …");
    QVERIFY(tour.reaches([&] { return !tour.part<DoctorDialog>()->findings().isEmpty(); }));
    tour.shoot("doctor", tour.part<DoctorDialog>());
    tour.part<DoctorDialog>()->close();

    tour.controller.approve();
    tour.controller.run();
    QVERIFY(
        tour.reaches([&] { return tour.store.phase().phase == Phase::Benching && tour.store.phase().iteration == 3; }));
    tour.part<OutputPanel>()->setCurrentIndex(1);
    tour.shoot("running");
    QVERIFY(tour.reaches([&] { return tour.store.phase().phase == Phase::Finished; }));
    for (int tab = tour.part<OutputPanel>()->count() - 1; tab >= 0; --tab) {
        tour.part<OutputPanel>()->setCurrentIndex(tab);
        tour.shoot(qPrintable(QStringLiteral("output-%1").arg(tab)));
    }
    tour.part<EditorTabs>()->setCurrentIndex(tour.part<EditorTabs>()->count() - 1);
    tour.shoot("finished");
    tour.part<EditorTabs>()->setCurrentWidget(tour.part<EditorTabs>()->hints());
    tour.shoot("hints-running");
    tour.trigger("What it changed");
    tour.shoot("diff");
    SideChooser *before = tour.window.findChildren<SideChooser *>().first();
    before->fill();
    Q_EMIT before->activated(before->findData(1));
    tour.part<DiffView>()->setSideBySide(true);
    tour.shoot("compare");

    write(tour.workspace + QStringLiteral("/solution/matmul.cpp"), "#include <cstdint>\nextern \"C\" void matmul(\n");
    tour.controller.benchEdit(QStringLiteral("tile in registers"), QStringLiteral("Fewer loads."), {});
    QVERIFY(tour.reaches([&] { return tour.store.isBusy(); }));
    QVERIFY(tour.reaches([&] { return tour.rests(); }));
    tour.part<OutputPanel>()->setCurrentIndex(1);
    QListView *list = tour.window.findChild<QListView *>(QStringLiteral("iterations"));
    QVERIFY(list != nullptr);
    list->setCurrentIndex(list->model()->index(0, list->modelColumn()));
    for (int row = 0; row < list->model()->rowCount(); ++row) {
        if (list->model()->index(row, 2).data().toString() == QLatin1String("tile in registers"))
            list->setCurrentIndex(list->model()->index(row, list->modelColumn()));
    }
    tour.shoot("failed");
}

QTEST_MAIN(WindowTour)
#include "tst_windowtour.moc"
