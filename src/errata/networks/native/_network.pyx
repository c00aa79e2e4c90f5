# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# distutils: sources = src/errata/networks/native/kernels/matrix.c src/errata/networks/native/kernels/octets.c src/errata/networks/native/kernels/layers.c src/errata/networks/native/kernels/network.c
# distutils: depends = src/errata/networks/native/kernels/matrix.h src/errata/networks/native/kernels/layers.h src/errata/networks/native/kernels/network.h src/errata/networks/native/kernels/functions.h src/errata/networks/native/kernels/target.h
# distutils: include_dirs = src/errata/networks/native/kernels
"""The way from Python to the kernels: a tagger's network made of NumPy arrays, which answers ragged batches.

Every array is compared with the sizes of the network before its address is taken, and every batch before it is
answered: what does not fit is a `ValueError`. The kernels themselves check nothing. They run without the GIL.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport calloc, free

import numpy as np

from errata.networks.quantised import PLANES, find_fault

cdef extern from "stdlib.h":
    void* aligned_alloc(size_t alignment, size_t size)

cdef extern from "matrix.h":
    ctypedef struct Matrix:
        pass
    int BLOCK
    int matrix_new(Matrix* matrix, long columns, long depth, int has_octets)
    void matrix_free(Matrix* matrix)
    void matrix_set(Matrix* matrix, long first, long columns, const float* weights, const float* bias) nogil
    ctypedef struct CQuantised "Quantised":
        const uint8_t* high
        const uint8_t* low
        const float* steps
        long columns, block
        int high_bits, low_bits
    int matrix_set_quantised(Matrix* matrix, long first, long columns, const CQuantised* weights,
                             const float* bias) nogil
    enum Activation:
        LINEAR
        GELU
    ctypedef struct Rows:
        pass
    size_t rows_lay_out(Rows* rows, size_t n, size_t depth, size_t memory) nogil
    void set_row(const Matrix* matrix, const float* row, long m, Rows* rows) nogil
    void multiply(const Matrix* matrix, const Rows* rows, long first, long n, float* out, long stride,
                  Activation activation) nogil

cdef extern from "layers.h":
    ctypedef struct Norm:
        const float* weight
        const float* bias
        float epsilon
    ctypedef struct Distances:
        const float* table
        long stride, centre
    enum:
        PLACES

cdef extern from "network.h":
    ctypedef struct Layer:
        Matrix query_key_value, project, widen, narrow
        Norm attention_norm, feed_norm
    ctypedef struct Detector:
        const float* weight
        float bias
    ctypedef struct CNetwork "Network":
        long hidden, heads, wide, n_layers, n_tags
        int is_pre_norm
        const float* subwords
        CQuantised quantised_subwords
        const float* cases
        const float* positions
        Distances distances
        Norm first_norm, last_norm
        Layer* layers
        Detector errors
        Matrix tags
        float gate
        long exit_after
        Detector early
        float exit_below
    ctypedef struct Batch:
        long n_sentences
        const int32_t* lengths
        const int32_t* ids
        const int32_t* cases
        const int32_t* n_slots
        const int32_t* first
    ctypedef struct CAnswers "Answers":
        float* keep
        float* best
        float* error
        int32_t* tag
    int kernels_are_supported()
    size_t memory_needed(const CNetwork* network, const Batch* batch)
    void answer_batch(const CNetwork* network, const Batch* batch, void* memory, CAnswers* answers) nogil
    void encode_batch(const CNetwork* network, const Batch* batch, void* memory, float* states) nogil


# A product of two octets and fifteen more of its kind must fit 16 bits (kernels/octets.c).
MOST_FOR_OCTETS = 5


def is_supported() -> bool:
    """Whether this processor has the instructions that the kernels use."""
    return bool(kernels_are_supported())


def require(condition, message):
    if not condition:
        raise ValueError(message)


def require_shape(array, shape, name):
    require(array.shape == shape and min(shape, default=1) > 0, f"{name} is {array.shape}, not {shape}")


cdef const float* floats(object array, tuple shape, str name, list kept) except? NULL:
    """The address of an array of floats with this shape, which is kept alive; NULL for None."""
    if array is None:
        return NULL
    require_shape(array, shape, name)
    cdef const float[::1] flat = np.ascontiguousarray(array, np.float32).reshape(-1)
    kept.append(flat)
    return &flat[0]


cdef const uint8_t* octets(object array, list kept) except? NULL:
    """The address of an array of bytes, which is kept alive."""
    cdef const uint8_t[::1] flat = np.ascontiguousarray(array).view(np.uint8).reshape(-1)
    kept.append(flat)
    return &flat[0]


cdef CQuantised packed(object quantised, str name, list kept) except *:
    """A quantised matrix whose parts fit each other; they are kept alive."""
    cdef CQuantised made
    fault = find_fault(quantised)
    require(fault is None, f"{name} {fault}")
    require(quantised.columns % 8 == 0, f"{name} has rows of {quantised.columns} numbers, no multiple of 8")
    made.columns, made.block = quantised.columns, quantised.block
    made.high_bits, made.low_bits = PLANES[quantised.bits]
    made.high, made.low = octets(quantised.high, kept), NULL
    if made.low_bits:
        made.low = octets(quantised.low, kept)
    made.steps = floats(quantised.steps(), quantised.scales.shape, name, kept)
    return made


cdef Norm norm(object parts, long length, list kept) except *:
    cdef Norm made
    made.weight = made.bias = NULL
    made.epsilon = 0
    if parts is not None:
        made.weight, made.bias = (floats(parts[0], (length,), "a norm's weight", kept),
                                  floats(parts[1], (length,), "a norm's bias", kept))
        made.epsilon = parts[2]
    return made


cdef int fill(Matrix* matrix, object parts, long columns, long depth) except -1:
    """Put linear maps (weight, bias) that take the same input side by side into a matrix; a weight may be quantised."""
    cdef long first = 0
    require(columns > 0 and depth > 0 and depth % 16 == 0, f"no matrix of {columns} columns, {depth} deep")
    require(sum(weight.shape[0] for weight, _ in parts) == columns, f"linear maps have not {columns} outputs in all")
    for weight, bias in parts:
        require_shape(weight, (weight.shape[0], depth), "a linear map's weight")
        require_shape(bias, (weight.shape[0],), "a linear map's bias")
    if matrix_new(matrix, columns, depth, all(has_octets(weight) for weight, _ in parts)):
        raise MemoryError
    for weight, bias in parts:
        if isinstance(weight, np.ndarray):
            set_floats(matrix, first, weight, bias)
        else:
            set_quantised(matrix, first, weight, bias)
        first += weight.shape[0]
    return 0


def has_octets(weight):
    """Whether products with a weight are computed in 8 bits: it has no more than 5 itself, in blocks as the kernels'."""
    return not isinstance(weight, np.ndarray) and weight.bits <= MOST_FOR_OCTETS and weight.block == BLOCK


