// SPDX-License-Identifier: GPL-3.0-or-later
// A model that is asked over HTTP: which one, and where.
#include "agents/agentsettings.h"
#include "agents/knownagents.h"
#include "agents/llm/apikey.h"
#include "workspace/planfields.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QUrl>

namespace ako::planning {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Plan", text);
}

void ask(PlanField &field, const QString &question)
{
    field.certainty = Certainty::Open;
    field.question = question;
}

PlanField modelField(const Context &context)
{
    PlanField field = newField(planKey::model, tr("Model"), true);
    field.value = context.answer(planKey::model);
    if (field.value.isEmpty())
        ask(field, tr("Which model shall be asked? Give its name as its server knows it."));
    return field;
}

bool isThisMachine(const QUrl &url)
{
    return url.host() == QLatin1String("localhost") || QHostAddress(url.host()).isLoopback();
}

// Why it cannot be asked there; empty: it can.
QString whyNotThere(const QUrl &url)
{
    if (!url.isValid() || url.host().isEmpty() ||
        (url.scheme() != QLatin1String("https") && url.scheme() != QLatin1String("http")))
        return tr("It is no address of a server: write it as https://host/v1 or http://127.0.0.1:8080/v1.");
    if (!url.userInfo().isEmpty())
        return tr("An address holds no name and no key; keys come from the environment or the keyring.");
    return {};
}

PlanField serverField(const Context &context, const KnownAgent &agent)
{
    PlanField field = newField(planKey::baseUrl, tr("Server"), true);
    const QString variable = agent.name == QLatin1String("anthropic") ? QStringLiteral("ANTHROPIC_BASE_URL")
                                                                      : QStringLiteral("OPENAI_BASE_URL");
    field.value = context.answer(planKey::baseUrl);
    if (field.value.isEmpty())
        field.value = qEnvironmentVariable(variable.toLatin1().constData(), agent.usualServer);
    if (agent.usualServer.isEmpty())
        field.candidates = {QStringLiteral("http://127.0.0.1:8080/v1"), QStringLiteral("http://127.0.0.1:11434/v1"),
                            QStringLiteral("http://127.0.0.1:8000/v1"), QStringLiteral("https://api.openai.com/v1")};
    else
        field.candidates = {agent.usualServer};
    if (field.value.isEmpty()) {
        ask(field, tr("Which server shall be asked? Give its base address, which usually ends with /v1: llama.cpp "
                      "listens on port 8080, Ollama on 11434, vLLM on 8000."));
        return field;
    }
    if (!field.candidates.contains(field.value))
        field.candidates.prepend(field.value);
    const QUrl url(field.value, QUrl::StrictMode);
    field.problem = whyNotThere(url);
    if (!field.problem.isEmpty())
        return field;
    if (!isThisMachine(url))
        field.notes.append(tr("your kernel is sent to %1").arg(url.host()));
    if (url.scheme() == QLatin1String("http") && !isThisMachine(url))
        field.notes.append(tr("what is sent there, a key too, is not encrypted"));
    const QString key = llm::keyVariable(agent.name);
    if (!qEnvironmentVariableIsEmpty(key.toLatin1().constData()))
        field.notes.append(tr("the key is that of %1").arg(key));
    else if (llm::hasKeyring())
        field.notes.append(tr("%1 is not set: a key is looked for in the system's keyring").arg(key));
    else
        field.notes.append(tr("%1 is not set: it is asked without a key").arg(key));
    return field;
}

} // namespace

QList<PlanField> modelFields(const Context &context, const KnownAgent &agent)
{
    return {modelField(context), serverField(context, agent)};
}

} // namespace ako::planning
