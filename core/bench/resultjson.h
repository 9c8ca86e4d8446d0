// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bench/benchresult.h"

#include <nlohmann/json_fwd.hpp>

namespace ako {

// Names used in JSON, stable: "signal", "confirmed", "improved" ...
QString modeName(BenchMode mode);
QString stateName(ResultState state);
QString comparisonName(Comparison comparison);

nlohmann::json toJson(const Interval &interval);
nlohmann::json toJson(const Timing &timing);
nlohmann::json toJson(const BenchResult &result);

// Tolerant: unknown keys are ignored, missing or mistyped ones keep their default. Never throws.
std::optional<Interval> intervalFromJson(const nlohmann::json &json);
std::optional<Timing> timingFromJson(const nlohmann::json &json);
BenchResult benchResultFromJson(const nlohmann::json &json);

} // namespace ako
