// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/facts.h"

#include "eval/files.h"
#include "eval/hash.h"
#include "eval/machine.h"
#include "eval/report.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace ako::eval {

using nlohmann::json;

std::string factsPath(const std::string &buildFolder, const std::string &problemHash, const std::string &referenceHash)
{
    return buildFolder + "/facts-" + sha256Hex(problemHash + referenceHash + processorFeatures()).substr(0, 24) +
           ".json";
}

Facts readFacts(const std::string &path)
{
    Facts facts;
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        return facts;
    const json object = json::parse(readFile(path, Status::Infrastructure), nullptr, false);
    try {
        if (object.contains("aa_half_width"))
            facts.noiseHalfWidth = object.at("aa_half_width").get<double>();
        facts.referenceMs = object.at("reference_ms").get<std::map<std::string, double>>();
    } catch (const json::exception &) {
        return {};
    }
    return facts;
}

void writeFacts(const std::string &path, const Facts &facts)
{
    json object{{"reference_ms", facts.referenceMs}};
    if (facts.noiseHalfWidth)
        object["aa_half_width"] = *facts.noiseHalfWidth;
    writeFileAtomically(path, object.dump(1) + '\n');
}

} // namespace ako::eval
