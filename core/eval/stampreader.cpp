// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/stampreader.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace ako::eval {

namespace {

constexpr int wantedBuffer = 1 << 20;
constexpr std::int64_t clockSlackNs = 20'000;

} // namespace

Instant Instant::now()
{
    return {clockNs(CLOCK_REALTIME), monotonicNs()};
}

bool Instant::agreesWith(const Instant &earlier) const
{
    const std::int64_t passed = rawNs - earlier.rawNs;
    return std::abs(stampedNs - earlier.stampedNs - passed) <= clockSlackNs + passed / 1000;
}

Descriptor StampReader::open()
{
    std::array<int, 2> pair{-1, -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) != 0)
        return {};
    m_descriptor = Descriptor(pair[0]);
    const int on = 1;
    setsockopt(pair[0], SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &wantedBuffer, sizeof wantedBuffer); // as much of it as is allowed
    return Descriptor(pair[1]);
}

void StampReader::begin(std::uint64_t token)
{
    m_token = token;
    m_expected.clear();
    m_times.clear();
    m_stamped = true;
    m_parts.clear();
}

void StampReader::expectPairs(int count, std::uint64_t token)
{
    begin(token);
    for (int pair = 0; pair < count; ++pair) {
        m_expected.push_back({StampType::Begin, {}});
        m_expected.push_back({StampType::End, {}});
    }
}

void StampReader::expectRun(const WorkloadLayout &layout, const RunOrder &order, std::uint64_t token,
                            unsigned char *outputs)
{
    begin(token);
    m_layout = layout;
    m_snapshotKey = order.snapshotKey;
    m_outputs = outputs;
    m_expected = {{StampType::Awake, {}}, {StampType::Begin, {}}};
    if (order.pausedAt) {
        m_expected.push_back({StampType::Pause, {}});
        expectPart({order.slots.at(*order.pausedAt)});
        m_expected.push_back({StampType::Resume, {}});
    }
    m_expected.push_back({StampType::End, {}});
    expectPart(order.slots);
    for (const Pieces &pieces : snapshotPlan(layout, order.slots, order.snapshotKey))
        m_expected.push_back({StampType::Pieces, placesOf(pieces)});
    m_expected.push_back({StampType::Taken, {}});
}

void StampReader::expectPart(const std::vector<std::size_t> &slots)
{
    if (!secretPart(m_layout, slots.front(), 0).empty())
        m_expected.push_back({StampType::Part, {}, slots});
}

void StampReader::placePart(Expected &part)
{
    const Piece piece = lastPart(m_layout, part.slots, partKey(m_snapshotKey, m_workerNs)).front();
    const iovec place = placesOf({piece}).front();
    m_parts.push_back({piece, static_cast<unsigned char *>(place.iov_base), std::vector<unsigned char>(piece.size)});
    std::vector<unsigned char> &bytes = m_parts.back().bytes; // they stay where they are when the part moves
    part.parts = {{bytes.data(), bytes.size()}};
}

std::vector<iovec> StampReader::placesOf(const Pieces &pieces)
{
    std::vector<iovec> places;
    for (const Piece &piece : pieces)
        places.push_back({m_outputs + m_layout.outputOffset(piece.slot, piece.buffer) + piece.offset, piece.size});
    return places;
}

bool StampReader::take()
{
    while (!isComplete()) {
        Expected &next = m_expected[m_times.size()];
        if (next.type == StampType::Part && next.parts.empty())
            placePart(next);
        StampTimes times;
        const StampResult result = receiveStamp(m_descriptor.get(), next.type, m_token, next.parts, times);
        if (result != StampResult::Stamp)
            return result == StampResult::Empty;
        if (m_times.empty())
            m_stamped = times.stamped;
        if (times.stamped != m_stamped)
            return false;
        m_times.push_back(times.ns);
        m_workerNs = times.workerNs;
    }
    return isQuiet();
}

bool StampReader::isQuiet() const
{
    return !hasStamp(m_descriptor.get());
}

std::int64_t StampReader::at(StampType type) const
{
    for (std::size_t index = m_times.size(); index > 0; --index) {
        if (m_expected[index - 1].type == type)
            return m_times[index - 1];
    }
    return 0;
}

bool StampReader::goesForward() const
{
    return std::is_sorted(m_times.begin(), m_times.end());
}

std::int64_t StampReader::lingeredNs() const
{
    return std::max<std::int64_t>(0, at(StampType::Part) - at(StampType::End)); // none without outputs
}

std::optional<Piece> StampReader::changed() const
{
    for (const Part &part : m_parts) {
        if (std::memcmp(part.bytes.data(), part.place, part.bytes.size()) != 0)
            return part.piece;
    }
    return std::nullopt;
}

std::vector<std::int64_t> StampReader::pairs() const
{
    std::vector<std::int64_t> times;
    for (std::size_t index = 0; index + 1 < m_times.size(); index += 2)
        times.push_back(m_times[index + 1] - m_times[index]);
    return times;
}

} // namespace ako::eval
