// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ako {

// The command that installs a package on this machine; the names are those of Debian, Fedora and Arch.
QString installCommand(const QString &debian, const QString &fedora, const QString &arch);

// Of the NVIDIA driver.
QString driverCommand();

// The one that makes the image anew which the system starts from, after a change in /etc/modprobe.d.
QString initramfsCommand();

} // namespace ako
