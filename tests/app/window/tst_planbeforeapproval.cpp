// SPDX-License-Identifier: GPL-3.0-or-later
// Request, HINTS.md and agent while the plan waits for approval, with the real loop behind the window.
#include "agents/knownagents.h"
#include "base/installation.h"
#include "doctor/doctordialog.h"
#include "editor/codeview.h"
#include "editor/editortabs.h"
#include "editor/sourceeditor.h"
#include "git/repository.h"
#include "hints/hintseditor.h"
#include "history/runstore.h"
#include "loop/controller.h"
#include "plan/identitydialog.h"
#include "plan/planpanel.h"
#include "plan/planrow.h"
#include "plan/requestbox.h"
#include "style/messagebar.h"
#include "support/longhistory.h"
#include "support/scratchrepository.h"
#include "window/agentchooser.h"
#include "window/mainwindow.h"
#include "window/wiring.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QDir>
#include <QDirIterator>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSaveFile>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace ako;

using Write = void (*)(const QString &path, const QByteArray &content);
Q_DECLARE_METATYPE(Write)

class PlanBeforeApprovalTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void aMendedFileIsReadAgain_data();
    void aMendedFileIsReadAgain();
    void whatIsBeingWrittenStays();
    void reloadReadsAgain();
    void aRequestChangesThePlanAndWritesNothing();
    void hintsCountWhileTheyAreWritten();
    void hintsOfTheWorkspaceAreShown();
    void approvalSavesTheHintsFirst();
    void whoCommitsIsAskedFor();
    void anIdentitySetElsewhereIsSeen();
    void theAgentIsRemembered();
    void onlyAgentsThatCanAreOffered_data();
    void onlyAgentsThatCanAreOffered();
    void hintsSayWhatIsLeft();
    void theDoctorIsAsked();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_workspace;
};

namespace {

struct Opened
{
    RunStore store;
    LoopController controller;
    MainWindow window{store};

    explicit Opened(const QString &workspace, bool watchesPlan = true)
    {
        LoopController::Options options;
        options.watchesPlan = watchesPlan;
        controller.setOptions(options);
        connectWindow(window, controller, store);
        window.show();
        window.openWorkspace(workspace);
    }
    bool awaitsApproval() const { return store.phase().phase == Phase::AwaitingApproval; }
    HintsEditor *hints() const { return window.findChild<EditorTabs *>()->hints(); }
    bool warnsOfIdentity() const
    {
        const auto labels = plan()->findChildren<QLabel *>();
        return std::ranges::any_of(labels, [](const QLabel *label) {
            return label->text().contains(QLatin1String("git does not know who commits"));
        });
    }
    bool awaitsAnswers() const { return store.phase().phase == Phase::AwaitingAnswers; }
    QString banner() const
    {
        const auto *bar = window.findChild<MessageBar *>();
        return bar->isHidden() ? QString() : bar->text();
    }
    PlanPanel *plan() const { return window.findChild<PlanPanel *>(); }
};

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void overwrite(const QString &path, const QByteArray &content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(file.write(content), content.size());
}

void replaceByRename(const QString &path, const QByteArray &content)
{
    QSaveFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
    QVERIFY(file.commit());
}

void removeAndMake(const QString &path, const QByteArray &content)
{
    QVERIFY(QFile::remove(path));
    overwrite(path, content);
}

// As an editor in the midst of it leaves a file: line 2 is not JSON.
QByteArray broken(QByteArray problem)
{
    return problem.replace("\"schema\":", "\"schema\" ");
}

QLineEdit *lineEditOf(QWidget *input)
{
    auto *edit = qobject_cast<QLineEdit *>(input);
    return edit != nullptr ? edit : input->findChild<QLineEdit *>();
}

QStringList filesOf(const QString &folder)
{
    QStringList files;
    QDirIterator walk(folder, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    while (walk.hasNext())
        files << walk.next();
    files.sort();
    return files;
}

void giveIdentity(const Opened &opened)
{
    // One that was rejected is deleted when the event loop comes to it.
    const auto dialogs = opened.window.findChildren<IdentityDialog *>();
    QVERIFY(!dialogs.isEmpty());
    IdentityDialog *dialog = dialogs.last();
    const auto boxes = dialog->findChildren<QLineEdit *>();
    QCOMPARE(boxes.size(), 2);
    QTest::keyClicks(boxes.first(), QStringLiteral("Ada L"));
    QTest::keyClicks(boxes.last(), QStringLiteral("ada@example.org"));
    dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->click();
}

} // namespace

void PlanBeforeApprovalTest::initTestCase()
{
    test::isolateGitConfiguration();
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("ako4all-test"));
    QCoreApplication::setApplicationName(QStringLiteral("planbeforeapproval"));
}

