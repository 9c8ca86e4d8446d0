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
// Part and Pieces carry outputs. In which order the pieces go is derived from the key of the order on both sides; where
// a part lies, from the key and the worker's time in the stamp before it as well, so that nobody can know it earlier.
// The part behind End is small and goes first, so that work left for afterwards shows as time between the two.
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
// A little of one output of the slot: one piece, none where there are no outputs. `key` is partKey()'s.
Pieces secretPart(const WorkloadLayout &layout, std::size_t slot, std::uint64_t key);
// The same of any of the slots.
Pieces lastPart(const WorkloadLayout &layout, const std::vector<std::size_t> &slots, std::uint64_t key);

std::uint64_t partKey(std::uint64_t snapshotKey, std::int64_t workerNs);

// Worker: sends one message; returns its time in it, 0: nobody listens.
std::int64_t sendStamp(int descriptor, StampType type, std::uint64_t token, const std::vector<iovec> &parts = {});

enum class StampResult { Stamp, Empty, Wrong };
struct StampTimes
{
    std::int64_t ns = 0;       // the system's stamp (CLOCK_REALTIME), or the worker's own where
    bool stamped = false;      // this comes out false
    std::int64_t workerNs = 0; // the worker's
};

// Parent: receives one message of exactly the expected kind and size, its contents into `parts`.
StampResult receiveStamp(int descriptor, StampType type, std::uint64_t token, const std::vector<iovec> &parts,
                         StampTimes &times);
bool hasStamp(int descriptor); // one waits

} // namespace ako::eval
