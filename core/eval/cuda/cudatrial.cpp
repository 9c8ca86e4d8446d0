// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cuda/cudatrial.h"

#include <dlfcn.h>

#include <limits>
#include <new>
#include <stdexcept>

namespace ako::eval {

namespace {

// device.cu counts on these numbers.
static_assert(int(DType::Float64) == 0 && int(DType::Float32) == 1 && int(DType::Int64) == 2 &&
              int(DType::Int32) == 3 && int(DType::Int16) == 4 && int(DType::Int8) == 5 && int(DType::UInt8) == 6 &&
              int(DType::Bool) == 7 && int(DType::Float16) == 8 && int(DType::BFloat16) == 9 &&
              int(DType::Float8E4M3) == 10 && int(DType::Float8E5M2) == 11);
static_assert(int(Distribution::Normal) == 0 && int(Distribution::Uniform) == 1 &&
              int(Distribution::SignedUniform) == 2 && int(Distribution::Constant) == 3 &&
              int(Distribution::Tiny) == 4 && int(Distribution::Large) == 5 && int(Distribution::Sparse) == 6 &&
              int(Distribution::OneHot) == 7 && int(Distribution::Sorted) == 8 && int(Distribution::Denormals) == 9);

void throwIf(const char *problem)
{
    if (!problem)
        return;
    const std::string text = problem;
    if (text.starts_with("memory: "))
        throw std::bad_alloc();
    throw std::runtime_error(text);
}

AkoRule ruleFor(const InputRule &rule, InputKey key, std::int64_t nudge)
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return {int(rule.distribution),
            rule.mean,
            rule.std,
            rule.low.value_or(none),
            rule.high.value_or(none),
            rule.value,
            rule.density,
            key,
            nudge,
            nullptr};
}

std::string nameOf(const WorkloadLayout &layout, int buffer)
{
    return buffer < 0 ? std::string() : layout.buffers.at(std::size_t(buffer)).name;
}

} // namespace

AkoDeviceFacts DeviceLibrary::load(const std::string &path)
{
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        throw std::runtime_error(std::string("cannot be loaded: ") + dlerror());
    const auto get = reinterpret_cast<decltype(&ako_device_api)>(dlsym(library, "ako_device_api"));
    if (!get || get()->size != sizeof(AkoDeviceApi))
        throw std::runtime_error(path + ": is not the evaluator's device library");
    m_api = get();
    AkoDeviceFacts facts{};
    throwIf(m_api->open(&facts));
    return facts;
}

CudaTrial::CudaTrial(const DeviceLibrary &library, WorkloadLayout layout, AkoCudaEntry entry, unsigned char *shared,
                     bool flushes)
    : m_api(library.api())
    , m_layout(std::move(layout))
    , m_entry(entry)
    , m_shared(shared)
    , m_flushes(flushes)
{
    std::vector<AkoBuffer> buffers;
    buffers.reserve(m_layout.buffers.size());
    for (const BufferSpec &spec : m_layout.buffers)
        buffers.push_back(
            {spec.count, spec.rowLength, int(spec.dtype), int(spec.storage), int(spec.isInput), int(spec.isOutput)});
    throwIf(m_api.shape(buffers.data(), buffers.size(), m_layout.slots, m_flushes));
}

void CudaTrial::prepare(const PrepareOrder &order)
{
    m_guardKey = order.guardKey;
    m_flushPending = order.evict;
    m_staged.clear();
    std::vector<std::vector<AkoRule>> rules(order.slots.size());
    std::vector<AkoSlotOrder> slots;
    for (std::size_t position = 0; position < order.slots.size(); ++position) {
        std::size_t input = 0;
        for (const BufferSpec &spec : m_layout.buffers) {
            AkoRule rule{};
            if (spec.isInput) {
                const std::int64_t nudge =
                    order.nudgedInput == input ? std::int64_t(order.nudgedIndex % spec.count) : -1;
                rule =
                    ruleFor(order.rules.at(input), keyOfInput(order.key, order.firstPosition + position, input), nudge);
                if (order.rules.at(input).distribution == Distribution::Stored)
                    rule.stored = stage(spec, order, position, input);
                ++input;
            }
            rules[position].push_back(rule);
        }
        slots.push_back({order.slots[position], m_guardKey, rules[position].data()});
    }
    throwIf(m_api.prepare(slots.data(), slots.size()));
}

