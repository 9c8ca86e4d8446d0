// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline/doctor.h"

#include "commandline/exitcode.h"
#include "workspace/environment.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace ako {

int runDoctor(const QString &workspace, bool json)
{
    const QList<EnvironmentFinding> findings = discoverEnvironment(workspace);
    const bool fit = isFit(findings);
    if (json) {
        for (const nlohmann::json &finding : toJson(findings))
            std::printf("%s\n", finding.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
        std::printf("%s\n", nlohmann::json{{"event", "outcome"}, {"exit", fit ? ExitDone : ExitFailed}}.dump().c_str());
        return fit ? ExitDone : ExitFailed;
    }
    std::fputs(qUtf8Printable(toText(findings)), stdout);
    return fit ? ExitDone : ExitFailed;
}

} // namespace ako
