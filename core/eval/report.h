// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/result.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ako::eval {

// ako.result/1, one object; times in ms, ratios above 1 mean that the solution is faster. "STATS" is
// {"median","mean","min","max","q1","q3","mad","n"}, "RATIO" is {"est","lo","hi"}. A key marked ? is left out where it
// was not measured.
//
// {"schema": "ako.result/1", "mode": "signal" | "verdict" | "no-ref" | "aa",
//  "status": "OK" | "INCORRECT" | "COMPILE_ERROR" | … (statusName), "exit": 0,       the program's exit status
//  "state": "provisional" | "confirmed" | "quarantined" | "invalid",                 confirmed: verdict with status OK
//  "message": "first line of what went wrong, else empty", "log": "compiler's or worker's text, bounded",
//  "problem": "name", "problem_sha256", "reference_sha256", "solution_sha256", "champion_sha256"?, "evaluator_sha256",
//  "nonce", "compiled": true, "duration_s": 2.1, "flags": ["SUSPICIOUS_10X", "EXAMINED_10X", "COMPILER_UNCONFINED",
//  "BELOW_FLOOR", "EXTRA_THREAD", "NONDETERMINISTIC", …], "env": {"device": "cpu", "cpu": "model", "cores": 2,
//  "threads": 2, "llc_bytes": 33554432, "governor": "…", "load": 0.1,
//          "compiler": "/usr/bin/g++", "compiler_version": "…", "flags": ["-O3", …], "reference_flags": […],
//          "champion_flags"?: […], "sandbox": {"level": "full" | "partial" | "none", "landlock": 7, "seccomp": true,
//          "rlimits": true}},
//  "correct": {"pass": true, "seeds": 5, "checker_selftest": "ok" | "weak: …" | "not run", "deterministic": true,
//  "workloads": [
//     {"id": "main", "pass": true, "checks": 7, "max_abs", "max_rel", "rms_ratio", "cosine", "matched_ratio",
//     "ulp_max"?,
//      "first_bad"?: {"output": "y", "index": [3, 17], "got": 0.5, "expected": 0.25}, "worst_row"?: {"output": "y",
//      "row": 3, "bad": 12}}]},
//  "timing": {"method": "cpu-monotonic-raw", "cache": "cold" | "hot", "level": 0.99, "pairs": 80, "aa_noise_pct"?: 0.3,
//  "workloads": [
//     {"id": "main", "weight": 3, "axes": {"rows": 4096}, "pairs": 80, "batch": 1,
//      "sol": STATS, "ref"?: STATS, "best"?: STATS, "sol_ms": median, "ref_ms"?: median, "best_ms"?: median,
//      "ref_cached_ms"?: median of an earlier verdict, "speedup_ref"?: RATIO, "speedup_best"?: RATIO, "first_call_ms",
//      "cpu_ms", "floor_ms"?, "practical_ms"?, "pct_of_floor"?}],
//     "total"?: {"sol": {"median","mean","min","max"}, "ref"?: same, "best"?: same,     weighted geometric means over
//     the workloads
//                "speedup_ref"?: RATIO, "speedup_best"?: RATIO, "worst"?: {"id": "odd", "est": 0.98}}},
//  "decision": {"against": "champion" | "reference" | "none", "vs_best": "IMPROVED" | "REGRESSED" | "SAME" |
//  "AMBIGUOUS" | "NONE",
//               "est"?, "lo"?, "hi"?, "margin": 0.006, "geomean_best"?, "worst_shape"?: "odd", "blocked_by"?: "odd"}}
nlohmann::json toJson(const EvaluationResult &result);

// The lines a person and AKO-style wrappers read, each ended by a newline: COMPILED, CORRECT, RUNTIME (ms), REF_RUNTIME
// (ms), SPEEDUP, …
std::string humanLines(const EvaluationResult &result, const std::string &jsonPath);

// Writes beside the target and renames, so that a reader sees the old file or the whole new one. Throws
// Failure(Infrastructure).
void writeFileAtomically(const std::string &path, const std::string &text);

} // namespace ako::eval
