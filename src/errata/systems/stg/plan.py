"""A correction as Switch, Tagger and Generator see it: an order of the tokens, then what becomes of each of them.

Plans come from FCGEC's operations, from pairs and from edits. Whatever FCGEC's operations cannot tell (an order changed
beside other errors) is found by looking for stretches that are only re-ordered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from errata.edits.operations import derive_operations, operations_to_edits
from errata.model import Edit, Insertion, Modification, Operations, Tokens

# Tokens are written as characters of Unicode's private planes, so that what is made for texts works on any tokens.
PRIVATE = 0xF0000
# The longest stretch looked at for a changed order beside other errors.
LONGEST_MOVE = 40

Run = tuple[int, int, str]  # source characters [start, end) become this text


class Tag(IntEnum):
    """What becomes of a token; the number that INSERT and MODIFY_INSERT add is told apart by a head of its own."""

    KEEP = 0
    DELETE = 1
    INSERT = 2
    MODIFY = 3
    MODIFY_INSERT = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """Take the tokens in `order`; `outputs[0]` comes first, then `outputs[k + 1]` instead of the token in place k."""

    order: tuple[int, ...]
    outputs: tuple[Tokens, ...]

    @property
    def is_switched(self) -> bool:
        return self.order != tuple(range(len(self.order)))

    def target(self) -> Tokens:
        """The corrected tokens."""
        return tuple(token for output in self.outputs for token in output)

    def next_slots(self) -> list[int]:
        """For the start (slot 0) and every token (slot i + 1), the slot that follows it; the last one points to 0."""
        following = [0] * (len(self.order) + 1)
        slot = 0
        for index in self.order:
            following[slot] = slot = index + 1
        return following

    def tags(self, tokens: Sequence[str]) -> list[tuple[Tag, int]]:
        """The tag of each slot of the switched sentence, with the number of tokens it inserts."""
        found = [(Tag.INSERT if self.outputs[0] else Tag.KEEP, len(self.outputs[0]))]
        for index, output in zip(self.order, self.outputs[1:], strict=True):
            if output == (tokens[index],):
                found.append((Tag.KEEP, 0))
            elif output[:1] == (tokens[index],):
                found.append((Tag.INSERT, len(output) - 1))
            elif output:
                found.append((Tag.MODIFY_INSERT if len(output) > 1 else Tag.MODIFY, len(output) - 1))
            else:
                found.append((Tag.DELETE, 0))
        return found

    def edits(self, tokens: Sequence[str]) -> tuple[Edit, ...]:
        """The smallest edits that do the same; a stretch whose tokens change places is one edit of type W."""
        alphabet = Alphabet()
        source = alphabet.write(tokens)
        deleted: list[int] = []
        insertions: list[Insertion] = []
        modifications: list[Modification] = []
        for slot, (tag, _) in enumerate(self.tags(tokens)):
            text = alphabet.write(self.outputs[slot])
            if tag is Tag.DELETE:
                deleted.append(slot - 1)
            elif tag is Tag.INSERT:
                insertions.append(Insertion(slot - 1, (text[1:] if slot else text,)))
            elif tag is not Tag.KEEP:
                modifications.append(Modification(slot - 1, 1, (text,)))
        switch = self.order if self.is_switched else None
        operations = Operations(switch, tuple(deleted), tuple(insertions), tuple(modifications))
        edits = operations_to_edits(source, operations)
        return tuple(replace(edit, replacement=alphabet.read(edit.replacement)) for edit in edits)


class Alphabet:
    """Tokens as single characters, and back."""

    def __init__(self) -> None:
        self._tokens: list[str] = []
        self._characters: dict[str, str] = {}

    def write(self, tokens: Iterable[str]) -> str:
        """One character for each token."""
        return "".join(map(self._character, tokens))

    def read(self, characters: Iterable[str]) -> Tokens:
        """The tokens that were written so."""
        return tuple(self._tokens[ord(character) - PRIVATE] for character in characters)

    def _character(self, token: str) -> str:
        if token not in self._characters:
            self._characters[token] = chr(PRIVATE + len(self._tokens))
            self._tokens.append(token)
        return self._characters[token]


def plan_operations(tokens: Sequence[str], operations: Operations) -> Plan:
    """The plan of FCGEC operations that count these tokens; of alternative texts the first one is taken.

    The characters of a text are its tokens, which is what they are in Chinese.
    """
    order = tuple(range(len(tokens))) if operations.switch is None else operations.switch
    outputs: list[Tokens] = [(), *((tokens[index],) for index in order)]
    for place in operations.delete:
        outputs[place + 1] = ()
    for modification in operations.modify:
        text, last = tuple(modification.texts[0]), modification.length - 1
        if last < 0:
            outputs[modification.position] += text
        for offset in range(modification.length):
            part = text[offset:] if offset == last else text[offset : offset + 1]
            outputs[modification.position + 1 + offset] = part
    for insertion in operations.insert:
        outputs[insertion.position + 1] += tuple(insertion.texts[0])
    return Plan(order, tuple(outputs))


def plan_pair(source: Sequence[str], target: Sequence[str]) -> Plan:
    """The plan that makes `target` of `source`.

    >>> plan_pair("他很学校", "他在学校里").outputs
    ((), ('他',), ('在',), ('学',), ('校', '里'))
    """
    alphabet = Alphabet()
    old, new = alphabet.write(source), alphabet.write(target)
    start, end, text = _changed(old, new)
    runs = [(start, end, text)]
    if _swap(old[start:end], text) is None:
        local = _runs(derive_operations(old[start:end], text))
        runs = _merge_moves(old, [(start + a, start + b, inserted) for a, b, inserted in local])
    return plan_edits(source, [Edit(start, end, alphabet.read(text)) for start, end, text in runs])


def plan_edits(tokens: Sequence[str], edits: Iterable[Edit]) -> Plan:
    """The plan of edits that are in order and apart: each is a changed order, or the fewest changes inside it."""
    order = list(range(len(tokens)))
    outputs: list[Tokens] = [(), *((token,) for token in tokens)]
    for edit in edits:
        start, end = edit.start, edit.end
        local = _plan_stretch(tokens[start:end], edit.replacement)
        order[start:end] = [start + index for index in local.order]
        outputs[start] += local.outputs[0]
        outputs[start + 1 : end + 1] = local.outputs[1:]
    return Plan(tuple(order), tuple(outputs))


def _plan_stretch(source: Sequence[str], target: Sequence[str]) -> Plan:
    alphabet = Alphabet()
    old, new = alphabet.write(source), alphabet.write(target)
    swapped = _swap(old, new)
    operations = derive_operations(old, new) if swapped is None else Operations(swapped)
    plan = plan_operations(old, operations)
    return Plan(plan.order, tuple(map(alphabet.read, plan.outputs)))


def _changed(old: str, new: str) -> Run:
    """The stretch outside of which both are the same: aligning takes the square of its length, not the sentence's."""
    shorter = min(len(old), len(new))
    tail = next((i for i in range(shorter) if old[-1 - i] != new[-1 - i]), shorter)
    head = next((i for i in range(shorter - tail) if old[i] != new[i]), shorter - tail)
    return head, len(old) - tail, new[head : len(new) - tail]


