// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/goldensource.h"

#include <algorithm>
#include <cstring>

namespace ako::eval {

PrepareOrder orderFor(const Case &what, std::uint64_t guardKey)
{
    PrepareOrder order;
    order.slots = {0};
    order.firstPosition = what.position;
    order.key = what.key;
    order.guardKey = guardKey;
    order.rules = what.rules;
    order.nudgedInput = what.nudgedInput;
    order.nudgedIndex = what.nudgedIndex;
    return order;
}

GoldenSource::GoldenSource(Contender reference, std::optional<Contender> golden)
    : m_reference(std::move(reference))
    , m_golden(std::move(golden))
{
    std::vector<Contender *> both{&m_reference};
    if (m_golden)
        both.push_back(&*m_golden);
    Contender::restartAll(both);
}

void GoldenSource::setWorkload(const Problem &problem, const Workload &workload)
{
    m_problem = &problem;
    m_workload = &workload;
    m_reference.setLayout(makeLayout(problem, workload, false, 1), 0);
    if (m_golden)
        m_golden->setLayout(makeLayout(problem, workload, true, 1), 0);
}

std::vector<std::vector<unsigned char>> GoldenSource::compute(Contender &contender, const Case &what,
                                                              std::uint64_t guardKey)
{
    contender.prepare(orderFor(what, guardKey));
    const RunOutcome outcome = contender.run({0});
    double &longest = m_referenceMs[m_workload->id];
    if (contender.role() == Role::Reference)
        longest = std::max(longest, double(outcome.callNs) * 1e-6);
    return contender.outputs(0);
}

double GoldenSource::referenceMs(const std::string &workload) const
{
    const auto known = m_referenceMs.find(workload);
    return known == m_referenceMs.end() ? 0 : known->second;
}

GoldenAnswer GoldenSource::answer(const Case &what, std::uint64_t guardKey)
{
    const auto reference = compute(m_reference, what, guardKey);
    const auto golden = m_golden ? compute(*m_golden, what, guardKey) : reference;
    GoldenAnswer answer;
    std::size_t index = 0;
    for (const Tensor &tensor : m_problem->tensors) {
        if (!tensor.isOutput)
            continue;
        GoldenOutput output;
        output.name = tensor.name;
        output.dtype = tensor.dtype;
        output.shape = shapeOf(tensor, m_workload->axes);
        output.hasGolden = m_golden.has_value();
        if (!isFloating(tensor.dtype)) {
            output.exact = reference[index];
        } else {
            const DType storage = m_golden ? DType::Float64 : tensor.dtype;
            output.values.resize(golden[index].size() / sizeOf(storage));
            for (std::size_t i = 0; i < output.values.size(); ++i)
                output.values[i] = elementAsDouble(storage, golden[index].data(), i);
        }
        const Comparison own = rateReference(output, reference[index].data(), m_workload->tolerance);
        if (!own.pass || !allFinite(output)) {
            answer.referenceValid = false;
            answer.whyInvalid = !own.pass ? "the reference misses its own golden answer in " + output.name
                                          : "the reference's " + output.name + " is not finite";
        }
        answer.outputs.push_back(std::move(output));
        ++index;
    }
    return answer;
}

} // namespace ako::eval
