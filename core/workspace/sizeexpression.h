// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/sizescanner.h"

namespace ako {

// What a caller passes as a size, its constants put in. 0: it cannot be told.
qint64 sizeOf(const QString &text, const SizeFacts &facts);

// The number of elements of the buffer that a caller passes, as an expression over `axes` (the caller's name -> the
// function's own). Empty: it cannot be told.
QString lengthOf(const QString &argument, const SizeFacts &facts, const QMap<QString, QString> &axes);

} // namespace ako
