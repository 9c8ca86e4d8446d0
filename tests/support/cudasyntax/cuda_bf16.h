// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cuda_runtime.h"

struct __nv_bfloat16
{
    unsigned short bits;
};
__device__ float __bfloat162float(__nv_bfloat16 value);
__device__ __nv_bfloat16 __float2bfloat16(float value);
