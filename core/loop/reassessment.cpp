// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/reassessment.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>

namespace ako {

namespace {

QString text(const char *source)
{
    return QCoreApplication::translate("Reassessment", source);
}

struct Direction
{
    QString name;
    QStringList numbers;
    std::optional<double> best; // over the champion of its time
    bool improved = false;
    bool correct = false;
};

QString nameOf(const IterationRecord &record)
{
    if (!record.direction.isEmpty())
        return record.direction;
    return record.agent == QLatin1String("user") ? text("by hand") : text("without a direction");
}

QList<Direction> directionsOf(const QList<IterationRecord> &records)
{
    QList<Direction> directions;
    for (const IterationRecord &record : records) {
        if (record.kind != IterationRecord::Kind::Iteration)
            continue;
        const QString name = nameOf(record);
        auto known = std::ranges::find_if(directions, [&name](const Direction &each) { return each.name == name; });
        if (known == directions.end())
            known = directions.insert(directions.end(), {name, {}, {}, false, false});
        known->numbers << QString::number(record.number);
        known->improved = known->improved || record.status == IterationStatus::Improved;
        known->correct = known->correct || record.status != IterationStatus::Failed;
        if (const auto &ratio = record.bench.speedupOverChampion)
            known->best = std::max(known->best.value_or(0.0), ratio->estimate);
    }
    return directions;
}

QString lineOf(const Direction &direction)
{
    const QString best = direction.best      ? text("best %1x over its champion").arg(*direction.best, 0, 'f', 3)
                         : direction.correct ? text("correct")
                                             : text("nothing that was correct");
    return QStringLiteral("  - %1: %2%3 (%4)")
        .arg(direction.name, best, direction.improved ? text(", improved") : QString(),
             (direction.numbers.size() == 1 ? text("iteration %1") : text("iterations %1"))
                 .arg(direction.numbers.join(QStringLiteral(", "))));
}

QString floorLine(const ProfileReport &profile)
{
    QStringList parts;
    for (const FloorFigure &figure : profile.figures) {
        if (figure.practical && *figure.practical > 0.0)
            parts << text("%1 takes %2x the time that measured peaks allow")
                         .arg(figure.workload)
                         .arg(figure.measured / *figure.practical, 0, 'f', 2);
    }
    return parts.isEmpty() ? text("not known: the problem has no work model") : parts.join(QStringLiteral("; "));
}

QString nextLine(const Proposal &proposal)
{
    if (proposal.outcome != Proposal::Outcome::Candidate)
        return text("nothing is left that was not measured");
    return proposal.direction.isEmpty() ? proposal.title
                                        : QStringLiteral("%1: %2").arg(proposal.direction, proposal.title);
}

} // namespace

QString reassessmentText(const State &state, const Proposal &proposal)
{
    QStringList lines{text("no improvement for a while, so it is looked at anew."),
                      QStringLiteral("- ") +
                          QString(state.profile.summary).replace(QLatin1Char('\n'), QLatin1String("; ")),
                      text("- Distance to the floor: %1").arg(floorLine(state.profile)), text("- Tried:")};
    for (const Direction &direction : directionsOf(state.records))
        lines << lineOf(direction);
    if (proposal.outcome == Proposal::Outcome::Candidate || !proposal.untried.isEmpty())
        lines << text("- Not tried: %1")
                     .arg(proposal.untried.isEmpty() ? text("none that the agent knows")
                                                     : proposal.untried.join(QStringLiteral("; ")));
    lines << text("- Next: %1").arg(nextLine(proposal));
    return lines.join(QLatin1Char('\n'));
}

} // namespace ako
