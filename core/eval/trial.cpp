// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/trial.h"

#include "eval/cacheflush.h"
#include "eval/hash.h"
#include "eval/poison.h"
#include "eval/random.h"
#include "eval/runreporter.h"

#include <dirent.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cfenv>
#include <cstring>
#include <string>

namespace ako::eval {

namespace {

constexpr std::size_t lineBytes = 64, wordsPerLine = lineBytes / sizeof(std::uint64_t);
constexpr std::uint64_t evictStep = 0x9e3779b97f4a7c15;

// Before it is touched: a large cache takes a gigabyte to empty, which in small pages takes a second to make.
void preferLargePages(void *data, std::size_t bytes)
{
    constexpr std::uintptr_t page = 2 << 20;
    const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(data) % page) % page;
    if (bytes > before + page) // where there are none it takes longer
        madvise(static_cast<char *>(data) + before, (bytes - before) / page * page, MADV_HUGEPAGE);
}

// For this thread so far, without reading anything in.
std::int64_t pagesMade()
{
    rusage use = {};
    return getrusage(RUSAGE_THREAD, &use) == 0 ? use.ru_minflt : 0;
}

template <typename To, typename From>
void widen(const void *from, void *to, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        static_cast<To *>(to)[i] = static_cast<To>(static_cast<const From *>(from)[i]);
}

} // namespace

