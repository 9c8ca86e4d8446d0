// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "git/diff.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <memory>

namespace ako {

struct CommitInfo
{
    QString id; // full hexadecimal
    QString message;
    QString authorName;
    QDateTime time;
    QStringList parents;
    QString subject() const { return message.section(QLatin1Char('\n'), 0, 0); }
};

struct Identity
{
    QString name;
    QString email;
    bool isComplete() const { return !name.isEmpty() && !email.isEmpty(); }
};

// Contents of a folder at a commit or on disk: path relative to that folder -> bytes. Executable files and symbolic
// links are named apart, sorted; a link's bytes are its target.
struct FolderContent
{
    QMap<QString, QByteArray> files;
    QStringList executables;
    QStringList links;
    bool operator==(const FolderContent &) const = default;
};

// A git repository as the loop needs it. Paths are relative to the workspace, which may be the work tree's root or a
// folder below it. Nothing here stages, changes or removes what is not named in the call: the user's index entries
// and files outside the given paths stay bit for bit. Every error carries libgit2's text.
class Repository
{
public:
    static Result<Repository> open(const QString &workspace);       // the repository that contains it
    static Result<Repository> initialise(const QString &workspace); // a new one there, branch main
    static bool isInsideRepository(const QString &workspace);

    Repository(Repository &&) noexcept;
    Repository &operator=(Repository &&) noexcept;
    ~Repository();

    QString workTree() const; // absolute, no trailing slash
    QString gitDirectory() const;
    bool isBare() const;
    bool isDetached() const;
    bool isUnborn() const;         // no commit yet
    bool isInProgress() const;     // a merge, rebase or cherry-pick is under way
    QString currentBranch() const; // short name; empty when detached
    QString headId() const;        // empty when unborn
    bool branchExists(const QString &name) const;
    QStringList branches() const; // local ones, short names
    Identity identity() const;
    // That of the repository the workspace is in, or what a new one there would have.
    static Identity knownIdentity(const QString &workspace);
    Result<void> setLocalIdentity(const Identity &identity);

    // Makes the branch at HEAD and points HEAD at it. Index and work tree are not touched.
    Result<void> startBranch(const QString &name);
    // Points HEAD at an existing branch; refused unless its tree equals HEAD's (so that nothing needs to change).
    Result<void> switchToEqualBranch(const QString &name);

    // Commits exactly these files and folders as they are on disk (removals below them too), whatever is staged:
    // the tree is HEAD's with these paths replaced. The user's staged and unstaged changes elsewhere stay as they
    // are; a path that .gitignore matches is still committed. Returns the commit's id. No change: an empty commit.
    //
    // What is committed are the bytes on disk, so that folderAt() gives them back exactly, on every machine: git's
    // line-end conversions are not applied. With core.autocrlf and text=auto `git status` is clean all the same, as git
    // leaves a file alone that was committed with CRLF; where an attribute demands a conversion outright (text, eol,
    // ident, a filter), status may show such a file as modified. Links are committed as links; hooks do not run.
    Result<QString> commitPaths(const QStringList &paths, const QString &message);
    // The branch moves before the index is written; this completes the index after a crash in between, and does
    // nothing otherwise. commitPaths() does so too.
    Result<void> finishInterruptedCommit();

    Result<CommitInfo> commit(const QString &id) const;
    // Newest first, following first parents from HEAD.
    Result<QList<CommitInfo>> log(int limit = 100000) const;
    Result<QByteArray> fileAt(const QString &commit, const QString &path) const;
    Result<FolderContent> folderAt(const QString &commit, const QString &folder) const;
    // The names of the folders right below that one, sorted.
    Result<QStringList> foldersAt(const QString &commit, const QString &folder) const;

    Result<Diff> diffFolders(const FolderContent &before, const FolderContent &after) const;

    // As `git status --porcelain -uall` shows it: two letters, a space, the path from the work tree's root.
    Result<QStringList> status() const;

private:
    struct Private;
    explicit Repository(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

// Three-way merge, file by file: applies (base -> theirs) to ours. On conflict nothing is returned but the list of
// conflicting files and 1-based line numbers in `ours`.
struct MergeConflict
{
    QString path;
    QList<int> lines;
};
struct MergeOutcome
{
    FolderContent merged;
    QList<MergeConflict> conflicts; // empty: merged is valid
};
MergeOutcome mergeFolders(const FolderContent &base, const FolderContent &ours, const FolderContent &theirs);

} // namespace ako
