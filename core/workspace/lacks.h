// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "workspace/resolvedplan.h"

#include <optional>

namespace ako {

// What an approved plan could not be carried out without, found before anything is written: each with its remedy.
// Cheap enough for every change of the plan: files are looked at, nothing is run.

// A native bench compiles; the others bring what they need.
std::optional<Error> compilerLack(const ResolvedPlan &plan);
// A native bench of a CUDA kernel: nvcc, and a GPU, whose files are in `devices`.
std::optional<Error> cudaLack(const ResolvedPlan &plan, const QString &devices = QStringLiteral("/dev"));
std::optional<Error> identityLack(const QString &workspace); // git knows nobody who commits here
std::optional<Error> writingLack(const QString &workspace);  // the workspace's permissions
std::optional<Error> limitLack(); // what the shell allows a program is too little for a bench

// Adds them to the plan's warnings.
void warnOfLacks(ResolvedPlan &plan);
// Who commits is known now.
void forgetIdentityLack(ResolvedPlan &plan);

} // namespace ako
