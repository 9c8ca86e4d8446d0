// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/agentchooser.h"

#include "agents/knownagents.h"
#include "history/runstore.h"
#include "style/fonts.h"
#include "window/settings.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

namespace ako {

namespace {

QString settingsKey()
{
    return QStringLiteral("agent");
}

QString nameOfAgent(const QString &agent)
{
    if (agent == QLatin1String("tuner"))
        return AgentChooser::tr("Tuner");
    if (agent == QLatin1String("user"))
        return AgentChooser::tr("You");
    if (agent == QLatin1String(commandAgent))
        return AgentChooser::tr("Other program");
    if (agent == QLatin1String("anthropic"))
        return AgentChooser::tr("Anthropic API");
    if (agent == QLatin1String("openai"))
        return AgentChooser::tr("OpenAI-compatible API");
    const KnownAgent *known = knownAgent(agent);
    return known ? known->title : agent;
}

QString explanationOf(const QString &agent)
{
    if (agent == QLatin1String("tuner"))
        return AgentChooser::tr("The built-in tuner: constants, flags and single source changes; needs no network");
    if (agent == QLatin1String("user"))
        return AgentChooser::tr("You edit solution/, the program benches and logs it");
    if (agent == QLatin1String(commandAgent))
        return AgentChooser::tr("Any program that speaks the Agent Client Protocol; its command is a row of the plan");
    if (agent == QLatin1String("anthropic"))
        return AgentChooser::tr("A model by the Anthropic Messages API; its name is a row of the plan");
    if (agent == QLatin1String("openai"))
        return AgentChooser::tr("A model by chat completions: OpenAI, llama.cpp, vLLM, Ollama; its server and its name "
                                "are rows of the plan");
    const KnownAgent *known = knownAgent(agent);
    return known ? AgentChooser::tr("%1, started as \"%2\"").arg(known->title, known->startedAs()) : agent;
}

} // namespace

AgentChooser::AgentChooser(const RunStore &store, QWidget *parent)
    : QWidget(parent)
    , m_store(store)
    , m_box(new QComboBox(this))
{
    auto *label = new QLabel(tr("A&gent"), this);
    label->setBuddy(m_box);
    m_box->setAccessibleName(tr("Agent"));
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(grid, 0, grid, 0);
    row->setSpacing(2 * grid);
    row->addWidget(label);
    row->addWidget(m_box);
    connect(m_box, &QComboBox::activated, this, [this] {
        const QString agent = m_box->currentData().toString();
        settings::setValue(settingsKey(), agent);
        Q_EMIT agentChosen(agent);
    });
    connect(&store, &RunStore::planChanged, this, [this] {
        refresh();
        offerRemembered();
    });
    connect(&store, &RunStore::phaseChanged, this, &AgentChooser::refresh);
    connect(&store, &RunStore::workspaceChanged, this, &AgentChooser::refresh);
    refresh();
}

void AgentChooser::refresh()
{
    const PlanField *field = m_store.plan().field(QLatin1String(planKey::agent));
    setEnabled(field != nullptr && field->editable && !m_store.isBusy());
    if (field != nullptr)
        return show(*field);
    PlanField usual; // nothing is open: what a new plan begins with
    usual.value = ResolvedPlan().agent;
    usual.candidates = {usual.value};
    show(usual);
}

void AgentChooser::show(const PlanField &field)
{
    QStringList known;
    for (int index = 0; index < m_box->count(); ++index)
        known << m_box->itemData(index).toString();
    const QSignalBlocker quiet(m_box);
    if (known != field.candidates) {
        m_box->clear();
        for (const QString &agent : field.candidates) {
            m_box->addItem(nameOfAgent(agent), agent);
            m_box->setItemData(m_box->count() - 1, explanationOf(agent), Qt::ToolTipRole);
        }
    }
    m_box->setCurrentIndex(m_box->findData(field.value));
    m_box->setToolTip(explanationOf(field.value));
}

void AgentChooser::offerRemembered()
{
    const ResolvedPlan &plan = m_store.plan();
    const PlanField *field = plan.field(QLatin1String(planKey::agent));
    if (field == nullptr || m_offeredTo == plan.workspace)
        return;
    m_offeredTo = plan.workspace;
    const QString remembered = settings::value(settingsKey()).toString();
    const bool fits = field->editable && field->candidates.contains(remembered) && remembered != field->value;
    if (fits && !plan.resumed && !m_store.isApproved())
        Q_EMIT agentChosen(remembered);
}

} // namespace ako
