// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace ako::eval {

// Writes back what the caches of all processors hold of this memory, and drops it there. A processor that offers no
// such instruction to a program keeps it.
void flushLines(void *data, std::size_t bytes);
bool canFlushLines();

} // namespace ako::eval
