# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The two inner loops of the English model: one convolution step and the greedy arc-eager parser.

spaCy is the readable twin: `tests/edits/en/test_fast_analyser.py` holds every answer against it.
"""

from libc.math cimport sqrtf
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

cdef enum:
    SHIFT = 0
    REDUCE = 1
    LEFT = 2
    RIGHT = 3
    BREAK = 4


def hash_string(str string):
    """The 64-bit number spaCy knows a string by: MurmurHash64A of its UTF-8 bytes, seed 1."""
    cdef bytes encoded = string.encode("utf-8")
    cdef const unsigned char* data = encoded
    cdef uint64_t length = len(encoded), position = 0, k, h
    cdef uint64_t m = <uint64_t>0xC6A4A7935BD1E995
    h = 1 ^ (length * m)
    while position + 8 <= length:
        memcpy(&k, data + position, 8)
        k *= m
        k ^= k >> 47
        k *= m
        h = (h ^ k) * m
        position += 8
    if position < length:
        k = 0
        memcpy(&k, data + position, length - position)
        h = (h ^ k) * m
    h = (h ^ (h >> 47)) * m
    return h ^ (h >> 47)


def convolve(
    const float[:, ::1] projected,
    const float[:, ::1] previous,
    const int[:, ::1] contexts,
    const float[::1] bias,
    const float[::1] gain,
    const float[::1] offset,
    float[:, ::1] out,
):
    """Maxout, layer normalisation and the residual for each (left, centre, right) row of `contexts`.

    `projected` (rows, 3 × pieces × width) holds what a row contributes as left, centre and right neighbour.
    """
    cdef Py_ssize_t width = previous.shape[1]
    cdef Py_ssize_t block = projected.shape[1] // 3
    cdef Py_ssize_t pieces = block // width
    cdef Py_ssize_t r, p, j
    cdef const float* left
    cdef const float* centre
    cdef const float* right
    cdef float* row
    cdef float mean, variance, value, scale
    with nogil:
        for r in range(contexts.shape[0]):
            left = &projected[contexts[r, 0], 0]
            centre = &projected[contexts[r, 1], block]
            right = &projected[contexts[r, 2], 2 * block]
            row = &out[r, 0]
            for j in range(width):
                row[j] = left[j] + centre[j] + right[j] + bias[j]
            for p in range(1, pieces):
                left += width
                centre += width
                right += width
                for j in range(width):
                    value = left[j] + centre[j] + right[j] + bias[p * width + j]
                    row[j] = value if value > row[j] else row[j]
            mean = 0
            for j in range(width):
                mean += row[j]
            mean /= width
            variance = 0
            for j in range(width):
                variance += (row[j] - mean) * (row[j] - mean)
            scale = 1 / sqrtf(variance / width + <float>1e-8)
            for j in range(width):
                row[j] = (row[j] - mean) * scale * gain[j] + offset[j] + previous[contexts[r, 1], j]


cdef struct State:
    int length
    int next  # the first word not yet read
    int depth  # of the stack
    int n_returned
    int* stack
    int* returned  # words put back before `next`
    int* heads
    int* labels
    int* left_child  # the child attached last on that side
    int* right_child
    int* elder  # the right sibling attached before
    char* was_returned
    char* starts_sentence


cdef inline int stack_at(State* s, int i) noexcept nogil:
    return s.stack[s.depth - 1 - i] if i < s.depth else -1


cdef inline int buffer_at(State* s, int i) noexcept nogil:
    if i < s.n_returned:
        return s.returned[s.n_returned - 1 - i]
    i = s.next + i - s.n_returned
    return i if i < s.length else -1


cdef inline void push(State* s) noexcept nogil:
    if s.n_returned:
        s.n_returned -= 1
        s.stack[s.depth] = s.returned[s.n_returned]
    else:
        s.stack[s.depth] = s.next
        s.next += 1
    s.depth += 1


cdef void set_valid(State* s, bint* valid) noexcept nogil:
    cdef int left = s.length - s.next + s.n_returned
    cdef int first = buffer_at(s, 0), second = buffer_at(s, 1)
    cdef bint is_start = first >= 0 and s.starts_sentence[first]
    valid[SHIFT] = s.depth == 0 or not (left < 2 or is_start or s.was_returned[first])
    valid[REDUCE] = s.depth > 0
    valid[LEFT] = s.depth > 0 and left > 0 and not is_start
    valid[RIGHT] = valid[LEFT]
    valid[BREAK] = left >= 2 and second == first + 1 and not s.starts_sentence[second]


cdef void advance(State* s, int move, int label) noexcept nogil:
    cdef int top = stack_at(s, 0), first = buffer_at(s, 0)
    if move == SHIFT:
        push(s)
    elif move == REDUCE:
        if s.heads[top] < 0 and s.depth > 1:
            s.was_returned[top] = 1
            s.returned[s.n_returned] = top
            s.n_returned += 1
        s.depth -= 1
    elif move == LEFT:
        if s.heads[top] >= 0:
            # The top was the last right child of its old head: nothing can be attached there while it is on the stack.
            s.right_child[s.heads[top]] = s.elder[top]
        s.heads[top] = first
        s.labels[top] = label
        s.left_child[first] = top
        s.was_returned[first] = 0
        s.depth -= 1
    elif move == RIGHT:
        s.heads[first] = top
        s.labels[first] = label
        s.elder[first] = s.right_child[top]
        s.right_child[top] = first
        push(s)
    else:
        s.starts_sentence[buffer_at(s, 1)] = 1


def parse(
    const float[:, ::1] features,
    const int[::1] rows,
    const int[::1] bounds,
    const float[::1] padding,
    const float[::1] bias,
    const float[:, ::1] weights,
    const float[::1] class_bias,
    const int[::1] moves,
    const int[::1] labels,
    int[::1] heads_out,
    int[::1] labels_out,
):
    """Heads (within the sentence; −1: root) and label numbers of all words, by spaCy's greedy arc-eager parser.

    `features` (contexts, 8 × hidden × 2) are the state features a word contributes, `rows` says which row each word
    uses, `bounds` where sentences begin, `weights` is (hidden, classes).
    """
    cdef Py_ssize_t hidden = weights.shape[0], classes = weights.shape[1], wide = 2 * hidden
    cdef Py_ssize_t n, f, j, c, best
    cdef int longest = 0, start, word, i
    cdef State s
    cdef bint[5] valid
    cdef int[8] ids
    cdef const float* feature
    cdef float* unmaxed = <float*>malloc(wide * sizeof(float))
    cdef float* scores = <float*>malloc(classes * sizeof(float))
    cdef float h
    for n in range(bounds.shape[0] - 1):
        longest = max(longest, bounds[n + 1] - bounds[n])
    cdef int* block = <int*>malloc(5 * (longest + 1) * sizeof(int))
    cdef char* marks = <char*>malloc(2 * (longest + 1))
    if not (unmaxed and scores and block and marks):
        free(unmaxed)
        free(scores)
        free(block)
        free(marks)
        raise MemoryError
    s.stack, s.returned = block, block + (longest + 1)
    s.left_child, s.right_child, s.elder = block + 2 * (longest + 1), block + 3 * (longest + 1), block + 4 * (longest + 1)
    s.was_returned, s.starts_sentence = marks, marks + longest + 1
    with nogil:
        for n in range(bounds.shape[0] - 1):
            start = bounds[n]
            s.length, s.next, s.depth, s.n_returned = bounds[n + 1] - start, 0, 0, 0
            if s.length == 0:
                continue
            s.heads, s.labels = &heads_out[start], &labels_out[start]
            for i in range(s.length):
                s.heads[i] = s.left_child[i] = s.right_child[i] = s.elder[i] = -1
                s.was_returned[i] = s.starts_sentence[i] = 0
            while s.depth > 0 or s.next < s.length or s.n_returned:
                ids[0], ids[1] = buffer_at(&s, 0), buffer_at(&s, 1)
                ids[2], ids[3], ids[4] = stack_at(&s, 0), stack_at(&s, 1), stack_at(&s, 2)
                ids[5] = s.left_child[ids[0]] if ids[0] >= 0 else -1
                ids[6] = s.left_child[ids[2]] if ids[2] >= 0 else -1
                ids[7] = s.right_child[ids[2]] if ids[2] >= 0 else -1
                for j in range(wide):
                    unmaxed[j] = 0
                for f in range(8):
                    word = ids[f]
                    feature = &padding[f * wide] if word < 0 else &features[rows[start + word], f * wide]
                    for j in range(wide):
                        unmaxed[j] += feature[j]
                for c in range(classes):
                    scores[c] = 0
                for j in range(hidden):
                    h = unmaxed[2 * j] + bias[2 * j]
                    if unmaxed[2 * j + 1] + bias[2 * j + 1] > h:
                        h = unmaxed[2 * j + 1] + bias[2 * j + 1]
                    for c in range(classes):
                        scores[c] += weights[j, c] * h
                set_valid(&s, valid)
                best = -1
                for c in range(classes):
                    if valid[moves[c]]:
                        scores[c] += class_bias[c]
                        if best < 0 or scores[c] > scores[best]:
                            best = c
                advance(&s, moves[best], labels[best])
    free(unmaxed)
    free(scores)
    free(block)
    free(marks)
