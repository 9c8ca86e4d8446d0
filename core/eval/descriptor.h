// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unistd.h>

#include <utility>

namespace ako::eval {

// Owns one file descriptor.
class Descriptor
{
public:
    Descriptor() = default;
    explicit Descriptor(int value)
        : m_value(value)
    {
    }
    Descriptor(Descriptor &&other) noexcept
        : m_value(std::exchange(other.m_value, -1))
    {
    }
    Descriptor &operator=(Descriptor &&other) noexcept
    {
        std::swap(m_value, other.m_value);
        return *this;
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    ~Descriptor() { reset(); }
    void reset()
    {
        if (m_value >= 0)
            close(std::exchange(m_value, -1));
    }
    int get() const { return m_value; }

private:
    int m_value = -1;
};

} // namespace ako::eval
