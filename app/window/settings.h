// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVariant>

// QSettings' default store, written on a thread of its own: it goes to the disk with each write, which can take longer
// than a window may be kept waiting. What was set is read back at once.
namespace ako::settings {

QVariant value(const QString &key, const QVariant &otherwise = {});
void setValue(const QString &key, const QVariant &value); // an invalid one removes it
void finish();                                            // waits until all is written

} // namespace ako::settings
