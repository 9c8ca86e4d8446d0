// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/commitsubject.h"

#include "base/words.h"
#include "history/recordjson.h"

#include <QLocale>
#include <QRegularExpression>

namespace ako {

namespace {

constexpr qsizetype longestSubject = 100;

using words::oneLine; // they come from an agent

QString mark(const IterationRecord &record)
{
    switch (record.kind) {
    case IterationRecord::Kind::Baseline:
        return QStringLiteral("[baseline]");
    case IterationRecord::Kind::Iteration:
        return QStringLiteral("[iter %1]").arg(record.number);
    case IterationRecord::Kind::Final:
        return QStringLiteral("[final]");
    }
    return {};
}

QString restored(const IterationRecord &record)
{
    const QString which =
        record.number == 0 ? QStringLiteral("baseline") : QStringLiteral("iter-%1").arg(record.number);
    const auto &speedup = record.speedupOverBaseline ? record.speedupOverBaseline : record.speedup;
    const QString figure =
        speedup ? QStringLiteral(" (%1x)").arg(QLocale::c().toString(speedup->estimate, 'f', 2)) : QString();
    const QString why = record.title.isEmpty() ? QStringLiteral("the best verified iteration") : oneLine(record.title);
    return QStringLiteral("Restore %1%2 — %3").arg(which, figure, why);
}

QString what(const IterationRecord &record)
{
    if (record.kind == IterationRecord::Kind::Final)
        return restored(record);
    if (!record.title.isEmpty())
        return oneLine(record.title);
    return record.kind == IterationRecord::Kind::Baseline ? QStringLiteral("The original kernel")
                                                          : QStringLiteral("Untitled change");
}

QString cut(const QString &subject)
{
    return words::shortened(subject, longestSubject);
}

} // namespace

QString commitMessage(const IterationRecord &record)
{
    QString message = cut(mark(record) + QLatin1Char(' ') + what(record)) + QLatin1Char('\n');
    if (!record.hypothesis.isEmpty())
        message += QStringLiteral("\nHypothesis: %1\n").arg(oneLine(record.hypothesis));
    message += QStringLiteral("\nResult: %1\n").arg(oneLine(summaryOf(record)));
    return message;
}

std::optional<CommitMark> commitMark(const QString &subject)
{
    static const QRegularExpression form(QStringLiteral("^\\[(baseline|iter (\\d{1,9})|final)\\]\\s*(.*)$"));
    static const QRegularExpression restoredForm(QStringLiteral("^Restore (?:(baseline)|iter-(\\d{1,9}))\\b"));
    const auto match = form.match(subject);
    if (!match.hasMatch())
        return std::nullopt;
    CommitMark result;
    result.title = words::title(match.captured(3));
    if (match.captured(1) == QLatin1String("baseline")) {
        result.kind = IterationRecord::Kind::Baseline;
    } else if (match.captured(1) == QLatin1String("final")) {
        result.kind = IterationRecord::Kind::Final;
        const auto which = restoredForm.match(result.title);
        result.number = !which.hasMatch() ? -1 : which.captured(2).toInt();
    } else {
        result.number = match.captured(2).toInt();
    }
    return result;
}

std::optional<IterationStatus> commitResult(const QString &message)
{
    static const QRegularExpression form(QStringLiteral("^Result: ([a-z-]+)"), QRegularExpression::MultilineOption);
    return statusFromName(form.match(message).captured(1));
}

} // namespace ako
