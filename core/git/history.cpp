// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/repository_p.h"

#include <QFile>

namespace ako {

using git::failure;
using git::receive;
using git::translate;

namespace {

CommitInfo infoOf(const git_commit *commit)
{
    CommitInfo info;
    info.id = git::idText(*git_commit_id(commit));
    info.message = QString::fromUtf8(git_commit_message(commit));
    while (info.message.endsWith(QLatin1Char('\n')))
        info.message.chop(1);
    info.authorName = QString::fromUtf8(git_commit_author(commit)->name);
    const git_time &when = git_commit_author(commit)->when;
    info.time = QDateTime::fromSecsSinceEpoch(when.time, Qt::OffsetFromUTC, when.offset * 60);
    for (unsigned int i = 0; i < git_commit_parentcount(commit); ++i)
        info.parents.append(git::idText(*git_commit_parent_id(commit, i)));
    return info;
}

QByteArray contentOf(const git_blob *blob)
{
    return QByteArray(static_cast<const char *>(git_blob_rawcontent(blob)), qsizetype(git_blob_rawsize(blob)));
}

std::unexpected<Error> cannotReadAt(const QByteArray &path, const QString &commit)
{
    return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot read %1 at commit %2"))
                       .arg(QFile::decodeName(path), commit.left(12)));
}

Result<git::TreeHandle> treeOf(git_repository *repository, const QString &id)
{
    const Result<git::CommitHandle> commit = git::lookupCommit(repository, id);
    if (!commit)
        return std::unexpected(commit.error());
    git::TreeHandle tree;
    if (git_commit_tree(receive(tree), commit->get()) != 0)
        return cannotReadAt("/", id);
    return tree;
}

bool addFile(git_repository *repository, const git_tree_entry *entry, const QString &path, FolderContent &content)
{
    git::BlobHandle blob;
    if (git_blob_lookup(receive(blob), repository, git_tree_entry_id(entry)) != 0)
        return false;
    content.files.insert(path, contentOf(blob.get()));
    const git_filemode_t mode = git_tree_entry_filemode(entry);
    if (mode == GIT_FILEMODE_BLOB_EXECUTABLE)
        content.executables.append(path);
    else if (mode == GIT_FILEMODE_LINK)
        content.links.append(path);
    return true;
}

bool addFolder(git_repository *repository, const git_tree *tree, const QString &prefix, FolderContent &content)
{
    for (size_t i = 0; i < git_tree_entrycount(tree); ++i) {
        const git_tree_entry *entry = git_tree_entry_byindex(tree, i);
        const QString path = prefix + QFile::decodeName(git_tree_entry_name(entry));
        const git_object_t type = git_tree_entry_type(entry);
        git::TreeHandle below;
        if (type == GIT_OBJECT_BLOB && !addFile(repository, entry, path, content))
            return false;
        if (type == GIT_OBJECT_TREE && (git_tree_lookup(receive(below), repository, git_tree_entry_id(entry)) != 0 ||
                                        !addFolder(repository, below.get(), path + QLatin1Char('/'), content)))
            return false;
    }
    return true;
}

char indexLetter(unsigned int status)
{
    if (status & GIT_STATUS_INDEX_NEW)
        return 'A';
    if (status & GIT_STATUS_INDEX_MODIFIED)
        return 'M';
    if (status & GIT_STATUS_INDEX_DELETED)
        return 'D';
    return status & GIT_STATUS_INDEX_TYPECHANGE ? 'T' : ' ';
}

char workTreeLetter(unsigned int status)
{
    if (status & GIT_STATUS_WT_MODIFIED)
        return 'M';
    if (status & GIT_STATUS_WT_DELETED)
        return 'D';
    return status & GIT_STATUS_WT_TYPECHANGE ? 'T' : ' ';
}

QString statusLine(const git_status_entry *entry)
{
    const git_diff_delta *delta = entry->index_to_workdir ? entry->index_to_workdir : entry->head_to_index;
    const QString path = QFile::decodeName(delta->new_file.path ? delta->new_file.path : delta->old_file.path);
    if (entry->status & GIT_STATUS_CONFLICTED)
        return QStringLiteral("UU ") + path;
    // What is staged as removed and lies in the work tree all the same has both letters in git's own view too, on two
    // lines; one is enough here.
    if ((entry->status & GIT_STATUS_WT_NEW) && indexLetter(entry->status) == ' ')
        return QStringLiteral("?? ") + path;
    return QLatin1Char(indexLetter(entry->status)) +
           (QLatin1Char(workTreeLetter(entry->status)) + QStringLiteral(" ")) + path;
}

} // namespace

