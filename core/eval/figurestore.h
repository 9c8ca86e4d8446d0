// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace ako::eval {

class BuildCache;

// Figures of this machine, kept as `name` in the build folder and in the user's own (defaultBuildFolder()), so that
// they are measured once and not for every workspace. Null where there are none, or what is there is no JSON.
nlohmann::json storedFigures(const BuildCache &cache, const std::string &name);

// The user's own folder is done without where it cannot be written; the build folder is not: Failure(Infrastructure).
void storeFigures(const BuildCache &cache, const std::string &name, const nlohmann::json &figures);

} // namespace ako::eval
