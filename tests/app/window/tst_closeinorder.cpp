// SPDX-License-Identifier: GPL-3.0-or-later
// The window closes as the system asks for it, with the real loop behind it: the run ends in order, nothing is lost.
#include "base/installation.h"
#include "editor/codeview.h"
#include "editor/editortabs.h"
#include "editor/sourceeditor.h"
#include "hints/hintseditor.h"
#include "history/journal.h"
#include "history/runstore.h"
#include "loop/controller.h"
#include "style/messagebar.h"
#include "support/longhistory.h"
#include "support/scratchrepository.h"
#include "window/mainwindow.h"
#include "window/wiring.h"

#include <QCoreApplication>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace ako;

class CloseInOrderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aRunEndsFirst();
    void unsavedTextIsKept();

private:
    QTemporaryDir m_folder;
    QString m_workspace;
};

void CloseInOrderTest::initTestCase()
{
    test::isolateGitConfiguration();
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("ako4all-test"));
    QCoreApplication::setApplicationName(QStringLiteral("closeinorder"));
    QSettings().clear();
    m_workspace = test::copyOfWorkspace(
        installation::dataFolder(QStringLiteral("examples")) + QStringLiteral("/stencil"), m_folder.path());
    QVERIFY(!m_workspace.isEmpty());
}

void CloseInOrderTest::aRunEndsFirst()
{
    RunStore store;
    LoopController controller;
    controller.setIdentity(QStringLiteral("Ada Lovelace"), QStringLiteral("ada@example.org"));
    MainWindow window(store);
    connectWindow(window, controller, store);
    window.show();
    window.openWorkspace(m_workspace);
    QTRY_VERIFY(store.phase().phase == Phase::AwaitingApproval);
    QSignalSpy stopped(&store, &RunStore::stopped);
    controller.approve();
    controller.run();
    QTRY_VERIFY_WITH_TIMEOUT(store.phase().phase == Phase::Baseline, 30000);
    window.closeInOrder();
    QVERIFY(window.isVisible()); // until the bench has ended
    QTRY_VERIFY_WITH_TIMEOUT(!window.isVisible(), 15000);
    QTRY_COMPARE(stopped.size(), 1);
    QVERIFY(!store.isBusy());
    QVERIFY(!Journal(m_workspace).unfinished());
}

void CloseInOrderTest::unsavedTextIsKept()
{
    const QString hints = m_workspace + QStringLiteral("/HINTS.md");
    const auto contentOf = [](const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray before = contentOf(hints);
    {
        RunStore store;
        LoopController controller;
        MainWindow window(store);
        connectWindow(window, controller, store);
        window.show();
        window.openWorkspace(m_workspace);
        QTRY_VERIFY(!store.workspace().isEmpty() && !store.isBusy());
        SourceEditor *editor = window.findChild<EditorTabs *>()->hints()->editor();
        editor->view()->append(QStringLiteral("- mine, not saved\n"));
        window.closeInOrder();
        QVERIFY(!window.isVisible()); // nobody is asked
    }
    QCOMPARE(contentOf(hints), before);
    RunStore store;
    LoopController controller;
    MainWindow window(store);
    connectWindow(window, controller, store);
    window.show();
    window.openWorkspace(m_workspace);
    QTRY_VERIFY(!store.workspace().isEmpty() && !store.isBusy());
    SourceEditor *editor = window.findChild<EditorTabs *>()->hints()->editor();
    QVERIFY(!editor->bar()->isHidden());
    editor->bar()->findChildren<QPushButton *>().first()->click();
    QVERIFY(editor->view()->text().endsWith(QStringLiteral("- mine, not saved\n")));
    editor->discardEdits();
}

QTEST_MAIN(CloseInOrderTest)
#include "tst_closeinorder.moc"
