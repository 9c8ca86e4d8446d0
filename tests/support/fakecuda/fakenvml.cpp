// SPDX-License-Identifier: GPL-3.0-or-later
// The driver's management library where there is no driver.
#include <cstdlib>
#include <cstring>

extern "C" {
int nvmlInit_v2()
{
    return 0;
}
int nvmlShutdown()
{
    return 0;
}
int nvmlDeviceGetCount_v2(unsigned *count)
{
    *count = 1;
    return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
    *device = &device;
    return index == 0 ? 0 : 2;
}
int nvmlDeviceGetHandleByUUID(const char *, void **device)
{
    *device = &device;
    return 0;
}
int nvmlDeviceGetUUID(void *, char *text, unsigned size)
{
    std::strncpy(text, "GPU-fake", size);
    return 0;
}
int nvmlDeviceGetName(void *, char *text, unsigned size)
{
    std::strncpy(text, "Fake GPU", size);
    return 0;
}
int nvmlDeviceGetCudaComputeCapability(void *, int *major, int *minor)
{
    *major = 9;
    *minor = 0;
    return 0;
}
// AKO_FAKE_BUSY: how often the device is told to be busy.
int nvmlDeviceGetUtilizationRates(void *, unsigned *percent)
{
    static int left = std::getenv("AKO_FAKE_BUSY") ? std::atoi(std::getenv("AKO_FAKE_BUSY")) : 0;
    percent[0] = left > 0 ? 80 : 0;
    percent[1] = 0;
    left -= left > 0;
    return 0;
}
// AKO_FAKE_PROCESS: another process computes on it.
int nvmlDeviceGetComputeRunningProcesses_v3(void *, unsigned *count, int *)
{
    *count = std::getenv("AKO_FAKE_PROCESS") ? 1 : 0;
    return 0;
}
}
