// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history/iterationrecord.h"

#include <QString>

#include <optional>

namespace ako {

// The commit message of a record: "[baseline] …", "[iter 3] <what was tried>", "[final] Restore iter-3 (1.96x) —
// <why>", then an empty line and hypothesis, result and reason. The subject is one line of at most 100 characters.
QString commitMessage(const IterationRecord &record);

// Which record a commit belongs to, from its subject; nothing for a commit that is not the loop's.
struct CommitMark
{
    IterationRecord::Kind kind = IterationRecord::Kind::Iteration;
    int number = 0; // Final: the iteration that was restored, -1 where the subject does not say
    QString title;  // the subject without the mark
    bool operator==(const CommitMark &) const = default;
};
std::optional<CommitMark> commitMark(const QString &subject);

// What the message of such a commit says came of it.
std::optional<IterationStatus> commitResult(const QString &message);

} // namespace ako
