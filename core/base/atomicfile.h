// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

namespace ako {

// To the last byte, however often the kernel takes only some of them; errno says why not.
bool writeAll(int descriptor, QByteArrayView content);

// Replaces the file in one step: a reader, or whoever looks after a crash, sees the old or the new content, never a
// part. A symbolic link in the file's place is replaced and never written through. An existing file's permissions
// are kept. The folder must exist.
Result<void> writeFileAtomically(const QString &path, const QByteArray &content);

// The whole file; refuses what is larger than the limit and what is not a regular file (a pipe would never end).
Result<QByteArray> readRegularFile(const QString &path, qint64 limitBytes = 256LL * 1024 * 1024);

} // namespace ako