cdef int set_floats(Matrix* matrix, long first, object weight, object bias) except -1:
    cdef const float[:, ::1] weights = np.ascontiguousarray(weight, np.float32)
    cdef const float[::1] offsets = np.ascontiguousarray(bias, np.float32)
    with nogil:
        matrix_set(matrix, first, weights.shape[0], &weights[0, 0], &offsets[0])
    return 0


cdef int set_quantised(Matrix* matrix, long first, object quantised, object bias) except -1:
    cdef list kept = []
    cdef CQuantised weights = packed(quantised, "a linear map", kept)
    cdef const float[::1] offsets = np.ascontiguousarray(bias, np.float32)
    cdef long columns = quantised.shape[0]
    cdef int status
    with nogil:
        status = matrix_set_quantised(matrix, first, columns, &weights, &offsets[0])
    if status:
        raise MemoryError
    return 0


def product(const float[:, ::1] rows, weight, bias, *, gelu=False, long times=1):
    """rows × weight.T + bias as the network computes it, through GELU if asked; for tests and benchmarks.

    The depth must be a multiple of 16; the weight may be quantised. Benchmarks have it computed several `times`.
    """
    cdef Matrix matrix
    cdef long columns = weight.shape[0]
    require(rows.shape[0] > 0, "no rows")
    fill(&matrix, [(weight, bias)], columns, rows.shape[1])
    cdef long n = rows.shape[0], depth = rows.shape[1], stride = (columns + 15) // 16 * 16, m
    cdef Rows ready
    cdef Memory memory = Memory(rows_lay_out(&ready, n, depth, 0))
    rows_lay_out(&ready, n, depth, <size_t>memory.start)
    out = np.empty((n, stride), np.float32)
    cdef float[:, ::1] to = out
    for m in range(n):
        set_row(&matrix, &rows[m, 0], m, &ready)
    for _ in range(times):
        multiply(&matrix, &ready, 0, n, &to[0, 0], stride, GELU if gelu else LINEAR)
    matrix_free(&matrix)
    return out[:, :columns]


