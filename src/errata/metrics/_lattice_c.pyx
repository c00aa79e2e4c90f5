# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""MaxMatch's edit lattice and the best path through it, compiled; `_lattice.py` is the readable twin.

The two follow the same steps in the same order and give the same paths, ties included; comments are in the twin.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memset

cdef enum:
    DIAGONAL = 1
    DELETION = 2
    INSERTION = 4
    TABLE_BITS = 3      # the flags of the second table sit above those of the first
    REACHED_1 = 64
    REACHED_2 = 128

cdef enum Kind:
    START
    UNCHANGED
    OPENED
    CONTINUED
    CLOSED
    GOLD
    GOLD_UNCHANGED

cdef int64_t UNREACHED = <int64_t>1 << 62


cdef struct Arc:
    int32_t start       # cells by their place in `cells`
    int32_t end
    int32_t turn
    uint8_t kind


cdef void *allocate(Py_ssize_t count, Py_ssize_t size) except NULL:
    cdef void *memory = PyMem_Malloc(max(count, 1) * size)
    if memory == NULL:
        raise MemoryError("sentences too long for an edit lattice")
    return memory


cdef class Lattice:
    cdef Py_ssize_t rows, width
    cdef int32_t *source
    cdef int32_t *hypothesis
    cdef uint8_t *steps         # per cell of the table: optimal steps into it, 0 off the lattice except in the corner
    cdef int32_t *place         # per cell of the table: its number among the cells of the lattice, or -1
    cdef int32_t *cells         # the lattice's cells in reading order
    cdef Py_ssize_t count

    def __cinit__(self, source, hypothesis):
        self.rows, self.width = len(source) + 1, len(hypothesis) + 1
        if self.rows * self.width >= 1 << 31:
            raise MemoryError("sentences too long for an edit lattice")
        self.source = <int32_t *>allocate(self.rows, sizeof(int32_t))
        self.hypothesis = <int32_t *>allocate(self.width, sizeof(int32_t))
        self.steps = <uint8_t *>allocate(self.rows * self.width, 1)
        self.place = <int32_t *>allocate(self.rows * self.width, sizeof(int32_t))
        cdef Py_ssize_t k
        for k in range(self.rows - 1):
            self.source[k] = source[k]
        for k in range(self.width - 1):
            self.hypothesis[k] = hypothesis[k]
        self.fill_tables()
        self.keep_reached()

    def __dealloc__(self):
        PyMem_Free(self.source)
        PyMem_Free(self.hypothesis)
        PyMem_Free(self.steps)
        PyMem_Free(self.place)
        PyMem_Free(self.cells)

    cdef int fill_tables(self) except -1:
        cdef Py_ssize_t i, j, width = self.width
        cdef int32_t *above = <int32_t *>allocate(2 * width, sizeof(int32_t))   # two tables side by side
        cdef int32_t *over
        cdef int32_t left, corner, diagonal, deletion, best
        cdef uint8_t flags
        cdef int table, same
        self.steps[0] = 0
        for j in range(width):
            above[j] = above[width + j] = j
            if j:
                self.steps[j] = INSERTION | INSERTION << TABLE_BITS
        for i in range(1, self.rows):
            self.steps[i * width] = DELETION | DELETION << TABLE_BITS
            for table in range(2):
                over = above + table * width
                corner = over[0]
                over[0] = left = i
                for j in range(1, width):
                    same = self.source[i - 1] == self.hypothesis[j - 1]
                    diagonal = corner + (0 if same else table + 1)
                    deletion = over[j] + 1
                    left += 1
                    best = diagonal if diagonal <= deletion else deletion
                    if left < best:
                        best = left
                    flags = ((DIAGONAL if diagonal == best else 0) | (DELETION if deletion == best else 0)
                             | (INSERTION if left == best else 0))
                    if table == 0:
                        self.steps[i * width + j] = flags
                    else:
                        self.steps[i * width + j] |= flags << TABLE_BITS
                    corner = over[j]
                    over[j] = left = best
        PyMem_Free(above)
        return 0

    cdef int keep_reached(self) except -1:
        """Reduce `steps` to the union of what each table reaches backwards from its last cell."""
        cdef Py_ssize_t width = self.width, last = self.rows * self.width - 1, cell, count = 0
        cdef uint8_t *steps = self.steps
        cdef uint8_t flags, both
        # The two top bits of a byte say which table has reached the cell.
        steps[last] |= REACHED_1 | REACHED_2
        for cell in range(last, -1, -1):
            flags = steps[cell]
            both = flags & (REACHED_1 | REACHED_2)
            if not both:
                self.place[cell] = -1
                steps[cell] = 0
                continue
            count += 1
            self.place[cell] = 0
            if flags & REACHED_1:
                mark(steps, cell, width, flags, REACHED_1)
            if flags & REACHED_2:
                mark(steps, cell, width, flags >> TABLE_BITS, REACHED_2)
            steps[cell] = (((flags & 7) if flags & REACHED_1 else 0)
                           | ((flags >> TABLE_BITS & 7) if flags & REACHED_2 else 0))
        self.cells = <int32_t *>allocate(count, sizeof(int32_t))
        self.count = 0
        for cell in range(last + 1):
            if self.place[cell] >= 0:
                self.place[cell] = self.count
                self.cells[self.count] = cell
                self.count += 1
        return 0

    cdef uint8_t arc_kind(self, Py_ssize_t top, Py_ssize_t left, Py_ssize_t bottom, Py_ssize_t right,
                          Py_ssize_t limit) except 255:
        cdef Py_ssize_t size = bottom - top, wide = right - left + 1, width = self.width
        cdef Py_ssize_t i, j, k, cell
        cdef bint unchanged
        if size == right - left and (size == 1 or size <= limit):
            unchanged = True
            for k in range(size):
                if (self.source[top + k] != self.hypothesis[left + k]
                        or not self.steps[(top + k + 1) * width + left + k + 1] & DIAGONAL):
                    unchanged = False
                    break
            if unchanged:
                return GOLD_UNCHANGED if size == 1 else START
        cdef int64_t *fewest = <int64_t *>allocate(2 * wide, sizeof(int64_t))   # the row above, this row
        cdef int64_t *above = fewest
        cdef int64_t *row = fewest + wide
        cdef int64_t best
        cdef uint8_t flags
        for k in range(2 * wide):
            fewest[k] = UNREACHED
        for i in range(top, bottom + 1):
            for j in range(left, right + 1):
                cell = i * width + j
                flags = self.steps[cell]
                k = j - left
                best = 0 if i == top and j == left else UNREACHED
                if flags & DIAGONAL and i > top and j > left:
                    best = min(best, above[k - 1] + (self.source[i - 1] == self.hypothesis[j - 1]))
                if flags & DELETION and i > top:
                    best = min(best, above[k])
                if flags & INSERTION and j > left:
                    best = min(best, row[k - 1])
                row[k] = best
            above, row = row, above
        best = above[wide - 1]
        PyMem_Free(fewest)
        return GOLD if best <= limit else START

    cdef list gold_arcs(self, gold, Py_ssize_t limit):
        """Arcs as (start, end, turn, kind), cells by their place."""
        cdef list arcs = []
        cdef dict turns = {}
        cdef Py_ssize_t start, end, size, j, k, turn
        cdef int32_t first, last
        cdef uint8_t kind
        cdef bint same
        for start, end, replacements in gold:
            if not 0 <= start <= end < self.rows:
                continue        # no cell there
            turn = -1
            if start == end:
                turn = turns[start] = turns.get(start, -1) + 1
            for replacement in replacements:
                size = len(replacement)
                for j in range(self.width - size):
                    first, last = self.place[start * self.width + j], self.place[end * self.width + j + size]
                    if first < 0 or last < 0 or first == last:
                        continue
                    same = True
                    for k in range(size):
                        if self.hypothesis[j + k] != <int32_t>replacement[k]:
                            same = False
                            break
                    if same:
                        kind = self.arc_kind(start, j, end, j + size, limit)
                        if kind != START:
                            arcs.append((first, last, turn, kind))
        return arcs

    cdef list search(self, list arcs, Py_ssize_t limit):
        cdef Search run = Search(self, arcs, limit)
        run.visit_cells()
        return run.read_back()


