// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/cudakernels.h"
#include "agents/tuner/unit.h"

#include <algorithm>

// Changes to what the compiler may assume about pointers.
namespace ako::tuner {

// Whether every call in the file, or launch, passes pointers that are distinct parameters of the entry function or of
// one that is itself only called so.
bool Catalogue::isCalledWithDistinct(const Unit &unit, const Function &function, int depth) const
{
    constexpr int depthLimit = 4;
    const Source &source = unit.source;
    const auto launches = launchesIn(source, unit.functions);
    bool isCalled = false;
    for (int i = 0; i < source.size(); ++i) {
        const auto caller = std::find_if(unit.functions.begin(), unit.functions.end(), [i](const Function &each) {
            return i > each.body.tokens.first && i < each.body.tokens.last;
        });
        if (caller == unit.functions.end() || !source.isIdentifier(i) || !source.is(i, function.name))
            continue;
        int open = i + 1;
        while (source.is(i + 1, "<") && open < source.size() && !source.is(open, "(") && !source.is(open, ";"))
            ++open;
        const auto launch =
            std::find_if(launches.begin(), launches.end(), [i](const Launch &each) { return each.kernel == i; });
        if (launch != launches.end())
            open = launch->open;
        const Scope scope(source, *caller);
        const bool isDistinct =
            Dependence(scope, m_situation.contract).distinctParameters().allowed ||
            (depth < depthLimit && &*caller != &function && isCalledWithDistinct(unit, *caller, depth + 1));
        if (!source.is(open, "(") || !isDistinct)
            return false;
        std::set<std::string> arrays;
        int pointers = 0;
        int first = open + 1;
        std::size_t argument = 0;
        for (int j = first; j <= source.partner(open); j = j == source.partner(open) ? j + 1 : source.after(j)) {
            if (j != source.partner(open) && !source.is(j, ","))
                continue;
            const bool isPointer = argument < function.parameters.size() && function.parameters[argument].star >= 0;
            const auto place = isPointer ? scope.location({first, j}) : std::nullopt;
            if (isPointer && (!place || !scope.parameter(place->array)))
                return false;
            pointers += isPointer ? 1 : 0;
            if (place)
                arrays.insert(place->array);
            first = j + 1;
            ++argument;
        }
        isCalled = true;
        if (static_cast<int>(arrays.size()) != pointers)
            return false;
    }
    return isCalled;
}

void Catalogue::addRestrict(const Unit &unit, Changes &changes) const
{
    if (m_situation.restrictions.noRestrict)
        return;
    const bool onGpu = m_situation.contract.onGpu;
    const std::string word = onGpu ? "__restrict__" : "__restrict";
    for (const Function &function : unit.functions) {
        if (onGpu && runsOn(unit.source, function) == RunsOn::Host)
            continue;
        const Scope scope(unit.source, function);
        const bool isEntry = Dependence(scope, m_situation.contract).distinctParameters().allowed;
        std::vector<Edit> edits;
        int pointers = 0;
        for (const Parameter &parameter : function.parameters) {
            pointers += parameter.isPointer ? 1 : 0;
            if (!parameter.isPointer || parameter.isRestrict)
                continue;
            const std::size_t end = unit.source.token(parameter.star).end;
            const bool touches = unit.source.token(parameter.star + 1).begin == end;
            edits.push_back({end, end, touches ? word + " " : " " + word});
        }
        if (edits.empty() || pointers < 2 || !(isEntry || isCalledWithDistinct(unit, function)))
            continue;
        Change change;
        change.direction = "restrict";
        change.key = "restrict:" + unit.source.path() + ":" + function.name;
        change.gain = 0.12;
        change.title =
            translated("Tell the compiler that the buffers of %1() do not overlap").arg(toQString(function.name));
        change.hypothesis =
            onGpu ? translated("A store through one pointer cannot change what another one reads, so loads need not "
                               "wait for it, and what is const may come through the cache for constant data.")
                  : translated("A store through one pointer cannot change what another one reads, so values stay in "
                               "registers and loops need no run-time check before they are vectorised.");
        change.summary =
            translated("%1: %2 on the pointer parameters of %3(); problem.json makes them separate buffers")
                .arg(toQString(unit.source.path()), toQString(word), toQString(function.name));
        finish(unit, std::move(change), edits, changes);
    }
}

void Catalogue::addAlignment(const Unit &unit, Changes &changes) const
{
    const Source &source = unit.source;
    for (const Function &function : unit.functions) {
        const Scope scope(source, function);
        const int open = function.body.tokens.first;
        if (!Dependence(scope, m_situation.contract).distinctParameters().allowed ||
            source.range(open, function.body.tokens.last).find("__builtin_assume_aligned") != std::string_view::npos)
            continue;
        std::string lines;
        const std::string indentation = source.indentation(source.token(open + 1).begin);
        for (std::size_t i = 0; i < function.parameters.size(); ++i) {
            const Parameter &parameter = function.parameters[i];
            const auto stated = m_situation.contract.alignment.find(m_situation.contract.arguments[i]);
            if (!parameter.isPointer || parameter.isConstPointer || stated == m_situation.contract.alignment.end() ||
                stated->second < 16)
                continue;
            lines += source.lineBreak(source.token(open).begin) + indentation + parameter.name + " = static_cast<" +
                     parameter.type + " *>(__builtin_assume_aligned(" + parameter.name + ", " +
                     std::to_string(stated->second) + "));";
        }
        // The body has to begin on a line of its own.
        const bool ownLine = source.line(source.token(open).begin) < source.line(source.token(open + 1).begin);
        if (lines.empty() || !ownLine)
            continue;
        Change change;
        change.direction = "alignment";
        change.key = "alignment:" + source.path() + ":" + function.name;
        change.gain = 0.01;
        change.title =
            translated("Tell the compiler how the buffers of %1() are aligned").arg(toQString(function.name));
        change.hypothesis = translated("Vector loops over aligned buffers need no separate start.");
        change.summary = translated("%1: __builtin_assume_aligned at the start of %2(), as problem.json states")
                             .arg(toQString(source.path()), toQString(function.name));
        const std::size_t end = source.token(open).end;
        finish(unit, std::move(change), {{end, end, lines}}, changes);
    }
}

} // namespace ako::tuner
