// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/handles.h"

#include <QByteArray>
#include <QList>

namespace ako::git {

// A note in the git folder, between the move of a branch and the write of the index, that the index still lacks these
// paths of this commit. It outlives a crash in between.
class PendingIndex
{
public:
    explicit PendingIndex(git_repository *repository);

    Result<void> note(const git_oid &commit, const QList<QByteArray> &paths) const;
    void clear() const;

    // Does what a note asks for, if HEAD still contains its commit, and removes the note.
    Result<void> settle() const;

private:
    git_repository *m_repository;
    QString m_file;
};

} // namespace ako::git
