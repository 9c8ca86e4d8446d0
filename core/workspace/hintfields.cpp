// SPDX-License-Identifier: GPL-3.0-or-later
// The rows that follow from what was asked for in words: the hints to be merged, and the cap.
#include "base/atomicfile.h"
#include "workspace/hints.h"
#include "workspace/planfields.h"

#include <QCoreApplication>
#include <QDir>

namespace ako::planning {

namespace {

constexpr qsizetype mostNotes = 12; // HINTS.md may hold a book
constexpr qint64 followedFileLimit = 256LL * 1024;

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Plan", text);
}

// The hints of a file that the request says to follow, with the lines they come from.
void addFollowed(const Context &context, const QString &written, QList<Hint> &hints, PlanField &field)
{
    const QString known = resolvedPath(context.inventory, written);
    const QString path = known.isEmpty() ? QDir(context.inventory.workspace).absoluteFilePath(written)
                                         : context.inventory.workspace + QLatin1Char('/') + known;
    const Result<QByteArray> content = readRegularFile(path, followedFileLimit);
    if (!content) {
        field.problem = tr("Your request says to follow %1, which cannot be read.").arg(written);
        return;
    }
    const QList<HintItem> items = parseHints(QString::fromUtf8(*content));
    for (const HintItem &item : items) {
        Directives directives;
        for (const QString &statement : splitStatements(item.text))
            recogniseStatement(statement, directives);
        hints.append({item.text, tr("from %1: %2").arg(written).arg(item.line), directives.descriptions.join(comma())});
    }
}

QString shortened(const QString &text, qsizetype length)
{
    const QString plain = text.simplified();
    return plain.size() > length ? plain.left(length - 1) + QChar(0x2026) : plain;
}

QString hintsValue(const QList<Hint> &hints)
{
    QStringList texts;
    for (const Hint &hint : hints) {
        texts.append(QStringLiteral("\"%1\" (%2)").arg(shortened(hint.text, 120), hint.origin));
    }
    return texts.isEmpty() ? noneText() : texts.join(QStringLiteral("; "));
}

// HINTS.md first, then what the request adds: the later statement holds.
Directives directivesOf(const Context &context, const ResolvedPlan &plan)
{
    Directives directives = recogniseDirectives(QString::fromUtf8(context.inventory.hintsContent));
    for (const Hint &hint : plan.hints) {
        for (const QString &statement : splitStatements(hint.text))
            recogniseStatement(statement, directives);
    }
    return directives;
}

// What the program makes of it: what it keeps itself, what cannot be, and what is left to an agent word for word.
void noteReading(const Directives &read, const QString &origin, QStringList &notes)
{
    if (!read.descriptions.isEmpty())
        notes.append(tr("understood: %1 (%2)").arg(read.descriptions.join(comma()), origin));
    for (const QString &refusal : read.refused)
        notes.append(tr("cannot be kept: %1 (%2)").arg(refusal, origin));
    for (const QString &statement : read.unrecognised)
        notes.append(tr("for the agent, word for word: \u201c%1\u201d (%2)").arg(shortened(statement, 160), origin));
}

QStringList hintNotes(const Context &context, const ResolvedPlan &plan)
{
    QStringList notes;
    bool isForAnAgent = false;
    const auto add = [&](const Directives &read, const QString &origin) {
        isForAnAgent = isForAnAgent || !read.unrecognised.isEmpty();
        noteReading(read, origin, notes);
    };
    for (const Hint &hint : plan.hints) {
        Directives read;
        for (const QString &statement : splitStatements(hint.text))
            recogniseStatement(statement, read);
        add(read, hint.origin);
    }
    add(recogniseDirectives(QString::fromUtf8(context.inventory.hintsContent)), tr("in HINTS.md"));
    if (notes.size() > mostNotes) {
        const qsizetype more = notes.size() - mostNotes;
        notes.resize(mostNotes);
        notes.append(tr("and %1 more").arg(more));
    }
    if (isForAnAgent && plan.agent == QLatin1String("tuner"))
        notes.append(tr("the tuner follows what is understood and nothing else"));
    else if (isForAnAgent && plan.agent == QLatin1String("user"))
        notes.append(tr("the agent is you, who edits"));
    return notes;
}

QString capText(const ResolvedPlan &plan)
{
    QStringList parts;
    if (plan.iterationCap > 0)
        parts.append(QString::number(plan.iterationCap));
    if (plan.timeCapSeconds > 0)
        parts.append(plan.timeCapSeconds % 60 == 0 ? tr("%1 min").arg(plan.timeCapSeconds / 60)
                                                   : tr("%1 s").arg(plan.timeCapSeconds));
    return parts.isEmpty() ? noneText() : parts.join(tr(" or "));
}

void takeCapAnswer(const QString &answer, ResolvedPlan &plan, PlanField &field)
{
    field.evidence = {{{}, 0, tr("your answer")}};
    bool isNumber = false;
    answer.toLongLong(&isNumber);
    Directives read;
    if (answer == noneText()) {
        plan.iterationCap = 0;
        plan.timeCapSeconds = 0;
        return;
    }
    recogniseStatement(QStringLiteral("at most ") + answer + (isNumber ? QStringLiteral(" iterations") : QString()),
                       read);
    if (read.iterationCap || read.timeCapSeconds) {
        plan.iterationCap = read.iterationCap.value_or(0);
        plan.timeCapSeconds = read.timeCapSeconds.value_or(plan.timeCapSeconds);
        return;
    }
    field.problem = tr("\"%1\" is no cap: give a whole number of iterations from 1 to 1,000,000, a time such as "
                       "\"2 hours\", or none.")
                        .arg(answer);
}

QString refusedCaps(const QStringList &refused)
{
    return tr("%1. Write another, or set this row: a number of iterations, \"2 hours\", or none.")
        .arg(refused.join(QStringLiteral("; ")));
}

// A cap that was asked for and cannot be: without a word the run would have none. Where a run is resumed, one that
// stands in HINTS.md already holds nothing up.
void refuseCaps(const Context &context, const QStringList &refused, ResolvedPlan &plan, PlanField &field)
{
    const QStringList standing = recogniseDirectives(QString::fromUtf8(context.inventory.hintsContent)).refused;
    QStringList open = refused;
    if (plan.resumed) {
        open.removeIf([&](const QString &refusal) { return standing.contains(refusal); });
        if (!standing.isEmpty())
            plan.warnings.append(refusedCaps(standing));
    }
    if (!open.isEmpty())
        field.problem = refusedCaps(open);
}

} // namespace

