// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Part of the device library: what device.cu's Device measures of the machine itself.
#include "devicebasics.cuh"

#include <cmath>

namespace {

template <typename Launch>
double Device::secondsOf(int repeats, Launch launch)
{
    double best = 1e30;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        check(cudaEventRecord(m_start, m_stream), "cudaEventRecord");
        launch();
        check(cudaEventRecord(m_end, m_stream), "cudaEventRecord");
        check(cudaGetLastError(), "the probe");
        check(cudaEventSynchronize(m_end), "the probe");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, m_start, m_end), "cudaEventElapsedTime");
        best = std::fmin(best, double(milliseconds) * 1e-3);
    }
    return best;
}

__global__ void readMany(const uint4 *data, u64 count, int rounds, unsigned *sink)
{
    unsigned sum = 0;
    const u64 stride = u64(gridDim.x) * blockDim.x;
    for (int round = 0; round < rounds; ++round) {
        u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x;
        for (; i + 3 * stride < count; i += 4 * stride) { // four loads in flight
            const uint4 a = __ldcg(data + i), b = __ldcg(data + i + stride), c = __ldcg(data + i + 2 * stride),
                        d = __ldcg(data + i + 3 * stride);
            sum +=
                (a.x ^ a.y ^ a.z ^ a.w) + (b.x ^ b.y ^ b.z ^ b.w) + (c.x ^ c.y ^ c.z ^ c.w) + (d.x ^ d.y ^ d.z ^ d.w);
        }
        for (; i < count; i += stride)
            sum += __ldcg(data + i).x;
    }
    if (sum == 0x12345678u)
        *sink = sum;
}

__global__ void copyAll(const uint4 *from, uint4 *to, u64 count)
{
    for (u64 i = blockIdx.x * u64(blockDim.x) + threadIdx.x; i < count; i += u64(gridDim.x) * blockDim.x)
        to[i] = from[i];
}

template <typename T>
__global__ void multiplyAdd(T *sink, int rounds)
{
    T sums[8];
    for (int i = 0; i < 8; ++i)
        sums[i] = T(threadIdx.x + i);
    const T factor = T(0.999), term = T(1e-3);
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < 8; ++i)
            sums[i] = sums[i] * factor + term;
    }
    T total = T(0);
    for (int i = 0; i < 8; ++i)
        total += sums[i];
    if (total == T(12345))
        *sink = total;
}

enum TensorKind { TensorHalf, TensorBFloat, TensorTf32, TensorInt8 };

