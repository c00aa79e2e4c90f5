#include "matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

#if HAS_KERNELS

static long whole_panels(long columns) { return (columns + PANEL - 1) / PANEL * PANEL; }

static void *zeros(size_t size) {
    size = (size + 63) / 64 * 64;
    void *memory = aligned_alloc(64, size);
    return memory ? memset(memory, 0, size) : NULL;
}

int matrix_new(Matrix *matrix, long columns, long depth, int has_octets) {
    size_t padded = (size_t)whole_panels(columns), size = padded * (size_t)depth;
    *matrix = (Matrix){.columns = columns, .depth = depth};
    if (has_octets) {
        matrix->octets = zeros(size);
        matrix->steps = zeros(size / BLOCK * sizeof(float));
    } else {
        matrix->panels = zeros(size * sizeof(int16_t));
    }
    matrix->scales = calloc(padded, sizeof(float));
    matrix->bias = calloc(padded, sizeof(float));
    if (matrix->scales && matrix->bias && (has_octets ? matrix->octets && matrix->steps : matrix->panels != NULL)) return 0;
    matrix_free(matrix);
    return -1;
}

void matrix_free(Matrix *matrix) {
    free(matrix->panels);
    free(matrix->octets);
    free(matrix->steps);
    free(matrix->scales);
    free(matrix->bias);
    memset(matrix, 0, sizeof *matrix);
}

static void *cut(uintptr_t *memory, size_t bytes) {
    void *part = (void *)*memory;
    *memory += (bytes + 63) / 64 * 64;
    return part;
}

uintptr_t rows_lay_out(Rows *rows, size_t n, size_t depth, uintptr_t memory) {
    size_t blocks = depth / BLOCK + 1;
    rows->numbers = cut(&memory, n * depth * sizeof(int16_t));
    rows->octets = (int8_t *)rows->numbers;
    rows->scales = cut(&memory, n * blocks * sizeof(float));
    rows->starts = cut(&memory, n * blocks * sizeof(int32_t));
    return memory;
}

typedef int32_t __attribute__((may_alias, aligned(2))) Pair;

KERNELS_BEGIN

#include "functions.h"

static float column_factor(const float *weights, long depth) {
    __m256 squares = _mm256_setzero_ps(), tops = _mm256_setzero_ps(), sign = _mm256_set1_ps(-0.0f);
    for (long k = 0; k < depth; k += 8) {
        __m256 v = _mm256_loadu_ps(weights + k);
        squares = _mm256_fmadd_ps(v, v, squares);
        tops = _mm256_max_ps(tops, _mm256_andnot_ps(sign, v));
    }
    return fminf(COLUMN_NORM / fmaxf(sqrtf(sum8(squares)), 1e-20f), LARGEST / fmaxf(max8(tops), 1e-20f));
}

static void set_column(Matrix *matrix, long column, const float *weights) {
    long depth = matrix->depth;
    float factor = column_factor(weights, depth);
    int16_t *panel = matrix->panels + column / PANEL * PANEL * depth + column % PANEL * 2;
    for (long k = 0; k < depth; k += 8) {
        __m256i whole = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(weights + k), _mm256_set1_ps(factor)));
        _Alignas(16) Pair pairs[4];
        _mm_store_si128((__m128i *)pairs, _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1)));
        for (int j = 0; j < 4; j++) *(Pair *)(panel + (k + 2 * j) * PANEL) = pairs[j];
    }
    matrix->scales[column] = 1 / factor;
}

void matrix_set(Matrix *matrix, long first, long columns, const float *weights, const float *bias) {
    for (long n = 0; n < columns; n++) {
        set_column(matrix, first + n, weights + n * matrix->depth);
        matrix->bias[first + n] = bias ? bias[n] : 0;
    }
}

/* Eight numbers of `width` bits from the lowest bits of a word on. */
INLINE __m256i fields8(uint32_t word, int width) {
    __m256i places = _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(width));
    return _mm256_and_si256(_mm256_srlv_epi32(_mm256_set1_epi32((int)word), places), _mm256_set1_epi32((1 << width) - 1));
}

