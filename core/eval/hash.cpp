// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/hash.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ako::eval {

namespace {

constexpr std::array<std::uint32_t, 64> roundConstants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t loadBigEndian(const std::uint8_t *bytes)
{
    return std::uint32_t(bytes[0]) << 24 | std::uint32_t(bytes[1]) << 16 | std::uint32_t(bytes[2]) << 8 | bytes[3];
}

} // namespace

void Sha256::block(const std::uint8_t *data)
{
    std::array<std::uint32_t, 64> words{};
    for (std::size_t i = 0; i < 16; ++i)
        words[i] = loadBigEndian(data + 4 * i);
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + words[i - 7] +
                   (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
    }
    std::array<std::uint32_t, 8> s = m_state;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t big1 = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
        const std::uint32_t first = s[7] + big1 + ((s[4] & s[5]) ^ (~s[4] & s[6])) + roundConstants[i] + words[i];
        const std::uint32_t big0 = std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22);
        const std::uint32_t second = big0 + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        s = {first + second, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]};
    }
    for (std::size_t i = 0; i < 8; ++i)
        m_state[i] += s[i];
}

void Sha256::update(std::string_view data)
{
    std::size_t used = m_length % 64;
    m_length += data.size();
    while (!data.empty()) {
        const std::size_t count = std::min(data.size(), 64 - used);
        std::memcpy(m_buffer.data() + used, data.data(), count);
        data.remove_prefix(count);
        used += count;
        if (used == 64) {
            block(m_buffer.data());
            used = 0;
        }
    }
}

void Sha256::updateField(std::string_view data)
{
    const std::uint64_t size = data.size();
    update({reinterpret_cast<const char *>(&size), sizeof size});
    update(data);
}

std::array<std::uint8_t, 32> Sha256::digest()
{
    const std::uint64_t bits = m_length * 8;
    update(std::string_view("\x80", 1));
    while (m_length % 64 != 56)
        update(std::string_view("\0", 1));
    std::array<char, 8> tail{};
    for (std::size_t i = 0; i < 8; ++i)
        tail[i] = static_cast<char>(bits >> (56 - 8 * i));
    update({tail.data(), tail.size()});
    std::array<std::uint8_t, 32> result{};
    for (std::size_t i = 0; i < 32; ++i)
        result[i] = static_cast<std::uint8_t>(m_state[i / 4] >> (24 - 8 * (i % 4)));
    return result;
}

std::string Sha256::hex()
{
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : digest()) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

std::string sha256Hex(std::string_view data)
{
    Sha256 hash;
    hash.update(data);
    return hash.hex();
}

std::uint64_t quickHash(const void *data, std::size_t size, std::uint64_t key)
{
    // Four independent lanes keep the multiplier busy; each step is a bijection of the lane, so one changed word always
    // shows.
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
    std::array<std::uint64_t, 4> lanes{key, key + factor, key ^ factor, ~key};
    const char *bytes = static_cast<const char *>(data);
    std::size_t position = 0;
    for (; position + 32 <= size; position += 32) {
        std::array<std::uint64_t, 4> words;
        std::memcpy(words.data(), bytes + position, 32);
        for (std::size_t lane = 0; lane < 4; ++lane)
            lanes[lane] = std::rotl((lanes[lane] ^ words[lane]) * factor, 29);
    }
    std::array<std::uint64_t, 4> rest{};
    std::memcpy(rest.data(), bytes + position, size - position);
    std::uint64_t result = size;
    for (std::size_t lane = 0; lane < 4; ++lane)
        result = std::rotl((result ^ lanes[lane] ^ std::rotl(rest[lane], int(lane) + 7)) * factor, 31);
    return result ^ (result >> 29);
}

} // namespace ako::eval
