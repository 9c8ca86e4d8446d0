// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/options.h"

#include "eval/boundedtext.h"
#include "eval/status.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>

namespace ako::eval {

namespace {

double positiveNumber(const std::string &option, const std::string &text)
{
    char *end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(value > 0) || !std::isfinite(value))
        throw Failure(Status::UsageError, option + ": \"" + text + "\" is no number above 0.");
    return value;
}

int positiveInteger(const std::string &option, const std::string &text)
{
    const double value = positiveNumber(option, text);
    if (value != std::floor(value) || value > 1e6)
        throw Failure(Status::UsageError, option + ": \"" + text + "\" is no whole number from 1 to 1000000.");
    return int(value);
}

using Setter = std::function<void(Options &, const std::string &option, const std::string &value)>;

Setter text(std::string Options::*member)
{
    return [member](Options &options, const std::string &, const std::string &value) { options.*member = value; };
}

Setter number(double Options::*member)
{
    return [member](Options &options, const std::string &name, const std::string &value) {
        options.*member = positiveNumber(name, value);
    };
}

Setter count(int Options::*member)
{
    return [member](Options &options, const std::string &name, const std::string &value) {
        options.*member = positiveInteger(name, value);
    };
}

void setCache(Options &options, const std::string &name, const std::string &value)
{
    if (value != "cold" && value != "hot")
        throw Failure(Status::UsageError, name + ": expected cold or hot.");
    options.hotCache = value == "hot";
}

void setDevice(Options &options, const std::string &name, const std::string &value)
{
    if (value != "cpu" && (value.empty() || value.size() > 3 || value.find_first_not_of("0123456789") != value.npos))
        throw Failure(Status::UsageError, name + " " + value + ": expected cpu or the number of a GPU.");
    options.device = value;
}

void ignoreAlias(Options &options, const std::string &name, const std::string &value)
{
    options.notes.push_back(name + ' ' + value + " has no effect here");
}

const std::map<std::string, Setter> &valueOptions()
{
    static const std::map<std::string, Setter> options{
        {"--problem", text(&Options::problem)},
        {"--solution", text(&Options::solution)},
        {"--reference", text(&Options::reference)},
        {"--ref", text(&Options::reference)},
        {"--champion", text(&Options::champion)},
        {"--device", setDevice},
        {"--json", text(&Options::json)},
        {"--build-dir", text(&Options::buildFolder)},
        {"--compiler", text(&Options::compiler)},
        {"--seeds", count(&Options::seeds)},
        {"--num-correct-trials", count(&Options::seeds)},
        {"--pairs", count(&Options::maximumPairs)},
        {"--num-perf-trials", count(&Options::maximumPairs)},
        {"--time-cap", number(&Options::capSeconds)},
        {"--timeout-compile", number(&Options::compileTimeout)},
        {"--timeout-run", number(&Options::callTimeout)},
        {"--timeout-total", number(&Options::totalTimeout)},
        {"--cache", setCache},
        {"--timing-method", ignoreAlias},
        {"--backend", ignoreAlias},
        {"--precision", ignoreAlias},
    };
    return options;
}

const std::map<std::string, Mode> &modeOptions()
{
    static const std::map<std::string, Mode> modes{
        {"--verdict", Mode::Verdict},    {"--signal", Mode::Signal},
        {"--no-ref", Mode::NoReference}, {"--aa", Mode::SelfComparison},
        {"--self-test", Mode::SelfTest}, {"--probe", Mode::Probe},
        {"--profile", Mode::Profile},    {"--add-launcher", Mode::AddLauncher},
        {"--help", Mode::Help},          {"-h", Mode::Help},
        {"--version", Mode::Version},
    };
    return modes;
}

void requireArguments(const Options &options)
{
    const bool evaluates = options.mode == Mode::Verdict || options.mode == Mode::Signal ||
                           options.mode == Mode::NoReference || options.mode == Mode::SelfComparison ||
                           options.mode == Mode::Profile || options.mode == Mode::AddLauncher;
    if (!evaluates)
        return;
    if (options.problem.empty())
        throw Failure(Status::UsageError, "--problem FILE is missing. ako-bench --help says what it takes.");
    if (options.solution.empty())
        throw Failure(Status::UsageError, "--solution PATH is missing. ako-bench --help says what it takes.");
}

} // namespace

