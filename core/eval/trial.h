// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/guardedbuffer.h"
#include "eval/inputs.h"
#include "eval/layout.h"
#include "eval/shim.h"
#include "eval/stamps.h"

#include <time.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ako::eval {

struct PrepareOrder
{
    std::vector<std::size_t> slots;
    std::size_t firstPosition = 0; // of the first slot in the batch its keys are drawn for
    InputKey key = 0;              // base of the input keys of this order
    std::uint64_t guardKey = 0;    // pattern of the guard zones
    std::vector<InputRule> rules;  // per input, in the order of the buffers
    std::optional<std::size_t> nudgedInput;
    std::uint64_t nudgedIndex = 0;
    bool evict = false;
};

// What only a run on a GPU has to tell.
struct DeviceOutcome
{
    std::int64_t hostNs = 0;     // the host's time in the calls
    std::int64_t waitNs = 0;     // from the first call until our stream had nothing left to do
    std::int64_t gapNs = 0;      // that the whole device then still worked
    double clockMhz = 0;         // of the multiprocessors during the run; 0: not known
    bool heldBack = false;       // our stream was, until all was queued
    bool launcherWaited = false; // for the device, so that the stream could not be held back
    bool limitChanged = false;   // cache was set aside
    std::string error;           // text of entryError where it is a CUDA error
};

struct RunOrder
{
    std::vector<std::size_t> slots;
    std::optional<std::size_t> pausedAt;   // call after which a part of its outputs is taken
    std::uint64_t snapshotKey = 0;         // which part that is, and the order of all parts
    std::optional<PrepareOrder> prepare{}; // to be done last, right before the parent's clock starts
};

struct RunOutcome
{
    // On the CPU by the parent, from the stamps; on a GPU as the worker reports them.
    std::int64_t callNs = 0;    // all calls together
    std::int64_t copyNs = 0;    // taking the snapshots
    std::int64_t waitedNs = 0;  // from the parent's start to the first call, and for parts of outputs
    std::int64_t readyNs = 0;   // from the order until the inputs were there
    std::int64_t escapedNs = 0; // CPU time used after the calls had returned, in a window of some milliseconds
    bool disturbed = false;     // a thread was awake while the inputs were being made
    bool clockMoved = false;    // the system's clock was set meanwhile
    // By the worker.
    std::int64_t cpuNs = 0; // of the whole process during the calls
    int threads = 0, entryError = 0;
    std::int64_t pagesMade = 0;          // of memory that only came to be when the outputs were read
    std::string guard, mutated, changed; // what was touched, empty: nothing
    std::vector<std::uint64_t> hashes;   // of the outputs afterwards, buffer by buffer over all slots
    std::optional<DeviceOutcome> device;

    // What was measured says nothing, through the kernel's doing or by chance.
    bool mustBeRepeated() const { return disturbed || clockMoved || (device && device->launcherWaited); }
};

class RunReporter;

// The worker's side of trials of one workload: owns the buffers of all slots, fills, poisons, evicts, calls, sends
// snapshots and looks for traces.
class Trial
{
public:
    Trial(WorkloadLayout layout, EntryFunction entry, std::size_t evictBytes);

    // Before the inputs are there, so that what it takes, and hides, is no time in which one could compute.
    void evictCaches(std::size_t bytes);
    void prepare(const PrepareOrder &order);
    // Waits for the parent, calls the entry once per slot and sends the outputs at once.
    RunOutcome run(const RunOrder &order, const RunReporter &reporter);

    // The buffer whose guard page holds the address; safe in a signal handler.
    bool findGuard(std::uintptr_t address, int &buffer, int &behind) const;

private:
    struct Slot
    {
        std::vector<GuardedBuffer> buffers;
        std::vector<void *> pointers;
        std::vector<std::uint64_t> inputHashes;
    };

    void fillSlot(std::size_t slot, std::size_t position, const PrepareOrder &order);
    void fillInputBuffer(const BufferSpec &spec, const InputRequest &request, void *data);
    void flushBuffers(const std::vector<std::size_t> &slots) const;
    std::vector<iovec> partsOf(const Pieces &pieces) const;
    void inspect(std::size_t slot, RunOutcome &outcome) const;

    WorkloadLayout m_layout;
    EntryFunction m_entry;
    std::vector<Slot> m_slots;
    std::size_t m_evictWords = 0;
    std::unique_ptr<std::uint64_t[]> m_evict; // no two lines alike
    std::vector<unsigned char> m_staging;
    std::uint64_t m_guardKey = 0;
};

std::int64_t clockNs(clockid_t clock);
std::int64_t monotonicNs(); // CLOCK_MONOTONIC_RAW
int threadCount();          // of this process

} // namespace ako::eval
