// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/planwatch.h"

#include <QDir>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QSet>

namespace ako {

namespace {

constexpr int settleMilliseconds = 250; // an editor saves in several steps
constexpr qsizetype mostFolders = 64;

// Where nobody knows yet which file is the kernel, it may come to lie in any of them.
QStringList foldersBelow(const QString &workspace)
{
    QStringList found;
    const QDir root(workspace);
    const auto names = root.entryList(QDir::Dirs | QDir::NoSymLinks | QDir::NoDotAndDotDot);
    for (const QString &name : names.first(qMin(names.size(), mostFolders)))
        found << root.filePath(name);
    return found;
}

} // namespace

PlanWatch::PlanWatch(QObject *parent)
    : QObject(parent)
{
    m_settle.setSingleShot(true);
    m_settle.setInterval(settleMilliseconds);
    connect(&m_settle, &QTimer::timeout, this, &PlanWatch::changed);
}

QStringList PlanWatch::paths(const ResolvedPlan &plan)
{
    const QDir root(plan.workspace);
    QSet<QString> wanted{plan.workspace, root.filePath(QStringLiteral("solution"))};
    const QStringList files = QStringList{plan.problemFile, plan.referenceFile, QStringLiteral("HINTS.md")} +
                              plan.referenceFiles + plan.kernelFiles + plan.inputFiles + plan.knowledgeFiles;
    for (const QString &file : files) {
        if (file.isEmpty())
            continue;
        const QString path = QDir::cleanPath(root.absoluteFilePath(file));
        wanted << path << QFileInfo(path).path();
    }
    if (plan.kernelFiles.isEmpty()) {
        for (const QString &folder : foldersBelow(plan.workspace))
            wanted << folder;
    }
    wanted.removeIf([](const QString &path) { return !QFileInfo::exists(path); });
    QStringList sorted = wanted.values();
    sorted.sort();
    return sorted;
}

// A file that was replaced is another one to the watcher: it is added again under its name.
void PlanWatch::follow(const ResolvedPlan &plan)
{
    if (plan.workspace.isEmpty())
        return rest();
    if (!m_watcher) {
        m_watcher = new QFileSystemWatcher(this);
        connect(m_watcher, &QFileSystemWatcher::fileChanged, &m_settle, qOverload<>(&QTimer::start));
        connect(m_watcher, &QFileSystemWatcher::directoryChanged, &m_settle, qOverload<>(&QTimer::start));
    }
    QStringList wanted = paths(plan);
    QStringList watched = m_watcher->files() + m_watcher->directories();
    watched.sort();
    if (wanted == watched)
        return;
    const QSet<QString> keep(wanted.cbegin(), wanted.cend());
    const QSet<QString> had(watched.cbegin(), watched.cend());
    watched.removeIf([&keep](const QString &path) { return keep.contains(path); });
    wanted.removeIf([&had](const QString &path) { return had.contains(path); });
    if (!watched.isEmpty())
        m_watcher->removePaths(watched);
    if (!wanted.isEmpty())
        m_watcher->addPaths(wanted);
}

void PlanWatch::rest()
{
    m_settle.stop();
    delete m_watcher;
    m_watcher = nullptr;
}

} // namespace ako
