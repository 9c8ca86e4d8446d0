// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/cuda/devicelibrary.h"

namespace ako::eval {

std::string buildDeviceLibrary(const BuildCache &cache)
{
    BuildRequest request;
    request.sources = deviceLibrarySources();
    request.flags = {"-O3"};
    request.onError = Status::Infrastructure;
    request.label = "evaluator's device library";
    return cache.build(request).library;
}

} // namespace ako::eval
