#include "network.h"

#include <string.h>

#include "target.h"

#if HAS_KERNELS

#define FEED_ROWS 96   /* rows that take the feed-forward step together: their wide states fit the cache */
#define SCORE_ROWS 48  /* slots whose tags are scored together */

int kernels_are_supported(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

/* A sentence that is not done yet: its first row, its length, its first slot, and how many slots are open. */
typedef struct {
    long row, length, slot, n_open;
} Place;

typedef struct {
    const Network *net;
    const Batch *batch;
    Place *places;
    long n_places, n_rows;
    int32_t *open;        /* the open slots of each sentence, numbered within it, stored from its first slot on */
    int32_t *queries;     /* the places of their first subwords */
    float *states;        /* (rows, hidden) */
    float *mixed;         /* (rows, hidden): what a step adds */
    float *qkv;           /* (rows, 3 * hidden) */
    Rows rows;            /* (rows, hidden): the input of the next product */
    float *between;       /* (FEED_ROWS, wide) */
    Rows wide_rows;       /* (FEED_ROWS, wide) */
    float *scratch;       /* of attention */
    float *scores;        /* (SCORE_ROWS, whole panels of tags) */
} Work;

/* Take the next part of a block of memory; sizes are rounded up to cache lines. */
static void *cut(uintptr_t *memory, size_t bytes) {
    void *part = (void *)*memory;
    *memory += (bytes + 63) / 64 * 64;
    return part;
}

static long score_stride(const Network *net) { return (net->n_tags + PANEL - 1) / PANEL * PANEL; }

/* Lay out the parts of a Work from an address on; return where they end. */
static uintptr_t lay_out(Work *work, uintptr_t memory) {
    const Network *net = work->net;
    long rows = 0, longest = 0, slots = 0;
    for (long i = 0; i < work->batch->n_sentences; i++) {
        rows += work->batch->lengths[i];
        slots += work->batch->n_slots[i];
        if (work->batch->lengths[i] > longest) longest = work->batch->lengths[i];
    }
    size_t n = rows > SCORE_ROWS ? (size_t)rows : SCORE_ROWS, hidden = (size_t)net->hidden, wide = (size_t)net->wide, f = sizeof(float);
    work->places = cut(&memory, (size_t)work->batch->n_sentences * sizeof(Place));
    work->open = cut(&memory, (size_t)slots * sizeof(int32_t));
    work->queries = cut(&memory, (size_t)slots * sizeof(int32_t));
    work->states = cut(&memory, n * hidden * f);
    work->mixed = cut(&memory, n * hidden * f);
    work->qkv = cut(&memory, n * 3 * hidden * f);
    memory = rows_lay_out(&work->rows, n, hidden, memory);
    work->between = cut(&memory, FEED_ROWS * wide * f);
    memory = rows_lay_out(&work->wide_rows, FEED_ROWS, wide, memory);
    work->scratch = cut(&memory, (size_t)attention_scratch(longest, net->hidden / net->heads) * f);
    work->scores = cut(&memory, (size_t)(SCORE_ROWS * score_stride(net)) * f);
    return memory;
}

size_t memory_needed(const Network *net, const Batch *batch) {
    Work work = {.net = net, .batch = batch};
    return lay_out(&work, 0);
}

static void begin(Work *work, const Network *net, const Batch *batch, void *memory) {
    long slot = 0;
    *work = (Work){.net = net, .batch = batch, .n_places = batch->n_sentences};
    lay_out(work, (uintptr_t)memory);
    for (long i = 0; i < batch->n_sentences; i++) {
        work->places[i] = (Place){work->n_rows, batch->lengths[i], slot, batch->n_slots[i]};
        work->n_rows += batch->lengths[i];
        for (long j = 0; j < batch->n_slots[i]; j++, slot++) {
            work->open[slot] = (int32_t)j;
            work->queries[slot] = batch->first[slot];
        }
    }
}

static void embed_row(const Network *net, int32_t id, int32_t kind, long position, float *out) {
    long hidden = net->hidden;
    if (net->subwords)
        memcpy(out, net->subwords + id * hidden, (size_t)hidden * sizeof(float));
    else
        dequantise_row(&net->quantised_subwords, id, out);
    if (net->cases) add_row(out, net->cases + kind * hidden, hidden);
    add_row(out, net->positions + position * hidden, hidden);
    if (net->first_norm.weight) normalise_row(&net->first_norm, out, hidden, out);
}

static void embed(Work *work) {
    long hidden = work->net->hidden;
    for (long i = 0; i < work->n_places; i++)
        for (long j = 0; j < work->places[i].length; j++) {
            long row = work->places[i].row + j;
            embed_row(work->net, work->batch->ids[row], work->batch->cases[row], j, work->states + row * hidden);
        }
}

/* Make the states, normalised if there is a norm, the input of the product with a matrix. */
static void prepare(Work *work, const Norm *norm, const Matrix *matrix) {
    long hidden = work->net->hidden;
    for (long m = 0; m < work->n_rows; m++) {
        const float *row = work->states + m * hidden;
        if (norm) normalise_row(norm, row, hidden, work->mixed + m * hidden), row = work->mixed + m * hidden;
        set_row(matrix, row, m, &work->rows);
    }
}

/* Add the result of a step to the states, and normalise them if there is a norm (BERT). */
static void add_step(Work *work, const Norm *norm) {
    long hidden = work->net->hidden;
    for (long m = 0; m < work->n_rows; m++) {
        float *row = work->states + m * hidden;
        add_row(row, work->mixed + m * hidden, hidden);
        if (norm) normalise_row(norm, row, hidden, row);
    }
}

/* Keep only the states of the first subwords of open slots: nothing reads the others from here on. */
static void keep_open(Work *work) {
    long hidden = work->net->hidden, to = 0;
    for (long i = 0; i < work->n_places; i++) {
        Place *place = work->places + i;
        const int32_t *first = work->queries + place->slot;
        for (long j = 0; j < place->n_open; j++)
            memmove(work->states + (to + j) * hidden, work->states + (place->row + first[j]) * hidden,
                    (size_t)hidden * sizeof(float));
        place->row = to;
        place->length = place->n_open;
        to += place->n_open;
    }
    work->n_rows = to;
}

static void attention_step(Work *work, const Layer *layer, int is_last) {
    const Network *net = work->net;
    long hidden = net->hidden, to = 0;
    prepare(work, net->is_pre_norm ? &layer->attention_norm : NULL, &layer->query_key_value);
    multiply(&layer->query_key_value, &work->rows, 0, work->n_rows, work->qkv, 3 * hidden, LINEAR);
    for (long i = 0; i < work->n_places; i++) {
        const Place *place = work->places + i;
        const int32_t *queries = is_last ? work->queries + place->slot : NULL;
        long n = is_last ? place->n_open : place->length;
        attend(work->qkv + place->row * 3 * hidden, place->length, hidden, net->heads, &net->distances, queries, n,
               work->mixed + to * hidden, work->scratch);
        to += n;
    }
    if (is_last) keep_open(work);
    for (long m = 0; m < work->n_rows; m++) set_row(&layer->project, work->mixed + m * hidden, m, &work->rows);
    multiply(&layer->project, &work->rows, 0, work->n_rows, work->mixed, hidden, LINEAR);
    add_step(work, net->is_pre_norm ? NULL : &layer->attention_norm);
}

static void feed_step(Work *work, const Layer *layer) {
    const Network *net = work->net;
    long hidden = net->hidden, wide = net->wide;
    prepare(work, net->is_pre_norm ? &layer->feed_norm : NULL, &layer->widen);
    for (long from = 0; from < work->n_rows; from += FEED_ROWS) {
        long n = work->n_rows - from < FEED_ROWS ? work->n_rows - from : FEED_ROWS;
        multiply(&layer->widen, &work->rows, from, n, work->between, wide, GELU);
        for (long m = 0; m < n; m++) set_row(&layer->narrow, work->between + m * wide, m, &work->wide_rows);
        multiply(&layer->narrow, &work->wide_rows, 0, n, work->mixed + from * hidden, hidden, LINEAR);
    }
    add_step(work, net->is_pre_norm ? NULL : &layer->feed_norm);
}

/* Close slots in which the early detector sees no error, and drop sentences that have no open slot left. */
static void leave_early(Work *work) {
    const Network *net = work->net;
    long hidden = net->hidden, to = 0, kept = 0;
    for (long i = 0; i < work->n_places; i++) {
        Place place = work->places[i];
        long n_open = 0;
        for (long s = place.slot; s < place.slot + place.n_open; s++) {
            const float *state = work->states + (place.row + work->queries[s]) * hidden;
            if (sigmoid(dot(state, net->early.weight, hidden) + net->early.bias) < net->exit_below) continue;
            work->open[place.slot + n_open] = work->open[s];
            work->queries[place.slot + n_open++] = work->queries[s];
        }
        if (!n_open) continue;
        place.n_open = n_open;
        memmove(work->states + to * hidden, work->states + place.row * hidden,
                (size_t)(place.length * hidden) * sizeof(float));
        place.row = to;
        to += place.length;
        work->places[kept++] = place;
    }
    work->n_places = kept;
    work->n_rows = to;
}

/* Score the tags of up to SCORE_ROWS slots: `chosen` are the rows of their states, `slots` where the answers go. */
static void score_tags(Work *work, const long *chosen, const long *slots, long n, Answers *answers) {
    const Network *net = work->net;
    long hidden = net->hidden, stride = score_stride(net);
    for (long m = 0; m < n; m++) set_row(&net->tags, work->states + chosen[m] * hidden, m, &work->rows);
    multiply(&net->tags, &work->rows, 0, n, work->scores, stride, LINEAR);
    for (long m = 0; m < n; m++) {
        long s = slots[m];
        best_of(work->scores + m * stride, net->n_tags, answers->keep + s, answers->best + s, answers->tag + s);
        if (!net->errors.weight) answers->error[s] = 1 - answers->keep[s];
    }
}

static void answer_slots(Work *work, Answers *answers) {
    const Network *net = work->net;
    long hidden = net->hidden, n = 0, chosen[SCORE_ROWS], slots[SCORE_ROWS];
    for (long i = 0; i < work->n_places; i++) {
        const Place *place = work->places + i;
        for (long j = 0; j < place->n_open; j++) {
            long row = place->row + j, s = place->slot + work->open[place->slot + j];
            if (net->errors.weight) {
                answers->error[s] = sigmoid(dot(work->states + row * hidden, net->errors.weight, hidden) + net->errors.bias);
                if (answers->error[s] < net->gate) continue;
            }
            chosen[n] = row;
            slots[n++] = s;
            if (n == SCORE_ROWS) score_tags(work, chosen, slots, n, answers), n = 0;
        }
    }
    score_tags(work, chosen, slots, n, answers);
}

/* Answer "keep" for every slot; open slots get another answer later. */
static void keep_all(const Batch *batch, Answers *answers) {
    long slots = 0;
    for (long i = 0; i < batch->n_sentences; i++) slots += batch->n_slots[i];
    for (long s = 0; s < slots; s++) {
        answers->keep[s] = 1;
        answers->best[s] = answers->error[s] = 0;
        answers->tag[s] = 0;
    }
}

/* Compute the states of the open slots' first subwords after the last layer. */
static void run_layers(Work *work) {
    const Network *net = work->net;
    embed(work);
    for (long k = 0; k < net->n_layers && work->n_places; k++) {
        attention_step(work, net->layers + k, k == net->n_layers - 1);
        feed_step(work, net->layers + k);
        if (net->exit_after == k + 1) leave_early(work);
    }
    for (long m = 0; net->last_norm.weight && m < work->n_rows; m++)
        normalise_row(&net->last_norm, work->states + m * net->hidden, net->hidden, work->states + m * net->hidden);
}

void answer_batch(const Network *net, const Batch *batch, void *memory, Answers *answers) {
    Work work;
    begin(&work, net, batch, memory);
    keep_all(batch, answers);
    run_layers(&work);
    answer_slots(&work, answers);
}

void encode_batch(const Network *net, const Batch *batch, void *memory, float *states) {
    Work work;
    begin(&work, net, batch, memory);
    run_layers(&work);
    memcpy(states, work.states, (size_t)(work.n_rows * net->hidden) * sizeof(float));
}

#else  /* never called: kernels_are_supported returns 0 */

int kernels_are_supported(void) { return 0; }
size_t memory_needed(const Network *net, const Batch *batch) {
    (void)net, (void)batch;
    return 0;
}
void answer_batch(const Network *net, const Batch *batch, void *memory, Answers *answers) {
    (void)net, (void)batch, (void)memory, (void)answers;
}
void encode_batch(const Network *net, const Batch *batch, void *memory, float *states) {
    (void)net, (void)batch, (void)memory, (void)states;
}
int matrix_new(Matrix *matrix, long columns, long depth, int has_octets) {
    (void)matrix, (void)columns, (void)depth, (void)has_octets;
    return -1;
}
void matrix_free(Matrix *matrix) { (void)matrix; }
void matrix_set(Matrix *matrix, long first, long columns, const float *weights, const float *bias) {
    (void)matrix, (void)first, (void)columns, (void)weights, (void)bias;
}
int matrix_set_quantised(Matrix *matrix, long first, long columns, const Quantised *weights, const float *bias) {
    (void)matrix, (void)first, (void)columns, (void)weights, (void)bias;
    return -1;
}
uintptr_t rows_lay_out(Rows *rows, size_t n, size_t depth, uintptr_t memory) {
    (void)rows, (void)n, (void)depth;
    return memory;
}
void set_row(const Matrix *matrix, const float *row, long m, Rows *rows) { (void)matrix, (void)row, (void)m, (void)rows; }
void multiply(const Matrix *matrix, const Rows *rows, long first, long n, float *out, long stride,
              enum Activation activation) {
    (void)matrix, (void)rows, (void)first, (void)n, (void)out, (void)stride, (void)activation;
}

#endif
