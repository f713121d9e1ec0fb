// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/* The vector operations of inference, written with the vector types of gcc and clang. One source
 * serves every processor; only the width differs. All paths give the same integers. Intrinsics
 * remain where gcc 12 makes longer code from vector types:
 * - minimum and maximum,
 * - products of neighbouring lanes, of 16 bits or bytes, and their sum,
 * - the conversion of bytes to lanes of 16 bits, and of a set of bits to bytes,
 * - the sum of all lanes (NEON), and the mask of a comparison.
 *
 * A SimdShorts has SIMD_LANES lanes of 16 bits. A SimdSum holds partial sums of products in lanes
 * of 32 bits. simd_total() joins groups of these lanes: it adds in 32 bits until SIMD_SUM_LANES are
 * left, then in 64 bits. So the sum of the products in each group must fit an int32_t. */

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__AVX512BW__) && defined(__AVX512VNNI__)
#define SIMD_NAME "AVX-512 VNNI"
#elif defined(__AVX512BW__)
#define SIMD_NAME "AVX-512"
#elif defined(__AVX2__)
#define SIMD_NAME "AVX2"
#elif defined(__SSE4_1__)
#define SIMD_NAME "SSE4.1"
#elif defined(__SSE2__)
#define SIMD_NAME "SSE2"
#elif defined(__ARM_NEON) && defined(__aarch64__)
#define SIMD_NAME "NEON"
#else
#define SIMD_NAME "generic"
#endif

/* Bytes of the widest registers, and on x86 their type and the prefix of their intrinsics. */
#if defined(__AVX512BW__)
enum { SIMD_BYTES = 64 };
typedef __m512i SimdRegister;
#define SIMD_X86(operation) _mm512_##operation
#define SIMD_X86_SET1_64 _mm512_set1_epi64
#elif defined(__AVX2__)
enum { SIMD_BYTES = 32 };
typedef __m256i SimdRegister;
#define SIMD_X86(operation) _mm256_##operation
#define SIMD_X86_SET1_64 _mm256_set1_epi64x
#elif defined(__SSE2__)
enum { SIMD_BYTES = 16 };
typedef __m128i SimdRegister;
#define SIMD_X86(operation) _mm_##operation
#define SIMD_X86_SET1_64 _mm_set1_epi64x
#else
enum { SIMD_BYTES = 16 }; // NEON; without vector registers the compiler splits the vectors
#endif

enum { SIMD_LANES = SIMD_BYTES / sizeof(int16_t), SIMD_SUM_LANES = 4 };
typedef int16_t SimdShorts __attribute__((vector_size(SIMD_BYTES), may_alias));
typedef uint16_t SimdUnsigned __attribute__((vector_size(SIMD_BYTES)));
typedef uint32_t SimdSum
    __attribute__((vector_size(SIMD_BYTES), may_alias)); // signed sums, see simd_total()
typedef int32_t SimdQuad __attribute__((vector_size(16)));
typedef int64_t SimdWideQuad __attribute__((vector_size(32)));
typedef int64_t SimdWidePair __attribute__((vector_size(16)));

/* Loads SIMD_LANES numbers; `p` is aligned to SIMD_BYTES. */
static inline SimdShorts simd_load(const int16_t *p)
{
    return *(const SimdShorts *)p;
}

/* Loads SIMD_LANES numbers of 8 bits; `p` is aligned to SIMD_BYTES / 2. */
static inline SimdShorts simd_load_bytes(const int8_t *p)
{
#if defined(__AVX512BW__)
    return (SimdShorts)_mm512_cvtepi8_epi16(_mm256_load_si256((const void *)p));
#elif defined(__AVX2__)
    return (SimdShorts)_mm256_cvtepi8_epi16(_mm_load_si128((const void *)p));
#elif defined(__SSE4_1__)
    return (SimdShorts)_mm_cvtepi8_epi16(_mm_loadl_epi64((const void *)p));
#elif defined(__SSE2__)
    const __m128i bytes = _mm_loadl_epi64((const void *)p); // each byte becomes a high half
    return (SimdShorts)_mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
#elif defined(__ARM_NEON) && defined(__aarch64__)
    return (SimdShorts)vmovl_s8(vld1_s8(p));
#else
    typedef int8_t Bytes __attribute__((vector_size(SIMD_BYTES / 2), may_alias));
    return __builtin_convertvector(*(const Bytes *)p, SimdShorts);
#endif
}

