// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/logstructure.h"

#include <algorithm>

namespace ako {

namespace {

bool isDigit(char character)
{
    return character >= '0' && character <= '9';
}

// The first number in the text; -1 where there is none or it is absurd.
int numberIn(QByteArrayView text)
{
    const auto first = std::find_if(text.begin(), text.end(), isDigit);
    const auto last = std::find_if_not(first, text.end(), isDigit);
    if (first == last || last - first > 9)
        return -1;
    return QByteArrayView(first, last - first).toInt();
}

bool startsWithWord(const QByteArray &lower, const char *word)
{
    const qsizetype length = qsizetype(qstrlen(word));
    return lower.startsWith(word) && (lower.size() == length || !(lower[length] >= 'a' && lower[length] <= 'z'));
}

bool isBlank(QByteArrayView line)
{
    return line.trimmed().isEmpty();
}

// The text of a heading says which entry it is about: "Iter 3 — Title", "Iteration 3", "Baseline", "Final — iter-3".
std::optional<LogKey> keyOfHeading(const QByteArray &title)
{
    const QByteArray lower = title.toLower();
    if (startsWithWord(lower, "baseline"))
        return LogKey{IterationRecord::Kind::Baseline, 0};
    if (startsWithWord(lower, "final"))
        return LogKey{IterationRecord::Kind::Final, std::max(numberIn(lower), 0)};
    for (const char *word : {"iteration", "iter"}) {
        if (!startsWithWord(lower, word))
            continue;
        const QByteArray rest = lower.mid(qsizetype(qstrlen(word))).trimmed();
        const bool numbered =
            !rest.isEmpty() &&
            (isDigit(rest[0]) || ((rest[0] == '#' || rest[0] == '-') && rest.size() > 1 && isDigit(rest[1])));
        if (numbered)
            return LogKey{IterationRecord::Kind::Iteration, numberIn(rest)};
    }
    return std::nullopt;
}

bool isSeparator(const QList<QByteArray> &cells)
{
    return !cells.isEmpty() && std::ranges::all_of(cells, [](const QByteArray &cell) {
        return cell.contains('-') && cell.trimmed().replace('-', "").replace(':', "").isEmpty();
    });
}

QByteArray headingText(QByteArrayView line)
{
    qsizetype level = 0;
    while (level < line.size() && line[level] == '#')
        ++level;
    return line.sliced(level).trimmed().toByteArray();
}

} // namespace

LogStructure::LogStructure(const QByteArray &text)
    : m_text(text)
{
    splitLines();
    hideCommentsAndFences();
    m_levels.reserve(m_lines.size());
    for (qsizetype index = 0; index < m_lines.size(); ++index)
        m_levels << headingLevel(index);
    findTable();
    findSections();
}

QByteArrayView LogStructure::line(qsizetype index) const
{
    const Line &place = m_lines.at(index);
    return QByteArrayView(m_text).sliced(place.begin, place.end - place.begin);
}

void LogStructure::splitLines()
{
    m_lines.reserve(m_text.size() / 32);
    qsizetype windowsEnds = 0;
    for (qsizetype begin = 0; begin < m_text.size();) {
        const qsizetype newline = m_text.indexOf('\n', begin);
        Line line{begin, newline < 0 ? m_text.size() : newline, newline < 0 ? m_text.size() : newline + 1, false};
        if (newline > begin && m_text[newline - 1] == '\r') {
            --line.end;
            ++windowsEnds;
        }
        m_lines << line;
        begin = line.next;
    }
    if (windowsEnds * 2 > m_lines.size())
        m_lineEnd = "\r\n";
}

// A comment or fence that is never closed hides nothing: what follows it would be lost to us.
void LogStructure::hideCommentsAndFences()
{
    const auto hide = [this](qsizetype first, qsizetype last) {
        for (qsizetype index = first; index <= last; ++index)
            m_lines[index].hidden = true;
    };
    for (qsizetype index = 0; index < m_lines.size(); ++index) {
        const QByteArrayView text = line(index);
        if (text.isEmpty() || !(text[0] == '`' || text[0] == '~' || text[0] == '<'))
            continue;
        const bool fence = text.startsWith("```") || text.startsWith("~~~");
        const bool comment = text.startsWith("<!--");
        if (!fence && !comment)
            continue;
        if (comment && text.indexOf("-->") >= 0) {
            m_lines[index].hidden = true;
            continue;
        }
        const QByteArray marker = text.first(3).toByteArray();
        qsizetype end = index + 1;
        while (end < m_lines.size() &&
               !(fence ? line(end).startsWith(marker) : line(end).toByteArray().contains("-->")))
            ++end;
        if (end == m_lines.size())
            continue;
        hide(index, end);
        index = end;
    }
}

int LogStructure::headingLevel(qsizetype index) const
{
    const QByteArrayView text = line(index);
    if (m_lines.at(index).hidden || text.isEmpty() || text[0] != '#')
        return 0;
    qsizetype level = 0;
    while (level < text.size() && text[level] == '#')
        ++level;
    return level <= 6 && (level == text.size() || text[level] == ' ' || text[level] == '\t') ? int(level) : 0;
}

bool LogStructure::isTableLine(qsizetype index) const
{
    return index < m_lines.size() && !m_lines.at(index).hidden && line(index).trimmed().startsWith('|');
}

void LogStructure::findTable()
{
    for (qsizetype index = 0; index < m_lines.size(); ++index) {
        if (!isTableLine(index))
            continue;
        const QList<QByteArray> cells = tableCells(line(index));
        const bool isHeader = std::ranges::any_of(cells, [](const QByteArray &cell) {
            const QByteArray name = cell.trimmed().toLower();
            return name == "iter" || name == "iteration" || name == "iter." || name == "#";
        });
        qsizetype end = index + 1;
        while (isTableLine(end))
            ++end;
        if (!isHeader) {
            index = end - 1;
            continue;
        }
        m_table = Span{index, end};
        m_hasSeparator = end > index + 1 && isSeparator(tableCells(line(index + 1)));
        return;
    }
}

void LogStructure::findSections()
{
    for (qsizetype index = 0; index < m_lines.size(); ++index) {
        const int level = m_levels.at(index);
        if (level < 2 || level > 4)
            continue;
        if (const auto key = keyOfHeading(headingText(line(index))))
            m_sections << Section{*key, {index, endOfPart(index)}};
    }
}

const LogStructure::Section *LogStructure::section(const LogKey &key) const
{
    for (auto section = m_sections.crbegin(); section != m_sections.crend(); ++section) {
        if (section->key == key)
            return &*section;
    }
    return nullptr;
}

qsizetype LogStructure::endOfPart(qsizetype heading) const
{
    qsizetype end = heading + 1;
    while (end < m_lines.size() && (m_levels.at(end) == 0 || m_levels.at(end) > m_levels.at(heading)))
        ++end;
    return end;
}

std::optional<LogStructure::Span> LogStructure::part(QByteArrayView title) const
{
    for (qsizetype index = 0; index < m_lines.size(); ++index) {
        if (m_levels.at(index) == 2 && headingText(line(index)).compare(title, Qt::CaseInsensitive) == 0)
            return Span{index, endOfPart(index)};
    }
    return std::nullopt;
}

qsizetype LogStructure::lineAfterContent(const Span &span) const
{
    qsizetype index = span.end;
    while (index > span.begin + 1 && isBlank(line(index - 1)))
        --index;
    return index;
}

qsizetype LogStructure::offsetOfLine(qsizetype index) const
{
    return index < m_lines.size() ? m_lines.at(index).begin : m_text.size();
}

QList<QByteArray> tableCells(QByteArrayView line)
{
    QByteArrayView text = line.trimmed();
    if (text.startsWith('|'))
        text = text.sliced(1);
    QList<QByteArray> cells;
    QByteArray cell;
    for (qsizetype index = 0; index < text.size(); ++index) {
        const bool escaped = text[index] == '\\' && index + 1 < text.size();
        if (escaped)
            cell += text[index++];
        else if (text[index] == '|') {
            cells << cell;
            cell.clear();
            continue;
        }
        cell += text[index];
    }
    if (!isBlank(cell))
        cells << cell;
    return cells;
}

QByteArray tableLine(const QList<QByteArray> &cells)
{
    QByteArray line = "|";
    for (const QByteArray &cell : cells)
        line += ' ' + cell + " |";
    return line;
}

std::optional<LogKey> keyOfCell(QByteArrayView cell)
{
    const QByteArray text = cell.trimmed().toByteArray().toLower();
    if (text.contains("baseline"))
        return LogKey{IterationRecord::Kind::Baseline, 0};
    const int number = numberIn(text);
    if (text.contains("final"))
        return LogKey{IterationRecord::Kind::Final, std::max(number, 0)};
    if (number < 0)
        return std::nullopt;
    return LogKey{number == 0 ? IterationRecord::Kind::Baseline : IterationRecord::Kind::Iteration, number};
}

} // namespace ako
