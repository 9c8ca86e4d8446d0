// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ako::eval {

// SIGINT, SIGTERM and SIGHUP set a flag; waiting loops call throwIfInterrupted() and unwinding ends every child group.
void installInterruptHandlers();
int interruptSignal();     // 0: none
void throwIfInterrupted(); // Failure(Interrupted)

} // namespace ako::eval
