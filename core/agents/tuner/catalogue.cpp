// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tuner/unit.h"
#include "agents/tuner/words.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ako::tuner {

std::string loopKey(const Function &function, const Statement &loop)
{
    int ordinal = 0;
    for (const Statement *each : loopsOf(function.body)) {
        ordinal += each->variable == loop.variable ? 1 : 0;
        if (each->tokens.first == loop.tokens.first)
            break;
    }
    return function.name + ":" + loop.variable + "#" + std::to_string(ordinal);
}

QString loopName(const Source &source, const Function &function, const Statement &loop)
{
    return translated("loop over %1 in %2() (%3:%4)")
        .arg(toQString(loop.variable), toQString(function.name), toQString(source.path()))
        .arg(source.line(source.token(loop.tokens.first).begin));
}

int directiveBefore(const Source &source, const Statement &statement)
{
    const int before = statement.tokens.first - 1;
    return source.isKind(before, TokenKind::Directive) ? before : -1;
}

bool isInParallelRegion(const Source &source, const Function &function, const Statement &loop)
{
    const auto isShared = [&source](const Statement *each) {
        const int directive = directiveBefore(source, *each);
        const std::string_view text = source.view(directive);
        return text.find("omp parallel") != std::string_view::npos || text.find("omp for") != std::string_view::npos;
    };
    const auto around = enclosingLoops(function, loop);
    const auto inside = loopsOf(loop);
    return std::any_of(around.begin(), around.end(), isShared) || std::any_of(inside.begin(), inside.end(), isShared);
}

std::optional<Edit> lineBefore(const Source &source, const Statement &statement, const std::string &line)
{
    const std::size_t offset = source.token(statement.tokens.first).begin;
    const std::size_t start = source.lineStart(offset);
    const std::string indentation = source.indentation(offset);
    if (start + indentation.size() != offset)
        return std::nullopt;
    return Edit{start, start, indentation + line + source.lineBreak(offset)};
}

int depthOf(const Statement &statement)
{
    int deepest = 0;
    for (const Statement &child : statement.children)
        deepest = std::max(deepest, depthOf(child));
    return deepest + (statement.kind == Statement::Kind::For ? 1 : 0);
}

Catalogue::Catalogue(const Situation &situation)
    : m_situation(situation)
    , m_flags(BuildFlags::parse(buildText(), situation.contract.onGpu))
{
}

std::string Catalogue::buildText() const
{
    const auto found = m_situation.files.find(buildFile);
    return found == m_situation.files.end() ? std::string() : found->second;
}

