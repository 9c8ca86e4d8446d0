// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

#include <optional>

namespace ako {

// Which row or section of ITERATIONS.md: the record's kind and number.
struct LogKey
{
    IterationRecord::Kind kind = IterationRecord::Kind::Iteration;
    int number = -1;
    bool operator==(const LogKey &) const = default;
};

// Where things stand in the text of ITERATIONS.md: byte offsets, found in one pass. Comments and code fences are text
// of the user's, never structure. Only what begins in the first column counts.
class LogStructure
{
public:
    explicit LogStructure(const QByteArray &text);

    struct Line
    {
        qsizetype begin = 0;
        qsizetype end = 0;   // without the line end
        qsizetype next = 0;  // where the next line begins
        bool hidden = false; // in a comment or a fence
    };
    struct Span
    {
        qsizetype begin = 0; // first line
        qsizetype end = 0;   // one past the last line
    };
    struct Section
    {
        LogKey key;
        Span lines; // heading included
    };

    const QList<Line> &lines() const { return m_lines; }
    QByteArrayView line(qsizetype index) const;
    QByteArray lineEnd() const { return m_lineEnd; } // what the file uses

    std::optional<Span> table() const { return m_table; } // of the Summary, header line first
    bool hasSeparator() const { return m_hasSeparator; }  // the line after the header is |---|---|
    const QList<Section> &sections() const { return m_sections; }
    const Section *section(const LogKey &key) const; // the last of that key

    // The "## <title>" part (any case); from its heading to the next heading of its level or above.
    std::optional<Span> part(QByteArrayView title) const;
    // The first line after the span's last line that is not blank: where to append to it.
    qsizetype lineAfterContent(const Span &span) const;
    qsizetype offsetOfLine(qsizetype index) const;

private:
    void splitLines();
    void hideCommentsAndFences();
    void findTable();
    void findSections();
    int headingLevel(qsizetype index) const; // 0: none
    qsizetype endOfPart(qsizetype heading) const;
    bool isTableLine(qsizetype index) const;

    const QByteArray &m_text;
    QByteArray m_lineEnd = "\n";
    QList<Line> m_lines;
    QList<int> m_levels; // heading level of each line
    std::optional<Span> m_table;
    bool m_hasSeparator = false;
    QList<Section> m_sections;
};

// Cells of a table line, as they stand between the bars (escaped bars do not separate).
QList<QByteArray> tableCells(QByteArrayView line);
QByteArray tableLine(const QList<QByteArray> &cells); // "| a | b |"
// "3", "#3", "iter-3", "baseline", "final (3)": what the Iter cell means.
std::optional<LogKey> keyOfCell(QByteArrayView cell);

} // namespace ako
