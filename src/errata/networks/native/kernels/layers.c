#include "layers.h"

#include <math.h>
#include <string.h>

#include "target.h"

#if HAS_KERNELS

KERNELS_BEGIN

#include "functions.h"

void normalise_row(const Norm *norm, const float *row, long length, float *out) {
    __m256 sums = _mm256_setzero_ps(), squares = _mm256_setzero_ps();
    for (long k = 0; k < length; k += 8) sums = _mm256_add_ps(sums, _mm256_loadu_ps(row + k));
    __m256 mean = _mm256_set1_ps(sum8(sums) / (float)length);
    for (long k = 0; k < length; k += 8) {
        __m256 v = _mm256_sub_ps(_mm256_loadu_ps(row + k), mean);
        squares = _mm256_fmadd_ps(v, v, squares);
    }
    __m256 factor = _mm256_set1_ps(1 / sqrtf(sum8(squares) / (float)length + norm->epsilon));
    for (long k = 0; k < length; k += 8) {
        __m256 v = _mm256_mul_ps(_mm256_sub_ps(_mm256_loadu_ps(row + k), mean), factor);
        v = _mm256_fmadd_ps(v, _mm256_loadu_ps(norm->weight + k), _mm256_loadu_ps(norm->bias + k));
        _mm256_storeu_ps(out + k, v);
    }
}

void add_row(float *row, const float *other, long length) {
    for (long k = 0; k < length; k += 8)
        _mm256_storeu_ps(row + k, _mm256_add_ps(_mm256_loadu_ps(row + k), _mm256_loadu_ps(other + k)));
}

float dot(const float *a, const float *b, long length) {
    __m256 sums = _mm256_setzero_ps();
    for (long k = 0; k < length; k += 8)
        sums = _mm256_fmadd_ps(_mm256_loadu_ps(a + k), _mm256_loadu_ps(b + k), sums);
    return sum8(sums);
}

float sigmoid(float x) { return 1 / (1 + expf(-x)); }

#define QUERIES 4  /* queries answered together */

static long whole_vectors(long length) { return (length + PLACES - 1) / PLACES * PLACES; }

long attention_scratch(long length, long width) { return whole_vectors(length) * (width + QUERIES) + QUERIES * width; }

/* Transpose a block of eight rows and eight columns. */
INLINE void turn_block(const float *from, long stride, float *to, long to_stride) {
    __m256 r[8], t[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) r[i] = _mm256_loadu_ps(from + i * stride);
#pragma GCC unroll 4
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
        t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
    }
#pragma GCC unroll 2
    for (int i = 0; i < 8; i += 4) {
        r[i] = _mm256_shuffle_ps(t[i], t[i + 2], 0x44);
        r[i + 1] = _mm256_shuffle_ps(t[i], t[i + 2], 0xEE);
        r[i + 2] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0x44);
        r[i + 3] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0xEE);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        _mm256_storeu_ps(to + i * to_stride, _mm256_permute2f128_ps(r[i], r[i + 4], 0x20));
        _mm256_storeu_ps(to + (i + 4) * to_stride, _mm256_permute2f128_ps(r[i], r[i + 4], 0x31));
    }
}

/* The keys of one head, transposed: (width, padded). Beyond the last place they are zero. */
static void turn_keys(const float *keys, long length, long stride, long width, long padded, float *turned) {
    for (long d = 0; d < width; d += 8) {
        long j = 0;
        for (; j + 8 <= length; j += 8) turn_block(keys + j * stride + d, stride, turned + d * padded + j, padded);
        for (; j < padded; j++)
            for (long i = d; i < d + 8; i++) turned[i * padded + j] = j < length ? keys[j * stride + i] : 0;
    }
}

/* The scores (QUERIES, padded) of QUERIES queries (QUERIES, width) for every place. They begin at what the distances
   add: `distances[i]` is that of query i from the first place on, NULL if they add nothing. */
static void score_places(const float *queries, const float *turned, long width, long padded,
                         const float *const *distances, float *scores) {
    for (long j = 0; j < padded; j += PLACES) {
        __m256 s[QUERIES][2];
#pragma GCC unroll 4
        for (int i = 0; i < QUERIES; i++) {
            s[i][0] = distances ? _mm256_loadu_ps(distances[i] + j) : _mm256_setzero_ps();
            s[i][1] = distances ? _mm256_loadu_ps(distances[i] + j + 8) : _mm256_setzero_ps();
        }
        for (long d = 0; d < width; d++) {
            __m256 k0 = _mm256_loadu_ps(turned + d * padded + j), k1 = _mm256_loadu_ps(turned + d * padded + j + 8);
#pragma GCC unroll 4
            for (int i = 0; i < QUERIES; i++) {
                __m256 q = _mm256_set1_ps(queries[i * width + d]);
                s[i][0] = _mm256_fmadd_ps(q, k0, s[i][0]);
                s[i][1] = _mm256_fmadd_ps(q, k1, s[i][1]);
            }
        }
#pragma GCC unroll 4
        for (int i = 0; i < QUERIES; i++) {
            _mm256_storeu_ps(scores + i * padded + j, s[i][0]);
            _mm256_storeu_ps(scores + i * padded + j + 8, s[i][1]);
        }
    }
}

/* Turn the scores of `length` places into exponentials, and those beyond into zero; return 1 / sum. */
static float exponentiate(float *scores, long length, long padded) {
    for (long j = length; j < padded; j++) scores[j] = -1e30f;
    __m256 largest = _mm256_loadu_ps(scores);
    for (long j = 8; j < padded; j += 8) largest = _mm256_max_ps(largest, _mm256_loadu_ps(scores + j));
    __m256 top = _mm256_set1_ps(max8(largest)), sums = _mm256_setzero_ps();
    for (long j = 0; j < padded; j += 8) {
        __m256 e = exp8(_mm256_sub_ps(_mm256_loadu_ps(scores + j), top));
        _mm256_storeu_ps(scores + j, e);
        sums = _mm256_add_ps(sums, e);
    }
    return 1 / sum8(sums);
}

