// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/flags.h"

#include "eval/files.h"
#include "eval/jsonreader.h"

#include <regex.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace ako::eval {

namespace {

constexpr std::size_t lengthLimit = 200, countLimit = 64;

// One POSIX extended expression over a whole word. (std::regex makes the sanitizers' builds of GCC 12 warn in its own
// headers.)
class Pattern
{
public:
    explicit Pattern(const std::string &text)
        : m_good(regcomp(&m_expression, ("^(" + text + ")$").c_str(), REG_EXTENDED | REG_NOSUB) == 0)
    {
    }
    ~Pattern()
    {
        if (m_good)
            regfree(&m_expression);
    }
    Pattern(const Pattern &) = delete;
    Pattern &operator=(const Pattern &) = delete;
    bool matches(const std::string &word) const
    {
        return m_good && regexec(&m_expression, word.c_str(), 0, nullptr, 0) == 0;
    }

private:
    regex_t m_expression;
    bool m_good;
};

// -f flags are listed by family; the rest of a name is letters, digits, '-' and a plain value.
const std::array<Pattern, 9> &patterns()
{
    static const std::array<Pattern, 9> list{
        Pattern("-O([0-3sg]|fast)?"),
        Pattern("-g[0-3]?"),
        Pattern("-(march|mtune|mcpu)=[A-Za-z0-9_.+-]+"),
        Pattern("-m(no-)?(avx|avx2|avx512[a-z0-9]*|fma|fma4|sse[0-9a-z.]*|ssse3|bmi|bmi2|lzcnt|popcnt|f16c|gfni|vaes|"
                "vpclmulqdq|avxvnni|amx-[a-z0-9]+|prefer-vector-width=(128|256|512|none)|"
                "recip(=[a-z0-9,!-]+)?|vzeroupper|tune-ctrl=[a-z0-9_,^]+)"),
        Pattern(
            "-f(no-)?(unroll-(all-)?loops|fast-math|math-errno|trapping-math|signed-zeros|finite-math-only|associative-"
            "math|"
            "reciprocal-math|unsafe-math-optimizations|rounding-math|openmp|openmp-simd|tree-[a-z-]+|ipa-[a-z-]+|loop-["
            "a-z-]+|"
            "graphite[a-z-]*|split-loops|split-paths|peel-loops|unswitch-loops|prefetch-loop-arrays|inline|inline-"
            "functions|"
            "inline-small-functions|strict-aliasing|omit-frame-pointer|semantic-interposition|exceptions|rtti|lto|"
            "modulo-sched|modulo-sched-allow-regmoves|schedule-insns2?|sched-[a-z-]+|rename-registers|gcse[a-z-]*|"
            "align-(functions|loops|jumps|labels)|vectorize|slp-vectorize|rerun-cse-after-loop|web|reorder-[a-z-]+|"
            "builtin|stack-protector|plt|wrapv|cx-limited-range|excess-precision)"),
        Pattern("-f(align-(functions|loops|jumps|labels)=[0-9:]+|fp-contract=(on|off|fast)|"
                "vect-cost-model=[a-z-]+|simd-cost-model=[a-z-]+|excess-precision=(fast|standard)|inline-limit=[0-9]+|"
                "lto=(auto|[0-9]+)|tree-parallelize-loops=[0-9]+|veclib=[A-Za-z]+|cx-fortran-rules)"),
        Pattern("--param=[a-z0-9-]+=[0-9]+"),
        Pattern("-std=(c|gnu)\\+\\+(11|14|17|20|2a|23|2b)"),
        Pattern("-D[A-Za-z_][A-Za-z0-9_]*(=[A-Za-z0-9_.+-]*)?"),
    };
    return list;
}

// Of nvcc. The architecture is the device's, and the default stream stays the one our events are ordered with.
const std::array<Pattern, 6> &cudaPatterns()
{
    static const std::array<Pattern, 6> list{
        Pattern("-O[0-3]"),
        Pattern("-std=c\\+\\+(14|17|20)"),
        Pattern("--?(use_fast_math|extra-device-vectorization|expt-relaxed-constexpr|expt-extended-lambda|"
                "extended-lambda|restrict)"),
        Pattern("--?(ftz|prec-div|prec-sqrt|fmad|rdc|relocatable-device-code)=(true|false)"),
        Pattern("--?(maxrregcount|split-compile)=[0-9]+"),
        Pattern("-D[A-Za-z_][A-Za-z0-9_]*(=[A-Za-z0-9_.+-]*)?"),
    };
    return list;
}

template <typename List>
bool matchesOne(const List &list, const std::string &word)
{
    return std::any_of(list.begin(), list.end(), [&](const Pattern &pattern) { return pattern.matches(word); });
}

} // namespace

bool isAllowedFlag(std::string_view flag, bool cuda)
{
    if (flag.size() > lengthLimit || flag.find('\0') != std::string_view::npos ||
        flag.find('\n') != std::string_view::npos)
        return false;
    const std::string word(flag);
    return cuda ? matchesOne(cudaPatterns(), word) : matchesOne(patterns(), word);
}

std::vector<std::string> defaultFlags(bool cuda)
{
    if (cuda)
        return {"-O3"};
    return {"-O3", "-march=native"};
}

std::vector<std::string> solutionFlags(const std::string &solution, bool cuda)
{
    std::error_code error;
    const std::string path = solution + "/build.json";
    if (!std::filesystem::is_directory(solution, error) || !std::filesystem::exists(path, error))
        return defaultFlags(cuda);
    const nlohmann::ordered_json value = parseStrictJson(readFile(path, Status::ProblemError), path);
    const JsonReader root(value, path);
    root.allowOnly({"flags"});
    const std::vector<JsonReader> flags = root.at("flags").elements();
    if (flags.size() > countLimit)
        root.at("flags").fail("more than 64 flags");
    for (const JsonReader &flag : flags) {
        if (!isAllowedFlag(flag.string(), cuda))
            flag.fail("the flag \"" + flag.string() +
                      (cuda ? "\" is not allowed: only -O, -std, -D, floating-point, -maxrregcount= and -rdc= flags are"
                            : "\" is not allowed: only optimisation, target, floating-point, OpenMP and -D flags are"));
    }
    return root.at("flags").strings();
}

bool flushesDenormals(const std::vector<std::string> &flags)
{
    return std::any_of(flags.begin(), flags.end(), [](const std::string &flag) {
        return flag == "-ffast-math" || flag == "-Ofast" || flag == "-funsafe-math-optimizations" ||
               flag == "--use_fast_math" || flag == "-use_fast_math" || flag == "-ftz=true" || flag == "--ftz=true";
    });
}

} // namespace ako::eval
