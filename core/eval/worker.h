// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ako::eval {

// Main of `ako-bench --worker`: serves the requests of protocol.h on controlDescriptor until it closes. Never returns
// to code that could print result lines. The process loads exactly one library.
[[noreturn]] void serveAsWorker();

} // namespace ako::eval
