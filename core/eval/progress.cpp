// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/progress.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace ako::eval {

void reportProgress(const std::string &stage, double fraction)
{
    static const bool wanted = [] {
        const char *value = std::getenv("AKO_PROGRESS");
        return value && std::strcmp(value, "1") == 0;
    }();
    if (wanted)
        std::fprintf(stderr, "AKO_PROGRESS %s %.3f\n", stage.c_str(), fraction);
}

} // namespace ako::eval
