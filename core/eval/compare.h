// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/problem.h"
#include "eval/result.h"

#include <string>
#include <vector>

namespace ako::eval {

// The golden answer of one output.
struct GoldenOutput
{
    std::string name;
    DType dtype = DType::Float32; // of the output as the kernel writes it
    std::vector<std::int64_t> shape;
    std::vector<unsigned char> exact;          // integers: the reference's bytes
    std::vector<double> values;                // floating: in double
    bool hasGolden = false;                    // values come from a golden entry, so the reference's own error is known
    double referenceRms = 0, referenceMax = 0; // the reference's error against it
};

// What one comparison said. `pass` needs every element within tolerance (or matched_ratio of them and no row fully
// wrong) and, where the golden is independent, an error budget: rms(error) <= rmsFactor * max(referenceRms, u *
// rms(golden)).
struct Comparison
{
    bool pass = true, precisionLost = false; // precisionLost: within tolerance, over the budget
    double maxAbs = 0, maxRel = 0, rmsError = 0, rmsRatio = 0, cosine = 1, matchedRatio = 1;
    std::optional<double> ulpMax;
    std::optional<FirstBad> firstBad;
    std::optional<WorstRow> worstRow;
};

// NaN and infinities have to match by class; everything is counted as !(difference <= tolerance).
Comparison compareOutput(const GoldenOutput &golden, const void *data, const Tolerance &tolerance);

// Fills the reference's own error into `golden`; returns how the reference itself compares.
Comparison rateReference(GoldenOutput &golden, const void *reference, const Tolerance &tolerance);

bool allFinite(const GoldenOutput &golden);

} // namespace ako::eval
