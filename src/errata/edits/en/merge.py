"""From alignment steps to edit spans: ERRANT's rules and its three simple strategies."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from string import punctuation

from errata.edits.en.align import Step, similarity_cost
from errata.edits.en.analysis import Analysis, Token

Steps = Sequence[Step]

CONTENT = frozenset({"ADJ", "AUX", "ADV", "NOUN", "VERB"})
VERBAL = frozenset({"AUX", "PART", "VERB"})
SIMILAR = 0.75  # substitutions more alike than this are errors of their own
_JOINERS = re.compile("['-]")


def all_split(steps: Steps, source: Analysis, target: Analysis) -> list[Step]:
    """Every step that is not a match, as it is."""
    return [step for step in steps if step.op != "M"]


def all_merge(steps: Steps, source: Analysis, target: Analysis) -> list[Step]:
    """One span for each run of steps between matches."""
    runs = groupby(steps, key=lambda step: step.op == "M")
    return [_join(list(run)) for is_match, run in runs if not is_match]


def all_equal(steps: Steps, source: Analysis, target: Analysis) -> list[Step]:
    """One span for each run of the same operation."""
    runs = groupby(steps, key=lambda step: step.op)
    return [_join(list(run)) for op, run in runs if op != "M"]


def by_rules(steps: Steps, source: Analysis, target: Analysis) -> list[Step]:
    """ERRANT's default: reorderings stay alone, runs of D, I and S are merged or split by what the words are."""
    spans: list[Step] = []
    for kind, run in groupby(steps, key=lambda step: step.op[0] if step.op[0] in "MT" else "other"):
        if kind == "T":
            spans.extend(run)
        elif kind == "other":
            spans.extend(_merge_run(list(run), source, target))
    return spans


MERGERS: dict[str, Callable[[Steps, Analysis, Analysis], list[Step]]] = {
    "rules": by_rules,
    "all-split": all_split,
    "all-merge": all_merge,
    "all-equal": all_equal,
}


def _join(steps: Steps) -> Step:
    first, last = steps[0], steps[-1]
    return Step("X", first.start, last.end, first.target_start, last.target_end)


def _merge_run(run: list[Step], source: Analysis, target: Analysis) -> list[Step]:
    """Spans for adjacent D, I and S steps; the longest stretches are tried first, then shorter ones from the left."""
    if len(run) <= 1:
        return run
    ops = "".join(step.op for step in run)
    if "S" not in ops and len(set(ops)) == 1:
        return [_join(run)]

    def recurse(part: list[Step]) -> list[Step]:
        return _merge_run(part, source, target)

    has_content = False
    for length in range(len(run) - 1, 0, -1):
        for start in range(len(run) - length):
            end = start + length
            if "S" not in ops[start : end + 1]:
                continue
            old = source.tokens(run[start].start, run[end].end)
            new = target.tokens(run[start].target_start, run[end].target_end)
            if start == 0 and "POS" in (old[0].tag, new[0].tag):
                return [run[0], *recurse(run[1:])]
            pair = _joins_last_two(start, old, new)
            if pair == "all":
                return [_join(run[: end + 1]), *recurse(run[end + 1 :])]
            if pair == "two":
                return [*recurse(run[: end - 1]), _join(run[end - 1 : end + 1]), *recurse(run[end + 1 :])]
            kinds = {token.pos for token in old} | {token.pos for token in new}
            if _same_letters(old, new) or (len(old) != len(new) and (len(kinds) == 1 or kinds <= VERBAL)):
                return [*recurse(run[:start]), _join(run[start : end + 1]), *recurse(run[end + 1 :])]
            if length == 1:
                cut = _split_point(ops, start, old, new)
                if cut is not None:
                    return [*recurse(run[:cut]), *recurse(run[cut:])]
            has_content = has_content or not kinds.isdisjoint(CONTENT)
    return [_join(run)] if has_content else run


def _joins_last_two(start: int, old: list[Token], new: list[Token]) -> str:
    """Whether the stretch ends in words that belong together: "two" steps, "all" of it, or "" (no).

    Possessives join the noun before them ([friends → friend 's]); a change of case joins what caused it
    ([Cat → The big cat], [, we → . We]).
    """
    if "POS" in (old[-1].tag, new[-1].tag):
        return "two"
    if old[-1].lower != new[-1].lower:
        return ""
    if start == 0 and ((len(old) == 1 and new[0].text[0].isupper()) or (len(new) == 1 and old[0].text[0].isupper())):
        return "all"
    after_punctuation = any(len(side) > 1 and _is_punctuation(side[-2]) for side in (old, new))
    return "two" if after_punctuation else ""


def _is_punctuation(token: Token) -> bool:
    return token.pos == "PUNCT" or token.text in punctuation


def _same_letters(old: list[Token], new: list[Token]) -> bool:
    """Only spaces, hyphens and apostrophes differ: [acat → a cat], [sub - way → subway]."""
    before, after = ("".join(token.lower for token in side) for side in (old, new))
    return _JOINERS.sub("", before) == _JOINERS.sub("", after)


def _split_point(ops: str, start: int, old: list[Token], new: list[Token]) -> int | None:
    """Where two neighbouring steps come apart: two substitutions, one near to its target, a final determiner."""
    if len(old) == len(new) == 2:
        return start + 1
    near_start = ops[start] == "S" and 1 - similarity_cost(old[0].text, new[0].text) > SIMILAR
    near_end = ops[start + 1] == "S" and 1 - similarity_cost(old[-1].text, new[-1].text) > SIMILAR
    if near_start or near_end:
        return start + 1
    last = ops[-1]
    if start + 2 == len(ops) and ((last in "DS" and old[-1].pos == "DET") or (last in "IS" and new[-1].pos == "DET")):
        return len(ops) - 1
    return None