/* Stores SIMD_LANES numbers; `p` is aligned to SIMD_BYTES. */
static inline void simd_store(int16_t *p, SimdShorts a)
{
    *(SimdShorts *)p = a;
}

/* Returns `value` in all lanes. */
static inline SimdShorts simd_fill(int16_t value)
{
    return (SimdShorts){0} + value;
}

/* Returns a + b; wraps around. */
static inline SimdShorts simd_add(SimdShorts a, SimdShorts b)
{
    return (SimdShorts)((SimdUnsigned)a + (SimdUnsigned)b);
}

/* Returns a - b; wraps around. */
static inline SimdShorts simd_sub(SimdShorts a, SimdShorts b)
{
    return (SimdShorts)((SimdUnsigned)a - (SimdUnsigned)b);
}

/* Returns the low 16 bits of a * b. */
static inline SimdShorts simd_multiply(SimdShorts a, SimdShorts b)
{
    return (SimdShorts)((SimdUnsigned)a * (SimdUnsigned)b);
}

/* Returns `a` clipped to the range 0..limit. */
static inline SimdShorts simd_clip(SimdShorts a, SimdShorts limit)
{
#if defined(SIMD_X86)
    const SimdRegister positive =
        SIMD_X86(max_epi16)((SimdRegister)a, (SimdRegister)(SimdShorts){0});
    return (SimdShorts)SIMD_X86(min_epi16)(positive, (SimdRegister)limit);
#elif defined(__ARM_NEON) && defined(__aarch64__)
    return (SimdShorts)vminq_s16(vmaxq_s16((int16x8_t)a, vdupq_n_s16(0)), (int16x8_t)limit);
#else
    const SimdShorts positive = a & (a > 0), is_below = positive < limit;
    return (positive & is_below) | (limit & ~is_below);
#endif
}

/* Adds the exact products of the lanes of `a` and `b` to the lanes of `sum`. Which lane receives a
 * product depends on the processor. */
static inline SimdSum simd_add_products(SimdSum sum, SimdShorts a, SimdShorts b)
{
#if defined(__AVX512BW__) && defined(__AVX512VNNI__)
    return (SimdSum)_mm512_dpwssd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
#elif defined(SIMD_X86)
    sum += (SimdSum)SIMD_X86(madd_epi16)((SimdRegister)a, (SimdRegister)b);
#if defined(__x86_64__) // browsers have the intrinsics, but no assembler
    __asm__("" : "+v"(sum)); // else gcc adds up several sums in one chain
#endif
    return sum;
#elif defined(__ARM_NEON) && defined(__aarch64__)
    const int32x4_t low =
        vmlal_s16((int32x4_t)sum, vget_low_s16((int16x8_t)a), vget_low_s16((int16x8_t)b));
    return (SimdSum)vmlal_high_s16(low, (int16x8_t)a, (int16x8_t)b);
#else
    for (int i = 0; i < SIMD_LANES; i++)
        sum[i / 2] += (uint32_t)(a[i] * b[i]);
    return sum;
#endif
}

/* Returns the sum of all lanes, each read as int32_t. */
static inline int64_t simd_total(SimdSum sum)
{
#if defined(__ARM_NEON) && defined(__aarch64__)
    return vaddlvq_s32((int32x4_t)sum);
#else
    SimdQuad quads[SIMD_BYTES / sizeof(SimdQuad)];
    memcpy(quads, &sum, sizeof quads);
    SimdQuad four = quads[0];
    for (size_t i = 1; i < sizeof quads / sizeof quads[0]; i++)
        four += quads[i];
    const SimdWideQuad wide = __builtin_convertvector(four, SimdWideQuad);
    SimdWidePair pairs[2];
    memcpy(pairs, &wide, sizeof pairs);
    const SimdWidePair two = pairs[0] + pairs[1];
    return two[0] + two[1];
#endif
}

