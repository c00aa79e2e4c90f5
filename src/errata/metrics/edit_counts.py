"""Counting edits the way ERRANT's compare program does: keys per mode, multisets with its rules, best reference.

An edit matches under a *key* (its span, its span and correction …). Where several edits have one key, a match counts
as a true positive as often as the *reference* has it, whatever the hypothesis has; misses count as often as the side
they are missing from has them. Which reference a sentence is scored against depends on the totals of the sentences
before it: the highest corpus F, rounded to four places, then more true positives, fewer false positives, fewer false
negatives, then the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from errata.errors import UsageError
from errata.model import Counts, Edit, span

# The β of F. Beyond these F is precision or recall in all digits that are shown; far beyond, it is no number.
SMALLEST_BETA, LARGEST_BETA = 0.001, 1000
PLACES = 4  # the official program compares F rounded to four places; other precision picks other references

Key = tuple[int | str, ...]
KeyFunction = Callable[[Edit], Iterable[Key]]
Keys = dict[Key, list[str]]
"""The types of the edits under each key; insertion order is the order of the edits."""


def correction_text(edit: Edit) -> str:
    """The correction field of an M2 line: tokens separated by spaces, alternatives by `||`.

    The official program compares this field as it stands, so that alternatives never match.
    """
    return "||".join(" ".join(tokens) for tokens in edit.replacements)


def correction_span(edit: Edit) -> Iterable[Key]:
    return ((edit.start, edit.end, correction_text(edit)),)


def typed_correction(edit: Edit) -> Iterable[Key]:
    return ((edit.start, edit.end, edit.type, correction_text(edit)),)


def joined_correction(edit: Edit) -> Iterable[Key]:
    """ChERRANT compares corrections without the spaces between tokens."""
    return ((edit.start, edit.end, "".join(edit.replacement)),)


def joined_typed_correction(edit: Edit) -> Iterable[Key]:
    return ((edit.start, edit.end, edit.type, "".join(edit.replacement)),)


def detection_span(edit: Edit) -> Iterable[Key]:
    return (span(edit),)


def detection_tokens(edit: Edit) -> Iterable[Key]:
    """Each token of the span; an insertion touches the token to its right."""
    return ((at, at + 1) for at in range(edit.start, max(edit.end, edit.start + 1)))


def collect_keys(edits: Iterable[Edit], key: KeyFunction) -> Keys:
    """The types under each key of the edits."""
    keys: Keys = {}
    for edit in edits:
        for one in key(edit):
            keys.setdefault(one, []).append(edit.type)
    return keys


@dataclass(frozen=True, slots=True)
class EditCounts:
    """What a hypothesis gets against one reference: in all, and for each error type."""

    annotator: str
    total: Counts
    by_type: Mapping[str, Counts]


def compare_keys(hypothesis: Keys, reference: Keys, annotator: str = "0") -> EditCounts:
    """The counts of one hypothesis against one reference; a matched edit has the reference's type."""
    cells: dict[str, list[int]] = {}

    def count(types: Iterable[str], place: int) -> None:
        for one in types:
            cells.setdefault(one, [0, 0, 0])[place] += 1

    for key, types in hypothesis.items():
        matched = reference.get(key)
        if matched is None:
            count(types, 1)
        else:
            count(matched, 0)
    for key, types in reference.items():
        if key not in hypothesis:
            count(types, 2)
    by_type = {name: Counts(*cell) for name, cell in cells.items()}
    return EditCounts(annotator, sum(by_type.values(), Counts()), by_type)


@dataclass(frozen=True, slots=True)
class SentenceCounts:
    """A sentence's counts against each of its references.

    No references at all means that the sentence is not scored (nobody could annotate it).
    """

    references: tuple[EditCounts, ...]


def rounded_f(counts: Counts, beta: float) -> float:
    return round(counts.f(beta), PLACES)


def choose_reference(candidates: Sequence[Counts], so_far: Counts, beta: float) -> int:
    """The index of the reference to score against, given the totals of the sentences before."""

    def rank(index: int) -> tuple[float, int, int, int, int]:
        counts = candidates[index]
        return rounded_f(so_far + counts, beta), counts.tp, -counts.fp, -counts.fn, -index

    return max(range(len(candidates)), key=rank)


def choose_references(stats: Sequence[SentenceCounts], beta: float) -> list[EditCounts]:
    """The counts of the chosen reference of each scored sentence, in order."""
    chosen: list[EditCounts] = []
    so_far = Counts()
    for sentence in stats:
        if not sentence.references:
            continue
        candidates = [reference.total for reference in sentence.references]
        best = sentence.references[choose_reference(candidates, so_far, beta)]
        so_far += best.total
        chosen.append(best)
    return chosen


