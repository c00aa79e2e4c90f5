"""From one alignment to edits: recognise text that moved, then trim what the two sides share (ChERRANT's rules)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from errata.edits.zh.align import Item
from errata.edits.zh.characters import UNMOVABLE

# Kinds of the first and last of three items that can be a move.
_MOVES = frozenset({"SS", "RM", "MR"})


def merge(items: Sequence[Item], source: Sequence[str], target: Sequence[str]) -> list[Item]:
    """The edits of one alignment, left to right: kinds `W`, `S`, `M`, `R`, no matches."""
    return list(_trim(_find_moved(items, source, target), source, target))


def _find_moved(items: Sequence[Item], source: Sequence[str], target: Sequence[str]) -> Iterator[Item]:
    """The items, three of them as one word-order edit where text changed places around the middle one."""
    at = 0
    while at < len(items):
        first = items[at]
        if first.kind != "=":
            if (
                at + 2 < len(items)
                and first.kind + items[at + 2].kind in _MOVES
                and _is_moved(first, items[at + 1], items[at + 2], source, target)
            ):
                last = items[at + 2]
                yield Item("W", first.start, last.end, first.target_start, last.target_end)
                at += 3
                continue
            yield first
        at += 1


def _is_moved(first: Item, middle: Item, last: Item, source: Sequence[str], target: Sequence[str]) -> bool:
    if first.kind == "S":
        return middle.kind == "=" and _is_swap(
            _text(source, first.start, first.end),
            _text(target, first.target_start, first.target_end),
            _text(source, last.start, last.end),
            _text(target, last.target_start, last.target_end),
        )
    deletion, insertion = (first, last) if first.kind == "R" else (last, first)
    return middle.kind in "=T" and _is_same_text(
        _text(source, deletion.start, deletion.end),
        _text(target, insertion.target_start, insertion.target_end),
    )


def _is_swap(first: str, first_target: str, last: str, last_target: str) -> bool:
    """Whether the two substitutions exchange their texts."""
    if 1 in map(len, (first, first_target, last, last_target)):
        return first == last_target and first_target == last
    return _is_near(first, last_target) and _is_near(first_target, last)


def _is_same_text(deleted: str, inserted: str) -> bool:
    """Whether what is deleted in one place is, but for one character, what is inserted in another."""
    if deleted in UNMOVABLE or inserted in UNMOVABLE or abs(len(deleted) - len(inserted)) > 1:
        return False
    if 1 in (len(deleted), len(inserted)):
        return deleted == inserted
    return _is_near(deleted, inserted) or (len(deleted) == len(inserted) and deleted in inserted + inserted)


def _is_near(a: str, b: str) -> bool:
    """Whether the Levenshtein distance is at most 1."""
    if a == b:
        return True
    if abs(len(a) - len(b)) > 1:
        return False
    at = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    # One change can only be where the two first differ: a substitution, or a character more on the longer side.
    skip_a, skip_b = len(a) >= len(b), len(b) >= len(a)
    return a[at + skip_a :] == b[at + skip_b :]


def _trim(edits: Iterable[Item], source: Sequence[str], target: Sequence[str]) -> Iterator[Item]:
    """The edits that change something, substitutions without the tokens both sides begin or end with."""
    for edit in edits:
        kind, start, end, target_start, target_end = edit
        if kind in "MR":
            yield edit
        elif _text(source, start, end) != _text(target, target_start, target_end):
            yield _trim_substitution(edit, source, target) if kind == "S" else edit._replace(kind="W")


def _trim_substitution(edit: Item, source: Sequence[str], target: Sequence[str]) -> Item:
    _, start, end, target_start, target_end = edit
    while start < end and target_start < target_end and source[start] == target[target_start]:
        start += 1
        target_start += 1
    while start < end and target_start < target_end and source[end - 1] == target[target_end - 1]:
        end -= 1
        target_end -= 1
    kind = "M" if start == end else "R" if target_start == target_end else "S"
    return Item(kind, start, end, target_start, target_end)


def _text(tokens: Sequence[str], start: int, end: int) -> str:
    return "".join(tokens[start:end])
