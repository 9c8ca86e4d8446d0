// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ako::eval {

// SHA-256 (FIPS 180-4), for content keys and for deriving the key of each input from the secret seed.
class Sha256
{
public:
    void update(std::string_view data);
    // Adds the length before the data, so that ("ab","c") and ("a","bc") differ.
    void updateField(std::string_view data);
    std::array<std::uint8_t, 32> digest();
    std::string hex();

private:
    void block(const std::uint8_t *data);

    std::array<std::uint32_t, 8> m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::uint8_t, 64> m_buffer{};
    std::uint64_t m_length = 0;
};

std::string sha256Hex(std::string_view data);

// A fast 64-bit digest that notices any changed byte; not against a forger who knows the key.
std::uint64_t quickHash(const void *data, std::size_t size, std::uint64_t key);

} // namespace ako::eval
