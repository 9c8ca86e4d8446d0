// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>

namespace ako::eval {

// What earlier verdicts of the same problem and reference on this machine found, kept in the build folder.
struct Facts
{
    std::optional<double> noiseHalfWidth;      // of an A/A comparison, as a fraction
    std::map<std::string, double> referenceMs; // median by workload
};

std::string factsPath(const std::string &buildFolder, const std::string &problemHash, const std::string &referenceHash);
Facts readFacts(const std::string &path); // empty where there are none or they are broken
void writeFacts(const std::string &path, const Facts &facts);

} // namespace ako::eval
