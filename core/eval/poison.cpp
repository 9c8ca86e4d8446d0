// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/poison.h"

#include <cstdint>
#include <cstring>

namespace ako::eval {

namespace {

template <typename Word>
bool holds(const unsigned char *data, std::size_t count, unsigned char poison)
{
    Word wanted = 0;
    std::memset(&wanted, poison, sizeof wanted);
    constexpr std::size_t block = 1024; // within which no branch keeps the processor from comparing many at once
    for (std::size_t begin = 0; begin < count; begin += block) {
        const std::size_t end = begin + block < count ? begin + block : count;
        unsigned found = 0;
        for (std::size_t i = begin; i < end; ++i) {
            Word word;
            std::memcpy(&word, data + i * sizeof word, sizeof word);
            found |= unsigned(word == wanted);
        }
        if (found != 0)
            return true;
    }
    return false;
}

} // namespace

unsigned char poisonOf(const BufferSpec &spec)
{
    return isFloating(spec.storage) ? 0xff : 0xa5;
}

bool holdsPoison(const BufferSpec &spec, const unsigned char *data)
{
    switch (sizeOf(spec.storage)) {
    case 2:
        return holds<std::uint16_t>(data, spec.count, poisonOf(spec));
    case 4:
        return holds<std::uint32_t>(data, spec.count, poisonOf(spec));
    case 8:
        return holds<std::uint64_t>(data, spec.count, poisonOf(spec));
    default:
        return false;
    }
}

} // namespace ako::eval
