// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profile/profiler.h"

namespace ako {

// Reads the floor and practical times that the evaluator computed from the problem's work model. Runs nothing.
class WorkModelProfiler : public Profiler
{
public:
    ProfileReport profile(const IterationRecord &record) override;
};

} // namespace ako