/* Returns the squares of the lanes, which are 0..255: (a * a + 256) / 512, 0..127. */
static inline SimdShorts simd_squares(SimdShorts a)
{
#if defined(__SSSE3__)
    return (SimdShorts)SIMD_X86(mulhrs_epi16)((SimdRegister)(a << 6), (SimdRegister)a);
#else
    const SimdUnsigned squares = (SimdUnsigned)a * (SimdUnsigned)a;
    return (SimdShorts)((squares + 256) >> 9);
#endif
}

/* Stores simd_squares() of both vectors as bytes; `p` is aligned to SIMD_BYTES. */
static inline void simd_store_squares(uint8_t *p, SimdShorts a, SimdShorts b)
{
#if defined(SIMD_X86)
    const SimdRegister packed =
        SIMD_X86(packus_epi16)((SimdRegister)simd_squares(a), (SimdRegister)simd_squares(b));
#if defined(__AVX512BW__)
    const __m512i order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0); // packed in groups of 8 bytes
    *(SimdRegister *)(void *)p = _mm512_permutexvar_epi64(order, packed);
#elif defined(__AVX2__)
    *(SimdRegister *)(void *)p = _mm256_permute4x64_epi64(packed, 0xD8);
#else
    *(SimdRegister *)(void *)p = packed;
#endif
#else
    typedef uint8_t Bytes __attribute__((vector_size(SIMD_BYTES / 2), may_alias));
    *(Bytes *)p = __builtin_convertvector((SimdUnsigned)simd_squares(a), Bytes);
    *(Bytes *)(p + SIMD_LANES) = __builtin_convertvector((SimdUnsigned)simd_squares(b), Bytes);
#endif
}

enum {
#if defined(__SSSE3__)
    SIMD_OUTPUTS = SIMD_BYTES / 8 // outputs of a vector in simd_add_outputs()
#else
    SIMD_OUTPUTS = 1
#endif
};

/* Multiplies eight inputs, 0..127, by eight weights for each of SIMD_OUTPUTS outputs, and adds the
 * products to the lanes of that output. `weights` is aligned to SIMD_BYTES (without SSSE3 to 8). */
static inline SimdSum simd_add_outputs(SimdSum sum, const uint8_t inputs[8], const int8_t *weights)
{
#if defined(__SSSE3__)
    long long eight;
    memcpy(&eight, inputs, sizeof eight);
    const SimdRegister repeated = SIMD_X86_SET1_64(eight);
    const SimdRegister all = *(const SimdRegister *)(const void *)weights;
#if defined(__AVX512BW__) && defined(__AVX512VNNI__)
    return (SimdSum)_mm512_dpbusd_epi32((__m512i)sum, repeated, all);
#else
    const SimdRegister pairs = SIMD_X86(maddubs_epi16)(repeated, all);
    return sum + (SimdSum)SIMD_X86(madd_epi16)(pairs, SIMD_X86(set1_epi16)(1));
#endif
#elif defined(__SSE2__)
    const __m128i eight = _mm_loadl_epi64((const void *)inputs);
    const __m128i bytes = _mm_loadl_epi64((const void *)weights);
    const __m128i wide = _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
    return sum + (SimdSum)_mm_madd_epi16(_mm_unpacklo_epi8(eight, _mm_setzero_si128()), wide);
#elif defined(__ARM_NEON) && defined(__aarch64__)
    const int16x8_t products = vmull_s8(vreinterpret_s8_u8(vld1_u8(inputs)), vld1_s8(weights));
    return (SimdSum)vpadalq_s16((int32x4_t)sum, products);
#else
    for (int i = 0; i < 4; i++)
        sum[i] +=
            (uint32_t)(inputs[2 * i] * weights[2 * i] + inputs[2 * i + 1] * weights[2 * i + 1]);
    return sum;
#endif
}

