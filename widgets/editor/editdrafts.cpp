// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/editdrafts.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

#include <nlohmann/json.hpp>

namespace ako::editDrafts {

namespace {

using nlohmann::json;

QString folder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/drafts");
}

QString fileFor(const QString &path)
{
    const QByteArray name = QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha256).toHex().left(32);
    return folder() + QLatin1Char('/') + QString::fromLatin1(name) + QStringLiteral(".json");
}

std::string stringIn(const json &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.cend() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace

QByteArray hashOf(const QByteArray &content)
{
    return QCryptographicHash::hash(content, QCryptographicHash::Sha256).toHex();
}

bool keep(const QString &path, const QString &text, const QByteArray &base)
{
    const json object{{"path", path.toStdString()}, {"text", text.toStdString()}, {"base", hashOf(base).toStdString()}};
    const QByteArray content = QByteArray::fromStdString(object.dump(-1, ' ', false, json::error_handler_t::replace));
    if (!QDir().mkpath(folder()))
        return false;
    QSaveFile file(fileFor(path));
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.flush() && file.commit();
}

std::optional<Draft> find(const QString &path)
{
    QFile file(fileFor(path));
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QByteArray content = file.readAll();
    const json object = json::parse(content.cbegin(), content.cend(), nullptr, false);
    if (!object.is_object() || stringIn(object, "path") != path.toStdString())
        return std::nullopt;
    return Draft{QString::fromStdString(stringIn(object, "text")), QByteArray::fromStdString(stringIn(object, "base")),
                 QFileInfo(file).lastModified()};
}

void remove(const QString &path)
{
    QFile::remove(fileFor(path));
}

} // namespace ako::editDrafts
