// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/trajectory.h"

#include "bench/jsonread.h"
#include "bench/resultparser.h"
#include "history/filewriter.h"
#include "history/recordjson.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QMap>
#include <QRegularExpression>

#include <algorithm>
#include <tuple>

namespace ako {

namespace {

constexpr qint64 largestRecord = 4LL * 1024 * 1024;
constexpr qint64 oldOutputRead = 1LL * 1024 * 1024;

QString text(const char *source)
{
    return QCoreApplication::translate("Trajectory", source);
}

QString trajectoryRoot(const QString &workspace)
{
    return QDir(workspace).filePath(QStringLiteral("trajectory"));
}

// Baseline, iterations by number, finals; of finals there may be several, by folder name, which begins with the time.
using Place = std::tuple<int, int, QString>;

Place placeOf(const IterationRecord &record)
{
    if (record.kind == IterationRecord::Kind::Baseline)
        return {0, 0, {}};
    if (record.kind == IterationRecord::Kind::Iteration)
        return {1, record.number, {}};
    return {2, record.number, record.trajectory};
}

// What a label of the terminal AKO4ALL says: baseline, iter-3, iter3, iter_3, final. Others are somebody's trials.
std::optional<IterationRecord> recordForLabel(const QString &label)
{
    static const QRegularExpression numbered(QStringLiteral("^iter(?:ation)?[-_]?(\\d{1,6})$"));
    IterationRecord record;
    record.label = label;
    const auto match = numbered.match(label);
    if (match.hasMatch()) {
        record.number = match.captured(1).toInt();
        return record;
    }
    if (label == QLatin1String("baseline"))
        record.kind = IterationRecord::Kind::Baseline;
    else if (label == QLatin1String("final"))
        record.kind = IterationRecord::Kind::Final;
    else
        return std::nullopt;
    return record;
}

// The terminal's folders have an underscore in their time, ours a dash: one of ours without iteration.json is a bench
// that was discarded or that somebody ran by hand, and no entry of the history.
bool isOfTheTerminal(const QString &name)
{
    return name.size() > 8 && name.at(8) == QLatin1Char('_');
}

// What comes with a repository may say anything; it must not lead out of trajectory/.
QString safeTrajectory(const QString &relative)
{
    static const QRegularExpression form(QStringLiteral("\\Atrajectory/[^/.][^/]*\\z"));
    return form.match(relative).hasMatch() ? relative : QString();
}

// A run without iteration.json: what its output says. Whether it was better than the one before is not known here.
std::optional<IterationRecord> oldRecord(const QString &folder, const TrajectoryName &name)
{
    auto record = recordForLabel(name.label);
    const auto output = readFile(folder + QStringLiteral("/output.txt"), oldOutputRead);
    if (!record || !output)
        return std::nullopt;
    record->bench = resultFromLines(QString::fromUtf8(*output));
    if (record->bench.status == QLatin1String("NO_RESULT"))
        record->bench.correct = false;
    record->bench.exitCode = record->bench.correct ? 0 : 1;
    record->startedAt = name.time;
    record->agent = QStringLiteral("unknown");
    record->speedup = record->bench.speedupOverReference;
    record->status = !record->bench.correct                            ? IterationStatus::Failed
                     : record->kind == IterationRecord::Kind::Baseline ? IterationStatus::Baseline
                                                                       : IterationStatus::NoChange;
    record->statusReason = text("read from output.txt; there is no iteration.json");
    return record;
}

struct Found
{
    QMap<Place, IterationRecord> complete; // with iteration.json
    QMap<Place, IterationRecord> old;
};

void readFolder(const QString &workspace, const QString &name, Found &found, QStringList &warnings)
{
    const QString relative = QStringLiteral("trajectory/") + name;
    const QString folder = QDir(workspace).filePath(relative);
    const QString file = folder + QStringLiteral("/iteration.json");
    if (!QFileInfo::exists(file)) {
        const auto parsed = trajectoryName(name);
        auto record = parsed && isOfTheTerminal(name) ? oldRecord(folder, *parsed) : std::nullopt;
        if (!record)
            return;
        record->trajectory = relative;
        found.old.insert(placeOf(*record), *record);
        return;
    }
    const auto bytes = readFile(file, largestRecord);
    auto record = bytes ? recordIn(relative, *bytes) : Result<IterationRecord>(std::unexpected(bytes.error()));
    if (!record) {
        warnings << text("%1: %2").arg(relative, record.error().message);
        return;
    }
    found.complete.insert(placeOf(*record), *record);
}

} // namespace

Result<IterationRecord> recordIn(const QString &folder, const QByteArray &bytes)
{
    auto record = recordFromBytes(bytes);
    if (!record)
        return record;
    record->trajectory = folder; // where it is now, whatever it says
    record->verdictTrajectory = safeTrajectory(record->verdictTrajectory);
    return record;
}

std::optional<TrajectoryName> trajectoryName(const QString &folderName)
{
    static const QRegularExpression form(QStringLiteral("^(\\d{8})[-_](\\d{6})(?:_(.+))?$"));
    const auto match = form.match(folderName);
    if (!match.hasMatch())
        return std::nullopt;
    const QDateTime time =
        QDateTime::fromString(match.captured(1) + match.captured(2), QStringLiteral("yyyyMMddHHmmss"));
    if (!time.isValid())
        return std::nullopt;
    return TrajectoryName{time, match.captured(3)};
}

QString newTrajectory(const QString &workspace, const QString &label, const QDateTime &when)
{
    const QString wanted =
        QStringLiteral("trajectory/%1_%2").arg(when.toString(QStringLiteral("yyyyMMdd-HHmmss")), label);
    QString name = wanted;
    for (int suffix = 2; QFileInfo::exists(QDir(workspace).filePath(name)); ++suffix)
        name = wanted + QLatin1Char('-') + QString::number(suffix);
    return name;
}

Result<void> writeRecord(const QString &workspace, const IterationRecord &record)
{
    if (record.trajectory.isEmpty())
        return fail(text("%1 has no trajectory folder to keep its record in").arg(record.label));
    return writeWorkspaceFile(workspace, record.trajectory + QStringLiteral("/iteration.json"),
                              jsonread::dump(toJson(record), 2) + '\n');
}

TrajectoryScan scanTrajectory(const QString &workspace)
{
    TrajectoryScan scan;
    Found found;
    const QStringList folders =
        QDir(trajectoryRoot(workspace)).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    for (const QString &name : folders)
        readFolder(workspace, name, found, scan.warnings);
    for (auto record = found.old.cbegin(); record != found.old.cend(); ++record) {
        if (!found.complete.contains(record.key()))
            found.complete.insert(record.key(), record.value());
    }
    scan.records = found.complete.values();
    return scan;
}

QString shownOutput(const QByteArray &bytes)
{
    static const QRegularExpression progress(QStringLiteral("^AKO_PROGRESS [^\\n]*\\n?"),
                                             QRegularExpression::MultilineOption);
    return QString::fromUtf8(bytes).remove(progress);
}

Result<QString> benchOutput(const QString &workspace, const QString &trajectory, qint64 limitBytes)
{
    const auto bytes = readFile(QDir(workspace).filePath(trajectory + QStringLiteral("/output.txt")), limitBytes);
    if (!bytes)
        return std::unexpected(bytes.error());
    return shownOutput(*bytes);
}

} // namespace ako