PlanField hintsField(const Context &context, ResolvedPlan &plan)
{
    PlanField field = newField(planKey::hints, tr("Hints to be merged"), false);
    field.problem = context.inventory.hintsProblem;
    QList<Hint> hints = context.request.hints;
    for (const QString &path : context.request.followPaths)
        addFollowed(context, path, hints, field);
    const HintsMerge merged = mergeHints(context.inventory.hintsContent, hints);
    plan.hints = merged.added;
    if (merged.content.size() > hintsLimit && field.problem.isEmpty())
        field.problem =
            tr("With what you asked for, HINTS.md would hold %1 KiB; at most %2 are read. Shorten the request, "
               "or put the text into a file of the workspace as knowledge.")
                .arg(merged.content.size() / 1024)
                .arg(hintsLimit / 1024);
    field.value = hintsValue(plan.hints);
    field.notes = hintNotes(context, plan);
    return field;
}

PlanField iterationCapField(const Context &context, ResolvedPlan &plan)
{
    PlanField field = newField(planKey::iterationCap, tr("Iteration cap"), true);
    const Directives directives = directivesOf(context, plan);
    plan.iterationCap = directives.iterationCap.value_or(0);
    plan.timeCapSeconds = directives.timeCapSeconds.value_or(0);
    if (plan.iterationCap > 0 || plan.timeCapSeconds > 0)
        field.evidence.append({{}, 0, tr("from your request or HINTS.md")});
    const QString answer = context.answer(planKey::iterationCap);
    if (!answer.isEmpty())
        takeCapAnswer(answer, plan, field);
    else
        refuseCaps(context, directives.refused, plan, field);
    if (const QString holds = capInForce(directives, plan.iterationCap); !holds.isEmpty())
        field.notes.append(holds);
    field.value = field.problem.isEmpty() || answer.isEmpty() ? capText(plan) : answer;
    return field;
}

} // namespace ako::planning
