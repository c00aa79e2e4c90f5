/* The steps of a Transformer layer besides products with weights. */

#ifndef ERRATA_LAYERS_H
#define ERRATA_LAYERS_H

#include "matrix.h"

typedef struct {
    const float *weight, *bias;
    float epsilon;
} Norm;

/* `out` = the row, made of mean 0 and variance 1, times weight plus bias; in place if the two are one. */
void normalise_row(const Norm *norm, const float *row, long length, float *out);
void add_row(float *row, const float *other, long length);
float dot(const float *a, const float *b, long length);

/* Multi-head attention within one sentence. `qkv` is (length, 3 * hidden): queries, keys and values of all heads;
   `out` is (n_queries, hidden), for the queries of the rows `queries`, or of all rows if that is NULL.
   `scratch` has room for attention_scratch(length, hidden / heads) floats. */
void attend(const float *qkv, long length, long hidden, long heads, const int32_t *queries, long n_queries, float *out,
            float *scratch);
long attention_scratch(long length, long width);

/* Of one row of scores: the share of the first, the largest share of another, and which one (softmax over all). */
void best_of(const float *scores, long n, float *first, float *best, int32_t *which);
float sigmoid(float x);

#endif
