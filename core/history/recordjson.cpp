// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/recordjson.h"

#include "base/words.h"
#include "bench/jsonread.h"
#include "bench/resultjson.h"

#include <QCoreApplication>
#include <QLocale>

#include <nlohmann/json.hpp>

namespace ako {

using nlohmann::json;
namespace read = jsonread;

namespace {

constexpr char schema[] = "ako.iteration/1";

QString text(const char *source)
{
    return QCoreApplication::translate("IterationRecord", source);
}

IterationRecord::Kind kindFromName(const QString &name)
{
    if (name == QLatin1String("baseline"))
        return IterationRecord::Kind::Baseline;
    if (name == QLatin1String("final"))
        return IterationRecord::Kind::Final;
    return IterationRecord::Kind::Iteration;
}

void putText(json &object, const char *key, const QString &value)
{
    if (!value.isEmpty())
        object[key] = value.toStdString();
}

void putWords(json &object, const IterationRecord &record)
{
    putText(object, "label", record.label);
    putText(object, "title", record.title);
    putText(object, "hypothesis", record.hypothesis);
    putText(object, "changes", record.changes);
    putText(object, "direction", record.direction);
    putText(object, "agent_data", record.agentData);
    putText(object, "analysis", record.analysis);
    putText(object, "next", record.next);
    putText(object, "agent", record.agent);
    putText(object, "commit", record.commit);
    putText(object, "solution_hash", record.solutionHash);
    putText(object, "trajectory", record.trajectory);
    putText(object, "verdict_trajectory", record.verdictTrajectory);
    putText(object, "status_reason", record.statusReason);
    putText(object, "note", record.note);
    if (record.startedAt.isValid())
        putText(object, "started_at", record.startedAt.toUTC().toString(Qt::ISODateWithMs));
}

void readWords(IterationRecord &record, const json &object)
{
    record.label = words::title(read::string(object, "label"));
    record.title = words::title(read::string(object, "title"));
    record.hypothesis = words::plain(read::string(object, "hypothesis"));
    record.changes = words::plain(read::string(object, "changes"));
    record.direction = words::oneLine(read::string(object, "direction"));
    record.agentData = read::string(object, "agent_data");
    record.analysis = words::plain(read::string(object, "analysis"));
    record.next = words::plain(read::string(object, "next"));
    record.agent = words::title(read::string(object, "agent"));
    record.commit = read::string(object, "commit");
    record.solutionHash = read::string(object, "solution_hash");
    record.trajectory = read::string(object, "trajectory");
    record.verdictTrajectory = read::string(object, "verdict_trajectory");
    record.statusReason = words::plain(read::string(object, "status_reason"));
    record.note = words::plain(read::string(object, "note"));
    record.startedAt = QDateTime::fromString(read::string(object, "started_at"), Qt::ISODateWithMs);
}

json triageJson(const Triage &triage)
{
    json object{{"accepted", triage.accepted}};
    putText(object, "reason", triage.reason);
    putText(object, "when", triage.when.toUTC().toString(Qt::ISODateWithMs));
    return object;
}

std::optional<Triage> triageFromJson(const json &object)
{
    if (!object.is_object())
        return std::nullopt;
    return Triage{read::boolean(object, "accepted"), words::plain(read::string(object, "reason")),
                  QDateTime::fromString(read::string(object, "when"), Qt::ISODateWithMs)};
}

} // namespace

QString statusName(IterationStatus status)
{
    switch (status) {
    case IterationStatus::Baseline:
        return QStringLiteral("baseline");
    case IterationStatus::Improved:
        return QStringLiteral("improved");
    case IterationStatus::NoChange:
        return QStringLiteral("no-change");
    case IterationStatus::Regression:
        return QStringLiteral("regression");
    case IterationStatus::Failed:
        return QStringLiteral("failed");
    }
    return {};
}

std::optional<IterationStatus> statusFromName(const QString &name)
{
    for (const auto status : {IterationStatus::Baseline, IterationStatus::Improved, IterationStatus::NoChange,
                              IterationStatus::Regression, IterationStatus::Failed}) {
        if (name == statusName(status))
            return status;
    }
    return std::nullopt;
}

QString kindName(IterationRecord::Kind kind)
{
    switch (kind) {
    case IterationRecord::Kind::Baseline:
        return QStringLiteral("baseline");
    case IterationRecord::Kind::Iteration:
        return QStringLiteral("iteration");
    case IterationRecord::Kind::Final:
        return QStringLiteral("final");
    }
    return {};
}

json toJson(const IterationRecord &record)
{
    json object{{"schema", schema},
                {"kind", kindName(record.kind).toStdString()},
                {"number", record.number},
                {"status", statusName(record.status).toStdString()},
                {"parent", record.parent},
                {"became_champion", record.becameChampion},
                {"speedup_is_chained", record.speedupIsChained},
                {"agent_ms", record.agentMilliseconds},
                {"bench_ms", record.benchMilliseconds},
                {"bench", toJson(record.bench)}};
    putWords(object, record);
    if (record.signal)
        object["signal"] = toJson(*record.signal);
    if (record.speedup)
        object["speedup"] = toJson(*record.speedup);
    if (record.speedupOverBaseline)
        object["speedup_over_baseline"] = toJson(*record.speedupOverBaseline);
    if (record.triage)
        object["triage"] = triageJson(*record.triage);
    return object;
}

IterationRecord recordFromJson(const json &object)
{
    IterationRecord record;
    record.kind = kindFromName(read::string(object, "kind"));
    record.number = read::integer(object, "number", 0);
    record.status = statusFromName(read::string(object, "status")).value_or(IterationStatus::Failed);
    record.parent = read::integer(object, "parent", -1);
    record.becameChampion = read::boolean(object, "became_champion");
    record.speedupIsChained = read::boolean(object, "speedup_is_chained");
    record.agentMilliseconds = read::bigInteger(object, "agent_ms");
    record.benchMilliseconds = read::bigInteger(object, "bench_ms");
    record.bench = benchResultFromJson(read::at(object, "bench"));
    if (read::at(object, "signal").is_object())
        record.signal = benchResultFromJson(read::at(object, "signal"));
    record.speedup = intervalFromJson(read::at(object, "speedup"));
    record.speedupOverBaseline = intervalFromJson(read::at(object, "speedup_over_baseline"));
    record.triage = triageFromJson(read::at(object, "triage"));
    readWords(record, object);
    return record;
}

Result<IterationRecord> recordFromBytes(const QByteArray &bytes)
{
    const json object = read::parse(bytes);
    if (!object.is_object())
        return fail(text("iteration.json is not a JSON object"));
    if (!read::string(object, "schema").startsWith(QLatin1String("ako.iteration/")))
        return fail(text("iteration.json does not say that it is one of ako.iteration/1"));
    return recordFromJson(object);
}

QString summaryOf(const IterationRecord &record)
{
    QString summary = statusName(record.status);
    if (record.speedup) {
        const auto figure = [](double value) { return QLocale::c().toString(value, 'f', 2); };
        summary +=
            text(", %1x [%2, %3] over the reference")
                .arg(figure(record.speedup->estimate), figure(record.speedup->low), figure(record.speedup->high));
    }
    return record.statusReason.isEmpty() ? summary : summary + QLatin1String(": ") + record.statusReason;
}

} // namespace ako
