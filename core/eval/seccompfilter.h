// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/ownmemory.h"

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace ako::eval {

// Writes a seccomp program call by call. Between two of these functions the loaded value is the call's number.
class FilterBuilder
{
public:
    static constexpr std::uint32_t refuse = SECCOMP_RET_ERRNO | 1;      // EPERM
    static constexpr std::uint32_t noSuchCall = SECCOMP_RET_ERRNO | 38; // ENOSYS
    static bool isPossible();

    FilterBuilder(); // ends the process on a call of another architecture
    void onCall(long call, std::uint32_t action);
    // For one call: refuse it unless its argument number `argument` equals `value`.
    void allowOnlyWith(long call, int argument, std::uint32_t value);
    // For one call: refuse it where its argument equals one of `values`. The argument is an int for the kernel, which
    // does not look at the upper half either.
    void refuseWith(long call, int argument, std::initializer_list<std::uint32_t> values);
    // For one call: refuse it where its argument, a number without sign, is `value` or less.
    void refuseUpTo(long call, int argument, std::uint32_t value);
    // For one call: refuse it where its argument has one of the bits of `mask`.
    void refuseBits(long call, int argument, std::uint32_t mask);
    // For one call: refuse it unless the argument is zero in all of its 64 bits.
    void requireZero(long call, int argument);
    // For one call: refuse it where both arguments have bits of their masks.
    void refuseBoth(long call, int first, std::uint32_t firstMask, int second, std::uint32_t secondMask);
    // clone may make threads, nothing else.
    void cloneThreadsOnly();
    // For calls whose first two arguments are an address and a length: refuse them where they touch one of the ranges.
    // mmap counts among them where it has MAP_FIXED.
    void protectRanges(const std::vector<AddressRange> &ranges);
    bool install(); // allows what was not answered

private:
    void add(const sock_filter &statement) { m_code.push_back(statement); }
    void load(std::size_t offset);
    void loadArgument(int argument, bool upperHalf = false);
    void loadNumber();
    void answer(std::uint32_t action);
    void refuseIf(long call, int argument, sock_filter test, bool upperHalf = false);
    void sumFirstTwo();
    void refuseOverlap(const AddressRange &range);

    std::vector<sock_filter> m_code;
};

} // namespace ako::eval
