/* Products of rows with a matrix, in 16-bit whole numbers.

   Each row and each column is scaled so that its Euclidean norm stays below ROW_NORM or COLUMN_NORM. By the
   Cauchy-Schwarz inequality no sum of products then exceeds 32 bits. A typical number keeps about 12 bits, so the result
   is as precise as with 12-bit floats, in two thirds of the time that 24-bit floats take. */

#ifndef ERRATA_MATRIX_H
#define ERRATA_MATRIX_H

#include <stdint.h>

#define PANEL 16            /* columns that are multiplied together */
#define ROW_NORM 32700.0f   /* also keeps every number of a row within 16 bits */
#define COLUMN_NORM 65000.0f
#define LARGEST 32767.0f

typedef struct {
    long columns, depth;    /* depth is a multiple of 16 */
    int16_t *panels;        /* (columns / PANEL, depth / 2, PANEL, 2) */
    float *scales, *bias;   /* (columns), padded to whole panels */
} Matrix;

/* Rows ready to be multiplied: whole numbers, and the value of 1 in each row. */
typedef struct {
    int16_t *numbers;       /* (rows, depth) */
    float *scales;          /* (rows) */
} Rows;

/* Rows of whole numbers in few bits, times a scale for every `block` of them. The upper 8 or 4 bits of the numbers lie in
   `high`, the lower 2, 1 or 0 in `low`, side by side from the lowest bits of a byte up. `columns` is a multiple of 8, so
   rows begin at whole bytes. */
typedef struct {
    const uint8_t *high, *low;
    const float *steps;     /* (rows, columns / block): the value of 1 */
    long columns, block;
    int high_bits, low_bits;
} Quantised;

enum Activation { LINEAR, GELU };

int matrix_new(Matrix *matrix, long columns, long depth);
void matrix_free(Matrix *matrix);
/* Set `columns` columns from `first` on: `weights` is (columns, depth), `bias` (columns) or NULL. */
void matrix_set(Matrix *matrix, long first, long columns, const float *weights, const float *bias);
/* The same from quantised weights, whose rows are columns of the matrix. Returns -1 if there is no memory. */
int matrix_set_quantised(Matrix *matrix, long first, long columns, const Quantised *weights, const float *bias);
/* A row of quantised weights as floats. */
void dequantise_row(const Quantised *quantised, long row, float *out);
/* `out` (rows, stride) = activation(rows x matrix + bias). Whole panels are written, so stride covers whole panels. */
void multiply(const Matrix *matrix, const int16_t *numbers, const float *scales, long rows, float *out, long stride,
              enum Activation activation);
/* Scale a row to whole numbers; return the value of 1. */
float quantise_row(const float *row, long length, int16_t *numbers);

#endif
