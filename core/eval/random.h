// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ako::eval {

// Key of one input array; nothing about the secret seed can be learnt from it.
using InputKey = std::uint64_t;

// splitmix64's output function (Steele, Lea, Flood 2014) of key + index: any element can be had without those before
// it.
inline std::uint64_t randomAt(InputKey key, std::uint64_t index)
{
    std::uint64_t value = key + (index + 1) * 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
}

inline double unitAt(InputKey key, std::uint64_t index) // [0, 1)
{
    return static_cast<double>(randomAt(key, index) >> 11) * 0x1p-53;
}

// A stream for the parent's own choices (order of trials, which outputs are checked); seeded from the secret.
class RandomStream
{
public:
    explicit RandomStream(InputKey key)
        : m_key(key)
    {
    }
    std::uint64_t next() { return randomAt(m_key, m_index++); }
    std::uint64_t below(std::uint64_t limit) { return limit == 0 ? 0 : next() % limit; }
    template <typename T>
    void shuffle(std::vector<T> &items)
    {
        for (std::size_t i = items.size(); i > 1; --i)
            std::swap(items[i - 1], items[below(i)]);
    }

private:
    InputKey m_key;
    std::uint64_t m_index = 0;
};

std::uint64_t secretNumber(); // from the kernel; throws Failure(Infrastructure)

// 256 secret bits from the kernel; every key of a run is derived from them.
class SecretSeed
{
public:
    SecretSeed();                                // throws Failure(Infrastructure)
    explicit SecretSeed(std::string_view fixed); // for tests
    InputKey derive(std::string_view purpose, std::uint64_t a = 0, std::uint64_t b = 0) const;

private:
    std::array<char, 32> m_bytes{};
};

} // namespace ako::eval
