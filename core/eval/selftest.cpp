// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/selftest.h"

#include "eval/files.h"
#include "eval/session.h"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace ako::eval {

namespace {

constexpr const char *problem =
    R"({"schema": "ako.problem/1", "name": "self-test", "axes": {"rows": {"type": "var"}, "cols": {"type": "var"}},
 "inputs": {"x": {"shape": ["rows", "cols"], "dtype": "float32"}},
 "outputs": {"y": {"shape": ["rows", "cols"], "dtype": "float32"}},
 "entry": {"symbol": "affine", "args": ["x", "y", "rows", "cols"]},
 "reference": {"source": "reference.cpp", "golden": "affine_golden"},
 "workloads": [{"id": "main", "axes": {"rows": 64, "cols": 96}}, {"id": "odd", "axes": {"rows": 7, "cols": 13}, "time": false}]})";

constexpr const char *reference = R"(#include <cstdint>
extern "C" void affine(const float *x, float *y, std::int64_t rows, std::int64_t cols)
{ for (std::int64_t i = 0; i < rows * cols; ++i) y[i] = 2 * x[i] + 1; }
extern "C" void affine_golden(const double *x, double *y, std::int64_t rows, std::int64_t cols)
{ for (std::int64_t i = 0; i < rows * cols; ++i) y[i] = 2 * x[i] + 1; }
)";

struct Sample
{
    const char *name;
    const char *source; // the body of affine(); n is rows * cols
    std::array<Status, 2> expected;
};

constexpr std::array samples{
    Sample{"honest", "for (long i = 0; i < n; ++i) y[i] = 2 * x[i] + 1;", {Status::Ok, Status::Ok}},
    Sample{"does nothing", "(void)x; (void)y; (void)n;", {Status::Incorrect, Status::Incorrect}},
    Sample{"writes NaN", "for (long i = 0; i < n; ++i) y[i] = 0.0f / 0.0f;", {Status::Incorrect, Status::Incorrect}},
    Sample{"skips the last row",
           "for (long i = 0; i < n - cols; ++i) y[i] = 2 * x[i] + 1;",
           {Status::Incorrect, Status::Incorrect}},
    Sample{
        "remembers by address",
        "static const float *last; if (last == x) return; last = x; for (long i = 0; i < n; ++i) y[i] = 2 * x[i] + 1;",
        {Status::Incorrect, Status::Incorrect}},
    Sample{"stops after 12 calls",
           "static int calls; if (++calls > 12) return; for (long i = 0; i < n; ++i) y[i] = 2 * x[i] + 1;",
           {Status::Incorrect, Status::Incorrect}},
    Sample{"changes its input",
           "for (long i = 0; i < n; ++i) y[i] = 2 * x[i] + 1; const_cast<float *>(x)[0] = 0;",
           {Status::InputMutated, Status::InputMutated}},
    Sample{"writes past the end",
           "for (long i = 0; i <= n; ++i) y[i] = 2 * x[i < n ? i : 0] + 1;",
           {Status::GuardHit, Status::GuardHit}},
    Sample{"forges a report",
           "std::puts(\"COMPILED: True\\nCORRECT: True\\nSPEEDUP: 1000x\"); std::fflush(stdout); _exit(0);",
           {Status::CrashNoReport, Status::CrashNoReport}},
    Sample{"forks",
           "if (fork() == 0) _exit(0); for (long i = 0; i < n; ++i) y[i] = 2 * x[i] + 1;",
           {Status::ExtraProcess, Status::Incorrect}},
    Sample{"crashes", "*reinterpret_cast<volatile int *>(8) = 1;", {Status::RuntimeError, Status::RuntimeError}},
    Sample{"hangs", "for (volatile bool go = true; go;) { }", {Status::Timeout, Status::Timeout}},
};

std::string solutionText(const Sample &sample)
{
    return std::string(
               "#include <cstdint>\n#include <cstdio>\n#include <unistd.h>\nextern \"C\" void affine([[maybe_unused]] "
               "const float *x, "
               "[[maybe_unused]] float *y, std::int64_t rows, std::int64_t cols)\n{ const long n = rows * cols;\n") +
           sample.source + "\n}\n";
}

bool judge(const Sample &sample, const std::string &folder, const Options &options)
{
    const std::string solution = folder + "/solution.cpp";
    writePlainFile(solution, solutionText(sample));
    Options run;
    run.mode = Mode::Signal;
    run.problem = folder + "/problem.json";
    run.solution = solution;
    run.buildFolder = options.buildFolder;
    run.compiler = options.compiler;
    run.callTimeout = 2;
    const EvaluationResult result = Session(run).run();
    const bool good = result.status == sample.expected[0] || result.status == sample.expected[1];
    std::printf("%s  %-22s %s%s\n", good ? "ok  " : "FAIL", sample.name, std::string(statusName(result.status)).c_str(),
                good ? ""
                     : (" instead of " + std::string(statusName(sample.expected[0])) + ": " + result.message).c_str());
    std::fflush(stdout);
    if (result.status == Status::Interrupted)
        throw Failure(Status::Interrupted, result.message);
    return good;
}

} // namespace

int runSelfTest(const Options &options)
{
    const char *temporary = std::getenv("TMPDIR");
    const ScratchFolder folder(temporary && *temporary == '/' ? temporary : "/tmp");
    writePlainFile(folder.path() + "/problem.json", problem);
    writePlainFile(folder.path() + "/reference.cpp", reference);
    int bad = 0;
    for (const Sample &sample : samples)
        bad += !judge(sample, folder.path(), options);
    std::printf("SELF_TEST: %s (%zu kernels, %d judged wrongly)\n", bad == 0 ? "ok" : "FAILED", samples.size(), bad);
    return bad == 0 ? 0 : exitCodeOf(Status::ProblemWeak);
}

} // namespace ako::eval
