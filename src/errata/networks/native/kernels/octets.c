#include <math.h>
#include <string.h>

#include "matrix.h"
#include "target.h"

#if HAS_KERNELS

/* One instruction multiplies four numbers of a row with four weights of each of eight columns. It takes weights without a
   sign, so OCTET_ZERO is added to them, and sums begin at -OCTET_ZERO times the numbers of the row. Sums of a block have 16
   bits: two for every column, of 16 products each. A product is at most 16 x 127 with 5 bits, so no sum leaves the range
   from -32,512 to 32,512, whatever happens on the way there: what overflows comes back. */
#define OCTET_ZERO 16
#define LARGEST_OCTET 127

typedef int32_t __attribute__((may_alias, aligned(1))) Quad;

KERNELS_BEGIN

#include "functions.h"

void octets_set_column(Matrix *matrix, long column, const float *numbers, const float *steps) {
    long depth = matrix->depth, blocks = depth / BLOCK;
    uint8_t *panel = matrix->octets + column / PANEL * PANEL * depth + column % PANEL * 4;
    for (long k = 0; k < depth; k += 8) {
        __m256i whole = _mm256_add_epi32(_mm256_cvtps_epi32(_mm256_loadu_ps(numbers + k)), _mm256_set1_epi32(OCTET_ZERO));
        __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
        __m128i octets = _mm_packus_epi16(words, words);
        *(Quad *)(panel + k * PANEL) = _mm_cvtsi128_si32(octets);
        *(Quad *)(panel + (k + 4) * PANEL) = _mm_extract_epi32(octets, 1);
    }
    float *to = matrix->steps + column / PANEL * PANEL * blocks + column % PANEL;
    for (long k = 0; k < blocks; k++) to[k * PANEL] = steps[k];
}

/* A block of 32 numbers: scaled by its largest, and the sums of what is multiplied with the same 16 bits of a column. */
INLINE void set_block(const float *row, int8_t *octets, float *scale, int32_t *start) {
    __m256 sign = _mm256_set1_ps(-0.0f), v[4], top = _mm256_setzero_ps();
    for (int i = 0; i < 4; i++) {
        v[i] = _mm256_loadu_ps(row + 8 * i);
        top = _mm256_max_ps(top, _mm256_andnot_ps(sign, v[i]));
    }
    float largest = fmaxf(max8(top), 1e-20f);
    __m256 factor = _mm256_set1_ps(LARGEST_OCTET / largest);
    __m256i w[4];
    for (int i = 0; i < 4; i++) w[i] = _mm256_cvtps_epi32(_mm256_mul_ps(v[i], factor));
    /* Packing works within halves of a register; the permutation puts the numbers back in order. */
    __m256i packed = _mm256_packs_epi16(_mm256_packs_epi32(w[0], w[1]), _mm256_packs_epi32(w[2], w[3]));
    packed = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    _mm256_storeu_si256((__m256i *)octets, packed);
    *scale = largest / LARGEST_OCTET;
    __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(OCTET_ZERO), packed);  /* 16 sums of 2 */
    __m128i sums = _mm_add_epi16(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1));
    sums = _mm_add_epi16(sums, _mm_unpackhi_epi64(sums, sums));
    sums = _mm_add_epi16(sums, _mm_shuffle_epi32(sums, 1));
    *start = _mm_cvtsi128_si32(_mm_sub_epi16(_mm_setzero_si128(), sums));
}

void octets_set_row(const float *row, long depth, int8_t *octets, float *scales, int32_t *starts) {
    for (long k = 0; k < depth; k += BLOCK) set_block(row + k, octets + k, scales + k / BLOCK, starts + k / BLOCK);
}

/* Compilers would copy sums from register to register; this adds in place. */
#define ADD_TO(sum, products) __asm__("vpaddw %1, %0, %0" : "+x"(sum) : "x"(products))

