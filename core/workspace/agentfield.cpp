// SPDX-License-Identifier: GPL-3.0-or-later
// Who proposes the candidates: one that can change this kernel.
#include "agents/acp/agentcommand.h"
#include "agents/knownagents.h"
#include "agents/tuner/catalogue.h"
#include "process/sandbox.h"
#include "workspace/planfields.h"

#include <QCoreApplication>

#include <algorithm>

namespace ako::planning {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Plan", text);
}

bool isForTheTuner(const QString &file)
{
    return tuner::isSourceFile(file.toStdString());
}

// The file that is the kernel, not one that goes with it: a Python module may well bring a CUDA file.
QString notForTheTuner(const ResolvedPlan &plan)
{
    const QString file = plan.kernelFiles.value(0);
    return file.isEmpty() || isForTheTuner(file) ? QString() : file;
}

QString tunersLack(const QString &file)
{
    return tr("the tuner changes C++ and CUDA sources only, and %1 is neither").arg(file);
}

// Those that this machine has, and whatever was chosen.
QStringList choices(const Context &context, bool tunerFits)
{
    QStringList names;
    for (const KnownAgent &agent : knownAgents()) {
        const bool fits = agent.name == QLatin1String(commandAgent) ? true
                          : agent.isModel                           ? true
                          : agent.isExternal() ? acp::findAgent(agent, {}, context.inventory.workspace).has_value()
                                               : tunerFits || agent.name != QLatin1String("tuner");
        if (fits)
            names << agent.name;
    }
    return names;
}

// Why that agent cannot be the one; empty: it can.
QString whyNot(const QString &agent, const QStringList &candidates, const Context &context, const QString &notForTuner)
{
    if (candidates.contains(agent))
        return {};
    if (agent == QLatin1String("tuner"))
        return tr("The tuner cannot work on this kernel: %1. Choose user: edit solution/ yourself, or a coding agent, "
                  "and each edit is benched, logged and committed.")
            .arg(tunersLack(notForTuner));
    const KnownAgent *known = knownAgent(agent);
    if (!known)
        return tr("There is no agent \"%1\" in this version. Use one of: %2.").arg(agent, candidates.join(comma()));
    if (known->isModel)
        return {};
    const auto found = acp::findAgent(*known, {}, context.inventory.workspace);
    return found ? QString() : found.error().message + QLatin1Char(' ') + found.error().remedy;
}

PlanField agentField(const Context &context, ResolvedPlan &plan)
{
    PlanField field = newField(planKey::agent, tr("Agent"), true);
    const QString other = notForTheTuner(plan);
    if (!other.isEmpty())
        plan.agent = QStringLiteral("user");
    const bool tunerFits =
        other.isEmpty() || std::any_of(plan.kernelFiles.cbegin(), plan.kernelFiles.cend(), isForTheTuner);
    field.candidates = choices(context, tunerFits);
    if (const QString answer = context.answer(planKey::agent); !answer.isEmpty())
        plan.agent = answer;
    field.value = plan.agent;
    if (!other.isEmpty() && plan.agent != QLatin1String("tuner"))
        field.notes.append(tunersLack(other));
    field.problem = whyNot(plan.agent, field.candidates, context, other);
    const KnownAgent *known = knownAgent(plan.agent);
    if (known && known->isExternal() && field.problem.isEmpty()) {
        field.notes.append(tr("its work on your kernel is sent to whoever serves its model"));
        if (!field.candidates.contains(plan.agent))
            field.candidates << plan.agent;
    }
    return field;
}

PlanField commandField(const Context &context, const KnownAgent &agent)
{
    PlanField field = newField(planKey::agentCommand, tr("Agent command"), true);
    field.value = context.answer(planKey::agentCommand);
    AgentSettings settings;
    settings.command = field.value;
    if (const auto found = acp::findAgent(agent, settings, context.inventory.workspace); !found)
        field.problem = found.error().message + QLatin1Char(' ') + found.error().remedy;
    return field;
}

