// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The few vector operations inference needs, in the widest form the compiler was told the CPU has.
 * Everything above is written once in terms of these; all forms give the same integers. */

#include <stdint.h>
#include <string.h>

#if defined(__SSE4_1__) // and all that have more
#include <immintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

/* SimdShorts holds SIMD_LANES int16_t; SimdSum partial sums of their products, in lanes that
 * simd_total() may join until SIMD_SUM_LANES are left, of at most SIMD_SUM_MAX each.
 *
 * simd_load, simd_store  memory aligned to the vector's size
 * simd_add, simd_sub     wrap around
 * simd_clip              to 0..`limit`, a vector of equal limits
 * simd_multiply          low 16 bits of the products
 * simd_add_products      `sum` with the products of `a` and `b` added, exact
 * simd_total             all lanes of a sum together
 * simd_differences       bit i is set where the bytes a[i] and b[i], any alignment, are not equal
 */

#if defined(__SSE4_1__)

/* The four 32-bit lanes together. */
static inline int64_t simd_total_of_4(__m128i four)
{
    const __m128i low = _mm_cvtepi32_epi64(four);
    const __m128i high = _mm_cvtepi32_epi64(_mm_unpackhi_epi64(four, four));
    const __m128i two = _mm_add_epi64(low, high);
    return _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)));
}

#endif

#if defined(__AVX512BW__)

#if defined(__AVX512VNNI__)
#define SIMD_NAME "AVX-512 VNNI"
#else
#define SIMD_NAME "AVX-512"
#endif
#define SIMD_SUM_MAX INT32_MAX
enum { SIMD_LANES = 32, SIMD_SUM_LANES = 4 };
typedef __m512i SimdShorts;
typedef __m512i SimdSum;

static inline SimdShorts simd_load(const int16_t *p)
{
    return _mm512_load_si512(p);
}

static inline void simd_store(int16_t *p, SimdShorts a)
{
    _mm512_store_si512(p, a);
}

static inline SimdShorts simd_fill(int16_t value)
{
    return _mm512_set1_epi16(value);
}

static inline SimdShorts simd_add(SimdShorts a, SimdShorts b)
{
    return _mm512_add_epi16(a, b);
}

static inline SimdShorts simd_sub(SimdShorts a, SimdShorts b)
{
    return _mm512_sub_epi16(a, b);
}

static inline SimdShorts simd_clip(SimdShorts a, SimdShorts limit)
{
    return _mm512_min_epi16(_mm512_max_epi16(a, _mm512_setzero_si512()), limit);
}

static inline SimdShorts simd_multiply(SimdShorts a, SimdShorts b)
{
    return _mm512_mullo_epi16(a, b);
}

static inline SimdSum simd_zero(void)
{
    return _mm512_setzero_si512();
}

static inline SimdSum simd_add_products(SimdSum sum, SimdShorts a, SimdShorts b)
{
#if defined(__AVX512VNNI__)
    return _mm512_dpwssd_epi32(sum, a, b);
#else
    return _mm512_add_epi32(sum, _mm512_madd_epi16(a, b));
#endif
}

static inline SimdSum simd_add_sums(SimdSum a, SimdSum b)
{
    return _mm512_add_epi32(a, b);
}

static inline int64_t simd_total(SimdSum sum)
{
    const __m256i eight =
        _mm256_add_epi32(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64(sum, 1));
    return simd_total_of_4(
        _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1)));
}

static inline uint64_t simd_differences(const uint8_t a[64], const uint8_t b[64])
{
    return _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
}

#elif defined(__AVX2__)

#define SIMD_NAME "AVX2"
#define SIMD_SUM_MAX INT32_MAX
enum { SIMD_LANES = 16, SIMD_SUM_LANES = 4 };
typedef __m256i SimdShorts;
typedef __m256i SimdSum;

static inline SimdShorts simd_load(const int16_t *p)
{
    return _mm256_load_si256((const __m256i *)p);
}

static inline void simd_store(int16_t *p, SimdShorts a)
{
    _mm256_store_si256((__m256i *)p, a);
}

static inline SimdShorts simd_fill(int16_t value)
{
    return _mm256_set1_epi16(value);
}

static inline SimdShorts simd_add(SimdShorts a, SimdShorts b)
{
    return _mm256_add_epi16(a, b);
}

static inline SimdShorts simd_sub(SimdShorts a, SimdShorts b)
{
    return _mm256_sub_epi16(a, b);
}

static inline SimdShorts simd_clip(SimdShorts a, SimdShorts limit)
{
    return _mm256_min_epi16(_mm256_max_epi16(a, _mm256_setzero_si256()), limit);
}

static inline SimdShorts simd_multiply(SimdShorts a, SimdShorts b)
{
    return _mm256_mullo_epi16(a, b);
}

static inline SimdSum simd_zero(void)
{
    return _mm256_setzero_si256();
}

static inline SimdSum simd_add_products(SimdSum sum, SimdShorts a, SimdShorts b)
{
    return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
}

static inline SimdSum simd_add_sums(SimdSum a, SimdSum b)
{
    return _mm256_add_epi32(a, b);
}

static inline int64_t simd_total(SimdSum sum)
{
    return simd_total_of_4(
        _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1)));
}

static inline uint64_t simd_differences(const uint8_t a[64], const uint8_t b[64])
{
    uint64_t equal = 0;
    for (int i = 0; i < 64; i += 32) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)(a + i));
        const __m256i y = _mm256_loadu_si256((const __m256i *)(b + i));
        equal |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, y)) << i;
    }
    return ~equal;
}

#elif defined(__SSE4_1__)

#define SIMD_NAME "SSE4.1"
#define SIMD_SUM_MAX INT32_MAX
enum { SIMD_LANES = 8, SIMD_SUM_LANES = 4 };
typedef __m128i SimdShorts;
typedef __m128i SimdSum;