void PlanBeforeApprovalTest::init()
{
    QSettings().clear();
    m_folder = std::make_unique<QTemporaryDir>();
    m_workspace = test::copyOfWorkspace(
        installation::dataFolder(QStringLiteral("examples")) + QStringLiteral("/softmax"), m_folder->path());
    QVERIFY(!m_workspace.isEmpty());
}

void PlanBeforeApprovalTest::aMendedFileIsReadAgain_data()
{
    QTest::addColumn<Write>("write");
    QTest::newRow("written in place") << Write(overwrite);
    QTest::newRow("replaced by a rename") << Write(replaceByRename);
    QTest::newRow("removed and made") << Write(removeAndMake);
}

// The window says what is wrong and where, not only what follows from it; and it sees that it was mended, each time.
void PlanBeforeApprovalTest::aMendedFileIsReadAgain()
{
    QFETCH(Write, write);
    const QString path = m_workspace + QStringLiteral("/problem.json");
    const QByteArray problem = contentOf(path);
    overwrite(path, broken(problem));
    Opened opened(m_workspace);
    for (int round = 0; round < 2; ++round) {
        QTRY_VERIFY(opened.awaitsAnswers());
        QTRY_VERIFY2(opened.banner().contains(QStringLiteral("problem.json:2:")), qPrintable(opened.banner()));
        QCOMPARE(opened.plan()->openRow()->field().key, QLatin1String(planKey::benchMode));
        QVERIFY(!opened.plan()->approveButton()->isEnabled());
        write(path, problem);
        QTRY_VERIFY(opened.awaitsApproval());
        QTRY_VERIFY(opened.banner().isEmpty());
        QTRY_VERIFY(opened.plan()->openRow() == nullptr);
        QVERIFY(opened.plan()->approveButton()->isEnabled());
        write(path, broken(problem));
    }
}

void PlanBeforeApprovalTest::whatIsBeingWrittenStays()
{
    Opened opened(m_workspace);
    QTRY_VERIFY(opened.awaitsApproval());
    opened.controller.setPlanField(QLatin1String(planKey::agent), QStringLiteral("user"));
    QTRY_COMPARE(opened.store.plan().agent, QStringLiteral("user"));
    opened.hints()->editor()->view()->append(QStringLiteral("- stop after 5 iterations\n"));
    QTRY_COMPARE(opened.store.plan().iterationCap, 5);
    QLineEdit *cap = lineEditOf(opened.plan()->row(QLatin1String(planKey::iterationCap))->input());
    cap->setFocus();
    cap->selectAll();
    QTest::keyClicks(cap, QStringLiteral("42"));

    const QString path = m_workspace + QStringLiteral("/problem.json");
    const QByteArray problem = contentOf(path);
    overwrite(path, broken(problem));
    QTRY_VERIFY(opened.awaitsAnswers());
    replaceByRename(path, problem);
    QTRY_VERIFY(opened.awaitsApproval());
    QCOMPARE(opened.store.plan().agent, QStringLiteral("user"));
    QCOMPARE(opened.store.plan().iterationCap, 5);
    QVERIFY(opened.hints()->editor()->isDirty());
    cap = lineEditOf(opened.plan()->row(QLatin1String(planKey::iterationCap))->input());
    QCOMPARE(cap->text(), QStringLiteral("42"));
    QTest::keyClick(cap, Qt::Key_Return);
    QTRY_COMPARE(opened.store.plan().iterationCap, 42);
}

