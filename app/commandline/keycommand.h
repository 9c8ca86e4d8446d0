// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ako {

// `ako4all key AGENT`: reads a key, unseen on a terminal or from a pipe, and puts it into the system's keyring; or
// removes it there. Returns the exit status.
int runKeyCommand(const QString &agent, bool remove);

} // namespace ako
