// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline/eventprinter.h"

#include "base/words.h"
#include "bench/flagtext.h"

#include <QCoreApplication>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("CommandLine", text);
}

constexpr qsizetype longestMessage = 2000;
const QString indent(11, QLatin1Char(' ')); // below a row's second column

QString statusWord(const IterationRecord &record)
{
    if (record.bench.state == ResultState::Quarantined)
        return tr("quarantined");
    switch (record.status) {
    case IterationStatus::Baseline:
        return tr("baseline");
    case IterationStatus::Improved:
        return tr("improved");
    case IterationStatus::NoChange:
        return tr("no-change");
    case IterationStatus::Regression:
        return tr("regression");
    case IterationStatus::Failed:
        return tr("failed");
    }
    return {};
}

QString speedupText(const IterationRecord &record)
{
    const std::optional<Interval> &ratio = record.speedupOverBaseline;
    if (!ratio)
        return QStringLiteral("-");
    return QStringLiteral("%1%2x [%3, %4]")
        .arg(isOverBaselineChained(record) ? QStringLiteral("≈") : QString())
        .arg(ratio->estimate, 0, 'f', 3)
        .arg(ratio->low, 0, 'f', 3)
        .arg(ratio->high, 0, 'f', 3);
}

QString runtimeText(const IterationRecord &record)
{
    return record.bench.solution ? QStringLiteral("%1 ms").arg(record.bench.solution->median, 0, 'g', 5)
                                 : QStringLiteral("-");
}

} // namespace

QString historyLine(const IterationRecord &record)
{
    QString title = words::title(record.title.isEmpty() ? record.statusReason : record.title);
    if (record.kind == IterationRecord::Kind::Final)
        title = record.number == 0 ? tr("the baseline: %1").arg(title)
                                   : tr("restores iter-%1: %2").arg(record.number).arg(title);
    return QStringLiteral("%1 %2 %3 %4  %5%6")
        .arg(record.label, -10)
        .arg(statusWord(record), -11)
        .arg(speedupText(record), -22)
        .arg(runtimeText(record), 12)
        .arg(record.becameChampion ? QStringLiteral("* ") : QStringLiteral("  "), title);
}

QString historyLegend()
{
    return tr("x: speedup over the baseline [its interval], ≈ not measured beside it but multiplied from steps, each "
              "over the champion of its moment; ms: median runtime; *: became the champion, the fastest so far that a "
              "verdict confirmed");
}

EventPrinter::EventPrinter(bool json)
    : m_json(json)
    , m_terminal(isatty(STDERR_FILENO) != 0)
{
}

void EventPrinter::line(const QString &text)
{
    clearProgress();
    const QByteArray bytes = words::plain(text).toUtf8() + '\n';
    std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), stdout);
    std::fflush(stdout);
}

void EventPrinter::printProgress(const QString &text)
{
    if (!m_terminal || m_json)
        return;
    std::fprintf(stderr, "\r\033[K%s", qUtf8Printable(words::shortened(words::oneLine(text), 110)));
    std::fflush(stderr);
    m_progressShown = true;
}

void EventPrinter::clearProgress()
{
    if (m_progressShown)
        std::fputs("\r\033[K", stderr);
    m_progressShown = false;
}

