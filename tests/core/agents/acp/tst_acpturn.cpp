// SPDX-License-Identifier: GPL-3.0-or-later
// One turn with a fake agent (tests/support/main_fake_agent.cpp): as it should be, and in the ways in which real ones
// have gone wrong. Whatever it does, the turn ends once, with nothing left running and nothing written elsewhere.
#include "agents/acp/acpturn.h"
#include "process/sandbox.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <csignal>

using namespace ako;
using namespace ako::acp;
using End = TurnResult::End;

namespace {

constexpr int patience = 90'000; // on a loaded machine; nothing here is about time

QString fakeAgent()
{
    return QCoreApplication::applicationDirPath() + QStringLiteral("/fake_agent");
}

bool isAlive(pid_t pid)
{
    QFile stat(QStringLiteral("/proc/%1/stat").arg(pid));
    return pid > 0 && stat.open(QIODevice::ReadOnly) && !stat.readAll().contains(") Z ");
}

class Scene
{
public:
    explicit Scene(const QString &switches)
        : m_folder(QDir::tempPath() + QStringLiteral("/acp turn XXXXXX"))
    {
        QDir().mkpath(workspace() + QStringLiteral("/solution"));
        write("solution/kernel.cpp", "// original\n");
        write("reference.cpp", "// reference\n");
        write("lines.txt", "one\ntwo\nthree\n");
        QFile::link(QStringLiteral(".."), workspace() + QStringLiteral("/solution/link"));
        request.command.program = fakeAgent();
        request.command.arguments = switches.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        request.command.arguments << QStringLiteral("notes=") + notesFile();
        request.command.workingDirectory = workspace();
        request.place = {QFileInfo(workspace()).canonicalFilePath(),
                         QFileInfo(workspace() + QStringLiteral("/solution")).canonicalFilePath(), false};
        request.loginHint = QStringLiteral("Log in with: fake login");
        request.prompt = [](bool isNew) {
            return isNew ? QStringLiteral("everything") : QStringLiteral("what is new");
        };
        request.limits.closeGrace = 500;
        request.limits.longestLine = 2LL * 1024 * 1024;
    }

    TurnResult run(const std::function<void(AcpTurn &)> &started = {})
    {
        AcpTurn turn(request);
        QSignalSpy finished(&turn, &AcpTurn::finished);
        QObject::connect(&turn, &AcpTurn::said, [this](const QString &text) { transcript += text; });
        TurnResult result;
        QObject::connect(&turn, &AcpTurn::finished, [&result](const TurnResult &told) { result = told; });
        turn.start();
        if (started)
            started(turn);
        if (finished.isEmpty() && !finished.wait(patience))
            qWarning("the turn did not end");
        QCoreApplication::processEvents();
        if (finished.count() != 1)
            qWarning("it ended %d times", int(finished.count()));
        times = int(finished.count());
        return result;
    }

