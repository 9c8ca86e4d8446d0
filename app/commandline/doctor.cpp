// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline/doctor.h"

#include "commandline/exitcode.h"
#include "workspace/environment.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Doctor", text);
}

void printLine(const EnvironmentFinding &finding)
{
    const QString mark = finding.found      ? QStringLiteral("ok     ")
                         : finding.required ? QStringLiteral("MISSING")
                                            : QStringLiteral("-      ");
    std::printf("%s %-30s %s\n", qUtf8Printable(mark), qUtf8Printable(finding.name), qUtf8Printable(finding.detail));
    if (!finding.found && !finding.remedy.isEmpty())
        std::printf("        %-30s -> %s\n", "", qUtf8Printable(finding.remedy));
}

} // namespace

int runDoctor(const QString &workspace, bool json)
{
    const QList<EnvironmentFinding> findings = discoverEnvironment(workspace);
    const bool fit = std::all_of(findings.cbegin(), findings.cend(),
                                 [](const EnvironmentFinding &finding) { return finding.found || !finding.required; });
    if (json) {
        for (const nlohmann::json &finding : toJson(findings))
            std::printf("%s\n", finding.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
        std::printf("%s\n", nlohmann::json{{"event", "outcome"}, {"exit", fit ? ExitDone : ExitFailed}}.dump().c_str());
        return fit ? ExitDone : ExitFailed;
    }
    for (const EnvironmentFinding &finding : findings)
        printLine(finding);
    std::printf("\n%s\n", qUtf8Printable(fit ? tr("The main job can run on this machine.")
                                             : tr("Something that the main job needs is missing.")));
    return fit ? ExitDone : ExitFailed;
}

} // namespace ako
