// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/prompt/candidateanswer.h"

#include "base/words.h"

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>

#include <utility>

namespace ako {

namespace {

constexpr qsizetype longestPart = 4000;
constexpr qsizetype listedFiles = 20;

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::CandidateAnswer", text);
}

// A name at the beginning of a line, as a person or a Markdown-minded model writes it: "Title:", "**Title:**", "-
// Title:".
std::pair<QString, QString> namedPart(const QString &line)
{
    static const QRegularExpression form(QStringLiteral("^[\\s>*#-]*(Title|Direction|Hypothesis|Changes|Analysis|"
                                                        "Exhausted)\\s*(?:\\*\\*)?\\s*:\\s*(?:\\*\\*)?(.*)$"),
                                         QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(line);
    return match.hasMatch() ? std::pair(match.captured(1).toLower(), match.captured(2)) : std::pair<QString, QString>();
}

QStringList splitDirections(const QString &text)
{
    QStringList directions;
    const QStringList parts = text.split(QLatin1Char(';'), Qt::SkipEmptyParts);
    for (const QString &part : parts) {
        if (const QString one = words::title(part).trimmed(); !one.isEmpty())
            directions << one;
    }
    return directions;
}

// How many lines are in one and not in the other, whatever their order.
std::pair<int, int> addedAndRemoved(const QByteArray &before, const QByteArray &after)
{
    QHash<QByteArray, int> count;
    for (const QByteArray &line : before.split('\n'))
        --count[line];
    for (const QByteArray &line : after.split('\n'))
        ++count[line];
    int added = 0;
    int removed = 0;
    for (const int number : std::as_const(count))
        (number > 0 ? added : removed) += std::abs(number);
    return {added, removed};
}

QString lineOf(const QString &file, const FolderContent &before, const FolderContent &after)
{
    const QString name = words::title(file);
    if (!after.files.contains(file))
        return tr("%1: removed").arg(name);
    const QByteArray now = after.files.value(file);
    if (!before.files.contains(file))
        return tr("%1: new, %2 lines").arg(name).arg(now.count('\n'));
    if (now.contains('\0'))
        return tr("%1: changed").arg(name);
    const auto [added, removed] = addedAndRemoved(before.files.value(file), now);
    return tr("%1: +%2 -%3 lines").arg(name).arg(added).arg(removed);
}

} // namespace

CandidateAnswer parseAnswer(const QString &message)
{
    const qsizetype begin = message.lastIndexOf(QLatin1String("AKO-ANSWER"));
    if (begin < 0)
        return {};
    QHash<QString, QString> parts;
    QString current;
    const QStringList lines = message.mid(begin).split(QLatin1Char('\n'));
    for (const QString &line : lines.mid(1)) {
        const QString bare = line.trimmed();
        if (bare == QLatin1String("END") || bare.startsWith(QLatin1String("```")))
            break;
        if (const auto [name, text] = namedPart(line); !name.isEmpty()) {
            current = name;
            parts.insert(name, text);
        } else if (!current.isEmpty()) {
            parts[current] += QLatin1Char('\n') + line;
        }
    }
    const auto part = [&parts](const char *name) {
        return words::plain(parts.value(QLatin1String(name))).trimmed().left(longestPart);
    };
    return {words::title(part("title")),
            words::shortened(words::oneLine(part("direction")), 60),
            part("hypothesis"),
            part("changes"),
            part("analysis"),
            splitDirections(part("exhausted"))};
}

ChangeSummary summarized(const FolderContent &before, const FolderContent &after)
{
    QStringList files = before.files.keys();
    for (auto file = after.files.cbegin(); file != after.files.cend(); ++file) {
        if (!before.files.contains(file.key()))
            files << file.key();
    }
    files.sort();
    QStringList lines;
    for (const QString &file : std::as_const(files)) {
        const bool isThere = before.files.contains(file) && after.files.contains(file);
        if (!isThere || before.files.value(file) != after.files.value(file))
            lines << lineOf(file, before, after);
    }
    if (lines.isEmpty())
        return {};
    const QString title = lines.size() == 1 ? lines.constFirst() : tr("%1 files changed").arg(lines.size());
    return {words::title(title), words::listed(lines, listedFiles)};
}

} // namespace ako
