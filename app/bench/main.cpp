// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cuda/gpu.h"
#include "eval/cuda/launcher.h"
#include "eval/cuda/profilechild.h"
#include "eval/importproblem.h"
#include "eval/interrupt.h"
#include "eval/options.h"
#include "eval/processtree.h"
#include "eval/report.h"
#include "eval/selftest.h"
#include "eval/session.h"
#include "eval/shim.h"
#include "eval/worker.h"
#include "problemhelp.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ako::eval;

namespace {

// Text of a worker or compiler, every line marked, so that it cannot pass for one of ours.
void printMarked(const std::string &text)
{
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
        for (char &character : line) {
            if (static_cast<unsigned char>(character) < 0x20 && character != '\t')
                character = '?';
        }
        std::fprintf(stderr, "| %s\n", line.c_str());
    }
}

int evaluate(const Options &options)
{
    for (const std::string &note : options.notes)
        std::fprintf(stderr, "note: %s\n", note.c_str());
    EvaluationResult result = Session(options).run();
    if (!options.json.empty()) {
        try {
            writeFileAtomically(options.json,
                                toJson(result).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
        } catch (const Failure &failure) {
            std::fprintf(stderr, "ako-bench: %s\n", failure.what());
            if (result.status == Status::Ok) {
                result.status = failure.status();
                result.message = failure.what();
            }
        }
    }
    if (options.verbose || (result.status != Status::Ok && !result.log.empty()))
        printMarked(result.log);
    std::fflush(stderr);
    std::fputs(humanLines(result, options.json).c_str(), stdout);
    if (std::fflush(stdout) != 0 && result.status == Status::Ok) {
        std::fprintf(stderr, "ako-bench: The result cannot be written to the standard output: %s\n",
                     std::strerror(errno));
        return exitCodeOf(Status::Infrastructure);
    }
    return exitCodeOf(result.status);
}

// The GPU's part of the probe; why there is none, where there is none.
nlohmann::json probeGpu(const Options &options, const char *path)
{
    try {
        Gpu gpu(options.device.empty() ? 0 : std::atoi(options.device.c_str()), path ? path : "/usr/bin:/bin", {});
        const BuildCache cache(options.buildFolder.empty() ? defaultBuildFolder() : options.buildFolder,
                               gpu.compiler());
        WorkerLimits limits;
        limits.cores = inspectMachine().cores;
        gpu.prepare(cache, limits);
        return gpu.probeJson(gpu.peaks(cache, limits, true));
    } catch (const Failure &failure) {
        return {{"unavailable", failure.what()}};
    }
}

int probe(const Options &options)
{
    const Machine machine = inspectMachine();
    const char *path = std::getenv("PATH");
    const Compiler compiler =
        options.compiler.empty() ? findCompiler(path ? path : "/usr/bin:/bin") : describeCompiler(options.compiler);
    const BuildCache cache(options.buildFolder.empty() ? defaultBuildFolder() : options.buildFolder, compiler);
    WorkerLimits limits;
    limits.cores = machine.cores;
    limits.threads = int(machine.cores.size());
    nlohmann::json object = probeJson(probeMachine(cache, machine, limits, true), machine, compiler);
    if (options.device != "cpu")
        object["gpu"] = probeGpu(options, path);
    const std::string text = object.dump(1) + '\n';
    if (!options.json.empty())
        writeFileAtomically(options.json, text);
    std::fputs(text.c_str(), stdout);
    return 0;
}

int import(const std::vector<std::string> &arguments)
{
    try {
        return runImport(arguments);
    } catch (const Failure &failure) {
        std::fprintf(stderr, "ako-bench: %s\n", failure.what());
        return exitCodeOf(failure.status());
    }
}

// Into the file that holds the kernel, so that a launcher may stay as it is when the kernel is changed.
int addLauncher(const Options &options)
{
    const Problem problem = readProblem(options.problem);
    if (!problem.onGpu)
        throw Failure(Status::UsageError, options.problem + ": is for the CPU, where a kernel is called as it is.");
    const GeneratedLauncher launcher = launcherFor(problem, readSources(options.solution, Status::UsageError));
    if (launcher.text.empty())
        throw Failure(Status::UsageError, "No launcher could be generated: " + launcher.reason +
                                              ". Write the function yourself:\n" + entryDeclaration(problem));
    std::error_code error;
    const std::string path = std::filesystem::is_directory(options.solution, error)
                                 ? options.solution + '/' + launcher.file
                                 : options.solution;
    writeFileAtomically(path, readFile(path, Status::UsageError) + launcher.text);
    std::printf("Added to %s:\n%s", path.c_str(), launcher.text.c_str());
    return 0;
}

int dispatch(const Options &options)
{
    switch (options.mode) {
    case Mode::Help:
        std::fputs(usageText().c_str(), stdout);
        return 0;
    case Mode::Version:
        std::puts("ako-bench " AKO_VERSION);
        return 0;
    case Mode::Probe:
        return probe(options);
    case Mode::AddLauncher:
        return addLauncher(options);
    case Mode::SelfTest:
        return runSelfTest(options);
    default:
        return evaluate(options);
    }
}

// Where a standard stream is closed, pipes of ours would get its number.
void fillStandardStreams()
{
    int file = 0;
    do {
        file = open("/dev/null", O_RDWR);
    } while (file >= 0 && file <= STDERR_FILENO);
    if (file >= 0)
        close(file);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc == 2 && std::strcmp(argv[1], "--worker") == 0)
        serveAsWorker();
    if (argc == 3 && std::strcmp(argv[1], "--profile-child") == 0)
        return profileChild(argv[2]);
    fillStandardStreams();
    if (argc == 3 && std::strcmp(argv[1], "--help") == 0 && std::strcmp(argv[2], "problem") == 0)
        return std::fputs(problemHelp, stdout) < 0 ? exitCodeOf(Status::Infrastructure) : 0;
    installInterruptHandlers();
    if (argc >= 2 && std::strcmp(argv[1], "import") == 0)
        return import(std::vector<std::string>(argv + 2, argv + argc));
    adoptOrphans();
    try {
        return dispatch(parseOptions(std::vector<std::string>(argv + 1, argv + argc)));
    } catch (const Failure &failure) {
        std::fprintf(stderr, "ako-bench: %s\n", failure.what());
        printMarked(failure.log());
        return exitCodeOf(failure.status());
    } catch (const std::bad_alloc &) {
        std::fputs("ako-bench: There is not enough memory. Raise the limit (ulimit -v) or end other programs.\n",
                   stderr);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "ako-bench: %s\n", error.what());
    }
    return exitCodeOf(Status::Infrastructure);
}
