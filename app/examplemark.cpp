// SPDX-License-Identifier: GPL-3.0-or-later
#include "examplemark.h"

#include "base/singleinstance.h"
#include "workspace/statefolder.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QMap>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ako {

namespace {

using nlohmann::json;
using Hashes = QMap<QString, QString>; // by the path in the example

const QString &markName()
{
    static const QString name = QStringLiteral("example.json");
    return name;
}

QString hashOf(const QString &path)
{
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    return file.open(QIODevice::ReadOnly) && hash.addData(&file) ? QString::fromLatin1(hash.result().toHex())
                                                                 : QString();
}

Hashes hashesBelow(const QString &folder)
{
    Hashes hashes;
    QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = files.next();
        hashes.insert(path.mid(folder.size() + 1), hashOf(path));
    }
    return hashes;
}

struct Mark
{
    QString example;
    Hashes files;
};

Mark readMark(const QString &folder)
{
    const auto content = readStateFile(folder, markName());
    const json object = content ? json::parse(content->cbegin(), content->cend(), nullptr, false) : json();
    Mark mark;
    if (!object.is_object() || object.value("schema", json()) != "ako.example/1")
        return mark;
    const json name = object.value("name", json());
    mark.example = name.is_string() ? QString::fromStdString(name.get<std::string>()) : QString();
    const json files = object.value("files", json::object());
    for (const auto &[path, hash] : files.items()) {
        if (hash.is_string())
            mark.files.insert(QString::fromStdString(path), QString::fromStdString(hash.get<std::string>()));
    }
    return mark;
}

// What the loop writes beside the example's files.
bool isOfTheLoop(const QString &name)
{
    static const QStringList names{QStringLiteral(".ako"),          QStringLiteral(".git"),
                                   QStringLiteral(".gitignore"),    QStringLiteral("HINTS.md"),
                                   QStringLiteral("ITERATIONS.md"), QStringLiteral("_bench_output.txt"),
                                   QStringLiteral("bench"),         QStringLiteral("bench-wrapper.sh"),
                                   QStringLiteral("scripts"),       QStringLiteral("solution"),
                                   QStringLiteral("trajectory")};
    return names.contains(name);
}

// A file that is missing is no work of anybody's: it is copied again.
QString firstTouched(const QString &folder, const Mark &mark)
{
    const QDir directory(folder);
    for (auto file = mark.files.cbegin(); file != mark.files.cend(); ++file) {
        const QString path = directory.filePath(file.key());
        if (QFileInfo::exists(path) && hashOf(path) != file.value())
            return file.key();
    }
    const QStringList entries = directory.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    for (const QString &entry : entries) {
        const bool isMarked = std::any_of(mark.files.keyBegin(), mark.files.keyEnd(), [&](const QString &path) {
            return path == entry || path.startsWith(entry + QLatin1Char('/'));
        });
        if (!isMarked && !isOfTheLoop(entry))
            return entry;
    }
    return {};
}

bool hasFinalVerdict(const QString &folder)
{
    const QDir trajectory(folder + QStringLiteral("/trajectory"));
    const QStringList finals = trajectory.entryList({QStringLiteral("*_final")}, QDir::Dirs);
    return std::any_of(finals.cbegin(), finals.cend(), [&](const QString &name) {
        return QFileInfo::exists(trajectory.filePath(name + QStringLiteral("/iteration.json")));
    });
}

} // namespace

ExampleFolder lookAtExampleFolder(const QString &folder, const QString &example, const QString &source)
{
    using State = ExampleFolder::State;
    const QFileInfo info(folder);
    if (!info.exists() && !info.isSymLink())
        return {State::Free, {}};
    if (!info.isDir())
        return {State::Foreign, {}};
    if (QDir(folder).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot))
        return {State::Free, {}};
    const Mark mark = readMark(folder);
    if (mark.example.isEmpty())
        return {State::Foreign, {}};
    if (mark.example != example)
        return {State::Other, mark.example};
    if (const QString touched = firstTouched(folder, mark); !touched.isEmpty())
        return {State::Touched, touched};
    if (hasFinalVerdict(folder))
        return {State::Finished, {}};
    // An example that another version of the program brought is not this one's.
    return mark.files == hashesBelow(source) ? ExampleFolder{State::Begun, {}} : ExampleFolder{State::Other, example};
}

Result<void> markExampleFolder(const QString &folder, const QString &example, const QString &source)
{
    json files = json::object();
    const Hashes hashes = hashesBelow(source);
    for (auto file = hashes.cbegin(); file != hashes.cend(); ++file)
        files[file.key().toStdString()] = file.value().toStdString();
    const json mark{{"schema", "ako.example/1"}, {"name", example.toStdString()}, {"files", files}};
    return writeStateFile(folder, markName(), QByteArray::fromStdString(mark.dump(2)) + '\n');
}

bool isInUse(const QString &folder)
{
    const QString lock = stateFolder(folder) + QStringLiteral("/lock");
    return QFileInfo::exists(lock) && !SingleInstance::acquire(lock);
}

} // namespace ako
