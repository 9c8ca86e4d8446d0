// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ako::eval {

// An array whose end lies against an unmapped page and whose surroundings carry a secret pattern: a stray access either
// faults or leaves a trace.
//   [unmapped page][at least 4 KiB pattern][array][fewer than `align` bytes][unmapped page]
class GuardedBuffer
{
public:
    enum class Side { Before, Behind };

    GuardedBuffer(std::size_t bytes, std::size_t align, bool isInput); // throws std::bad_alloc
    ~GuardedBuffer();
    GuardedBuffer(GuardedBuffer &&other) noexcept;
    GuardedBuffer(const GuardedBuffer &) = delete;
    GuardedBuffer &operator=(const GuardedBuffer &) = delete;
    GuardedBuffer &operator=(GuardedBuffer &&) = delete;

    void *data() const { return m_data; }
    std::size_t size() const { return m_size; }
    void fillGuards(std::uint64_t key);
    std::optional<Side> damagedSide(std::uint64_t key) const;
    std::optional<Side> sideOfFault(std::uintptr_t address) const; // in one of the unmapped pages

private:
    unsigned char *m_base = nullptr, *m_data = nullptr;
    std::size_t m_total = 0, m_size = 0;
    bool m_isInput;
};

} // namespace ako::eval
