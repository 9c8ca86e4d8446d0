// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/knownagents.h"

#include <QCoreApplication>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::KnownAgents", text);
}

KnownAgent external(const char *name, const char *title, const char *program, const char *argument, const char *without)
{
    KnownAgent agent;
    agent.name = QLatin1String(name);
    agent.title = QLatin1String(title);
    agent.program = QLatin1String(program);
    if (*argument != '\0')
        agent.arguments = QStringList{QLatin1String(argument)};
    agent.without = QLatin1String(without);
    return agent;
}

} // namespace

const QList<KnownAgent> &knownAgents()
{
    static const QList<KnownAgent> agents{
        {QStringLiteral("tuner"), tr("the built-in tuner: C++ and CUDA sources, no network"), {}, {}, {}, true},
        {QStringLiteral("user"), tr("you: edit solution/, in the window or in any editor"), {}, {}, {}, true},
        external("opencode", "OpenCode", "opencode", "acp", ""),
        external("claude", "Claude Code", "claude-agent-acp", "", "claude"),
        external("codex", "Codex", "codex-acp", "", "codex"),
        external("gemini", "Gemini CLI", "gemini", "--acp", ""),
        external("qwen", "Qwen Code", "qwen", "--acp", ""),
    };
    return agents;
}

QStringList drivenAgents()
{
    QStringList names;
    for (const KnownAgent &agent : knownAgents()) {
        if (agent.isDriven)
            names.append(agent.name);
    }
    return names;
}

} // namespace ako
