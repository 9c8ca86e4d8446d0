// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/filetree.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QSet>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace ako {

namespace {

constexpr qsizetype fileLimit = 100000;

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::FileTree", text);
}

QString systemError()
{
    return QString::fromLocal8Bit(std::strerror(errno));
}

// Why a folder of that name is not looked into; empty: it is.
QString reasonToSkipByName(const QString &name)
{
    static const QHash<QString, const char *> reasons{
        {QStringLiteral(".git"), ""},
        {QStringLiteral(".ako"), ""},
        {QStringLiteral(".hg"), ""},
        {QStringLiteral(".svn"), ""},
        {QStringLiteral("trajectory"), QT_TRANSLATE_NOOP("ako::FileTree", "the record of earlier iterations")},
        {QStringLiteral("solution"), QT_TRANSLATE_NOOP("ako::FileTree", "the loop's own folder")},
        {QStringLiteral("node_modules"), QT_TRANSLATE_NOOP("ako::FileTree", "installed packages")},
        {QStringLiteral("site-packages"), QT_TRANSLATE_NOOP("ako::FileTree", "installed packages")},
        {QStringLiteral("__pycache__"), ""},
        {QStringLiteral(".cache"), ""},
        {QStringLiteral(".venv"), QT_TRANSLATE_NOOP("ako::FileTree", "a virtual environment")},
        {QStringLiteral("build"), QT_TRANSLATE_NOOP("ako::FileTree", "a build folder")},
        {QStringLiteral("_deps"), QT_TRANSLATE_NOOP("ako::FileTree", "a build folder")},
        {QStringLiteral("CMakeFiles"), QT_TRANSLATE_NOOP("ako::FileTree", "a build folder")},
        {QStringLiteral("third_party"), QT_TRANSLATE_NOOP("ako::FileTree", "third-party code")},
        {QStringLiteral("3rdparty"), QT_TRANSLATE_NOOP("ako::FileTree", "third-party code")},
        {QStringLiteral("thirdparty"), QT_TRANSLATE_NOOP("ako::FileTree", "third-party code")},
        {QStringLiteral("vendor"), QT_TRANSLATE_NOOP("ako::FileTree", "third-party code")},
        {QStringLiteral(".tox"), QT_TRANSLATE_NOOP("ako::FileTree", "a virtual environment")},
        {QStringLiteral(".nox"), QT_TRANSLATE_NOOP("ako::FileTree", "a virtual environment")},
        {QStringLiteral(".eggs"), QT_TRANSLATE_NOOP("ako::FileTree", "installed packages")},
        {QStringLiteral(".mypy_cache"), ""},
        {QStringLiteral(".pytest_cache"), ""},
        {QStringLiteral(".ruff_cache"), ""},
        {QStringLiteral(".ipynb_checkpoints"), ""},
    };
    const auto found = reasons.constFind(name);
    if (found != reasons.cend())
        return *found.value() ? tr(found.value()) : QStringLiteral("-");
    if (name.startsWith(QLatin1String("cmake-build-")) || name.startsWith(QLatin1String("build-")))
        return tr("a build folder");
    return {};
}

// What is no file on a disk.
bool isOfTheSystem(const QString &absolutePath)
{
    return absolutePath == QLatin1String("//proc") || absolutePath == QLatin1String("//sys") ||
           absolutePath == QLatin1String("//dev");
}

QString reasonToSkipByContent(const QSet<QString> &names)
{
    if (names.contains(QStringLiteral("pyvenv.cfg")) || names.contains(QStringLiteral("conda-meta")))
        return tr("a virtual environment");
    if (names.contains(QStringLiteral("CMakeCache.txt")))
        return tr("a build folder");
    if (names.contains(QStringLiteral("CACHEDIR.TAG")))
        return tr("a cache");
    return {};
}

struct DirectoryCloser
{
    void operator()(DIR *directory) const { ::closedir(directory); }
};
using Directory = std::unique_ptr<DIR, DirectoryCloser>;

