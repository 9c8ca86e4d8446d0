// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/tools/filetools.h"

#include "base/atomicfile.h"
#include "base/words.h"
#include "history/filewriter.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

#include <utility>

namespace ako {

namespace {

using nlohmann::json;

constexpr qint64 largestFile = 4LL * 1024 * 1024;
constexpr qsizetype longestAnswer = 60'000;
constexpr int mostNames = 1000;
constexpr int mostHits = 200;
constexpr int mostSearched = 20'000;                     // files
constexpr qint64 mostBytesSearched = 64LL * 1024 * 1024; // the loop waits meanwhile

ToolAnswer failed(const QString &why)
{
    return {why, true};
}

ToolAnswer onlySolution(const QString &path)
{
    return failed(QStringLiteral("%1 is not below solution/: nothing else may be changed.").arg(words::title(path)));
}

ToolAnswer notThere(const QString &path)
{
    return failed(QStringLiteral("%1 is no file of the workspace that can be read.").arg(words::title(path)));
}

bool isText(const QByteArray &bytes)
{
    return !bytes.left(8000).contains('\0');
}

} // namespace

FileTools::FileTools(acp::WorkPlace place, QObject *parent)
    : Toolbox(parent)
    , m_place(std::move(place))
{
}

QList<Tool> FileTools::tools() const
{
    const char *const where = "Relative to the workspace, for example solution/kernel.cu.";
    return {
        {QStringLiteral("list_files"),
         QStringLiteral("The names of the files in a folder of the workspace, with sizes."),
         schemaOf({{"folder", "string", "Left out: the workspace itself.", false}})},
        {QStringLiteral("read_file"), QStringLiteral("A text file of the workspace."),
         schemaOf({{"path", "string", where},
                   {"line", "integer", "From this line on, counted from 1.", false},
                   {"limit", "integer", "At most this many lines.", false}})},
        {QStringLiteral("search"), QStringLiteral("The lines of the workspace's text files that contain a text."),
         schemaOf({{"text", "string", "Word for word; upper and lower case differ."},
                   {"folder", "string", "Only below this folder.", false}})},
        {QStringLiteral("edit_file"),
         QStringLiteral("Replace one passage of a file below solution/. It has to occur exactly once."),
         schemaOf({{"path", "string", where},
                   {"old_text", "string", "The passage, word for word, with its blanks and line ends."},
                   {"new_text", "string", "What takes its place; may be empty."}})},
        {QStringLiteral("write_file"),
         QStringLiteral("Write a whole file below solution/, a new one or over the old one."),
         schemaOf({{"path", "string", where}, {"content", "string", "All of it."}})},
        {QStringLiteral("delete_file"), QStringLiteral("Delete a file below solution/."),
         schemaOf({{"path", "string", where}})},
    };
}

void FileTools::call(const QString &name, const json &arguments, const Reply &reply)
{
    if (name == QLatin1String("list_files"))
        return reply(list(arguments));
    if (name == QLatin1String("read_file"))
        return reply(read(arguments));
    if (name == QLatin1String("search"))
        return reply(search(arguments));
    if (name == QLatin1String("edit_file"))
        return reply(edit(arguments));
    if (name == QLatin1String("write_file"))
        return reply(write(arguments));
    if (name == QLatin1String("delete_file"))
        return reply(remove(arguments));
    reply(failed(QStringLiteral("There is no tool named %1.").arg(words::title(name))));
}

QString FileTools::readable(const QString &path) const
{
    const QString real = acp::realPath(path.isEmpty() ? QStringLiteral(".") : path, m_place);
    const bool isInside = real == m_place.workspace || acp::isBelow(m_place.workspace, real);
    for (const char *hidden : {"/.git", "/.ako"}) {
        const QString folder = m_place.workspace + QLatin1String(hidden);
        if (real == folder || acp::isBelow(folder, real))
            return {};
    }
    return isInside ? real : QString();
}

QString FileTools::writable(const QString &path) const
{
    const QString real = acp::realPath(path, m_place);
    return acp::isBelow(m_place.solution, real) ? real : QString();
}

ToolAnswer FileTools::list(const json &arguments) const
{
    const QString asked = textArgument(arguments, "folder");
    const QString folder = readable(asked);
    if (folder.isEmpty() || !QFileInfo(folder).isDir())
        return failed(QStringLiteral("%1 is no folder of the workspace.").arg(words::title(asked)));
    QStringList names;
    const auto entries = QDir(folder).entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot,
                                                    QDir::Name | QDir::DirsFirst);
    for (const QFileInfo &entry : entries) {
        if (folder == m_place.workspace &&
            (entry.fileName() == QLatin1String(".git") || entry.fileName() == QLatin1String(".ako")))
            continue;
        names << (entry.isDir() ? entry.fileName() + QLatin1Char('/')
                                : QStringLiteral("%1  %2 bytes").arg(entry.fileName()).arg(entry.size()));
    }
    if (names.isEmpty())
        return {QStringLiteral("It is empty.")};
    const qsizetype more = names.size() - mostNames;
    return {names.mid(0, mostNames).join(QLatin1Char('\n')) +
            (more > 0 ? QStringLiteral("\n… and %1 more").arg(more) : QString())};
}

