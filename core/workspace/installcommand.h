// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ako {

// The command that installs a package on this machine; the names are those of Debian, Fedora and Arch.
QString installCommand(const QString &debian, const QString &fedora, const QString &arch);

} // namespace ako