const char *modeName(Mode mode)
{
    switch (mode) {
    case Mode::Signal:
        return "signal";
    case Mode::NoReference:
        return "no-ref";
    case Mode::SelfComparison:
        return "aa";
    case Mode::Profile:
        return "profile";
    default:
        return "verdict";
    }
}

Options parseOptions(const std::vector<std::string> &arguments)
{
    Options options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string name = arguments[i];
        if (const auto mode = modeOptions().find(name); mode != modeOptions().end()) {
            if (options.mode != Mode::Help)
                options.mode = mode->second;
            continue;
        }
        if (name == "--verbose" || name == "-v") {
            options.verbose = true;
            continue;
        }
        if (name == "--one-process") {
            options.oneProcess = true;
            continue;
        }
        std::string value;
        const std::size_t equals = name.find('=');
        const bool inOne = equals != std::string::npos;
        if (inOne) {
            value = name.substr(equals + 1);
            name.resize(equals);
        }
        const auto option = valueOptions().find(name);
        if (option == valueOptions().end())
            throw Failure(Status::UsageError,
                          inQuotes(arguments[i]) + " is not known. ako-bench --help lists the options.");
        if (!inOne && i + 1 >= arguments.size())
            throw Failure(Status::UsageError, name + " needs a value.");
        if (!inOne)
            value = arguments[++i];
        option->second(options, name, value);
    }
    requireArguments(options);
    return options;
}

std::string usageText()
{
    return R"(ako-bench: compiles a C++ or CUDA kernel, checks its answers and times it against a reference and a champion.

  ako-bench --problem FILE --solution PATH [--reference PATH] [--champion PATH] [mode] [options]

  --problem FILE      problem.json (ako.problem/1): shapes, inputs, entry function, tolerances; all its keys:
                      ako-bench --help problem
  --solution PATH     the candidate: a .cpp or .cu file, or a folder of them and headers; its compiler flags may
                      stand in PATH/build.json {"flags": ["-O3", "-march=native", "-fopenmp"]}
  --reference PATH    instead of the reference named by the problem
  --champion PATH     the best so far, timed interleaved with the candidate

ako-bench import FOLDER makes a problem.json of definition.json and workload.jsonl (FlashInfer-Bench, SOL-ExecBench).

Modes
  --verdict           everything: all shapes, 5 secret seeds, reference and champion timed (default)
  --signal            quick: the main and one odd shape, 2 seeds, candidate against champion
  --no-ref            as --verdict, but the reference is not timed
  --aa                the candidate against itself: how large the noise is; with --one-process in the same process
  --profile           what its kernels wait for: by ncu, else CUPTI, else the compiler's report; nothing is checked or timed
  --add-launcher      writes the function that starts a bare CUDA kernel at the end of its file, where it can be guessed
  --self-test         an embedded set of honest and cheating kernels, each judged as it should be
  --probe             measured peaks of this machine, and of its GPU, as JSON

Options
  --json FILE         the result as JSON (ako.result/1), written at the end in one step
  --build-dir DIR     private folder of builds (default: $XDG_CACHE_HOME/ako4all/bench)
  --compiler PATH     instead of g++ or clang++ from PATH; for a GPU instead of the nvcc that is found
  --device cpu|N      for a problem with "device": "cuda" the GPU with this number (default: 0)
  --seeds N --pairs N --time-cap S --cache cold|hot
  --timeout-compile S --timeout-run S --timeout-total S
  --verbose           also what the workers printed, each line with a prefix
  --num-correct-trials N, --num-perf-trials N, --timing-method X, --backend X, --precision X are accepted as AKO has them.

Exit status: 0 correct, 1 incorrect, 2 usage or problem.json, 3 does not compile, 4 crash, 5 timeout,
6 quarantined (integrity), 7 reference invalid or check too weak, 8 infrastructure, 9 unstable, 130 interrupted.
)";
}

} // namespace ako::eval
