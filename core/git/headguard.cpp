// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/headguard.h"

#include "base/atomicfile.h"
#include "base/words.h"
#include "git/repository_p.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace ako {

namespace {

constexpr qint64 largestFile = 1024LL * 1024;
constexpr qint64 largestIndex = 256LL * 1024 * 1024;

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::HeadGuard", text);
}

Result<git::RepositoryHandle> open(const QString &workspace)
{
    git::initialiseLibrary();
    git::RepositoryHandle handle;
    if (git_repository_open_ext(receive(handle), QFile::encodeName(workspace).constData(), 0, nullptr) != 0)
        return git::failure(tr("The git repository of %1 cannot be opened").arg(workspace));
    return handle;
}

// Where that reference points, and where HEAD does; empty: nowhere.
QString targetOf(git_repository *repository, const QString &reference)
{
    git_oid id;
    return git_reference_name_to_id(&id, repository, reference.toUtf8().constData()) == 0 ? git::idText(id) : QString();
}

QString headOf(git_repository *repository)
{
    git::ReferenceHandle head;
    if (git_reference_lookup(receive(head), repository, "HEAD") != 0)
        return {};
    const char *target = git_reference_symbolic_target(head.get());
    return target ? QString::fromUtf8(target) : QStringLiteral("HEAD");
}

QString shortName(QString reference)
{
    return reference.remove(QLatin1String("refs/heads/"));
}

bool pointBranch(git_repository *repository, const QString &reference, const QString &commit)
{
    const QByteArray name = reference.toUtf8();
    if (commit.isEmpty())
        return git_reference_remove(repository, name.constData()) == 0;
    git_oid id;
    git::ReferenceHandle made;
    return git_oid_fromstr(&id, commit.toLatin1().constData()) == 0 &&
           git_reference_create(receive(made), repository, name.constData(), &id, 1, "ako4all: taken back") == 0;
}

bool pointHead(git_repository *repository, const QString &reference, const QString &commit)
{
    if (reference != QLatin1String("HEAD"))
        return git_repository_set_head(repository, reference.toUtf8().constData()) == 0;
    git_oid id;
    return git_oid_fromstr(&id, commit.toLatin1().constData()) == 0 &&
           git_repository_set_head_detached(repository, &id) == 0;
}

// So that git never collects what was committed meanwhile: it may have been a person.
QString kept(git_repository *repository, const QString &commit)
{
    const QString reference = QStringLiteral("refs/ako4all/taken-back/") + commit.left(10);
    return !commit.isEmpty() && pointBranch(repository, reference, commit)
               ? tr(", kept as %1: \"git branch NAME %1\" brings it back").arg(reference)
               : QString();
}

QString outcome(const QString &text, bool done)
{
    return done ? text : tr("%1 (it could not be put back)").arg(text);
}

} // namespace

Result<HeadGuard> HeadGuard::take(const QString &workspace)
{
    auto repository = open(workspace);
    if (!repository)
        return std::unexpected(repository.error());
    git_repository *handle = repository->get();
    HeadGuard guard;
    guard.m_workspace = workspace;
    guard.m_folder = QDir::cleanPath(QString::fromUtf8(git_repository_path(handle)));
    guard.m_common = QDir::cleanPath(QString::fromUtf8(git_repository_commondir(handle)));
    guard.m_reference = headOf(handle);
    guard.m_commit = targetOf(handle, guard.m_reference);
    guard.m_index = readRegularFile(guard.m_folder + QStringLiteral("/index"), largestIndex).value_or(QByteArray());
    guard.m_files = guard.readFiles();
    return guard;
}

HeadGuard::Files HeadGuard::readFiles() const
{
    QStringList paths{m_common + QStringLiteral("/config"), m_folder + QStringLiteral("/config.worktree"),
                      m_folder + QStringLiteral("/index.lock"), m_folder + QStringLiteral("/HEAD.lock")};
    if (m_reference != QLatin1String("HEAD"))
        paths << m_common + QLatin1Char('/') + m_reference + QStringLiteral(".lock");
    const QDir hooks(m_common + QStringLiteral("/hooks"));
    for (const QString &name : hooks.entryList(QDir::Files | QDir::Hidden | QDir::System))
        paths << hooks.filePath(name);
    Files files;
    for (const QString &path : std::as_const(paths)) {
        if (const auto bytes = readRegularFile(path, largestFile))
            files.insert(path, *bytes);
    }
    return files;
}

