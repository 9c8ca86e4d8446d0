// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/guardedbuffer.h"

#include "eval/random.h"

#include <sys/mman.h>

#include <new>
#include <utility>

namespace ako::eval {

namespace {

constexpr std::size_t page = 4096;
// A kernel that overruns by a whole row should still land here and not in a neighbour.
constexpr std::size_t guardPages = 16;

unsigned char patternAt(std::uint64_t key, std::size_t index)
{
    return static_cast<unsigned char>(randomAt(key, index / 8) >> (index % 8 * 8));
}

} // namespace

GuardedBuffer::GuardedBuffer(std::size_t bytes, std::size_t align, bool isInput)
    : m_size(bytes)
    , m_isInput(isInput)
{
    const std::size_t inner = page + (bytes + align + page - 1) / page * page;
    m_total = inner + 2 * guardPages * page;
    void *memory = mmap(nullptr, m_total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        throw std::bad_alloc();
    m_base = static_cast<unsigned char *>(memory);
    unsigned char *const begin = m_base + guardPages * page;
    if (mprotect(begin, inner, PROT_READ | PROT_WRITE) != 0) {
        munmap(m_base, m_total);
        throw std::bad_alloc();
    }
    const std::size_t slack = (align - bytes % align) % align;
    m_data = begin + inner - slack - bytes;
}

GuardedBuffer::GuardedBuffer(GuardedBuffer &&other) noexcept
    : m_base(std::exchange(other.m_base, nullptr))
    , m_data(other.m_data)
    , m_total(other.m_total)
    , m_size(other.m_size)
    , m_isInput(other.m_isInput)
{
}

GuardedBuffer::~GuardedBuffer()
{
    if (m_base)
        munmap(m_base, m_total);
}

void GuardedBuffer::fillGuards(std::uint64_t key)
{
    unsigned char *const begin = m_data - page, *const end = m_base + m_total - guardPages * page;
    for (std::size_t i = 0; i < page; ++i)
        begin[i] = patternAt(key, i);
    // Behind an input all bits are set, NaN as a floating number: reading on poisons the result.
    for (unsigned char *byte = m_data + m_size; byte < end; ++byte)
        *byte = m_isInput ? 0xff : patternAt(~key, static_cast<std::size_t>(byte - m_data));
}

std::optional<GuardedBuffer::Side> GuardedBuffer::damagedSide(std::uint64_t key) const
{
    const unsigned char *const begin = m_data - page, *const end = m_base + m_total - guardPages * page;
    for (const unsigned char *byte = m_data + m_size; byte < end; ++byte) {
        if (*byte != (m_isInput ? 0xff : patternAt(~key, static_cast<std::size_t>(byte - m_data))))
            return Side::Behind;
    }
    for (std::size_t i = 0; i < page; ++i) {
        if (begin[i] != patternAt(key, i))
            return Side::Before;
    }
    return std::nullopt;
}

std::optional<GuardedBuffer::Side> GuardedBuffer::sideOfFault(std::uintptr_t address) const
{
    const auto base = reinterpret_cast<std::uintptr_t>(m_base);
    if (address >= base && address < base + guardPages * page)
        return Side::Before;
    if (address >= base + m_total - guardPages * page && address < base + m_total)
        return Side::Behind;
    return std::nullopt;
}

} // namespace ako::eval
