// SPDX-License-Identifier: GPL-3.0-or-later
#include "examples.h"

#include "base/installation.h"
#include "base/words.h"
#include "examplemark.h"
#include "git/repository.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>

namespace ako {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Examples", text);
}

// The first that is free, or that an earlier call made and nobody has worked in: a retry is no second copy.
QString usableFolder(const QString &name, const QString &source)
{
    using State = ExampleFolder::State;
    const QString base = QDir::homePath() + QStringLiteral("/ako4all-demo/") + name;
    for (int number = 1;; ++number) {
        QString folder = number == 1 ? base : base + QLatin1Char('-') + QString::number(number);
        const State state = lookAtExampleFolder(folder, name, source).state;
        if (state == State::Free || (state == State::Begun && !isInUse(folder)))
            return folder;
    }
}

// Why the folder that was named cannot be used, and what can be done.
Result<void> mayBeUsed(const QString &folder, const ExampleFolder &found)
{
    const QString otherFolder = tr("Name another folder with --into.");
    switch (found.state) {
    case ExampleFolder::State::Free:
    case ExampleFolder::State::Begun:
        return {};
    case ExampleFolder::State::Foreign:
        return fail(tr("%1 is not empty, and no demo was copied to it.").arg(folder), otherFolder);
    case ExampleFolder::State::Other:
        return fail(tr("%1 holds another example, or that of another version: %2.").arg(folder, found.detail),
                    otherFolder);
    case ExampleFolder::State::Touched:
        return fail(tr("%1 holds the demo, but %2 was changed or added since.").arg(folder, found.detail),
                    tr("Go on with it: ako4all run %1\n"
                       "Or begin anew: name another folder with --into.")
                        .arg(words::shellWord(folder)));
    case ExampleFolder::State::Finished:
        return fail(tr("The demo in %1 is finished.").arg(folder), tr("See what came of it: ako4all history %1\n"
                                                                      "Or begin anew: name another folder with --into.")
                                                                       .arg(words::shellWord(folder)));
    }
    return {};
}

Result<void> copyTree(const QString &from, const QString &to)
{
    QDirIterator files(from, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString source = files.next();
        const QString target = to + source.mid(from.size());
        if (!QDir().mkpath(QFileInfo(target).path()))
            return fail(tr("The folder %1 could not be made.").arg(QFileInfo(target).path()));
        QFile file(source);
        if (QFileInfo::exists(target)) // of a copy that was interrupted
            continue;
        if (!file.copy(target))
            return fail(tr("%1 could not be written: %2").arg(target, file.errorString()));
        // An example that was installed read-only is still the user's to edit.
        QFile::setPermissions(target, QFile::permissions(target) | QFileDevice::WriteOwner);
    }
    return {};
}

// A repository of its own, with the example as it came: what the run changes can be compared with it. Nobody has to be
// known to git for that, as the folder is ours.
Result<void> commitExample(const QString &folder, const QString &name, const QString &source)
{
    const bool isThere = QFileInfo::exists(folder + QStringLiteral("/.git"));
    auto repository = isThere ? Repository::open(folder) : Repository::initialise(folder);
    if (!repository)
        return std::unexpected(repository.error());
    if (!repository->isUnborn()) // gone on with
        return {};
    if (!repository->identity().isComplete()) {
        const Identity ours{QStringLiteral("AKO4ALL demo"), QStringLiteral("demo@localhost")};
        if (const Result<void> set = repository->setLocalIdentity(ours); !set)
            return set;
    }
    const QStringList files = QDir(source).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    const auto done = repository->commitPaths(files, tr("The example %1 as it came").arg(name));
    return done ? Result<void>() : std::unexpected(done.error());
}

} // namespace

QStringList exampleNames()
{
    const QString folder = installation::dataFolder(QStringLiteral("examples"));
    return folder.isEmpty() ? QStringList() : QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
}

Result<ExampleCopy> copyExample(const QString &name, const QString &into)
{
    const QStringList names = exampleNames();
    if (names.isEmpty())
        return fail(tr("The examples are not installed."), tr("Set AKO_DATA_DIR to the folder that holds examples/."));
    if (!names.contains(name))
        return fail(tr("There is no example \"%1\".").arg(name),
                    tr("There are: %1").arg(names.join(QStringLiteral(", "))));
    const QString source = installation::dataFolder(QStringLiteral("examples")) + QLatin1Char('/') + name;
    const QString target = QDir().absoluteFilePath(into.isEmpty() ? usableFolder(name, source) : into);
    const ExampleFolder found = lookAtExampleFolder(target, name, source);
    if (const Result<void> usable = mayBeUsed(target, found); !usable)
        return std::unexpected(usable.error());
    if (!QDir().mkpath(target))
        return fail(tr("The folder %1 could not be made.").arg(target), tr("Name another folder with --into."));
    if (const Result<void> marked = markExampleFolder(target, name, source); !marked)
        return std::unexpected(marked.error());
    if (const Result<void> copied = copyTree(source, target); !copied)
        return std::unexpected(copied.error());
    if (const Result<void> committed = commitExample(target, name, source); !committed)
        return std::unexpected(committed.error());
    return ExampleCopy{target, found.state == ExampleFolder::State::Begun};
}

} // namespace ako