/* sum_N: the products of N rows with one panel. Each sum has its own variable, as in matrix.c. */
#define START(i) l##i = r##i = _mm256_set1_epi32(starts[(i) * blocks + k]);
#define ADD(i)                                                                        \
    {                                                                                 \
        __m256i quads = _mm256_set1_epi32(*(const Quad *)(a + (i) * depth + 4 * j));  \
        __m256i left = _mm256_maddubs_epi16(b0, quads), right = _mm256_maddubs_epi16(b1, quads); \
        ADD_TO(l##i, left);                                                           \
        ADD_TO(r##i, right);                                                          \
    }
#define FINISH(i)                                                                                                    \
    {                                                                                                                \
        __m256 scale = _mm256_set1_ps(scales[(i) * blocks + k]);                                                     \
        __m256 left = _mm256_cvtepi32_ps(_mm256_madd_epi16(l##i, ones));                                             \
        __m256 right = _mm256_cvtepi32_ps(_mm256_madd_epi16(r##i, ones));                                            \
        float *to = sums + (i) * PANEL;                                                                              \
        _mm256_store_ps(to, _mm256_fmadd_ps(left, _mm256_mul_ps(scale, s0), _mm256_load_ps(to)));                    \
        _mm256_store_ps(to + 8, _mm256_fmadd_ps(right, _mm256_mul_ps(scale, s1), _mm256_load_ps(to + 8)));           \
    }
#define SUMS(n, EACH)                                                                                                \
    static __attribute__((noinline)) void sum_##n(const int8_t *a, const int32_t *starts, const float *scales,       \
                                                  const uint8_t *b, const float *steps, long depth, float *sums) {   \
        __m256i l0, l1, l2, l3, l4, l5, r0, r1, r2, r3, r4, r5, ones = _mm256_set1_epi16(1);                         \
        long blocks = depth / BLOCK;                                                                                 \
        for (long k = 0; k < blocks; k++, a += BLOCK, steps += PANEL) {                                              \
            EACH(START)                                                                                              \
            _Pragma("GCC unroll 2") for (long j = 0; j < BLOCK / 4; j++, b += 4 * PANEL) {                           \
                __m256i b0 = _mm256_load_si256((const __m256i *)b);                                                  \
                __m256i b1 = _mm256_load_si256((const __m256i *)(b + 2 * PANEL));                                    \
                EACH(ADD)                                                                                            \
            }                                                                                                        \
            __m256 s0 = _mm256_load_ps(steps), s1 = _mm256_load_ps(steps + 8);                                       \
            EACH(FINISH)                                                                                             \
            __asm__ volatile("" ::: "memory"); /* the registers are for the sums of a block, not for these */        \
        }                                                                                                            \
        (void)l1, (void)l2, (void)l3, (void)l4, (void)l5, (void)r1, (void)r2, (void)r3, (void)r4, (void)r5;          \
    }
FOR_EACH_COUNT(SUMS)

void octets_sum(const Matrix *matrix, long panel, const Rows *rows, long first, long n, float *sums) {
    long depth = matrix->depth, blocks = depth / BLOCK;
    const int8_t *a = rows->octets + first * depth;
    const int32_t *starts = rows->starts + first * blocks;
    const float *scales = rows->scales + first * blocks, *steps = matrix->steps + panel * PANEL * blocks;
    const uint8_t *b = matrix->octets + panel * PANEL * depth;
    memset(sums, 0, (size_t)(n * PANEL) * sizeof(float));
    switch (n) {
        case 1: sum_1(a, starts, scales, b, steps, depth, sums); break;
        case 2: sum_2(a, starts, scales, b, steps, depth, sums); break;
        case 3: sum_3(a, starts, scales, b, steps, depth, sums); break;
        case 4: sum_4(a, starts, scales, b, steps, depth, sums); break;
        case 5: sum_5(a, starts, scales, b, steps, depth, sums); break;
        default: sum_6(a, starts, scales, b, steps, depth, sums);
    }
}

KERNELS_END

#endif