/* `high_bits` and `low_bits` are compile-time constants in every caller. */
INLINE void unpack(int high_bits, int low_bits, const uint8_t *high, const uint8_t *low, long columns, float *out) {
    for (long k = 0; k < columns; k += 8) {
        __m256i numbers;
        uint32_t word = 0;
        if (high_bits == 8) {
            numbers = _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(high + k)));
        } else {
            memcpy(&word, high + k / 2, 4);
            numbers = _mm256_srai_epi32(_mm256_slli_epi32(fields8(word, 4), 28), 28);
        }
        if (low_bits) {
            word = 0;
            memcpy(&word, low + k / 8 * low_bits, (size_t)low_bits);
            numbers = _mm256_or_si256(_mm256_slli_epi32(numbers, low_bits), fields8(word, low_bits));
        }
        _mm256_storeu_ps(out + k, _mm256_cvtepi32_ps(numbers));
    }
}

void unpack_row(const Quantised *q, long row, float *out) {
    long columns = q->columns;
    const uint8_t *high = q->high + row * (columns / 8 * q->high_bits);
    const uint8_t *low = q->low_bits ? q->low + row * (columns / 8 * q->low_bits) : NULL;
    switch (16 * q->high_bits + q->low_bits) {
        case 16 * 4 + 0: unpack(4, 0, high, low, columns, out); break;
        case 16 * 4 + 1: unpack(4, 1, high, low, columns, out); break;
        case 16 * 4 + 2: unpack(4, 2, high, low, columns, out); break;
        case 16 * 8 + 0: unpack(8, 0, high, low, columns, out); break;
        default: unpack(8, 2, high, low, columns, out);
    }
}

void dequantise_row(const Quantised *q, long row, float *out) {
    const float *steps = q->steps + row * (q->columns / q->block);
    unpack_row(q, row, out);
    for (long k = 0; k < q->columns; k += q->block, steps++)
        for (long j = k; j < k + q->block; j++) out[j] *= *steps;
}

int matrix_set_quantised(Matrix *matrix, long first, long columns, const Quantised *weights, const float *bias) {
    long depth = matrix->depth;
    float *row = malloc((size_t)depth * sizeof(float));
    if (!row) return -1;
    for (long n = 0; n < columns; n++) {
        if (matrix->octets) {
            unpack_row(weights, n, row);
            octets_set_column(matrix, first + n, row, weights->steps + n * (depth / BLOCK));
        } else {
            dequantise_row(weights, n, row);
            set_column(matrix, first + n, row);
        }
        matrix->bias[first + n] = bias ? bias[n] : 0;
    }
    free(row);
    return 0;
}

/* sum_N: the products of N rows with one panel, summed over the depth. Each number of rows has its own function, and each
   sum its own variable, so that compilers keep all of them in registers: six rows take exactly the sixteen there are. */
#define ADD(i)                                                                       \
    {                                                                                \
        __m256i pairs = _mm256_set1_epi32(*(const Pair *)(a + (i) * depth + k));     \
        l##i = _mm256_add_epi32(l##i, _mm256_madd_epi16(pairs, b0));                 \
        r##i = _mm256_add_epi32(r##i, _mm256_madd_epi16(pairs, b1));                 \
    }
