// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tools/probe.h"

#include "agents/prompt/historytext.h"
#include "base/words.h"

namespace ako {

namespace {

constexpr qsizetype longestOutput = 12'000;
constexpr qsizetype mostWorkloads = 24;

bool isGood(const BenchResult &result)
{
    return result.compiled && result.correct && result.exitCode == 0;
}

QString ms(const std::optional<Timing> &timing)
{
    return timing ? QStringLiteral("%1 ms").arg(timing->median, 0, 'g', 5) : QStringLiteral("not measured");
}

QString comparison(Comparison value)
{
    switch (value) {
    case Comparison::Improved:
        return QStringLiteral("faster");
    case Comparison::Same:
        return QStringLiteral("the same within the noise");
    case Comparison::Regressed:
        return QStringLiteral("slower");
    case Comparison::Ambiguous:
        return QStringLiteral("not decided: the interval is too wide");
    case Comparison::None:
        break;
    }
    return {};
}

} // namespace

QString probeText(const Probe &probe)
{
    if (!probe.error.isEmpty())
        return words::plain(probe.error);
    const BenchResult &result = probe.result;
    QString text = QStringLiteral("compiled: %1\ncorrect: %2\n")
                       .arg(result.compiled ? QStringLiteral("yes") : QStringLiteral("no"),
                            result.correct ? QStringLiteral("yes") : QStringLiteral("no"));
    if (!isGood(result)) {
        text += QStringLiteral("status: %1\n").arg(words::oneLine(result.status));
        if (!result.message.isEmpty())
            text += words::plain(result.message) + QLatin1Char('\n');
        QString output = words::plain(probe.output).trimmed();
        if (output.size() > longestOutput)
            output = output.left(longestOutput) + QStringLiteral("\n… (cut)");
        return text + QLatin1Char('\n') + output;
    }
    text += QStringLiteral("time (median): %1\n").arg(ms(result.solution));
    if (result.speedupOverChampion)
        text += QStringLiteral("speedup over the champion, with its confidence interval: %1 (%2)\n")
                    .arg(intervalText(result.speedupOverChampion), comparison(result.comparison));
    if (result.speedupOverReference)
        text += QStringLiteral("speedup over the reference: %1\n").arg(intervalText(result.speedupOverReference));
    for (const WorkloadResult &workload : result.workloads.mid(0, mostWorkloads))
        text += QStringLiteral("- workload %1: %2, over the champion %3\n")
                    .arg(words::title(workload.id), ms(workload.solution), intervalText(workload.speedupOverChampion));
    if (!result.flags.isEmpty())
        text += QStringLiteral("flags: %1\n").arg(words::listed(result.flags));
    return text + QStringLiteral("This was a quick signal while your turn was under way. What counts is measured again "
                                 "when it has ended.");
}

QString probeLine(const Probe &probe)
{
    if (!probe.error.isEmpty())
        return words::title(probe.error);
    const BenchResult &result = probe.result;
    if (!isGood(result))
        return words::title(QStringLiteral("%1 %2").arg(result.status, result.message));
    QString line = QStringLiteral("correct, %1").arg(ms(result.solution));
    if (result.speedupOverChampion)
        line += QStringLiteral(", %1 over the champion").arg(intervalText(result.speedupOverChampion));
    return line;
}

} // namespace ako
