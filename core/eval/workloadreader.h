// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/jsonreader.h"
#include "eval/problem.h"

namespace ako::eval {

std::string readRelativePath(const JsonReader &reader); // inside the problem's folder, or it fails

// Changes what the object names; throws as all readers do.
Tolerance readTolerance(const JsonReader &reader, Tolerance tolerance);

// Reads single workloads of a problem whose other parts have been read, and checks what only a workload decides: the
// values of axes and scalars, the sizes of all tensors, the work.
class WorkloadReader
{
public:
    // Both must outlive it. `tolerance` is the problem's.
    WorkloadReader(JsonReader root, const Problem &problem, const Tolerance &tolerance);
    Workload read(const JsonReader &reader) const;

private:
    void readAxisValues(const JsonReader &reader, Workload &workload) const;
    void readInputRules(const JsonReader &reader, Workload &workload) const;
    void readScalarValues(const JsonReader &reader, Workload &workload) const;
    void checkShapes(const JsonReader &reader, const Workload &workload) const;
    void checkWork(const JsonReader &reader, const Workload &workload) const;

    JsonReader m_root;
    const Problem &m_problem;
    const Tolerance &m_tolerance;
};

} // namespace ako::eval
