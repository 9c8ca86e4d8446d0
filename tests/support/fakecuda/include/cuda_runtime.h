// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the generated shims and the tests' kernels need of the real one.
using cudaStream_t = void *;
inline int fakeLastError = 0;
inline int cudaGetLastError()
{
    const int error = fakeLastError;
    fakeLastError = 0;
    return error;
}
