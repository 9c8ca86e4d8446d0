// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QList>
#include <QString>

#include <optional>

namespace ako {

// How a profile was made, best first. Only what exists is listed; counters (ncu, CUPTI) and the compiler's resource
// report come before it once they are there.
enum class ProfileLevel {
    None,      // the evaluator gave no figures
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
