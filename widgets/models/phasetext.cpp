// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/phasetext.h"

#include <QCoreApplication>

namespace ako {

namespace {

QString translated(const char *text)
{
    return QCoreApplication::translate("ako::PhaseText", text);
}

QString whyText(event::RunStopped::Why why)
{
    using Why = event::RunStopped::Why;
    switch (why) {
    case Why::Paused:
        return translated("Paused.");
    case Why::StepDone:
        return translated("Ready.");
    case Why::Stopped:
        return translated("Stopped.");
    case Why::CapReached:
        return translated("The iteration cap is reached.");
    case Why::FloorReached:
        return translated("The floor is reached.");
    case Why::Exhausted:
        return translated("The directions are exhausted.");
    case Why::Finished:
        return translated("Finished.");
    case Why::Failed:
        return translated("The run cannot go on.");
    }
    return {};
}

} // namespace

QString phaseText(Phase phase)
{
    switch (phase) {
    case Phase::Idle:
        return translated("no workspace");
    case Phase::Inventory:
        return translated("reading the workspace");
    case Phase::AwaitingAnswers:
        return translated("the plan has an open question");
    case Phase::AwaitingApproval:
        return translated("waiting for your approval");
    case Phase::Preparing:
        return translated("preparing");
    case Phase::Baseline:
        return translated("measuring the baseline");
    case Phase::Profiling:
        return translated("profiling");
    case Phase::Ready:
        return translated("ready");
    case Phase::Proposing:
        return translated("agent is working");
    case Phase::Benching:
        return translated("benching");
    case Phase::Verifying:
        return translated("verifying");
    case Phase::Recording:
        return translated("recording");
    case Phase::Reassessing:
        return translated("re-assessing");
    case Phase::Finishing:
        return translated("finishing");
    case Phase::Finished:
        return translated("finished");
    case Phase::Failed:
        return translated("cannot go on");
    }
    return {};
}

QString restingText(const event::RunStopped &stopped)
{
    using Why = event::RunStopped::Why;
    switch (stopped.why) {
    case Why::Paused:
        return translated("paused");
    case Why::StepDone:
        return translated("ready");
    case Why::Stopped:
        return translated("stopped");
    case Why::CapReached:
        return translated("cap reached");
    case Why::FloorReached:
        return translated("floor reached");
    case Why::Exhausted:
        return translated("directions exhausted");
    case Why::Finished:
        return translated("finished");
    case Why::Failed:
        return translated("cannot go on");
    }
    return {};
}

QString stoppedText(const event::RunStopped &stopped)
{
    QString why = whyText(stopped.why);
    // A reason of one word says what the sentence says already.
    if (!stopped.reason.contains(QLatin1Char(' ')) || stopped.reason == why)
        return why;
    const QString first = stopped.reason.section(QLatin1Char(' '), 0, 0);
    const bool isName = first.contains(QLatin1Char('/')) || first.contains(QLatin1Char('.')); // of a file
    return why + QLatin1Char(' ') + (isName ? first : first.at(0).toUpper() + first.mid(1)) +
           stopped.reason.mid(first.size());
}

QString nextStepText(const event::RunStopped &stopped)
{
    using Why = event::RunStopped::Why;
    if (stopped.exitCode != 0) // its own message says what to do
        return {};
    switch (stopped.why) {
    case Why::Paused:
        return stopped.reason.contains(QLatin1String("solution/"))
                   ? translated("Edit and save a file of solution/, then press Bench my edit (Ctrl+B).")
                   : translated("Run (F5) goes on, Step (F10) makes one iteration, Finish (Ctrl+Shift+F) ends with the "
                                "best.");
    case Why::Stopped:
        return translated("Run (F5) goes on from here, Finish (Ctrl+Shift+F) ends with the best.");
    case Why::CapReached:
        return translated("To go on, raise the iteration cap in the plan (Ctrl+P), and in HINTS.md where it has one; "
                          "then press Run (F5).");
    case Why::FloorReached:
    case Why::Exhausted:
        return translated("To try something else, write a hint into HINTS.md and press Step (F10), or edit solution/ "
                          "and press Bench my edit (Ctrl+B).");
    case Why::Finished:
        return translated("The best is committed. Run (F5) goes on from it; your own edit is benched with Ctrl+B.");
    case Why::StepDone:
    case Why::Failed:
        break;
    }
    return {};
}

QString recoveredText(const event::Recovered &recovered)
{
    const QString reached = recovered.reached.isEmpty() ? translated("begun") : recovered.reached;
    if (recovered.isInSolution())
        return translated("The program ended during iteration %1, which was %2. Its edit is still in solution/.")
            .arg(recovered.iteration)
            .arg(reached);
    const QString said =
        translated("The program ended during iteration %1, which was %2. It has been %3; nothing was lost.")
            .arg(recovered.iteration)
            .arg(reached, recovered.action);
    return recovered.kept.isEmpty()
               ? said
               : said + QLatin1Char(' ') + translated("Its edit is kept in %1.").arg(recovered.kept);
}

Severity severityOf(const event::RunStopped &stopped)
{
    return stopped.why == event::RunStopped::Why::Failed ? Severity::Error : Severity::Info;
}

} // namespace ako
