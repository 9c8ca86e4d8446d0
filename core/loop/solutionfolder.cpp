// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/solutionfolder.h"

#include "git/folderfiles.h"
#include "history/solutionhash.h"
#include "history/trajectory.h"
#include "workspace/statefolder.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <filesystem>

namespace ako {

namespace {

const QString staged = QStringLiteral("staged-solution"); // below .ako/
const QString kept = QStringLiteral("kept-edit");
const QString marker = QStringLiteral("writing-solution");
const QString keptMarker = QStringLiteral("edit-is-kept");

QString text(const char *source)
{
    return QCoreApplication::translate("Loop", source);
}

Result<void> removeState(const QString &workspace, const QString &name)
{
    const QString path = stateFolder(workspace) + QLatin1Char('/') + name;
    if (QFileInfo(path).isDir())
        QDir(path).removeRecursively();
    else
        QFile::remove(path);
    if (QFileInfo::exists(path))
        return fail(text("%1 cannot be removed").arg(path), text("Check the permissions of .ako/."));
    return {};
}

bool hasState(const QString &workspace, const QString &name)
{
    return QFileInfo::exists(stateFolder(workspace) + QLatin1Char('/') + name);
}

} // namespace

Result<FolderContent> SolutionFolder::present() const
{
    return readFolder(m_session.solution());
}

Result<FolderContent> SolutionFolder::committed(const IterationRecord &record) const
{
    if (!m_session.repository || record.commit.isEmpty())
        return fail(text("%1 has no commit to take solution/ from").arg(record.label));
    auto content = m_session.repository->folderAt(record.commit, QStringLiteral("solution"));
    if (content && !record.solutionHash.isEmpty() && solutionHash(*content) != record.solutionHash)
        return fail(text("solution/ in the commit of %1 is not what was benched").arg(record.label),
                    text("The commit may have been rewritten by hand; choose another iteration."));
    return content;
}

// Staged first: completing an interrupted write needs nothing but .ako/.
Result<void> SolutionFolder::write(const FolderContent &content)
{
    const QString folder = stateFolder(m_session.workspace) + QLatin1Char('/') + staged;
    const auto now = present();
    if (now && *now == content)
        return {};
    if (const auto done = replaceFolder(folder, content); !done)
        return done;
    if (const auto done = writeStateFile(m_session.workspace, marker, "1\n"); !done)
        return done;
    const auto written = replaceFolder(m_session.solution(), content);
    // Also where it failed: what is edited from now on is somebody's, and must not be written over at the next opening.
    const auto removed = removeState(m_session.workspace, marker);
    return written ? removed : written;
}

Result<void> SolutionFolder::completeInterruptedWrite()
{
    if (!hasState(m_session.workspace, marker))
        return {};
    const auto content = readFolder(stateFolder(m_session.workspace) + QLatin1Char('/') + staged);
    if (!content)
        return std::unexpected(content.error());
    // Written half, or edited since: the one looks like the other, so a copy is kept.
    if (const auto now = present(); now && *now != *content) {
        if (const auto aside = setAside(QStringLiteral("interrupted-write")); !aside)
            return std::unexpected(aside.error());
    }
    if (const auto done = replaceFolder(m_session.solution(), *content); !done)
        return done;
    return removeState(m_session.workspace, marker);
}

QString SolutionFolder::discardFolder(const QString &label) const
{
    const QString wanted = stateFolder(m_session.workspace) +
                           QStringLiteral("/discarded/%1_%2")
                               .arg(QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss")), label);
    QString folder = wanted;
    for (int suffix = 2; QFileInfo::exists(folder); ++suffix)
        folder = QStringLiteral("%1-%2").arg(wanted).arg(suffix);
    return folder;
}

Result<QString> SolutionFolder::setAside(const QString &label)
{
    const auto content = present();
    if (!content)
        return std::unexpected(content.error());
    if (content->files.isEmpty())
        return QString();
    const QString folder = discardFolder(label);
    QDir().mkpath(folder);
    if (const auto done = replaceFolder(folder + QStringLiteral("/solution"), *content); !done)
        return std::unexpected(done.error());
    return QDir(m_session.workspace).relativeFilePath(folder);
}

Result<void> SolutionFolder::replaceUnreadable(const FolderContent &content, const QString &label)
{
    const QString wanted = stateFolder(m_session.workspace) + QStringLiteral("/quarantine/%1").arg(label);
    QString folder = wanted;
    for (int suffix = 2; QFileInfo::exists(folder + QStringLiteral("/solution")); ++suffix)
        folder = QStringLiteral("%1-%2").arg(wanted).arg(suffix);
    QDir().mkpath(folder);
    std::error_code error;
    std::filesystem::rename(QFile::encodeName(m_session.solution()).toStdString(),
                            QFile::encodeName(folder + QStringLiteral("/solution")).toStdString(), error);
    if (error)
        return fail(text("%1 cannot be set aside: %2")
                        .arg(m_session.solution(), QString::fromLocal8Bit(error.message().c_str())),
                    text("Check the permissions of the workspace."));
    return replaceFolder(m_session.solution(), content);
}

Result<QStringList> SolutionFolder::moveProducts(const FolderContent &benched)
{
    const auto now = present();
    if (!now)
        return std::unexpected(now.error());
    FolderContent products = *now;
    for (auto file = benched.files.cbegin(); file != benched.files.cend(); ++file) {
        if (products.files.take(file.key()) != *file || !now->files.contains(file.key()))
            return QStringList{};
        products.links.removeOne(file.key());
        products.executables.removeOne(file.key());
    }
    if (products.files.isEmpty())
        return QStringList{};
    const QString folder = stateFolder(m_session.workspace) + QStringLiteral("/bench-products");
    if (const auto done = replaceFolder(folder, products); !done)
        return std::unexpected(done.error());
    if (const auto done = write(benched); !done)
        return std::unexpected(done.error());
    return products.files.keys();
}

Result<void> SolutionFolder::setAsideTrajectories(const QString &label)
{
    const QDir root(m_session.path(QStringLiteral("trajectory")));
    const auto isCommitted = [this](const QString &path) {
        if (!m_session.repository || m_session.repository->isUnborn())
            return false;
        const auto known = m_session.repository->folderAt(m_session.repository->headId(), path);
        return known && !known->files.isEmpty();
    };
    for (const QString &name : root.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        const auto parsed = trajectoryName(name);
        if (!parsed)
            continue;
        QString of = parsed->label;
        if (of.startsWith(label) && of.mid(label.size()).startsWith(QLatin1String("-verdict")))
            of = label;
        const bool suffixed = of.startsWith(label + QLatin1Char('-')) && of.mid(label.size() + 1).toInt() > 1;
        if (of != label && !suffixed)
            continue;
        const QString path = QStringLiteral("trajectory/") + name;
        if (isCommitted(path))
            continue;
        const QString target = discardFolder(name);
        QDir().mkpath(QFileInfo(target).path());
        if (!QDir().rename(m_session.path(path), target))
            return fail(text("%1 cannot be set aside").arg(path),
                        text("Check the permissions of trajectory/ and .ako/."));
    }
    return {};
}

Result<void> SolutionFolder::makeRoomFor(const FolderContent &benched)
{
    const auto now = present();
    if (!now)
        return std::unexpected(now.error());
    if (*now == benched)
        return {};
    if (!hasState(m_session.workspace, keptMarker)) {
        const QString folder = stateFolder(m_session.workspace) + QLatin1Char('/') + kept;
        if (const auto done = replaceFolder(folder, *now); !done)
            return done;
        if (const auto done = writeStateFile(m_session.workspace, keptMarker, "1\n"); !done)
            return done;
    }
    return write(benched);
}

Result<void> SolutionFolder::bringBackEdit()
{
    if (!hasState(m_session.workspace, keptMarker))
        return {};
    const auto edit = readFolder(stateFolder(m_session.workspace) + QLatin1Char('/') + kept);
    if (!edit)
        return std::unexpected(edit.error());
    if (const auto done = write(*edit); !done)
        return done;
    return removeState(m_session.workspace, keptMarker);
}

} // namespace ako
