// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/contract.h"

#include <nlohmann/json.hpp>

namespace ako::tuner {
namespace {

using Json = nlohmann::json;

bool isFloating(const std::string &dtype)
{
    return dtype.find("float") != std::string::npos;
}

void readTensors(const Json &problem, const char *section, Contract &contract, bool &anyFloat, bool &otherFloat)
{
    const auto tensors = problem.find(section);
    if (tensors == problem.end() || !tensors->is_object())
        return;
    for (const auto &[name, tensor] : tensors->items()) {
        if (!tensor.is_object())
            continue;
        const std::string dtype = tensor.contains("dtype") && tensor["dtype"].is_string() ? tensor["dtype"] : "";
        anyFloat = anyFloat || isFloating(dtype);
        otherFloat = otherFloat || (isFloating(dtype) && dtype != "float32");
        if (tensor.contains("align") && tensor["align"].is_number_integer())
            contract.alignment[name] = tensor["align"];
    }
}

} // namespace

Contract parseContract(const std::string &json)
{
    Contract contract;
    const Json problem = Json::parse(json, nullptr, false);
    if (!problem.is_object() || !problem.contains("entry") || !problem["entry"].is_object())
        return contract;
    const Json &entry = problem["entry"];
    if (entry.contains("symbol") && entry["symbol"].is_string())
        contract.entry = entry["symbol"];
    if (entry.contains("args") && entry["args"].is_array()) {
        for (const Json &argument : entry["args"])
            contract.arguments.push_back(argument.is_string() ? argument.get<std::string>() : std::string());
    }
    contract.onGpu = problem.contains("device") && problem["device"] == "cuda";
    bool anyFloat = false;
    bool otherFloat = false;
    for (const char *section : {"inputs", "outputs", "scalars"})
        readTensors(problem, section, contract, anyFloat, otherFloat);
    contract.singlePrecision = anyFloat && !otherFloat;
    return contract;
}

} // namespace ako::tuner
