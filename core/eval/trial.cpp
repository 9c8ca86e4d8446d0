// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/trial.h"

#include "eval/hash.h"
#include "eval/random.h"

#include <dirent.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace ako::eval {

namespace {

constexpr std::int64_t escapeWindowMicroseconds = 3000, escapeEnoughNs = 1'500'000;
constexpr int escapeWindows = 100; // at most, on a busy machine

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

void sleepMicroseconds(std::int64_t count)
{
    timespec rest{time_t(count / 1'000'000), long(count % 1'000'000 * 1000)};
    while (nanosleep(&rest, &rest) != 0) {}
}

// CPU time of all threads but this one, those that have ended as well.
std::int64_t othersCpuNs()
{
    return clockNs(CLOCK_PROCESS_CPUTIME_ID) - clockNs(CLOCK_THREAD_CPUTIME_ID);
}

// Whether another thread runs or waits for its turn.
bool othersWantCpu()
{
    std::error_code error;
    const std::string self = std::to_string(syscall(SYS_gettid));
    for (auto task = std::filesystem::directory_iterator("/proc/self/task", error);
         !error && task != std::filesystem::directory_iterator(); task.increment(error)) {
        std::ifstream file(task->path() / "stat");
        std::string line;
        std::getline(file, line); // "number (name) state …"; the name may hold anything
        const std::size_t name = line.rfind(") ");
        if (task->path().filename() != self && name != std::string::npos && line[name + 2] == 'R')
            return true;
    }
    return false;
}

// A thread that still writes the output, a little ahead of a copy that starts at its front, would go unseen.
void copyInSecretOrder(unsigned char *to, const void *source, std::size_t bytes, std::uint64_t key)
{
    const auto *from = static_cast<const unsigned char *>(source);
    constexpr std::size_t parts = 64; // an odd stride visits each of them
    const std::size_t size = std::max<std::size_t>((bytes / parts + 63) / 64 * 64, 256);
    const std::size_t stride = (key % parts) | 1, first = key / parts % parts;
    for (std::size_t i = 0; i < parts; ++i) {
        const std::size_t begin = (first + i * stride) % parts * size;
        if (begin < bytes)
            std::memcpy(to + begin, from + begin, std::min(size, bytes - begin));
    }
}

template <typename To, typename From>
void widen(const void *from, void *to, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        static_cast<To *>(to)[i] = static_cast<To>(static_cast<const From *>(from)[i]);
}

} // namespace

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

Trial::Trial(WorkloadLayout layout, EntryFunction entry, unsigned char *shared, std::size_t evictBytes)
    : m_layout(std::move(layout))
    , m_entry(entry)
    , m_shared(shared)
    , m_evict(evictBytes, 1)
{
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
    m_guardKey = order.guardKey;
    for (std::size_t position = 0; position < order.slots.size(); ++position)
        fillSlot(order.slots[position], order.firstPosition + position, order);
    if (order.evict)
        evictCaches();
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
            std::memset(buffer.data(), isFloating(spec.storage) ? 0xff : 0xa5, buffer.size()); // 0xff…: NaN
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

void Trial::evictCaches()
{
    // Reading only: lines the fills left dirty are written back now and not on the kernel's account.
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < m_evict.size(); i += 64)
        sum += m_evict[i];
    m_evictSum += sum;
    asm volatile("" : : "r"(m_evictSum) : "memory");
}

RunOutcome Trial::run(const std::vector<std::size_t> &slots, std::int64_t settleMicroseconds,
                      const std::function<void()> &onDone)
{
    RunOutcome outcome;
    const auto *scalars = reinterpret_cast<const unsigned char(*)[8]>(m_layout.scalars.data());
    const std::int64_t cpuBefore = clockNs(CLOCK_PROCESS_CPUTIME_ID);
    for (const std::size_t index : slots) {
        const Slot &slot = m_slots.at(index);
        void *const *pointers = slot.pointers.data();
        const std::int64_t begin = monotonicNs();
        const int error = m_entry(pointers, m_layout.axes.data(), scalars);
        const std::int64_t end = monotonicNs();
        snapshot(index);
        outcome.callNs += end - begin;
        outcome.copyNs += monotonicNs() - end;
        outcome.entryError = outcome.entryError == 0 ? error : outcome.entryError;
    }
    outcome.cpuNs = clockNs(CLOCK_PROCESS_CPUTIME_ID) - cpuBefore;
    onDone();
    outcome.escapedNs = settleMicroseconds > 0 ? cpuAfterReturn(settleMicroseconds) : 0;
    outcome.threads = threadCount();
    for (const std::size_t index : slots)
        inspect(index, outcome);
    return outcome;
}

void Trial::snapshot(std::size_t index) const
{
    for (std::size_t i = 0; i < m_layout.buffers.size(); ++i) {
        if (m_layout.buffers[i].isOutput)
            copyInSecretOrder(m_shared + m_layout.outputOffset(index, i), m_slots[index].buffers[i].data(),
                              m_layout.buffers[i].bytes(), randomAt(m_guardKey, index));
    }
}

// Of the other threads: this one sleeps. A pool's thread that still waits for its turn to fall asleep gets the time for
// it, and one that computes is given the time to show it.
std::int64_t Trial::cpuAfterReturn(std::int64_t settleMicroseconds) const
{
    sleepMicroseconds(settleMicroseconds); // thread pools may spin a little before they sleep
    const std::int64_t before = othersCpuNs();
    for (int window = 1;; ++window) {
        sleepMicroseconds(escapeWindowMicroseconds);
        const std::int64_t used = othersCpuNs() - before;
        if (used > escapeEnoughNs || window == escapeWindows || !othersWantCpu())
            return used;
    }
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
        if (!spec.isOutput && quickHash(buffer.data(), buffer.size(), m_guardKey) != slot.inputHashes[i])
            outcome.mutated = spec.name;
        if (spec.isOutput && std::memcmp(m_shared + m_layout.outputOffset(index, i), buffer.data(), spec.bytes()) != 0)
            outcome.changed = spec.name;
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
