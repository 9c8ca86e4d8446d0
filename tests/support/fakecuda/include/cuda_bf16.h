// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
struct __nv_bfloat16
{
    std::uint16_t bits;
};
