// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/build.h"

namespace ako::eval {

// Source of the device library; see deviceapi.h.
SourceList deviceLibrarySources();

// Builds it, or takes it from the cache, with nvcc and for the architecture of the cache's compiler.
std::string buildDeviceLibrary(const BuildCache &cache);

} // namespace ako::eval