PlanField isolationField(const Context &context)
{
    const QString bubblewrap = QStringLiteral("bubblewrap");
    PlanField field = newField(planKey::isolation, tr("Isolation"), true);
    field.value = context.answer(planKey::isolation);
    field.candidates = {bubblewrap, noneText()};
    if (field.value == noneText()) {
        field.notes.append(
            tr("the agent has all your rights; what it changes in the workspace outside solution/ is put "
               "back, what it does elsewhere is not seen"));
        return field;
    }
    if (!field.value.isEmpty() && field.value != bubblewrap)
        field.problem = tr("\"%1\" is no isolation. Use one of: %2.").arg(field.value, field.candidates.join(comma()));
    if (const auto usable = sandboxIsUsable(); !usable) {
        field.candidates = {noneText()};
        field.certainty = Certainty::Open;
        field.question =
            tr("The agent cannot be confined: %1 (%2). Shall it run with all your rights? Then answer none.")
                .arg(usable.error().message, usable.error().remedy);
        return field;
    }
    if (field.problem.isEmpty())
        field.value = bubblewrap;
    field.notes.append(
        tr("it can write solution/ and its own files, reads no home but its own settings and its login, and "
           "reaches the network"));
    return field;
}

PlanField permissionsField(const Context &context)
{
    PlanField field = newField(planKey::permissions, tr("Commands and network"), true);
    field.candidates = {QStringLiteral("deny"), QStringLiteral("ask"), QStringLiteral("allow")};
    const QString answer = context.answer(planKey::permissions);
    field.value = answer.isEmpty() ? field.candidates.constFirst() : answer;
    if (!permissionsOf(field.value))
        field.problem = tr("\"%1\" is no answer to an agent that asks. Use one of: %2; or each by itself, as in "
                           "\"commands=ask, network=deny\".")
                            .arg(field.value, field.candidates.join(comma()));
    field.notes.append(tr("what the agent is answered when it asks to run a command or to use the network; reading and "
                          "editing solution/ are always allowed"));
    return field;
}

} // namespace

QList<PlanField> agentFields(const Context &context, ResolvedPlan &plan)
{
    QList<PlanField> fields{agentField(context, plan)};
    const KnownAgent *known = knownAgent(plan.agent);
    if (known && known->isModel)
        return fields + modelFields(context, *known) + limitFields(context);
    if (!known || !known->isExternal())
        return fields;
    if (plan.agent == QLatin1String(commandAgent)) {
        fields.first().problem.clear(); // it is the command's
        fields << commandField(context, *known);
    }
    fields << isolationField(context) << permissionsField(context) << limitFields(context);
    return fields;
}

} // namespace ako::planning

namespace ako {

namespace {

std::optional<Permissions> permissionNamed(const QString &name)
{
    if (name == QLatin1String("deny"))
        return Permissions::Deny;
    if (name == QLatin1String("ask"))
        return Permissions::Ask;
    if (name == QLatin1String("allow"))
        return Permissions::Allow;
    return std::nullopt;
}

} // namespace

std::optional<PermissionRules> permissionsOf(const QString &text)
{
    if (const auto both = permissionNamed(text.trimmed()))
        return PermissionRules{*both, *both};
    PermissionRules rules;
    for (const QString &part : planning::splitList(text)) {
        const QString kind = part.section(QLatin1Char('='), 0, 0).trimmed();
        const auto rule = permissionNamed(part.section(QLatin1Char('='), 1).trimmed());
        if (!rule || (kind != QLatin1String("commands") && kind != QLatin1String("network")))
            return std::nullopt;
        (kind == QLatin1String("network") ? rules.network : rules.commands) = *rule;
    }
    return text.trimmed().isEmpty() ? std::nullopt : std::optional(rules);
}

AgentSettings agentSettingsOf(const ResolvedPlan &plan)
{
    const auto valueOf = [&plan](const char *key) {
        const PlanField *field = plan.field(QLatin1String(key));
        return field ? field->value : QString();
    };
    AgentSettings settings;
    settings.command = valueOf(planKey::agentCommand);
    settings.model = valueOf(planKey::model);
    settings.baseUrl = valueOf(planKey::baseUrl);
    settings.confined = valueOf(planKey::isolation) != planning::noneText();
    settings.permissions = permissionsOf(valueOf(planKey::permissions)).value_or(PermissionRules());
    settings.turnSeconds = secondsOf(valueOf(planKey::turnLimit)).value_or(settings.turnSeconds);
    settings.silenceSeconds = secondsOf(valueOf(planKey::silenceLimit)).value_or(settings.silenceSeconds);
    settings.tokenBudget = tokensOf(valueOf(planKey::tokenBudget)).value_or(0);
    settings.costBudget = dollarsOf(valueOf(planKey::costBudget)).value_or(0);
    return settings;
}

} // namespace ako
