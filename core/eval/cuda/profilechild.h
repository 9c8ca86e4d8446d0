// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ako::eval {

// What ako-bench --profile-child FILE does, started by ncu: makes the inputs that FILE describes, calls the solution
// once to load everything and once more between cuProfilerStart() and cuProfilerStop(). Returns an exit status.
int profileChild(const std::string &file);

} // namespace ako::eval