def merge_types(counts: Iterable[EditCounts]) -> dict[str, Counts]:
    """The counts of each type, added up, in order of first appearance."""
    merged: dict[str, Counts] = {}
    for one in counts:
        for name, cell in one.by_type.items():
            merged[name] = merged.get(name, Counts()) + cell
    return merged


def count_table(stats: Sequence[SentenceCounts]) -> tuple[np.ndarray, np.ndarray]:
    """Counts of every reference, (sentences, references, 3), and which of them exist, (sentences, references)."""
    width = max((len(sentence.references) for sentence in stats), default=0)
    table = np.zeros((len(stats), max(width, 1), 3), dtype=np.int64)
    exists = np.zeros(table.shape[:2], dtype=bool)
    for row, sentence in enumerate(stats):
        for column, reference in enumerate(sentence.references):
            total = reference.total
            table[row, column] = total.tp, total.fp, total.fn
            exists[row, column] = True
    return table, exists


def check_beta(beta: float) -> None:
    """Refuse a β whose square is lost, or loses everything else, where F is computed."""
    if not SMALLEST_BETA <= beta <= LARGEST_BETA:
        raise UsageError(f"beta is between {SMALLEST_BETA:g} and {LARGEST_BETA:g}, not {beta:g}")


def f_scores(counts: np.ndarray, beta: float) -> np.ndarray:
    """`Counts.f` of counts (…, 3), to the last bit."""
    tp, fp, fn = (counts[..., place].astype(float) for place in range(3))
    with np.errstate(invalid="ignore", divide="ignore"):
        precision = np.where(fp > 0, tp / (tp + fp), 1.0)
        recall = np.where(fn > 0, tp / (tp + fn), 1.0)
        weight = beta * beta
        f = (1 + weight) * precision * recall / (weight * precision + recall)
    scores: np.ndarray = np.where(precision + recall > 0, f, 0.0)
    return scores


def round_scores(values: np.ndarray) -> np.ndarray:
    """`round(value, 4)` of each value, to the last bit, as integers in units of 0.0001.

    numpy scales before it rounds, which errs where the value lies next to a tie; those few go through Python's round.
    """
    scaled = values * 10**PLACES
    units = np.rint(scaled)
    near_tie = np.abs(np.abs(scaled - units) - 0.5) < 1e-6
    for place in zip(*np.nonzero(near_tie), strict=True):
        units[place] = round(round(float(values[place]), PLACES) * 10**PLACES)
    rounded: np.ndarray = units.astype(np.int64)
    return rounded


def sentence_weights(indices: np.ndarray, n_sentences: int) -> np.ndarray:
    """How often each sentence is in each row of indices, (rows, sentences)."""
    rows = len(indices)
    flat = (indices + np.arange(rows)[:, None] * n_sentences).ravel()
    weights: np.ndarray = np.bincount(flat, minlength=rows * n_sentences).reshape(rows, n_sentences).astype(float)
    return weights


def _as_counts(sums: np.ndarray) -> np.ndarray:
    counts: np.ndarray = np.rint(sums).astype(np.int64)
    return counts


def resample_totals(stats: Sequence[SentenceCounts], indices: np.ndarray, beta: float) -> np.ndarray:
    """Corpus totals (rows, 3) of each row of `indices`, the reference of each sentence chosen as the row unfolds."""
    table, exists = count_table(stats)
    if table.shape[1] == 1:
        return _as_counts(sentence_weights(indices, len(stats)) @ table[:, 0])
    # One number that orders candidates of equal F: true positives first, then fewer false positives, then fewer
    # false negatives; argmax takes the first of equals. It is a rank, since counts may be sums of large weights.
    kinds, tie_break = np.unique((table * (1, -1, -1)).reshape(-1, 3), axis=0, return_inverse=True)
    tie_break, scale = tie_break.reshape(table.shape[:2]), len(kinds)
    rows = np.arange(len(indices))
    totals = np.zeros((len(indices), 3), dtype=np.int64)
    # Where all references give the same counts there is nothing to choose.
    is_alike = ((table == table[:, :1]).all(axis=2) | ~exists).all(axis=1)
    for position in range(indices.shape[1]):
        sentence = indices[:, position]
        if is_alike[sentence].all():
            totals += table[sentence, 0]
            continue
        candidates = table[sentence]  # (rows, references, 3)
        f = round_scores(f_scores(totals[:, None] + candidates, beta))
        rank = np.where(exists[sentence], f * scale + tie_break[sentence], -1)
        totals += candidates[rows, rank.argmax(axis=1)]
    return totals
