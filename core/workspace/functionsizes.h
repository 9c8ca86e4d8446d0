// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/sourcefacts.h"

namespace ako {

// Adds to the functions of a file what their bodies say of the sizes of what their pointers point to. `blanked` is the
// file's text without comments and the contents of strings.
void addFunctionSizes(const QByteArray &blanked, SourceFacts &facts);

} // namespace ako