def _runs(operations: Operations) -> list[Run]:
    """The changes of operations without Switch, from left to right."""
    runs = [(place, place + 1, "") for place in operations.delete]
    runs += [(item.position + 1, item.position + 1, item.texts[0]) for item in operations.insert]
    runs += [(item.position, item.position + item.length, item.texts[0]) for item in operations.modify]
    return sorted(runs)


def _merge_moves(source: str, runs: Sequence[Run]) -> list[Run]:
    """The runs, with those that together only re-order a stretch made into one."""
    merged: list[Run] = []
    first = 0
    while first < len(runs):
        for last in range(len(runs) - 1, first, -1):
            start, end = runs[first][0], runs[last][1]
            if end - start > LONGEST_MOVE:
                continue
            text = _rewritten(source, start, runs[first : last + 1])
            if _swap(source[start:end], text) is not None:
                merged.append((start, end, text))
                first = last
                break
        else:
            merged.append(runs[first])
        first += 1
    return merged


def _rewritten(source: str, start: int, runs: Iterable[Run]) -> str:
    """What the source is from `start` to the end of the runs, once they are applied."""
    text = ""
    for begin, end, new in runs:
        text += source[start:begin] + new
        start = end
    return text


def _swap(old: str, new: str) -> tuple[int, ...] | None:
    """The order that makes `new` of `old` by exchanging two stretches."""
    if old == new or len(old) != len(new) or Counter(old) != Counter(new):
        return None
    return derive_operations(old, new).switch
