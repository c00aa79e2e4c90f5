/* A network: a BERT-like encoder; for taggers, an error detector and a tag head.

   A batch is ragged: it has the subwords of all sentences one after the other, without padding. Each sentence is computed
   by itself, in the same order whatever else is in the batch, so answers do not depend on the batch. */

#ifndef ERRATA_NETWORK_H
#define ERRATA_NETWORK_H

#include <stddef.h>
#include <stdint.h>

#include "layers.h"
#include "matrix.h"

typedef struct {
    Matrix query_key_value, project, widen, narrow;
    Norm attention_norm, feed_norm;  /* after the sum (BERT), or before the step if is_pre_norm */
} Layer;

/* A detector of errors: the log-odds of an error in a slot are state · weight + bias. */
typedef struct {
    const float *weight;  /* NULL: there is none */
    float bias;
} Detector;

typedef struct {
    long hidden, heads, wide, n_layers, n_tags;
    int is_pre_norm;
    const float *subwords;        /* (subwords, hidden), or NULL: they are quantised */
    Quantised quantised_subwords;
    const float *cases;           /* (case classes, hidden) or NULL */
    const float *positions;       /* (positions, hidden) */
    Distances distances;          /* of two subwords, in attention; table NULL: they do not count */
    Norm first_norm, last_norm;   /* after the embeddings, after the last layer; weight NULL: none */
    Layer *layers;
    Detector errors;
    Matrix tags;
    float gate;                   /* tags are scored only where an error is at least this probable */
    long exit_after;              /* slots may be done after so many layers, not the last; 0: never */
    Detector early;               /* a slot is done when an error … */
    float exit_below;             /* … is less probable here than this */
} Network;

typedef struct {
    long n_sentences;
    const int32_t *lengths;       /* subwords of each sentence */
    const int32_t *ids, *cases;   /* (all subwords) */
    const int32_t *n_slots;       /* slots of each sentence */
    const int32_t *first;         /* (all slots) the place of its first subword in its sentence */
} Batch;

/* For every slot of the batch: the probabilities of keep, of the best other tag and of an error; and that tag. */
typedef struct {
    float *keep, *best, *error;
    int32_t *tag;
} Answers;

int kernels_are_supported(void);
/* How many bytes `memory` must have; it must begin at a multiple of 64. */
size_t memory_needed(const Network *network, const Batch *batch);
void answer_batch(const Network *network, const Batch *batch, void *memory, Answers *answers);
/* The states (slots, hidden) after the last layer. The network has no early exit; tags are not needed. */
void encode_batch(const Network *network, const Batch *batch, void *memory, float *states);

#endif
