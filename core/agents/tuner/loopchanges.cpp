// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/cudakernels.h"
#include "agents/tuner/unit.h"

#include <algorithm>
#include <cmath>

// Changes to loops: threads, vectors, order, unrolling.
namespace ako::tuner {
namespace {

std::string reductionClauses(const LoopFacts &facts)
{
    std::string result;
    std::set<std::string> seen;
    for (const Reduction &each : facts.reductions) {
        if (seen.insert(each.variable).second)
            result += " reduction(" + each.operation + ":" + each.variable + ")";
    }
    return result;
}

// Copies for each thread of what it only reads: the compiler then keeps it in registers.
std::string privateClause(const Scope &scope, const LoopFacts &facts)
{
    std::string names;
    for (const std::string &name : facts.outerNames) {
        const Parameter *parameter = scope.parameter(name);
        const auto list = scope.declarations(name);
        const bool isLocal =
            list.size() == 1 && !parameter && !list.front().isConstexpr &&
            (list.front().kind == Declaration::Kind::Scalar || list.front().kind == Declaration::Kind::Pointer);
        const bool isValue = parameter && !parameter->isReference && list.empty() && !name.empty();
        const auto isWritten = std::any_of(facts.reductions.begin(), facts.reductions.end(),
                                           [&name](const auto &each) { return each.variable == name; });
        if ((isLocal || isValue) && !isWritten && !scope.isAssigned(name))
            names += (names.empty() ? "" : ", ") + name;
    }
    return names.empty() ? names : " firstprivate(" + names + ")";
}

// Elements next to each other count for the variable, elements far apart against it.
int contiguity(const LoopFacts &facts, const std::string &variable)
{
    int result = 0;
    for (const Access &access : facts.accesses) {
        const auto factor = access.index ? access.index->coefficient(variable) : std::nullopt;
        if (factor && !factor->isZero())
            result += factor->constant() == 1 ? 1 : -1;
    }
    return result;
}

} // namespace

void Catalogue::addThreads(const Unit &unit, Changes &changes) const
{
    if (m_situation.restrictions.noThreads || m_situation.machine.cores < 2)
        return;
    const double ideal = std::log(static_cast<double>(std::min(m_situation.machine.cores, 64)));
    for (const Function &function : unit.functions) {
        const Scope scope(unit.source, function);
        const Dependence dependence(scope, m_situation.contract);
        const auto loops = loopsOf(function.body);
        int deepest = 1;
        for (const Statement *loop : loops)
            deepest = std::max(deepest, depthOf(*loop));
        for (const Statement *loop : loops) {
            const int directive = directiveBefore(unit.source, *loop);
            const std::string_view present = unit.source.view(directive);
            const std::size_t simd = present.find("omp simd");
            if ((directive >= 0 && simd == std::string_view::npos) ||
                isInParallelRegion(unit.source, function, *loop) || !dependence.parallel(*loop).allowed)
                continue;
            const auto around = enclosingLoops(function, *loop);
            const LoopFacts facts = collectFacts(scope, *loop);
            const std::string clauses = reductionClauses(facts) + privateClause(scope, facts);
            Change change;
            change.direction = "threads";
            change.key = "threads:" + unit.source.path() + ":" + loopKey(function, *loop);
            const double share = depthOf(*loop) + static_cast<double>(around.size()) >= deepest ? 0.85 : 0.05;
            change.gain = ideal * share * std::pow(0.25, static_cast<double>(around.size()));
            change.title = translated("Share the %1 between threads").arg(loopName(unit.source, function, *loop));
            change.hypothesis =
                translated("The passes of this loop write different elements and depend on nothing of each other, "
                           "so %n core(s) can work on them at the same time.")
                    .replace(QLatin1String("%n"), QString::number(m_situation.machine.cores));
            const std::string pragma = "#pragma omp parallel for" + clauses;
            change.summary =
                translated("%1 before the %2").arg(toQString(pragma), loopName(unit.source, function, *loop));
            if (directive >= 0) {
                const std::size_t begin = unit.source.token(directive).begin + simd;
                finish(unit, std::move(change),
                       {{begin, begin + 8, "omp parallel for simd" + privateClause(scope, facts)}}, changes,
                       "-fopenmp");
            } else if (const auto edit = lineBefore(unit.source, *loop, pragma)) {
                finish(unit, std::move(change), {*edit}, changes, "-fopenmp");
            }
        }
    }
}

// Other ways to share a loop that is shared already.
void Catalogue::addSchedules(const Unit &unit, Changes &changes) const
{
    if (m_situation.restrictions.noThreads)
        return;
    for (const Function &function : unit.functions) {
        const Scope scope(unit.source, function);
        const Dependence dependence(scope, m_situation.contract);
        for (const Statement *loop : loopsOf(function.body)) {
            const int directive = directiveBefore(unit.source, *loop);
            const std::string_view text = unit.source.view(directive);
            if (text.find("omp parallel for") == std::string_view::npos || text.find("\\") != std::string_view::npos)
                continue;
            const std::size_t end = unit.source.token(directive).end;
            const auto add = [&](const std::string &clause, double gain, const QString &why) {
                Change change;
                change.direction = "schedule";
                change.key = "schedule:" + unit.source.path() + ":" + loopKey(function, *loop) + ":" + clause;
                change.gain = gain;
                change.title =
                    translated("%1 for the %2").arg(toQString(clause), loopName(unit.source, function, *loop));
                change.hypothesis = why;
                change.summary = translated("clause %1 added to the pragma").arg(toQString(clause));
                finish(unit, std::move(change), {{end, end, " " + clause}}, changes);
            };
            if (text.find("schedule(") == std::string_view::npos) {
                add("schedule(dynamic)", 0.05,
                    translated(
                        "Parts of unequal cost are shared more evenly when a thread that is done takes the next one."));
                add("schedule(static, 1)", 0.03,
                    translated("Threads that work next to each other share what they read."));
            }
            const Statement *inner = onlyStatement(loop->body());
            if (text.find("collapse") == std::string_view::npos && inner && inner->kind == Statement::Kind::For &&
                dependence.parallel(*inner).allowed && dependence.interchange(*loop, *inner).allowed)
                add("collapse(2)", 0.04,
                    translated("Two loops together give more and smaller parts to share between threads."));
        }
    }
}

void Catalogue::addSimd(const Unit &unit, Changes &changes) const
{
    if (m_situation.restrictions.noSimd)
        return;
    for (const Function &function : unit.functions) {
        const Scope scope(unit.source, function);
        const Dependence dependence(scope, m_situation.contract);
        for (const Statement *loop : loopsOf(function.body)) {
            if (directiveBefore(unit.source, *loop) >= 0 || !dependence.vectorise(*loop).allowed)
                continue;
            const LoopFacts facts = collectFacts(scope, *loop);
            // Sums over a few elements inside a loop that is itself a candidate are better left scalar.
            const auto around = enclosingLoops(function, *loop);
            const bool isInner = std::any_of(around.begin(), around.end(),
                                             [&](const auto *each) { return dependence.vectorise(*each).allowed; });
            Change change;
            change.direction = "simd";
            change.key = "simd:" + unit.source.path() + ":" + loopKey(function, *loop);
            change.gain = isInner ? 0.01 : facts.reductions.empty() ? 0.1 : 0.25;
            change.title = translated("Vectorise the %1").arg(loopName(unit.source, function, *loop));
            change.hypothesis =
                translated(
                    "Told that passes are independent, the compiler puts several of them into one %1-bit vector.")
                    .arg(m_situation.machine.vectorBytes * 8);
            const std::string pragma = "#pragma omp simd" + reductionClauses(facts);
            change.summary =
                translated("%1 before the %2").arg(toQString(pragma), loopName(unit.source, function, *loop));
            if (const auto edit = lineBefore(unit.source, *loop, pragma))
                finish(unit, std::move(change), {*edit}, changes,
                       m_flags.contains("-fopenmp") ? "-fopenmp" : "-fopenmp-simd");
        }
    }
}

void Catalogue::addInterchange(const Unit &unit, Changes &changes) const
{
    if (m_situation.restrictions.noInterchange)
        return;
    const Source &source = unit.source;
    for (const Function &function : unit.functions) {
        const Scope scope(source, function);
        const Dependence dependence(scope, m_situation.contract);
        for (const Statement *outer : loopsOf(function.body)) {
            const Statement *inner = outer->variable.empty() ? nullptr : onlyStatement(outer->body());
            if (!inner || inner->kind != Statement::Kind::For || directiveBefore(source, *outer) >= 0 ||
                !dependence.interchange(*outer, *inner).allowed)
                continue;
            const LoopFacts facts = collectFacts(scope, *outer);
            const int better = contiguity(facts, outer->variable) - contiguity(facts, inner->variable);
            const bool isInnermost = loopsOf(*inner).size() == 1;
            Change change;
            change.direction = "interchange";
            const std::string pair =
                std::min(outer->variable, inner->variable) + "," + std::max(outer->variable, inner->variable);
            change.key = "interchange:" + source.path() + ":" + function.name + ":" + pair + ":" + outer->variable;
            change.gain = isInnermost ? (better > 0 ? 1.2 : better < 0 ? 0.005 : 0.02) : 0.03;
            change.title =
                translated("Loop %1 inside loop %2").arg(toQString(outer->variable), toQString(inner->variable));
            change.hypothesis =
                better > 0 && isInnermost
                    ? translated("With %1 innermost, neighbouring passes use neighbouring elements: whole vectors, "
                                 "whole cache lines.")
                          .arg(toQString(outer->variable))
                    : translated("The other order of the two loops may reuse more of what is in the caches.");
            change.summary = translated("the %1 and the loop over %2 inside it change places")
                                 .arg(loopName(source, function, *outer), toQString(inner->variable));
            const auto edit = [&](const Statement &at, const Statement &with) {
                return Edit{source.token(at.header.first).begin, source.token(at.header.last - 1).end,
                            std::string(source.range(with.header.first, with.header.last))};
            };
            finish(unit, std::move(change), {edit(*outer, *inner), edit(*inner, *outer)}, changes);
        }
    }
}

void Catalogue::addUnroll(const Unit &unit, Changes &changes) const
{
    if (m_situation.restrictions.noUnroll)
        return;
    const bool onGpu = m_situation.contract.onGpu;
    for (const Function &function : unit.functions) {
        if (onGpu && runsOn(unit.source, function) == RunsOn::Host)
            continue;
        const Scope scope(unit.source, function);
        const Dependence dependence(scope, m_situation.contract);
        for (const Statement *loop : loopsOf(function.body)) {
            const bool isFixed = !loop->variable.empty() && dependence.hasFixedLength(*loop);
            const bool isInnermost = loopsOf(*loop).size() == 1;
            if (loop->variable.empty() || directiveBefore(unit.source, *loop) >= 0 || !(isInnermost || isFixed))
                continue;
            // A short loop of fixed length disappears as a whole, or the loop around it cannot be vectorised.
            const std::string whole = onGpu ? "#pragma unroll" : "#pragma GCC unroll 16";
            const std::string part = onGpu ? "#pragma unroll 4" : "#pragma GCC unroll 4";
            const std::string &pragma = isFixed ? whole : part;
            Change change;
            change.direction = "unroll";
            change.key = "unroll:" + unit.source.path() + ":" + loopKey(function, *loop);
            change.gain = onGpu ? (isFixed ? 0.04 : 0.08) : (isInnermost ? 0.06 : 0.03);
            change.title = translated("Unroll the %1").arg(loopName(unit.source, function, *loop));
            change.hypothesis =
                onGpu ? translated("Several passes at once put several loads on their way before the first is waited "
                                   "for, and have less loop overhead.")
                      : translated("Several passes at once have less loop overhead and more independent instructions.");
            change.summary =
                translated("%1 before the %2").arg(toQString(pragma), loopName(unit.source, function, *loop));
            if (const auto edit = lineBefore(unit.source, *loop, pragma))
                finish(unit, std::move(change), {*edit}, changes);
        }
    }
}

} // namespace ako::tuner
