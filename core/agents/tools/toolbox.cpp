// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tools/toolbox.h"

#include <algorithm>

namespace ako {

using nlohmann::json;

bool Toolbox::has(const QString &name) const
{
    const QList<Tool> all = tools();
    return std::ranges::any_of(all, [&name](const Tool &tool) { return tool.name == name; });
}

QString textArgument(const json &arguments, const char *name)
{
    if (!arguments.is_object())
        return {};
    const auto found = arguments.find(name);
    return found != arguments.end() && found->is_string()
               ? QString::fromStdString(found->get_ref<const std::string &>())
               : QString();
}

std::optional<qint64> numberArgument(const json &arguments, const char *name)
{
    if (!arguments.is_object())
        return std::nullopt;
    const auto found = arguments.find(name);
    if (found == arguments.end())
        return std::nullopt;
    if (found->is_number_integer())
        return found->get<std::int64_t>();
    bool isNumber = false;
    const qint64 number = textArgument(arguments, name).trimmed().toLongLong(&isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

json schemaOf(std::initializer_list<Parameter> parameters)
{
    json properties = json::object();
    json needed = json::array();
    for (const Parameter &parameter : parameters) {
        properties[parameter.name] = {{"type", parameter.type}, {"description", parameter.description}};
        if (parameter.isNeeded)
            needed.push_back(parameter.name);
    }
    return {{"type", "object"}, {"properties", properties}, {"required", needed}};
}

QString linesOf(const QString &text, qint64 line, qint64 limit, qsizetype characters)
{
    qsizetype from = 0;
    for (qint64 skipped = 1; skipped < line && from < text.size(); ++skipped) {
        const qsizetype end = text.indexOf(QLatin1Char('\n'), from);
        from = end < 0 ? text.size() : end + 1;
    }
    qsizetype end = from;
    qint64 taken = 0;
    while (end < text.size() && (limit < 0 || taken < limit)) {
        const qsizetype next = text.indexOf(QLatin1Char('\n'), end);
        const qsizetype after = next < 0 ? text.size() : next + 1;
        if (after - from > characters)
            break;
        end = after;
        ++taken;
    }
    if (end == from && end < text.size() && limit != 0) // one line that is too long by itself
        end = std::min(from + characters, text.size());
    QString part = text.mid(from, end - from);
    if (end < text.size())
        part += QStringLiteral("\n… (there is more: ask again with line %1)").arg(std::max<qint64>(line, 1) + taken);
    return part;
}

} // namespace ako
