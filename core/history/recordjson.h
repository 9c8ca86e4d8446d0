// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "history/iterationrecord.h"

#include <nlohmann/json_fwd.hpp>

namespace ako {

// Names used in JSON and in ITERATIONS.md, stable: "improved", "no-change"; "baseline", "iteration", "final".
QString statusName(IterationStatus status);
std::optional<IterationStatus> statusFromName(const QString &name);
QString kindName(IterationRecord::Kind kind);

// iteration.json ("ako.iteration/1"). Reading is tolerant: unknown keys are ignored, missing ones keep their default.
nlohmann::json toJson(const IterationRecord &record);
IterationRecord recordFromJson(const nlohmann::json &json);
Result<IterationRecord> recordFromBytes(const QByteArray &bytes); // refuses what is not an object of this kind

// One line for a list or a log: "improved, 1.96x [1.95, 1.97] over the reference".
QString summaryOf(const IterationRecord &record);

} // namespace ako