cdef inline void mark(uint8_t *steps, Py_ssize_t cell, Py_ssize_t width, uint8_t flags, uint8_t reached) noexcept nogil:
    if flags & DIAGONAL:
        steps[cell - width - 1] |= reached
    if flags & DELETION:
        steps[cell - width] |= reached
    if flags & INSERTION:
        steps[cell - 1] |= reached


cdef class Search:
    """One annotator's search: costs and ways back of every slot of every layer of every cell."""
    cdef Lattice lattice
    cdef Py_ssize_t slots, arc_count
    cdef Arc *arcs              # sorted by end, in the twin's order where ends are equal
    cdef Py_ssize_t *offset     # per cell: where its slots begin; one more than there are cells
    cdef int64_t *cost
    cdef int64_t *back          # global slot number of the state before
    cdef uint8_t *kind
    cdef int64_t length, match

    def __cinit__(self, Lattice lattice, list arcs, Py_ssize_t limit):
        cdef Py_ssize_t k, row
        self.lattice = lattice
        self.slots = limit + 2
        self.length = lattice.rows + lattice.width - 1
        self.match = self.length * self.length
        self.arc_count = len(arcs)
        self.arcs = <Arc *>allocate(self.arc_count, sizeof(Arc))
        cdef dict layers = {}
        for k, (start, end, turn, kind) in enumerate(sorted(arcs, key=end_of)):
            self.arcs[k] = Arc(start, end, turn, kind)
            if turn >= 0:
                row = lattice.cells[self.arcs[k].end] // lattice.width
                layers[row] = max(layers.get(row, 1), turn + 2)
        self.offset = <Py_ssize_t *>allocate(lattice.count + 1, sizeof(Py_ssize_t))
        self.offset[0] = 0
        for k in range(lattice.count):
            self.offset[k + 1] = self.offset[k] + self.slots
            if layers:
                row = lattice.cells[k] // lattice.width
                self.offset[k + 1] = self.offset[k] + self.slots * <Py_ssize_t>layers.get(row, 1)
        cdef Py_ssize_t total = self.offset[lattice.count]
        self.cost = <int64_t *>allocate(total, sizeof(int64_t))
        self.back = <int64_t *>allocate(total, sizeof(int64_t))
        self.kind = <uint8_t *>allocate(total, 1)
        for k in range(total):
            self.cost[k] = UNREACHED
        memset(self.kind, START, total)

    def __dealloc__(self):
        PyMem_Free(self.arcs)
        PyMem_Free(self.offset)
        PyMem_Free(self.cost)
        PyMem_Free(self.back)
        PyMem_Free(self.kind)

    cdef inline void offer(self, Py_ssize_t at, int64_t cost, Py_ssize_t before, uint8_t kind) noexcept nogil:
        if cost < self.cost[at]:
            self.cost[at] = cost
            self.back[at] = before
            self.kind[at] = kind

    cdef inline void step(self, Py_ssize_t at, Py_ssize_t before, int same) noexcept nogil:
        cdef Py_ssize_t slot
        cdef int64_t outside = self.cost[before] + self.length
        if same:
            self.offer(at, outside, before, UNCHANGED)
        else:
            self.offer(at + 1, outside + 1, before, OPENED)
        for slot in range(1, self.slots - same):
            self.offer(at + slot + same, self.cost[before + slot] + self.length, before + slot, CONTINUED)

    cdef void visit_cells(self) noexcept nogil:
        cdef Py_ssize_t width = self.lattice.width
        cdef Py_ssize_t cell, i, j, k, base, slot, at, end, before, next_arc = 0, stop
        cdef int32_t *place = self.lattice.place
        cdef uint8_t flags
        cdef int same
        self.cost[0] = 0
        for k in range(self.lattice.count):
            cell = self.lattice.cells[k]
            i, j = cell // width, cell % width
            flags = self.lattice.steps[cell]
            at, end = self.offset[k], self.offset[k + 1]
            if flags & DIAGONAL:
                same = self.lattice.source[i - 1] == self.lattice.hypothesis[j - 1]
                before = place[cell - width - 1]
                base = self.offset[before]
                while base < self.offset[before + 1]:
                    self.step(at, base, same)
                    base += self.slots
            if flags & DELETION:
                before = place[cell - width]
                base = self.offset[before]
                while base < self.offset[before + 1]:
                    self.step(at, base, 0)
                    base += self.slots
            if flags & INSERTION:
                before = self.offset[place[cell - 1]]
                base = 0
                while at + base < end:
                    self.step(at + base, before + base, 0)
                    base += self.slots
            while next_arc < self.arc_count and self.arcs[next_arc].end == k:
                self.follow(&self.arcs[next_arc], at)
                next_arc += 1
            base = at
            while base < end:
                for slot in range(base + 1, base + self.slots):
                    self.offer(base, self.cost[slot], slot, CLOSED)
                base += self.slots

    cdef inline void follow(self, Arc *arc, Py_ssize_t at) noexcept nogil:
        cdef Py_ssize_t base = self.offset[arc.start]
        cdef Py_ssize_t stop = self.offset[arc.start + 1] if arc.turn < 0 else base + (arc.turn + 1) * self.slots
        cdef Py_ssize_t into = at + (arc.turn + 1) * self.slots
        while base < stop:
            if self.cost[base] < UNREACHED:
                self.offer(into, self.cost[base] - self.match, base, arc.kind)
            base += self.slots

    cdef list read_back(self):
        cdef Py_ssize_t width = self.lattice.width, k = self.lattice.count - 1
        cdef Py_ssize_t base, at = self.offset[k], before, cell, previous, closed_at
        cdef uint8_t kind
        cdef list edits = []
        base = at
        while base < self.offset[k + 1]:
            if self.cost[base] < self.cost[at]:
                at = base
            base += self.slots
        closed_at = cell = self.lattice.cells[k]
        while True:
            kind = self.kind[at]
            if kind == START:
                edits.reverse()
                return edits
            at = self.back[at]
            while self.offset[k] > at:
                k -= 1
            previous = self.lattice.cells[k]
            if kind == CLOSED:
                closed_at = cell
            elif kind == OPENED or kind == GOLD:
                if kind == GOLD:
                    closed_at = cell
                edits.append((previous // width, closed_at // width, previous % width, closed_at % width))
            cell = previous


def end_of(tuple arc):
    return arc[1]


def best_paths(source, hypothesis, golds, Py_ssize_t max_unchanged):
    """For each annotator's gold edits, the edits on the path that matches most of them, from left to right."""
    cdef Lattice lattice = Lattice(source, hypothesis)
    cdef Py_ssize_t limit = max(0, min(max_unchanged, lattice.rows - 1, lattice.width - 1))
    cdef list plain = None
    cdef list paths = []
    cdef list arcs
    for gold in golds:
        arcs = lattice.gold_arcs(gold, limit)
        if arcs:
            paths.append(lattice.search(arcs, limit))
        else:
            if plain is None:
                plain = lattice.search(arcs, limit)
            paths.append(plain)
    return paths
