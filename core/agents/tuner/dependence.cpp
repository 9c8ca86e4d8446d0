// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/dependence.h"

#include <algorithm>

namespace ako::tuner {
namespace {

constexpr int stepLimit = 2000; // of one proof; a sensible one takes a dozen

Permission allow()
{
    return {true, {}};
}

Permission refuse(std::string reason)
{
    return {false, std::move(reason)};
}

bool uses(const Source &source, Range range, const std::string &name)
{
    for (int i = range.first; i < range.last; ++i) {
        if (source.is(i, name))
            return true;
    }
    return false;
}

} // namespace

Dependence::Dependence(const Scope &scope, const Contract &contract)
    : m_scope(scope)
    , m_contract(contract)
{
}

std::set<std::string> Dependence::written(const LoopFacts &facts) const
{
    std::set<std::string> result;
    for (const Access &access : facts.accesses) {
        if (access.isWrite)
            result.insert(access.array);
    }
    return result;
}

Permission Dependence::distinctParameters() const
{
    const Function &function = m_scope.function();
    const bool isEntry = !m_contract.entry.empty() && function.name == m_contract.entry;
    return isEntry && m_contract.arguments.size() == function.parameters.size()
               ? allow()
               : refuse("nothing says that the pointers of " + function.name + "() are distinct");
}

// The array that is written shares no element with another array of the loop.
Permission Dependence::noAlias(const LoopFacts &facts, const std::string &array) const
{
    const Parameter *own = m_scope.parameter(array);
    if ((own && own->isRestrict) || (!own && !m_scope.declarations(array).empty()))
        return allow();
    const bool isDistinct = own && distinctParameters().allowed;
    for (const Access &access : facts.accesses) {
        if (access.array == array)
            continue;
        const Parameter *other = m_scope.parameter(access.array);
        const bool isLocal = !other && !m_scope.declarations(access.array).empty();
        if (!isLocal && !(isDistinct && other) && !(other && other->isRestrict))
            return refuse("\"" + array + "\" and \"" + access.array + "\" may overlap");
    }
    return allow();
}

std::optional<Polynomial> Dependence::stepOf(const Statement &loop) const
{
    return loop.step.isEmpty() ? std::optional(Polynomial(1)) : m_scope.polynomial(loop.step);
}

// The loop's own variable, and those of inner loops that run through its step: for (i = i0; i < min(i0 + T, n); ++i).
std::set<std::string> Dependence::derivedFrom(const Statement &loop, const LoopFacts &facts) const
{
    std::set<std::string> result{loop.variable};
    const auto step = stepOf(loop);
    if (!step)
        return result;
    const Polynomial next = Polynomial::variable(loop.variable) + *step;
    const auto runsThroughStep = [&](const Statement &inner) {
        const auto init = m_scope.polynomial(inner.init);
        const auto limits = m_scope.upperLimits(inner.bound);
        return !inner.inclusive && init && *init == Polynomial::variable(loop.variable) &&
               std::find(limits.begin(), limits.end(), next) != limits.end();
    };
    std::set<std::string> others;
    for (const Statement *inner : facts.nest) {
        if (inner != &loop)
            (runsThroughStep(*inner) ? result : others).insert(inner->variable);
    }
    for (const std::string &name : others)
        result.erase(name);
    return result;
}

// Whether value >= minimum for all values the loop variables take. Variables are replaced by their extreme, in turn.
bool Dependence::isProvably(const Polynomial &value, long long minimum, const std::vector<const Statement *> &loops,
                            int depth) const
{
    if (value.isTooLarge() || m_steps++ > stepLimit)
        return false;
    const auto &terms = value.terms();
    const bool noNegative = std::all_of(terms.begin(), terms.end(), [](const auto &term) { return term.second > 0; });
    const auto constantTerm = terms.find({});
    const long long constant = constantTerm == terms.end() ? 0 : constantTerm->second;
    const auto isVariable = [&loops](const std::string &name) {
        return std::any_of(loops.begin(), loops.end(), [&name](const auto *loop) { return loop->variable == name; });
    };
    const auto names = value.names();
    const auto found = std::find_if(names.begin(), names.end(), isVariable);
    if (found == names.end())
        return constant >= minimum && (noNegative || terms.size() == (constantTerm == terms.end() ? 0U : 1U));
    if (depth > 8)
        return false;
    const auto factor = value.coefficient(*found);
    if (!factor)
        return false;
    // Loops one after the other may share a variable: it has to hold for each of them.
    return std::all_of(loops.begin(), loops.end(), [&](const Statement *loop) {
        return loop->variable != *found || isProvablyIn(*loop, *factor, value, minimum, loops, depth);
    });
}

// The same with the variable of the loop at the end of its range that makes the value smallest.
bool Dependence::isProvablyIn(const Statement &loop, const Polynomial &factor, const Polynomial &value,
                              long long minimum, const std::vector<const Statement *> &loops, int depth) const
{
    const bool isPositive =
        std::all_of(factor.terms().begin(), factor.terms().end(), [](const auto &term) { return term.second > 0; });
    if (isPositive) {
        const auto lowest = m_scope.polynomial(loop.init);
        return lowest && isProvably(value.substituted(loop.variable, *lowest), minimum, loops, depth + 1);
    }
    if (!factor.constant())
        return false;
    const auto limits = m_scope.upperLimits(loop.bound);
    return std::any_of(limits.begin(), limits.end(), [&](const Polynomial &limit) {
        const Polynomial highest = loop.inclusive ? limit : limit - Polynomial(1);
        return isProvably(value.substituted(loop.variable, highest), minimum, loops, depth + 1);
    });
}

bool Dependence::isWithin(const Polynomial &rest, const Polynomial &stride,
                          const std::vector<const Statement *> &loops) const
{
    m_steps = 0;
    return isProvably(rest, 0, loops, 0) && isProvably(stride - Polynomial(1) - rest, 0, loops, 0);
}

// Different passes of the loop touch different elements of the array: every index is stride * k + rest + common, where
// k belongs to one pass alone, 0 <= rest < stride, and common is the same for all accesses and all passes.
Permission Dependence::disjoint(const Statement &loop, const LoopFacts &facts, const std::string &array) const
{
    std::set<std::string> varying;
    for (const Statement *each : facts.nest)
        varying.insert(each->variable);
    const std::set<std::string> keys = derivedFrom(loop, facts);
    const auto around = enclosingLoops(m_scope.function(), loop);
    std::vector<const Statement *> loops = facts.nest;
    loops.insert(loops.end(), around.begin(), around.end());
    const auto step = stepOf(loop);
    m_steps = 0;
    if (!step || !isProvably(*step, step->constant() ? 1 : 0, {}, 0))
        return refuse("its step is not known to be positive");

    std::optional<Polynomial> stride;
    std::optional<Polynomial> common;
    for (const Access &access : facts.accesses) {
        if (access.array != array)
            continue;
        if (!access.index)
            return refuse("an index of \"" + array + "\" is not a sum of products");
        const auto names = access.index->names();
        const auto key =
            std::find_if(keys.begin(), keys.end(), [&names](const auto &each) { return names.contains(each); });
        if (key == keys.end())
            return refuse("all its passes may touch the same elements of \"" + array + "\"");
        const auto factor = access.index->coefficient(*key);
        if (!factor || factor->names().contains(*key) || !factor->with(varying).isZero() ||
            (stride && *stride != *factor))
            return refuse("the passes are not evenly spaced in \"" + array + "\"");
        stride = factor;
        const Polynomial rest = *access.index - *factor * Polynomial::variable(*key);
        const Polynomial fixed = rest.without(varying);
        // Only the constant offset may differ between accesses; it then counts as rest.
        const Polynomial base = fixed - Polynomial(fixed.terms().contains({}) ? fixed.terms().at({}) : 0);
        if (common && *common != base)
            return refuse("two indices of \"" + array + "\" differ by a distance that is not known");
        common = base;
        if (!isWithin(rest - base, *stride, loops))
            return refuse("a pass may reach elements of \"" + array + "\" that belong to another pass");
    }
    return allow();
}

Permission Dependence::parallel(const Statement &loop) const
{
    const LoopFacts facts = collectFacts(m_scope, loop);
    if (!facts.refusal.empty())
        return refuse(facts.refusal);
    for (const std::string &array : written(facts)) {
        for (const Permission &each : {noAlias(facts, array), disjoint(loop, facts, array)}) {
            if (!each.allowed)
                return each;
        }
    }
    return written(facts).empty() && facts.reductions.empty() ? refuse("it writes nothing") : allow();
}

bool Dependence::hasFixedLength(const Statement &loop) const
{
    const auto init = m_scope.polynomial(loop.init);
    const auto bound = m_scope.polynomial(loop.bound);
    const auto length = init && bound ? std::optional(*bound - *init) : std::nullopt;
    if (!length)
        return false;
    for (const std::string &name : length->names()) {
        const auto around = loopsOf(m_scope.function().body);
        const bool isLoop =
            std::any_of(around.begin(), around.end(), [&](const auto *each) { return each->variable == name; });
        if (isLoop || m_scope.parameter(name))
            return false;
    }
    return true;
}

Permission Dependence::vectorise(const Statement &loop) const
{
    if (!loop.step.isEmpty())
        return refuse("its step is not 1");
    for (const Statement *inner : loopsOf(loop)) {
        if (inner != &loop && !hasFixedLength(*inner))
            return refuse("a loop inside it has no fixed length");
    }
    return parallel(loop);
}

Permission Dependence::interchange(const Statement &outer, const Statement &inner) const
{
    const Source &source = m_scope.source();
    if (outer.variable.empty() || inner.variable.empty() || onlyStatement(outer.body()) != &inner)
        return refuse("the inner loop is not the whole body of the outer one");
    for (const Range part : {inner.init, inner.bound, inner.step}) {
        const auto value = m_scope.polynomial(part);
        const auto limits = m_scope.upperLimits(part);
        const bool depends =
            std::any_of(limits.begin(), limits.end(), [&](const auto &each) { return each.contains(outer.variable); });
        if (!part.isEmpty() && (limits.empty() || depends || uses(source, part, outer.variable)))
            return refuse("the bounds of the inner loop may depend on the outer one");
    }
    const LoopFacts facts = collectFacts(m_scope, outer);
    if (!facts.refusal.empty())
        return refuse(facts.refusal);
    if (!facts.reductions.empty())
        return refuse("it carries \"" + facts.reductions.front().variable + "\" from pass to pass");
    for (const std::string &array : written(facts)) {
        if (const Permission alias = noAlias(facts, array); !alias.allowed)
            return alias;
        const Permission byOuter = disjoint(outer, facts, array);
        if (!byOuter.allowed && !disjoint(inner, facts, array).allowed)
            return byOuter;
    }
    return written(facts).empty() ? refuse("it writes nothing") : allow();
}

} // namespace ako::tuner
