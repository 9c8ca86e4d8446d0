// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/logging.h"
#include "git/indexupdate.h"
#include "git/pendingindex.h"
#include "git/repository_p.h"
#include "git/treeedit.h"

#include <QDeadlineTimer>
#include <QThread>

#include <algorithm>

namespace ako {

using git::failure;
using git::receive;
using git::translate;

namespace {

constexpr int lockWaitMilliseconds = 1000;
constexpr int lockPollMilliseconds = 10;

Result<git::SignatureHandle> makeSignature(const Identity &identity)
{
    git::SignatureHandle signature;
    if (!identity.isComplete())
        return fail(translate(QT_TRANSLATE_NOOP("ako::Repository", "git does not know who you are.")),
                    translate(QT_TRANSLATE_NOOP(
                        "ako::Repository", "For this repository: git config user.name \"Your Name\" and git config "
                                           "user.email you@example.org")));
    if (git_signature_now(receive(signature), identity.name.toUtf8().constData(),
                          identity.email.toUtf8().constData()) != 0)
        return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "git cannot use the identity %1 <%2>"))
                           .arg(identity.name, identity.email));
    return signature;
}

Result<git_oid> createCommit(git_repository *repository, const git::Head &head, const git_oid &treeId,
                             const git_signature *signature, const QString &message)
{
    git::TreeHandle tree;
    git::CommitHandle parent;
    git_oid id;
    const git_commit *parents[1] = {};
    bool good = git_tree_lookup(receive(tree), repository, &treeId) == 0;
    if (good && head.commit) {
        good = git_commit_lookup(receive(parent), repository, &*head.commit) == 0;
        parents[0] = parent.get();
    }
    const QByteArray text = (message.endsWith(QLatin1Char('\n')) ? message : message + QLatin1Char('\n')).toUtf8();
    if (!good || git_commit_create(&id, repository, nullptr, signature, signature, nullptr, text.constData(),
                                   tree.get(), head.commit ? 1 : 0, parents) != 0)
        return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot write the commit")));
    return id;
}

int pointReferenceAt(git_repository *repository, const git::Head &head, const git_oid &commit, const QString &message)
{
    const QByteArray log = "commit: " + message.section(QLatin1Char('\n'), 0, 0).toUtf8();
    git::ReferenceHandle moved;
    if (head.commit)
        return git_reference_create_matching(receive(moved), repository, head.reference.c_str(), &commit, 1,
                                             &*head.commit, log.constData());
    return git_reference_create(receive(moved), repository, head.reference.c_str(), &commit, 0, log.constData());
}

std::unexpected<Error> headMoved()
{
    return fail(translate(QT_TRANSLATE_NOOP("ako::Repository",
                                            "Another program changed HEAD while a commit was being made; nothing was "
                                            "committed.")),
                translate(QT_TRANSLATE_NOOP("ako::Repository", "Let it finish, then try again.")));
}

bool isStillAt(git_repository *repository, const git::Head &head)
{
    const Result<git::Head> now = git::readHead(repository);
    return now && now->reference == head.reference && now->commit.has_value() == head.commit.has_value() &&
           (!head.commit || git_oid_equal(&*now->commit, &*head.commit));
}

// Moves the branch only from where it was when the tree was built.
Result<void> moveHead(git_repository *repository, const git::Head &head, const git_oid &commit, const QString &message)
{
    if (!isStillAt(repository, head))
        return headMoved();
    QDeadlineTimer limit(lockWaitMilliseconds);
    int code = 0;
    while ((code = pointReferenceAt(repository, head, commit, message)) == GIT_ELOCKED && !limit.hasExpired())
        QThread::msleep(lockPollMilliseconds);
    if (code == GIT_EMODIFIED || code == GIT_EEXISTS)
        return headMoved();
    if (code != 0)
        return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot move %1 to the new commit"))
                           .arg(QString::fromStdString(head.reference)));
    return {};
}

