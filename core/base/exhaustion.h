// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ako::exhaustion {

// From main(), before there is a thread. A file that may not grow any more then fails to be written, as on a full disk,
// instead of ending the program; and where there is no memory or no thread to be had, the program says so in words that
// are there already, and ends with status 1. What was under way is recovered from as after any other end.
void prepare();

// The outcome is said as a JSON line too.
void answerAsJson();

// Says so and ends.
[[noreturn]] void end();

} // namespace ako::exhaustion
