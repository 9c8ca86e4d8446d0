// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace ako::eval {

struct AddressRange
{
    std::uint64_t begin = 0, end = 0; // whole pages
};

// Where this program and the libraries that are loaded now have their code, tables and data.
std::vector<AddressRange> loadedObjects();

// Asks the kernel (6.10 and newer) to keep these mappings as they are for good; false: it cannot.
bool sealMemory(const std::vector<AddressRange> &ranges);

} // namespace ako::eval