cdef class Memory:
    """Working memory for one batch, kept for the next: allocating it anew takes 3 % of the time."""

    cdef void* start
    cdef size_t size

    def __cinit__(self, size_t size):
        self.size = (size + 63) // 64 * 64
        self.start = aligned_alloc(64, self.size)
        if not self.start:
            raise MemoryError

    def __dealloc__(self):
        free(self.start)


cdef class Network:
    """A network, made of a `Description`. Several threads may ask it at the same time: it writes only the answers."""

    cdef CNetwork net
    cdef list kept, spare
    cdef readonly long n_subwords, n_positions, n_cases

    def __cinit__(self, description):
        self.kept, self.spare = [], []
        embedding = description.embedding
        hidden = description.hidden
        require(hidden > 0 and description.wide > 0 and description.heads > 0, "sizes must be positive")
        require(hidden % 16 == 0 and description.wide % 16 == 0 and hidden % (8 * description.heads) == 0,
                f"no kernels for {description.heads} heads, {hidden} and {description.wide} numbers")
        self.net.hidden, self.net.heads, self.net.wide = hidden, description.heads, description.wide
        self.net.is_pre_norm = description.is_pre_norm
        self.n_subwords, self.n_positions = embedding.n_subwords, embedding.positions.shape[0]
        self.n_cases = 0 if embedding.cases is None else embedding.cases.shape[0]
        table = "the table of subwords"
        require_shape(embedding.subwords, (self.n_subwords, hidden), table)
        if isinstance(embedding.subwords, np.ndarray):
            self.net.subwords = floats(embedding.subwords, (self.n_subwords, hidden), table, self.kept)
        else:
            self.net.quantised_subwords = packed(embedding.subwords, table, self.kept)
        self.net.cases = floats(embedding.cases, (self.n_cases, hidden), "the table of cases", self.kept)
        self.net.positions = floats(embedding.positions, (self.n_positions, hidden), "the positions", self.kept)
        self._add_distances(description.distances)
        self.net.first_norm = norm(embedding.norm, hidden, self.kept)
        self.net.last_norm = norm(description.last_norm, hidden, self.kept)
        self._add_layers(list(description.layers))
        self._add_heads(description)

    def _add_distances(self, distances):
        if distances is None:
            return
        shape = self.net.heads, 2 * self.n_positions - 1
        require_shape(distances, shape, "what distances add")
        padded = np.pad(distances, ((0, 0), (0, PLACES)))
        self.net.distances.table = floats(padded, padded.shape, "what distances add", self.kept)
        self.net.distances.stride, self.net.distances.centre = padded.shape[1], self.n_positions - 1

    def _add_layers(self, list described):
        cdef Layer* layer
        self.net.layers = <Layer*>calloc(max(len(described), 1), sizeof(Layer))
        if not self.net.layers:
            raise MemoryError
        cdef long hidden = self.net.hidden, wide = self.net.wide
        for weights in described:
            layer = self.net.layers + self.net.n_layers
            self.net.n_layers += 1
            fill(&layer.query_key_value, weights.query_key_value, 3 * hidden, hidden)
            fill(&layer.project, [weights.project], hidden, hidden)
            fill(&layer.widen, [weights.widen], wide, hidden)
            fill(&layer.narrow, [weights.narrow], hidden, wide)
            layer.attention_norm = norm(weights.attention_norm, hidden, self.kept)
            layer.feed_norm = norm(weights.feed_norm, hidden, self.kept)

    def _add_heads(self, description):
        cdef long hidden = self.net.hidden
        self.net.n_tags = sum(weight.shape[0] for weight, _ in description.tags)
        if not description.tags:
            return  # an encoder alone
        require(self.net.n_tags > 1, "a network needs two tags, keep and another")
        fill(&self.net.tags, description.tags, self.net.n_tags, hidden)
        self.net.gate = description.gate
        if description.errors is not None:
            self.net.errors.weight = floats(description.errors[0], (hidden,), "the error detector", self.kept)
            self.net.errors.bias = description.errors[1]
        if description.early is not None:
            require(0 < description.exit_after < self.net.n_layers, f"no exit after layer {description.exit_after}")
            self.net.exit_after, self.net.exit_below = description.exit_after, description.exit_below
            self.net.early.weight = floats(description.early[0], (hidden,), "the early detector", self.kept)
            self.net.early.bias = description.early[1]

    def __dealloc__(self):
        cdef long k
        cdef Layer* layer
        for k in range(self.net.n_layers):
            layer = self.net.layers + k
            matrix_free(&layer.query_key_value)
            matrix_free(&layer.project)
            matrix_free(&layer.widen)
            matrix_free(&layer.narrow)
        free(self.net.layers)
        matrix_free(&self.net.tags)

    def answer(self, const int32_t[::1] ids, const int32_t[::1] cases, const int32_t[::1] lengths,
               const int32_t[::1] first, const int32_t[::1] n_slots):
        """For every slot of a batch: the probability of keep, of the best other tag, that tag, and that of an error.

        `ids` and `cases` have all subwords of the batch. `first` has all slots: the position of each slot's first
        subword in its sentence.
        """
        require(self.net.n_tags > 0, "the network has no tags")
        self._check(ids, cases, lengths, first, n_slots)
        cdef long slots = first.shape[0]
        answers = np.empty(slots, np.float32), np.empty(slots, np.float32), np.empty(slots, np.int32), \
            np.empty(slots, np.float32)
        if not slots:
            return answers
        cdef float[::1] keep = answers[0], best = answers[1], error = answers[3]
        cdef int32_t[::1] tag = answers[2]
        cdef Batch batch
        batch.n_sentences, batch.lengths, batch.n_slots = lengths.shape[0], &lengths[0], &n_slots[0]
        batch.ids, batch.cases, batch.first = &ids[0], &cases[0], &first[0]
        cdef CAnswers made
        made.keep, made.best, made.error, made.tag = &keep[0], &best[0], &error[0], &tag[0]
        cdef Memory memory = self._borrow(memory_needed(&self.net, &batch))
        with nogil:
            answer_batch(&self.net, &batch, memory.start, &made)
        self.spare.append(memory)
        return answers

    def states(self, const int32_t[::1] ids, const int32_t[::1] cases, const int32_t[::1] lengths,
               const int32_t[::1] first, const int32_t[::1] n_slots):
        """The states (slots, hidden) of all slots of a batch after the last layer; the arrays are those of `answer`."""
        require(not self.net.exit_after, "a network with an early exit has no states of all slots")
        self._check(ids, cases, lengths, first, n_slots)
        made = np.empty((first.shape[0], self.net.hidden), np.float32)
        if not first.shape[0]:
            return made
        cdef float[:, ::1] out = made
        cdef Batch batch
        batch.n_sentences, batch.lengths, batch.n_slots = lengths.shape[0], &lengths[0], &n_slots[0]
        batch.ids, batch.cases, batch.first = &ids[0], &cases[0], &first[0]
        cdef Memory memory = self._borrow(memory_needed(&self.net, &batch))
        with nogil:
            encode_batch(&self.net, &batch, memory.start, &out[0, 0])
        self.spare.append(memory)
        return made

    cdef Memory _borrow(self, size_t size):
        """Memory that no other thread uses: what was given back last, or new."""
        cdef Memory memory
        try:
            memory = self.spare.pop()
        except IndexError:
            return Memory(size)
        return memory if memory.size >= size else Memory(size)

    def _check(self, const int32_t[::1] ids, const int32_t[::1] cases, const int32_t[::1] lengths,
               const int32_t[::1] first, const int32_t[::1] n_slots):
        cdef long subwords = 0, slots = 0, i, j
        if cases.shape[0] != ids.shape[0] or lengths.shape[0] != n_slots.shape[0]:
            raise ValueError("ids and cases, or lengths and n_slots, differ in length")
        for i in range(lengths.shape[0]):
            if not 0 < n_slots[i] <= lengths[i] <= self.n_positions:
                raise ValueError(f"sentence {i}: {lengths[i]} subwords, {n_slots[i]} slots, {self.n_positions} positions")
            if slots + n_slots[i] > first.shape[0] or subwords + lengths[i] > ids.shape[0]:
                raise ValueError("lengths or n_slots add up to more than there is")
            for j in range(slots, slots + n_slots[i]):
                if not (first[j - 1] + 1 if j > slots else 0) <= first[j] < lengths[i]:
                    raise ValueError(f"sentence {i}: slots do not begin with one subword after the other")
            subwords, slots = subwords + lengths[i], slots + n_slots[i]
        if subwords != ids.shape[0] or slots != first.shape[0]:
            raise ValueError("lengths or n_slots add up to less than there is")
        for i in range(subwords):
            if not 0 <= ids[i] < self.n_subwords:
                raise ValueError(f"no subword {ids[i]}: there are {self.n_subwords}")
            if self.n_cases and not 0 <= cases[i] < self.n_cases:
                raise ValueError(f"no case class {cases[i]}")
