// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cacheflush.h"

#include <algorithm>
#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace ako::eval {

#if defined(__x86_64__)

namespace {

constexpr std::uintptr_t lineBytes = 64;

// The one that need not wait for the line before it.
bool hasOptimized()
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_CLFLUSHOPT) != 0;
}

[[gnu::target("clflushopt")]] void flushOptimized(char *begin, const char *end)
{
    for (char *line = begin; line < end; line += lineBytes)
        _mm_clflushopt(line);
}

void flushPlain(const char *begin, const char *end)
{
    for (const char *line = begin; line < end; line += lineBytes)
        _mm_clflush(line);
}

} // namespace

bool canFlushLines()
{
    return true;
}

void flushLines(void *data, std::size_t bytes)
{
    static const bool optimized = hasOptimized();
    char *begin = static_cast<char *>(data) - reinterpret_cast<std::uintptr_t>(data) % lineBytes;
    const char *end = static_cast<char *>(data) + bytes;
    if (optimized)
        flushOptimized(begin, end);
    else
        flushPlain(begin, end);
    _mm_mfence();
}

#elif defined(__aarch64__)

bool canFlushLines()
{
    return true; // Linux lets programs do it
}

void flushLines(void *data, std::size_t bytes)
{
    std::uint64_t type = 0;
    asm volatile("mrs %0, ctr_el0" : "=r"(type));
    const std::uintptr_t line = std::uintptr_t(4) << ((type >> 16) & 15);
    const char *end = static_cast<char *>(data) + bytes;
    for (const char *at = static_cast<char *>(data) - reinterpret_cast<std::uintptr_t>(data) % line; at < end;
         at += line)
        asm volatile("dc civac, %0" : : "r"(at) : "memory");
    asm volatile("dsb sy" : : : "memory");
}

#else

bool canFlushLines()
{
    return false;
}

void flushLines(void *, std::size_t) {}

#endif

std::size_t evictionBytes(std::size_t cacheBytes)
{
    constexpr std::size_t coreCaches = std::size_t(32) << 20; // several times the largest second-level cache in use
    return canFlushLines() ? std::min(2 * cacheBytes, coreCaches) : 2 * cacheBytes;
}

} // namespace ako::eval
