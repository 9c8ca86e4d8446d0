// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/stamps.h"

#include "eval/random.h"
#include "eval/trial.h"

#include <sys/socket.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace ako::eval {

namespace {

constexpr std::size_t leastPiece = 1024, largestPiece = std::size_t(64) << 10, partsOfOutput = 64;
constexpr std::size_t largestMessage = std::size_t(128) << 10, piecesInMessage = 128;
constexpr std::size_t secretBytes = 4096;

void addPieces(const WorkloadLayout &layout, std::size_t slot, std::size_t buffer, Pieces &pieces)
{
    const std::size_t bytes = layout.buffers[buffer].bytes();
    const std::size_t size = std::clamp((bytes / partsOfOutput + 63) / 64 * 64, leastPiece, largestPiece);
    for (std::size_t offset = 0; offset < bytes; offset += size)
        pieces.push_back({slot, buffer, offset, std::min(size, bytes - offset)});
}

std::int64_t stampOf(msghdr &message)
{
    for (cmsghdr *part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS)
            continue;
        timespec time{};
        std::memcpy(&time, CMSG_DATA(part), sizeof time);
        return std::int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
    }
    return 0;
}

} // namespace

std::vector<Pieces> snapshotPlan(const WorkloadLayout &layout, const std::vector<std::size_t> &slots, std::uint64_t key)
{
    Pieces all;
    for (const std::size_t slot : slots) {
        for (std::size_t buffer = 0; buffer < layout.buffers.size(); ++buffer) {
            if (layout.buffers[buffer].isOutput)
                addPieces(layout, slot, buffer, all);
        }
    }
    RandomStream(key).shuffle(all);
    std::vector<Pieces> messages;
    std::size_t bytes = largestMessage;
    for (const Piece &piece : all) {
        if (bytes + piece.size > largestMessage || messages.back().size() == piecesInMessage) {
            messages.emplace_back();
            bytes = 0;
        }
        messages.back().push_back(piece);
        bytes += piece.size;
    }
    return messages;
}

Pieces secretPart(const WorkloadLayout &layout, std::size_t slot, std::uint64_t key)
{
    RandomStream random(~key);
    std::size_t total = 0;
    for (const BufferSpec &spec : layout.buffers)
        total += spec.isOutput ? spec.bytes() : 0;
    std::size_t place = random.below(total);
    for (std::size_t buffer = 0; buffer < layout.buffers.size() && total > 0; ++buffer) {
        const BufferSpec &spec = layout.buffers[buffer];
        if (!spec.isOutput)
            continue;
        if (place < spec.bytes()) {
            const std::size_t size = std::min(secretBytes, spec.bytes());
            return {{slot, buffer, std::min(place, spec.bytes() - size), size}};
        }
        place -= spec.bytes();
    }
    return {};
}

Pieces lastPart(const WorkloadLayout &layout, const std::vector<std::size_t> &slots, std::uint64_t key)
{
    RandomStream random(key ^ 0x1a57);
    return secretPart(layout, slots.at(random.below(slots.size())), random.next());
}

std::uint64_t partKey(std::uint64_t snapshotKey, std::int64_t workerNs)
{
    return randomAt(snapshotKey, std::uint64_t(workerNs));
}

std::int64_t sendStamp(int descriptor, StampType type, std::uint64_t token, const std::vector<iovec> &parts)
{
    StampHeader header{stampMagic, type, token, 0};
    std::array<iovec, piecesInMessage + 1> list;
    list[0] = {&header, sizeof header};
    std::copy(parts.begin(), parts.end(), list.begin() + 1);
    msghdr message = {};
    message.msg_iov = list.data();
    message.msg_iovlen = parts.size() + 1;
    header.ns = monotonicNs();
    ssize_t sent;
    do {
        sent = sendmsg(descriptor, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent > 0 ? header.ns : 0;
}

StampResult receiveStamp(int descriptor, StampType type, std::uint64_t token, const std::vector<iovec> &parts,
                         StampTimes &times)
{
    StampHeader header;
    std::vector<iovec> list{{&header, sizeof header}};
    list.insert(list.end(), parts.begin(), parts.end());
    std::size_t wanted = 0;
    for (const iovec &part : list)
        wanted += part.iov_len;
    std::array<char, 256> control;
    msghdr message = {};
    message.msg_iov = list.data();
    message.msg_iovlen = list.size();
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t count = recvmsg(descriptor, &message, MSG_DONTWAIT);
    if (count == 0 || (count < 0 && (errno == EAGAIN || errno == EINTR)))
        return StampResult::Empty; // an ended worker shows on its control channel
    if (count < 0 || std::size_t(count) != wanted || (message.msg_flags & MSG_TRUNC) || header.magic != stampMagic ||
        header.type != type || header.token != token)
        return StampResult::Wrong;
    const std::int64_t stamp = stampOf(message);
    times = {stamp > 0 ? stamp : header.ns, stamp > 0, header.ns};
    return StampResult::Stamp;
}

bool hasStamp(int descriptor)
{
    char byte = 0;
    return recv(descriptor, &byte, 1, MSG_DONTWAIT | MSG_PEEK) > 0;
}

} // namespace ako::eval
