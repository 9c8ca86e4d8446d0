// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/repository.h"
#include "history/commitsubject.h"
#include "history/iterationrecord.h"

#include <QHash>
#include <QStringList>

#include <optional>

namespace ako {

// Entries whose folder below trajectory/ is no longer on disk, read from git: from HEAD, which has what was said of
// them later, or else from their own commit.
class CommittedRecords
{
public:
    explicit CommittedRecords(const Repository &repository)
        : m_repository(repository)
    {
    }

    std::optional<IterationRecord> find(const CommitMark &mark, const CommitInfo &commit);

private:
    using Folders = QHash<QString, QStringList>; // below trajectory/, by the label of their entry
    Folders foldersAt(const QString &commit, const QString &label) const; // empty: of all
    std::optional<IterationRecord> findIn(const QString &commit, const QStringList &folders,
                                          const CommitMark &mark) const;

    const Repository &m_repository;
    std::optional<Folders> m_atHead;
};

// What a label says: "baseline", "iter-3", "final".
QString labelOf(const CommitMark &mark);

} // namespace ako
