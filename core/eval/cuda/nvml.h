// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ako::eval {

// One GPU as the driver's management library knows it.
struct GpuIdentity
{
    std::string name, uuid, driver;
    int index = 0; // by bus, as nvidia-smi counts
    int major = 0, minor = 0;
    std::int64_t memoryBytes = 0;
    int maxClockMhz = 0, maxMemoryClockMhz = 0;
    bool partitioned = false; // MIG
    std::optional<bool> errorCorrection;
};

struct GpuState
{
    int clockMhz = 0, memoryClockMhz = 0, temperature = 0, busyPercent = 0;
    double watts = 0;
    std::uint64_t throttleReasons = 0;
    // Clocks held down by heat or power supply; a power cap by itself is how a card normally works.
    bool isThrottled() const { return (throttleReasons & (0x08 | 0x20 | 0x40 | 0x80)) != 0; }
};

// The management library of the driver (libnvidia-ml.so.1), loaded at run time: facts and clocks without a CUDA context
// in this process.
class Nvml
{
public:
    // The device that CUDA would call `ordinal` under the present CUDA_VISIBLE_DEVICES. Throws Failure(Infrastructure)
    // where there is no driver or no such device.
    explicit Nvml(int ordinal);
    ~Nvml();
    Nvml(const Nvml &) = delete;
    Nvml &operator=(const Nvml &) = delete;

    const GpuIdentity &identity() const { return m_identity; }
    GpuState state() const;
    std::vector<int> processes() const; // that compute on the device, by id

private:
    struct Functions;
    void *device(int ordinal) const;
    void identify();

    std::unique_ptr<Functions> m_functions;
    void *m_device = nullptr;
    GpuIdentity m_identity;
};

} // namespace ako::eval
