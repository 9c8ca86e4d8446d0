// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/journal.h"

#include "bench/jsonread.h"
#include "history/filewriter.h"
#include "history/recordjson.h"
#include "workspace/statefolder.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <array>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <utility>

namespace ako {

using nlohmann::json;
namespace read = jsonread;

namespace {

constexpr char relativePath[] = ".ako/journal.jsonl";

constexpr std::array<std::pair<JournalStep, const char *>, 7> names{{{JournalStep::Begun, "begun"},
                                                                     {JournalStep::Edited, "edited"},
                                                                     {JournalStep::Benched, "benched"},
                                                                     {JournalStep::Verified, "verified"},
                                                                     {JournalStep::Logged, "logged"},
                                                                     {JournalStep::Committed, "committed"},
                                                                     {JournalStep::Discarded, "discarded"}}};

QString text(const char *source)
{
    return QCoreApplication::translate("Journal", source);
}

std::optional<JournalStep> stepFromName(const QString &name)
{
    for (const auto &[step, candidate] : names) {
        if (name == QLatin1String(candidate))
            return step;
    }
    return std::nullopt;
}

bool isEnd(JournalStep step)
{
    return step == JournalStep::Committed || step == JournalStep::Discarded;
}

QByteArray lineFor(JournalStep step, const IterationRecord &record)
{
    json object{{"step", stepName(step).toStdString()},
                {"kind", kindName(record.kind).toStdString()},
                {"iteration", record.number}};
    if (!isEnd(step))
        object["record"] = toJson(record);
    return read::dump(object) + '\n';
}

// What a crash in the middle of a line has left is cut off, so that the next line stands on its own.
bool dropTornLine(QFile &file)
{
    const QByteArray content = file.readAll();
    const qsizetype whole = content.lastIndexOf('\n') + 1;
    return (whole == content.size() || file.resize(whole)) && file.seek(whole);
}

std::optional<Unfinished> entryIn(const QByteArray &line)
{
    const json object = read::parse(line);
    const auto step = stepFromName(read::string(object, "step"));
    if (!step)
        return std::nullopt;
    return Unfinished{*step, recordFromJson(read::at(object, "record"))};
}

int attemptsAt(const Unfinished &unfinished, const QList<QByteArray> &lines)
{
    int attempts = 0;
    for (const QByteArray &line : lines) {
        const auto entry = entryIn(line);
        if (entry && isEnd(entry->step))
            attempts = 0;
        const IterationRecord &record = unfinished.record;
        if (entry && entry->step == JournalStep::Edited && entry->record.number == record.number &&
            entry->record.kind == record.kind && entry->record.solutionHash == record.solutionHash)
            ++attempts;
    }
    return attempts;
}

} // namespace

QString stepName(JournalStep step)
{
    for (const auto &[candidate, name] : names) {
        if (candidate == step)
            return QLatin1String(name);
    }
    return {};
}

Journal::Journal(const QString &workspace)
    : m_workspace(workspace)
    , m_path(QDir(workspace).filePath(QLatin1String(relativePath)))
{
}

Result<void> Journal::append(JournalStep step, const IterationRecord &record)
{
    if (const auto folder = ensureStateFolder(m_workspace); !folder)
        return std::unexpected(folder.error());
    const QByteArray line = lineFor(step, record);
    // The end of an entry makes all before it history, which git and trajectory/ keep: one line remains.
    if (isEnd(step) || !QFile::exists(m_path))
        return writeWorkspaceFile(m_workspace, QLatin1String(relativePath), line);
    QFile file(m_path);
    if (!file.open(QIODevice::ReadWrite) || !dropTornLine(file) || file.write(line) != line.size() || !file.flush() ||
        ::fdatasync(file.handle()) != 0)
        return fail(text("%1 cannot be written: %2").arg(m_path, file.errorString()),
                    text("Check free space and permissions; without the journal a crash could not be recovered from."));
    return {};
}

std::optional<Unfinished> Journal::unfinished() const
{
    const auto content = readFile(m_path);
    if (!content)
        return std::nullopt;
    QList<QByteArray> lines = content->split('\n');
    lines.removeLast(); // empty, or torn
    for (auto line = lines.crbegin(); line != lines.crend(); ++line) {
        auto entry = entryIn(*line);
        if (!entry)
            continue;
        if (isEnd(entry->step))
            return std::nullopt;
        entry->attempts = attemptsAt(*entry, lines);
        return entry;
    }
    return std::nullopt;
}

} // namespace ako
