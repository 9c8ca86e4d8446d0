// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/protocol.h"
#include "eval/stamps.h"

#include <stdexcept>

namespace ako::eval {

// The kernel under test took the memory of an output away.
class UnreadableOutput : public std::runtime_error
{
public:
    UnreadableOutput()
        : std::runtime_error("made one of its outputs unreadable.")
    {
    }
};

// The kernel under test changed what the evaluator evicts the caches with.
class TouchedEvaluator : public std::runtime_error
{
public:
    TouchedEvaluator()
        : std::runtime_error("changed the evaluator's own memory.")
    {
    }
};

// The worker's end of both channels during one run on the CPU. Where the parent is gone the process ends.
class RunReporter
{
public:
    explicit RunReporter(std::uint64_t token)
        : m_token(token)
    {
    }
    std::int64_t stamp(StampType type, const std::vector<iovec> &parts = {}) const; // returns its time in it
    void say(FrameType type) const;
    void await(FrameType type) const; // rests until the parent says so

private:
    std::uint64_t m_token;
};

// Pairs of stamps with nothing between them, for what a stamp itself takes.
void sendEmptyPairs(std::uint64_t token);
inline constexpr int emptyPairs = 4; // in one go; more might not fit the channel

} // namespace ako::eval
