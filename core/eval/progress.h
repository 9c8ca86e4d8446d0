// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ako::eval {

// With AKO_PROGRESS=1 in the environment: lines "AKO_PROGRESS <stage> <fraction>" on stderr for a window that shows
// them.
void reportProgress(const std::string &stage, double fraction);

} // namespace ako::eval
