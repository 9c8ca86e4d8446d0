// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a worker and its device library agree on. The library is device.cu, compiled with the nvcc that is found at run
// time and loaded by the worker: the build of the evaluator needs no CUDA, and no structure of the CUDA runtime, which
// changes from version to version, is declared a second time here. This file travels with device.cu: C++17, no includes
// of ours.
#include <cstdint>

// As a generated shim exports it; the last argument is a cudaStream_t.
using AkoCudaEntry = int (*)(void *const *buffers, const std::int64_t *axes, const unsigned char (*scalars)[8],
                             void *stream);

struct AkoDeviceFacts
{
    char name[256];
    int major, minor, multiprocessors, runtimeVersion, driverVersion;
    std::int64_t cacheBytes, persistingCacheBytes, memoryBytes, freeBytes, sharedBytesPerBlock;
    std::int64_t memoryBusBits, memoryClockKhz, clockKhz;
};

struct AkoBuffer
{
    std::uint64_t count, rowLength;
    std::int32_t dtype, storage; // DType; storage is Float64 for floating tensors of a golden entry
    std::int32_t isInput, isOutput;
};

struct AkoRule
{
    std::int32_t distribution;                   // Distribution
    double mean, std, low, high, value, density; // low, high: NaN where not given
    std::uint64_t key;
    std::int64_t nudge; // -1: none
    const void *stored; // the buffer's content, in the host's memory until prepare() is called again; null: it is drawn
};

struct AkoSlotOrder
{
    std::uint64_t slot, guardKey;
    const AkoRule *rules; // one per buffer; those of pure outputs are not looked at
};

struct AkoRunOrder
{
    AkoCudaEntry entry;
    const std::int64_t *axes;
    const unsigned char (*scalars)[8];
    const std::uint64_t *slots;
    std::uint64_t slotCount, guardKey;
    std::int32_t flush, holdBack, snapshotFirst;
    // Where this is set, nothing but the calls happens on the device between around(context, 1) and around(context, 0),
    // and no time is taken.
    void (*around)(void *context, int begins);
};

struct AkoRunReport
{
    std::int64_t callNs; // between the events, over all calls
    std::int64_t hostNs; // the host's time in the calls
    std::int64_t waitNs; // until the end event and the snapshot had come
    std::int64_t gapNs;  // that the whole device then went on working
    std::int64_t cpuNs;  // of the process during the calls
    double clockMhz;     // of the multiprocessors during the window; 0: not known
    std::int32_t entryError, heldBack, launcherWaited, limitChanged;
    std::int32_t guardBuffer, guardBehind, mutatedBuffer, changedBuffer; // -1: none
    char cudaError[256];
};

struct AkoDeviceApi
{
    std::uint32_t size;
    // Each returns nullptr or what went wrong; "memory: …" where there was not enough.
    const char *(*open)(AkoDeviceFacts *facts);
    const char *(*shape)(const AkoBuffer *buffers, std::uint64_t count, std::uint64_t slots, int flushes);
    const char *(*prepare)(const AkoSlotOrder *orders, std::uint64_t count);
    const char *(*run)(const AkoRunOrder *order, void (*done)(void *), void *context, AkoRunReport *report);
    // The snapshot of one output, or its content where it is none, into host memory.
    const char *(*fetch)(std::uint64_t slot, std::uint64_t buffer, void *to);
    // One of the measurements of the probe; `value` in bytes/s, operations/s or seconds.
    const char *(*measure)(const char *what, double *value);
};

extern "C" const AkoDeviceApi *ako_device_api();