ToolAnswer FileTools::read(const json &arguments) const
{
    const QString asked = textArgument(arguments, "path");
    const QString path = asked.isEmpty() ? QString() : readable(asked);
    if (path.isEmpty() || !QFileInfo(path).isFile())
        return notThere(asked);
    const auto bytes = readRegularFile(path, largestFile);
    if (!bytes)
        return failed(bytes.error().message);
    if (!isText(*bytes))
        return failed(QStringLiteral("%1 is not a text file (%2 bytes).").arg(words::title(asked)).arg(bytes->size()));
    if (bytes->isEmpty())
        return {QStringLiteral("It is empty.")};
    return {linesOf(QString::fromUtf8(*bytes), numberArgument(arguments, "line").value_or(1),
                    numberArgument(arguments, "limit").value_or(-1), longestAnswer)};
}

ToolAnswer FileTools::search(const json &arguments) const
{
    const QByteArray wanted = textArgument(arguments, "text").toUtf8();
    const QString folder = readable(textArgument(arguments, "folder"));
    if (wanted.isEmpty() || wanted.contains('\n'))
        return failed(QStringLiteral("Give a text of one line."));
    if (folder.isEmpty())
        return failed(QStringLiteral("That is no folder of the workspace."));
    QStringList hits;
    int files = 0;
    qint64 total = 0;
    QDirIterator walk(folder, QDir::Files | QDir::NoSymLinks, QDirIterator::Subdirectories); // no hidden ones
    while (walk.hasNext() && hits.size() < mostHits && ++files <= mostSearched && total < mostBytesSearched) {
        const auto bytes = readRegularFile(walk.next(), largestFile);
        if (!bytes || !isText(*bytes))
            continue;
        total += bytes->size();
        if (!bytes->contains(wanted))
            continue;
        const QList<QByteArray> lines = bytes->split('\n');
        for (qsizetype at = 0; at < lines.size() && hits.size() < mostHits; ++at) {
            if (lines.at(at).contains(wanted))
                hits << QStringLiteral("%1:%2: %3")
                            .arg(QDir(m_place.workspace).relativeFilePath(walk.filePath()))
                            .arg(at + 1)
                            .arg(QString::fromUtf8(lines.at(at)).left(300));
        }
    }
    QString text = hits.isEmpty() ? QStringLiteral("No line contains it.") : hits.join(QLatin1Char('\n'));
    if (walk.hasNext())
        text += QStringLiteral("\n… (not everything was searched: name a folder)");
    return {text};
}

ToolAnswer FileTools::put(const QString &path, const QByteArray &content) const
{
    const auto written = writeWorkspaceFile(m_place.solution, QDir(m_place.solution).relativeFilePath(path), content);
    return written ? ToolAnswer{QStringLiteral("Written.")} : failed(written.error().message);
}

ToolAnswer FileTools::edit(const json &arguments) const
{
    const QString asked = textArgument(arguments, "path");
    const QString path = writable(asked);
    if (path.isEmpty())
        return onlySolution(asked);
    const auto bytes = readRegularFile(path, largestFile);
    if (!bytes)
        return failed(bytes.error().message);
    const QByteArray before = textArgument(arguments, "old_text").toUtf8();
    const QByteArray after = textArgument(arguments, "new_text").toUtf8();
    const qsizetype times = before.isEmpty() ? 0 : bytes->count(before);
    if (times != 1)
        return failed(times == 0 ? QStringLiteral("The passage does not occur in %1: read the file and give it word "
                                                  "for word.")
                                       .arg(words::title(asked))
                                 : QStringLiteral("The passage occurs %1 times in %2: give more of what stands around "
                                                  "it.")
                                       .arg(times)
                                       .arg(words::title(asked)));
    QByteArray content = *bytes;
    content.replace(content.indexOf(before), before.size(), after);
    return put(path, content);
}

ToolAnswer FileTools::write(const json &arguments) const
{
    const QString asked = textArgument(arguments, "path");
    const QString path = writable(asked);
    if (path.isEmpty())
        return onlySolution(asked);
    if (!arguments.contains("content") || !arguments["content"].is_string())
        return failed(QStringLiteral("There is no content to write."));
    return put(path, textArgument(arguments, "content").toUtf8());
}

ToolAnswer FileTools::remove(const json &arguments) const
{
    const QString asked = textArgument(arguments, "path");
    const QString path = writable(asked);
    if (path.isEmpty())
        return onlySolution(asked);
    if (!QFileInfo(path).isFile())
        return notThere(asked);
    return QFile::remove(path) ? ToolAnswer{QStringLiteral("Deleted.")}
                               : failed(QStringLiteral("%1 cannot be deleted.").arg(words::title(asked)));
}

} // namespace ako