void PlanBeforeApprovalTest::reloadReadsAgain()
{
    const QString path = m_workspace + QStringLiteral("/problem.json");
    const QByteArray problem = contentOf(path);
    overwrite(path, broken(problem));
    Opened opened(m_workspace, false); // as where a file system tells of no changes
    QTRY_VERIFY(opened.awaitsAnswers());
    const QList<QAction *> actions = opened.window.actions();
    const auto reload = std::ranges::find_if(
        actions, [](const QAction *action) { return action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_R); });
    QVERIFY(reload != actions.cend());
    QTRY_VERIFY((*reload)->isEnabled());
    const auto buttons = opened.plan()->findChildren<QToolButton *>();
    QVERIFY(std::ranges::any_of(
        buttons, [&](const QToolButton *button) { return button->defaultAction() == *reload && button->isVisible(); }));
    overwrite(path, problem);
    (*reload)->trigger();
    QTRY_VERIFY(opened.awaitsApproval());
}

void PlanBeforeApprovalTest::aRequestChangesThePlanAndWritesNothing()
{
    Opened opened(m_workspace);
    QTRY_VERIFY(opened.awaitsApproval());
    const QStringList before = filesOf(m_workspace);
    QPlainTextEdit *request = opened.plan()->request()->text();
    QVERIFY(request->isVisible());
    QTest::keyClicks(request, QStringLiteral("at most 7 iterations, keep the tail loop"));
    QTRY_COMPARE(opened.store.plan().iterationCap, 7);
    QTRY_COMPARE(opened.plan()->row(QLatin1String(planKey::iterationCap))->field().value, QStringLiteral("7"));
    QVERIFY(opened.plan()->approveButton()->isEnabled());
    QCOMPARE(request->toPlainText(), QStringLiteral("at most 7 iterations, keep the tail loop"));
    request->setPlainText(QStringLiteral("review this code"));
    QTRY_VERIFY(!opened.store.plan().refusal.isEmpty());
    QVERIFY(!opened.plan()->approveButton()->isEnabled());
    QCOMPARE(filesOf(m_workspace), before);
}

void PlanBeforeApprovalTest::hintsCountWhileTheyAreWritten()
{
    QVERIFY(QFile::remove(m_workspace + QStringLiteral("/HINTS.md")));
    Opened opened(m_workspace);
    QTRY_VERIFY(opened.awaitsApproval());
    const QStringList before = filesOf(m_workspace);
    CodeView *view = opened.hints()->editor()->view();
    QVERIFY(view->text().startsWith(QStringLiteral("# Hints"))); // as approval would make it
    QVERIFY(!opened.hints()->editor()->isDirty());
    view->append(QStringLiteral("- stop after 5 iterations\n"));
    QTRY_COMPARE(opened.store.plan().iterationCap, 5);
    QCOMPARE(filesOf(m_workspace), before);
}

