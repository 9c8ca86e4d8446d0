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

json chosen(const json &options, bool allowed)
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

// Our own tools, as agents name what comes from our server: mcp__ako4all__bench, ako4all_bench.
bool isOurTool(const QString &title)
{
    static const QRegularExpression form(QStringLiteral(
        "\\A(?:mcp__ako4all__|ako4all[_. :/]{1,3})(?:read_history|read_champion|read_knowledge|bench|profile)\\b"));
    return form.match(title).hasMatch();
}

QString whyNot(const QString &kind, const QString &title, const QStringList &paths, const WorkPlace &place,
               Permissions permissions)
{
    if (kind == QLatin1String("read") || kind == QLatin1String("search") || kind == QLatin1String("think"))
        return {};
    if (kind == QLatin1String("other") && isOurTool(title))
        return {};
    if (kind == QLatin1String("edit") || kind == QLatin1String("delete") || kind == QLatin1String("move"))
        return whyNotChanged(paths, place);
    return permissions == Permissions::Allow ? QString() : tr("commands and the network are not allowed in this run");
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

PermissionAnswer decide(const json &toolCall, const json &options, const WorkPlace &place, Permissions permissions)
{
    const QString said = textOf(toolCall, "kind");
    const QString kind = said.isEmpty() ? QStringLiteral("other") : said;
    const QStringList paths = pathsOf(toolCall);
    PermissionAnswer answer;
    answer.why = whyNot(kind, textOf(toolCall, "title"), paths, place, permissions);
    answer.allowed = answer.why.isEmpty();
    answer.outcome = chosen(options, answer.allowed);
    const QString title = words::shortened(words::oneLine(textOf(toolCall, "title")));
    answer.what = words::oneLine(kind) + QLatin1Char(' ') + (paths.isEmpty() ? title : shown(paths, place));
    return answer;
}

} // namespace ako::acp
