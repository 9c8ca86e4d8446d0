// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/sandbox.h"

#include "process/childprocess.h"
#include "process/programlookup.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <mutex>
#include <optional>

namespace ako {

namespace {

constexpr int probeMilliseconds = 20000;

QString translate(const char *text)
{
    return QCoreApplication::translate("ako::Sandbox", text);
}

QString bubblewrap()
{
    return findProgram(QStringLiteral("bwrap")).value_or(QString());
}

// Hidden: other people's and one's own files, sockets of a session (keyring, ssh-agent, D-Bus), temporary files.
QStringList basis()
{
    QStringList arguments{QStringLiteral("--ro-bind"),
                          QStringLiteral("/"),
                          QStringLiteral("/"),
                          QStringLiteral("--dev"),
                          QStringLiteral("/dev"),
                          QStringLiteral("--proc"),
                          QStringLiteral("/proc"),
                          QStringLiteral("--unshare-pid"),
                          QStringLiteral("--unshare-ipc"),
                          QStringLiteral("--die-with-parent")};
    for (const char *hidden : {"/tmp", "/var/tmp", "/run", "/home", "/root"}) {
        if (QFileInfo(QLatin1String(hidden)).isDir())
            arguments << QStringLiteral("--tmpfs") << QLatin1String(hidden);
    }
    // Where /etc/resolv.conf may point to.
    for (const char *kept : {"/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager"})
        arguments << QStringLiteral("--ro-bind-try") << QLatin1String(kept) << QLatin1String(kept);
    return arguments;
}

Result<void> probe()
{
    const QString remedy = translate("Debian and Ubuntu: sudo apt-get install bubblewrap");
    const QString program = bubblewrap();
    if (program.isEmpty())
        return fail(translate("bubblewrap (bwrap) is not installed"), remedy);
    CommandSpec spec;
    spec.program = program;
    spec.arguments = basis() << QStringLiteral("true");
    spec.timeoutMilliseconds = probeMilliseconds;
    const ProcessEnd end = runToEnd(spec);
    if (end.succeeded())
        return {};
    const QString said = QString::fromUtf8(end.output).trimmed().section(QLatin1Char('\n'), 0, 0);
    return fail(translate("bubblewrap cannot confine a program here: %1").arg(said),
                translate("It needs user namespaces; containers and some systems do not allow them."));
}

void bind(QStringList &arguments, const char *how, const QStringList &paths)
{
    for (const QString &path : paths) {
        if (QFileInfo::exists(path))
            arguments << QLatin1String(how) << path << path;
    }
}

bool isHidden(const QString &path)
{
    for (const char *hidden : {"/tmp/", "/var/tmp/", "/run/", "/home/", "/root/"}) {
        if (path.startsWith(QLatin1String(hidden)))
            return true;
    }
    return path.startsWith(QDir::homePath() + QLatin1Char('/'));
}

} // namespace

Result<void> sandboxIsUsable()
{
    static std::mutex mutex;
    static std::optional<Result<void>> known;
    const std::scoped_lock lock(mutex);
    if (!known)
        known = probe();
    return *known;
}

Result<CommandSpec> confined(const CommandSpec &command, const SandboxSpec &sandbox)
{
    if (const auto usable = sandboxIsUsable(); !usable)
        return std::unexpected(usable.error());
    const Result<QString> program = findProgram(command.program, command.workingDirectory);
    if (!program)
        return std::unexpected(program.error());
    CommandSpec spec = command;
    spec.program = bubblewrap();
    spec.arguments = basis();
    const QString home = QDir::homePath(); // wherever that is
    if (QFileInfo(home).isDir() && !QDir(home).isRoot()) {
        spec.arguments << QStringLiteral("--tmpfs") << home;
        if (!sandbox.home.isEmpty())
            spec.arguments << QStringLiteral("--bind") << sandbox.home << home;
    }
    bind(spec.arguments, "--ro-bind", sandbox.readable);
    bind(spec.arguments, "--bind", sandbox.writable);
    bind(spec.arguments, "--ro-bind", sandbox.readOnly);
    bind(spec.arguments, "--bind", sandbox.writableInside);
    if (!command.workingDirectory.isEmpty())
        spec.arguments << QStringLiteral("--chdir") << command.workingDirectory;
    spec.arguments << QStringLiteral("--") << *program << command.arguments;
    return spec;
}

QStringList programFolders(const QString &program)
{
    QStringList folders;
    const QFileInfo info(program);
    for (const QString &file : {info.absoluteFilePath(), info.canonicalFilePath()}) {
        if (file.isEmpty() || !isHidden(file))
            continue;
        // node_modules/x/bin/y needs its neighbours; prefix/bin/y needs prefix/lib.
        const qsizetype modules = file.indexOf(QLatin1String("/node_modules/"));
        const QString folder = QFileInfo(file).path();
        folders << (modules > 0 ? file.left(modules + 13) : folder);
        if (QFileInfo(folder).fileName() == QLatin1String("bin"))
            folders << QFileInfo(folder).path() + QStringLiteral("/lib");
    }
    folders.removeDuplicates();
    return folders;
}

} // namespace ako
