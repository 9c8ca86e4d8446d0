// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/acp/agentcommand.h"

#include "base/installation.h"
#include "process/programlookup.h"
#include "process/sandbox.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace ako::acp {

namespace {

constexpr qint64 largestSetting = 1024LL * 1024;
constexpr int mostSettings = 500;
constexpr qint64 mostData = 8LL * 1024 * 1024 * 1024; // for each of its processes

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::acp::AgentCommand", text);
}

// For every program, by name or beginning. Keys of model makers are what an agent is for; nothing else of the
// person's environment (sockets of the session, other services' tokens) is passed on.
bool isPassedOn(const QString &name, const KnownAgent &agent)
{
    static const QStringList names{QStringLiteral("PATH"), QStringLiteral("HOME"),  QStringLiteral("USER"),
                                   QStringLiteral("LANG"), QStringLiteral("SHELL"), QStringLiteral("LOGNAME"),
                                   QStringLiteral("TZ"),   QStringLiteral("TERM"),  QStringLiteral("LD_LIBRARY_PATH")};
    static const QStringList beginnings{QStringLiteral("LC_"), QStringLiteral("XDG_"), QStringLiteral("SSL_CERT_"),
                                        QStringLiteral("NODE_EXTRA_CA_CERTS"), QStringLiteral("CUDA_")};
    static const QStringList ends{QStringLiteral("_API_KEY"), QStringLiteral("_BASE_URL"), QStringLiteral("_PROXY"),
                                  QStringLiteral("_proxy")};
    const auto begins = [&name](const QString &part) { return name.startsWith(part); };
    const auto stops = [&name](const QString &part) { return name.endsWith(part); };
    if (name == QLatin1String("XDG_RUNTIME_DIR"))
        return false;
    return names.contains(name) || std::ranges::any_of(beginnings, begins) || std::ranges::any_of(ends, stops) ||
           std::ranges::any_of(agent.variables, begins);
}

QProcessEnvironment environmentFor(const KnownAgent &agent)
{
    const QProcessEnvironment ours = QProcessEnvironment::systemEnvironment();
    QProcessEnvironment environment;
    for (const QString &name : ours.keys()) {
        if (isPassedOn(name, agent))
            environment.insert(name, ours.value(name));
    }
    // They would start themselves anew, and a process that has left its group is harder to end.
    environment.insert(QStringLiteral("GEMINI_CLI_NO_RELAUNCH"), QStringLiteral("true"));
    environment.insert(QStringLiteral("QWEN_CODE_NO_RELAUNCH"), QStringLiteral("true"));
    return environment;
}

// Where a path below the home really is, as the XDG variables say.
QString inHome(const QString &relative)
{
    const std::pair<const char *, const char *> moved[] = {{".config/", "XDG_CONFIG_HOME"},
                                                           {".local/share/", "XDG_DATA_HOME"},
                                                           {".local/state/", "XDG_STATE_HOME"},
                                                           {".cache/", "XDG_CACHE_HOME"}};
    for (const auto &[beginning, variable] : moved) {
        const QString place = qEnvironmentVariable(variable);
        if (relative.startsWith(QLatin1String(beginning)) && QDir::isAbsolutePath(place))
            return place + QLatin1Char('/') + relative.mid(qsizetype(qstrlen(beginning)));
    }
    return QDir::homePath() + QLatin1Char('/') + relative;
}

QStringList inHome(const QStringList &relative)
{
    QStringList paths;
    for (const QString &path : relative)
        paths << inHome(path);
    return paths;
}