bool isSourceFile(const std::string &path)
{
    static constexpr std::array<std::string_view, 12> endings{".c", ".cc", ".cpp", ".cxx", ".cu",  ".cuh",
                                                              ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp"};
    return std::any_of(endings.begin(), endings.end(),
                       [&path](std::string_view ending) { return path.ends_with(ending); });
}

std::vector<std::string> Catalogue::sources() const
{
    std::vector<std::string> result;
    for (const auto &[path, text] : m_situation.files) {
        if (isSourceFile(path) && !m_situation.restrictions.forbidsFile(path))
            result.push_back(path);
    }
    return result;
}

bool Catalogue::allowsFlag(const std::string &flag) const
{
    const Restrictions &restrictions = m_situation.restrictions;
    return !restrictions.noFlags && !restrictions.flags.contains(flag) && !restrictions.forbidsFile(buildFile) &&
           !(restrictions.noFastMath && (flag == "-ffast-math" || flag == "-use_fast_math"));
}

// Completes the change with the new contents; false when the edits or the flag cannot be had.
bool Catalogue::finish(const Unit &unit, Change change, const std::vector<Edit> &edits, Changes &changes,
                       const std::string &flag) const
{
    auto text = applyEdits(unit.source.text(), edits);
    if (edits.empty() || !text)
        return false;
    change.files[unit.source.path()] = std::move(*text);
    if (!flag.empty() && !m_flags.contains(flag)) {
        if (!allowsFlag(flag))
            return false;
        change.files[buildFile] = m_flags.with(flag).toJson(buildText());
        change.summary += translated("; %1 is added to solution/build.json").arg(toQString(flag));
    }
    changes.push_back(std::move(change));
    return true;
}

std::vector<Change> Catalogue::inFile(const std::string &path) const
{
    Changes changes;
    const Unit unit(path, m_situation.files.at(path));
    if (m_situation.contract.onGpu) { // what else is in the catalogue is for loops on a processor
        addCuda(unit, changes);
        addConstants(unit, changes);
        return changes;
    }
    addThreads(unit, changes);
    addSchedules(unit, changes);
    addSimd(unit, changes);
    addInterchange(unit, changes);
    addUnroll(unit, changes);
    addRestrict(unit, changes);
    addAlignment(unit, changes);
    addMath(unit, changes);
    addLiterals(unit, changes);
    addReciprocals(unit, changes);
    addConstants(unit, changes);
    return changes;
}

namespace {

constexpr long long largestBlock = 1024; // threads, on every CUDA device

// How many doublings lie between two sizes; of two as near the larger one is first.
double distance(long long value, long long from)
{
    return std::abs(std::log2(double(value) / double(from))) + (value < from ? 0.1 : 0);
}

// 32 threads are a warp: nothing to be tuned.
bool isOfTheDevice(const std::string &name)
{
    const QString upper = toQString(name).toUpper();
    return upper.contains(QLatin1String("WARP")) || upper.contains(QLatin1String("LANE"));
}

} // namespace

QString Catalogue::whyAnother(const QString &name, bool isLarger) const
{
    if (m_situation.contract.onGpu)
        return translated("%1 decides how the work is shared out among threads and blocks; how many of them fit a "
                          "multiprocessor at once is best measured.")
            .arg(name);
    return (isLarger ? translated("A larger %1 amortises loop overhead and lets longer vectors run; it pays as long as "
                                  "the data still fits in the caches (%2).")
                     : translated("A smaller %1 keeps more of the data in the caches (%2)."))
        .arg(name, toQString(m_situation.machine.summary()));
}

void Catalogue::addConstants(const Unit &unit, Changes &changes) const
{
    for (const TunableConstant &constant : findConstants(unit.source, unit.functions)) {
        double gain = constant.role == TunableConstant::Role::InnermostTile ? 0.6 : 0.02;
        if (constant.role == TunableConstant::Role::Tile)
            gain = 0.15;
        else if (constant.role == TunableConstant::Role::Named || constant.isListed)
            gain = std::max(gain, 0.12);
        if (m_situation.restrictions.noUnroll && constant.kind == TunableConstant::Kind::Pragma)
            continue;
        if (m_situation.contract.onGpu && !constant.isListed && isOfTheDevice(constant.name))
            continue;
        std::vector<long long> values = constant.values();
        if (m_situation.contract.onGpu) // neighbours first: beyond the best size both ways lead down
            std::stable_sort(values.begin(), values.end(), [&](long long a, long long b) {
                return distance(a, constant.value) < distance(b, constant.value);
            });
        for (const long long value : values) {
            if (m_situation.contract.onGpu && !constant.isListed && value > largestBlock)
                continue;
            Change change;
            change.direction = "constant:" + unit.source.path() + ":" + constant.name;
            change.key = change.direction + "=" + std::to_string(value);
            change.from = constant.value;
            change.to = value;
            change.gain = gain;
            gain *= 0.9;
            const QString name = toQString(constant.name);
            change.title = translated("%1 = %2 (was %3)").arg(name).arg(value).arg(constant.value);
            change.hypothesis = whyAnother(name, value > constant.value);
            change.summary = translated("%1:%2: %3 changed from %4 to %5")
                                 .arg(toQString(unit.source.path()))
                                 .arg(unit.source.line(constant.begin))
                                 .arg(name)
                                 .arg(constant.value)
                                 .arg(value);
            finish(unit, std::move(change), {{constant.begin, constant.end, std::to_string(value)}}, changes);
        }
    }
}

// Mathematical functions of which the C library has a version for whole vectors.
bool Catalogue::callsVectorFunctions() const
{
    for (const std::string &path : sources()) {
        const Source source(path, m_situation.files.at(path));
        for (int i = 0; i < source.size(); ++i) {
            const bool isKnown = isOneOf(source.view(i), {"exp", "expf", "log", "logf", "sin", "sinf", "cos", "cosf",
                                                          "pow", "powf", "tanh", "tanhf"});
            if (isKnown && source.is(i + 1, "("))
                return true;
        }
    }
    return false;
}

// Sums over a loop whose length is not fixed: only reordered can they use vectors.
bool Catalogue::hasLongSums() const
{
    for (const std::string &path : sources()) {
        const Unit unit(path, m_situation.files.at(path));
        for (const Function &function : unit.functions) {
            const Scope scope(unit.source, function);
            const Dependence dependence(scope, m_situation.contract);
            for (const Statement *loop : loopsOf(function.body)) {
                const LoopFacts facts = collectFacts(scope, *loop);
                if (loopsOf(*loop).size() == 1 && !facts.reductions.empty() && !dependence.hasFixedLength(*loop))
                    return true;
            }
        }
    }
    return false;
}

bool Catalogue::isWorthTrying(const FlagIdea &idea) const
{
    const std::string &first = idea.flags.front();
    const bool tooWide = first == "-mprefer-vector-width=512" && m_situation.machine.vectorBytes < 64;
    const bool ruledOut =
        !std::all_of(idea.flags.begin(), idea.flags.end(), [this](const auto &flag) { return allowsFlag(flag); }) ||
        (m_situation.restrictions.noUnroll && first.find("unroll") != std::string::npos) ||
        (m_situation.restrictions.noFastMath && first == reassociation);
    // -ffast-math includes these.
    const bool isIncluded =
        m_flags.contains("-ffast-math") &&
        (first == reassociation || isOneOf(first, {"-fno-math-errno", "-fno-trapping-math", "-fno-signed-zeros"}));
    return !tooWide && !ruledOut && !isIncluded && !m_flags.contains(first);
}

std::vector<Change> Catalogue::ofFlags() const
{
    Changes changes;
    const bool onGpu = m_situation.contract.onGpu;
    const bool callsFunctions = !onGpu && callsVectorFunctions();
    const bool longSums = !onGpu && hasLongSums();
    for (const FlagIdea &idea : flagIdeas(onGpu)) {
        if (!isWorthTrying(idea))
            continue;
        const std::string &first = idea.flags.front();
        BuildFlags built = m_flags;
        std::string all;
        for (const std::string &flag : idea.flags) {
            built = built.with(flag);
            all.append(all.empty() ? "" : " ").append(flag);
        }
        Change change;
        change.direction = "flags:" + first;
        change.key = change.direction;
        change.gain = first == "-ffast-math" && callsFunctions ? 0.9
                      : first == reassociation && longSums     ? 0.3
                                                               : idea.gain;
        change.title = translated("Compile with %1").arg(toQString(all));
        change.hypothesis = translated("With %1 %2.").arg(toQString(all), translated(idea.reason));
        change.summary = translated("solution/build.json: %1 added").arg(toQString(all));
        change.files[buildFile] = built.toJson(buildText());
        changes.push_back(std::move(change));
    }
    return changes;
}

} // namespace ako::tuner
