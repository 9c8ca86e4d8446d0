// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/effect.h"
#include "loop/loopevent.h"
#include "loop/session.h"

namespace ako {

// What an iteration boundary looks at: HINTS.md, the files the measurement depends on, edits of solution/ by hand.
Result<outcome::Inspected> inspectBoundary(Session &session, const QString &hintsBefore,
                                           const QList<IterationRecord> &records);

} // namespace ako
