// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/boundedtext.h"

namespace ako::eval {

std::string shortened(std::string_view text, std::size_t limit)
{
    if (text.size() <= limit)
        return std::string(text);
    std::size_t end = limit;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
        --end;
    return std::string(text.substr(0, end)) + "… (" + std::to_string(text.size()) + " bytes)";
}

std::string inQuotes(std::string_view text)
{
    return '"' + shortened(text) + '"';
}

} // namespace ako::eval
