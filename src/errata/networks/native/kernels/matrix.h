/* Products of rows with a matrix, in 16-bit whole numbers.

   A row and a column are each scaled so that their Euclidean norms stay below ROW_NORM and COLUMN_NORM. By the
   Cauchy-Schwarz inequality no sum of products then leaves 32 bits, and both sides keep about 12 bits for a typical
   number: the result is as good as with floats of 12 bits' precision, in two thirds of the time of 24. */

#ifndef ERRATA_MATRIX_H
#define ERRATA_MATRIX_H

#include <stdint.h>

#define PANEL 16            /* columns that are multiplied together */
#define ROW_NORM 32700.0f   /* also bounds every number of a row, to 16 bits */
#define COLUMN_NORM 65000.0f
#define LARGEST 32767.0f

typedef struct {
    long columns, depth;    /* depth is a multiple of 16 */
    int16_t *panels;        /* (columns / PANEL, depth / 2, PANEL, 2) */
    float *scales, *bias;   /* (columns), filled up to whole panels */
} Matrix;

/* Rows ready to be multiplied: whole numbers, and what one of them is worth. */
typedef struct {
    int16_t *numbers;       /* (rows, depth) */
    float *scales;          /* (rows) */
} Rows;

enum Activation { LINEAR, GELU };

int matrix_new(Matrix *matrix, long columns, long depth);
void matrix_free(Matrix *matrix);
/* Set the columns from `first` on: `weights` is (columns, depth), `bias` (columns) or NULL. */
void matrix_set(Matrix *matrix, long first, long columns, const float *weights, const float *bias);
/* The same from quantised weights: `high` (columns, depth) are the upper 8 bits, `low` (columns, depth / 4) the lower two,
   four to a byte, or NULL; `scales` (columns, depth / block) are what one is worth. -1 if there is no memory. */
int matrix_set_quantised(Matrix *matrix, long first, long columns, const int8_t *high, const uint8_t *low,
                      const float *scales, long block, const float *bias);
/* `out` (rows, stride) = rows x matrix + bias, through the activation; whole panels are written. */
void multiply(const Matrix *matrix, const int16_t *numbers, const float *scales, long rows, float *out, long stride,
              enum Activation activation);
/* Scale a row to whole numbers; what one of them is worth. */
float quantise_row(const float *row, long length, int16_t *numbers);

#endif