std::int64_t clockNs(clockid_t clock)
{
    timespec time{};
#if defined(__x86_64__)
    // The kernel under test shares this process; a system call made here cannot be replaced as a library's function
    // can.
    long result = SYS_clock_gettime;
    asm volatile("syscall" : "+a"(result) : "D"(long(clock)), "S"(&time) : "rcx", "r11", "memory");
#else
    clock_gettime(clock, &time);
#endif
    return std::int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

std::int64_t monotonicNs()
{
    return clockNs(CLOCK_MONOTONIC_RAW);
}

int threadCount()
{
    DIR *folder = opendir("/proc/self/task");
    if (!folder)
        return 0;
    int count = 0;
    while (const dirent *entry = readdir(folder))
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

Trial::Trial(WorkloadLayout layout, EntryFunction entry, std::size_t evictBytes)
    : m_layout(std::move(layout))
    , m_entry(entry)
    , m_evictWords(evictBytes / sizeof(std::uint64_t))
    , m_evict(std::make_unique_for_overwrite<std::uint64_t[]>(m_evictWords))
{
    preferLargePages(m_evict.get(), evictBytes);
    for (std::size_t line = 0; line < evictBytes / lineBytes; ++line)
        m_evict[line * wordsPerLine] = line * evictStep;
    for (std::size_t index = 0; index < m_layout.slots; ++index) {
        Slot slot;
        for (const BufferSpec &spec : m_layout.buffers) {
            slot.buffers.emplace_back(spec.bytes(), spec.align, !spec.isOutput);
            slot.pointers.push_back(slot.buffers.back().data());
        }
        slot.inputHashes.resize(m_layout.buffers.size());
        m_slots.push_back(std::move(slot));
    }
}

void Trial::prepare(const PrepareOrder &order)
{
    // A library built with -ffast-math lets its thread flush denormals: the inputs are what the golden gets all the
    // same.
    std::fenv_t theirs;
    std::fegetenv(&theirs);
    std::fesetenv(FE_DFL_ENV);
    m_guardKey = order.guardKey;
    for (std::size_t position = 0; position < order.slots.size(); ++position)
        fillSlot(order.slots[position], order.firstPosition + position, order);
    std::fesetenv(&theirs);
}

void Trial::fillSlot(std::size_t index, std::size_t position, const PrepareOrder &order)
{
    Slot &slot = m_slots.at(index);
    std::size_t input = 0;
    for (std::size_t i = 0; i < m_layout.buffers.size(); ++i) {
        const BufferSpec &spec = m_layout.buffers[i];
        GuardedBuffer &buffer = slot.buffers[i];
        buffer.fillGuards(m_guardKey + i);
        if (!spec.isInput) {
            std::memset(buffer.data(), poisonOf(spec), buffer.size());
            continue;
        }
        InputRequest request{
            spec.dtype, spec.count, spec.rowLength, order.rules.at(input), keyOfInput(order.key, position, input), {}};
        if (order.nudgedInput == input)
            request.nudge = order.nudgedIndex;
        fillInputBuffer(spec, request, buffer.data());
        slot.inputHashes[i] = quickHash(buffer.data(), buffer.size(), m_guardKey);
        ++input;
    }
}

void Trial::fillInputBuffer(const BufferSpec &spec, const InputRequest &request, void *data)
{
    if (spec.storage == spec.dtype)
        return fillInput(request, data);
    m_staging.resize(spec.count * sizeOf(spec.dtype)); // the golden gets the very numbers the kernel gets
    fillInput(request, m_staging.data());
    widen<double, float>(m_staging.data(), data, spec.count);
}

void Trial::flushBuffers(const std::vector<std::size_t> &slots) const
{
    for (const std::size_t slot : slots) {
        for (const GuardedBuffer &buffer : m_slots[slot].buffers)
            flushLines(buffer.data(), buffer.size());
    }
}

void Trial::evictCaches(std::size_t bytes)
{
    // Reading only: lines the fills left dirty are written back now and not on the kernel's account.
    const std::uint64_t lines = bytes / lineBytes;
    if (m_evictWords < lines * wordsPerLine)
        throw TouchedEvaluator();
    std::uint64_t sum = 0;
    for (std::size_t line = 0; line < lines; ++line)
        sum += m_evict[line * wordsPerLine];
    // Fewer pages, or the same one again and again, would evict nothing.
    if (lines > 0 && sum != lines * (lines - 1) / 2 * evictStep)
        throw TouchedEvaluator();
}

std::vector<iovec> Trial::partsOf(const Pieces &pieces) const
{
    std::vector<iovec> parts;
    parts.reserve(pieces.size());
    for (const Piece &piece : pieces)
        parts.push_back(
            {static_cast<char *>(m_slots[piece.slot].buffers[piece.buffer].data()) + piece.offset, piece.size});
    return parts;
}

RunOutcome Trial::run(const RunOrder &order, const RunReporter &reporter)
{
    // All that can be is made ready before the parent's clock starts.
    RunOutcome outcome;
    std::vector<void *const *> calls;
    calls.reserve(order.slots.size());
    for (const std::size_t slot : order.slots)
        calls.push_back(m_slots.at(slot).pointers.data());
    std::vector<std::vector<iovec>> snapshots;
    for (const Pieces &pieces : snapshotPlan(m_layout, order.slots, order.snapshotKey))
        snapshots.push_back(partsOf(pieces));
    const std::size_t paused = order.pausedAt.value_or(calls.size());
    const bool hasOutputs = !snapshots.empty();
    const auto part = [&](const std::vector<std::size_t> &slots, std::int64_t ns) {
        if (hasOutputs)
            reporter.stamp(StampType::Part, partsOf(lastPart(m_layout, slots, partKey(order.snapshotKey, ns))));
    };
    const auto *scalars = reinterpret_cast<const unsigned char(*)[8]>(m_layout.scalars.data());
    const std::int64_t *axes = m_layout.axes.data();
    const auto call = [&](std::size_t index) {
        if (const int error = m_entry(calls[index], axes, scalars); outcome.entryError == 0)
            outcome.entryError = error;
    };

    // From here to the first call nothing of the kernel's can run: no allocation, no output, no library's function that
    // it could have replaced.
    if (order.prepare) {
        prepare(*order.prepare);
        if (order.prepare->evict && canFlushLines())
            flushBuffers(order.slots);
        else if (order.prepare->evict)
            evictCaches(m_evictWords * sizeof(std::uint64_t));
    }
    reporter.say(FrameType::Ready);
    reporter.await(FrameType::Start);
    const std::int64_t cpuBefore = clockNs(CLOCK_PROCESS_CPUTIME_ID);
    reporter.stamp(StampType::Awake); // the next one then finds its way warm
    reporter.stamp(StampType::Begin);
    for (std::size_t index = 0; index < calls.size(); ++index) {
        call(index);
        if (index != paused)
            continue;
        part({order.slots[paused]}, reporter.stamp(StampType::Pause));
        reporter.stamp(StampType::Resume);
    }
    part(order.slots, reporter.stamp(StampType::End));
    outcome.cpuNs = clockNs(CLOCK_PROCESS_CPUTIME_ID) - cpuBefore;
    reporter.say(FrameType::Done);
    const std::int64_t pagesBefore = pagesMade();
    for (const std::vector<iovec> &parts : snapshots)
        reporter.stamp(StampType::Pieces, parts);
    reporter.stamp(StampType::Taken);
    outcome.pagesMade = pagesMade() - pagesBefore;
    // The parent may come to reading the CPU clock late; until then this thread must not use any.
    reporter.await(FrameType::GoOn);

    outcome.threads = threadCount();
    outcome.hashes.resize(m_layout.buffers.size());
    for (const std::size_t slot : order.slots)
        inspect(slot, outcome);
    return outcome;
}

void Trial::inspect(std::size_t index, RunOutcome &outcome) const
{
    const Slot &slot = m_slots[index];
    for (std::size_t i = 0; i < m_layout.buffers.size(); ++i) {
        const BufferSpec &spec = m_layout.buffers[i];
        const GuardedBuffer &buffer = slot.buffers[i];
        if (const auto side = buffer.damagedSide(m_guardKey + i); side && outcome.guard.empty())
            outcome.guard =
                (*side == GuardedBuffer::Side::Behind ? "behind the end of " : "before the beginning of ") + spec.name;
        if (spec.isInput && !spec.isOutput &&
            quickHash(buffer.data(), buffer.size(), m_guardKey) != slot.inputHashes[i])
            outcome.mutated = spec.name;
        if (spec.isOutput)
            outcome.hashes[i] = quickHash(buffer.data(), buffer.size(), outcome.hashes[i]);
    }
}

bool Trial::findGuard(std::uintptr_t address, int &bufferIndex, int &behind) const
{
    for (const Slot &slot : m_slots) {
        for (std::size_t i = 0; i < slot.buffers.size(); ++i) {
            if (const auto side = slot.buffers[i].sideOfFault(address)) {
                bufferIndex = int(i);
                behind = *side == GuardedBuffer::Side::Behind;
                return true;
            }
        }
    }
    return false;
}

} // namespace ako::eval
