// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commandline/editwatch.h"
#include "commandline/eventprinter.h"
#include "commandline/exitcode.h"
#include "commandline/invocation.h"
#include "history/runstore.h"
#include "loop/controller.h"

#include <QObject>

#include <optional>

namespace ako {

// One call of the command line that needs a workspace: opens it, sees the plan through to approval where the command
// needs that, gives its one intent to the controller, and ends with the exit status of spec 13.
class CommandSession : public QObject
{
    Q_OBJECT

public:
    explicit CommandSession(Invocation invocation, QObject *parent = nullptr);

    void start();
    void interrupt(); // Ctrl+C

Q_SIGNALS:
    void finished(int exitCode);

private:
    enum class Stage { Opening, Planning, Preparing, Acting, Ended };

    void onEvent(const RunEvent &event);
    void onPlanSettled();
    void sendOverrides();
    void changePlan(const QString &key, const QString &value);
    ResolvedPlan shownPlan() const;
    bool askOpenQuestions();
    void endWithQuestions();
    void onReport(quint64 token, const RunReport &report, const QString &error);
    void onHarness(quint64 token, const HarnessChange &change, const QString &kept, const QString &error);
    void onSourceChange(quint64 token, const Diff &diff, const QStringList &files, const QString &advice,
                        const QString &error, const QByteArray &patch);
    void onNoteAnswered(const RunEvent &runEvent);
    bool wantsToHear(const RunEvent &event) const;
    void takeIdentity();
    bool waitForEdit(const event::RunStopped &stopped);
    void answerPermission(const PermissionQuestion &question);
    void approveOrEnd();
    void act();
    void printHistory();
    void onStopped(const event::RunStopped &stopped);
    bool readsOnly() const;
    QString resumeText() const;
    QString goOnText(const event::RunStopped &stopped) const;
    QString onwardText(const event::RunStopped &stopped, const QString &workspace) const;
    void end(int exitCode, const QString &reason = {}, const QList<PlanField> &questions = {});

    Invocation m_invocation;
    QStringList m_putBack; // by the harness command
    EventPrinter m_printer;
    RunStore m_store;
    LoopController m_controller;
    EditWatch m_watch;
    Stage m_stage = Stage::Opening;
    std::optional<IterationRecord> m_lastRecord; // that this call made
    int m_changesUnderWay = 0;                   // sent to the plan and not yet answered
    bool m_overridesSent = false;
    bool m_interrupted = false;
};

} // namespace ako