// Inputs from files are made here and copied.
const void *CudaTrial::stage(const BufferSpec &spec, const PrepareOrder &order, std::size_t position, std::size_t input)
{
    InputRequest request{spec.dtype,
                         spec.count,
                         spec.rowLength,
                         order.rules.at(input),
                         keyOfInput(order.key, order.firstPosition + position, input),
                         {}};
    if (order.nudgedInput == input)
        request.nudge = order.nudgedIndex;
    std::vector<unsigned char> data(spec.count * sizeOf(spec.dtype));
    fillInput(request, data.data());
    if (spec.storage == spec.dtype)
        return m_staged.emplace_back(std::move(data)).data();
    std::vector<unsigned char> &widened = m_staged.emplace_back(spec.bytes());
    for (std::size_t i = 0; i < spec.count; ++i)
        storeFloating(spec.storage, elementAsDouble(spec.dtype, data.data(), i), widened.data(), i);
    return widened.data();
}

AkoRunOrder CudaTrial::orderFor(const std::vector<std::uint64_t> &slots) const
{
    AkoRunOrder order{};
    order.entry = m_entry;
    order.axes = m_layout.axes.data();
    order.scalars = reinterpret_cast<const unsigned char(*)[8]>(m_layout.scalars.data());
    order.slots = slots.data();
    order.slotCount = slots.size();
    order.guardKey = m_guardKey;
    order.flush = m_flushPending;
    return order;
}

RunOutcome CudaTrial::outcomeOf(const AkoRunReport &report) const
{
    RunOutcome outcome;
    outcome.callNs = report.callNs;
    outcome.cpuNs = report.cpuNs;
    outcome.threads = threadCount();
    outcome.entryError = report.entryError;
    if (report.guardBuffer >= 0)
        outcome.guard = (report.guardBehind ? "behind the end of " : "before the beginning of ") +
                        nameOf(m_layout, report.guardBuffer);
    outcome.mutated = nameOf(m_layout, report.mutatedBuffer);
    outcome.changed = nameOf(m_layout, report.changedBuffer);
    outcome.device = DeviceOutcome{report.hostNs,
                                   report.waitNs,
                                   report.gapNs,
                                   report.clockMhz,
                                   report.heldBack != 0,
                                   report.launcherWaited != 0,
                                   report.limitChanged != 0,
                                   report.cudaError};
    return outcome;
}

RunOutcome CudaTrial::run(const std::vector<std::size_t> &slots, bool holdBack, bool snapshotFirst,
                          const std::function<void()> &onDone)
{
    const std::vector<std::uint64_t> numbers(slots.begin(), slots.end());
    AkoRunOrder order = orderFor(numbers);
    order.holdBack = holdBack;
    order.snapshotFirst = snapshotFirst;
    AkoRunReport report{};
    const auto done = [](void *context) { (*static_cast<const std::function<void()> *>(context))(); };
    throwIf(m_api.run(&order, done, const_cast<std::function<void()> *>(&onDone), &report));
    return outcomeOf(report);
}

RunOutcome CudaTrial::trace(const std::vector<std::size_t> &slots, Tracer &tracer, TraceReport &trace)
{
    return runBetween(slots, [&](bool begins) {
        if (begins)
            tracer.begin();
        else
            trace = tracer.end();
    });
}

RunOutcome CudaTrial::runBetween(const std::vector<std::size_t> &slots, const std::function<void(bool begins)> &around)
{
    const std::vector<std::uint64_t> numbers(slots.begin(), slots.end());
    AkoRunOrder order = orderFor(numbers);
    order.around = [](void *context, int begins) {
        (*static_cast<const std::function<void(bool)> *>(context))(begins != 0);
    };
    AkoRunReport report{};
    throwIf(m_api.run(&order, [](void *) {}, const_cast<std::function<void(bool)> *>(&around), &report));
    return outcomeOf(report);
}

void CudaTrial::fetch(std::size_t slot)
{
    for (std::size_t i = 0; i < m_layout.buffers.size(); ++i) {
        if (m_layout.buffers[i].isOutput)
            throwIf(m_api.fetch(slot, i, m_shared + m_layout.outputOffset(slot, i)));
    }
}

} // namespace ako::eval
