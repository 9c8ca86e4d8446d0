// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/sourceplaces.h"

#include <QRegularExpression>

#include <algorithm>

namespace ako {

namespace {

constexpr qsizetype longest = 2000; // of a line that is looked at

Severity severityOf(QStringView word)
{
    if (word.contains(QLatin1String("error")))
        return Severity::Error;
    return word.contains(QLatin1String("warning")) ? Severity::Warning : Severity::Info;
}

std::optional<SourcePlace> placeIn(const QRegularExpressionMatch &match)
{
    SourcePlace place;
    place.path = match.captured(QStringLiteral("path")).trimmed();
    place.line = match.captured(QStringLiteral("line")).toInt();
    place.column = match.captured(QStringLiteral("column")).toInt();
    place.severity = severityOf(match.capturedView(QStringLiteral("kind")));
    place.message = match.captured(QStringLiteral("message")).trimmed();
    return place.line > 0 && !place.path.isEmpty() ? std::optional(place) : std::nullopt;
}

qsizetype commonEnd(const QStringList &left, const QStringList &right)
{
    const qsizetype most = std::min(left.size(), right.size());
    qsizetype same = 0;
    while (same < most && left.at(left.size() - 1 - same) == right.at(right.size() - 1 - same))
        ++same;
    return same;
}

} // namespace

std::optional<SourcePlace> sourcePlace(QStringView line)
{
    static const QRegularExpression gcc(
        QStringLiteral("^(?<path>[^:()\"]+\\.[A-Za-z]+):(?<line>\\d{1,7}):(?:(?<column>\\d{1,5}):)?\\s*"
                       "(?<kind>(?:fatal )?error|warning|note)\\b[^:]*:\\s*(?<message>.*)$"));
    static const QRegularExpression nvcc(
        QStringLiteral("^(?<path>[^()\"]+\\.[A-Za-z]+)\\((?<line>\\d{1,7})\\)\\s*:\\s*"
                       "(?<kind>(?:catastrophic )?error|warning|remark)\\b[^:]*:\\s*(?<message>.*)$"));
    static const QRegularExpression python(
        QStringLiteral("^\\s*File \"(?<path>[^\"]+)\", line (?<line>\\d{1,7})(?:, in (?<message>.*))?$"));
    if (line.size() > longest || line.size() < 6)
        return std::nullopt;
    const bool mayBePython = line.trimmed().startsWith(QLatin1String("File \""));
    if (!mayBePython && !line.contains(QLatin1String("error")) && !line.contains(QLatin1String("warning")) &&
        !line.contains(QLatin1String("note")) && !line.contains(QLatin1String("remark")))
        return std::nullopt;
    const QString text = line.toString();
    for (const QRegularExpression &form : {gcc, nvcc, python}) {
        const QRegularExpressionMatch match = form.match(text);
        if (!match.hasMatch())
            continue;
        auto place = placeIn(match);
        if (place && mayBePython)
            place->severity = Severity::Error; // a traceback
        return place;
    }
    return std::nullopt;
}

QString fileMeant(const QString &printed, const QStringList &files)
{
    const QStringList parts = QString(printed).replace(QLatin1Char('\\'), QLatin1Char('/')).split(QLatin1Char('/'));
    QString best;
    qsizetype most = 0;
    for (const QString &file : files) {
        const qsizetype same = commonEnd(parts, file.split(QLatin1Char('/')));
        if (same > most) {
            most = same;
            best = file;
        }
    }
    return best;
}

} // namespace ako
