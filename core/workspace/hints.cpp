// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/hints.h"

#include "base/atomicfile.h"
#include "workspace/filetree.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Hints", text);
}

QString hintsPath(const QString &workspace)
{
    return workspace + QStringLiteral("/HINTS.md");
}

// Reads Markdown line by line.
class HintsParser
{
public:
    QList<HintItem> run(const QString &text)
    {
        const QStringList lines = text.split(QLatin1Char('\n'));
        int number = 0;
        for (const QString &line : lines)
            take(line, ++number);
        return m_items;
    }

private:
    void take(const QString &rawLine, int number)
    {
        QString line = withoutComments(rawLine);
        const QString trimmed = line.trimmed();
        if (trimmed.startsWith(QLatin1String("```")) || trimmed.startsWith(QLatin1String("~~~"))) {
            m_inFence = !m_inFence;
            m_open = false;
        } else if (m_inFence) {
            return;
        } else if (trimmed.isEmpty() || isHeadingOrRule(trimmed)) {
            m_open = false;
        } else {
            takeText(trimmed, number);
        }
    }

    void takeText(const QString &trimmed, int number)
    {
        static const QRegularExpression bullet(QStringLiteral("^(?:[-*+]|\\d{1,3}[.)])\\s+(?:\\[[ xX]\\]\\s+)?"));
        const auto match = bullet.match(trimmed);
        if (match.hasMatch() || !m_open)
            m_items.append({trimmed.mid(match.capturedLength()), number});
        else
            m_items.last().text += QLatin1Char(' ') + trimmed;
        m_open = true;
    }

    static bool isHeadingOrRule(const QString &trimmed)
    {
        static const QRegularExpression rule(QStringLiteral("^(#{1,6}(\\s.*)?|([-*_]\\s?){3,}|=+)$"));
        return rule.match(trimmed).hasMatch();
    }

    QString withoutComments(const QString &line)
    {
        QString kept;
        qsizetype at = 0;
        while (at < line.size()) {
            const QString mark = m_inComment ? QStringLiteral("-->") : QStringLiteral("<!--");
            const qsizetype found = line.indexOf(mark, at);
            const qsizetype end = found < 0 ? line.size() : found;
            if (!m_inComment)
                kept += QStringView(line).mid(at, end - at);
            if (found < 0)
                break;
            m_inComment = !m_inComment;
            at = found + mark.size();
        }
        return kept;
    }

    QList<HintItem> m_items;
    bool m_inFence = false;
    bool m_inComment = false;
    bool m_open = false; // the next line goes on with the last item
};

QByteArray lineEndOf(const QByteArray &content)
{
    const qsizetype first = content.indexOf('\n');
    return first > 0 && content[first - 1] == '\r' ? QByteArrayLiteral("\r\n") : QByteArrayLiteral("\n");
}

QString headingFor(const Hint &hint)
{
    // "from rules.md: 3" and "from rules.md: 7" stand under one heading.
    static const QRegularExpression line(QStringLiteral(":\\s*\\d+$"));
    QString origin = hint.origin.isEmpty() ? tr("added") : hint.origin;
    origin.remove(line);
    origin[0] = origin[0].toUpper();
    return QStringLiteral("## ") + origin;
}

QString lastHeading(const QByteArray &content)
{
    const QStringList lines = QString::fromUtf8(content).split(QLatin1Char('\n'));
    for (auto line = lines.crbegin(); line != lines.crend(); ++line) {
        if (line->startsWith(QLatin1Char('#')))
            return line->trimmed();
    }
    return {};
}

QByteArray bulletFor(const Hint &hint, const QByteArray &lineEnd)
{
    // A hint of several lines stays one bullet.
    QString text = hint.text.trimmed();
    text.remove(QLatin1Char('\r')).replace(QLatin1Char('\n'), QString::fromLatin1(lineEnd) + QStringLiteral("  "));
    return "- " + text.toUtf8() + lineEnd;
}

