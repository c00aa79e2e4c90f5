"""FCGEC's four operations (Xu et al. 2022): apply them to a sentence, derive them from a pair, turn them into edits.

Switch comes first; Delete, Insert and Modify count the characters of the switched sentence. Deriving follows
Appendix E of the paper: one swap of two stretches if that is all, otherwise the Levenshtein path that prefers, from
the end, Copy, Modify, Delete, Insert in this order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, product
from math import prod

from errata.errors import DataError
from errata.model import Edit, Insertion, Modification, Operations
from errata.text.tokens import split_characters


def apply_operations(sentence: str, operations: Operations, choice: int = 0) -> str:
    """The corrected sentence; `choice` numbers the combinations of alternative texts, the last one running fastest."""
    return _join(*_render(sentence, operations, _choose_texts(operations, choice)))


def apply_all_operations(sentence: str, operations: Operations) -> list[str]:
    """The corrected sentences that the alternatives make, each once, in the order of their choices."""
    combinations = product(*_alternatives(operations))
    return list(dict.fromkeys(_join(*_render(sentence, operations, texts)) for texts in combinations))


def operation_kinds(operations: Operations) -> frozenset[str]:
    """The kinds of operation in use: a subset of `Switch`, `Delete`, `Insert`, `Modify`."""
    used = {
        "Switch": operations.switch is not None,
        "Delete": bool(operations.delete),
        "Insert": bool(operations.insert),
        "Modify": bool(operations.modify),
    }
    return frozenset(kind for kind, is_used in used.items() if is_used)


def derive_operations(source: str, target: str) -> Operations:
    """Operations that make `target` of `source`: for `他很学校`, `他在学校里` they modify 很 and insert 里."""
    if source == target:
        return Operations()
    if Counter(source) == Counter(target) and (order := _find_swap(source, target)):
        return Operations(switch=order)
    deleted: list[int] = []
    insertions: list[Insertion] = []
    modifications: list[Modification] = []
    for start, end, text in _changes(source, target):
        if start == end:
            insertions.append(Insertion(start - 1, (text,)))
        elif text:
            modifications.append(Modification(start, end - start, (text,)))
        else:
            deleted.extend(range(start, end))
    return Operations(None, tuple(deleted), tuple(insertions), tuple(modifications))


def operations_to_edits(sentence: str, operations: Operations, choice: int = 0) -> tuple[Edit, ...]:
    """The edits over the character tokens of `sentence` that do the same, with types M, R, S and W.

    Each stretch whose characters change places is one edit of type W, together with whatever else happens inside it.
    """
    kept, inserted = _render(sentence, operations, _choose_texts(operations, choice))
    order = tuple(range(len(sentence))) if operations.switch is None else operations.switch
    changes = [(0, 0, inserted[0], "M")] if inserted[0] else []
    start = 0
    for place in _segments(order, operations.modify):
        indices = order[place.start : place.stop]
        end = max(start, max(indices) + 1)
        text = "".join(kept[k] + inserted[k + 1] for k in place[:-1]) + kept[place[-1]]
        is_moved = indices != tuple(range(indices[0], indices[0] + len(indices)))
        if not is_moved and indices[0] > start:  # characters that Switch leaves out
            changes.append((start, indices[0], "", "R"))
            start = indices[0]
        if text != sentence[start:end]:
            changes.append((start, end, text, "W" if is_moved else "S" if text else "R"))
        if inserted[place.stop]:
            changes.append((end, end, inserted[place.stop], "M"))
        start = end
    if start < len(sentence):
        changes.append((start, len(sentence), "", "R"))
    return tuple(_token_edits(sentence, changes))


def _choose_texts(operations: Operations, choice: int) -> list[str]:
    """The texts of one combination of alternatives: those of the modifications, then those of the insertions."""
    n_combinations = prod(map(len, _alternatives(operations)))
    if not 0 <= choice < n_combinations:
        raise DataError(f"choice {choice} of operations that have {n_combinations} combinations of alternatives")
    texts: list[str] = []
    for alternatives in reversed(_alternatives(operations)):
        choice, place = divmod(choice, len(alternatives))
        texts.append(alternatives[place])
    return texts[::-1]


def _alternatives(operations: Operations) -> list[tuple[str, ...]]:
    return [item.texts for item in operations.modify] + [item.texts for item in operations.insert]


def _render(sentence: str, operations: Operations, texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """What each character of the switched sentence becomes, and what is inserted before the first and after each.

    A character that is both modified and deleted is simply replaced (FCGEC has such labels). `DataError` where an
    operation reaches beyond the sentence or two modifications overlap.
    """
    kept = list(sentence) if operations.switch is None else [_at(sentence, i, "Switch") for i in operations.switch]
    length = len(kept)
    inserted = [""] * (length + 1)
    for index in operations.delete:
        _at(kept, index, "Delete")
        kept[index] = ""
    end = 0
    for modification, text in sorted(zip(operations.modify, texts, strict=False), key=lambda pair: pair[0].position):
        start, previous_end = modification.position, end
        end = start + modification.length
        if not previous_end <= start <= end <= length:
            raise DataError(f"Modify at {start} overlaps another or ends after {length} characters")
        kept[start:end] = [""] * modification.length
        (kept if modification.length else inserted)[start] += text
    for insertion, text in zip(operations.insert, texts[len(operations.modify) :], strict=True):
        if not -1 <= insertion.position < length:
            raise DataError(f"Insert at {insertion.position}: the sentence has {length} characters")
        inserted[insertion.position + 1] += text
    return kept, inserted


def _join(kept: Sequence[str], inserted: Sequence[str]) -> str:
    return inserted[0] + "".join(a + b for a, b in zip(kept, inserted[1:], strict=True))


def _segments(order: Sequence[int], modifications: Iterable[Modification]) -> Iterator[range]:
    """The switched sentence in the smallest parts that neither a move nor a modification reaches out of."""
    inside = {k for m in modifications for k in range(m.position + 1, m.position + m.length)}
    later = [*accumulate(reversed(order), min)][::-1]
    start = highest = 0
    for k, index in enumerate(order):
        highest = max(highest, index)
        is_last = k + 1 == len(order)
        if is_last or (highest < later[k + 1] and k + 1 not in inside):
            yield range(start, k + 1)
            start = k + 1


def _token_edits(sentence: str, changes: Iterable[tuple[int, int, str, str]]) -> Iterator[Edit]:
    """Changes of characters as edits of tokens: white space is no token, a placeholder is one."""
    begins: list[int] = []
    inside: set[int] = set()
    for token in split_characters(sentence):
        begins.append(sentence.index(token, begins[-1] + 1 if begins else 0))
        inside.update(range(begins[-1] + 1, begins[-1] + len(token)))
    edit: Edit | None = None
    for start, end, text, kind in changes:
        if not inside.isdisjoint((start, end)):
            raise DataError(f"characters {start}:{end} are part of a placeholder, which is one token")
        new = Edit(bisect_left(begins, start), bisect_left(begins, end), split_characters(text), kind)
        if new.start == new.end and not new.replacement:
            continue
        if edit and edit.type == new.type == "R" and edit.end == new.start:
            new = replace(new, start=edit.start)
        elif edit:
            yield edit
        edit = new
    if edit:
        yield edit


def _at(characters: Sequence[str], index: int, operation: str) -> str:
    if not 0 <= index < len(characters):
        raise DataError(f"{operation} of character {index}: the sentence has {len(characters)} characters")
    return characters[index]


def _find_swap(source: str, target: str) -> tuple[int, ...] | None:
    """The order of characters that exchanges two stretches of `source` and gives `target`, if there is one.

    Between the common beginning and end, the source must read A M B and the target B M A. Of several ways the one that
    moves the fewest characters is taken.
    """
    length = len(source)
    head = next(i for i in range(length) if source[i] != target[i])
    tail = next(i for i in range(length) if source[-1 - i] != target[-1 - i])
    old, new = source[head : length - tail], target[head : length - tail]
    size = len(old)
    firsts = [a for a in range(1, size) if new.endswith(old[:a])]
    lasts = [b for b in range(1, size) if new.startswith(old[size - b :])]
    for a, b in sorted(product(firsts, lasts), key=sum):
        if a + b <= size and old[a : size - b] == new[b : size - a]:
            middle = range(head, head + size)
            swapped = (*middle[size - b :], *middle[a : size - b], *middle[:a])
            return (*range(head), *swapped, *range(head + size, length))
    return None


def _changes(source: str, target: str) -> Iterator[tuple[int, int, str]]:
    """The runs of the Levenshtein path that are not copies, from left to right: (start, end, text instead)."""
    runs: list[tuple[int, int, int, int]] = []
    for i, j, step_i, step_j in _path(source, target):
        if runs and runs[-1][0] == i + step_i and runs[-1][2] == j + step_j:
            runs[-1] = (i, runs[-1][1], j, runs[-1][3])
        else:
            runs.append((i, i + step_i, j, j + step_j))
    return ((i, i_end, target[j:j_end]) for i, i_end, j, j_end in reversed(runs))


def _path(source: str, target: str) -> Iterator[tuple[int, int, int, int]]:
    """The steps of the path that change something, from the end: (i, j, source characters, target characters)."""
    costs = _levenshtein_costs(source, target)
    i, j = len(source), len(target)
    while i or j:
        here = costs[i][j]
        if i and j and source[i - 1] == target[j - 1]:
            i, j = i - 1, j - 1
            continue
        if i and j and costs[i - 1][j - 1] + 1 == here:
            step = (1, 1)
        elif i and costs[i - 1][j] + 1 == here:
            step = (1, 0)
        else:
            step = (0, 1)
        i, j = i - step[0], j - step[1]
        yield i, j, *step


def _levenshtein_costs(source: str, target: str) -> list[list[int]]:
    rows = [list(range(len(target) + 1))]
    for i, a in enumerate(source, 1):
        above, row = rows[-1], [i]
        for j, b in enumerate(target, 1):
            diagonal = above[j - 1]
            row.append(diagonal if a == b else 1 + min(diagonal, above[j], row[-1]))
        rows.append(row)
    return rows
