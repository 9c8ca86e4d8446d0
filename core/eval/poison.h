// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/layout.h"

namespace ako::eval {

// What each byte of an output is set to before a call: all bits for floating numbers, which is a NaN that no arithmetic
// makes.
unsigned char poisonOf(const BufferSpec &spec);

// Whether some element of an output still holds that: nobody wrote it, unless this is its value. Elements of one byte
// have it too often to say anything: false.
bool holdsPoison(const BufferSpec &spec, const unsigned char *data);

} // namespace ako::eval
