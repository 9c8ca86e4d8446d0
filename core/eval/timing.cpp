// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/timing.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ako::eval {

namespace {

constexpr double clockSpread = 0.02;  // of the GPU's clock within a round
constexpr std::size_t spareSlots = 4; // even a long call does not always find its data at the same place
constexpr double leastHiddenNs = 2e6;
constexpr std::size_t checksOfBatch = 4; // of calls that are timed together
constexpr const char *disagreement = "reports times that do not agree with the evaluator's own clock.";
constexpr const char *moreBesides = "takes more time besides its calls than what it is compared with, run after run.";

} // namespace

WorkloadTimer::WorkloadTimer(const Problem &problem, const Workload &workload, const TimingSettings &settings,
                             const SecretSeed &seed, GoldenSource *golden)
    : m_problem(problem)
    , m_workload(workload)
    , m_settings(settings)
    , m_seed(seed)
    , m_golden(golden)
    , m_random(seed.derive("rounds/" + workload.id, std::uint64_t(monotonicNs())))
{
    m_result.timing.id = workload.id;
    m_result.timing.weight = workload.weight;
    m_result.timing.axes = workload.axes;
    m_result.check.check.id = workload.id;
}

TimedWorkload WorkloadTimer::run(Contender &candidate, Contender *reference, Contender *champion)
{
    m_series.push_back({&candidate, false, {}, {}});
    for (Contender *other : {reference, champion}) {
        if (other)
            m_series.push_back({other, other == reference, {}, {}});
    }
    m_beginNs = monotonicNs();
    chooseBatch();
    bool correct = true;
    int inGeneration = 0;
    const auto roundsPerGeneration = std::uint64_t(m_settings.roundsPerGeneration); // as chosen for the batch
    std::uint64_t watched = m_random.below(roundsPerGeneration);
    takeRound(false); // warm-up
    while (correct && !finished()) {
        if (inGeneration == m_settings.roundsPerGeneration) {
            startGeneration();
            takeRound(false);
            watched = m_random.below(roundsPerGeneration);
            inGeneration = 0;
        }
        takeRound(true);
        ++inGeneration;
        // The last call of a worker is always looked at: a kernel that changes its mind has done so by then.
        if (isLookedAt(inGeneration == int(watched) + 1 || inGeneration == m_settings.roundsPerGeneration ||
                       finished()))
            correct = verify(m_lastBatch);
        else if (m_golden)
            correct = verifyUnanswered(m_lastBatch);
        if (m_settings.progress)
            m_settings.progress(double(m_series.front().milliseconds.size()) / double(m_settings.maximumPairs));
    }
    judgeClock();
    judgeRest();
    m_result.extraThread = candidate.computedWhileIdle();
    if (champion && champion != &candidate && champion->computedWhileIdle())
        champion->worker().fail(Status::ExtraThread, "used the CPU while others were measured.");
    summarise();
    return std::move(m_result);
}

void WorkloadTimer::chooseBatch()
{
    const WorkloadLayout single = makeLayout(m_problem, m_workload, false, 1);
    double fastestNs = m_settings.leastSampleNs;
    std::vector<Contender *> resting = contenders();
    std::erase_if(resting, [](const Contender *contender) { return contender->isRunning(); });
    for (Contender *contender : resting)
        contender->setLayout(single, 0);
    Contender::restartAll(resting);
    for (Series &series : m_series) {
        series.contender->setLayout(single, 0);
        for (int call = 0; call < 3; ++call) {
            Batch batch{{0}, 0};
            RunOutcome outcome;
            fastestNs = std::min(fastestNs, std::max(50.0, timeOnce(*series.contender, batch, outcome) * 1e6));
        }
        if (series.contender == m_series.front().contender)
            m_result.timing.firstCallMs = series.contender->firstCallMs();
    }
    const std::size_t fitting = std::max<std::size_t>(1, m_settings.memoryBytes / single.slotBytes());
    const int wanted = fastestNs >= m_settings.longEnoughNs ? 1 : int(std::ceil(m_settings.leastSampleNs / fastestNs));
    m_batch = int(std::min<std::size_t>(fitting, std::size_t(std::clamp(wanted, 1, m_settings.largestBatch))));
    m_slots = std::max<std::size_t>(
        std::size_t(m_batch), std::min(std::max(spareSlots, std::size_t(m_batch) * m_settings.slotsPerCall), fitting));
    m_result.timing.batch = m_batch;
    if (fastestNs < m_settings.briefNs)
        m_settings.roundsPerGeneration = std::min(m_settings.roundsPerGeneration, m_settings.briefRoundsPerGeneration);
    for (Series &series : m_series)
        series.contender->setLayout(makeLayout(m_problem, m_workload, false, m_slots), m_settings.evictBytes);
}

std::vector<Contender *> WorkloadTimer::contenders() const
{
    std::vector<Contender *> list;
    for (const Series &series : m_series) {
        if (std::find(list.begin(), list.end(), series.contender) == list.end()) // the same twice: in one process
            list.push_back(series.contender);
    }
    return list;
}

