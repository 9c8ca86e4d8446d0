// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/answers.h"

#include "agents/agentsettings.h"
#include "workspace/statefolder.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace ako {

namespace {

using nlohmann::json;

const QString &fileName()
{
    static const QString name = QStringLiteral("answers.json");
    return name;
}

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Answers", text);
}

} // namespace

bool isForThisCallOnly(const QString &key)
{
    return key == QLatin1String(planKey::agentCommand) || key == QLatin1String(planKey::isolation) ||
           key == QLatin1String(planKey::permissions) || key == QLatin1String(planKey::baseUrl);
}

bool isOfAnAgent(const QString &key)
{
    constexpr std::array rows{planKey::agentCommand, planKey::isolation,   planKey::permissions,
                              planKey::model,        planKey::baseUrl,     planKey::turnLimit,
                              planKey::silenceLimit, planKey::tokenBudget, planKey::costBudget};
    return std::ranges::any_of(rows, [&key](const char *row) { return key == QLatin1String(row); });
}

Result<Answers> loadAnswers(const QString &workspace)
{
    const Result<QByteArray> content = readStateFile(workspace, fileName());
    if (!content)
        return std::unexpected(content.error());
    Answers answers;
    if (content->isEmpty())
        return answers;
    const json object = json::parse(content->cbegin(), content->cend(), nullptr, false);
    if (!object.is_object())
        return fail(tr("%1/answers.json is not a JSON object.").arg(stateFolder(workspace)),
                    tr("Remove it; the questions are then asked again."));
    for (const auto &[key, value] : object.items()) {
        if (value.is_string() && !isForThisCallOnly(QString::fromStdString(key)))
            answers.insert(QString::fromStdString(key), QString::fromStdString(value.get<std::string>()));
    }
    return answers;
}

Result<void> saveAnswers(const QString &workspace, const Answers &answers)
{
    json object = json::object();
    for (auto it = answers.cbegin(); it != answers.cend(); ++it) {
        if (isForThisCallOnly(it.key()))
            continue;
        object[it.key().toStdString()] = it.value().toStdString();
    }
    return writeStateFile(workspace, fileName(), QByteArray::fromStdString(object.dump(2)) + '\n');
}

} // namespace ako
