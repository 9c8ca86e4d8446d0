// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/runevent.h"

#include "bench/jsonread.h"
#include "history/recordjson.h"

#include <nlohmann/json.hpp>

namespace ako {

using nlohmann::json;

namespace {

std::string utf8(const QString &text)
{
    return text.toStdString();
}

QString severityName(Severity severity)
{
    switch (severity) {
    case Severity::Info:
        return QStringLiteral("info");
    case Severity::Warning:
        return QStringLiteral("warning");
    case Severity::Error:
        return QStringLiteral("error");
    }
    return {};
}

QString sourceName(event::OutputAppended::Source source)
{
    switch (source) {
    case event::OutputAppended::Source::Bench:
        return QStringLiteral("bench");
    case event::OutputAppended::Source::Agent:
        return QStringLiteral("agent");
    case event::OutputAppended::Source::Log:
        return QStringLiteral("log");
    }
    return {};
}

QString whyName(event::RunStopped::Why why)
{
    using Why = event::RunStopped::Why;
    switch (why) {
    case Why::Paused:
        return QStringLiteral("paused");
    case Why::StepDone:
        return QStringLiteral("step-done");
    case Why::Stopped:
        return QStringLiteral("stopped");
    case Why::CapReached:
        return QStringLiteral("cap-reached");
    case Why::FloorReached:
        return QStringLiteral("floor-reached");
    case Why::Exhausted:
        return QStringLiteral("exhausted");
    case Why::Finished:
        return QStringLiteral("finished");
    case Why::Failed:
        return QStringLiteral("failed");
    }
    return {};
}

json objectOf(const event::WorkspaceOpened &opened)
{
    return {{"event", "workspace"}, {"path", utf8(opened.path)}, {"branch", utf8(opened.branch)}};
}

json objectOf(const event::PlanResolved &resolved)
{
    return {{"event", "plan"}, {"approved", resolved.approved}, {"plan", resolved.plan.toJson()}};
}

json objectOf(const event::HistoryLoaded &history)
{
    json records = json::array();
    for (const IterationRecord &record : history.records)
        records.push_back(toJson(record));
    return {{"event", "history"}, {"champion", history.champion}, {"records", records}};
}

json objectOf(const event::PhaseChanged &phase)
{
    json object{{"event", "phase"}, {"phase", utf8(phaseName(phase.phase))}};
    if (phase.iteration >= 0)
        object["iteration"] = phase.iteration;
    if (!phase.detail.isEmpty())
        object["detail"] = utf8(phase.detail);
    if (phase.since.isValid())
        object["since"] = utf8(phase.since.toUTC().toString(Qt::ISODateWithMs));
    return object;
}

json objectOf(const event::IterationRecorded &recorded)
{
    return {{"event", "iteration"}, {"record", toJson(recorded.record)}};
}

json objectOf(const event::ChampionChanged &champion)
{
    return {{"event", "champion"}, {"iteration", champion.iteration}};
}

json objectOf(const event::BenchProgress &progress)
{
    json object{{"event", "progress"}, {"label", utf8(progress.label)}, {"stage", utf8(progress.stage)}};
    if (progress.fraction >= 0)
        object["fraction"] = progress.fraction;
    return object;
}

json objectOf(const event::OutputAppended &output)
{
    return {{"event", "output"}, {"source", utf8(sourceName(output.source))}, {"text", utf8(output.text)}};
}

json objectOf(const event::HintsSeen &hints)
{
    return {{"event", "hints"},
            {"first_iteration", hints.firstIteration},
            {"added", jsonread::array(hints.added)},
            {"removed", jsonread::array(hints.removed)},
            {"recognised", jsonread::array(hints.recognised)},
            {"refused", jsonread::array(hints.refused)},
            {"unrecognised", jsonread::array(hints.unrecognised)}};
}

json objectOf(const event::Notice &notice)
{
    json object{{"event", "notice"}, {"severity", utf8(severityName(notice.severity))}, {"text", utf8(notice.text)}};
    if (!notice.remedy.isEmpty())
        object["remedy"] = utf8(notice.remedy);
    return object;
}

json objectOf(const event::RunStopped &stopped)
{
    json object{{"event", "stopped"},
                {"why", utf8(whyName(stopped.why))},
                {"reason", utf8(stopped.reason)},
                {"exit", stopped.exitCode}};
    if (!stopped.unconfirmed.isEmpty())
        object["unconfirmed"] = std::vector<int>(stopped.unconfirmed.cbegin(), stopped.unconfirmed.cend());
    return object;
}

json objectOf(const event::PauseAsked &pause)
{
    return {{"event", "pause-asked"}, {"asked", pause.asked}};
}

json objectOf(const event::Recovered &recovered)
{
    json object = {{"event", "recovered"},
                   {"iteration", recovered.iteration},
                   {"reached", utf8(recovered.reached)},
                   {"action", utf8(recovered.action)}};
    if (!recovered.kept.isEmpty())
        object["kept"] = utf8(recovered.kept);
    return object;
}

json objectOf(const event::PermissionAsked &asked)
{
    return {{"event", "permission-asked"},
            {"number", asked.question.number},
            {"agent", utf8(asked.question.agent)},
            {"kind", utf8(asked.question.kind)},
            {"what", utf8(asked.question.what)}};
}

json objectOf(const event::PermissionSettled &settled)
{
    return {{"event", "permission-settled"}, {"number", settled.number}, {"outcome", utf8(settled.outcome)}};
}

} // namespace

QString phaseName(Phase phase)
{
    switch (phase) {
    case Phase::Idle:
        return QStringLiteral("idle");
    case Phase::Inventory:
        return QStringLiteral("inventory");
    case Phase::AwaitingAnswers:
        return QStringLiteral("awaiting-answers");
    case Phase::AwaitingApproval:
        return QStringLiteral("awaiting-approval");
    case Phase::Preparing:
        return QStringLiteral("preparing");
    case Phase::Baseline:
        return QStringLiteral("baseline");
    case Phase::Profiling:
        return QStringLiteral("profiling");
    case Phase::Ready:
        return QStringLiteral("ready");
    case Phase::Proposing:
        return QStringLiteral("proposing");
    case Phase::Benching:
        return QStringLiteral("benching");
    case Phase::Verifying:
        return QStringLiteral("verifying");
    case Phase::Recording:
        return QStringLiteral("recording");
    case Phase::Reassessing:
        return QStringLiteral("reassessing");
    case Phase::Finishing:
        return QStringLiteral("finishing");
    case Phase::Finished:
        return QStringLiteral("finished");
    case Phase::Failed:
        return QStringLiteral("failed");
    }
    return {};
}

json toJson(const RunEvent &event)
{
    return std::visit([](const auto &alternative) { return objectOf(alternative); }, event);
}

} // namespace ako
