// SPDX-License-Identifier: GPL-3.0-or-later
// The plan on a terminal: its answers, its questions and its approval.
#include "agents/agentsettings.h"
#include "base/words.h"
#include "commandline/commandsession.h"
#include "commandline/terminal.h"
#include "workspace/lacks.h"

#include <utility>

namespace ako {

namespace {

// What goes on from iterations that are there already.
bool needsRun(Command command)
{
    return command == Command::Iterate || command == Command::Restore || command == Command::Revert ||
           command == Command::Measure || command == Command::Note || command == Command::Finish;
}

} // namespace

void CommandSession::changePlan(const QString &key, const QString &value)
{
    ++m_changesUnderWay;
    m_controller.setPlanField(key, value);
}

void CommandSession::sendOverrides()
{
    m_overridesSent = true;
    const auto overrides = overridesOf(m_invocation);
    for (const auto &[key, value] : overrides)
        changePlan(key, value);
    if (overrides.isEmpty())
        onPlanSettled();
}

void CommandSession::onPlanSettled()
{
    m_stage = Stage::Planning;
    if (!m_overridesSent) {
        for (const auto &[key, value] : std::as_const(m_invocation.answers)) {
            bool known = key == QLatin1String(planKey::metricPattern); // a row of some bench modes, told there
            for (const PlanField &field : m_store.plan().fields)
                known = known || field.key == key;
            if (!known) {
                QStringList rows;
                for (const PlanField &field : m_store.plan().fields) {
                    if (field.editable)
                        rows << field.key;
                }
                m_printer.printError(tr("--answer %1: the plan has no such row.").arg(words::shortened(key)),
                                     tr("Rows that can be answered: %1").arg(rows.join(QStringLiteral(", "))));
                end(ExitUsage);
                return;
            }
        }
        sendOverrides();
        return;
    }
    if (m_invocation.command == Command::History) {
        printHistory();
        return;
    }
    if (m_invocation.command == Command::Report)
        return m_controller.requestReport(0);
    if (m_invocation.command == Command::Apply)
        return m_controller.requestSourceChange(false, 0);
    if (m_invocation.command == Command::Harness)
        return m_controller.requestHarness(false, 0);
    if (needsRun(m_invocation.command) && !m_store.isApproved() && m_store.records().isEmpty() &&
        m_store.plan().refusal.isEmpty())
        return end(ExitNotApproved, tr("There is no run in %1 yet. Start one with: ako4all run %2")
                                        .arg(m_invocation.workspace, words::shellWord(m_invocation.workspace)));
    if (needsRun(m_invocation.command) && !m_store.plan().isMeasurementOpen())
        return approveOrEnd(); // without an agent, whatever the plan asks of one
    if (m_store.plan().hasOpenQuestions() && m_invocation.command != Command::Plan && askOpenQuestions())
        return; // the answers were sent; a phase follows
    if (m_invocation.command == Command::Plan || m_invocation.command == Command::Run ||
        m_invocation.command == Command::Demo || m_store.plan().hasOpenQuestions())
        m_printer.printPlan(shownPlan(), m_store.isApproved(), m_invocation.verbose);
    if (!m_store.plan().refusal.isEmpty()) {
        end(ExitFailed, m_store.plan().refusal);
        return;
    }
    if (m_store.plan().hasOpenQuestions()) {
        endWithQuestions();
        return;
    }
    if (m_invocation.command == Command::Plan)
        end(ExitDone);
    else
        approveOrEnd();
}

// Without the warning that git knows nobody where this call says who commits.
ResolvedPlan CommandSession::shownPlan() const
{
    ResolvedPlan plan = m_store.plan();
    if (!m_invocation.gitName.isEmpty() || m_invocation.command == Command::Demo)
        forgetIdentityLack(plan);
    return plan;
}

// The plan above has them all; the last line names what is to be mended first: a problem, or else every question's
// key.
void CommandSession::endWithQuestions()
{
    QList<PlanField> open;
    for (const PlanField &field : m_store.plan().fields) {
        if (field.question.isEmpty() && field.problem.isEmpty())
            continue;
        open << field;
    }
    for (const PlanField &field : std::as_const(open)) {
        if (!field.problem.isEmpty())
            return end(ExitQuestionOpen, field.problem, open);
    }
    QStringList options;
    for (const PlanField &field : std::as_const(open))
        options << QStringLiteral("--answer %1=VALUE").arg(field.key);
    if (options.isEmpty())
        options << QStringLiteral("--answer KEY=VALUE");
    const QString text = options.size() == 1 ? tr("A question is open. Answer it with %1.")
                                             : tr("Several questions are open. Answer them with %1.");
    end(ExitQuestionOpen, text.arg(options.join(QLatin1Char(' '))), open);
}

bool CommandSession::askOpenQuestions()
{
    if (!terminal::isInteractive() || m_invocation.json)
        return false;
    bool answered = false;
    const QList<PlanField> fields = m_store.plan().fields;
    for (const PlanField &field : fields) {
        if (field.question.isEmpty() && field.problem.isEmpty())
            continue;
        const QString question = field.question.isEmpty() ? field.problem : field.question;
        const std::optional<QString> answer =
            terminal::ask(field.label + QStringLiteral(": ") + question, field.candidates);
        if (!answer)
            return false;
        changePlan(field.key, *answer);
        answered = true;
        break; // what is open next depends on this answer
    }
    return answered;
}

void CommandSession::approveOrEnd()
{
    m_stage = Stage::Preparing;
    if (m_store.isApproved() || m_invocation.command == Command::Note) {
        act();
        return;
    }
    const bool starts = m_invocation.command == Command::Run || m_invocation.command == Command::Demo;
    if (!starts) {
        end(ExitNotApproved, tr("The plan is not approved yet. Start with: ako4all run %1")
                                 .arg(words::shellWord(m_invocation.workspace)));
        return;
    }
    const bool approved =
        m_invocation.approve || m_invocation.command == Command::Demo ||
        (terminal::isInteractive() && !m_invocation.json && terminal::confirm(tr("Approve this plan?")));
    if (!approved) {
        end(ExitNotApproved, tr("The plan is not approved: nothing was written or run. Approve it with --approve."));
        return;
    }
    takeIdentity();
    m_controller.approve();
}

// Where git knows nobody: as given, or asked for. Written to this repository's configuration only.
void CommandSession::takeIdentity()
{
    QString name = m_invocation.gitName;
    QString email = m_invocation.gitEmail;
    if (name.isEmpty() && m_store.plan().identityMissing && terminal::isInteractive() && !m_invocation.json) {
        name = terminal::ask(tr("git does not know who commits here. Your name, for this repository only:"), {})
                   .value_or(QString());
        email = name.isEmpty() ? name : terminal::ask(tr("Your e-mail address:"), {}).value_or(QString());
    }
    if (!name.isEmpty() && !email.isEmpty())
        m_controller.setIdentity(name, email);
}

} // namespace ako
