// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/correctness.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ako::eval {

namespace {

constexpr std::int64_t settleMicroseconds = 5000;
constexpr double enduranceSeconds = 0.5;

std::vector<InputRule> declaredRules(const Problem &problem, const Workload &workload)
{
    std::vector<InputRule> rules;
    for (const Tensor &tensor : problem.tensors) {
        if (tensor.isInput)
            rules.push_back(workload.inputs.at(tensor.name));
    }
    return rules;
}

std::string shortNumber(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

std::string indexText(const std::vector<std::int64_t> &index)
{
    std::string text;
    for (const std::int64_t value : index)
        text += (text.empty() ? "" : ", ") + std::to_string(value);
    return '[' + text + ']';
}

std::string describe(const Comparison &comparison, const Workload &workload, const std::string &label,
                     const std::string &output)
{
    const std::string where = "Workload " + workload.id + ", " + label + ": ";
    if (comparison.precisionLost)
        return where + output + " is within tolerance, but its error is " + shortNumber(comparison.rmsRatio) +
               " times what the reference loses (allowed: " + shortNumber(workload.tolerance.rmsFactor) + ").";
    if (!comparison.firstBad)
        return where + output + " is wrong.";
    return where + output + indexText(comparison.firstBad->index) + " is " + shortNumber(comparison.firstBad->got) +
           ", expected " + shortNumber(comparison.firstBad->expected) + " (" +
           shortNumber(100 * (1 - comparison.matchedRatio)) + " % of the elements are wrong).";
}

void merge(const Comparison &comparison, WorkloadCheck &check)
{
    check.maxAbs = std::max(check.maxAbs, comparison.maxAbs);
    check.maxRel = std::max(check.maxRel, comparison.maxRel);
    check.rmsRatio = std::max(check.rmsRatio, comparison.rmsRatio);
    check.cosine = std::min(check.cosine, comparison.cosine);
    check.matchedRatio = std::min(check.matchedRatio, comparison.matchedRatio);
    if (comparison.ulpMax)
        check.ulpMax = std::max(check.ulpMax.value_or(0), *comparison.ulpMax);
    if (!check.firstBad)
        check.firstBad = comparison.firstBad;
    if (!check.worstRow)
        check.worstRow = comparison.worstRow;
}

// Runs a workload's cases one after the other; stops at the first that fails.
class Checker
{
public:
    Checker(const Problem &problem, const Workload &workload, const CheckSettings &settings, const SecretSeed &seed,
            GoldenSource &golden, Contender &candidate)
        : m_workload(workload)
        , m_settings(settings)
        , m_seed(seed)
        , m_golden(golden)
        , m_candidate(candidate)
        , m_cases(problem, seed, settings.denormals)
    {
        m_outcome.check.id = workload.id;
    }

    CheckOutcome run()
    {
        const Case first = m_cases.declared(m_workload, 0);
        bool good = checkCase(first, settleMicroseconds) && checkRerun(first) &&
                    checkCase(m_cases.nudged(m_workload, first), 0);
        for (int index = 1; good && index < m_settings.seeds; ++index) {
            const bool isDeclared = index < m_settings.declaredSeeds;
            good = checkCase(isDeclared ? m_cases.declared(m_workload, std::uint64_t(index))
                                        : m_cases.rotated(m_workload, std::uint64_t(index)),
                             0);
        }
        if (good && m_settings.enduranceCalls > 0)
            checkEndurance();
        return std::move(m_outcome);
    }

private:
    std::uint64_t guardKey() { return m_seed.derive("guard/" + m_workload.id, m_guards++); }

    bool checkCase(const Case &what, std::int64_t settle)
    {
        const GoldenAnswer answer = m_golden.answer(what, guardKey());
        if (!answer.referenceValid) {
            if (what.label.find("rotated") == std::string::npos)
                throw Failure(Status::ReferenceError,
                              "Workload " + m_workload.id + ", " + what.label + ": " + answer.whyInvalid +
                                  ". Correct the reference, its golden, or the workload's tolerance.");
            m_outcome.check.skippedDistributions.push_back(what.label);
            return true;
        }
        m_candidate.limitCalls(m_golden.referenceMs(m_workload.id));
        m_candidate.prepare(orderFor(what, guardKey()));
        m_candidate.run({0}, settle);
        m_lastOutputs = m_candidate.outputs(0);
        return compareCase(answer, m_lastOutputs, m_workload, what.label, m_outcome);
    }

    bool checkRerun(const Case &what)
    {
        const auto before = std::move(m_lastOutputs);
        m_candidate.prepare(orderFor(what, guardKey()));
        m_candidate.run({0});
        if (m_candidate.outputs(0) != before)
            m_outcome.deterministic = false;
        return true;
    }

    // A kernel that behaves only for its first calls.
    void checkEndurance()
    {
        const std::int64_t begin = monotonicNs();
        for (int call = 0;
             call + 1 < m_settings.enduranceCalls && double(monotonicNs() - begin) * 1e-9 < enduranceSeconds; ++call) {
            m_candidate.prepare(orderFor(m_cases.declared(m_workload, 1000 + std::uint64_t(call)), guardKey()));
            m_candidate.run({0});
        }
        checkCase(m_cases.declared(m_workload, 999), 0);
    }

    const Workload &m_workload;
    const CheckSettings &m_settings;
    const SecretSeed &m_seed;
    GoldenSource &m_golden;
    Contender &m_candidate;
    CaseMaker m_cases;
    CheckOutcome m_outcome;
    std::vector<std::vector<unsigned char>> m_lastOutputs;
    std::uint64_t m_guards = 0;
};

// A golden answer in the type the kernel writes.
std::vector<unsigned char> bytesOf(const GoldenOutput &golden)
{
    if (!isFloating(golden.dtype))
        return golden.exact;
    std::vector<unsigned char> bytes(golden.values.size() * sizeOf(golden.dtype));
    for (std::size_t i = 0; i < golden.values.size(); ++i)
        storeFloating(golden.dtype, golden.values[i], bytes.data(), i);
    return bytes;
}

std::vector<unsigned char> shuffledBytes(const GoldenOutput &golden, std::uint64_t key)
{
    const std::vector<unsigned char> bytes = bytesOf(golden);
    const std::size_t size = sizeOf(golden.dtype);
    std::vector<std::size_t> order(bytes.size() / size);
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    RandomStream(key).shuffle(order);
    if (std::is_sorted(order.begin(), order.end())) // a few elements may fall back into place
        std::rotate(order.begin(), order.begin() + 1, order.end());
    std::vector<unsigned char> result;
    result.reserve(bytes.size());
    for (const std::size_t index : order)
        result.insert(result.end(), bytes.begin() + std::ptrdiff_t(index * size),
                      bytes.begin() + std::ptrdiff_t((index + 1) * size));
    return result;
}

// The first input that could be taken for the output, empty: none.
std::vector<unsigned char> inputLike(const GoldenOutput &golden, const Problem &problem, const Workload &workload,
                                     const Case &what)
{
    std::size_t input = 0;
    for (const Tensor &tensor : problem.tensors) {
        if (!tensor.isInput)
            continue;
        const auto count = static_cast<std::size_t>(elementsOf(tensor, workload.axes));
        const std::size_t bytes = count * sizeOf(tensor.dtype);
        if (tensor.dtype == golden.dtype && bytes == bytesOf(golden).size() && tensor.name != golden.name) {
            std::vector<unsigned char> data(bytes);
            const std::size_t row =
                tensor.shape.empty() ? 1 : static_cast<std::size_t>(shapeOf(tensor, workload.axes).back());
            fillInput({tensor.dtype, count, row, what.rules[input], keyOfInput(what.key, what.position, input), {}},
                      data.data());
            return data;
        }
        ++input;
    }
    return {};
}

} // namespace

Case CaseMaker::declared(const Workload &workload, std::uint64_t index) const
{
    Case result;
    result.key = m_seed.derive("case/" + workload.id, index);
    result.rules = declaredRules(m_problem, workload);
    result.label = "seed " + std::to_string(index);
    return result;
}

Case CaseMaker::rotated(const Workload &workload, std::uint64_t index) const
{
    Case result = declared(workload, index);
    RandomStream random(m_seed.derive("rotation/" + workload.id, index));
    std::size_t input = 0;
    for (const Tensor &tensor : m_problem.tensors) {
        if (!tensor.isInput)
            continue;
        InputRule &rule = result.rules[input++];
        const std::vector<Distribution> choices = rotationFor(tensor.dtype);
        Distribution choice = choices[random.below(choices.size())];
        if (choice == Distribution::Denormals && !m_denormals)
            choice = Distribution::Tiny;
        if (!tensor.vary || rule.distribution == Distribution::Stored)
            continue;
        rule = rotatedRule(rule, tensor.dtype, choice);
        result.label += ", " + tensor.name + " " + std::string(distributionName(choice));
    }
    result.label += " (rotated)";
    return result;
}

Case CaseMaker::nudged(const Workload &workload, const Case &original) const
{
    Case result = original;
    RandomStream random(m_seed.derive("nudge/" + workload.id));
    std::vector<std::size_t> counts;
    for (const Tensor &tensor : m_problem.tensors) {
        if (tensor.isInput)
            counts.push_back(static_cast<std::size_t>(elementsOf(tensor, workload.axes)));
    }
    result.label += ", one element changed";
    if (counts.empty())
        return result;
    result.nudgedInput = random.below(counts.size());
    result.nudgedIndex = random.below(counts[*result.nudgedInput]);
    return result;
}

bool compareCase(const GoldenAnswer &answer, const std::vector<std::vector<unsigned char>> &outputs,
                 const Workload &workload, const std::string &label, CheckOutcome &outcome)
{
    ++outcome.check.checks;
    for (std::size_t i = 0; i < answer.outputs.size(); ++i) {
        const Comparison comparison = compareOutput(answer.outputs[i], outputs[i].data(), workload.tolerance);
        merge(comparison, outcome.check);
        if (comparison.pass)
            continue;
        outcome.check.pass = false;
        outcome.status = comparison.precisionLost ? Status::Precision : Status::Incorrect;
        outcome.message = describe(comparison, workload, label, answer.outputs[i].name);
        return false;
    }
    return true;
}

CheckOutcome checkWorkload(const Problem &problem, const Workload &workload, const CheckSettings &settings,
                           const SecretSeed &seed, GoldenSource &golden, Contender &candidate)
{
    return Checker(problem, workload, settings, seed, golden, candidate).run();
}

std::string testChecker(const Problem &problem, const Workload &workload, const SecretSeed &seed, GoldenSource &golden)
{
    const CaseMaker cases(problem, seed);
    const Case first = cases.declared(workload, 0);
    const GoldenAnswer answer = golden.answer(first, seed.derive("selftest", 0));
    const GoldenAnswer other = golden.answer(cases.declared(workload, 500), seed.derive("selftest", 1));
    if (!answer.referenceValid)
        throw Failure(Status::ReferenceError, "Workload " + workload.id + ": " + answer.whyInvalid +
                                                  ". Correct the reference, its golden, or the workload's tolerance.");
    const auto mustFail = [&](const GoldenOutput &output, const std::string &kind, const char *words,
                              const std::vector<unsigned char> &bytes) {
        const auto &skipped = problem.selfTestSkip;
        if (bytes.empty() || std::find(skipped.begin(), skipped.end(), kind) != skipped.end())
            return;
        if (compareOutput(output, bytes.data(), workload.tolerance).pass)
            throw Failure(Status::ProblemWeak, "The check is too weak: for workload " + workload.id +
                                                   " it would accept " + words + " as " + output.name +
                                                   ". Use larger inputs or a tighter tolerance (or list \"" + kind +
                                                   "\" under selftest_skip where that is right).");
    };
    for (std::size_t i = 0; i < answer.outputs.size(); ++i) {
        const GoldenOutput &output = answer.outputs[i];
        const std::vector<unsigned char> own = bytesOf(output);
        mustFail(output, "zeros", "zeros", std::vector<unsigned char>(own.size()));
        if (own.size() > sizeOf(output.dtype))
            mustFail(output, "shuffled", "its own elements in another order",
                     shuffledBytes(output, seed.derive("shuffle", i)));
        mustFail(output, "other_seed", "the answer to other inputs", bytesOf(other.outputs[i]));
        mustFail(output, "input_copy", "a copy of an input", inputLike(output, problem, workload, first));
    }
    return "ok";
}

} // namespace ako::eval
