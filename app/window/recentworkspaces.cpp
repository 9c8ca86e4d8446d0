// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/recentworkspaces.h"

#include "window/settings.h"

#include <QDir>

namespace ako::recentWorkspaces {

namespace {

constexpr int most = 10;

QString key()
{
    return QStringLiteral("recentWorkspaces");
}

QString cleaned(const QString &path)
{
    return QDir::cleanPath(QDir(path).absolutePath());
}

} // namespace

QStringList list()
{
    return settings::value(key()).toStringList();
}

void add(const QString &path)
{
    QStringList paths = list();
    paths.removeAll(cleaned(path));
    paths.prepend(cleaned(path));
    settings::setValue(key(), QStringList(paths.mid(0, most)));
}

void remove(const QString &path)
{
    QStringList paths = list();
    paths.removeAll(cleaned(path));
    settings::setValue(key(), paths);
}

} // namespace ako::recentWorkspaces
