// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/iterationslog.h"

#include "base/words.h"
#include "history/filewriter.h"
#include "history/logrender.h"
#include "history/logstructure.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>

namespace ako {

namespace {

constexpr char fileName[] = "ITERATIONS.md";

enum class Role { Iter, Title, Speedup, Runtime, Status, User };

Role roleOf(const QByteArray &headerCell)
{
    const QByteArray name = headerCell.trimmed().toLower();
    if (name == "iter" || name == "iteration" || name == "iter." || name == "#")
        return Role::Iter;
    if (name == "title")
        return Role::Title;
    if (name.startsWith("speedup"))
        return Role::Speedup;
    if (name.startsWith("runtime"))
        return Role::Runtime;
    return name == "status" ? Role::Status : Role::User;
}

// The role of each column; a heading that repeats a role ("Speedup vs cuBLAS") is the user's.
QList<Role> rolesOf(const QList<QByteArray> &header)
{
    QList<Role> roles;
    for (const QByteArray &cell : header) {
        const Role role = roleOf(cell);
        roles << (roles.contains(role) ? Role::User : role);
    }
    return roles;
}

QByteArray valueFor(Role role, const IterationRecord &record)
{
    switch (role) {
    case Role::Iter:
        return logrender::iterCell(record);
    case Role::Title:
        return logrender::titleCell(record);
    case Role::Speedup:
        return logrender::speedupCell(record);
    case Role::Runtime:
        return logrender::runtimeCell(record);
    case Role::Status:
        return logrender::statusCell(record);
    case Role::User:
        break;
    }
    return {};
}

QByteArray newRow(const QList<Role> &roles, const IterationRecord &record)
{
    QList<QByteArray> cells;
    for (const Role role : roles)
        cells << valueFor(role, record);
    return tableLine(cells);
}

// What was measured is ours to correct; title and columns of the user's stay.
QByteArray updatedRow(QByteArrayView line, const QList<Role> &roles, const IterationRecord &record)
{
    QList<QByteArray> cells = tableCells(line);
    bool changed = false;
    for (qsizetype column = 0; column < std::min(roles.size(), cells.size()); ++column) {
        const Role role = roles.at(column);
        const QByteArray present = cells.at(column).trimmed();
        if (role == Role::User || role == Role::Iter || (role == Role::Title && !present.isEmpty()))
            continue;
        const QByteArray value = valueFor(role, record);
        if (value == present)
            continue;
        cells[column] = ' ' + value + ' ';
        changed = true;
    }
    return changed ? '|' + cells.join('|') + '|' : line.toByteArray();
}

LogKey keyOf(const IterationRecord &record)
{
    return {record.kind, record.number};
}

LogKey keyOf(const QString &label)
{
    return keyOfCell(label.toUtf8()).value_or(LogKey{});
}

constexpr char newTable[] = "| Iter | Title | Speedup(mean) | Runtime(mean) | Status |\n"
                            "|------|-------|---------------|---------------|--------|\n";

QByteArray withLineEnds(QByteArray text, const QByteArray &lineEnd)
{
    return lineEnd == "\n" ? text : text.replace("\n", lineEnd);
}

// A piece inserted at a line, set apart by blank lines where its neighbours are not blank.
void insertBlock(QByteArray &text, const LogStructure &structure, qsizetype line, const QByteArray &block)
{
    const QByteArray end = structure.lineEnd();
    const qsizetype offset = structure.offsetOfLine(line);
    QByteArray piece;
    if (offset > 0) {
        if (!text.first(offset).endsWith('\n'))
            piece += end;
        piece += end;
    }
    piece += withLineEnds(block, end);
    const bool followed = line < structure.lines().size() && !structure.line(line).trimmed().isEmpty();
    if (followed)
        piece += end;
    text.insert(offset, piece);
}

} // namespace

IterationsLog::IterationsLog(QByteArray text)
    : m_text(std::move(text))
    , m_original(m_text)
{
}

Result<IterationsLog> IterationsLog::load(const QString &workspace)
{
    const QString path = QDir(workspace).filePath(QLatin1String(fileName));
    if (!QFileInfo::exists(path))
        return IterationsLog();
    auto bytes = readFile(path);
    if (!bytes)
        return std::unexpected(bytes.error());
    return IterationsLog(std::move(*bytes));
}

Result<void> IterationsLog::save(const QString &workspace) const
{
    if (!isChanged())
        return {};
    return writeWorkspaceFile(workspace, QLatin1String(fileName), m_text);
}

// An iteration may be restored as the final more than once, with others in between: an entry each, told apart by what
// was measured.
bool IterationsLog::isAnotherFinal(const IterationRecord &record) const
{
    if (record.kind != IterationRecord::Kind::Final || record.trajectory.isEmpty())
        return false;
    const LogStructure structure(m_text);
    const LogStructure::Section *section = structure.section(keyOf(record));
    if (!section)
        return false;
    const qsizetype begin = structure.offsetOfLine(section->lines.begin);
    const qsizetype end = structure.offsetOfLine(section->lines.end);
    return !QByteArrayView(m_text).sliced(begin, end - begin).toByteArray().contains(record.trajectory.toUtf8());
}

void IterationsLog::record(const IterationRecord &record)
{
    const bool isNew = isAnotherFinal(record);
    recordRow(record, isNew);
    recordSection(record, isNew);
}

void IterationsLog::recordRow(const IterationRecord &record, bool isNew)
{
    const LogStructure structure(m_text);
    if (!structure.table()) {
        insertTable(record);
        return;
    }
    const LogStructure::Span table = *structure.table();
    const QList<Role> roles = rolesOf(tableCells(structure.line(table.begin)));
    const qsizetype iterColumn = roles.indexOf(Role::Iter);
    for (qsizetype row = table.end - 1; row > table.begin && !isNew; --row) {
        const QList<QByteArray> cells = tableCells(structure.line(row));
        if (cells.size() <= iterColumn || keyOfCell(cells.at(iterColumn)) != keyOf(record))
            continue;
        const LogStructure::Line place = structure.lines().at(row);
        const QByteArray updated = updatedRow(structure.line(row), roles, record);
        m_text.replace(place.begin, place.end - place.begin, updated);
        return;
    }
    QByteArray row = newRow(roles, record) + structure.lineEnd();
    const qsizetype offset = structure.offsetOfLine(table.end);
    if (!m_text.first(offset).endsWith('\n'))
        row.prepend(structure.lineEnd());
    m_text.insert(offset, row);
}

// There is none: under the Summary heading, or with a heading of its own after the title.
void IterationsLog::insertTable(const IterationRecord &record)
{
    const LogStructure structure(m_text);
    const QList<Role> roles{Role::Iter, Role::Title, Role::Speedup, Role::Runtime, Role::Status};
    const QByteArray table = newTable + newRow(roles, record) + '\n';
    if (const auto summary = structure.part("Summary")) {
        insertBlock(m_text, structure, summary->begin + 1, table);
        return;
    }
    if (structure.lines().isEmpty()) {
        m_text = "# Iteration Log\n\n## Summary\n\n" + table;
        return;
    }
    const bool titled = structure.line(0).startsWith("# ");
    insertBlock(m_text, structure, titled ? 1 : 0, "## Summary\n\n" + table);
}

void IterationsLog::recordSection(const IterationRecord &record, bool isNew)
{
    const LogStructure structure(m_text);
    if (!isNew && structure.section(keyOf(record))) {
        completeSection(record);
        return;
    }
    const QByteArray section = logrender::section(record);
    if (const auto iterations = structure.part("Iterations"))
        insertBlock(m_text, structure, structure.lineAfterContent(*iterations), section);
    else if (!structure.sections().isEmpty())
        insertBlock(m_text, structure, structure.lineAfterContent(structure.sections().last().lines), section);
    else if (const auto log = structure.part("Run log"))
        insertBlock(m_text, structure, log->begin, "## Iterations\n\n" + section);
    else
        insertBlock(m_text, structure, structure.lines().size(), "## Iterations\n\n" + section);
}

namespace {

// A "- **Name:**" item of a section and the lines that belong to it.
std::optional<LogStructure::Span> fieldOf(const LogStructure &structure, const LogStructure::Section &section,
                                          const QByteArray &name)
{
    const QByteArray label = "- **" + name + ":**";
    for (qsizetype line = section.lines.begin + 1; line < section.lines.end; ++line) {
        if (!structure.line(line).startsWith(label))
            continue;
        qsizetype end = line + 1;
        while (end < section.lines.end &&
               (structure.line(end).startsWith("  ") || structure.line(end).startsWith('\t') ||
                (structure.line(end).trimmed().isEmpty() && end + 1 < section.lines.end &&
                 structure.line(end + 1).startsWith("  "))))
            ++end;
        return LogStructure::Span{line, end};
    }
    return std::nullopt;
}

QByteArray textOf(const QByteArray &text, const LogStructure &structure, const LogStructure::Span &span)
{
    const qsizetype begin = structure.offsetOfLine(span.begin);
    return text.mid(begin, structure.offsetOfLine(span.end) - begin);
}

void replaceLines(QByteArray &text, const LogStructure &structure, const LogStructure::Span &span,
                  const QByteArray &lines)
{
    const qsizetype begin = structure.offsetOfLine(span.begin);
    const qsizetype length = structure.offsetOfLine(span.end) - begin;
    const bool openLine = begin > 0 && text.at(begin - 1) != '\n';
    text.replace(begin, length, withLineEnds(openLine ? '\n' + lines : lines, structure.lineEnd()));
}

// Fills an empty field, makes a missing one, and adds to one that somebody has written in. False: no such section.
bool say(QByteArray &text, const LogKey &key, const char *name, const QString &words)
{
    if (words.trimmed().isEmpty())
        return true;
    const LogStructure structure(text);
    const LogStructure::Section *section = structure.section(key);
    if (!section)
        return false;
    const auto place = fieldOf(structure, *section, name);
    const QByteArray whole = logrender::field(name, words);
    if (!place) {
        const qsizetype line = structure.lineAfterContent(section->lines);
        replaceLines(text, structure, {line, line}, whole);
        return true;
    }
    QByteArray present = textOf(text, structure, *place);
    present.replace("\r\n", "\n");
    const QByteArray lines = logrender::continuation(words);
    const QByteArray label = QByteArray("- **") + name + ":**";
    if (present.trimmed() == label)
        replaceLines(text, structure, *place, whole);
    else if (!present.contains(lines.trimmed()))
        replaceLines(text, structure, *place, (present.endsWith('\n') ? present : present + '\n') + lines);
    return true;
}

} // namespace

// The section is there already (a repeated record, or one that was written before a crash).
void IterationsLog::completeSection(const IterationRecord &record)
{
    const LogStructure structure(m_text);
    const LogStructure::Section *section = structure.section(keyOf(record));
    const auto bench = fieldOf(structure, *section, "Bench");
    const QByteArray block = logrender::benchBlock(record);
    if (!bench)
        replaceLines(m_text, structure,
                     {structure.lineAfterContent(section->lines), structure.lineAfterContent(section->lines)}, block);
    else if (textOf(m_text, structure, *bench) != withLineEnds(block, structure.lineEnd()))
        replaceLines(m_text, structure, *bench, block);
    say(m_text, keyOf(record), "Analysis", record.analysis);
    say(m_text, keyOf(record), "Next", record.next);
}

bool IterationsLog::setAnalysis(const QString &label, const QString &analysis, const QString &next)
{
    const LogKey key = keyOf(label);
    return say(m_text, key, "Analysis", analysis) && say(m_text, key, "Next", next);
}

void IterationsLog::note(const QDateTime &when, const QString &heading, const QString &text)
{
    const QByteArray said = logrender::continuation(text).trimmed();
    const QByteArray line = "- " + when.toString(QStringLiteral("yyyy-MM-dd HH:mm")).toUtf8() + " — **" +
                            words::oneLine(heading).toUtf8() + ":** " + said + '\n';
    const LogStructure structure(m_text);
    if (m_text.contains(withLineEnds(line, structure.lineEnd())))
        return;
    const auto log = structure.part("Run log");
    if (!log) {
        insertBlock(m_text, structure, structure.lineAfterContent({0, structure.lines().size()}),
                    "## Run log\n\n" + line);
        return;
    }
    const qsizetype end = structure.lineAfterContent(*log);
    if (end == log->begin + 1)
        insertBlock(m_text, structure, end, line);
    else
        replaceLines(m_text, structure, {end, end}, line);
}

QList<LogEntry> IterationsLog::entries() const
{
    const LogStructure structure(m_text);
    QList<LogEntry> entries;
    if (!structure.table())
        return entries;
    const LogStructure::Span table = *structure.table();
    const QList<QByteArray> header = tableCells(structure.line(table.begin));
    const QList<Role> roles = rolesOf(header);
    for (qsizetype row = table.begin + (structure.hasSeparator() ? 2 : 1); row < table.end; ++row)
        entries << entryOf(header, tableCells(structure.line(row)));
    return entries;
}

LogEntry IterationsLog::entryOf(const QList<QByteArray> &header, const QList<QByteArray> &cells)
{
    LogEntry entry;
    const QList<Role> roles = rolesOf(header);
    for (qsizetype column = 0; column < std::min(header.size(), cells.size()); ++column) {
        const QString value =
            QString::fromUtf8(cells.at(column).trimmed()).replace(QLatin1String("\\|"), QLatin1String("|"));
        switch (roles.at(column)) {
        case Role::Iter: {
            const auto key = keyOfCell(cells.at(column));
            entry.iter = value;
            entry.iteration = key && key->kind != IterationRecord::Kind::Final ? key->number : -1;
            break;
        }
        case Role::Title:
            entry.title = value;
            break;
        case Role::Speedup:
            entry.speedup = value;
            break;
        case Role::Runtime:
            entry.runtime = value;
            break;
        case Role::Status:
            entry.status = value;
            break;
        case Role::User:
            entry.otherColumns.insert(QString::fromUtf8(header.at(column).trimmed()), value);
            break;
        }
    }
    return entry;
}

} // namespace ako
