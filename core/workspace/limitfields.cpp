// SPDX-License-Identifier: GPL-3.0-or-later
// How much an agent may take: the time of a turn, a time without a word, and tokens and money of the whole run.
#include "agents/agentsettings.h"
#include "workspace/planfields.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace ako::planning {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Plan", text);
}

QString minutes(int seconds)
{
    return seconds % 60 == 0 ? tr("%1 minutes").arg(seconds / 60) : tr("%1 seconds").arg(seconds);
}

PlanField timeField(const Context &context, const char *key, const QString &label, int usual, const QString &note)
{
    PlanField field = newField(key, label, true);
    field.value = context.answer(key);
    if (field.value.isEmpty())
        field.value = minutes(usual);
    else if (!secondsOf(field.value))
        field.problem = tr("\"%1\" is no time between 1 second and 24 hours: write 20 minutes, 90 seconds or 2 hours.")
                            .arg(field.value);
    field.notes.append(note);
    return field;
}

PlanField budgetField(const Context &context, const char *key, const QString &label, bool isOne, const QString &problem,
                      const QString &note)
{
    PlanField field = newField(key, label, true);
    field.value = context.answer(key);
    if (field.value.isEmpty())
        field.value = noneText();
    else if (!isOne)
        field.problem = problem.arg(field.value);
    field.notes.append(note);
    return field;
}

} // namespace

QList<PlanField> limitFields(const Context &context)
{
    const AgentSettings usual;
    const QString tokens = context.answer(planKey::tokenBudget);
    const QString cost = context.answer(planKey::costBudget);
    return {timeField(context, planKey::turnLimit, tr("Turn limit"), usual.turnSeconds,
                      tr("the longest time for one candidate")),
            timeField(context, planKey::silenceLimit, tr("Silence limit"), usual.silenceSeconds,
                      tr("the longest time without a word from the agent")),
            budgetField(context, planKey::tokenBudget, tr("Token budget"), tokensOf(tokens).has_value(),
                        tr("\"%1\" is no number of tokens: write 200000, 200k, 2M or none."),
                        tr("of this run, as the agent or its server counts them; then the best one is finished")),
            budgetField(context, planKey::costBudget, tr("Cost budget"), dollarsOf(cost).has_value(),
                        tr("\"%1\" is no amount of dollars: write 5, $2.50 or none."),
                        tr("of this run, as far as the agent reports what it costs; then the best one is finished"))};
}

} // namespace ako::planning

namespace ako {

std::optional<int> secondsOf(const QString &text)
{
    static const QRegularExpression form(
        QStringLiteral("\\A\\s*(\\d{1,6})\\s*(s|sec|seconds?|m|min|minutes?|h|hours?)?\\s*\\z"),
        QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const QString unit = match.captured(2).toLower().left(1);
    const qint64 factor = unit == QLatin1String("s") ? 1 : unit == QLatin1String("h") ? 3600 : 60;
    const qint64 seconds = match.captured(1).toLongLong() * factor;
    return seconds >= 1 && seconds <= 24LL * 3600 ? std::optional(int(seconds)) : std::nullopt;
}

std::optional<qint64> tokensOf(const QString &text)
{
    if (text == planning::noneText())
        return 0;
    static const QRegularExpression form(QStringLiteral("\\A\\s*(\\d{1,12})\\s*([kKmM])?\\s*(tokens)?\\s*\\z"));
    const auto match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const QString unit = match.captured(2).toLower();
    const qint64 tokens = match.captured(1).toLongLong() * (unit == QLatin1String("k")   ? 1'000
                                                            : unit == QLatin1String("m") ? 1'000'000
                                                                                         : 1);
    return tokens > 0 && tokens <= 1'000'000'000'000 ? std::optional(tokens) : std::nullopt;
}

std::optional<double> dollarsOf(const QString &text)
{
    if (text == planning::noneText())
        return 0;
    static const QRegularExpression form(
        QStringLiteral("\\A\\s*\\$?\\s?(\\d{1,6}(?:\\.\\d{1,4})?)\\s?(?:\\$|usd|dollars?)?\\s*\\z"),
        QRegularExpression::CaseInsensitiveOption);
    const double dollars = form.match(text).captured(1).toDouble();
    return dollars > 0 ? std::optional(dollars) : std::nullopt;
}

} // namespace ako