template <int Kind>
__device__ void tensorStep(unsigned (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
#if __CUDA_ARCH__ >= 800
    if (Kind == TensorHalf)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
            : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if (Kind == TensorBFloat)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
            : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if (Kind == TensorTf32)
        asm volatile(
            "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
            : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if (Kind == TensorInt8)
        asm volatile(
            "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
            : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

template <int Kind>
__global__ void tensorMany(unsigned *sink, int rounds)
{
    unsigned sums[4][4] = {};
    const unsigned a[4] = {0x3c003c00u + threadIdx.x, 0x3c003c01u, 0x3c003c02u, 0x3c003c03u};
    const unsigned b[2] = {0x3c003c00u, 0x3c003c04u + threadIdx.x};
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            tensorStep<Kind>(sums[i], a, b);
    }
    unsigned total = 0;
    for (int i = 0; i < 4; ++i)
        total ^= sums[i][0] ^ sums[i][1] ^ sums[i][2] ^ sums[i][3];
    if (total == 0x12345678u)
        *sink = total;
}

__global__ void nothing() {}

class Scratch
{
public:
    explicit Scratch(u64 bytes) { check(cudaMalloc(&m_data, bytes), "memory for the probe"); }
    ~Scratch() { cudaFree(m_data); }
    uint4 *get() const { return static_cast<uint4 *>(m_data); }

private:
    void *m_data = nullptr;
};

double Device::bandwidth(const std::string &what)
{
    const u64 large =
        roundUp(8 * u64(m_cacheBytes) < (u64(512) << 20) ? u64(512) << 20 : 8 * u64(m_cacheBytes), 1 << 20);
    const unsigned blocks = unsigned(m_multiprocessors * 16);
    if (what == "l2") {
        const u64 bytes = roundUp(u64(m_cacheBytes) / 4, 1 << 16);
        const Scratch data(bytes);
        check(cudaMemsetAsync(data.get(), 1, bytes, m_stream), "cudaMemset");
        return 64 * double(bytes) / secondsOf(5, [&] {
                   readMany<<<blocks, blockThreads, 0, m_stream>>>(data.get(), bytes / 16, 64, m_sink);
               });
    }
    const Scratch from(large), to(what == "read" || what == "write" ? 16 : large);
    check(cudaMemsetAsync(from.get(), 1, large, m_stream), "cudaMemset");
    if (what == "read")
        return double(large) / secondsOf(7, [&] {
                   readMany<<<blocks, blockThreads, 0, m_stream>>>(from.get(), large / 16, 1, m_sink);
               });
    if (what == "write")
        return double(large) /
               secondsOf(7, [&] { writeAll<<<blocks, blockThreads, 0, m_stream>>>(from.get(), large / 16, 7); });
    if (what == "copy")
        return 2 * double(large) /
               secondsOf(7, [&] { copyAll<<<blocks, blockThreads, 0, m_stream>>>(from.get(), to.get(), large / 16); });
    return 2 * double(large) /
           secondsOf(7, [&] { cudaMemcpyAsync(to.get(), from.get(), large, cudaMemcpyDeviceToDevice, m_stream); });
}

double Device::arithmetic(const std::string &what)
{
    constexpr int rounds = 4096, threads = 256;
    const unsigned blocks = unsigned(m_multiprocessors * 8);
    const double lanes = double(blocks) * threads;
    const Scratch sink(64);
    void *out = sink.get();
    const auto scalar = [&](auto launch, double perRound) { return lanes * rounds * perRound / secondsOf(4, launch); };
    if (what == "fp32")
        return scalar([&] { multiplyAdd<float><<<blocks, threads, 0, m_stream>>>(static_cast<float *>(out), rounds); },
                      16);
    if (what == "fp64")
        return scalar(
            [&] { multiplyAdd<double><<<blocks, threads, 0, m_stream>>>(static_cast<double *>(out), rounds); }, 16);
    const double warps = lanes / 32;
    const auto tensor = [&](auto launch, double perStep) {
        return warps * rounds * 4 * perStep / secondsOf(4, launch);
    };
    auto *words = static_cast<unsigned *>(out);
    if (what == "tensor_fp16")
        return tensor([&] { tensorMany<TensorHalf><<<blocks, threads, 0, m_stream>>>(words, rounds); },
                      2.0 * 16 * 8 * 16);
    if (what == "tensor_bf16")
        return tensor([&] { tensorMany<TensorBFloat><<<blocks, threads, 0, m_stream>>>(words, rounds); },
                      2.0 * 16 * 8 * 16);
    if (what == "tensor_tf32")
        return tensor([&] { tensorMany<TensorTf32><<<blocks, threads, 0, m_stream>>>(words, rounds); },
                      2.0 * 16 * 8 * 8);
    return tensor([&] { tensorMany<TensorInt8><<<blocks, threads, 0, m_stream>>>(words, rounds); }, 2.0 * 16 * 8 * 32);
}

double Device::latency(const std::string &what)
{
    if (what == "null" || what == "empty") { // what an empty kernel takes between the events; the events alone
        double best = 1e30;
        for (int i = 0; i < 20; ++i) {
            check(cudaMemsetAsync(m_gate, 0, sizeof(Gate), m_stream), "cudaMemset");
            check(cudaStreamSynchronize(m_stream), "the probe");
            beginHold();
            check(cudaEventRecord(m_start, m_stream), "cudaEventRecord");
            if (what == "null")
                nothing<<<1, 1, 0, m_stream>>>();
            check(cudaEventRecord(m_end, m_stream), "cudaEventRecord");
            endHold();
            check(cudaEventSynchronize(m_end), "the probe");
            float milliseconds = 0;
            check(cudaEventElapsedTime(&milliseconds, m_start, m_end), "cudaEventElapsedTime");
            best = std::fmin(best, double(milliseconds) * 1e-3);
        }
        return best;
    }
    if (what == "launch") { // the host's time for a launch
        const i64 begin = now();
        for (int i = 0; i < 500; ++i)
            nothing<<<1, 1, 0, m_stream>>>();
        const double seconds = double(now() - begin) * 1e-9 / 500;
        check(cudaDeviceSynchronize(), "the probe");
        return seconds;
    }
    // the smallest step between two distinct event times
    double smallest = 1, last = -1;
    for (int i = 0; i < 200; ++i) {
        const double seconds = secondsOf(1, [&] { nothing<<<1, 1, 0, m_stream>>>(); });
        if (last >= 0 && std::fabs(seconds - last) > 1e-12)
            smallest = std::fmin(smallest, std::fabs(seconds - last));
        last = seconds;
    }
    return smallest;
}

// Reading an array of a quarter of the cache's size: warm over flushed. Where the flush works this is well above 1.
double Device::flushRatio()
{
    const u64 bytes = roundUp(u64(m_cacheBytes) / 4, 4096); // a far part of a large cache is no faster than memory
    const Scratch data(bytes), flush(2 * u64(m_cacheBytes));
    const auto read = [&] {
        readMany<<<unsigned(m_multiprocessors * 8), blockThreads, 0, m_stream>>>(data.get(), bytes / 16, 1, m_sink);
    };
    check(cudaMemsetAsync(data.get(), 1, bytes, m_stream), "cudaMemset");
    read();
    const double warm = secondsOf(7, read);
    double cold = 1e30;
    for (int i = 0; i < 5; ++i) {
        writeAll<<<m_blocks, blockThreads, 0, m_stream>>>(flush.get(), u64(m_cacheBytes) / 8, 3);
        readAll<<<m_blocks, blockThreads, 0, m_stream>>>(flush.get(), u64(m_cacheBytes) / 8, m_sink);
        cold = std::fmin(cold, secondsOf(1, read));
    }
    return cold / warm;
}

double Device::measure(const std::string &what)
{
    if (what == "read" || what == "write" || what == "copy" || what == "memcpy" || what == "l2")
        return bandwidth(what);
    if (what == "flush_ratio")
        return flushRatio();
    if (what == "memory_peak")
        return m_memoryPeak;
    if (what == "null" || what == "empty" || what == "launch" || what == "step")
        return latency(what);
    return arithmetic(what);
}

} // namespace
