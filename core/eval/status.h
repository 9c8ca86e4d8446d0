// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace ako::eval {

// How an evaluation ended. statusName() is the word in ako.result/1, exitCodeOf() the program's exit status.
enum class Status {
    Ok,
    Incorrect,        // 1: wrong numbers
    BadShape,         // 2: a workload whose output has no elements
    Precision,        // 1: right within tolerance, but far less precise than the reference
    Nondeterministic, // 1: same input, other output (only where the problem demands determinism)
    UsageError,       // 2
    ProblemError,     // 2: problem.json or build.json
    NoCompiler,       // 8
    CompileError,     // 3
    RuntimeError,     // 4: crashed by a signal, or the entry returned an error
    CrashNoReport,    // 4: the process left without a report
    OutOfMemory,      // 4
    Timeout,          // 5
    GuardHit,         // 6: touched memory outside its buffers
    InputMutated,     // 6
    EscapedWork,      // 6: work went on after the call returned
    ExtraThread,      // 6: a thread burnt time while another was measured
    ExtraProcess,     // 6: tried to start a process
    Integrity,        // 6: report channel, clock or files tampered with
    LimitChanged,     // 6: set cache aside on the device, so that no flush reaches what lies there
    Suspicious,       // 6: too fast to be believed
    ReferenceError,   // 7: the reference does not compile, run or agree with its golden
    ProblemWeak,      // 7: the check would accept an answer that is plainly wrong
    ChampionError,    // 8: the champion does not compile or run
    Infrastructure,   // 8
    Unstable,         // 9: noise too large for any statement
    Interrupted       // 130
};

std::string_view statusName(Status status);
int exitCodeOf(Status status);

// Ends an evaluation. The message names the object and says what to do; log holds bounded text of a compiler or worker.
class Failure : public std::runtime_error
{
public:
    Failure(Status status, const std::string &message, std::string log = {})
        : std::runtime_error(message)
        , m_status(status)
        , m_log(std::move(log))
    {
    }
    Status status() const { return m_status; }
    const std::string &log() const { return m_log; }

private:
    Status m_status;
    std::string m_log;
};

} // namespace ako::eval
