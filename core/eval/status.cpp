// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/status.h"

#include <array>

namespace ako::eval {

namespace {

struct Entry
{
    Status status;
    std::string_view name;
    int exitCode;
};

constexpr std::array entries{
    Entry{Status::Ok, "OK", 0},
    Entry{Status::Incorrect, "INCORRECT", 1},
    Entry{Status::BadShape, "BAD_SHAPE", 2},
    Entry{Status::Precision, "PRECISION", 1},
    Entry{Status::Nondeterministic, "NONDETERMINISTIC", 1},
    Entry{Status::UsageError, "USAGE_ERROR", 2},
    Entry{Status::ProblemError, "PROBLEM_ERROR", 2},
    Entry{Status::NoCompiler, "NO_COMPILER", 8},
    Entry{Status::CompileError, "COMPILE_ERROR", 3},
    Entry{Status::RuntimeError, "RUNTIME_ERROR", 4},
    Entry{Status::CrashNoReport, "CRASH_NO_REPORT", 4},
    Entry{Status::OutOfMemory, "OUT_OF_MEMORY", 4},
    Entry{Status::Timeout, "TIMEOUT", 5},
    Entry{Status::GuardHit, "GUARD_HIT", 6},
    Entry{Status::InputMutated, "INPUT_MUTATED", 6},
    Entry{Status::EscapedWork, "ESCAPED_WORK", 6},
    Entry{Status::ExtraThread, "EXTRA_THREAD", 6},
    Entry{Status::ExtraProcess, "EXTRA_PROCESS", 6},
    Entry{Status::Integrity, "INTEGRITY", 6},
    Entry{Status::LimitChanged, "LIMIT_CHANGED", 6},
    Entry{Status::Suspicious, "SUSPICIOUS", 6},
    Entry{Status::ReferenceError, "REFERENCE_ERROR", 7},
    Entry{Status::ProblemWeak, "PROBLEM_WEAK", 7},
    Entry{Status::ChampionError, "CHAMPION_ERROR", 8},
    Entry{Status::Infrastructure, "INFRASTRUCTURE", 8},
    Entry{Status::Unstable, "UNSTABLE", 9},
    Entry{Status::Interrupted, "INTERRUPTED", 130},
};

const Entry &entryOf(Status status)
{
    for (const Entry &entry : entries) {
        if (entry.status == status)
            return entry;
    }
    return entries.front();
}

} // namespace

std::string_view statusName(Status status)
{
    return entryOf(status).name;
}

int exitCodeOf(Status status)
{
    return entryOf(status).exitCode;
}

} // namespace ako::eval
