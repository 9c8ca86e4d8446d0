// SPDX-License-Identifier: GPL-3.0-or-later
// The driver's management library where there is no driver.
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
}