/* Adds up the lanes of each output; `outputs` is aligned to 4 * SIMD_OUTPUTS. */
static inline void simd_store_outputs(int32_t outputs[SIMD_OUTPUTS], SimdSum sum)
{
#if defined(__SSSE3__)
    typedef uint64_t Pairs __attribute__((vector_size(SIMD_BYTES)));
    const Pairs both = (Pairs)sum, totals = both + (both >> 32); // in the low halves
#if defined(__AVX2__) && !defined(__AVX512BW__) // gcc 12 converts with seven instructions
    const __m256i order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
    const __m256i low = _mm256_permutevar8x32_epi32((__m256i)totals, order);
    _mm_store_si128((void *)outputs, _mm256_castsi256_si128(low));
#else
    typedef uint32_t Sums __attribute__((vector_size(4 * SIMD_OUTPUTS), may_alias));
    *(Sums *)(void *)outputs = __builtin_convertvector(totals, Sums);
#endif
#else
    outputs[0] = (int32_t)(sum[0] + sum[1] + sum[2] + sum[3]);
#endif
}

/* Returns the set of indices where a[i] and b[i] differ; any alignment. */
static inline uint64_t simd_differences(const uint8_t a[64], const uint8_t b[64])
{
#if defined(__AVX512BW__)
    return _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
#elif defined(SIMD_X86)
    typedef char Bytes __attribute__((vector_size(SIMD_BYTES), aligned(1), may_alias));
    uint64_t equal = 0;
    for (int i = 0; i < 64; i += SIMD_BYTES) {
        const SimdRegister is_equal =
            (SimdRegister)(*(const Bytes *)(a + i) == *(const Bytes *)(b + i));
        equal |= (uint64_t)(uint32_t)SIMD_X86(movemask_epi8)(is_equal) << i;
    }
    return ~equal;
#else
    /* For eight bytes at a time, sets the high bit of each byte that differs; a multiplication then
     * moves these bits to neighbouring places. */
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
#endif
}

#if defined(__AVX2__)
/* Returns 32 bytes: `value` for each bit of `set` that is 1, else 0. */
static inline __m256i simd_bits(uint32_t set, char value)
{
    const __m256i sources = _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202,
                                              0x0101010101010101, 0); // of bit i: its byte in `set`
    const __m256i bits = _mm256_set1_epi64x((int64_t)0x8040201008040201u);
    const __m256i held =
        _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32((int32_t)set), sources), bits);
    return _mm256_and_si256(_mm256_cmpeq_epi8(held, bits), _mm256_set1_epi8(value));
}
#else
/* Returns 8 bytes: `value` for each bit of `set` that is 1, else 0. */
static inline uint64_t simd_bits(uint8_t set, uint8_t value)
{
    const uint64_t ones = 0x0101010101010101u, diagonal = 0x8040201008040201u;
    return (((set * ones & diagonal) + 127 * ones) >> 7 & ones) * value;
}
#endif

/* Copies `from` to `to` and adds 16 to the bytes of sets[0], 32 to those of sets[1], 64 to those of
 * sets[2], 128 to those of sets[3]. Any alignment. */
static inline void simd_mark(uint8_t to[64], const uint8_t from[64], const uint64_t sets[4])
{
#if defined(__AVX512BW__)
    __m512i bytes = _mm512_loadu_si512(from);
    for (int i = 0; i < 4; i++)
        bytes = _mm512_mask_add_epi8(bytes, sets[i], bytes, _mm512_set1_epi8((char)(16 << i)));
    _mm512_storeu_si512(to, bytes);
#elif defined(__AVX2__)
    for (int half = 0; half < 64; half += 32) {
        __m256i bytes = _mm256_loadu_si256((const void *)(from + half));
        for (int i = 0; i < 4; i++)
            bytes = _mm256_add_epi8(bytes, simd_bits((uint32_t)(sets[i] >> half), (char)(16 << i)));
        _mm256_storeu_si256((void *)(to + half), bytes);
    }
#else
    for (int rank = 0; rank < 64; rank += 8) {
        uint64_t bytes;
        memcpy(&bytes, from + rank, sizeof bytes);
        for (int i = 0; i < 4; i++)
            bytes += simd_bits((uint8_t)(sets[i] >> rank), (uint8_t)(16 << i));
        memcpy(to + rank, &bytes, sizeof bytes);
    }
#endif
}
