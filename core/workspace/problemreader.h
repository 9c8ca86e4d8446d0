// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/inventory.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace ako {

// The facts of a native problem file, or nothing where the text is no problem file at all. A text that means to be one
// and cannot be used has `error` set, with the place. `path` is workspace-relative; paths inside it are relative to its
// folder.
std::optional<ProblemFacts> readProblemFacts(const QString &path, const QByteArray &text);

} // namespace ako
