// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/pendingindex.h"

#include "base/atomicfile.h"
#include "git/indexupdate.h"

#include <QFile>

namespace ako::git {
namespace {

bool headContains(git_repository *repository, const git_oid &commit)
{
    git_oid head;
    return git_reference_name_to_id(&head, repository, "HEAD") == 0 &&
           (git_oid_equal(&head, &commit) || git_graph_descendant_of(repository, &head, &commit) == 1);
}

} // namespace

PendingIndex::PendingIndex(git_repository *repository)
    : m_repository(repository)
    , m_file(QFile::decodeName(git_repository_path(repository)) + QStringLiteral("ako-pending-index"))
{
}

Result<void> PendingIndex::note(const git_oid &commit, const QList<QByteArray> &paths) const
{
    QByteArray text = idText(commit).toLatin1();
    for (const QByteArray &path : paths)
        text += '\0' + path;
    return writeFileAtomically(m_file, text);
}

void PendingIndex::clear() const
{
    QFile::remove(m_file);
}

Result<void> PendingIndex::settle() const
{
    if (!QFile::exists(m_file))
        return {};
    const Result<QByteArray> text = readRegularFile(m_file);
    if (!text)
        return std::unexpected(text.error());
    QList<QByteArray> parts = text->split('\0');
    const QByteArray id = parts.takeFirst();
    git_oid commitId;
    CommitHandle commit;
    TreeHandle tree;
    if (git_oid_fromstr(&commitId, id.constData()) == 0 && headContains(m_repository, commitId) &&
        git_commit_lookup(receive(commit), m_repository, &commitId) == 0 &&
        git_commit_tree(receive(tree), commit.get()) == 0) {
        const Result<void> updated = updateIndexFromTree(m_repository, parts, tree.get());
        if (!updated)
            return updated;
    }
    clear();
    return {};
}

} // namespace ako::git