void EventPrinter::printPlan(const ResolvedPlan &plan, bool approved, bool withEvidence)
{
    if (m_json) {
        line(QString::fromStdString(toJson(event::PlanResolved{plan, approved})
                                        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
        return;
    }
    line(plan.toMarkdown(withEvidence));
    if (!approved && !plan.filesToWrite.isEmpty())
        line(tr("Approval writes: %1").arg(plan.filesToWrite.join(QStringLiteral(", "))));
    for (const QString &warning : plan.warnings)
        line(tr("Warning: %1").arg(warning));
}

void EventPrinter::printRecord(const IterationRecord &record)
{
    line(historyLine(record));
    const bool isExplained = record.kind == IterationRecord::Kind::Iteration &&
                             (record.status == IterationStatus::Failed || record.status == IterationStatus::NoChange);
    const bool hasMessage = record.status == IterationStatus::Failed && !record.bench.message.isEmpty();
    const QString why = hasMessage ? record.bench.message.section(QLatin1Char('\n'), 0, 0) : record.statusReason;
    if ((isExplained || hasMessage) && !why.isEmpty())
        line(indent + words::shortened(words::oneLine(why), 2 * words::longestTitle));
    for (const QString &flag : flagTexts(record.bench.flags))
        line(indent + tr("Note: %1").arg(flag));
}

void EventPrinter::printHints(const event::HintsSeen &seen)
{
    for (const QString &hint : seen.added)
        line(tr("HINTS.md, from iteration %1 on: %2").arg(seen.firstIteration).arg(words::title(hint)));
    for (const QString &hint : seen.removed)
        line(tr("HINTS.md, no longer from iteration %1 on: %2").arg(seen.firstIteration).arg(words::title(hint)));
    for (const QString &directive : seen.recognised)
        line(indent + tr("kept by the program: %1").arg(directive));
    for (const QString &refusal : seen.refused)
        line(indent + tr("cannot be kept: %1").arg(refusal));
    for (const QString &other : seen.unrecognised)
        line(indent + tr("for the agent, word for word: %1").arg(words::title(other)));
}

void EventPrinter::printError(const QString &message, const QString &remedy)
{
    clearProgress();
    m_lastError = message;
    std::fprintf(stderr, "ako4all: %s\n", qUtf8Printable(words::shortened(words::plain(message), longestMessage)));
    if (!remedy.isEmpty())
        std::fprintf(stderr, "         %s\n", qUtf8Printable(words::shortened(words::plain(remedy), longestMessage)));
}

namespace {

// Where nothing is under way, there is no progress to show.
bool isUnderWay(Phase phase)
{
    switch (phase) {
    case Phase::Idle:
    case Phase::AwaitingAnswers:
    case Phase::AwaitingApproval:
    case Phase::Ready:
    case Phase::Finished:
    case Phase::Failed:
        return false;
    default:
        return true;
    }
}

nlohmann::json questionsJson(const QList<PlanField> &questions)
{
    nlohmann::json array = nlohmann::json::array();
    for (const PlanField &field : questions) {
        nlohmann::json candidates = nlohmann::json::array();
        for (const QString &candidate : field.candidates)
            candidates.push_back(candidate.toStdString());
        array.push_back({{"key", field.key.toStdString()},
                         {"question", (field.question.isEmpty() ? field.problem : field.question).toStdString()},
                         {"candidates", candidates}});
    }
    return array;
}

} // namespace

void EventPrinter::printOutcome(int exitCode, const QString &reason, const QList<PlanField> &questions)
{
    clearProgress();
    if (m_json) {
        nlohmann::json outcome{{"event", "outcome"}, {"exit", exitCode}, {"reason", reason.toStdString()}};
        if (!questions.isEmpty())
            outcome["questions"] = questionsJson(questions);
        line(QString::fromStdString(outcome.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
    } else if (!reason.isEmpty()) {
        // An error has told it already.
        if (reason != m_lastError)
            line(reason);
    }
}

void EventPrinter::print(const RunEvent &runEvent)
{
    if (m_json) {
        if (!std::holds_alternative<event::PlanResolved>(runEvent))
            line(QString::fromStdString(
                toJson(runEvent).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
        return;
    }
    if (const auto *recorded = std::get_if<event::IterationRecorded>(&runEvent)) {
        // A record comes again when the next iteration adds its analysis; a line of the terminal stands once.
        if (!recorded->record.commit.isEmpty() && !m_printedCommits.contains(recorded->record.commit)) {
            m_printedCommits.insert(recorded->record.commit);
            printRecord(recorded->record);
        }
    } else if (const auto *phase = std::get_if<event::PhaseChanged>(&runEvent)) {
        if (isUnderWay(phase->phase))
            printProgress(phase->detail.isEmpty() ? phaseName(phase->phase) : phase->detail);
        else
            clearProgress();
    } else if (const auto *progress = std::get_if<event::BenchProgress>(&runEvent)) {
        printProgress(QStringLiteral("%1: %2 %3 %")
                          .arg(progress->label, progress->stage)
                          .arg(std::max(0.0, std::round(progress->fraction * 100))));
    } else if (const auto *notice = std::get_if<event::Notice>(&runEvent)) {
        if (notice->severity == Severity::Info)
            line(notice->text);
        else
            printError(notice->text, notice->remedy);
    } else if (const auto *seen = std::get_if<event::HintsSeen>(&runEvent)) {
        printHints(*seen);
    } else if (const auto *history = std::get_if<event::HistoryLoaded>(&runEvent)) {
        for (const IterationRecord &known : history->records) // told by the call that made it
            m_printedCommits.insert(known.commit);
    } else if (const auto *asked = std::get_if<event::PermissionAsked>(&runEvent)) {
        line(sentence(asked->question));
    } else if (const auto *settled = std::get_if<event::PermissionSettled>(&runEvent)) {
        line(tr("  %1").arg(settled->outcome));
    } else if (const auto *recovered = std::get_if<event::Recovered>(&runEvent)) {
        line(tr("Iteration %1 was interrupted after the step \"%2\": %3.")
                 .arg(recovered->iteration)
                 .arg(recovered->reached, recovered->action));
        if (!recovered->kept.isEmpty() && !recovered->isInSolution())
            line(tr("  What it had changed is kept in %1.").arg(recovered->kept));
    }
}

} // namespace ako
