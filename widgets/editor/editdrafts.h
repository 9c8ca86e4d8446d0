// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QString>

#include <optional>

// Text that was edited and not saved, kept beside the settings so that neither a crash nor the end of the session takes
// it. One draft for each file; the workspace itself is not written to.
namespace ako::editDrafts {

struct Draft
{
    QString text;
    QByteArray baseHash; // of the file that was edited, see hashOf()
    QDateTime keptAt;
};

QByteArray hashOf(const QByteArray &content);
bool keep(const QString &path, const QString &text, const QByteArray &base); // false: there is no room for it
std::optional<Draft> find(const QString &path);
void remove(const QString &path);

} // namespace ako::editDrafts