void append(QByteArray &content, const Hint &hint, const QByteArray &lineEnd)
{
    if (!content.isEmpty() && !content.endsWith('\n'))
        content += lineEnd;
    const QString heading = headingFor(hint);
    if (lastHeading(content) != heading)
        content += (content.isEmpty() ? QByteArray() : lineEnd) + heading.toUtf8() + lineEnd + lineEnd;
    content += bulletFor(hint, lineEnd);
}

QStringList textsOf(const QString &text)
{
    QStringList texts;
    const QList<HintItem> items = parseHints(text);
    for (const HintItem &item : items)
        texts.append(item.text);
    return texts;
}

QSet<QString> normalisedSet(const QStringList &texts)
{
    QSet<QString> set;
    for (const QString &text : texts)
        set.insert(normalisedHint(text));
    return set;
}

QStringList missingFrom(const QSet<QString> &known, QStringList texts)
{
    texts.removeIf([&](const QString &text) { return known.contains(normalisedHint(text)); });
    return texts;
}

// A hint of several lines is known when each of its items is.
bool isKnown(const QSet<QString> &known, const QString &text)
{
    const QStringList items = textsOf(text);
    return known.contains(normalisedHint(text)) || (!items.isEmpty() && missingFrom(known, items).isEmpty());
}

} // namespace

QList<HintItem> parseHints(const QString &text)
{
    return HintsParser().run(text);
}

QString normalisedHint(const QString &text)
{
    static const QRegularExpression edges(QStringLiteral("^[-*+\\s]+|[\\s.!;,]+$"));
    return text.normalized(QString::NormalizationForm_KC).simplified().remove(edges).toCaseFolded();
}

HintsMerge mergeHints(const QByteArray &existing, const QList<Hint> &hints)
{
    HintsMerge merge{existing, {}};
    QSet<QString> known = normalisedSet(textsOf(QString::fromUtf8(existing)));
    const QByteArray lineEnd = lineEndOf(existing);
    for (const Hint &hint : hints) {
        const QString normalised = normalisedHint(hint.text);
        if (normalised.isEmpty() || isKnown(known, hint.text))
            continue;
        known.insert(normalised);
        merge.added.append(hint);
        append(merge.content, hint, lineEnd);
    }
    return merge;
}

HintsDifference compareHints(const QString &before, const QString &after)
{
    const QStringList old = textsOf(before);
    const QStringList now = textsOf(after);
    HintsDifference difference;
    difference.added = missingFrom(normalisedSet(old), now);
    difference.removed = missingFrom(normalisedSet(now), old);
    difference.recognised = recogniseDirectives(after).descriptions;
    return difference;
}

Error hintsTooBig(qint64 bytes)
{
    return {tr("HINTS.md is too big: it has %1 KiB and may have %2 KiB").arg(bytes / 1024).arg(hintsLimit / 1024),
            tr("Shorten it; a long text belongs into a file of knowledge/.")};
}

Result<QByteArray> readHintsFile(const QString &workspace)
{
    const QFileInfo info(hintsPath(workspace));
    if (!info.exists() && !info.isSymLink())
        return QByteArray();
    const Result<QByteArray> content = readFileHead(hintsPath(workspace), hintsLimit + 1);
    if (content && content->size() > hintsLimit)
        return std::unexpected(hintsTooBig(info.size()));
    return content;
}

Result<QList<Hint>> mergeIntoHintsFile(const QString &workspace, const QList<Hint> &hints)
{
    const Result<QByteArray> existing = readHintsFile(workspace);
    if (!existing)
        return std::unexpected(existing.error());
    const HintsMerge merge = mergeHints(*existing, hints);
    if (merge.added.isEmpty())
        return merge.added;
    const Result<void> written = writeFileAtomically(hintsPath(workspace), merge.content);
    if (!written)
        return fail(written.error().message,
                    tr("Give yourself the right to write into %1 and try again.").arg(workspace));
    return merge.added;
}

} // namespace ako
