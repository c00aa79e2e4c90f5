# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Texts that are nearly those of an index, compiled: the fast twin of `_similar_py.py`, which says it in plain words.

Words are hashes of 64 bits here, and so are whole texts and runs of three units.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from errata.datasets import letters

cdef enum:
    RUN = 3
    # As in `_similar_py`.
    EXACT = -1
    SHORT = -2

cdef uint32_t UNIT = letters.UNIT
cdef uint32_t LAST = letters.LAST
cdef uint64_t BASIS = <uint64_t>0xCBF29CE484222325
cdef uint64_t PRIME = <uint64_t>0x9E3779B97F4A7C15


cdef inline uint64_t mix(uint64_t value) noexcept nogil:
    value ^= value >> 32
    value *= <uint64_t>0xD6E8FEB86659FD93
    value ^= value >> 32
    value *= <uint64_t>0xD6E8FEB86659FD93
    return value ^ (value >> 32)


cdef inline uint64_t add(uint64_t state, uint64_t value) noexcept nogil:
    return (state ^ value) * PRIME + (state >> 29)


cdef inline uint64_t run_key(const uint64_t* units) noexcept nogil:
    cdef uint64_t key = mix(add(add(add(BASIS, units[0]), units[1]), units[2]))
    return key if key else 1  # 0 is an empty place of the table


cdef inline uint32_t lower(Py_UCS4 code) noexcept nogil:
    return <uint32_t>code | 32  # of ASCII letters, which is all that clitics are made of


cdef inline bint is_apostrophe(Py_UCS4 code) noexcept nogil:
    return code == 0x27 or code == 0x2019 or code == 0x2BC


cdef int count_edits(
    const uint64_t* pattern, int n, const uint64_t* text, int m, int limit, int32_t* column
) noexcept nogil:
    """Sellers' algorithm; rows below the last one within the limit are not computed (Ukkonen 1985)."""
    cdef int row, place, last, top, diagonal, old, best, fewest = limit + 1
    for row in range(n + 1):
        column[row] = row if row <= limit else limit + 1
    last = limit if limit < n else n
    for place in range(m):
        diagonal = 0
        top = last + 1 if last < n else n
        for row in range(1, top + 1):
            old = column[row]
            if pattern[row - 1] == text[place]:
                best = diagonal
            else:
                best = diagonal if diagonal < old else old
                if column[row - 1] < best:
                    best = column[row - 1]
                best += 1
            column[row] = best
            diagonal = old
        last = top
        while column[last] > limit:
            last -= 1
        if last == n and column[n] < fewest:
            fewest = column[n]
            if fewest == 0:
                break
    return fewest