Result<CommitInfo> Repository::commit(const QString &id) const
{
    const Result<git::CommitHandle> found = git::lookupCommit(d->get(), id);
    if (!found)
        return std::unexpected(found.error());
    return infoOf(found->get());
}

Result<QList<CommitInfo>> Repository::log(int limit) const
{
    const Result<git::Head> head = git::readHead(d->get());
    if (!head)
        return std::unexpected(head.error());
    QList<CommitInfo> commits;
    const std::optional<git_oid> tip = head->commit;
    if (!tip)
        return commits;
    git_oid next = *tip;
    while (commits.size() < limit) {
        git::CommitHandle current;
        if (git_commit_lookup(receive(current), d->get(), &next) != 0) {
            if (!commits.isEmpty() && git_repository_is_shallow(d->get()) == 1)
                break; // a shallow clone ends here
            return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot read the history")));
        }
        commits.append(infoOf(current.get()));
        if (git_commit_parentcount(current.get()) == 0)
            break;
        next = *git_commit_parent_id(current.get(), 0);
    }
    return commits;
}

Result<QByteArray> Repository::fileAt(const QString &commit, const QString &path) const
{
    const Result<QByteArray> full = d->pathFromRoot(path);
    if (!full)
        return std::unexpected(full.error());
    const Result<git::TreeHandle> tree = treeOf(d->get(), commit);
    if (!tree)
        return std::unexpected(tree.error());
    git::TreeEntryHandle entry;
    git::BlobHandle blob;
    if (git_tree_entry_bypath(receive(entry), tree->get(), full->constData()) != 0 ||
        git_blob_lookup(receive(blob), d->get(), git_tree_entry_id(entry.get())) != 0)
        return cannotReadAt(*full, commit);
    return contentOf(blob.get());
}

Result<git::TreeHandle> Repository::Private::folderTree(const QString &commit, const QString &folder) const
{
    const Result<QByteArray> full = pathFromRoot(folder);
    if (!full)
        return std::unexpected(full.error());
    const Result<git::TreeHandle> root = treeOf(get(), commit);
    if (!root)
        return std::unexpected(root.error());
    git::TreeEntryHandle entry;
    git::TreeHandle tree;
    if (git_tree_entry_bypath(receive(entry), root->get(), full->constData()) != 0 ||
        git_tree_lookup(receive(tree), get(), git_tree_entry_id(entry.get())) != 0)
        return cannotReadAt(*full, commit);
    return tree;
}

Result<FolderContent> Repository::folderAt(const QString &commit, const QString &folder) const
{
    const Result<git::TreeHandle> tree = d->folderTree(commit, folder);
    if (!tree)
        return std::unexpected(tree.error());
    FolderContent content;
    if (!addFolder(d->get(), tree->get(), QString(), content))
        return cannotReadAt(QFile::encodeName(folder), commit);
    content.executables.sort();
    content.links.sort();
    return content;
}

Result<QStringList> Repository::foldersAt(const QString &commit, const QString &folder) const
{
    const Result<git::TreeHandle> tree = d->folderTree(commit, folder);
    if (!tree)
        return std::unexpected(tree.error());
    QStringList names;
    for (size_t i = 0; i < git_tree_entrycount(tree->get()); ++i) {
        const git_tree_entry *below = git_tree_entry_byindex(tree->get(), i);
        if (git_tree_entry_type(below) == GIT_OBJECT_TREE)
            names.append(QFile::decodeName(git_tree_entry_name(below)));
    }
    names.sort();
    return names;
}

Result<QStringList> Repository::status() const
{
    git_status_options options = GIT_STATUS_OPTIONS_INIT;
    options.flags = GIT_STATUS_OPT_INCLUDE_UNTRACKED | GIT_STATUS_OPT_RECURSE_UNTRACKED_DIRS;
    git::StatusHandle list;
    if (git_status_list_new(receive(list), d->get(), &options) != 0)
        return failure(
            translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot compare the work tree of %1")).arg(workTree()));
    QStringList lines;
    for (size_t i = 0; i < git_status_list_entrycount(list.get()); ++i)
        lines.append(statusLine(git_status_byindex(list.get(), i)));
    return lines;
}

} // namespace ako