void WorkloadTimer::startGeneration()
{
    Contender::restartAll(contenders());
}

double WorkloadTimer::timeOnce(Contender &contender, Batch &batch, RunOutcome &outcome)
{
    if (batch.slots.empty()) {
        batch.slots.resize(m_slots);
        std::iota(batch.slots.begin(), batch.slots.end(), std::size_t(0));
        m_random.shuffle(batch.slots);
        batch.slots.resize(std::size_t(m_batch));
    }
    // A repeat gets fresh inputs: answers to the old ones may have been kept.
    do {
        contender.prepare(draw(batch));
        outcome = contender.attempt(batch.slots);
    } while (outcome.mustBeRepeated());
    return double(outcome.callNs) * 1e-6 / double(batch.slots.size());
}

PrepareOrder WorkloadTimer::draw(Batch &batch)
{
    batch.key = m_seed.derive("timed/" + m_workload.id, ++m_drawn);
    PrepareOrder order;
    order.slots = batch.slots;
    order.key = batch.key;
    order.guardKey = m_seed.derive("timed guard", m_drawn);
    for (const Tensor &tensor : m_problem.tensors) {
        if (tensor.isInput)
            order.rules.push_back(m_workload.inputs.at(tensor.name));
    }
    order.evict = m_settings.evictBytes > 0;
    return order;
}