static inline SimdShorts simd_load(const int16_t *p)
{
    return _mm_load_si128((const __m128i *)p);
}

static inline void simd_store(int16_t *p, SimdShorts a)
{
    _mm_store_si128((__m128i *)p, a);
}

static inline SimdShorts simd_fill(int16_t value)
{
    return _mm_set1_epi16(value);
}

static inline SimdShorts simd_add(SimdShorts a, SimdShorts b)
{
    return _mm_add_epi16(a, b);
}

static inline SimdShorts simd_sub(SimdShorts a, SimdShorts b)
{
    return _mm_sub_epi16(a, b);
}

static inline SimdShorts simd_clip(SimdShorts a, SimdShorts limit)
{
    return _mm_min_epi16(_mm_max_epi16(a, _mm_setzero_si128()), limit);
}

static inline SimdShorts simd_multiply(SimdShorts a, SimdShorts b)
{
    return _mm_mullo_epi16(a, b);
}

static inline SimdSum simd_zero(void)
{
    return _mm_setzero_si128();
}

static inline SimdSum simd_add_products(SimdSum sum, SimdShorts a, SimdShorts b)
{
    return _mm_add_epi32(sum, _mm_madd_epi16(a, b));
}

static inline SimdSum simd_add_sums(SimdSum a, SimdSum b)
{
    return _mm_add_epi32(a, b);
}

static inline int64_t simd_total(SimdSum sum)
{
    return simd_total_of_4(sum);
}

static inline uint64_t simd_differences(const uint8_t a[64], const uint8_t b[64])
{
    uint64_t equal = 0;
    for (int i = 0; i < 64; i += 16) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(a + i));
        const __m128i y = _mm_loadu_si128((const __m128i *)(b + i));
        equal |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, y)) << i;
    }
    return ~equal;
}

#else

/* Eight bytes at a time: the high bit of each byte that is not 0, gathered by a multiplication. */
static inline uint64_t simd_differences(const uint8_t a[64], const uint8_t b[64])
{
    const uint64_t low = 0x7F7F7F7F7F7F7F7Fu;
    uint64_t different = 0;
    for (int i = 0; i < 64; i += 8) {
        uint64_t x, y;
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        x ^= y;
        const uint64_t nonzero = (((x & low) + low) | x) & ~low;
        different |= ((nonzero >> 7) * 0x0102040810204080u >> 56) << i;
    }
    return different;
}

#if defined(__ARM_NEON) && defined(__aarch64__)

#define SIMD_NAME "NEON"
#define SIMD_SUM_MAX INT32_MAX
enum { SIMD_LANES = 8, SIMD_SUM_LANES = 4 };
typedef int16x8_t SimdShorts;
typedef int32x4_t SimdSum;

static inline SimdShorts simd_load(const int16_t *p)
{
    return vld1q_s16(p);
}

static inline void simd_store(int16_t *p, SimdShorts a)
{
    vst1q_s16(p, a);
}

static inline SimdShorts simd_fill(int16_t value)
{
    return vdupq_n_s16(value);
}

static inline SimdShorts simd_add(SimdShorts a, SimdShorts b)
{
    return vaddq_s16(a, b);
}

static inline SimdShorts simd_sub(SimdShorts a, SimdShorts b)
{
    return vsubq_s16(a, b);
}

static inline SimdShorts simd_clip(SimdShorts a, SimdShorts limit)
{
    return vminq_s16(vmaxq_s16(a, vdupq_n_s16(0)), limit);
}

static inline SimdShorts simd_multiply(SimdShorts a, SimdShorts b)
{
    return vmulq_s16(a, b);
}

static inline SimdSum simd_zero(void)
{
    return vdupq_n_s32(0);
}

static inline SimdSum simd_add_products(SimdSum sum, SimdShorts a, SimdShorts b)
{
    return vmlal_high_s16(vmlal_s16(sum, vget_low_s16(a), vget_low_s16(b)), a, b);
}

static inline SimdSum simd_add_sums(SimdSum a, SimdSum b)
{
    return vaddq_s32(a, b);
}

static inline int64_t simd_total(SimdSum sum)
{
    return vaddlvq_s32(sum);
}

#else

#define SIMD_NAME "scalar"
#define SIMD_SUM_MAX INT64_MAX
enum { SIMD_LANES = 1, SIMD_SUM_LANES = 1 };
typedef int16_t SimdShorts;
typedef int64_t SimdSum;

static inline SimdShorts simd_load(const int16_t *p)
{
    return *p;
}

static inline void simd_store(int16_t *p, SimdShorts a)
{
    *p = a;
}

static inline SimdShorts simd_fill(int16_t value)
{
    return value;
}

static inline SimdShorts simd_add(SimdShorts a, SimdShorts b)
{
    return (SimdShorts)(a + b);
}

static inline SimdShorts simd_sub(SimdShorts a, SimdShorts b)
{
    return (SimdShorts)(a - b);
}

static inline SimdShorts simd_clip(SimdShorts a, SimdShorts limit)
{
    const SimdShorts positive = a > 0 ? a : 0;
    return positive < limit ? positive : limit;
}

static inline SimdShorts simd_multiply(SimdShorts a, SimdShorts b)
{
    return (SimdShorts)(a * b);
}

static inline SimdSum simd_zero(void)
{
    return 0;
}

static inline SimdSum simd_add_products(SimdSum sum, SimdShorts a, SimdShorts b)
{
    return sum + a * b;
}

static inline SimdSum simd_add_sums(SimdSum a, SimdSum b)
{
    return a + b;
}

static inline int64_t simd_total(SimdSum sum)
{
    return sum;
}

#endif
#endif