    QString workspace() const { return m_folder.path() + QStringLiteral("/work space"); }
    QString notesFile() const { return m_folder.path() + QStringLiteral("/notes"); }
    QString notes() const { return read(notesFile()); }
    static QString read(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    QString kernel() const { return read(workspace() + QStringLiteral("/solution/kernel.cpp")); }
    void write(const char *name, const QByteArray &content) const
    {
        QFile file(workspace() + QLatin1Char('/') + QLatin1String(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qWarning("%s cannot be written", name);
    }
    QStringList top() const
    {
        return QDir(workspace()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }

    TurnRequest request;
    QString transcript;
    int times = 0;

private:
    QTemporaryDir m_folder;
};

} // namespace

Q_DECLARE_METATYPE(ako::acp::TurnResult::End)

class TestAcpTurn : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void turns_data();
    void turns();
    void cancels_data();
    void cancels();
    void cancelledAtOnce();
    void asksTheClient();
    void aPersonIsAsked_data();
    void aPersonIsAsked();
    void questionsThatNobodyAnswers();
    void asksAThousandTimes_data();
    void asksAThousandTimes();
    void ruledByKind();
    void modeIsSet_data();
    void modeIsSet();
    void goesOn_data();
    void goesOn();
    void leavesNothingRunning_data();
    void leavesNothingRunning();
    void destroyedInTheMiddle();
    void memoryIsBounded();
    void limits_data();
    void limits();
    void confinedWritesNowhereElse();
};

void TestAcpTurn::initTestCase()
{
    QVERIFY2(QFile::exists(fakeAgent()), qPrintable(fakeAgent()));
}

void TestAcpTurn::turns_data()
{
    QTest::addColumn<QString>("switches");
    QTest::addColumn<End>("end");
    QTest::addColumn<bool>("edited");
    QTest::addColumn<QString>("words"); // in the transcript, or of a failure in its error
    const auto row = [](const char *name, const char *switches, End end, bool edited, const char *words = "") {
        QTest::newRow(name) << QString::fromLatin1(switches) << end << edited << QString::fromUtf8(words);
    };
    row("as it should be", "", End::Completed, true, "[allowed] edit solution/kernel.cpp");
    row("carriage returns", "carriage-return", End::Completed, true);
    row("writes through us", "writes-by-client", End::Completed, true, "[written]");
    row("no tool call before its update and its permission", "no-tool-call", End::Completed, true,
        "[completed] edit kernel.cpp");
    row("asks in a session of its own helper", "child-session", End::Completed, true);
    row("updates that nobody knows", "odd-updates", End::Completed, true);
    row("log lines on standard output", "noise", End::Completed, true, "[stdout] Migrating the database...");
    row("characters cut by reads", "split-utf8", End::Completed, true, "gr\xc3\xbc\xc3\x9f dich");
    row("text after the answer", "late-text", End::Completed, true, "after the answer");
    row("text before the session", "early-update", End::Completed, true, "before the session is known");
    row("exits right after its answer", "exits-after-answer", End::Completed, true);
    row("edits nothing", "edits-nothing", End::Completed, false);
    row("a thousand permissions at once", "many-permissions", End::Completed, true,
        "[allowed] read do it (1000 times)");
    row("tells the tokens of its session", "", End::Completed, true,
        "[usage] 1234 tokens in its session, 0.25 USD since its session began");
    row("tells its tokens with each answer", "tells-tokens", End::Completed, true, "[usage] 22554 tokens in this turn");
    row("tells its tokens at its end", "answers-tokens", End::Completed, true, "[usage] 4321 tokens in this turn");
    row("floods", "floods", End::Completed, true);
    row("floods standard error", "floods-stderr", End::Completed, true);
    row("says its text twice", "repeats-message", End::Completed, true);
    row("hangs on SIGTERM", "ignores-signals", End::Completed, true);
    row("refuses", "refusal", End::Failed, true, "The model refused");
    row("speaks another version", "version-2", End::Failed, false, "version 2");
    row("dies at its start", "dies-at-start", End::Failed, false, "config: unknown key");
    row("dies in its turn", "dies-in-turn", End::Failed, false, "signal 9");
    row("an error for the turn", "prompt-error", End::Failed, false, "429 rate limited");
    row("not logged in", "not-logged-in", End::Failed, false, "Log in with: fake login");
    row("not logged in, and how it could be", "not-logged-in", End::Failed, false, "Log in with a browser");
    row("a line without an end", "long-line", End::Failed, false, "more than 2 MiB");
}

void TestAcpTurn::turns()
{
    QFETCH(QString, switches);
    QFETCH(End, end);
    QFETCH(bool, edited);
    QFETCH(QString, words);
    Scene scene(switches);
    const TurnResult result = scene.run();
    QCOMPARE(scene.times, 1);
    QVERIFY2(result.end == end, qPrintable(result.error.text() + scene.transcript.right(2000)));
    QCOMPARE(scene.kernel() == QLatin1String("// edited\n"), edited);
    const QString told = end == End::Failed ? result.error.text() : scene.transcript;
    QVERIFY2(told.contains(words), qPrintable(told.right(3000)));
    QCOMPARE(scene.top(),
             QStringList({QStringLiteral("lines.txt"), QStringLiteral("reference.cpp"), QStringLiteral("solution")}));
    if (end != End::Completed)
        return;
    QVERIFY(result.message.contains(QLatin1String("Title: A title")));
    QCOMPARE(result.session, QStringLiteral("s-1"));
    QCOMPARE(result.usedTokens, switches == QLatin1String("late-text") ? result.usedTokens : 1234);
    QVERIFY2(scene.transcript.size() < 2'000'000, qPrintable(QString::number(scene.transcript.size())));
    if (edited)
        QVERIFY2(scene.notes().contains(QLatin1String("permission yes-7")), qPrintable(scene.notes()));
}

void TestAcpTurn::cancels_data()
{
    QTest::addColumn<QString>("switches");
    QTest::newRow("obeys") << QStringLiteral("waits-for-cancel");
    QTest::newRow("answers with an error") << QStringLiteral("waits-for-cancel cancel-error");
    QTest::newRow("asks for a permission first") << QStringLiteral("waits-for-cancel asks-after-cancel");
    QTest::newRow("does not hear it") << QStringLiteral("ignores-cancel");
    QTest::newRow("does not hear anything") << QStringLiteral("ignores-cancel ignores-signals");
}

void TestAcpTurn::cancels()
{
    QFETCH(QString, switches);
    Scene scene(switches);
    if (switches.contains(QLatin1String("ignores")))
        scene.request.limits.cancelGrace = 500;
    QTimer poll;
    const TurnResult result = scene.run([&](AcpTurn &turn) {
        // Once it is in its turn.
        QObject::connect(&poll, &QTimer::timeout, &turn, [&] {
            if (scene.notes().contains(QLatin1String("new")))
                QTimer::singleShot(100, &turn, &AcpTurn::cancel);
        });
        poll.start(20);
    });
    QCOMPARE(scene.times, 1);
    QVERIFY2(result.end == End::Cancelled, qPrintable(result.error.text()));
    QCOMPARE(scene.kernel(), QStringLiteral("// original\n"));
    if (switches.contains(QLatin1String("asks-after")))
        QVERIFY2(scene.notes().contains(QLatin1String("after cancel cancelled")), qPrintable(scene.notes()));
}

void TestAcpTurn::cancelledAtOnce()
{
    Scene scene(QStringLiteral("hangs-at-start"));
    const TurnResult result = scene.run([](AcpTurn &turn) { turn.cancel(); });
    QCOMPARE(scene.times, 1);
    QCOMPARE(result.end, End::Cancelled);
}

void TestAcpTurn::asksTheClient()
{
    Scene scene(QStringLiteral("tries-client"));
    const TurnResult result = scene.run();
    QVERIFY2(result.end == End::Completed, qPrintable(result.error.text()));
    const QStringList notes = scene.notes().split(QLatin1Char('\n'));
    for (const char *expected :
         {"read {\"content\":\"two\\n\"}", "read-outside refused -32602", "read-missing refused -32002",
          "write-outside refused -32602", "write-dots refused -32602", "write-link refused -32602", "write-relative {}",
          "terminal refused -32601", "unknown refused -32601", "execute no-3", "fetch no-3", "other no-3", "read yes-7",
          "our-tool yes-7", "edit-outside no-3"})
        QVERIFY2(notes.contains(QLatin1String(expected)),
                 qPrintable(QLatin1String(expected) + QLatin1Char('\n') + scene.notes()));
    QCOMPARE(scene.top(),
             QStringList({QStringLiteral("lines.txt"), QStringLiteral("reference.cpp"), QStringLiteral("solution")}));
    QCOMPARE(Scene::read(scene.workspace() + QStringLiteral("/solution/new/b.txt")), QStringLiteral("b"));

    Scene allowed(QStringLiteral("tries-client"));
    allowed.request.permissions = {Permissions::Allow, Permissions::Allow};
    allowed.run();
    for (const char *expected : {"execute yes-7", "fetch yes-7", "other yes-7", "edit-outside no-3"})
        QVERIFY2(allowed.notes().contains(QLatin1String(expected)), qPrintable(allowed.notes()));
}

void TestAcpTurn::aPersonIsAsked_data()
{
    QTest::addColumn<int>("choice");
    QTest::addColumn<int>("questions");
    QTest::addColumn<QString>("note");
    QTest::addColumn<QString>("told");
    const QString what = QStringLiteral("execute execute");
    QTest::newRow("once") << int(PermissionChoice::Once) << 3 << QStringLiteral("execute yes-7")
                          << QStringLiteral("[allowed once] ") + what;
    QTest::newRow("for this run") << int(PermissionChoice::ForThisRun) << 3 << QStringLiteral("execute yes-7")
                                  << QStringLiteral("[allowed for this run] ") + what;
    QTest::newRow("denied") << int(PermissionChoice::Deny) << 3 << QStringLiteral("execute no-3")
                            << QStringLiteral("[denied] ") + what;
}

// Commands, the network and what has no kind; reading and edits are as ever. The turn's time stands still meanwhile.
void TestAcpTurn::aPersonIsAsked()
{
    QFETCH(int, choice);
    QFETCH(int, questions);
    QFETCH(QString, note);
    QFETCH(QString, told);
    Scene scene(QStringLiteral("tries-client"));
    scene.request.permissions = {Permissions::Ask, Permissions::Ask};
    QStringList kinds;
    int settled = 0;
    const TurnResult result = scene.run([&](AcpTurn &turn) {
        connect(&turn, &AcpTurn::permissionSettled, &turn, [&settled] { ++settled; });
        connect(&turn, &AcpTurn::permissionAsked, &turn, [&](const PermissionQuestion &question) {
            kinds << question.kind;
            QMetaObject::invokeMethod(
                &turn,
                [&turn, question, choice] {
                    turn.answerPermission(question.number + 1000, PermissionChoice::Once); // nobody's
                    turn.answerPermission(question.number, PermissionChoice(choice));
                    turn.answerPermission(question.number, PermissionChoice::Once); // answered already
                },
                Qt::QueuedConnection);
        });
    });
    QVERIFY2(result.end == End::Completed, qPrintable(result.error.text()));
    QCOMPARE(kinds.size(), questions);
    QCOMPARE(settled, questions);
    QVERIFY2(scene.notes().contains(note) && scene.notes().contains(QLatin1String("edit-outside no-3")),
             qPrintable(scene.notes()));
    QVERIFY2(scene.transcript.contains(told) && scene.transcript.contains(QLatin1String("[asked] execute")),
             qPrintable(scene.transcript));

    Scene known(QStringLiteral("tries-client")); // a kind that was allowed for the run before
    known.request.permissions = {Permissions::Ask, Permissions::Ask};
    known.request.allowedKinds = {QStringLiteral("execute"), QStringLiteral("fetch"), QStringLiteral("other")};
    known.run();
    QVERIFY2(known.notes().contains(QLatin1String("execute yes-7")), qPrintable(known.notes()));
}

// Nobody is there: its time stands still meanwhile and goes on with an answer; a cancel answers what waits.
void TestAcpTurn::questionsThatNobodyAnswers()
{
    Scene scene(QStringLiteral("tries-client"));
    scene.request.permissions = {Permissions::Ask, Permissions::Ask};
    QList<bool> timedWhileAsked;
    bool timedAfter = false;
    QStringList outcomes;
    const TurnResult result = scene.run([&](AcpTurn &turn) {
        connect(&turn, &AcpTurn::permissionSettled, &turn,
                [&outcomes](quint64, const QString &outcome) { outcomes << outcome; });
        connect(&turn, &AcpTurn::permissionAsked, &turn, [&](const PermissionQuestion &question) {
            timedWhileAsked << turn.isTimed();
            const auto answer = [&turn, &timedAfter, number = question.number, isFirst = timedWhileAsked.size() == 1] {
                if (!isFirst)
                    return turn.cancel();
                turn.answerPermission(number, PermissionChoice::Once);
                timedAfter = turn.isTimed();
            };
            QMetaObject::invokeMethod(&turn, answer, Qt::QueuedConnection);
        });
    });
    QCOMPARE(timedWhileAsked, QList<bool>({false, false}));
    QVERIFY(timedAfter);
    QCOMPARE(result.end, End::Cancelled);
    QCOMPARE(outcomes, QStringList({QStringLiteral("allowed once"), QStringLiteral("the turn ended")}));
}

void TestAcpTurn::asksAThousandTimes_data()
{
    QTest::addColumn<QString>("switches");
    QTest::addColumn<int>("choice");
    QTest::addColumn<int>("mostQuestions"); // that a person gets
    QTest::addColumn<QString>("told");
    QTest::newRow("at once, denied") << QStringLiteral("many-commands") << int(PermissionChoice::Deny) << 3
                                     << QStringLiteral("[denied] execute do it");
    QTest::newRow("at once, allowed") << QStringLiteral("many-commands") << int(PermissionChoice::ForThisRun) << 1
                                      << QStringLiteral("[allowed for this run] execute do it");
    QTest::newRow("again and again, denied")
        << QStringLiteral("asks-again") << int(PermissionChoice::Deny) << 3
        << QStringLiteral("[not allowed] execute make install: you have denied it 3 times in this turn (997 times)");
    QTest::newRow("again and again, allowed") << QStringLiteral("asks-again") << int(PermissionChoice::ForThisRun) << 1
                                              << QStringLiteral("[allowed] execute make install (999 times)");
}

// Every one of them is answered and counted, and nobody is asked the same for ever.
void TestAcpTurn::asksAThousandTimes()
{
    QFETCH(QString, switches);
    QFETCH(int, choice);
    QFETCH(int, mostQuestions);
    QFETCH(QString, told);
    Scene scene(switches);
    scene.request.permissions = {Permissions::Ask, Permissions::Deny};
    int questions = 0;
    const TurnResult result = scene.run([&](AcpTurn &turn) {
        connect(&turn, &AcpTurn::permissionAsked, &turn, [&](const PermissionQuestion &question) {
            ++questions;
            QMetaObject::invokeMethod(
                &turn,
                [&turn, number = question.number, choice] { turn.answerPermission(number, PermissionChoice(choice)); },
                Qt::QueuedConnection);
        });
    });
    QVERIFY2(result.end == End::Completed, qPrintable(result.error.text()));
    QVERIFY2(questions >= 1 && questions <= mostQuestions, qPrintable(QString::number(questions)));
    QVERIFY2(scene.transcript.contains(told), qPrintable(scene.transcript));
    const QString notes = scene.notes();
    QVERIFY(notes.contains(QLatin1String("answered 1000")) || notes.count(QLatin1String("again ")) == 1000);
}

// Commands and the network are ruled apart.
void TestAcpTurn::ruledByKind()
{
    Scene scene(QStringLiteral("tries-client"));
    scene.request.permissions = {Permissions::Allow, Permissions::Deny};
    scene.run();
    for (const char *expected : {"execute yes-7", "fetch no-3", "other yes-7"})
        QVERIFY2(scene.notes().contains(QLatin1String(expected)), qPrintable(scene.notes()));
    QVERIFY2(scene.transcript.contains(QLatin1String("the network is not allowed in this run")),
             qPrintable(scene.transcript));
}

void TestAcpTurn::modeIsSet_data()
{
    QTest::addColumn<QString>("switches");
    QTest::addColumn<QString>("mode");
    QTest::addColumn<QString>("note"); // empty: nothing is set
    QTest::newRow("none wanted") << QStringLiteral("modes") << QString() << QString();
    QTest::newRow("none offered") << QString() << QStringLiteral("default") << QString();
    QTest::newRow("not that one") << QStringLiteral("modes") << QStringLiteral("plan") << QString();
    QTest::newRow("as it is") << QStringLiteral("modes") << QStringLiteral("auto") << QString();
    QTest::newRow("a mode") << QStringLiteral("modes") << QStringLiteral("default")
                            << QStringLiteral("session/set_mode default");
    QTest::newRow("an option comes first") << QStringLiteral("modes config-options") << QStringLiteral("default")
                                           << QStringLiteral("session/set_config_option default");
}

void TestAcpTurn::modeIsSet()
{
    QFETCH(QString, switches);
    QFETCH(QString, mode);
    QFETCH(QString, note);
    Scene scene(switches);
    scene.request.mode = mode;
    QCOMPARE(scene.run().end, End::Completed);
    QCOMPARE(scene.notes().contains(QLatin1String("session/set_")), !note.isEmpty());
    QVERIFY2(scene.notes().contains(note), qPrintable(scene.notes()));
}

void TestAcpTurn::goesOn_data()
{
    QTest::addColumn<QString>("switches");
    QTest::addColumn<QString>("notes"); // of how the session is had and what is asked
    const auto row = [](const char *name, const char *switches, const char *notes) {
        QTest::newRow(name) << QString::fromLatin1(switches) << QString::fromLatin1(notes);
    };
    row("resumes", "resumes loads", "session/resume|prompt what is new");
    row("loads", "loads", "session/load|prompt what is new");
    row("can do neither", "", "new|prompt everything");
    row("has forgotten it", "loads session-is-gone", "session/load|new|prompt everything");
    row("has forgotten it, to be resumed", "resumes session-is-gone", "session/resume|new|prompt everything");
}

void TestAcpTurn::goesOn()
{
    QFETCH(QString, switches);
    QFETCH(QString, notes);
    Scene scene(switches);
    scene.request.session = QStringLiteral("s-1");
    QCOMPARE(scene.run().end, End::Completed);
    QString seen = scene.notes().trimmed().replace(QLatin1Char('\n'), QLatin1Char('|'));
    QVERIFY2(seen.startsWith(QLatin1String("started|") + notes), qPrintable(seen));
    QVERIFY2(!scene.transcript.contains(QLatin1String("the past")), qPrintable(scene.transcript)); // no new output
    QCOMPARE(scene.transcript.contains(QLatin1String("earlier session is gone")),
             notes.contains(QLatin1String("everything")));
}

void TestAcpTurn::leavesNothingRunning_data()
{
    QTest::addColumn<QString>("switches");
    QTest::addColumn<bool>("confined");
    QTest::newRow("a child") << QStringLiteral("leaves-child") << false;
    QTest::newRow("a child, confined") << QStringLiteral("leaves-child") << true;
    QTest::newRow("a child with a session of its own, confined") << QStringLiteral("leaves-session") << true;
}

void TestAcpTurn::leavesNothingRunning()
{
    QFETCH(QString, switches);
    QFETCH(bool, confined);
    Scene scene(switches);
    if (confined) {
        if (!sandboxIsUsable())
            QSKIP("bubblewrap cannot be used here");
        const auto command = ako::confined(
            scene.request.command,
            {{}, {scene.workspace(), QCoreApplication::applicationDirPath()}, {}, {}, {scene.request.place.solution}});
        QVERIFY(command);
        scene.request.command = *command;
    }
    QCOMPARE(scene.run().end, End::Completed);
    const QString file = scene.workspace() + QStringLiteral("/solution/child.pid");
    QVERIFY(QFile::exists(file));
    // Inside it has other numbers, so that it is looked for by its command line.
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
            for (const QString &pid : QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[1-9]*")}, QDir::Dirs)) {
                const QString line = Scene::read(QStringLiteral("/proc/%1/cmdline").arg(pid));
                if (line.contains(scene.notesFile()) && isAlive(pid.toInt()))
                    return false;
            }
            return true;
        }(),
        patience);
}

void TestAcpTurn::destroyedInTheMiddle()
{
    Scene scene(QStringLiteral("never-answers ignores-signals"));
    auto turn = std::make_unique<AcpTurn>(scene.request);
    QSignalSpy finished(turn.get(), &AcpTurn::finished);
    turn->start();
    QTRY_VERIFY_WITH_TIMEOUT(scene.notes().contains(QLatin1String("prompt")), patience);
    turn.reset();
    QCOMPARE(finished.count(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
            for (const QString &pid : QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[1-9]*")}, QDir::Dirs)) {
                if (Scene::read(QStringLiteral("/proc/%1/cmdline").arg(pid)).contains(scene.notesFile()) &&
                    isAlive(pid.toInt()))
                    return false;
            }
            return true;
        }(),
        patience);
}

void TestAcpTurn::memoryIsBounded()
{
    Scene scene(QStringLiteral("eats-memory"));
    scene.request.limits.memoryBytes = 128LL * 1024 * 1024;
    const TurnResult result = scene.run();
    QCOMPARE(result.end, End::Failed);
    QVERIFY2(result.error.text().contains(QLatin1String("more than 128 MiB of memory")),
             qPrintable(result.error.text()));
}

void TestAcpTurn::limits_data()
{
    QTest::addColumn<QString>("switches");
    QTest::addColumn<QString>("limit");
    QTest::addColumn<QString>("words");
    QTest::newRow("handshake") << QStringLiteral("hangs-at-start") << QStringLiteral("handshake")
                               << QStringLiteral("did not answer initialize");
    QTest::newRow("silence") << QStringLiteral("never-answers") << QStringLiteral("silence")
                             << QStringLiteral("said nothing for");
    QTest::newRow("turn") << QStringLiteral("never-answers") << QStringLiteral("turn")
                          << QStringLiteral("took longer than");
}

void TestAcpTurn::limits()
{
    QFETCH(QString, switches);
    QFETCH(QString, limit);
    QFETCH(QString, words);
    Scene scene(switches);
    TurnLimits &limits = scene.request.limits;
    (limit == QLatin1String("handshake") ? limits.handshake
     : limit == QLatin1String("silence") ? limits.silence
                                         : limits.turn) = 1000;
    limits.cancelGrace = 500;
    const TurnResult result = scene.run();
    QCOMPARE(result.end, End::Failed);
    QVERIFY2(result.error.text().contains(words), qPrintable(result.error.text()));
}

void TestAcpTurn::confinedWritesNowhereElse()
{
    if (const auto usable = sandboxIsUsable(); !usable)
        QSKIP(qPrintable(usable.error().message));
    Scene scene(QStringLiteral("writes-outside"));
    scene.request.place.confined = true;
    const auto command = ako::confined(
        scene.request.command,
        {{}, {scene.workspace(), QCoreApplication::applicationDirPath()}, {}, {}, {scene.request.place.solution}});
    QVERIFY(command);
    scene.request.command = *command;
    const TurnResult result = scene.run();
    QVERIFY2(result.end == End::Completed, qPrintable(result.error.text()));
    QCOMPARE(scene.kernel(), QStringLiteral("// edited\n"));
    QCOMPARE(Scene::read(scene.workspace() + QStringLiteral("/reference.cpp")), QStringLiteral("// reference\n"));
    QCOMPARE(scene.top(),
             QStringList({QStringLiteral("lines.txt"), QStringLiteral("reference.cpp"), QStringLiteral("solution")}));
}

QTEST_GUILESS_MAIN(TestAcpTurn)
#include "tst_acpturn.moc"
