// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/approval.h"

#include "workspace/approvalseal.h"
#include "workspace/statefolder.h"

#include <QCoreApplication>

#include <nlohmann/json.hpp>

namespace ako {

namespace {

using nlohmann::json;

const QString &fileName()
{
    static const QString name = QStringLiteral("approval.json");
    return name;
}

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Approval", text);
}

std::unexpected<Error> broken(const QString &workspace)
{
    return fail(tr("%1/approval.json cannot be understood.").arg(stateFolder(workspace)),
                tr("Remove it and approve the plan again."));
}

std::string sealOf(const json &object)
{
    return approvalSeal(QByteArray::fromStdString(object.dump())).toStdString();
}

// Not by somebody else, who packed it into the workspace.
bool isSealed(json object)
{
    const auto seal = object.find("seal");
    if (seal == object.end() || !seal->is_string())
        return false;
    const std::string said = seal->get<std::string>();
    object.erase(seal);
    return said == sealOf(object);
}

} // namespace

Result<std::optional<Approval>> loadApproval(const QString &workspace)
{
    const Result<QByteArray> content = readStateFile(workspace, fileName());
    if (!content)
        return std::unexpected(content.error());
    if (content->isEmpty())
        return std::nullopt;
    const json object = json::parse(content->cbegin(), content->cend(), nullptr, false);
    if (!object.is_object() || !object.contains("plan") || !object.contains("manifest"))
        return broken(workspace);
    if (!isSealed(object))
        return std::nullopt;
    Result<ResolvedPlan> plan = ResolvedPlan::fromJson(object["plan"]);
    Result<IntegrityManifest> manifest = IntegrityManifest::fromJson(object["manifest"]);
    if (!plan || !manifest)
        return broken(workspace);
    Approval approval{std::move(*plan), std::move(*manifest), {}};
    if (const auto time = object.find("time"); time != object.end() && time->is_string())
        approval.time = QDateTime::fromString(QString::fromStdString(time->get<std::string>()), Qt::ISODateWithMs);
    approval.plan.workspace = workspace; // the folder may have been moved since
    return approval;
}

Result<void> saveApproval(const QString &workspace, const Approval &approval)
{
    json object{{"schema", "ako.approval/1"},
                {"time", approval.time.toUTC().toString(Qt::ISODateWithMs).toStdString()},
                {"plan", approval.plan.toJson()},
                {"manifest", approval.manifest.toJson()}};
    object["seal"] = sealOf(object);
    return writeStateFile(workspace, fileName(), QByteArray::fromStdString(object.dump(2)) + '\n');
}

} // namespace ako
