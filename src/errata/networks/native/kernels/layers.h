/* The steps of a Transformer layer other than products with weights. */

#ifndef ERRATA_LAYERS_H
#define ERRATA_LAYERS_H

#include "matrix.h"

typedef struct {
    const float *weight, *bias;
    float epsilon;
} Norm;

/* `out` = the row, shifted to mean 0 and scaled to variance 1, times weight plus bias. `out` may be the row itself. */
void normalise_row(const Norm *norm, const float *row, long length, float *out);
void add_row(float *row, const float *other, long length);
float dot(const float *a, const float *b, long length);

/* What the distance of a key from its query adds to a score. `table` is (heads, stride); distance 0 is in column
   `centre`. PLACES more columns follow the largest distance, because scores are computed for so many keys at once. */
typedef struct {
    const float *table;
    long stride, centre;
} Distances;

#define PLACES 16

/* Multi-head attention within one sentence. `qkv` is (length, 3 * hidden): queries, keys and values of all heads;
   `out` is (n_queries, hidden). The rows `queries` attend, or all rows if `queries` is NULL.
   `scratch` has room for attention_scratch(length, hidden / heads) floats. */
void attend(const float *qkv, long length, long hidden, long heads, const Distances *distances, const int32_t *queries,
            long n_queries, float *out, float *scratch);
long attention_scratch(long length, long width);

/* The softmax of a row of scores: the share of the first, the largest share of another, and the place of that one. */
void best_of(const float *scores, long n, float *first, float *best, int32_t *which);
float sigmoid(float x);

#endif