/* Weighted means of 8 or 16 columns of the values, for QUERIES queries; `factors` normalises the weights.
   `is_wide` is a compile-time constant in every caller. */
INLINE void mix_columns(int is_wide, const float *values, long length, long stride, const float *weights, long padded,
                        const float *factors, long n, float *out, long out_stride) {
    __m256 left[QUERIES], right[QUERIES];
#pragma GCC unroll 4
    for (int i = 0; i < QUERIES; i++) left[i] = right[i] = _mm256_setzero_ps();
    for (long j = 0; j < length; j++) {
        const float *value = values + j * stride;
#pragma GCC unroll 4
        for (int i = 0; i < QUERIES; i++) {
            __m256 weight = _mm256_set1_ps(weights[i * padded + j]);
            left[i] = _mm256_fmadd_ps(weight, _mm256_loadu_ps(value), left[i]);
            if (is_wide) right[i] = _mm256_fmadd_ps(weight, _mm256_loadu_ps(value + 8), right[i]);
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < QUERIES; i++) {
        if (i >= n) break;
        __m256 factor = _mm256_set1_ps(factors[i]);
        _mm256_storeu_ps(out + i * out_stride, _mm256_mul_ps(left[i], factor));
        if (is_wide) _mm256_storeu_ps(out + i * out_stride + 8, _mm256_mul_ps(right[i], factor));
    }
}

static void mix_values(const float *values, long length, long stride, long width, const float *weights, long padded,
                       const float *factors, long n, float *out, long out_stride) {
    long d = 0;
    for (; d + 16 <= width; d += 16)
        mix_columns(1, values + d, length, stride, weights, padded, factors, n, out + d, out_stride);
    if (d < width) mix_columns(0, values + d, length, stride, weights, padded, factors, n, out + d, out_stride);
}

/* `distances` is where distance 0 of this head is, or NULL. */
static void attend_head(const float *qkv, long length, long hidden, long width, const float *distances,
                        const int32_t *queries, long n_queries, float *out, float *scratch) {
    long padded = whole_vectors(length), stride = 3 * hidden;
    float *turned = scratch, *scores = turned + padded * width, *chosen = scores + QUERIES * padded;
    float scale = 1 / sqrtf((float)width), factors[QUERIES];
    const float *added[QUERIES];
    turn_keys(qkv + hidden, length, stride, width, padded, turned);
    for (long from = 0; from < n_queries; from += QUERIES) {
        long n = n_queries - from < QUERIES ? n_queries - from : QUERIES;
        memset(chosen, 0, (size_t)(QUERIES * width) * sizeof(float));
        for (long i = 0; i < QUERIES; i++) added[i] = distances;
        for (long i = 0; i < n; i++) {
            long place = queries ? queries[from + i] : from + i;
            const float *query = qkv + place * stride;
            for (long d = 0; d < width; d++) chosen[i * width + d] = query[d] * scale;
            if (distances) added[i] = distances - place;
        }
        score_places(chosen, turned, width, padded, distances ? added : NULL, scores);
        for (long i = 0; i < QUERIES; i++) factors[i] = exponentiate(scores + i * padded, length, padded);
        mix_values(qkv + 2 * hidden, length, stride, width, scores, padded, factors, n, out + from * hidden, hidden);
    }
}

void attend(const float *qkv, long length, long hidden, long heads, const Distances *distances, const int32_t *queries,
            long n_queries, float *out, float *scratch) {
    long width = hidden / heads;
    for (long h = 0; h < heads; h++) {
        const float *zero = distances->table ? distances->table + h * distances->stride + distances->centre : NULL;
        attend_head(qkv + h * width, length, hidden, width, zero, queries, n_queries, out + h * width, scratch);
    }
}

/* The first place of the largest score from 1 on; the last place if the scores are not numbers. */
static long largest_after_first(const float *scores, long n) {
    __m256 tops = _mm256_set1_ps(scores[1]);
    long k = 1;
    for (; k + 8 <= n; k += 8) tops = _mm256_max_ps(tops, _mm256_loadu_ps(scores + k));
    float top = max8(tops);
    for (; k < n; k++) top = fmaxf(top, scores[k]);
    for (k = 1; k + 8 <= n; k += 8) {
        int equal = _mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(scores + k), _mm256_set1_ps(top), _CMP_EQ_OQ));
        if (equal) return k + __builtin_ctz((unsigned)equal);
    }
    while (k < n - 1 && scores[k] != top) k++;
    return k < n ? k : n - 1;
}

void best_of(const float *scores, long n, float *first, float *best, int32_t *which) {
    long at = largest_after_first(scores, n), k = 0;
    float largest = fmaxf(scores[at], scores[0]), sum = 0;
    __m256 sums = _mm256_setzero_ps(), shift = _mm256_set1_ps(largest);
    for (; k + 8 <= n; k += 8) sums = _mm256_add_ps(sums, exp8(_mm256_sub_ps(_mm256_loadu_ps(scores + k), shift)));
    for (; k < n; k++) sum += expf(scores[k] - largest);
    sum += sum8(sums);
    *first = expf(scores[0] - largest) / sum;
    *best = expf(scores[at] - largest) / sum;
    *which = (int32_t)at;
}

KERNELS_END

#endif