#define STORE(i)                                                                     \
    _mm256_store_si256((__m256i *)(sums + (i) * PANEL), l##i);                       \
    _mm256_store_si256((__m256i *)(sums + (i) * PANEL + 8), r##i);
#define SUMS(n, EACH)                                                                                                \
    static __attribute__((noinline)) void sum_##n(const int16_t *a, const int16_t *b, long depth, int32_t *sums) {   \
        __m256i l0, l1, l2, l3, l4, l5, r0, r1, r2, r3, r4, r5;                                                              \
        l0 = l1 = l2 = l3 = l4 = l5 = r0 = r1 = r2 = r3 = r4 = r5 = _mm256_setzero_si256();                                    \
        for (long k = 0; k < depth; k += 2, b += 2 * PANEL) {                                                        \
            __m256i b0 = _mm256_load_si256((const __m256i *)b);                                                      \
            __m256i b1 = _mm256_load_si256((const __m256i *)(b + PANEL));                                            \
            EACH(ADD)                                                                                                \
        }                                                                                                            \
        EACH(STORE)                                                                                                  \
        (void)l1, (void)l2, (void)l3, (void)l4, (void)l5, (void)r1, (void)r2, (void)r3, (void)r4, (void)r5;                              \
    }
FOR_EACH_COUNT(SUMS)

static void sum_products(long rows, const int16_t *a, const int16_t *b, long depth, int32_t *sums) {
    switch (rows) {
        case 1: sum_1(a, b, depth, sums); break;
        case 2: sum_2(a, b, depth, sums); break;
        case 3: sum_3(a, b, depth, sums); break;
        case 4: sum_4(a, b, depth, sums); break;
        case 5: sum_5(a, b, depth, sums); break;
        default: sum_6(a, b, depth, sums);
    }
}

/* Eight sums of whole numbers as values. */
INLINE __m256 value8(const int32_t *sums, __m256 row_scale, const float *scales, const float *bias) {
    __m256 sum = _mm256_cvtepi32_ps(_mm256_load_si256((const __m256i *)sums));
    return _mm256_fmadd_ps(sum, _mm256_mul_ps(row_scale, _mm256_loadu_ps(scales)), _mm256_loadu_ps(bias));
}

/* `activation` and `has_octets` are compile-time constants in every caller. */
INLINE void multiply_panel(const Matrix *matrix, long panel, const Rows *rows, long first, long n, float *out, long stride,
                           enum Activation activation, int has_octets) {
    long depth = matrix->depth, size = PANEL * depth * (has_octets ? 1 : (long)sizeof(int16_t));
    const char *panels = has_octets ? (const char *)matrix->octets : (const char *)matrix->panels;
    const float *scales = matrix->scales + panel * PANEL, *bias = matrix->bias + panel * PANEL;
    /* Meanwhile the next panel is fetched into the cache, a slice with every step. */
    const char *next = panels + (panel + 1) * size, *end = next + size;
    long slice = size / (n / ROWS + 1) + 64;
    _Alignas(32) int32_t sums[ROWS * PANEL];
    _Alignas(32) float values[ROWS * PANEL];
    for (long m = 0; m < n; m += ROWS) {
        long count = n - m < ROWS ? n - m : ROWS;
        for (const char *to = next + slice; next < to && next < end; next += 64) _mm_prefetch(next, _MM_HINT_T1);
        if (has_octets)
            octets_sum(matrix, panel, rows, first + m, count, values);
        else
            sum_products(count, rows->numbers + (first + m) * depth, matrix->panels + panel * PANEL * depth, depth, sums);
        for (long i = 0; i < count; i++) {
            __m256 scale = _mm256_set1_ps(rows->scales[first + m + i]);
            float *to = out + (m + i) * stride + panel * PANEL;
            for (int j = 0; j < PANEL; j += 8) {
                __m256 value = has_octets ? _mm256_add_ps(_mm256_load_ps(values + i * PANEL + j), _mm256_loadu_ps(bias + j))
                                          : value8(sums + i * PANEL + j, scale, scales + j, bias + j);
                _mm256_storeu_ps(to + j, activation == GELU ? gelu8(value) : value);
            }
        }
    }
}

#define EACH_PANEL(activation, has_octets)                                   \
    for (long p = 0; p < whole_panels(matrix->columns) / PANEL; p++)         \
        multiply_panel(matrix, p, rows, first, n, out, stride, activation, has_octets);

void multiply(const Matrix *matrix, const Rows *rows, long first, long n, float *out, long stride,
              enum Activation activation) {
    if (matrix->octets && activation == GELU) EACH_PANEL(GELU, 1)
    else if (matrix->octets) EACH_PANEL(LINEAR, 1)
    else if (activation == GELU) EACH_PANEL(GELU, 0)
    else EACH_PANEL(LINEAR, 0)
}

/* Scale a row to whole numbers of 16 bits; return the value of 1. */
static float quantise_row(const float *row, long length, int16_t *numbers) {
    __m256 squares = _mm256_setzero_ps();
    for (long k = 0; k < length; k += 8) {
        __m256 v = _mm256_loadu_ps(row + k);
        squares = _mm256_fmadd_ps(v, v, squares);
    }
    float factor = ROW_NORM / fmaxf(sqrtf(sum8(squares)), 1e-20f);
    __m256 factors = _mm256_set1_ps(factor);
    for (long k = 0; k < length; k += 16) {
        __m256i low = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(row + k), factors));
        __m256i high = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(row + k + 8), factors));
        __m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xD8);
        _mm256_storeu_si256((__m256i *)(numbers + k), packed);
    }
    return 1 / factor;
}

void set_row(const Matrix *matrix, const float *row, long m, Rows *rows) {
    long depth = matrix->depth, blocks = depth / BLOCK;
    if (matrix->octets)
        octets_set_row(row, depth, rows->octets + m * depth, rows->scales + m * blocks, rows->starts + m * blocks);
    else
        rows->scales[m] = quantise_row(row, depth, rows->numbers + m * depth);
}

KERNELS_END

#endif
