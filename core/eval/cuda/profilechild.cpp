// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cuda/profilechild.h"

#include "eval/cuda/cudatrial.h"
#include "eval/files.h"
#include "eval/shim.h"

#include <dlfcn.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ako::eval {

using nlohmann::json;

namespace {

// The driver's switch for what a profiler looks at.
class ProfilerSwitch
{
public:
    ProfilerSwitch()
    {
        void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        if (driver) {
            m_start = reinterpret_cast<int (*)()>(dlsym(driver, "cuProfilerStart"));
            m_stop = reinterpret_cast<int (*)()>(dlsym(driver, "cuProfilerStop"));
        }
        if (!m_start || !m_stop)
            throw std::runtime_error("libcuda.so.1 has no cuProfilerStart");
    }
    void set(bool on) const
    {
        if ((on ? m_start : m_stop)() != 0)
            throw std::runtime_error("the driver refuses to be profiled");
    }

private:
    int (*m_start)() = nullptr;
    int (*m_stop)() = nullptr;
};

void callBetween(const json &spec)
{
    DeviceLibrary device;
    device.load(spec.at("device"));
    void *library = dlopen(spec.at("library").get<std::string>().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
        throw std::runtime_error(std::string("the solution cannot be loaded: ") + dlerror());
    const auto entry = reinterpret_cast<AkoCudaEntry>(dlsym(library, entryName));
    if (!entry)
        throw std::runtime_error("the solution has no entry");
    const ProfilerSwitch profiler;
    WorkloadLayout layout = layoutFromJson(spec.at("layout"));
    std::vector<unsigned char> outputs(layout.sharedBytes());
    CudaTrial trial(device, std::move(layout), entry, outputs.data(), false);
    PrepareOrder order;
    order.slots = {0};
    order.key = spec.at("key");
    for (const json &rule : spec.at("rules"))
        order.rules.push_back(ruleFromJson(rule));
    trial.prepare(order);
    const auto check = [](const RunOutcome &outcome) {
        if (outcome.device && !outcome.device->error.empty())
            throw std::runtime_error("the solution left a CUDA error: " + outcome.device->error);
    };
    check(trial.run({0}, false, false, [] {}));
    trial.prepare(order);
    check(trial.runBetween({0}, [&](bool begins) { profiler.set(begins); }));
}

} // namespace

int profileChild(const std::string &file)
{
    try {
        callBetween(json::parse(readFile(file, Status::Infrastructure)));
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "ako-bench: %s\n", error.what());
        return 1;
    }
}

} // namespace ako::eval
