// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace ako::eval {

// Writes back what the caches of all processors hold of this memory, and drops it there. A processor that offers no
// such instruction to a program keeps it.
void flushLines(void *data, std::size_t bytes);
bool canFlushLines();

// Bytes to walk through before a timed call whose inputs are to lie outside the caches, where the last-level cache
// holds cacheBytes: twice that where lines cannot be flushed; otherwise the arrays are flushed one by one, and the walk
// is only for what a kernel keeps to itself in the caches of its core.
std::size_t evictionBytes(std::size_t cacheBytes);

} // namespace ako::eval
