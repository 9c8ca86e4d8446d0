// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/definitionkernel.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <nlohmann/json.hpp>

namespace ako {

namespace {

QString text(const char *source)
{
    return QCoreApplication::translate("DefinitionKernel", source);
}

const QString fileName = QStringLiteral("definition.json");

} // namespace

bool isDefinition(const QString &kernelFile)
{
    return QFileInfo(kernelFile).fileName() == fileName;
}

QString solutionName(const QString &kernelFile)
{
    return isDefinition(kernelFile) ? kernelFile.chopped(fileName.size()) + QLatin1String("solution.py") : kernelFile;
}

Result<QByteArray> referenceInDefinition(const QString &path, const QByteArray &definition)
{
    const auto json =
        nlohmann::json::parse(definition.constData(), definition.constData() + definition.size(), nullptr, false);
    if (json.is_object() && json.contains("reference") && json["reference"].is_string())
        return QByteArray::fromStdString(json["reference"].get<std::string>());
    return fail(text("%1 has no \"reference\" that a solution could start from").arg(path),
                text("Write the kernel to a Python file that defines run()."));
}

} // namespace ako
