// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "history/iterationrecord.h"

#include <QString>

#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace ako {

// How far an entry has got. Each step is written after its effect is complete; Begun before solution/ is handed over,
// so that a half-made edit can be told from a person's.
enum class JournalStep { Begun, Edited, Benched, Verified, Logged, Committed, Discarded };
QString stepName(JournalStep step);

// An entry that was begun and neither committed nor discarded.
struct Unfinished
{
    JournalStep step = JournalStep::Edited;
    IterationRecord record; // as it was known at that step
    int attempts = 0;       // processes that began to bench these very sources as this entry, and did not end it
};

// <workspace>/.ako/journal.jsonl: what the loop was doing, to be found again after a crash. Each line is on disk before
// append() returns. A torn last line is as if it had not been written.
class Journal
{
public:
    explicit Journal(const QString &workspace);

    Result<void> append(JournalStep step, const IterationRecord &record); // Committed and Discarded also compact
    std::optional<Unfinished> unfinished() const;

private:
    QString m_workspace;
    QString m_path;
};

} // namespace ako
