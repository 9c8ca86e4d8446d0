// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/knownagents.h"

#include <QCoreApplication>

#include <algorithm>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::KnownAgents", text);
}

QStringList words(const char *text)
{
    return QString::fromLatin1(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

KnownAgent builtIn(const char *name, const QString &title)
{
    KnownAgent agent;
    agent.name = QLatin1String(name);
    agent.title = title;
    return agent;
}

KnownAgent external(const char *name, const char *title, const char *startedAs, const char *install)
{
    KnownAgent agent = builtIn(name, QLatin1String(title));
    agent.arguments = words(startedAs);
    agent.program = agent.arguments.takeFirst();
    agent.install = QLatin1String(install);
    return agent;
}

KnownAgent openCode()
{
    KnownAgent agent = external("opencode", "OpenCode", "opencode acp", "npm install -g opencode-ai");
    agent.login = tr("Log in with: opencode auth login");
    agent.writable = words(".local/share/opencode .cache/opencode .local/state/opencode");
    agent.copied = words(".config/opencode"); // it writes there when it starts
    agent.variables = words("OPENCODE_");
    return agent;
}

KnownAgent claude()
{
    KnownAgent agent =
        external("claude", "Claude Code", "claude-agent-acp", "npm install -g @agentclientprotocol/claude-agent-acp");
    agent.without = QStringLiteral("claude");
    agent.login = tr("Log in with: claude /login, or set ANTHROPIC_API_KEY.");
    agent.mode = QStringLiteral("default");
    agent.writable = words(".claude");
    agent.readable = words(".claude/settings.json .claude/CLAUDE.md .claude/commands .claude/agents .claude/hooks");
    agent.copied = words(".claude.json");
    agent.variables = words("ANTHROPIC_ CLAUDE_ DISABLE_AUTOUPDATER");
    return agent;
}

KnownAgent codex()
{
    KnownAgent agent = external("codex", "Codex", "codex-acp", "npm install -g @agentclientprotocol/codex-acp");
    agent.without = QStringLiteral("codex");
    agent.login = tr("Log in with: codex login, or set OPENAI_API_KEY.");
    agent.writable = words(".codex");
    agent.readable = words(".codex/config.toml .codex/AGENTS.md");
    agent.variables = words("CODEX_ OPENAI_");
    return agent;
}

KnownAgent gemini()
{
    KnownAgent agent = external("gemini", "Gemini CLI", "gemini --acp", "npm install -g @google/gemini-cli");
    agent.login = tr("Log in by starting gemini once in a terminal, or set GEMINI_API_KEY.");
    agent.mode = QStringLiteral("default");
    agent.writable = words(".gemini");
    agent.readable = words(".gemini/settings.json .gemini/GEMINI.md");
    agent.variables = words("GEMINI_ GOOGLE_");
    return agent;
}

KnownAgent qwen()
{
    KnownAgent agent = external("qwen", "Qwen Code", "qwen --acp", "npm install -g @qwen-code/qwen-code");
    agent.login = tr("Log in by starting qwen once in a terminal, or set OPENAI_API_KEY.");
    agent.mode = QStringLiteral("default");
    agent.writable = words(".qwen");
    agent.readable = words(".qwen/settings.json .qwen/QWEN.md");
    agent.variables = words("QWEN_ DASHSCOPE_ OPENAI_");
    return agent;
}

KnownAgent model(const char *name, const QString &title, const char *usualServer)
{
    KnownAgent agent = builtIn(name, title);
    agent.isModel = true;
    agent.usualServer = QLatin1String(usualServer);
    return agent;
}

} // namespace

const QList<KnownAgent> &knownAgents()
{
    static const QList<KnownAgent> agents{
        builtIn("tuner", tr("the built-in tuner: C++ and CUDA sources, no network")),
        builtIn("user", tr("you: edit solution/, in the window or in any editor")),
        openCode(),
        claude(),
        codex(),
        gemini(),
        qwen(),
        model("anthropic", tr("a model by the Anthropic Messages API: --model"), "https://api.anthropic.com"),
        model("openai", tr("a model by chat completions (OpenAI, llama.cpp, vLLM, Ollama): --base-url, --model"), ""),
        builtIn(commandAgent, tr("any program that speaks the Agent Client Protocol: --agent-command")),
    };
    return agents;
}

const KnownAgent *knownAgent(const QString &name)
{
    const QList<KnownAgent> &agents = knownAgents();
    const auto found = std::ranges::find(agents, name, &KnownAgent::name);
    return found == agents.cend() ? nullptr : &*found;
}

} // namespace ako