// Settings as they are now, a file or a folder of them; what is large is no setting.
void copyAnew(const QString &from, const QString &to)
{
    const auto copyFile = [](const QString &file, const QString &copy) {
        QDir().mkpath(QFileInfo(copy).path());
        QFile::remove(copy);
        if (QFileInfo(file).size() <= largestSetting && QFile::copy(file, copy))
            QFile::setPermissions(copy, QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    };
    if (!QFileInfo(from).isDir())
        return copyFile(from, to);
    QDirIterator files(from, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    for (int count = 0; files.hasNext() && count < mostSettings;) {
        const QString relative = QDir(from).relativeFilePath(files.next());
        if (relative.contains(QLatin1String("node_modules/")) || relative.startsWith(QLatin1String(".git/")))
            continue;
        copyFile(files.filePath(), to + QLatin1Char('/') + relative);
        ++count;
    }
}

// One for each agent and workspace, so that none reads another's sessions.
Result<QString> privateHome(const KnownAgent &agent, const QString &workspace)
{
    const QByteArray hash = QCryptographicHash::hash(workspace.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
                     QStringLiteral("/ako4all/agents/%1-%2").arg(agent.name, QString::fromLatin1(hash));
    if (!QDir().mkpath(folder))
        return fail(tr("%1 cannot be made.").arg(folder),
                    tr("It is the agent's own folder; check free space and permissions."));
    QFile::setPermissions(folder, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    for (const QString &path : agent.copied)
        copyAnew(inHome(path), folder + QLatin1Char('/') + path);
    return folder;
}

QStringList neededPrograms(const QString &program, const QString &workspace)
{
    QStringList folders = programFolders(program);
    for (const char *name : {"node", "python3", "git", "bun"}) { // what starts it, and what it starts
        if (const auto found = findProgram(QLatin1String(name), workspace))
            folders << programFolders(*found);
    }
    folders += programFolders(installation::program(QStringLiteral("ako4all"))); // it starts that for its tools
    folders.removeDuplicates();
    return folders;
}

} // namespace

Result<QStringList> commandWords(const QString &line)
{
    QStringList words;
    QString word;
    bool begun = false;
    QChar quote;
    for (qsizetype at = 0; at < line.size(); ++at) {
        const QChar c = line.at(at);
        if (c == QLatin1Char('\\') && quote != QLatin1Char('\'') && at + 1 < line.size()) {
            word += line.at(++at);
            begun = true;
        } else if (!quote.isNull() && c == quote) {
            quote = QChar();
        } else if (quote.isNull() && (c == QLatin1Char('"') || c == QLatin1Char('\''))) {
            quote = c;
            begun = true;
        } else if (quote.isNull() && c.isSpace()) {
            if (begun)
                words << word;
            word.clear();
            begun = false;
        } else {
            word += c;
            begun = true;
        }
    }
    if (!quote.isNull())
        return fail(tr("In the agent's command a quote %1 does not end: %2").arg(quote).arg(line));
    if (begun)
        words << word;
    return words;
}

QString agentTitle(const KnownAgent &agent, const AgentSettings &settings)
{
    if (agent.name != QLatin1String(commandAgent))
        return agent.title;
    return QFileInfo(commandWords(settings.command).value_or(QStringList()).value(0)).fileName();
}

Result<QString> findAgent(const KnownAgent &agent, const AgentSettings &settings, const QString &workspace)
{
    QString program = agent.program;
    if (agent.name == QLatin1String(commandAgent)) {
        const auto words = commandWords(settings.command);
        if (!words)
            return std::unexpected(words.error());
        if (words->isEmpty())
            return fail(tr("The agent's command is not given."),
                        tr("Give it with --agent-command \"PROGRAM ARGUMENTS\"."));
        program = words->constFirst();
    }
    auto found = findProgram(program, workspace);
    if (found || agent.install.isEmpty())
        return found;
    return fail(tr("%1 is not installed: %2 is not on PATH.").arg(agent.title, agent.program),
                tr("Install it with: %1").arg(agent.install));
}

Result<CommandSpec> agentCommand(const KnownAgent &agent, const AgentSettings &settings, const QString &workspace,
                                 const QStringList &shared)
{
    const auto program = findAgent(agent, settings, workspace);
    if (!program)
        return std::unexpected(program.error());
    CommandSpec spec;
    spec.program = *program;
    spec.arguments =
        agent.name == QLatin1String(commandAgent) ? commandWords(settings.command)->mid(1) : agent.arguments;
    spec.workingDirectory = workspace;
    spec.environment = environmentFor(agent);
    spec.memoryLimitBytes = mostData;
    if (!settings.confined)
        return spec;
    spec.environment.remove(QStringLiteral("XDG_CONFIG_HOME")); // its settings are copied to where they usually are
    const auto home = privateHome(agent, workspace);
    if (!home)
        return std::unexpected(home.error());
    SandboxSpec sandbox;
    sandbox.home = *home;
    sandbox.readable = neededPrograms(*program, workspace) + shared;
    sandbox.writable = inHome(agent.writable);
    sandbox.readOnly = inHome(agent.readable);
    sandbox.readOnly << workspace;
    sandbox.writableInside = {workspace + QStringLiteral("/solution")};
    return confined(spec, sandbox);
}

} // namespace ako::acp
