# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The alignment table, compiled: the fast twin of `_align_py.py`, which says in plain words what is computed."""

from array import array

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from errata.edits.zh import features

# As in errata.edits.zh.moves and errata.edits.zh.features; the tests compare both kernels cell by cell.
cdef enum:
    MATCH = 1
    TRANSPOSE = 2
    SUBSTITUTE = 4
    INSERT = 8
    DELETE = 16
    LENGTH_SHIFT = 5

cdef enum:
    IS_HANZI = 1
    IS_PUNCTUATION = 2
    MASK_WORDS = 32

cdef double[4] MEANING = features.MEANING
cdef double[3] CLASS = features.CLASS
cdef double MEANING_UNKNOWN = features.MEANING_UNKNOWN
cdef double UNLIKE = features.UNLIKE


cdef struct Table:
    const int* flags
    const int* code_points
    const int* codes
    const int* reading_at
    const int* readings
    const uint64_t* reading_masks
    const int* confusion_at
    const int* confusions
    const uint64_t* confusion_masks


cdef inline bint shares_reading(const Table* table, int a, int b) noexcept nogil:
    cdef int x, y
    if not table.reading_masks[a] & table.reading_masks[b]:
        return False
    for x in range(table.reading_at[a], table.reading_at[a + 1]):
        for y in range(table.reading_at[b], table.reading_at[b + 1]):
            if table.readings[x] == table.readings[y]:
                return True
    return False


cdef inline bint is_confused(const Table* table, int a, int b) noexcept nogil:
    """Whether b is among the characters a is mistaken for."""
    cdef int x, wanted = table.code_points[b]
    if not table.confusion_masks[a * MASK_WORDS + (wanted >> 6) % MASK_WORDS] >> (wanted & 63) & 1:
        return False
    for x in range(table.confusion_at[a], table.confusion_at[a + 1]):
        if table.confusions[x] == wanted:
            return True
    return False


cdef inline double substitution_cost(const Table* table, int a, int b) noexcept nogil:
    cdef const int* code_a = table.codes + 3 * a
    cdef const int* code_b = table.codes + 3 * b
    cdef double meaning = MEANING_UNKNOWN
    cdef double alike = UNLIKE
    if code_a[0] and code_b[0]:
        meaning = MEANING[(code_a[0] == code_b[0]) + (code_a[1] == code_b[1]) + (code_a[2] == code_b[2])]
    if table.flags[a] & table.flags[b] & IS_HANZI and (
        shares_reading(table, a, b) or is_confused(table, a, b) or is_confused(table, b, a)
    ):
        alike = 0.0
    return meaning + alike + CLASS[
        ((table.flags[a] & IS_PUNCTUATION) != 0) + ((table.flags[b] & IS_PUNCTUATION) != 0)
    ]


cdef bint is_permutation(const int* source, const int* target, Py_ssize_t length) noexcept nogil:
    """Quadratic, but asked only where the sums already agree."""
    cdef Py_ssize_t x, y, balance
    for x in range(length):
        balance = 0
        for y in range(length):
            balance += (source[y] == source[x]) - (target[y] == source[x])
        if balance:
            return False
    return True


cdef void fill(
    const int* source, Py_ssize_t n, const int* target, Py_ssize_t m, const Table* table,
    double* costs, long long* source_sums, long long* target_sums, int* moves,
) noexcept nogil:
    cdef Py_ssize_t width = m + 1, i, j, k, cell, length
    cdef long long cube
    cdef double substitution, insertion, deletion, transposition, best
    cdef int move
    source_sums[0] = target_sums[0] = 0
    costs[0] = 0
    moves[0] = 0
    for j in range(1, width):
        cube = target[j - 1] + 1
        target_sums[j] = target_sums[j - 1] + cube * cube * cube
        costs[j] = j
        moves[j] = INSERT
    for i in range(1, n + 1):
        cube = source[i - 1] + 1
        source_sums[i] = source_sums[i - 1] + cube * cube * cube
        costs[i * width] = i
        moves[i * width] = DELETE
        for j in range(1, width):
            cell = i * width + j
            if source[i - 1] == target[j - 1]:
                moves[cell] = MATCH
                costs[cell] = costs[cell - width - 1]
                continue
            length = 0
            k = 1
            while k < i and k < j and costs[cell - k * (width + 1)] != costs[cell - (k + 1) * (width + 1)]:
                if source_sums[i] - source_sums[i - k - 1] == target_sums[j] - target_sums[j - k - 1] and (
                    is_permutation(source + i - k - 1, target + j - k - 1, k + 1)
                ):
                    length = k + 1
                    break
                k += 1
            substitution = costs[cell - width - 1] + substitution_cost(table, source[i - 1], target[j - 1])
            insertion = costs[cell - 1] + 1
            deletion = costs[cell - width] + 1
            best = min(substitution, insertion, deletion)
            move = 0
            if length:
                transposition = costs[cell - length * (width + 1)] + (length - 1)
                if transposition <= best:
                    best = transposition
                    move = TRANSPOSE + (<int>length << LENGTH_SHIFT)
            if substitution == best:
                move += SUBSTITUTE
            if insertion == best:
                move += INSERT
            if deletion == best:
                move += DELETE
            moves[cell] = move
            costs[cell] = best


cdef inline const int* pointer(const int[::1] values) noexcept nogil:
    return &values[0] if values.shape[0] else NULL


def fill_moves(const int[::1] source, const int[::1] target, table):
    """The cheapest moves into each cell, row by row; see `_align_py.fill_moves`."""
    cdef Py_ssize_t n = source.shape[0], m = target.shape[0]
    cdef const int[::1] flags = table.flags, code_points = table.code_points, codes = table.codes
    cdef const int[::1] reading_at = table.reading_at, readings = table.readings
    cdef const int[::1] confusion_at = table.confusion_at, confusions = table.confusions
    cdef const uint64_t[::1] reading_masks = table.reading_masks, confusion_masks = table.confusion_masks
    cdef Table features_of
    features_of.flags = pointer(flags)
    features_of.code_points = pointer(code_points)
    features_of.codes = pointer(codes)
    features_of.reading_at = pointer(reading_at)
    features_of.readings = pointer(readings)
    features_of.confusion_at = pointer(confusion_at)
    features_of.confusions = pointer(confusions)
    if flags.shape[0]:
        features_of.reading_masks = &reading_masks[0]
        features_of.confusion_masks = &confusion_masks[0]
    moves = array("i", bytes(4 * (n + 1) * (m + 1)))
    cdef int[::1] cells = moves
    cdef double* costs = <double*>malloc((n + 1) * (m + 1) * sizeof(double))
    cdef long long* sums = <long long*>malloc((n + m + 2) * sizeof(long long))
    if costs == NULL or sums == NULL:
        free(costs)
        free(sums)
        raise MemoryError
    with nogil:
        fill(
            pointer(source), n, pointer(target), m, &features_of,
            costs, sums, sums + n + 1, &cells[0],
        )
    free(costs)
    free(sums)
    return moves
