// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/buildflags.h"

#include <QCoreApplication>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ako::tuner {
namespace {

using Json = nlohmann::json;

// Flags with the same group replace each other; empty: no group.
std::string groupOf(const std::string &flag)
{
    if (flag.starts_with("-O"))
        return "-O";
    for (const char *group : {"-mprefer-vector-width=", "-maxrregcount="}) {
        if (flag.starts_with(group))
            return group;
    }
    return {};
}

} // namespace

const char *const reassociation = "-fassociative-math";

BuildFlags BuildFlags::parse(const std::string &json, bool onGpu)
{
    BuildFlags result;
    if (onGpu)
        result.flags = {"-O3"};
    const Json document = Json::parse(json, nullptr, false);
    if (!document.is_object() || !document.contains("flags") || !document["flags"].is_array())
        return result;
    result.flags.clear();
    for (const Json &flag : document["flags"]) {
        if (flag.is_string())
            result.flags.push_back(flag);
    }
    return result;
}

bool BuildFlags::contains(const std::string &flag) const
{
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

BuildFlags BuildFlags::with(const std::string &flag) const
{
    BuildFlags result = *this;
    const std::string group = groupOf(flag);
    std::erase_if(result.flags,
                  [&](const std::string &each) { return each == flag || (!group.empty() && groupOf(each) == group); });
    result.flags.push_back(flag);
    return result;
}

BuildFlags BuildFlags::without(const std::string &flag) const
{
    BuildFlags result = *this;
    std::erase(result.flags, flag);
    return result;
}

std::string BuildFlags::toJson(const std::string &previous) const
{
    Json document = Json::parse(previous, nullptr, false);
    if (!document.is_object())
        document = Json::object();
    document["flags"] = flags;
    return document.dump(2) + "\n";
}

const std::vector<FlagIdea> &flagIdeas(bool onGpu)
{
    static const std::vector<FlagIdea> gpuIdeas{
        {{"-use_fast_math"},
         0.06,
         QT_TRANSLATE_NOOP("Tuner", "divisions and mathematical functions become a few instructions")},
        {{"-maxrregcount=64"},
         0.02,
         QT_TRANSLATE_NOOP("Tuner", "a kernel takes fewer registers, so that more of its blocks run at once")},
        {{"-maxrregcount=32"},
         0.01,
         QT_TRANSLATE_NOOP("Tuner", "a kernel takes few registers, so that as many blocks as possible run at once")},
    };
    if (onGpu)
        return gpuIdeas;
    static const std::vector<FlagIdea> ideas{
        {{"-ffast-math"},
         0.06,
         QT_TRANSLATE_NOOP("Tuner", "sums may be reordered and mathematical functions computed for whole vectors")},
        {{reassociation, "-fno-signed-zeros", "-fno-trapping-math"},
         0.05,
         QT_TRANSLATE_NOOP("Tuner", "sums may be reordered, so that a whole vector of partial sums is kept")},
        {{"-mprefer-vector-width=512"}, 0.08, QT_TRANSLATE_NOOP("Tuner", "wider vectors do more in one instruction")},
        {{"-funroll-loops"},
         0.07,
         QT_TRANSLATE_NOOP("Tuner", "unrolled loops have less overhead and more independent instructions")},
        {{"-fno-math-errno"},
         0.05,
         QT_TRANSLATE_NOOP("Tuner", "functions that need not set errno can become single instructions")},
        {{"-fno-trapping-math"},
         0.05,
         QT_TRANSLATE_NOOP("Tuner", "branches with floating-point operations can become selections")},
        {{"-mprefer-vector-width=256"},
         0.03,
         QT_TRANSLATE_NOOP("Tuner", "narrower vectors keep the clock up and need less clean-up code")},
        {{"-fno-signed-zeros"}, 0.02, QT_TRANSLATE_NOOP("Tuner", "the sign of zero need not be kept")},
        {{"-fprefetch-loop-arrays"}, 0.02, QT_TRANSLATE_NOOP("Tuner", "data is asked for before it is needed")},
        {{"-fno-tree-vectorize"},
         0.01,
         QT_TRANSLATE_NOOP("Tuner", "short loops may lose more to the set-up of vectors than they win")},
    };
    return ideas;
}

} // namespace ako::tuner