void PlanBeforeApprovalTest::hintsOfTheWorkspaceAreShown()
{
    Opened opened(m_workspace);
    QTRY_VERIFY(opened.awaitsApproval());
    QFile file(m_workspace + QStringLiteral("/HINTS.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(opened.hints()->editor()->view()->text(), QString::fromUtf8(file.readAll()));
    opened.hints()->editor()->view()->append(QStringLiteral("- stop after 6 iterations\n"));
    QTRY_COMPARE(opened.store.plan().iterationCap, 6);
    opened.hints()->editor()->discardEdits();
    QTRY_VERIFY(opened.store.plan().iterationCap != 6);
}

void PlanBeforeApprovalTest::approvalSavesTheHintsFirst()
{
    QVERIFY(QFile::remove(m_workspace + QStringLiteral("/HINTS.md")));
    Opened opened(m_workspace);
    QTRY_VERIFY(opened.awaitsApproval());
    QObject::disconnect(&opened.window, &MainWindow::approveRequested, nullptr, nullptr); // no run here
    opened.hints()->editor()->view()->append(QStringLiteral("- keep it readable\n"));
    QSignalSpy approve(&opened.window, &MainWindow::approveRequested);
    opened.plan()->approveButton()->click();
    giveIdentity(opened);
    QCOMPARE(approve.size(), 1);
    QFile file(m_workspace + QStringLiteral("/HINTS.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().endsWith("- keep it readable\n"));
    QVERIFY(!opened.hints()->editor()->isDirty());
}

// On a new machine git knows nobody: the window asks, and what it is told is written to this repository only.
void PlanBeforeApprovalTest::whoCommitsIsAskedFor()
{
    Opened opened(m_workspace);
    QTRY_VERIFY(opened.awaitsApproval());
    QVERIFY(opened.store.plan().identityMissing);
    QSignalSpy approve(&opened.window, &MainWindow::approveRequested);
    opened.plan()->approveButton()->click();
    auto *dialog = opened.window.findChild<IdentityDialog *>();
    QVERIFY(dialog);
    QPushButton *ok = dialog->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok);
    QVERIFY(!ok->isEnabled());
    dialog->reject();
    QCOMPARE(approve.size(), 0);

    opened.plan()->approveButton()->click();
    giveIdentity(opened);
    QCOMPARE(approve.size(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(Repository::knownIdentity(m_workspace).name, QStringLiteral("Ada L"), 20000);
    QVERIFY(!Repository::knownIdentity(m_folder->path()).isComplete());
    QTRY_VERIFY(!opened.store.plan().identityMissing);
    QTRY_VERIFY(!opened.warnsOfIdentity());
    opened.controller.stop();
    QTRY_VERIFY_WITH_TIMEOUT(!opened.store.isBusy(), 60000);
}

// In a terminal, say: whoever comes back to the window finds the warning gone.
void PlanBeforeApprovalTest::anIdentitySetElsewhereIsSeen()
{
    Opened opened(m_workspace);
    QTRY_VERIFY(opened.awaitsApproval());
    QTRY_VERIFY(opened.warnsOfIdentity());
    auto repository = Repository::initialise(m_workspace);
    QVERIFY(repository);
    QVERIFY(repository->setLocalIdentity({QStringLiteral("Ada L"), QStringLiteral("ada@example.org")}));
    QEvent activated(QEvent::WindowActivate);
    QCoreApplication::sendEvent(&opened.window, &activated);
    QTRY_VERIFY(!opened.store.plan().identityMissing);
    QTRY_VERIFY(!opened.warnsOfIdentity());
    QSignalSpy approve(&opened.window, &MainWindow::approveRequested);
    QObject::disconnect(&opened.window, &MainWindow::approveRequested, &opened.controller, nullptr); // no run here
    opened.plan()->approveButton()->click();
    QCOMPARE(approve.size(), 1); // nobody is asked
}

void PlanBeforeApprovalTest::theAgentIsRemembered()
{
    {
        Opened opened(m_workspace);
        QTRY_VERIFY(opened.awaitsApproval());
        QComboBox *box = opened.window.findChild<AgentChooser *>()->box();
        QVERIFY(box->isEnabled());
        QCOMPARE(box->currentData().toString(), QStringLiteral("tuner"));
        box->setCurrentIndex(box->findData(QStringLiteral("user")));
        Q_EMIT box->activated(box->currentIndex());
        QTRY_COMPARE(opened.store.plan().agent, QStringLiteral("user"));
    }
    Opened again(m_workspace);
    QTRY_COMPARE(again.store.plan().agent, QStringLiteral("user"));
    QCOMPARE(again.window.findChild<AgentChooser *>()->box()->currentData().toString(), QStringLiteral("user"));
}

void PlanBeforeApprovalTest::onlyAgentsThatCanAreOffered_data()
{
    QTest::addColumn<bool>("python");
    QTest::addColumn<QStringList>("agents");
    QTest::newRow("C++") << false << QStringList{QStringLiteral("tuner"), QStringLiteral("user")};
    QTest::newRow("Python") << true << QStringList{QStringLiteral("user")};
}

void PlanBeforeApprovalTest::onlyAgentsThatCanAreOffered()
{
    QFETCH(bool, python);
    QFETCH(QStringList, agents);
    if (python) {
        m_workspace = m_folder->filePath(QStringLiteral("python"));
        QVERIFY(QDir().mkpath(m_workspace));
        QFile file(m_workspace + QStringLiteral("/model.py"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("import torch\n\n\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x\n\n\n"
                   "def get_inputs():\n    return [torch.ones(4)]\n\n\ndef get_init_inputs():\n    return []\n");
    }
    Opened opened(m_workspace);
    QTRY_VERIFY(opened.awaitsApproval());
    const QComboBox *box = opened.window.findChild<AgentChooser *>()->box();
    QStringList offered;
    for (int index = 0; index < box->count(); ++index)
        offered << box->itemData(index).toString();
    QVERIFY(offered.contains(QLatin1String(commandAgent)));
    QVERIFY(offered.contains(QLatin1String("anthropic")) && offered.contains(QLatin1String("openai")));
    offered.removeIf([](const QString &name) { // whatever this machine has, and what is always there
        return knownAgent(name)->isExternal() || knownAgent(name)->isModel;
    });
    QCOMPARE(offered, agents);
    QCOMPARE(box->currentData().toString(), agents.first());
    QLabel *why = nullptr;
    const auto labels = opened.plan()->row(QLatin1String(planKey::agent))->findChildren<QLabel *>();
    for (QLabel *label : labels) {
        if (label->text().contains(QLatin1String("the tuner changes C++")))
            why = label;
    }
    QCOMPARE(why != nullptr && why->isVisible(), python);
}

void PlanBeforeApprovalTest::hintsSayWhatIsLeft()
{
    Opened opened(m_workspace);
    QTRY_VERIFY(opened.awaitsApproval());
    QVERIFY(opened.plan()->approveButton()->isEnabled());
    CodeView *view = opened.hints()->editor()->view();
    view->setText(QStringLiteral("- stop after 0 iterations\n- no ncu\n- use float4 loads\n"));
    QTRY_COMPARE(opened.hints()->recognised(), QStringList{QStringLiteral("no profiler")});
    QCOMPARE(opened.hints()->unrecognised(), QStringList{QStringLiteral("use float4 loads")});
    QCOMPARE(opened.hints()->refused().size(), 1);
    QVERIFY(opened.hints()->refused().first().contains(QStringLiteral("stop after 0 iterations")));
    QTRY_VERIFY(!opened.plan()->approveButton()->isEnabled());
    const PlanField hints = opened.plan()->row(QLatin1String(planKey::hints))->field();
    QCOMPARE(hints.notes.filter(QStringLiteral("float4")).size(), 1);
    QCOMPARE(hints.notes.filter(QStringLiteral("no profiler")).size(), 1);
    view->setText(QStringLiteral("- no ncu\n"));
    QTRY_VERIFY(opened.plan()->approveButton()->isEnabled());
    QVERIFY(opened.hints()->refused().isEmpty() && opened.hints()->unrecognised().isEmpty());
}

void PlanBeforeApprovalTest::theDoctorIsAsked()
{
    Opened opened(m_workspace);
    QTRY_VERIFY(opened.awaitsApproval());
    const QList<QAction *> actions = opened.window.actions();
    const auto doctor = std::ranges::find_if(
        actions, [](const QAction *action) { return action->text().contains(QStringLiteral("Doctor")); });
    QVERIFY(doctor != actions.cend());
    (*doctor)->trigger();
    auto *dialog = opened.window.findChild<DoctorDialog *>();
    QVERIFY(dialog);
    QVERIFY(dialog->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->findings().isEmpty(), 60000);
    dialog->copyAsText();
    const QString copied = QApplication::clipboard()->text();
    QCOMPARE(copied, toText(dialog->findings()));
    for (const char *name : {"C++ compiler", "agent: tuner", "sandbox: files (Landlock)"})
        QVERIFY2(copied.contains(QLatin1String(name)), name);
}

QTEST_MAIN(PlanBeforeApprovalTest)
#include "tst_planbeforeapproval.moc"
