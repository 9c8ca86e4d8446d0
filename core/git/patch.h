// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "git/handles.h"

#include <QByteArray>

namespace ako::git {

Result<PatchHandle> makePatch(const QByteArray &before, const QByteArray &after, int contextLines);

// git's rule: a zero byte near the start.
bool isBinary(const QByteArray &content);

} // namespace ako::git
