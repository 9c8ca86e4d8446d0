// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/descriptor.h"
#include "eval/stamps.h"
#include "eval/trial.h"

#include <cstdint>
#include <vector>

namespace ako::eval {

// Times of the parent's own, in both clocks that a stamp may be in.
struct Instant
{
    std::int64_t stampedNs = 0, rawNs = 0;
    static Instant now();
    bool agreesWith(const Instant &earlier) const; // as far apart in both: the system's clock was not set meanwhile
};

// The parent's end of the channel that stamps and outputs of a worker come over. It knows what has to come, in which
// order and of which size; anything else is a forgery.
class StampReader
{
public:
    Descriptor open(); // makes the channel; returns the worker's end, -1: errno says why there is none
    int descriptor() const { return m_descriptor.get(); }

    void expectPairs(int count, std::uint64_t token);
    void expectRun(const WorkloadLayout &layout, const RunOrder &order, std::uint64_t token, unsigned char *outputs);
    bool take(); // what has come; false: it is not what has to come
    bool isComplete() const { return m_times.size() == m_expected.size(); }
    bool isQuiet() const; // nothing has come that was not asked for

    // Of the run, once it is complete.
    bool isStamped() const { return m_stamped; }
    std::int64_t at(StampType type) const; // the last of its kind, 0: none
    std::int64_t pausedNs() const { return at(StampType::Resume) - at(StampType::Pause); }
    std::int64_t lingeredNs() const;         // between End and the part behind it
    bool goesForward() const;                // no time before an earlier one
    std::optional<Piece> changed() const;    // what was taken first and is not what the outputs came to be
    std::vector<std::int64_t> pairs() const; // what lay between Begin and End

private:
    struct Expected
    {
        StampType type;
        std::vector<iovec> parts;            // of a Part only once the stamp before it has come
        std::vector<std::size_t> slots = {}; // of a Part: the slots that it may be of
    };
    struct Part
    {
        Piece piece;
        const unsigned char *place;
        std::vector<unsigned char> bytes;
    };
    void begin(std::uint64_t token);
    void expectPart(const std::vector<std::size_t> &slots);
    void placePart(Expected &part);
    std::vector<iovec> placesOf(const Pieces &pieces);

    Descriptor m_descriptor;
    std::uint64_t m_token = 0, m_snapshotKey = 0;
    std::int64_t m_workerNs = 0; // in the last stamp
    WorkloadLayout m_layout;
    std::vector<Expected> m_expected;
    std::vector<std::int64_t> m_times;
    bool m_stamped = true;
    unsigned char *m_outputs = nullptr;
    std::vector<Part> m_parts;
};

} // namespace ako::eval
