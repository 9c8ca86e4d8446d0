// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/acp/permissionpolicy.h"

#include "agents/acp/jsonrpcpeer.h"
#include "base/words.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

namespace ako::acp {

namespace {

using nlohmann::json;

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::acp::PermissionPolicy", text);
}

// All that the call says it touches, as it was written.
QStringList pathsOf(const json &toolCall)
{
    QStringList paths;
    for (const json &location : memberOf(toolCall, "locations"))
        paths << textOf(location, "path");
    for (const json &content : memberOf(toolCall, "content")) {
        if (textOf(content, "type") == QLatin1String("diff"))
            paths << textOf(content, "path");
    }
    const json &input = memberOf(toolCall, "rawInput");
    for (const char *key : {"filePath", "file_path", "path", "abs_path"})
        paths << textOf(input, key);
    paths.removeAll(QString());
    paths.removeDuplicates();
    return paths;
}

QString shown(const QStringList &paths, const WorkPlace &place)
{
    QStringList names;
    for (const QString &path : paths) {
        const QString real = realPath(path, place);
        names << (isBelow(place.workspace, real) ? QDir(place.workspace).relativeFilePath(real) : path);
    }
    names.removeDuplicates();
    return words::listed(names, 4);
}

// What it would do, as it is and not as the agent calls it; its title where it does not say.
QString described(const json &toolCall)
{
    constexpr qsizetype longest = 1000;
    const json &input = memberOf(toolCall, "rawInput");
    for (const char *key : {"command", "cmd", "url"}) {
        const json &value = memberOf(input, key);
        QStringList parts{textOf(input, key)};
        for (const json &part : value.is_array() ? value : json::array())
            parts << (part.is_string() ? QString::fromStdString(part.get<std::string>()) : QString());
        parts.removeAll(QString());
        if (!parts.isEmpty())
            return words::shortened(words::oneLine(parts.join(QLatin1Char(' '))), longest);
    }
    return words::shortened(words::oneLine(textOf(toolCall, "title")), longest);
}

} // namespace

json chosenOutcome(const json &options, bool allowed)
{
    const char *const wanted[2][2] = {{"reject_once", "reject_always"}, {"allow_once", "allow_always"}};
    for (const char *kind : wanted[allowed ? 1 : 0]) {
        for (const json &option : options) {
            const json &id = memberOf(option, "optionId");
            if (textOf(option, "kind") == QLatin1String(kind) && id.is_string())
                return {{"outcome", {{"outcome", "selected"}, {"optionId", id}}}};
        }
    }
    return cancelledOutcome(); // it offers no such choice
}

namespace {

// Why a change may not be made; empty: it may.
QString whyNotChanged(const QStringList &paths, const WorkPlace &place)
{
    if (paths.isEmpty() && !place.confined)
        return tr("it does not say which file");
    for (const QString &path : paths) {
        if (!isBelow(place.solution, realPath(path, place)))
            return tr("only solution/ may be changed");
    }
    return {};
}

// The name of a tool of ours, as agents tell what comes from our server: in the title (mcp__ako4all__bench,
// ako4all_bench), or, Qwen, only in what it offers as an answer ("Always Allow in project: bench"). Empty: another's.
QString ourTool(const json &toolCall, const json &options)
{
    static const QString tools = QStringLiteral("(read_history|read_champion|read_knowledge|bench|profile)");
    static const QRegularExpression title(QStringLiteral("\\A(?:mcp__ako4all__|ako4all[_. :/]{1,3})%1\\b").arg(tools));
    static const QRegularExpression offer(QStringLiteral(": %1\\z").arg(tools));
    if (const auto match = title.match(textOf(toolCall, "title")); match.hasMatch())
        return match.captured(1);
    for (const json &option : options) {
        const auto match = offer.match(textOf(option, "name"));
        if (textOf(option, "kind") == QLatin1String("allow_always") && match.hasMatch())
            return match.captured(1);
    }
    return {};
}

bool isChange(const QString &kind)
{
    return kind == QLatin1String("edit") || kind == QLatin1String("delete") || kind == QLatin1String("move");
}

bool isNetwork(const QString &kind)
{
    return kind == QLatin1String("fetch");
}

QString whyNot(const QString &kind, const QStringList &paths, const WorkPlace &place, Permissions rule)
{
    if (kind == QLatin1String("read") || kind == QLatin1String("search") || kind == QLatin1String("think"))
        return {};
    if (isChange(kind))
        return whyNotChanged(paths, place);
    if (rule == Permissions::Allow)
        return {};
    return isNetwork(kind) ? tr("the network is not allowed in this run") : tr("commands are not allowed in this run");
}

} // namespace

bool isBelow(const QString &folder, const QString &path)
{
    return !folder.isEmpty() && path.startsWith(folder + QLatin1Char('/'));
}

QString realPath(const QString &path, const WorkPlace &place)
{
    if (path.isEmpty() || path.contains(QChar(u'\0')))
        return {};
    // The longest part that exists decides where it really is; what comes after it is not there yet.
    QString existing = QDir::cleanPath(QDir(place.workspace).absoluteFilePath(path));
    QString rest;
    while (existing != QLatin1String("/")) {
        const QFileInfo info(existing);
        if (info.isSymLink() && !info.exists())
            return {}; // to nowhere, or in a circle: what would be made there is anywhere
        if (info.exists())
            break;
        rest = QLatin1Char('/') + info.fileName() + rest;
        existing = info.path();
    }
    const QString canonical = QFileInfo(existing).canonicalFilePath();
    return canonical.isEmpty() ? QString() : QDir::cleanPath(canonical + rest);
}

json cancelledOutcome()
{
    return {{"outcome", {{"outcome", "cancelled"}}}};
}

PermissionAnswer decide(const json &toolCall, const json &options, const WorkPlace &place, const PermissionRules &rules)
{
    const QString said = textOf(toolCall, "kind");
    PermissionAnswer answer;
    answer.kind = said.isEmpty() ? QStringLiteral("other") : said;
    const QString shownKind = words::shortened(words::oneLine(answer.kind)) + QLatin1Char(' ');
    if (const QString tool = ourTool(toolCall, options); answer.kind == QLatin1String("other") && !tool.isEmpty()) {
        answer.allowed = true;
        answer.subject = tool;
        answer.what = shownKind + tool;
        return answer;
    }
    const QStringList paths = pathsOf(toolCall);
    const Permissions rule = isNetwork(answer.kind) ? rules.network : rules.commands;
    answer.why = whyNot(answer.kind, paths, place, rule);
    answer.allowed = answer.why.isEmpty();
    answer.isForAPerson = !answer.allowed && !isChange(answer.kind) && rule == Permissions::Ask;
    const bool isOfFiles = !paths.isEmpty() && (isChange(answer.kind) || answer.allowed);
    answer.subject = isOfFiles ? shown(paths, place) : described(toolCall);
    answer.what = shownKind + answer.subject;
    return answer;
}

} // namespace ako::acp
