// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/installcommand.h"

#include "workspace/filetree.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace ako {

QString installCommand(const QString &debian, const QString &fedora, const QString &arch)
{
    const QString release =
        QString::fromUtf8(readFileHead(QStringLiteral("/etc/os-release"), 64LL * 1024).value_or(QByteArray()));
    static const QRegularExpression family(QStringLiteral("^ID(_LIKE)?=\"?(.*?)\"?$"),
                                           QRegularExpression::MultilineOption);
    QString ids;
    auto matches = family.globalMatch(release);
    while (matches.hasNext())
        ids += QLatin1Char(' ') + matches.next().captured(2);
    if (ids.contains(QLatin1String("debian")) || ids.contains(QLatin1String("ubuntu")))
        return QStringLiteral("sudo apt install ") + debian;
    if (ids.contains(QLatin1String("fedora")) || ids.contains(QLatin1String("rhel")))
        return QStringLiteral("sudo dnf install ") + fedora;
    if (ids.contains(QLatin1String("arch")))
        return QStringLiteral("sudo pacman -S ") + arch;
    return QCoreApplication::translate("ako::Environment", "Install the package that holds %1.").arg(debian);
}

} // namespace ako