Directory openDirectory(const QString &path)
{
    const int descriptor =
        ::open(QFile::encodeName(path).constData(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return nullptr;
    DIR *directory = ::fdopendir(descriptor);
    if (!directory)
        ::close(descriptor);
    return Directory(directory);
}

class Walker
{
public:
    explicit Walker(FileTree &tree)
        : m_tree(tree)
        , m_canonicalRoot(QFileInfo(tree.root).canonicalFilePath())
    {
    }

    void run()
    {
        m_pending.append(QString());
        while (!m_pending.isEmpty() && m_tree.files.size() < fileLimit)
            folder(m_pending.takeLast());
        m_tree.isCut = !m_pending.isEmpty();
        std::sort(m_tree.files.begin(), m_tree.files.end(),
                  [](const FileTree::File &a, const FileTree::File &b) { return a.path < b.path; });
        m_tree.folders.sort();
        m_tree.notes.sort();
    }

private:
    QString absolute(const QString &relative) const
    {
        return relative.isEmpty() ? m_tree.root : m_tree.root + QLatin1Char('/') + relative;
    }

    void folder(const QString &relative)
    {
        const Directory directory = openDirectory(absolute(relative));
        if (!directory) {
            m_tree.notes.append(tr("%1/ was skipped: it cannot be read (%2).").arg(relative, systemError()));
            return;
        }
        QList<QByteArray> names;
        QSet<QString> nameSet;
        while (const dirent *entry = ::readdir(directory.get())) {
            const QByteArray name(entry->d_name);
            if (name == "." || name == "..")
                continue;
            names.append(name);
            nameSet.insert(QFile::decodeName(name));
        }
        const QString reason = relative.isEmpty() ? QString() : reasonToSkipByContent(nameSet);
        if (!reason.isEmpty()) {
            m_tree.notes.append(tr("%1/ was skipped: %2.").arg(relative, reason));
            return;
        }
        if (!relative.isEmpty())
            m_tree.folders.append(relative);
        for (const QByteArray &name : std::as_const(names))
            entry(::dirfd(directory.get()), relative, name);
    }

    void entry(int directory, const QString &parent, const QByteArray &rawName)
    {
        const QString name = QFile::decodeName(rawName);
        const QString path = parent.isEmpty() ? name : parent + QLatin1Char('/') + name;
        if (QFile::encodeName(name) != rawName) {
            m_tree.notes.append(tr("%1 was skipped: its name is not valid UTF-8.").arg(path));
            return;
        }
        struct stat status = {};
        if (::fstatat(directory, rawName.constData(), &status, AT_SYMLINK_NOFOLLOW) != 0)
            return; // it has just vanished
        if (S_ISDIR(status.st_mode))
            subfolder(path, name);
        else if (S_ISREG(status.st_mode))
            m_tree.files.append({path, qint64(status.st_size), {}});
        else if (S_ISLNK(status.st_mode))
            link(path);
        else
            m_tree.notes.append(tr("%1 was skipped: it is no regular file.").arg(path));
    }

    void subfolder(const QString &path, const QString &name)
    {
        QString reason = reasonToSkipByName(name);
        if (isOfTheSystem(absolute(path)))
            reason = tr("the system's own");
        if (reason.isEmpty() && path == QLatin1String("bench/kernelbench"))
            reason = tr("the built-in evaluator");
        if (reason.isEmpty())
            m_pending.append(path);
        else if (reason != QLatin1String("-"))
            m_tree.notes.append(tr("%1/ was skipped: %2.").arg(path, reason));
    }

    void link(const QString &path)
    {
        const QFileInfo target(QFileInfo(absolute(path)).canonicalFilePath());
        const QString canonical = target.filePath();
        if (canonical.isEmpty() || !canonical.startsWith(m_canonicalRoot + QLatin1Char('/')))
            m_tree.notes.append(tr("%1 was skipped: a link that leads outside or nowhere.").arg(path));
        else if (target.isFile()) // links to folders inside are seen at their own place
            m_tree.files.append({path, target.size(), canonical.mid(m_canonicalRoot.size() + 1)});
    }

    FileTree &m_tree;
    QString m_canonicalRoot;
    QStringList m_pending;
};

} // namespace

Result<FileTree> FileTree::walk(const QString &root)
{
    const QFileInfo info(root);
    if (!info.exists())
        return fail(tr("The workspace %1 does not exist.").arg(root), tr("Name a folder that holds the kernel."));
    if (!info.isDir())
        return fail(tr("The workspace %1 is a file, not a folder.").arg(root),
                    tr("Name the folder that holds it: %1").arg(info.absolutePath()));
    FileTree tree;
    // A link to a workspace is a workspace; links below it are judged one by one.
    tree.root = info.canonicalFilePath();
    if (!openDirectory(tree.root))
        return fail(tr("The workspace %1 cannot be read: %2.").arg(root, systemError()),
                    tr("Give yourself the right to read it: chmod u+rx %1").arg(root));
    Walker(tree).run();
    return tree;
}

Result<QByteArray> readFileHead(const QString &path, qint64 limit)
{
    const int descriptor =
        ::open(QFile::encodeName(path).constData(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return fail(tr("%1 cannot be read: %2.").arg(path, systemError()));
    struct stat status = {};
    const bool isRegular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    QFile file;
    if (!isRegular || !file.open(descriptor, QIODevice::ReadOnly, QFile::AutoCloseHandle)) {
        if (!isRegular)
            ::close(descriptor);
        return fail(tr("%1 cannot be read: it is no regular file.").arg(path));
    }
    return file.read(limit);
}

} // namespace ako
