// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/repository.h"

#include "git/repository_p.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace ako {

using git::failure;
using git::receive;
using git::translate;

namespace {

constexpr char branchPrefix[] = "refs/heads/";

Result<QString> canonicalFolder(const QString &workspace)
{
    const QFileInfo info(workspace);
    if (!info.exists())
        return fail(translate(QT_TRANSLATE_NOOP("ako::Repository", "%1 does not exist.")).arg(workspace));
    if (!info.isDir())
        return fail(translate(QT_TRANSLATE_NOOP("ako::Repository", "%1 is not a folder.")).arg(workspace));
    return info.canonicalFilePath();
}

std::unexpected<Error> openFailure(int code, const QString &workspace)
{
    // libgit2 1.5 says "not found" about somebody else's repository too, where no safe.directory is configured at all.
    const bool isForeign = code == GIT_EOWNER || (code == GIT_ENOTFOUND && Repository::isInsideRepository(workspace));
    if (code == GIT_ENOTFOUND && !isForeign)
        return fail(translate(QT_TRANSLATE_NOOP("ako::Repository", "%1 is not in a git repository.")).arg(workspace),
                    translate(QT_TRANSLATE_NOOP("ako::Repository", "Make one there: git init")));
    if (isForeign)
        return fail(translate(QT_TRANSLATE_NOOP("ako::Repository", "The git repository of %1 belongs to another user."))
                        .arg(workspace),
                    translate(QT_TRANSLATE_NOOP("ako::Repository",
                                                "If you trust it: git config --global --add safe.directory \"%1\""))
                        .arg(workspace));
    return failure(
        translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot open the git repository of %1")).arg(workspace));
}

QString withoutSlash(const char *path)
{
    QString text = QFile::decodeName(path ? path : "");
    while (text.size() > 1 && text.endsWith(QLatin1Char('/')))
        text.chop(1);
    return text;
}

QByteArray prefixOf(git_repository *repository, const QString &workspace)
{
    const char *root = git_repository_workdir(repository);
    if (!root)
        return {};
    const QString relative = QDir(QFileInfo(withoutSlash(root)).canonicalFilePath()).relativeFilePath(workspace);
    const bool isBelow = relative != QLatin1String(".") && !relative.startsWith(QLatin1String(".."));
    return isBelow ? QFile::encodeName(relative) + '/' : QByteArray();
}

// The environment goes first, as with git itself.
QString identityPart(git_config *config, const char *variable, const char *key)
{
    QString fromEnvironment = qEnvironmentVariable(variable).trimmed();
    if (!fromEnvironment.isEmpty())
        return fromEnvironment;
    git_buf text = GIT_BUF_INIT;
    const bool found = config && git_config_get_string_buf(&text, config, key) == 0;
    const QString value = found ? QString::fromUtf8(text.ptr).trimmed() : QString();
    git_buf_dispose(&text);
    return value;
}

std::string fullName(const QString &branch)
{
    return branchPrefix + branch.toStdString();
}

} // namespace

QString Repository::Private::gitFile(const QString &name) const
{
    return QFile::decodeName(git_repository_path(get())) + name;
}

Result<QByteArray> Repository::Private::pathFromRoot(const QString &path) const
{
    const QString clean = QDir::cleanPath(path);
    const QStringList parts = clean.split(QLatin1Char('/'));
    const bool outside = path.isEmpty() || QDir::isAbsolutePath(path) || parts.first() == QLatin1String("..") ||
                         clean == QLatin1String(".") || clean.contains(QChar(0));
    if (outside || parts.contains(QLatin1String(".git"), Qt::CaseInsensitive))
        return fail(
            translate(QT_TRANSLATE_NOOP("ako::Repository", "\"%1\" is not a path below the workspace.")).arg(path));
    return prefix + QFile::encodeName(clean);
}

Result<git::Head> git::readHead(git_repository *repository)
{
    Head head;
    ReferenceHandle symbolic;
    if (git_reference_lookup(receive(symbolic), repository, "HEAD") != 0)
        return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot read HEAD")));
    const char *target = git_reference_symbolic_target(symbolic.get());
    head.reference = target ? target : "HEAD";
    ReferenceHandle resolved;
    const int code = git_repository_head(receive(resolved), repository);
    if (code == GIT_EUNBORNBRANCH)
        return head;
    CommitHandle commit;
    if (code != 0 || git_commit_lookup(receive(commit), repository, git_reference_target(resolved.get())) != 0 ||
        git_commit_tree(receive(head.tree), commit.get()) != 0)
        return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot read the commit that HEAD points at")));
    head.commit = *git_commit_id(commit.get());
    return head;
}

Repository::Repository(std::unique_ptr<Private> data)
    : d(std::move(data))
{
}
Repository::Repository(Repository &&) noexcept = default;
Repository &Repository::operator=(Repository &&) noexcept = default;
Repository::~Repository() = default;

Result<Repository> Repository::open(const QString &workspace)
{
    git::initialiseLibrary();
    const Result<QString> folder = canonicalFolder(workspace);
    if (!folder)
        return std::unexpected(folder.error());
    auto data = std::make_unique<Private>();
    const int code = git_repository_open_ext(receive(data->handle), QFile::encodeName(*folder).constData(), 0, nullptr);
    if (code != 0)
        return openFailure(code, *folder);
    data->prefix = prefixOf(data->get(), *folder);
    return Repository(std::move(data));
}

Result<Repository> Repository::initialise(const QString &workspace)
{
    git::initialiseLibrary();
    const Result<QString> folder = canonicalFolder(workspace);
    if (!folder)
        return std::unexpected(folder.error());
    git_repository_init_options options = GIT_REPOSITORY_INIT_OPTIONS_INIT;
    options.flags = GIT_REPOSITORY_INIT_NO_REINIT;
    options.initial_head = "main";
    auto data = std::make_unique<Private>();
    if (git_repository_init_ext(receive(data->handle), QFile::encodeName(*folder).constData(), &options) != 0)
        return failure(
            translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot make a git repository in %1")).arg(*folder));
    return Repository(std::move(data));
}

bool Repository::isInsideRepository(const QString &workspace)
{
    git::initialiseLibrary();
    git_buf found = GIT_BUF_INIT;
    const bool inside = git_repository_discover(&found, QFile::encodeName(workspace).constData(), 0, nullptr) == 0;
    git_buf_dispose(&found);
    return inside;
}

QString Repository::workTree() const
{
    return withoutSlash(git_repository_workdir(d->get()));
}

QString Repository::gitDirectory() const
{
    return withoutSlash(git_repository_path(d->get()));
}

bool Repository::isBare() const
{
    return git_repository_is_bare(d->get()) != 0;
}

bool Repository::isDetached() const
{
    return git_repository_head_detached(d->get()) == 1;
}

bool Repository::isUnborn() const
{
    return git_repository_head_unborn(d->get()) == 1;
}

bool Repository::isInProgress() const
{
    return git_repository_state(d->get()) != GIT_REPOSITORY_STATE_NONE;
}

QString Repository::currentBranch() const
{
    git::ReferenceHandle head;
    if (git_reference_lookup(receive(head), d->get(), "HEAD") != 0)
        return {};
    const QString target = QString::fromUtf8(git_reference_symbolic_target(head.get()));
    return target.startsWith(QLatin1String(branchPrefix)) ? target.mid(qsizetype(sizeof branchPrefix) - 1) : QString();
}

QString Repository::headId() const
{
    git_oid id;
    return git_reference_name_to_id(&id, d->get(), "HEAD") == 0 ? git::idText(id) : QString();
}

bool Repository::branchExists(const QString &name) const
{
    git_oid id;
    return git_reference_name_to_id(&id, d->get(), fullName(name).c_str()) == 0;
}

QStringList Repository::branches() const
{
    git_strarray names = {};
    QStringList branches;
    if (git_reference_list(&names, d->get()) != 0)
        return branches;
    for (std::size_t i = 0; i < names.count; ++i) {
        const QString name = QString::fromUtf8(names.strings[i]);
        if (name.startsWith(QLatin1String(branchPrefix)))
            branches << name.mid(qsizetype(sizeof branchPrefix) - 1);
    }
    git_strarray_dispose(&names);
    return branches;
}

Identity Repository::identity() const
{
    git::ConfigHandle config;
    git_repository_config_snapshot(receive(config), d->get());
    return {identityPart(config.get(), "GIT_AUTHOR_NAME", "user.name"),
            identityPart(config.get(), "GIT_AUTHOR_EMAIL", "user.email")};
}

Identity Repository::knownIdentity(const QString &workspace)
{
    git::initialiseLibrary();
    if (isInsideRepository(workspace)) {
        if (const Result<Repository> repository = open(workspace))
            return repository->identity();
    }
    git::ConfigHandle config;
    git_config_open_default(receive(config));
    return {identityPart(config.get(), "GIT_AUTHOR_NAME", "user.name"),
            identityPart(config.get(), "GIT_AUTHOR_EMAIL", "user.email")};
}

Result<void> Repository::setLocalIdentity(const Identity &identity)
{
    if (!identity.isComplete())
        return fail(
            translate(QT_TRANSLATE_NOOP("ako::Repository", "A git identity needs a name and an e-mail address.")));
    git::ConfigHandle all;
    git::ConfigHandle local;
    if (git_repository_config(receive(all), d->get()) != 0 ||
        git_config_open_level(receive(local), all.get(), GIT_CONFIG_LEVEL_LOCAL) != 0 ||
        git_config_set_string(local.get(), "user.name", identity.name.toUtf8().constData()) != 0 ||
        git_config_set_string(local.get(), "user.email", identity.email.toUtf8().constData()) != 0)
        return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot set the identity of this repository")));
    return {};
}

Result<void> Repository::startBranch(const QString &name)
{
    const QString what = translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot start branch %1")).arg(name);
    if (isBare() || isInProgress())
        return fail(what,
                    translate(QT_TRANSLATE_NOOP("ako::Repository",
                                                "The repository is bare, or a merge, rebase or bisect is under way.")));
    int valid = 0;
    if (git_branch_name_is_valid(&valid, name.toUtf8().constData()) != 0 || !valid)
        return fail(
            translate(QT_TRANSLATE_NOOP("ako::Repository", "\"%1\" is not a valid name for a branch.")).arg(name));
    if (branchExists(name))
        return fail(translate(QT_TRANSLATE_NOOP("ako::Repository", "Branch %1 exists already.")).arg(name),
                    translate(QT_TRANSLATE_NOOP("ako::Repository", "Choose another name or switch to it.")));
    const Result<git::Head> head = git::readHead(d->get());
    if (!head)
        return std::unexpected(head.error());
    const std::string reference = fullName(name);
    git::ReferenceHandle made;
    const std::optional<git_oid> &at = head->commit; // none in a repository without a commit
    if (at &&
        git_reference_create(receive(made), d->get(), reference.c_str(), &*at, 0, "branch: Created from HEAD") != 0)
        return failure(what);
    if (git_repository_set_head(d->get(), reference.c_str()) != 0)
        return failure(what);
    return {};
}

Result<void> Repository::switchToEqualBranch(const QString &name)
{
    const Result<git::Head> head = git::readHead(d->get());
    if (!head)
        return std::unexpected(head.error());
    const std::string reference = fullName(name);
    git_oid id;
    git::CommitHandle commit;
    if (git_reference_name_to_id(&id, d->get(), reference.c_str()) != 0 ||
        git_commit_lookup(receive(commit), d->get(), &id) != 0)
        return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "There is no branch %1")).arg(name));
    if (!head->tree || !git_oid_equal(git_tree_id(head->tree.get()), git_commit_tree_id(commit.get())))
        return fail(translate(QT_TRANSLATE_NOOP("ako::Repository", "Branch %1 holds other files than HEAD.")).arg(name),
                    translate(QT_TRANSLATE_NOOP("ako::Repository", "Check it out yourself: git switch %1")).arg(name));
    if (git_repository_set_head(d->get(), reference.c_str()) != 0)
        return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot switch to branch %1")).arg(name));
    return {};
}

} // namespace ako
