// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
struct __nv_fp8_e4m3
{
    std::uint8_t bits;
};
struct __nv_fp8_e5m2
{
    std::uint8_t bits;
};