Result<QStringList> HeadGuard::putBack(const QString &quarantine) const
{
    if (const auto repository = open(m_workspace); !repository)
        return std::unexpected(repository.error());
    return putBackFiles(quarantine) + putBackHead(quarantine); // locks first: they would be in the way
}

QStringList HeadGuard::putBackHead(const QString &quarantine) const
{
    const auto repository = open(m_workspace); // with the config that is back
    if (!repository)
        return {repository.error().text()};
    git_repository *handle = repository->get();
    QStringList told;
    const QString head = headOf(handle);
    const QString headCommit = targetOf(handle, QStringLiteral("HEAD"));
    const bool isDetached = m_reference == QLatin1String("HEAD");
    if (const QString now = targetOf(handle, m_reference); !isDetached && now != m_commit)
        told << outcome(
            now.isEmpty() ? tr("git: the branch %1 was removed").arg(shortName(m_reference))
                          : tr("git: the branch %1 was moved to commit %2").arg(shortName(m_reference), now.left(10)) +
                                kept(handle, now),
            pointBranch(handle, m_reference, m_commit));
    if (head != m_reference || (isDetached && headCommit != m_commit)) {
        const bool namesACommit = head == QLatin1String("HEAD") || head.isEmpty();
        told << outcome(
            tr("git: HEAD was moved to %1").arg(namesACommit ? headCommit.left(10) : words::title(shortName(head))) +
                (namesACommit && headCommit != m_commit ? kept(handle, headCommit) : QString()),
            pointHead(handle, m_reference, m_commit));
    }
    if (!told.isEmpty() && !m_index.isEmpty())
        putBackIndex(quarantine);
    return told;
}

// What was staged meanwhile goes with the commits that it was staged on; a copy of it is kept.
void HeadGuard::putBackIndex(const QString &quarantine) const
{
    const QString path = m_folder + QStringLiteral("/index");
    const auto now = readRegularFile(path, largestIndex);
    if (now && *now == m_index)
        return;
    const QString aside = quarantine + QStringLiteral("/git/index");
    QDir().mkpath(QFileInfo(aside).path());
    if (!now || writeFileAtomically(aside, *now))
        (void)writeFileAtomically(path, m_index);
}

QStringList HeadGuard::putBackFiles(const QString &quarantine) const
{
    QStringList told;
    const Files now = readFiles();
    const auto named = [this](const QString &path) { return QDir(m_common).relativeFilePath(path); };
    for (auto file = now.cbegin(); file != now.cend(); ++file) {
        if (m_files.contains(file.key()) && m_files.value(file.key()) == *file)
            continue;
        const QString aside =
            quarantine + QStringLiteral("/git/") + QString(named(file.key())).replace(QLatin1String("../"), QString());
        QDir().mkpath(QFileInfo(aside).path());
        QFile::remove(aside);
        const QFileDevice::Permissions permissions = QFile::permissions(file.key());
        bool done = QFile::rename(file.key(), aside);
        if (done && m_files.contains(file.key()))
            done = writeFileAtomically(file.key(), m_files.value(file.key())).has_value() &&
                   QFile::setPermissions(file.key(), permissions);
        if (done) // what is kept is not to be run
            QFile::setPermissions(aside, QFileDevice::ReadOwner | QFileDevice::WriteOwner);
        told << outcome(tr("git: %1 was written").arg(words::title(named(file.key()))), done);
    }
    for (auto file = m_files.cbegin(); file != m_files.cend(); ++file) {
        if (now.contains(file.key()) || file.key().endsWith(QLatin1String(".lock")))
            continue;
        told << outcome(tr("git: %1 was removed").arg(words::title(named(file.key()))),
                        writeFileAtomically(file.key(), *file).has_value());
    }
    return told;
}

} // namespace ako
