// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/cudalexer.h"

namespace ako {

namespace {

constexpr char cudaWords[] = " constexpr noexcept nullptr decltype static_assert thread_local alignas alignof "
                             "__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ "
                             "__forceinline__ __noinline__ __launch_bounds__ __grid_constant__ __cluster_dims__ "
                             "concept consteval constinit co_await co_return co_yield requires char8_t";

// The second set: types and built-in variables.
constexpr char cudaTypes[] =
    "dim3 threadIdx blockIdx blockDim gridDim warpSize cudaError_t cudaStream_t cudaEvent_t hipError_t hipStream_t "
    "half half2 __half __half2 __nv_bfloat16 __nv_bfloat162 __nv_fp8_e4m3 __nv_fp8_e5m2 "
    "char2 char4 uchar2 uchar4 short2 short4 int2 int3 int4 uint2 uint3 uint4 float2 float3 float4 double2 "
    "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t ptrdiff_t __m128 __m256 __m512 "
    "__m128i __m256i __m512i __m128d __m256d __m512d";

} // namespace

CudaLexer::CudaLexer(QObject *parent)
    : QsciLexerCPP(parent)
{
    m_keywords = QByteArray(QsciLexerCPP::keywords(1)) + cudaWords;
    setFoldComments(true);
    setFoldCompact(false);
    setStylePreprocessor(false);
}

const char *CudaLexer::keywords(int set) const
{
    if (set == 1)
        return m_keywords.constData();
    return set == 2 ? cudaTypes : QsciLexerCPP::keywords(set);
}

} // namespace ako