void WorkloadTimer::takeRound(bool keep)
{
    std::vector<std::size_t> order(m_series.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    m_random.shuffle(order);
    std::vector<double> times(m_series.size()), clocks;
    std::vector<RunOutcome> outcomes(m_series.size());
    for (const std::size_t index : order) {
        Batch batch;
        RunOutcome &outcome = outcomes[index];
        times[index] = timeOnce(*m_series[index].contender, batch, outcome);
        if (outcome.device)
            clocks.push_back(outcome.device->clockMhz);
        if (index != 0)
            continue;
        m_lastBatch = batch;
        if (keep)
            watchClock(outcome);
    }
    if (!keep || !isSteady(clocks))
        return;
    for (std::size_t index = 0; index < m_series.size(); ++index) {
        m_series[index].milliseconds.push_back(times[index]);
        m_series[index].rest.waitedNs.push_back(double(outcomes[index].waitedNs));
        m_series[index].rest.copyNs.push_back(double(outcomes[index].copyNs));
        m_series[index].rest.readyNs.push_back(double(outcomes[index].readyNs));
        if (index == 0)
            continue;
        auto &logs = m_series[index].isReference ? m_result.referenceLogs : m_result.championLogs;
        logs.push_back(std::log(times[index] / times[0]));
    }
}

// Whether all of a round ran at one clock. Where none does any more, the rounds are taken as they are.
bool WorkloadTimer::isSteady(const std::vector<double> &clocks)
{
    if (clocks.empty() || m_droppedRounds > m_settings.maximumPairs / 2)
        return true;
    const auto [low, high] = std::minmax_element(clocks.begin(), clocks.end());
    const bool moved = *low > 0 && *high > *low * (1 + clockSpread);
    const bool steady = !moved && !(m_settings.throttled && m_settings.throttled());
    m_droppedRounds += !steady;
    return steady;
}

// Every leaving-out of a call pays where many are timed at once: so these are looked at in every round.
bool WorkloadTimer::isLookedAt(bool chosen) const
{
    const bool onGpu = std::as_const(*m_series.front().contender).worker().onGpu();
    return m_golden && (chosen || m_settings.checksAll || (m_batch > 1 && !onGpu));
}

bool WorkloadTimer::verify(const Batch &batch)
{
    const std::size_t count = batch.slots.size();
    if (!m_settings.checksAll) {
        for (std::size_t check = 0; check < std::min(count, checksOfBatch); ++check) {
            if (!verifyOutput(batch, m_random.below(count)))
                return false;
        }
        return true;
    }
    for (std::size_t position = 0; position < count; ++position) {
        if (!verifyOutput(batch, position))
            return false;
    }
    return true;
}

// Where an output still holds what it was poisoned with, the call is compared with the golden answer, which alone says
// whether that is wrong.
bool WorkloadTimer::verifyUnanswered(const Batch &batch)
{
    const WorkerProcess &worker = std::as_const(*m_series.front().contender).worker();
    if (worker.onGpu())
        return true; // its outputs stay there unless they are asked for
    for (std::size_t position = 0; position < batch.slots.size(); ++position) {
        if (worker.holdsPoison(batch.slots[position]))
            return verifyOutput(batch, position);
    }
    return true;
}

bool WorkloadTimer::verifyOutput(const Batch &batch, std::size_t position)
{
    const auto outputs = m_series.front().contender->outputs(batch.slots[position]);
    Case what = CaseMaker(m_problem, m_seed).declared(m_workload, 0);
    what.key = batch.key;
    what.position = position;
    const GoldenAnswer answer = m_golden->answer(what, m_seed.derive("verify guard", m_drawn));
    if (!answer.referenceValid)
        throw Failure(Status::ReferenceError,
                      "Workload " + m_workload.id + ", a timed call: " + answer.whyInvalid + '.');
    return compareCase(answer, outputs, m_workload, "a timed call", m_result.check);
}

Ratio WorkloadTimer::leadingRatio() const
{
    const auto &logs = m_result.championLogs.empty() ? m_result.referenceLogs : m_result.championLogs;
    return ratioFromLogs(logs, lookLevel);
}

bool WorkloadTimer::finished() const
{
    const int pairs = int(m_series.front().milliseconds.size());
    if (pairs < std::min(m_settings.minimumPairs, m_settings.maximumPairs))
        return false;
    if (double(monotonicNs() - m_beginNs) * 1e-9 > m_settings.capSeconds || pairs >= m_settings.maximumPairs)
        return true;
    if (m_series.size() == 1)
        return pairs >= looks[0];
    return mayStop(pairs, leadingRatio(), m_settings.margin);
}

// The worker's clock against what the parent sees: CPU time that the reported calls and snapshots do not account for,
// and reported time that did not pass. Scheduling delays of a busy machine touch neither.
void WorkloadTimer::watchClock(const RunOutcome &outcome)
{
    const WorkerProcess &worker = std::as_const(*m_series.front().contender).worker();
    const double reported = double(outcome.callNs + outcome.copyNs);
    m_reportedNs.push_back(reported);
    m_result.wallMs += reported * 1e-6;
    // On a GPU the host's part is preparing and waiting; what runs there is seen by other means.
    m_result.cpuMs += outcome.device ? 0 : double(worker.runCpuNs()) * 1e-6;
    m_hiddenCpuNs.push_back(outcome.device ? 0 : double(worker.runCpuNs()) - reported * m_settings.threads);
    if (outcome.device)
        watchDevice(*outcome.device);
    m_missingNs.push_back(reported - double(worker.wallNs()));
    m_cpuNs.push_back(double(outcome.cpuNs) / double(std::max(1, m_batch)));
}

void WorkloadTimer::watchDevice(const DeviceOutcome &outcome)
{
    m_hostNs.push_back(double(outcome.hostNs) / double(std::max(1, m_batch)));
    m_gapNs.push_back(double(outcome.gapNs));
    m_heldBack = outcome.heldBack;
    if (outcome.clockMhz > 0)
        m_clockMhz.push_back(outcome.clockMhz);
}

void WorkloadTimer::summariseDevice()
{
    if (m_hostNs.empty())
        return;
    DeviceTiming device;
    device.hostMs = medianOf(m_hostNs) * 1e-6;
    device.gapUs = medianOf(m_gapNs) * 1e-3;
    if (!m_clockMhz.empty()) {
        device.clockMhz = medianOf(m_clockMhz);
        device.lowClockMhz = *std::min_element(m_clockMhz.begin(), m_clockMhz.end());
        device.highClockMhz = *std::max_element(m_clockMhz.begin(), m_clockMhz.end());
    }
    device.droppedRounds = m_droppedRounds;
    device.heldBack = m_heldBack;
    m_result.timing.device = device;
}

void WorkloadTimer::judgeClock() const
{
    const double reported = medianOf(m_reportedNs);
    const double hidden = medianOf(m_hiddenCpuNs);
    if (hidden > std::max(leastHiddenNs, reported) || medianOf(m_missingNs) > 0.05 * reported + 1e5)
        m_series.front().contender->worker().fail(Status::Integrity, disagreement);
}

void WorkloadTimer::judgeRest() const
{
    const Series &candidate = m_series.front();
    if (candidate.contender->isOnGpu())
        return;
    const double bytes = double(m_batch) * double(makeLayout(m_problem, m_workload, false, 1).outputStride());
    const auto hides = [&](const Series &one, const Series &other) {
        return hidesTime(one.rest, other.rest, medianOf(one.milliseconds) * 1e6 * m_batch, bytes,
                         std::size_t(m_settings.roundsPerGeneration));
    };
    for (std::size_t index = 1; index < m_series.size(); ++index) {
        const Series &other = m_series[index];
        if (hides(candidate, other))
            candidate.contender->worker().fail(Status::Integrity, moreBesides);
        if (!other.isReference && hides(other, index == 1 ? candidate : m_series[1]))
            other.contender->worker().fail(Status::Integrity, moreBesides);
    }
}

void WorkloadTimer::summarise()
{
    WorkloadTiming &timing = m_result.timing;
    timing.pairs = int(m_series.front().milliseconds.size());
    timing.cpuMs = medianOf(m_cpuNs) * 1e-6;
    summariseDevice();
    for (const Series &series : m_series) {
        const TimeStats stats = statsOf(series.milliseconds);
        if (series.isReference)
            timing.reference = stats;
        else if (&series != &m_series.front())
            timing.champion = stats;
        else
            timing.solution = stats;
    }
    if (!m_result.referenceLogs.empty())
        timing.speedupReference = ratioFromLogs(m_result.referenceLogs, lookLevel);
    if (!m_result.championLogs.empty())
        timing.speedupChampion = ratioFromLogs(m_result.championLogs, lookLevel);
}

} // namespace ako::eval
