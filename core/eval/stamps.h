// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/layout.h"

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ako::eval {

// What a worker on the CPU says while it runs a batch, each message sent at once over a SOCK_SEQPACKET pair of its own
// and stamped with the time by the kernel of the system as it is sent: nothing that the kernel under test finds in its
// process afterwards changes when a call began or ended, or what its outputs were then.
//   Awake, Begin, the calls, End, Part, Pieces…, Taken
// At a secretly chosen call of several the time stands still for Pause, Part, Resume: a part of that call's outputs.
// Part and Pieces carry outputs; which, is derived from the key of the order on both sides. The part behind End is
// small and goes first, so that work left for afterwards shows as time between the two.
enum class StampType : std::uint32_t { Awake = 1, Begin, Pause, Part, Resume, End, Pieces, Taken };

inline constexpr std::uint32_t stampMagic = 0x414b4f54; // "AKOT"
inline constexpr int clockDescriptor = 4;

struct StampHeader
{
    std::uint32_t magic = stampMagic;
    StampType type = StampType::Awake;
    std::uint64_t token = 0; // of the request
    std::int64_t ns = 0;     // CLOCK_MONOTONIC_RAW by the worker; counts only where the system stamps nothing
};

// Part of an output.
struct Piece
{
    std::size_t slot = 0, buffer = 0, offset = 0, size = 0;
};
using Pieces = std::vector<Piece>; // of one message

// All outputs of the slots, in an order that the key decides: a thread that still writes them cannot keep ahead.
std::vector<Pieces> snapshotPlan(const WorkloadLayout &layout, const std::vector<std::size_t> &slots,
                                 std::uint64_t key);
// A little of one output of the slot: one piece, none where there are no outputs.
Pieces secretPart(const WorkloadLayout &layout, std::size_t slot, std::uint64_t key);
// The same of any of the slots.
Pieces lastPart(const WorkloadLayout &layout, const std::vector<std::size_t> &slots, std::uint64_t key);

// Worker: sends one message; false: nobody listens.
bool sendStamp(int descriptor, StampType type, std::uint64_t token, const std::vector<iovec> &parts = {});

enum class StampResult { Stamp, Empty, Wrong };

// Parent: receives one message of exactly the expected kind and size, its contents into `parts`. `ns` is the system's
// stamp (CLOCK_REALTIME), or the worker's own where `stamped` comes out false.
StampResult receiveStamp(int descriptor, StampType type, std::uint64_t token, const std::vector<iovec> &parts,
                         std::int64_t &ns, bool &stamped);
bool hasStamp(int descriptor); // one waits

} // namespace ako::eval