cdef class Index:
    """See `_similar_py.Index`."""

    cdef object _table
    cdef const uint32_t[::1] letters
    cdef dict _whole
    cdef int edit_per, words, characters, window
    # The units of one text, with the number of those that are characters, and the hash of its letters.
    cdef uint64_t* units
    cdef Py_ssize_t room, n_units, n_characters
    cdef uint64_t whole
    # Pieces: where their units begin, and the text they belong to.
    cdef uint64_t* stored
    cdef Py_ssize_t* begins
    cdef uint32_t* owners
    cdef uint32_t* distinct  # the different runs of each piece
    cdef uint32_t n_pieces
    # Runs of three: an open table of keys, and where the pieces that have them begin in `holders`.
    cdef uint64_t* keys
    cdef uint32_t* firsts
    cdef uint32_t* holders
    cdef uint64_t mask
    # While a text is looked for: how many runs each piece shares with it, which share any, and where the table was read.
    cdef uint32_t* shared
    cdef uint32_t* met
    cdef uint32_t* stamps
    cdef uint32_t stamp
    cdef int32_t* column

    def __init__(self, texts, table, *, int edit_per, int words, int characters, int window):
        self._table, self.letters = table, table
        self._whole = {}
        self.edit_per, self.words, self.characters, self.window = edit_per, words, characters, window
        self._grow(256)
        self.column = <int32_t*>malloc((window + 1) * sizeof(int32_t))
        if self.column == NULL:
            raise MemoryError
        self._store(texts)
        self._index()

    def __dealloc__(self):
        free(self.units)
        free(self.stored)
        free(self.begins)
        free(self.owners)
        free(self.distinct)
        free(self.stamps)
        free(self.keys)
        free(self.firsts)
        free(self.holders)
        free(self.shared)
        free(self.met)
        free(self.column)

    cdef int _grow(self, Py_ssize_t room) except -1:
        cdef uint64_t* larger
        if room > self.room:
            larger = <uint64_t*>realloc(self.units, room * sizeof(uint64_t))
            if larger == NULL:
                raise MemoryError
            self.units, self.room = larger, room
        return 0

    cdef bint _is_clitic(self, int kind, const void* data, Py_ssize_t place, Py_ssize_t length) noexcept:
        """Whether `n't`, `'s`, `'re`, `'ve`, `'ll`, `'d`, `'m` or `'t` comes after the space at `place`."""
        cdef uint32_t first = 0, second = 0
        cdef Py_UCS4 after
        cdef Py_ssize_t size
        cdef bint is_negation
        place += 1
        is_negation = place < length and lower(PyUnicode_READ(kind, data, place)) == c"n"
        place += is_negation
        if place >= length or not is_apostrophe(PyUnicode_READ(kind, data, place)):
            return False
        place += 1
        if place < length:
            first = lower(PyUnicode_READ(kind, data, place))
        if place + 1 < length:
            second = lower(PyUnicode_READ(kind, data, place + 1))
        if is_negation:
            size = 1 if first == c"t" else 0
        elif (first == c"r" or first == c"v") and second == c"e" or first == c"l" and second == c"l":
            size = 2
        else:
            size = 1 if first == c"s" or first == c"d" or first == c"m" or first == c"t" else 0
        if size == 0:
            return False
        place += size
        if place >= length:
            return True
        after = PyUnicode_READ(kind, data, place)
        return not (after.isalnum() or after == c"_")

    cdef int _split(self, str text) except -1:
        """Put the units of `text` into `units`."""
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t place, length = PyUnicode_GET_LENGTH(text)
        cdef Py_UCS4 code, following
        cdef uint32_t letter
        cdef uint64_t word = BASIS, whole = BASIS
        cdef bint in_word = False
        self._grow(length + 1)
        self.n_units = self.n_characters = 0
        for place in range(length):
            code = PyUnicode_READ(kind, data, place)
            letter = self.letters[code] if code < LAST else 0
            if letter and not letter & UNIT:
                word, whole, in_word = add(word, letter), add(whole, letter), True
                continue
            if in_word and not letter:
                if is_apostrophe(code) and place + 1 < length:
                    following = PyUnicode_READ(kind, data, place + 1)
                    if following < LAST and self.letters[following] and not self.letters[following] & UNIT:
                        continue
                if code.isspace() and self._is_clitic(kind, data, place, length):
                    continue
            if in_word:
                self.units[self.n_units] = mix(word)
                self.n_units += 1
                word, in_word = BASIS, False
            if letter:
                whole = add(whole, letter)
                self.units[self.n_units] = letter
                self.n_units += 1
                self.n_characters += 1
        if in_word:
            self.units[self.n_units] = mix(word)
            self.n_units += 1
        self.whole = mix(whole)
        return 0

    cdef bint _is_short(self) noexcept:
        return self.n_units < (self.characters if 2 * self.n_characters > self.n_units else self.words)

    cdef int _store(self, texts) except -1:
        """Keep the units of all texts, long ones in overlapping windows."""
        cdef Py_ssize_t number, start, end, place, step = self.window // 2
        cdef Py_ssize_t n_stored = 0, room = 1 << 16, piece_room = 1 << 12
        self.stored = <uint64_t*>malloc(room * sizeof(uint64_t))
        self.begins = <Py_ssize_t*>malloc((piece_room + 1) * sizeof(Py_ssize_t))
        self.owners = <uint32_t*>malloc(piece_room * sizeof(uint32_t))
        if self.stored == NULL or self.begins == NULL or self.owners == NULL:
            raise MemoryError
        for number, text in enumerate(texts):
            self._split(text)
            if self.n_units:
                self._whole.setdefault(self.whole, []).append(number)
            if self._is_short():
                continue
            start = 0
            while True:
                end = min(start + self.window, self.n_units)
                if n_stored + end - start > room:
                    room = 2 * (room + self.window)
                    self.stored = <uint64_t*>realloc(self.stored, room * sizeof(uint64_t))
                if self.n_pieces == piece_room:
                    piece_room *= 2
                    self.begins = <Py_ssize_t*>realloc(self.begins, (piece_room + 1) * sizeof(Py_ssize_t))
                    self.owners = <uint32_t*>realloc(self.owners, piece_room * sizeof(uint32_t))
                if self.stored == NULL or self.begins == NULL or self.owners == NULL:
                    raise MemoryError
                self.begins[self.n_pieces], self.owners[self.n_pieces] = n_stored, number
                self.n_pieces += 1
                for place in range(start, end):
                    self.stored[n_stored] = self.units[place]
                    n_stored += 1
                if end == self.n_units:
                    break
                start += step
        self.begins[self.n_pieces] = n_stored
        return 0

    cdef inline uint64_t _slot(self, uint64_t key) noexcept nogil:
        """The place of a key in the table, or the empty one where it would be."""
        cdef uint64_t slot = key & self.mask
        while self.keys[slot] and self.keys[slot] != key:
            slot = (slot + 1) & self.mask
        return slot

    cdef int _index(self) except -1:
        """Fill the table in two rounds: count the pieces of every run, then write them side by side."""
        cdef Py_ssize_t n_runs = 0, place
        cdef uint64_t size = 16, slot, key
        cdef uint32_t piece, total = 0
        for piece in range(self.n_pieces):
            n_runs += max(0, self.begins[piece + 1] - self.begins[piece] - RUN + 1)
        if n_runs >= <Py_ssize_t>1 << 32:
            raise MemoryError
        while size < <uint64_t>(n_runs + n_runs // 2):
            size *= 2
        self.mask = size - 1
        self.keys = <uint64_t*>calloc(size, sizeof(uint64_t))
        self.firsts = <uint32_t*>calloc(size + 1, sizeof(uint32_t))
        self.stamps = <uint32_t*>calloc(size, sizeof(uint32_t))
        self.holders = <uint32_t*>malloc((n_runs + 1) * sizeof(uint32_t))
        self.distinct = <uint32_t*>calloc(self.n_pieces + 1, sizeof(uint32_t))
        self.shared = <uint32_t*>calloc(self.n_pieces + 1, sizeof(uint32_t))
        self.met = <uint32_t*>malloc((self.n_pieces + 1) * sizeof(uint32_t))
        if not (self.keys and self.firsts and self.stamps and self.holders and self.distinct and self.shared and self.met):
            raise MemoryError
        for piece in range(self.n_pieces):
            self._next_stamp()
            for place in range(self.begins[piece], self.begins[piece + 1] - RUN + 1):
                key = run_key(self.stored + place)
                slot = self._slot(key)
                self.keys[slot] = key
                if self.stamps[slot] != self.stamp:
                    self.stamps[slot] = self.stamp
                    self.firsts[slot] += 1
                    self.distinct[piece] += 1
        for slot in range(size + 1):  # from counts to ends
            total += self.firsts[slot]
            self.firsts[slot] = total
        for piece in range(self.n_pieces):
            self._next_stamp()
            for place in range(self.begins[piece], self.begins[piece + 1] - RUN + 1):
                slot = self._slot(run_key(self.stored + place))
                if self.stamps[slot] != self.stamp:
                    self.stamps[slot] = self.stamp
                    self.firsts[slot] -= 1  # from ends to beginnings
                    self.holders[self.firsts[slot]] = piece
        return 0

    cdef void _next_stamp(self) noexcept:
        """Make every place of the table count as not read yet."""
        if self.stamp == <uint32_t>0xFFFFFFFF:
            memset(self.stamps, 0, (self.mask + 1) * sizeof(uint32_t))
            self.stamp = 0
        self.stamp += 1

    cdef int _look(self, const uint64_t* units, int n, dict fewest) except -1:
        """Add the texts that are nearly these units to `fewest`."""
        cdef Py_ssize_t place
        cdef uint64_t slot, key
        cdef uint32_t holder, piece, n_met = 0, i
        cdef int size, limit, edits, n_known = 0, n_unknown = 0, n_runs
        self._next_stamp()
        for place in range(n - RUN + 1):
            key = run_key(units + place)
            slot = self._slot(key)
            if not self.keys[slot]:
                n_unknown += 1
                continue
            if self.stamps[slot] == self.stamp:
                continue
            self.stamps[slot] = self.stamp
            n_known += 1
            for holder in range(self.firsts[slot], self.firsts[slot + 1]):
                piece = self.holders[holder]
                if self.shared[piece] == 0:
                    self.met[n_met] = piece
                    n_met += 1
                self.shared[piece] += 1
        for i in range(n_met):
            piece = self.met[i]
            size = <int>(self.begins[piece + 1] - self.begins[piece])
            limit = min(n, size) // self.edit_per
            n_runs = n_known + n_unknown if n <= size else <int>self.distinct[piece]
            if <int>self.shared[piece] >= n_runs - RUN * limit and fewest.get(self.owners[piece], 0) >= 0:
                if n <= size:
                    edits = count_edits(units, n, self.stored + self.begins[piece], size, limit, self.column)
                else:
                    edits = count_edits(self.stored + self.begins[piece], size, units, n, limit, self.column)
                if edits <= limit:
                    number = self.owners[piece]
                    fewest[number] = min(edits, fewest.get(number, edits))
            self.shared[piece] = 0
        return 0

    def find(self, str text):
        """The numbers of the texts that are nearly `text`, with the edits between them, or `SHORT` or `EXACT`."""
        cdef Py_ssize_t start = 0, step = self.window // 2
        cdef dict fewest = {}
        cdef bint is_short
        self._split(text)
        is_short = self._is_short()
        if self.n_units:
            for number in self._whole.get(self.whole, ()):
                fewest[number] = SHORT if is_short else EXACT
        if is_short:
            return sorted(fewest.items()) if fewest else []
        while True:
            self._look(self.units + start, <int>min(self.window, self.n_units - start), fewest)
            if start + self.window >= self.n_units:
                break
            start += step
        return sorted(fewest.items()) if fewest else []
