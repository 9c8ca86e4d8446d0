// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ako::eval {

// Frames between the parent and a worker over a SOCK_SEQPACKET pair, which keeps their boundaries. Every reply carries
// the random token of the request it answers; a frame without it is a forgery.
//
// Requests and replies are JSON objects:
//   device  {library, cupti}   -> facts; on a GPU only, and before all others
//   trace   {slots}            -> {entry_error, span_ms, busy_ms, kernels}; on a GPU only, instead of run
//   fetch   {slot}             -> {}; on a GPU only: the outputs of a slot into shared memory
//   measure {what}             -> {value}; on a GPU only, for the probe
//   sandbox {memory_bytes}                                     -> {landlock, seccomp, rlimits}
//   load    {library, symbol}                                  -> {ms, threads}
//   shape   {layout, evict_bytes}                              -> {}
//   prepare {slots, position, key, guard, rules, nudge?: {input, index}, evict} -> {}
//   run     {slots, pause?: index, snapshot_key} -> on the CPU. First a Ready frame: the worker rests until a Start
//   frame
//           comes. Its calls and their outputs go over a channel of their own (stamps.h); a Done frame says that the
//           last call has returned. It rests again until a GoOn frame comes, so that its CPU time can be read; then
//           {cpu_ns, threads, pages, guard?: text, mutated?: text, hashes, entry_error?}
//   run     {slots, snapshot_first} -> on a GPU. First a Done frame, the moment the last call returned; it rests until
//   a
//           GoOn frame comes; then {ns, copy_ns, cpu_ns, threads, guard?, mutated?, changed?, entry_error?, device}
//   calibrate {}               -> {}; on the CPU only: some empty pairs of stamps
//   evict {bytes}              -> {}; on the CPU only, before the run whose inputs are to lie outside the caches
// An error is {error: text}. On a GPU the outputs of slot k lie in shared memory at WorkloadLayout::outputOffset(k, …).
enum class FrameType : std::uint32_t { Request = 1, Reply = 2, Done = 3, Fault = 4, GoOn = 5, Ready = 6, Start = 7 };

inline constexpr std::uint32_t frameMagic = 0x414b4f31; // "AKO1"
inline constexpr std::size_t frameLimit = std::size_t(160) << 10;
inline constexpr int controlDescriptor = 3, sharedDescriptor = 5; // the latter on a GPU only
inline constexpr int storedDescriptor = 6; // inputs from files, where there are any; closed once it is mapped

struct FrameHeader
{
    std::uint32_t magic = frameMagic;
    FrameType type = FrameType::Request;
    std::uint64_t token = 0;
};

// What a worker's signal handler can still say; sent raw behind a header of type Fault.
struct FaultReport
{
    std::int32_t signal = 0;
    std::int32_t buffer = -1; // index of the buffer whose guard was touched, -1: none
    std::int32_t behind = 0;  // 1: behind its end, 0: before its beginning
    std::int32_t call = 0;    // refused system call, for SIGSYS
    std::uint64_t address = 0, usedBytes = 0, limitBytes = 0;
};

struct Frame
{
    FrameHeader header;
    std::string payload;
};

bool sendFrame(int descriptor, const FrameHeader &header, const void *payload, std::size_t size);

enum class ReceiveResult { Frame, Closed, Malformed, Empty };
ReceiveResult receiveFrame(int descriptor, Frame &frame, bool wait);

} // namespace ako::eval
