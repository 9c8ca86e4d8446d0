// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/harnesschange.h"
#include "loop/session.h"

#include <QStringList>

namespace ako {

// What the measurement depends on, as it was approved: copies below .ako/approved/, with which a change is shown and
// put back. Files of more than 1 MiB, and the program's own, are known by their hash only.
Result<void> saveApprovalWithFiles(const QString &workspace, const Approval &approval);

// Fails where nothing was approved here.
Result<HarnessChange> harnessChange(const Session &session);

// Puts back what was approved; what was there in its place is kept below .ako/discarded/. Not while another process
// works there. Returns where.
Result<QString> restoreHarness(Session &session, const QStringList &files);

} // namespace ako
