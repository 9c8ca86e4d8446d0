// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace ako::eval {

// Files and folders that a compiler needs for its work, besides its sources: the system's, and where it is installed
// itself if that is elsewhere. None of them is a person's home.
std::vector<std::string> compilerPlaces(const std::string &compiler, const std::vector<std::string> &environment);

bool isBelow(const std::string &path, const std::string &folder); // or the same; both absolute

} // namespace ako::eval
