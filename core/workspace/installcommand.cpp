// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/installcommand.h"

#include "workspace/filetree.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace ako {

namespace {

// The names of this distribution and of those it is like, lower case.
QString distribution()
{
    const QString release =
        QString::fromUtf8(readFileHead(QStringLiteral("/etc/os-release"), 64LL * 1024).value_or(QByteArray()));
    static const QRegularExpression family(QStringLiteral("^ID(_LIKE)?=\"?(.*?)\"?$"),
                                           QRegularExpression::MultilineOption);
    QString ids;
    auto matches = family.globalMatch(release);
    while (matches.hasNext())
        ids += QLatin1Char(' ') + matches.next().captured(2);
    return ids;
}

} // namespace

QString installCommand(const QString &debian, const QString &fedora, const QString &arch)
{
    const QString ids = distribution();
    if (ids.contains(QLatin1String("debian")) || ids.contains(QLatin1String("ubuntu")))
        return QStringLiteral("sudo apt install ") + debian;
    if (ids.contains(QLatin1String("fedora")) || ids.contains(QLatin1String("rhel")))
        return QStringLiteral("sudo dnf install ") + fedora;
    if (ids.contains(QLatin1String("arch")))
        return QStringLiteral("sudo pacman -S ") + arch;
    return QCoreApplication::translate("ako::Environment", "Install the package that holds %1.").arg(debian);
}

QString driverCommand()
{
    if (distribution().contains(QLatin1String("ubuntu")))
        return QStringLiteral("sudo ubuntu-drivers install");
    return installCommand(QStringLiteral("nvidia-driver"), QStringLiteral("akmod-nvidia"), QStringLiteral("nvidia"));
}

QString initramfsCommand()
{
    const QString ids = distribution();
    if (ids.contains(QLatin1String("fedora")) || ids.contains(QLatin1String("rhel")))
        return QStringLiteral("sudo dracut --force");
    if (ids.contains(QLatin1String("arch")))
        return QStringLiteral("sudo mkinitcpio -P");
    return QStringLiteral("sudo update-initramfs -u");
}

} // namespace ako
