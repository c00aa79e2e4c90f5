"""Edits that a corrector proposed and no annotator made: what a judge must learn not to like.

They come from files of sources with hypotheses, matched with the training data by the source. So a file may hold some
of the sources only, several hypotheses of one, and in any order.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from errata.edits.apply import apply_edits
from errata.errors import DataError
from errata.model import Edit, Tokens
from errata.training.pairs import Example, read_examples

log = logging.getLogger(__name__)

# Source → the edits of each hypothesis.
Proposals = Mapping[Tokens, Sequence[tuple[Edit, ...]]]
# Source → edits that are wrong.
WrongEdits = Mapping[Tokens, tuple[Edit, ...]]


def conflict(first: Edit, second: Edit) -> bool:
    """Whether only one of the two can be applied: their spans overlap, or one inserts beside the other.

    >>> conflict(Edit(1, 2, ("a",)), Edit(2, 3, ("b",))), conflict(Edit(1, 2, ("a",)), Edit(2, 2, ("b",)))
    (False, True)
    """
    if first.start < second.end and second.start < first.end:
        return True
    inserts = first.start == first.end or second.start == second.end
    return inserts and first.start <= second.end and second.start <= first.end


def read_proposals(paths: Iterable[Path], language: str, *, tokenise: bool = False) -> Proposals:
    """The edits of all hypotheses in the files, by source."""
    found: dict[Tokens, list[tuple[Edit, ...]]] = {}
    for tokens, edits in read_examples(paths, language, tokenise=tokenise):
        found.setdefault(tokens, []).append(edits)
    return found


def find_wrong(tokens: Tokens, proposed: Sequence[Edit], golds: Sequence[Sequence[Edit]]) -> tuple[Edit, ...]:
    """The proposed edits that are in no annotation, in order.

    An edit may be right though its span is another one: `has` and a new `gone` are the gold edit `has gone`, and a word
    may be put in before or after its like. So edits are compared by the text they make: all of them together, those
    that touch, those inside a run of gold edits, and each alone.
    """
    if any(apply_edits(tokens, proposed) == apply_edits(tokens, gold) for gold in golds):
        return ()
    right: set[Edit] = set()
    for gold in golds:
        for group in _groups(proposed):
            if _makes_same_text(tokens, group, gold):
                right.update(group)
        for run in _runs(gold):
            first, last = run[0].start, run[-1].end
            inside = [edit for edit in proposed if first <= edit.start and edit.end <= last]
            if inside and _apply_at(tokens[first:last], inside, first) == _apply_at(tokens[first:last], run, first):
                right.update(inside)
        right.update(edit for edit in proposed if any(_is_same(tokens, edit, other) for other in gold))
    return tuple(edit for edit in proposed if edit not in right)


def collect_wrong(examples: Iterable[Example], proposals: Proposals, limit: int) -> WrongEdits:
    """The wrong edits of each source; none, and a warning, where they could make it longer than `limit` tokens."""
    golds: dict[Tokens, list[tuple[Edit, ...]]] = {}
    for tokens, edits in examples:
        if tokens in proposals:
            golds.setdefault(tokens, []).append(edits)
    found: dict[Tokens, tuple[Edit, ...]] = {}
    n_long = 0
    for tokens, references in golds.items():
        proposed = (edit for edits in proposals[tokens] for edit in find_wrong(tokens, edits, references))
        wrong = tuple(dict.fromkeys(Edit(edit.start, edit.end, edit.replacement) for edit in proposed))
        if any(grown_length(tokens, (*gold, *wrong)) > limit for gold in references):
            n_long += bool(wrong)
        elif wrong:
            found[tokens] = wrong
    n_edits = sum(map(len, found.values()))
    log.info("%d wrong edits in %d of %d sentences with hypotheses", n_edits, len(found), len(golds))
    if n_long:
        log.warning("hypotheses of %d sentences left out: more than %d tokens with their wrong edits", n_long, limit)
    return found


def refuse_strangers(proposals: Proposals, examples: Iterable[Example], paths: Sequence[Path]) -> None:
    """Raise where no source of the hypotheses is in the data; say how many are not."""
    known = {tokens for tokens, _ in examples}
    n_strange = sum(tokens not in known for tokens in proposals)
    names = ", ".join(path.name for path in paths)
    if not proposals:
        raise DataError(f"{names}: there are no hypotheses; give lines of source, tab, hypothesis")
    if n_strange == len(proposals):
        raise DataError(f"{names}: no source is among the training sentences; give lines of source, tab, hypothesis")
    if n_strange:
        log.warning("%d of %d sources with hypotheses are not in the training data", n_strange, len(proposals))


def grown_length(tokens: Tokens, edits: Iterable[Edit]) -> int:
    """The most tokens that a subset of the edits can make of a sentence."""
    return len(tokens) + sum(max(0, len(edit.replacement) - (edit.end - edit.start)) for edit in edits)


def _groups(edits: Sequence[Edit]) -> list[list[Edit]]:
    """The edits in order, those that touch together."""
    groups: list[list[Edit]] = []
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        if groups and edit.start <= groups[-1][-1].end:
            groups[-1].append(edit)
        else:
            groups.append([edit])
    return groups


def _makes_same_text(tokens: Tokens, group: Sequence[Edit], gold: Sequence[Edit]) -> bool:
    """Whether the group does what gold edits that touch it do."""
    start, end = group[0].start, group[-1].end
    touching = [edit for edit in gold if edit.start <= end and start <= edit.end]
    if not touching:
        return False
    first, last = min(start, *(edit.start for edit in touching)), max(end, *(edit.end for edit in touching))
    part = tokens[first:last]
    return _apply_at(part, group, first) == _apply_at(part, touching, first)


def _apply_at(part: Tokens, edits: Sequence[Edit], offset: int) -> Tokens:
    return apply_edits(part, [Edit(edit.start - offset, edit.end - offset, edit.replacement) for edit in edits])


def _runs(gold: Sequence[Edit]) -> Iterator[Sequence[Edit]]:
    """Every edit, and all edits that follow each other and touch."""
    for group in _groups(gold):
        for first in range(len(group)):
            for last in range(first, len(group)):
                yield group[first : last + 1]


def _is_same(tokens: Tokens, edit: Edit, other: Edit) -> bool:
    """Whether two edits make the same sentence."""
    grows = len(edit.replacement) - edit.end + edit.start == len(other.replacement) - other.end + other.start
    return grows and apply_edits(tokens, [edit]) == apply_edits(tokens, [other])
