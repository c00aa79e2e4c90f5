/* Products of rows with a matrix, in whole numbers of 16 bits, or of 8 where the weights have 5 bits or fewer.

   16 bits: each row and each column is scaled so that its Euclidean norm stays below ROW_NORM or COLUMN_NORM. By the
   Cauchy-Schwarz inequality no sum of products then exceeds 32 bits. A typical number keeps about 12 bits, so the result
   is as precise as with 12-bit floats, in two thirds of the time that 24-bit floats take.

   8 bits (octets.c): the weights are multiplied as they are stored, and every BLOCK numbers of a row have a scale of their
   own. That takes two thirds of the time of 16 bits. Rounding the rows changes the states of MPNet by 1.9 % (root mean
   square), which is little beside the 11 % of weights in 5 bits and the 22 % of 4 bits. */

#ifndef ERRATA_MATRIX_H
#define ERRATA_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#define PANEL 16            /* columns that are multiplied together */
#define ROWS 6              /* rows that are: their sums with PANEL columns fill the registers */
#define BLOCK 32            /* numbers with a scale of their own, in 8 bits */
#define ROW_NORM 32700.0f   /* also keeps every number of a row within 16 bits */
#define COLUMN_NORM 65000.0f
#define LARGEST 32767.0f

/* A macro for each of the first 1 to ROWS rows, and a macro for each such count, with the macro for its rows. */
#define EACH1(M) M(0)
#define EACH2(M) EACH1(M) M(1)
#define EACH3(M) EACH2(M) M(2)
#define EACH4(M) EACH3(M) M(3)
#define EACH5(M) EACH4(M) M(4)
#define EACH6(M) EACH5(M) M(5)
#define FOR_EACH_COUNT(M) M(1, EACH1) M(2, EACH2) M(3, EACH3) M(4, EACH4) M(5, EACH5) M(6, EACH6)

typedef struct {
    long columns, depth;    /* depth is a multiple of 16; of BLOCK with octets */
    int16_t *panels;        /* (columns / PANEL, depth / 2, PANEL, 2), or NULL … */
    uint8_t *octets;        /* … and (columns / PANEL, depth / 4, PANEL, 4): the numbers plus OCTET_ZERO */
    float *steps;           /* (columns / PANEL, depth / BLOCK, PANEL): the value of 1, with octets */
    float *scales, *bias;   /* (columns), padded to whole panels; scales is the value of 1, with panels */
} Matrix;

/* Rows ready to be multiplied with a matrix of 16 or of 8 bits. */
typedef struct {
    int16_t *numbers;       /* (rows, depth) */
    int8_t *octets;         /* (rows, depth), in the same memory */
    float *scales;          /* (rows) or (rows, depth / BLOCK): the value of 1 */
    int32_t *starts;        /* (rows, depth / BLOCK): what sums of octets begin at (octets.c) */
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

/* A matrix of zeros, for 8 bits or for 16. Returns -1 if there is no memory. */
int matrix_new(Matrix *matrix, long columns, long depth, int has_octets);
void matrix_free(Matrix *matrix);
/* Set `columns` columns of a 16-bit matrix from `first` on: `weights` is (columns, depth), `bias` (columns) or NULL. */
void matrix_set(Matrix *matrix, long first, long columns, const float *weights, const float *bias);
/* The same from quantised weights, whose rows are columns of the matrix. Octets need blocks of BLOCK numbers of 5 bits or
   fewer. Returns -1 if there is no memory. */
int matrix_set_quantised(Matrix *matrix, long first, long columns, const Quantised *weights, const float *bias);
/* A row of quantised weights as floats. */
void dequantise_row(const Quantised *quantised, long row, float *out);
/* The same without scales. */
void unpack_row(const Quantised *quantised, long row, float *out);

/* Memory for rows of a depth, from an address at a multiple of 64 on; returns where it ends. */
uintptr_t rows_lay_out(Rows *rows, size_t n, size_t depth, uintptr_t memory);
/* Make a row of floats the row `m` of `rows`, ready for this matrix. */
void set_row(const Matrix *matrix, const float *row, long m, Rows *rows);
/* `out` (n, stride) = activation(rows x matrix + bias), for `n` rows from `first` on. Whole panels are written, so stride
   covers whole panels. */
void multiply(const Matrix *matrix, const Rows *rows, long first, long n, float *out, long stride,
              enum Activation activation);

/* octets.c */
void octets_set_column(Matrix *matrix, long column, const float *numbers, const float *steps);
void octets_set_row(const float *row, long depth, int8_t *octets, float *scales, int32_t *starts);
/* The sums (n, PANEL) of up to ROWS rows with one panel. */
void octets_sum(const Matrix *matrix, long panel, const Rows *rows, long first, long n, float *sums);

#endif