// HEAD's tree with these paths as they are on disk.
Result<git_oid> writeTree(git_repository *repository, const git::Head &head, const QList<QByteArray> &paths,
                          git::WorkTreeScan &scan)
{
    if (const Result<void> opened = scan.open(); !opened)
        return std::unexpected(opened.error());
    git::TreeEdit edit;
    for (const QByteArray &path : paths) {
        const Result<std::optional<git::TreeItem>> item = scan.scan(path);
        if (!item)
            return std::unexpected(item.error());
        edit.replace(path, *item);
    }
    return edit.write(repository, head.tree.get());
}

Result<void> checkCanCommit(const Repository &repository)
{
    if (repository.isBare())
        return fail(translate(QT_TRANSLATE_NOOP("ako::Repository", "%1 is a bare repository: it has no work tree."))
                        .arg(repository.gitDirectory()),
                    translate(QT_TRANSLATE_NOOP("ako::Repository", "Clone it and work in the clone.")));
    if (repository.isInProgress())
        return fail(translate(QT_TRANSLATE_NOOP("ako::Repository",
                                                "A merge, rebase, cherry-pick or bisect is under way in %1."))
                        .arg(repository.workTree()),
                    translate(QT_TRANSLATE_NOOP("ako::Repository", "Finish or abort it; git status tells how.")));
    return {};
}

// Sorted, each once, and none below another.
QList<QByteArray> withoutCovered(QList<QByteArray> paths)
{
    std::sort(paths.begin(), paths.end());
    QList<QByteArray> kept;
    for (const QByteArray &path : std::as_const(paths)) {
        const bool covered = std::any_of(kept.cbegin(), kept.cend(), [&path](const QByteArray &other) {
            return path == other || path.startsWith(other + '/');
        });
        if (!covered)
            kept.append(path);
    }
    return kept;
}

} // namespace

Result<QList<QByteArray>> Repository::Private::pathsFromRoot(const QStringList &paths) const
{
    QList<QByteArray> all;
    for (const QString &path : paths) {
        const Result<QByteArray> full = pathFromRoot(path);
        if (!full)
            return std::unexpected(full.error());
        all.append(*full);
    }
    return withoutCovered(std::move(all));
}

Result<QString> Repository::commitPaths(const QStringList &paths, const QString &message)
{
    if (const Result<void> possible = checkCanCommit(*this); !possible)
        return std::unexpected(possible.error());
    const Result<QList<QByteArray>> fromRoot = d->pathsFromRoot(paths);
    if (!fromRoot)
        return std::unexpected(fromRoot.error());
    const Result<git::SignatureHandle> signature = makeSignature(identity());
    if (!signature)
        return std::unexpected(signature.error());
    if (const Result<void> isFree = git::checkIndexIsFree(d->get()); !isFree)
        return std::unexpected(isFree.error());
    const git::PendingIndex pending(d->get());
    if (const Result<void> settled = pending.settle(); !settled)
        return std::unexpected(settled.error());

    const Result<git::Head> head = git::readHead(d->get());
    if (!head)
        return std::unexpected(head.error());
    git::WorkTreeScan scan(d->get(), head->tree.get());
    const Result<git_oid> tree = writeTree(d->get(), *head, *fromRoot, scan);
    if (!tree)
        return std::unexpected(tree.error());
    const Result<git_oid> commit = createCommit(d->get(), *head, *tree, signature->get(), message);
    if (!commit)
        return std::unexpected(commit.error());

    if (const Result<void> noted = pending.note(*commit, *fromRoot); !noted)
        return std::unexpected(noted.error());
    if (const Result<void> moved = moveHead(d->get(), *head, *commit, message); !moved) {
        pending.clear();
        return std::unexpected(moved.error());
    }
    // From here on it is committed, whatever happens to the index; a note that stays is settled at the next commit.
    if (const Result<void> updated = git::updateIndex(d->get(), *fromRoot, scan.files(), scan.submodules()); updated)
        pending.clear();
    else
        qCWarning(logGit).noquote() << updated.error().text();
    return git::idText(*commit);
}

Result<void> Repository::finishInterruptedCommit()
{
    return git::PendingIndex(d->get()).settle();
}

} // namespace ako
