// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/windowmessages.h"

#include "history/runstore.h"
#include "models/phasetext.h"
#include "style/messagebar.h"

#include <algorithm>

namespace ako {

WindowMessages::WindowMessages(const RunStore &store, MessageBar &bar, QObject *parent)
    : QObject(parent)
    , m_store(store)
    , m_bar(bar)
{
    connect(&store, &RunStore::phaseChanged, this, &WindowMessages::phaseChanged);
    connect(&store, &RunStore::planChanged, this, &WindowMessages::planChanged);
    connect(&store, &RunStore::stopped, this, &WindowMessages::stopped);
    connect(&store, &RunStore::noticed, this, &WindowMessages::noticed);
    connect(&store, &RunStore::recovered, this, [this](const event::Recovered &recovered) {
        show(Cause::Stopped, Severity::Info, recoveredText(recovered));
    });
}

void WindowMessages::show(Cause cause, Severity severity, const QString &text, const QString &remedy)
{
    m_cause = cause;
    m_bar.showMessage(severity, text, remedy);
}

void WindowMessages::end(std::initializer_list<Cause> causes)
{
    if (std::find(causes.begin(), causes.end(), m_cause) == causes.end())
        return;
    m_cause = Cause::None;
    m_bar.hide();
}

void WindowMessages::problem(const QString &text, const QString &remedy)
{
    show(Cause::Problem, Severity::Error, text, remedy);
}

void WindowMessages::done(const QString &text)
{
    show(Cause::Problem, Severity::Info, text);
}

void WindowMessages::closing()
{
    show(Cause::Closing, Severity::Info, tr("Stopping the run; the window closes when it has ended in order."));
}

void WindowMessages::askHowToClose(const CloseChoices &choices)
{
    show(Cause::Busy, Severity::Warning, tr("A run is under way. Close the window all the same?"),
         tr("Stopped now, what is being measured makes no entry and will be measured again; your own edit stays."));
    m_bar.addChoice(tr("Stop now and close"), choices.stopNow);
    m_bar.addChoice(tr("Close after this iteration"), choices.afterwards);
    m_bar.addChoice(tr("Cancel"), [] {});
}

void WindowMessages::closingAfterwards(const CloseChoices &choices)
{
    show(Cause::Closing, Severity::Info, tr("The window closes when this iteration is measured and committed."));
    m_bar.addChoice(tr("Stop now and close"), choices.stopNow);
    m_bar.addChoice(tr("Stay open"), [this, stay = choices.stay] {
        m_cause = Cause::None;
        stay();
    });
}

void WindowMessages::busyElsewhere(const std::function<void()> &stop, const std::function<void()> &openBeside)
{
    show(Cause::Busy, Severity::Warning, tr("A run is under way in %1.").arg(m_store.workspace()),
         tr("Stop it before you open another workspace here, or open that in a window of its own."));
    m_bar.addChoice(tr("Stop"), stop);
    m_bar.addChoice(tr("Another window"), openBeside);
}

void WindowMessages::unsaved(const std::function<void()> &save, const std::function<void()> &discard)
{
    show(Cause::Unsaved, Severity::Warning, tr("There are edits that are not saved."));
    m_bar.addChoice(tr("Save"), save);
    m_bar.addChoice(tr("Discard"), discard);
}

void WindowMessages::setDirty(bool dirty)
{
    if (!dirty)
        end({Cause::Unsaved});
}

void WindowMessages::opening()
{
    end({Cause::Problem, Cause::Busy, Cause::Unsaved, Cause::Stopped, Cause::Trouble, Cause::Question});
}

void WindowMessages::phaseChanged()
{
    const bool busy = m_store.isBusy();
    if (busy && !m_wasBusy)
        end({Cause::Problem, Cause::Stopped, Cause::Trouble, Cause::Question});
    if (!busy)
        end({Cause::Busy});
    m_wasBusy = busy;
    if (m_store.phase().phase == Phase::AwaitingAnswers)
        ask();
    else
        end({Cause::Question});
}

void WindowMessages::planChanged()
{
    if (m_store.isApproved() && !m_wasApproved)
        end({Cause::Trouble});
    m_wasApproved = m_store.isApproved();
    if (m_cause == Cause::Question)
        ask(); // the next one, if there is one
}

// What is said already with its remedy is not said again without it.
void WindowMessages::stopped(const event::RunStopped &why)
{
    const bool isSaid =
        m_cause == Cause::Trouble && !m_bar.isHidden() && m_bar.text().contains(why.reason, Qt::CaseInsensitive);
    if (why.why == event::RunStopped::Why::StepDone || m_cause == Cause::Closing || isSaid)
        return;
    if (why.unconfirmed.isEmpty())
        return show(Cause::Stopped, severityOf(why), stoppedText(why), nextStepText(why));
    const int first = why.unconfirmed.first();
    show(Cause::Stopped, severityOf(why), stoppedText(why),
         tr("Iteration %1 was measured faster once, but not confirmed.").arg(first) + QLatin1Char(' ') +
             nextStepText(why));
    m_bar.addChoice(tr("Measure iteration %1 again").arg(first), [this, first] { Q_EMIT measureWanted(first); });
}

// In the midst of a run a warning is for the log; nobody has to do anything about it now.
void WindowMessages::noticed(const event::Notice &notice)
{
    const bool isIdle = !m_store.isBusy() || m_store.phase().phase == Phase::Inventory;
    const bool isAsked = notice.severity == Severity::Warning && !notice.remedy.isEmpty() && isIdle;
    if (m_cause != Cause::Closing && (notice.severity == Severity::Error || isAsked))
        show(Cause::Trouble, notice.severity, notice.text, notice.remedy);
    else
        return;
    if (notice.severity == Severity::Error && m_store.phase().phase == Phase::Inventory)
        m_bar.addChoice(tr("Try again"), [this] { Q_EMIT openAgainWanted(); });
}

void WindowMessages::ask()
{
    const PlanField *open = m_store.plan().firstOpen();
    if (open == nullptr)
        return end({Cause::Question});
    if (m_cause == Cause::Trouble && !m_bar.isHidden())
        return; // first things first
    const bool isQuestion = open->problem.isEmpty();
    show(Cause::Question, Severity::Warning,
         QStringLiteral("%1: %2").arg(open->label, isQuestion ? open->question : open->problem),
         isQuestion
             ? tr("Answer it in the plan. Nothing is written or run before that.")
             : tr("Mend it in its file or change it in the plan, which follows the files. Nothing is written or run "
                  "before that."));
    m_bar.addChoice(isQuestion ? tr("Answer") : tr("Change"), [this] { Q_EMIT answerWanted(); });
}

} // namespace ako
