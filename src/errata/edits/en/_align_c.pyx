# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twin of `align.align_plain`: the same steps, token for token.

Two things are left out because they cannot matter: equal tokens at the end (a match is taken whenever there is one,
and a cell depends on what precedes it only), and the letters of a substitution that could not win anyway.
"""

from libc.stdlib cimport calloc, free, malloc

cdef double LEMMA_COST = 0.499
cdef double OPEN_CLASS_COST = 0.25
cdef double POS_COST = 0.5
cdef double INFINITE = float("inf")

OPEN_CLASS = frozenset({"ADJ", "ADV", "NOUN", "VERB"})

cdef enum:
    MATCH = -1
    SUBSTITUTE = -2
    INSERT = -3
    DELETE = -4  # anything positive is the size of a reordering


cdef double similarity_cost(str a, str b):
    """1 − 2 × longest common subsequence / length of both."""
    cdef Py_ssize_t rows = len(a), columns = len(b), i, j
    cdef int diagonal, above
    cdef int* best = <int*>calloc(columns + 1, sizeof(int))
    if not best:
        raise MemoryError
    for i in range(rows):
        diagonal = 0
        for j in range(columns):
            above = best[j + 1]
            if a[i] == b[j]:
                best[j + 1] = diagonal + 1
            elif best[j] > above:
                best[j + 1] = best[j]
            diagonal = above
    cdef double distance = rows + columns - 2 * best[columns]
    free(best)
    return distance / (rows + columns)


cdef int number(dict numbers, list strings, int* out, Py_ssize_t n) except -1:
    """Number strings so that equal ones get equal numbers."""
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = numbers.setdefault(strings[i], len(numbers))
    return 0


cdef class _Side:
    """One sentence as numbers."""

    cdef list words
    cdef int* word
    cdef int* lower
    cdef int* lemma
    cdef int* pos
    cdef char* is_open

    def __cinit__(self, analysis, Py_ssize_t n, dict words, dict lowers, dict lemmas, dict pos):
        cdef Py_ssize_t i
        self.words = analysis.words
        self.word = <int*>malloc(4 * (n + 1) * sizeof(int))
        self.is_open = <char*>malloc(n + 1)
        if not (self.word and self.is_open):
            raise MemoryError
        self.lower = self.word + n + 1
        self.lemma = self.lower + n + 1
        self.pos = self.lemma + n + 1
        number(words, analysis.words, self.word, n)
        number(lowers, analysis.lowers, self.lower, n)
        number(lemmas, analysis.lemmas, self.lemma, n)
        number(pos, analysis.pos, self.pos, n)
        for i in range(n):
            self.is_open[i] = analysis.pos[i] in OPEN_CLASS

    def __dealloc__(self):
        free(self.word)
        free(self.is_open)


cdef int reordering(double* costs, Py_ssize_t width, _Side source, _Side target, Py_ssize_t i, Py_ssize_t j, int* balance):
    """How far back tokens i and j reach to hold the same words in another order; 0: not at all."""
    cdef Py_ssize_t back = 0, k
    cdef int unequal = 0
    cdef int found = 0
    while True:
        if balance[source.lower[i - back]] == 0:
            unequal += 1
        balance[source.lower[i - back]] += 1
        if balance[source.lower[i - back]] == 0:
            unequal -= 1
        if balance[target.lower[j - back]] == 0:
            unequal += 1
        balance[target.lower[j - back]] -= 1
        if balance[target.lower[j - back]] == 0:
            unequal -= 1
        if back and unequal == 0:
            found = back
            break
        back += 1
        if back > i or back > j:
            back -= 1
            break
        if costs[(i - back + 1) * width + j - back + 1] == costs[(i - back) * width + j - back]:
            back -= 1
            break
    for k in range(back + 1):
        balance[source.lower[i - k]] = 0
        balance[target.lower[j - k]] = 0
    return found


cdef double substitution(_Side source, _Side target, Py_ssize_t i, Py_ssize_t j, double limit):
    """The cost of substituting j for i, or infinity when it is above `limit`."""
    if source.lower[i] == target.lower[j]:
        return 0.0
    cdef double cost = 0.0 if source.lemma[i] == target.lemma[j] else LEMMA_COST
    if source.pos[i] != target.pos[j]:
        cost += OPEN_CLASS_COST if source.is_open[i] and target.is_open[j] else POS_COST
    cdef str a = source.words[i], b = target.words[j]
    cdef Py_ssize_t rows = len(a), columns = len(b)
    cdef double least = rows - columns if rows > columns else columns - rows
    if cost + least / (rows + columns) > limit:
        return INFINITE
    return cost + similarity_cost(a, b)


def align_steps(source_analysis, target_analysis, bint levenshtein):
    """Steps as tuples (op, start, end, target_start, target_end)."""
    cdef Py_ssize_t rows = len(source_analysis.words), columns = len(target_analysis.words), width, i, j, size
    cdef list source_words = source_analysis.words, target_words = target_analysis.words
    cdef list steps = []
    while rows and columns and source_words[rows - 1] == target_words[columns - 1]:
        rows -= 1
        columns -= 1
        steps.append(("M", rows, rows + 1, columns, columns + 1))
    width = columns + 1
    cdef dict words = {}, lowers = {}, lemmas = {}, pos = {}
    cdef _Side source = _Side(source_analysis, rows, words, lowers, lemmas, pos)
    cdef _Side target = _Side(target_analysis, columns, words, lowers, lemmas, pos)
    cdef double* costs = <double*>malloc((rows + 1) * width * sizeof(double))
    cdef int* ops = <int*>malloc((rows + 1) * width * sizeof(int))
    cdef int* balance = <int*>calloc(len(lowers) + 1, sizeof(int))
    cdef double best, cost, diagonal
    cdef int op, back
    try:
        if not (costs and ops and balance):
            raise MemoryError
        for i in range(rows + 1):
            costs[i * width], ops[i * width] = i, DELETE
        for j in range(1, columns + 1):
            costs[j], ops[j] = j, INSERT
        for i in range(rows):
            for j in range(columns):
                diagonal = costs[i * width + j]
                if source.word[i] == target.word[j]:
                    costs[(i + 1) * width + j + 1], ops[(i + 1) * width + j + 1] = diagonal, MATCH
                    continue
                # From the least preferred to the most: an equally cheap operation replaces the one before.
                best, op = costs[i * width + j + 1] + 1, DELETE
                cost = costs[(i + 1) * width + j] + 1
                if cost <= best:
                    best, op = cost, INSERT
                # Rounded sums keep their order, so a lower bound above `best` stays above it; the margin only
                # makes up for the rounding of this difference.
                cost = diagonal + (1.0 if levenshtein else substitution(source, target, i, j, best - diagonal + 1e-9))
                if cost <= best:
                    best, op = cost, SUBSTITUTE
                if not levenshtein and i and j:
                    back = reordering(costs, width, source, target, i, j, balance)
                    if back and costs[(i - back) * width + j - back] + back <= best:
                        best, op = costs[(i - back) * width + j - back] + back, back + 1
                costs[(i + 1) * width + j + 1], ops[(i + 1) * width + j + 1] = best, op
        i, j = rows, columns
        while i or j:
            op = ops[i * width + j]
            if op == DELETE:
                steps.append(("D", i - 1, i, j, j))
                i -= 1
            elif op == INSERT:
                steps.append(("I", i, i, j - 1, j))
                j -= 1
            else:
                size = op if op > 0 else 1
                name = "M" if op == MATCH else "S" if op == SUBSTITUTE else f"T{op}"
                steps.append((name, i - size, i, j - size, j))
                i -= size
                j -= size
    finally:
        free(costs)
        free(ops)
        free(balance)
    steps.reverse()
    return steps
