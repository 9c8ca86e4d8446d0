// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace ako {

// An icon of the program's own family (resources/icons/NAME.svg), drawn in the application palette's text colour of
// the moment, so that it follows light and dark. An unknown name gives a null icon.
QIcon icon(const QString &name);

// The application's icon, in its own colours.
QIcon applicationIcon();

} // namespace ako
