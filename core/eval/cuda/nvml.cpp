// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cuda/nvml.h"

#include "eval/status.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <sstream>

namespace ako::eval {

namespace {

// Of nvml.h, whose functions and numbers have been the same since its first version.
using NvmlDevice = void *;
constexpr int multiprocessorClock = 1, memoryClock = 2;

struct NvmlMemory
{
    unsigned long long total, free, used;
};
struct NvmlUtilization
{
    unsigned gpu, memory;
};
struct NvmlProcess
{
    unsigned id;
    unsigned long long usedMemory;
    unsigned gpuInstance, computeInstance;
};

} // namespace

struct Nvml::Functions
{
    void *library = nullptr;
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*count)(unsigned *) = nullptr;
    int (*byIndex)(unsigned, NvmlDevice *) = nullptr;
    int (*byUuid)(const char *, NvmlDevice *) = nullptr;
    int (*name)(NvmlDevice, char *, unsigned) = nullptr;
    int (*uuid)(NvmlDevice, char *, unsigned) = nullptr;
    int (*index)(NvmlDevice, unsigned *) = nullptr;
    int (*driver)(char *, unsigned) = nullptr;
    int (*capability)(NvmlDevice, int *, int *) = nullptr;
    int (*memory)(NvmlDevice, NvmlMemory *) = nullptr;
    int (*clock)(NvmlDevice, int, unsigned *) = nullptr;
    int (*maxClock)(NvmlDevice, int, unsigned *) = nullptr;
    int (*temperature)(NvmlDevice, int, unsigned *) = nullptr;
    int (*power)(NvmlDevice, unsigned *) = nullptr;
    int (*throttle)(NvmlDevice, unsigned long long *) = nullptr;
    int (*utilization)(NvmlDevice, NvmlUtilization *) = nullptr;
    int (*processes)(NvmlDevice, unsigned *, NvmlProcess *) = nullptr;
    int (*partitions)(NvmlDevice, unsigned *, unsigned *) = nullptr;
    int (*errorCorrection)(NvmlDevice, int *, int *) = nullptr;

    ~Functions()
    {
        if (library)
            dlclose(library);
    }
    template <typename Function>
    void get(Function &function, const char *symbol)
    {
        function = reinterpret_cast<Function>(dlsym(library, symbol));
    }
    bool load()
    {
        library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!library)
            return false;
        get(init, "nvmlInit_v2");
        get(shutdown, "nvmlShutdown");
        get(count, "nvmlDeviceGetCount_v2");
        get(byIndex, "nvmlDeviceGetHandleByIndex_v2");
        get(byUuid, "nvmlDeviceGetHandleByUUID");
        get(name, "nvmlDeviceGetName");
        get(uuid, "nvmlDeviceGetUUID");
        get(index, "nvmlDeviceGetIndex");
        get(driver, "nvmlSystemGetDriverVersion");
        get(capability, "nvmlDeviceGetCudaComputeCapability");
        get(memory, "nvmlDeviceGetMemoryInfo");
        get(clock, "nvmlDeviceGetClockInfo");
        get(maxClock, "nvmlDeviceGetMaxClockInfo");
        get(temperature, "nvmlDeviceGetTemperature");
        get(power, "nvmlDeviceGetPowerUsage");
        get(throttle, "nvmlDeviceGetCurrentClocksThrottleReasons");
        if (!throttle)
            get(throttle, "nvmlDeviceGetCurrentClocksEventReasons");
        get(utilization, "nvmlDeviceGetUtilizationRates");
        get(processes, "nvmlDeviceGetComputeRunningProcesses_v3");
        get(partitions, "nvmlDeviceGetMigMode");
        get(errorCorrection, "nvmlDeviceGetEccMode");
        return init && shutdown && count && byIndex && byUuid && capability && uuid && init() == 0;
    }
};

