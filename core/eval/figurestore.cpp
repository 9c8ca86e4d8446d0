// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/figurestore.h"

#include "eval/build.h"
#include "eval/files.h"
#include "eval/report.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace ako::eval {

using nlohmann::json;

json storedFigures(const BuildCache &cache, const std::string &name)
{
    for (const std::string &folder : {cache.folder(), defaultBuildFolder()}) {
        const std::string path = folder + '/' + name;
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error))
            continue;
        try {
            return json::parse(readFile(path, Status::Infrastructure));
        } catch (const std::exception &) {
            continue; // measured again
        }
    }
    return nullptr;
}

void storeFigures(const BuildCache &cache, const std::string &name, const json &figures)
{
    const std::string text = figures.dump(1) + '\n';
    writeFileAtomically(cache.folder() + '/' + name, text);
    try {
        makeFolders(defaultBuildFolder());
        writeFileAtomically(defaultBuildFolder() + '/' + name, text);
    } catch (const Failure &) {
        return;
    }
}

} // namespace ako::eval
