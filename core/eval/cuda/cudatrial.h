// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/cuda/deviceapi.h"
#include "eval/cuda/tracer.h"
#include "eval/layout.h"
#include "eval/trial.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ako::eval {

// The device library as a worker holds it. Loaded and opened before the sandbox closes, so that the driver finds what
// it needs; never unloaded.
class DeviceLibrary
{
public:
    AkoDeviceFacts load(const std::string &path); // throws std::runtime_error
    const AkoDeviceApi &api() const { return *m_api; }

private:
    const AkoDeviceApi *m_api = nullptr;
};

// The worker's side of trials on a GPU: translates orders and reports; device.cu does the work. Throws
// std::runtime_error, std::bad_alloc where the device's memory does not do.
class CudaTrial
{
public:
    CudaTrial(const DeviceLibrary &library, WorkloadLayout layout, AkoCudaEntry entry, unsigned char *shared,
              bool flushes);

    void prepare(const PrepareOrder &order);
    // Holding the stream back begins with the second call of a library: the first one loads its kernels.
    RunOutcome run(const std::vector<std::size_t> &slots, bool holdBack, bool snapshotFirst,
                   const std::function<void()> &onDone);
    // The same calls with nothing of ours around them, as the tracer saw them. They are not timed.
    RunOutcome trace(const std::vector<std::size_t> &slots, Tracer &tracer, TraceReport &report);
    // The same, with whatever is to happen just before them (true) and just after.
    RunOutcome runBetween(const std::vector<std::size_t> &slots, const std::function<void(bool begins)> &around);
    void fetch(std::size_t slot); // its outputs into the memory shared with the parent

private:
    AkoRunOrder orderFor(const std::vector<std::uint64_t> &slots) const;
    const void *stage(const BufferSpec &spec, const PrepareOrder &order, std::size_t position, std::size_t input);
    RunOutcome outcomeOf(const AkoRunReport &report) const;

    const AkoDeviceApi &m_api;
    WorkloadLayout m_layout;
    AkoCudaEntry m_entry;
    unsigned char *m_shared;
    std::vector<std::vector<unsigned char>> m_staged; // inputs from files, of the last prepare()
    std::uint64_t m_guardKey = 0;
    bool m_flushes, m_flushPending = false;
};

} // namespace ako::eval
