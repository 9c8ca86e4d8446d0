// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/random.h"

#include "eval/hash.h"
#include "eval/status.h"

#include <sys/random.h>

#include <algorithm>
#include <cstring>

namespace ako::eval {

std::uint64_t secretNumber()
{
    std::uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        throw Failure(Status::Infrastructure, "The kernel's random source failed (getrandom).");
    return number;
}

SecretSeed::SecretSeed()
{
    if (getrandom(m_bytes.data(), m_bytes.size(), 0) != static_cast<ssize_t>(m_bytes.size()))
        throw Failure(Status::Infrastructure, "The kernel's random source gave no secret seed (getrandom failed).");
}

SecretSeed::SecretSeed(std::string_view fixed)
{
    std::copy_n(fixed.begin(), std::min(fixed.size(), m_bytes.size()), m_bytes.begin());
}

InputKey SecretSeed::derive(std::string_view purpose, std::uint64_t a, std::uint64_t b) const
{
    Sha256 hash;
    hash.update({m_bytes.data(), m_bytes.size()});
    hash.updateField(purpose);
    hash.update({reinterpret_cast<const char *>(&a), sizeof a});
    hash.update({reinterpret_cast<const char *>(&b), sizeof b});
    InputKey key;
    std::memcpy(&key, hash.digest().data(), sizeof key);
    return key;
}

} // namespace ako::eval