Nvml::Nvml(int ordinal)
    : m_functions(std::make_unique<Functions>())
{
    if (!m_functions->load())
        throw Failure(Status::Infrastructure,
                      "There is no working NVIDIA driver (libnvidia-ml.so.1): this problem is for a GPU. Install the "
                      "driver, or run it on a machine that has one.");
    m_device = device(ordinal);
    if (!m_device)
        throw Failure(Status::Infrastructure, "There is no GPU number " + std::to_string(ordinal) +
                                                  "; nvidia-smi -L lists those of this machine.");
    identify();
}

Nvml::~Nvml()
{
    if (m_functions->shutdown)
        m_functions->shutdown();
}

void *Nvml::device(int ordinal) const
{
    NvmlDevice found = nullptr;
    const char *visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (!visible)
        return m_functions->byIndex(unsigned(ordinal), &found) == 0 ? found : nullptr;
    std::istringstream entries(visible);
    std::string entry;
    for (int at = 0; at <= ordinal; ++at) {
        if (!std::getline(entries, entry, ','))
            return nullptr;
    }
    const bool isNumber = !entry.empty() && entry.find_first_not_of("0123456789") == std::string::npos;
    const int result = isNumber ? m_functions->byIndex(unsigned(std::atoi(entry.c_str())), &found)
                                : m_functions->byUuid(entry.c_str(), &found);
    return result == 0 ? found : nullptr;
}

void Nvml::identify()
{
    const Functions &nvml = *m_functions;
    std::array<char, 128> text{};
    const auto read = [&](auto call) { return call() == 0 ? std::string(text.data()) : std::string(); };
    if (nvml.name)
        m_identity.name = read([&] { return nvml.name(m_device, text.data(), text.size()); });
    m_identity.uuid = read([&] { return nvml.uuid(m_device, text.data(), text.size()); });
    if (nvml.driver)
        m_identity.driver = read([&] { return nvml.driver(text.data(), text.size()); });
    nvml.capability(m_device, &m_identity.major, &m_identity.minor);
    unsigned value = 0, pending = 0;
    if (nvml.index && nvml.index(m_device, &value) == 0)
        m_identity.index = int(value);
    NvmlMemory memory{};
    if (nvml.memory && nvml.memory(m_device, &memory) == 0)
        m_identity.memoryBytes = std::int64_t(memory.total);
    if (nvml.maxClock && nvml.maxClock(m_device, multiprocessorClock, &value) == 0)
        m_identity.maxClockMhz = int(value);
    if (nvml.maxClock && nvml.maxClock(m_device, memoryClock, &value) == 0)
        m_identity.maxMemoryClockMhz = int(value);
    if (nvml.partitions && nvml.partitions(m_device, &value, &pending) == 0)
        m_identity.partitioned = value != 0;
    int current = 0, next = 0;
    if (nvml.errorCorrection && nvml.errorCorrection(m_device, &current, &next) == 0)
        m_identity.errorCorrection = current != 0;
}

GpuState Nvml::state() const
{
    const Functions &nvml = *m_functions;
    GpuState state;
    unsigned value = 0;
    if (nvml.clock && nvml.clock(m_device, multiprocessorClock, &value) == 0)
        state.clockMhz = int(value);
    if (nvml.clock && nvml.clock(m_device, memoryClock, &value) == 0)
        state.memoryClockMhz = int(value);
    if (nvml.temperature && nvml.temperature(m_device, 0, &value) == 0)
        state.temperature = int(value);
    if (nvml.power && nvml.power(m_device, &value) == 0)
        state.watts = double(value) * 1e-3;
    unsigned long long reasons = 0;
    if (nvml.throttle && nvml.throttle(m_device, &reasons) == 0)
        state.throttleReasons = reasons;
    NvmlUtilization use{};
    if (nvml.utilization && nvml.utilization(m_device, &use) == 0)
        state.busyPercent = int(use.gpu);
    return state;
}

std::vector<int> Nvml::processes() const
{
    std::array<NvmlProcess, 64> found{};
    unsigned count = unsigned(found.size());
    std::vector<int> ids;
    if (m_functions->processes && m_functions->processes(m_device, &count, found.data()) == 0) {
        for (unsigned i = 0; i < count; ++i)
            ids.push_back(int(found[i].id));
    }
    return ids;
}

} // namespace ako::eval
