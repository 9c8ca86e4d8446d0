// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QList>
#include <QString>

#include <optional>

namespace ako {

// How a profile was made.
enum class ProfileLevel {
    None,      // the evaluator gave no figures
    Compiler,  // registers, shared memory and the occupancy they allow
    Trace,     // which kernels ran, by CUPTI
    Counters,  // hardware counters, by ncu
    WorkModel, // the problem's bytes and operations against the machine's limits, as the evaluator reports them
};

// One workload against what the machine allows. Times in ms.
struct FloorFigure
{
    QString workload;
    double measured = 0.0;
    std::optional<double> floor;     // physical lower bound: anything below it is not believed
    std::optional<double> practical; // what measured peaks allow
    bool operator==(const FloorFigure &) const = default;
};

struct ProfileReport
{
    ProfileLevel level = ProfileLevel::None;
    QList<FloorFigure> figures;
    QString summary; // for a person and for the agent
    bool operator==(const ProfileReport &) const = default;
};

// Best effort, never a gate: a profiler that finds nothing says so in its report and does not fail.
class Profiler
{
public:
    virtual ~Profiler() = default;
    virtual ProfileReport profile(const IterationRecord &record) = 0;
};

} // namespace ako
