// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/prompt/candidateprompt.h"

#include "agents/prompt/historytext.h"
#include "base/installation.h"
#include "base/words.h"
#include "history/filewriter.h"
#include "history/trajectory.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace ako {

namespace {

constexpr qint64 largestTemplate = 256LL * 1024;
constexpr qsizetype errorBudget = 12'000; // of a bench that failed; it is what has to be mended
constexpr qsizetype outputBudget = 2'500; // of one that did not
constexpr qsizetype hintsBudget = 10'000;
constexpr qsizetype planBudget = 6'000;
constexpr qsizetype leastHistory = 2'000;

using Content = QHash<QString, QString>;

QString standing(const ProposalRequest &request)
{
    const IterationRecord *base = entryOf(request.history, request.champion);
    if (!base)
        return {};
    QString text = QStringLiteral("`solution/` holds %1 now; your change starts from it.")
                       .arg(request.champion == 0 ? QStringLiteral("the original kernel (the baseline)")
                                                  : QStringLiteral("iteration %1").arg(request.champion));
    if (base->bench.solution)
        text += QStringLiteral(" It takes %1 ms (median).").arg(base->bench.solution->median, 0, 'g', 5);
    if (base->speedupOverBaseline && request.champion != 0)
        text += QStringLiteral(" Speedup over the baseline: %1 with its confidence interval.")
                    .arg(intervalText(base->speedupOverBaseline));
    if (base->speedup)
        text += QStringLiteral(" Speedup over the reference: %1.").arg(intervalText(base->speedup));
    for (const WorkloadResult &workload : base->bench.workloads.mid(0, 12)) {
        if (workload.solution)
            text += QStringLiteral("\n- workload %1: %2 ms%3")
                        .arg(words::title(workload.id))
                        .arg(workload.solution->median, 0, 'g', 5)
                        .arg(workload.practicalMs ? QStringLiteral(", measured peaks of this machine allow %1 ms")
                                                        .arg(*workload.practicalMs, 0, 'g', 4)
                                                  : QString());
    }
    return text +
           QStringLiteral("\n\nA change counts as an improvement if it is at least 3 % faster and outside the noise "
                          "of the measurement. This machine has %1 logical cores.")
               .arg(request.logicalCores);
}

// Errors whole as far as they fit, from their beginning; of anything else the end, which has the figures.
QString lastOutput(const ProposalRequest &request)
{
    const auto last = std::find_if(request.history.crbegin(), request.history.crend(), [](const IterationRecord &each) {
        return each.kind != IterationRecord::Kind::Final;
    });
    if (last == request.history.crend())
        return {};
    QString text =
        words::plain(benchOutput(request.workspace, last->trajectory).value_or(last->bench.message)).trimmed();
    if (text.isEmpty())
        return {};
    const bool failed = last->status == IterationStatus::Failed;
    if (failed && text.size() > errorBudget)
        text = text.left(errorBudget) + QStringLiteral("\n… (all of it: %1/output.txt)").arg(last->trajectory);
    else if (!failed && text.size() > outputBudget)
        text = QStringLiteral("… (all of it: %1/output.txt)\n").arg(last->trajectory) + text.right(outputBudget);
    text.replace(QLatin1String("```"), QLatin1String("'''"));
    return QStringLiteral("Iteration %1 (%2):\n\n```\n%3\n```").arg(last->number).arg(outcomeWord(*last), text);
}

QString stallText(const ProposalRequest &request)
{
    if (!request.reassess)
        return {};
    return QStringLiteral(
        "The last iterations brought nothing. Before you edit: look at where the time goes (profile and "
        "floor above), which directions were tried and which were not, and which techniques are known "
        "for this operation on this hardware. Then take a direction that is not in the table.");
}

QString toolsText(const ProposalRequest &request)
{
    if (!request.hasTools)
        return {};
    return QStringLiteral("The program offers you tools (of the MCP server `ako4all`, where you know servers): "
                          "`read_history`, `read_champion`, `read_knowledge`, `profile`, and `bench`, which compiles, "
                          "checks and measures `solution/` as it is now, at most %1 times in this turn. Bench your "
                          "edit once before you end your turn, and mend what is wrong.")
        .arg(request.mostProbes);
}

QString cut(const QString &text, qsizetype most)
{
    return text.size() <= most ? text : text.left(most) + QStringLiteral("\n… (cut)");
}

Content contentOf(const ProposalRequest &request, qsizetype budget)
{
    QStringList knowledge;
    for (const QString &file : request.knowledge.mid(0, 50))
        knowledge << QStringLiteral("- `%1`").arg(words::oneLine(file));
    Content content{{QStringLiteral("NUMBER"), QString::number(request.iteration)},
                    {QStringLiteral("PLAN"), cut(words::plain(request.plan).trimmed(), planBudget)},
                    {QStringLiteral("HINTS"), cut(words::plain(request.hints).trimmed(), hintsBudget)},
                    {QStringLiteral("KNOWLEDGE"), knowledge.join(QLatin1Char('\n'))},
                    {QStringLiteral("STANDING"), standing(request)},
                    {QStringLiteral("OUTPUT"), lastOutput(request)},
                    {QStringLiteral("PROFILE"), words::plain(request.profileSummary).trimmed()},
                    {QStringLiteral("STALL"), stallText(request)},
                    {QStringLiteral("TOOLS"), toolsText(request)}};
    qsizetype used = 0;
    for (const QString &text : std::as_const(content))
        used += text.size();
    content.insert(QStringLiteral("HISTORY"), historyTable(request.history, std::max(budget - used, leastHistory)));
    return content;
}

// In one pass: what stands in a content is never taken for a place to be filled. Empty: nothing was filled in.
QString filled(const QString &section, const Content &content)
{
    static const QRegularExpression place(QStringLiteral("\\{\\{([A-Z]+)\\}\\}"));
    QString text;
    qsizetype from = 0;
    bool hasPlace = false;
    bool hasContent = false;
    for (auto matches = place.globalMatch(section); matches.hasNext();) {
        const auto match = matches.next();
        const QString value = content.value(match.captured(1));
        text += QStringView(section).mid(from, match.capturedStart() - from);
        text += value;
        from = match.capturedEnd();
        hasPlace = true;
        hasContent = hasContent || !value.isEmpty();
    }
    text += QStringView(section).mid(from);
    return hasPlace && !hasContent ? QString() : text;
}

} // namespace

Result<QString> candidatePrompt(const ProposalRequest &request, bool isNew, qsizetype budgetCharacters)
{
    const QString file = installation::dataFolder(QStringLiteral("prompts")) + QStringLiteral("/iteration.md");
    const auto bytes = readFile(file, largestTemplate);
    if (!bytes)
        return std::unexpected(bytes.error());
    const QString once = QStringLiteral(" <!-- once -->");
    const Content content = contentOf(request, budgetCharacters - bytes->size());
    static const QRegularExpression heading(QStringLiteral("^(?=## )"), QRegularExpression::MultilineOption);
    QString prompt;
    for (QString section : QString::fromUtf8(*bytes).split(heading)) {
        const bool isOnce = section.section(QLatin1Char('\n'), 0, 0).endsWith(once);
        if (isOnce && !isNew)
            continue;
        section.replace(once, QString());
        prompt += filled(section, content);
    }
    return prompt;
}

} // namespace ako
