// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/cudakernels.h"
#include "agents/tuner/unit.h"
#include "agents/tuner/words.h"

#include <algorithm>
#include <array>

// Changes to CUDA kernels and to how they are launched.
namespace ako::tuner {
namespace {

constexpr long long largestBlock = 1024;               // threads, on every device
constexpr long long threadsOfOneMultiprocessor = 2048; // at most; fewer on some devices, where nvcc ignores the rest

bool isAssignment(std::string_view word)
{
    return isOneOf(word, {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"});
}

// Whether the pointer is used in the body for reading single elements and for nothing else.
bool isOnlyRead(const Source &source, const Function &function, const std::string &pointer)
{
    for (int i = function.body.tokens.first; i < function.body.tokens.last; ++i) {
        if (!source.is(i, pointer) || source.is(i - 1, ".") || source.is(i - 1, "->"))
            continue;
        const int behind = source.is(i + 1, "[") ? source.after(i + 1) : -1;
        const bool written = behind < 0 || isAssignment(source.view(behind)) || source.is(behind, ".") ||
                             source.is(behind, "->") || source.is(behind, "[") || source.is(i - 1, "&") ||
                             source.is(i - 1, "++") || source.is(i - 1, "--");
        // As an argument an element may be taken by reference.
        const bool isArgument = behind >= 0 && (source.is(behind, ",") || source.is(behind, ")")) &&
                                (source.is(i - 1, "(") || source.is(i - 1, ","));
        if (written || isArgument)
            return false;
    }
    return true;
}

bool holdsNumber(const Source &source, Range tokens, std::initializer_list<long long> numbers)
{
    for (int i = tokens.first; i < tokens.last; ++i) {
        for (const long long number : numbers) {
            if (source.is(i, std::to_string(number)))
                return true;
        }
    }
    return false;
}

} // namespace

void Catalogue::addCuda(const Unit &unit, Changes &changes) const
{
    addLaunchBounds(unit, changes);
    addBlockSizes(unit, changes);
    addConstPointers(unit, changes);
    addUnroll(unit, changes);
    addRestrict(unit, changes);
}

void Catalogue::addLaunchBounds(const Unit &unit, Changes &changes) const
{
    const Source &source = unit.source;
    const auto launches = launchesIn(source, unit.functions);
    for (const Function &kernel : unit.functions) {
        if (runsOn(source, kernel) != RunsOn::Kernel)
            continue;
        const auto size = blockSizeOf(source, launches, kernel);
        if (!size || (size->threads && *size->threads > largestBlock))
            continue;
        const int present = launchBounds(source, kernel);
        const std::string was =
            present < 0 ? std::string() : std::string(source.range(present + 2, source.partner(present + 1)));
        double gain = 0.05;
        for (const int blocks : {0, 2, 4, 3, 8}) {
            if (size->threads && *size->threads * blocks > threadsOfOneMultiprocessor)
                continue;
            const std::string bounds = size->expression + (blocks > 0 ? ", " + std::to_string(blocks) : std::string());
            if (bounds == was)
                continue;
            Change change;
            change.direction = "launch-bounds";
            change.key = "launch-bounds:" + source.path() + ":" + kernel.name + ":" + std::to_string(blocks);
            change.gain = gain;
            gain *= 0.7;
            const QString text = QStringLiteral("__launch_bounds__(%1)").arg(toQString(bounds));
            change.title = translated("%1 for %2()").arg(text, toQString(kernel.name));
            change.hypothesis =
                blocks == 0
                    ? translated("Told how many threads a block has, the compiler can give each as many registers as "
                                 "there are for so many, and needs to spill none.")
                    : translated("With at least %1 blocks on a multiprocessor at once, one computes while another "
                                 "waits for memory; each thread gets fewer registers for it.")
                          .arg(blocks);
            change.summary =
                translated("%1: %2 before %3()").arg(toQString(source.path()), text, toQString(kernel.name));
            const std::size_t name = source.token(kernel.nameToken).begin;
            const Edit edit = present < 0 ? Edit{name, name, text.toStdString() + " "}
                                          : Edit{source.token(present).begin,
                                                 source.token(source.partner(present + 1)).end, text.toStdString()};
            finish(unit, std::move(change), {edit}, changes);
        }
    }
}

// A number of threads that stands as such in a launch, and in the function that makes it.
void Catalogue::addBlockSizes(const Unit &unit, Changes &changes) const
{
    const Source &source = unit.source;
    const auto launches = launchesIn(source, unit.functions);
    for (const Function &caller : unit.functions) {
        std::optional<long long> threads;
        bool isPlain = false;
        for (const Launch &launch : launches) {
            if (launch.caller != &caller)
                continue;
            const bool isNumber =
                launch.block.last == launch.block.first + 1 && source.isKind(launch.block.first, TokenKind::Number);
            const long long value = isNumber ? std::atoll(std::string(source.view(launch.block.first)).c_str()) : 0;
            isPlain = value >= 32 && (!threads || *threads == value);
            threads = value;
            for (const Function &kernel : unit.functions) {
                isPlain =
                    isPlain && !(source.is(launch.kernel, kernel.name) &&
                                 (launchBounds(source, kernel) >= 0 ||
                                  holdsNumber(source, kernel.body.tokens, {value, value - 1, value / 2, value / 32})));
            }
            if (!isPlain)
                break;
        }
        if (!isPlain)
            continue;
        double gain = 0.12;
        for (const long long other : {256, 128, 512, 64, 1024}) {
            if (other == *threads)
                continue;
            std::vector<Edit> edits;
            for (int i = caller.body.tokens.first; i < caller.body.tokens.last; ++i) {
                for (const long long less : {0, 1}) {
                    if (source.is(i, std::to_string(*threads - less)))
                        edits.push_back({source.token(i).begin, source.token(i).end, std::to_string(other - less)});
                }
            }
            Change change;
            change.direction = "block:" + source.path() + ":" + caller.name;
            change.key = change.direction + "=" + std::to_string(other);
            change.from = *threads;
            change.to = other;
            change.gain = gain;
            gain *= 0.9;
            const QString name = translated("threads of a block in %1()").arg(toQString(caller.name));
            change.title = translated("%1 = %2 (was %3)").arg(name).arg(other).arg(*threads);
            change.hypothesis = whyAnother(name, other > *threads);
            change.summary =
                translated("%1: %2 changed from %3 to %4").arg(toQString(source.path()), name).arg(*threads).arg(other);
            finish(unit, std::move(change), edits, changes);
        }
    }
}

void Catalogue::addConstPointers(const Unit &unit, Changes &changes) const
{
    const Source &source = unit.source;
    for (const Function &kernel : unit.functions) {
        if (runsOn(source, kernel) != RunsOn::Kernel)
            continue;
        std::vector<Edit> edits;
        QStringList names;
        for (const Parameter &parameter : kernel.parameters) {
            const bool isConst = parameter.type.find("const") != std::string::npos;
            if (!parameter.isPointer || isConst || parameter.type.find("volatile") != std::string::npos ||
                !isOnlyRead(source, kernel, parameter.name))
                continue;
            const std::size_t begin = source.token(parameter.tokens.first).begin;
            edits.push_back({begin, begin, "const "});
            names << toQString(parameter.name);
        }
        Change change;
        change.direction = "const";
        change.key = "const:" + source.path() + ":" + kernel.name;
        change.gain = 0.04;
        change.title = translated("Declare what %1() only reads as const").arg(toQString(kernel.name));
        change.hypothesis = translated("What a kernel cannot write may be read through the cache for constant data, "
                                       "once its pointers are known not to overlap.");
        change.summary = translated("%1: const for %2 of %3()")
                             .arg(toQString(source.path()), names.join(QStringLiteral(", ")), toQString(kernel.name));
        finish(unit, std::move(change), edits, changes);
    }
}

} // namespace ako::tuner
