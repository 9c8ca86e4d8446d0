// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/problem.h"

#include <string>
#include <vector>

namespace ako::eval {

// A problem of FlashInfer-Bench or SOL-ExecBench as this evaluator's.
struct ImportedProblem
{
    std::string text;                 // problem.json
    std::string declaration;          // of the function that the kernel has to export
    std::vector<std::string> leftOut; // what could not be carried over, a sentence each
};

// From the texts of definition.json and workload.jsonl. Throws Failure(ProblemError) with the line or the name where
// the texts are none, or where nothing is left that could be measured here. Files of inputs are looked for in `folder`.
ImportedProblem importProblem(const std::string &definition, const std::string &workloads, bool onGpu,
                              const std::string &folder = {});

// ako-bench import FOLDER [--device cpu] [--output FILE]: reads both files of the folder, writes problem.json, prints
// what is to be written and what was left out. An existing file is left alone. Returns an exit status; throws Failure.
int runImport(const std::vector<std::string> &arguments);

} // namespace ako::eval
