"""MaxMatch, the M² score (Dahlmeier and Ng 2012), with the numbers of the official m2scorer 3.2.

Of all minimal alignments of source and hypothesis, merged edits included, the one is taken that agrees best with the
gold edits (`_lattice`). Each sentence is scored against the annotator that makes the corpus F so far highest.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from errata.edits.base import get_extractor
from errata.edits.languages import LANGUAGES
from errata.errors import UnknownName, UsageError
from errata.metrics.base import Item, Metric
from errata.metrics.compared import describe_gold, view_edits
from errata.metrics.edit_counts import check_beta, f_scores
from errata.metrics.items import annotate_items, scored_references
from errata.metrics.signature import make_signature
from errata.metrics.texts import side_text, split_like
from errata.model import Annotation, Counts, Edit, Score, Tokens

if TYPE_CHECKING or os.environ.get("ERRATA_PURE") == "1":
    from errata.metrics._lattice import best_paths
else:
    try:
        from errata.metrics._lattice_c import best_paths
    except ImportError:
        from errata.metrics._lattice import best_paths


@dataclass(frozen=True, slots=True)
class MaxMatchOptions:
    """`max_unchanged_words` is how many unchanged words an edit may swallow.

    `ignore_whitespace_casing` leaves out proposed edits that change only spaces and case. References that are texts
    have no gold edits; `extract` names the language ("en", "zh") whose extractor may find them.
    """

    beta: float = 0.5
    max_unchanged_words: int = 2
    ignore_whitespace_casing: bool = False
    extract: str | None = None

    def __post_init__(self) -> None:
        check_beta(self.beta)
        if self.extract is not None and self.extract not in LANGUAGES:
            raise UnknownName("language", self.extract, LANGUAGES)
        if self.max_unchanged_words < 0:
            raise UsageError(f"max_unchanged_words must not be negative, not {self.max_unchanged_words}")


class Matches(NamedTuple):
    """The edits on the best path for one annotator, and those of them that are gold edits."""

    proposed: tuple[Edit, ...]
    correct: tuple[Edit, ...]


class AnnotatorCounts(NamedTuple):
    """How many edits of a sentence are correct, proposed and gold, for one annotator."""

    annotator: str
    correct: int
    proposed: int
    gold: int

    @property
    def counts(self) -> Counts:
        return Counts(self.correct, self.proposed - self.correct, self.gold - self.correct)


SentenceStats = tuple[AnnotatorCounts, ...]


class MaxMatch(Metric[SentenceStats]):
    """F-beta over the phrase edits that agree best with an annotator's."""

    name = "maxmatch"
    m2_dialect = "m2scorer"  # `||` separates alternatives in gold files
    reads_gold_edits = True
    Options = MaxMatchOptions
    options: MaxMatchOptions

    def __init__(self, options: MaxMatchOptions | None = None) -> None:
        super().__init__(options)
        self.language = self.options.extract

    @property
    def signature(self) -> str:
        options = self.options
        return make_signature(
            self.name,
            f"F{options.beta:g}",
            unchanged=options.max_unchanged_words,
            ignore="whitespace,case" if options.ignore_whitespace_casing else None,
        )

    def setting_for(self, language: str) -> tuple[str, str]:
        return "extract", language

    def compared(self, items: Sequence[Item]) -> str:
        """What extracted the gold edits where only texts are known, and the gold."""
        gold = describe_gold(items, view_edits)
        if self.options.extract is None or not _has_texts(items):
            return gold
        return f"{get_extractor(self.options.extract).signature}|{gold}"

    def stats(self, items: Sequence[Item]) -> list[SentenceStats]:
        """The counts of each sentence for each of its annotators."""
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        return [self._count(item, numbers) for item in self.prepare(items)]

    def prepare(self, items: Sequence[Item]) -> Sequence[Item]:
        """The items with gold edits for references that are texts, so that `stats` of any part of them is cheap."""
        if not _has_texts(items):
            return items
        if self.options.extract is None:
            raise UsageError(
                f"{self.name} needs gold edits, not only corrected texts: give an M2 file, "
                "or set extract=en or extract=zh to find the edits of the references"
            )
        extractor = get_extractor(self.options.extract)
        bare = [replace(item, hypothesis=Annotation()) for item in items]
        annotated = annotate_items(bare, lambda: extractor)
        return [replace(one, hypothesis=item.hypothesis) for one, item in zip(annotated, items, strict=True)]

    def _count(self, item: Item, numbers: defaultdict[str, int]) -> SentenceStats:
        references = scored_references(item)
        hypothesis = split_like(item.source, side_text(item.source, item.hypothesis))
        golds = [reference.edits for reference in references]
        found = find_matches(item.source.tokens, hypothesis, golds, self.options, numbers)
        return tuple(
            AnnotatorCounts(reference.annotator, len(matches.correct), len(matches.proposed), len(reference.edits))
            for reference, matches in zip(references, found, strict=True)
        )

    def aggregate(self, stats: Sequence[SentenceStats]) -> Score:
        """The corpus score; sentences nobody could annotate are left out."""
        chosen = choose_annotators(stats, self.options.beta)
        total = sum((one.counts for one in chosen), Counts())
        beta = self.options.beta
        parts: Mapping[str, float] = {
            "precision": total.precision,
            "recall": total.recall,
            f"f{beta:g}": total.f(beta),
            "tp": total.tp,
            "fp": total.fp,
            "fn": total.fn,
        }
        return Score(self.name, total.f(beta), parts, self.signature)

    def resample(self, stats: Sequence[SentenceStats], indices: np.ndarray) -> np.ndarray:
        """The corpus score of each row of sentence indices; all rows step through their positions together."""
        beta = self.options.beta
        return f_scores(_resample_counts(stats, indices, beta), beta)


def _has_texts(items: Sequence[Item]) -> bool:
    return any(isinstance(reference, str) for item in items for reference in item.references)


def find_matches(
    source: Tokens,
    hypothesis: Tokens,
    golds: Sequence[Sequence[Edit]],
    options: MaxMatchOptions,
    numbers: defaultdict[str, int] | None = None,
) -> list[Matches]:
    """For each annotator's gold edits, the edits proposed on the best path and those of them that are correct.

    `numbers` gives equal words equal numbers; sharing it between sentences saves work.
    """
    # A gold edit beyond the end of the sentence (NLPCC 2018 has one) is counted but can never be matched.
    golds = [[edit for edit in gold if edit.end <= len(source)] for gold in golds]
    if source == hypothesis:
        return [Matches((), ())] * len(golds)
    number = (numbers if numbers is not None else defaultdict(count().__next__)).__getitem__
    paths = best_paths(
        list(map(number, source)),
        list(map(number, hypothesis)),
        [[(edit.start, edit.end, [list(map(number, one)) for one in edit.replacements]) for edit in g] for g in golds],
        options.max_unchanged_words,
    )
    found = []
    for path, gold in zip(paths, golds, strict=True):
        edits = [Edit(start, end, hypothesis[left:right]) for start, end, left, right in path]
        if options.ignore_whitespace_casing:
            edits = [edit for edit in edits if _changes_letters(source, edit)]
        found.append(Matches(tuple(edits), tuple(_correct_edits(edits, gold))))
    return found


def _changes_letters(source: Tokens, edit: Edit) -> bool:
    """Whether more than spaces and case is changed."""
    return "".join(source[edit.start : edit.end]).lower() != "".join(edit.replacement).lower()


def _correct_edits(proposed: Sequence[Edit], gold: Sequence[Edit]) -> list[Edit]:
    """The proposed edits that are gold; both lists are gone through once, in order, as the official scorer does."""
    correct = []
    next_gold = 0
    for edit in proposed:
        for place in range(next_gold, len(gold)):
            wanted = gold[place]
            if (edit.start, edit.end) == (wanted.start, wanted.end) and edit.replacement in wanted.replacements:
                correct.append(edit)
                next_gold = place + 1
                break
    return correct


def _weights(beta: float) -> tuple[int, int]:
    """β² as a fraction: F is compared in whole numbers, since exact ties occur and rounding breaks them wrongly."""
    square = Fraction(str(beta)) ** 2
    return square.numerator, square.denominator


def choose_annotators(stats: Sequence[SentenceStats], beta: float) -> list[AnnotatorCounts]:
    """The annotator each sentence is scored against, in order: the highest F of the corpus up to this sentence.

    On a tie more correct edits, then the smaller proposed + β²·gold, then the first.
    """
    top, bottom = _weights(beta)
    correct = load = 0  # running totals; the load is (proposed + β²·gold) times the denominator of β²

    def rank(one: AnnotatorCounts) -> tuple[Fraction, int, int]:
        tp = correct + one.correct
        weight = load + bottom * one.proposed + top * one.gold
        return Fraction((top + bottom) * tp, weight) if weight else Fraction(1), tp, -weight

    chosen = []
    for sentence in stats:
        if not sentence:
            continue
        best = sentence[0] if len(sentence) == 1 else max(sentence, key=rank)
        correct += best.correct
        load += bottom * best.proposed + top * best.gold
        chosen.append(best)
    return chosen


def _resample_counts(stats: Sequence[SentenceStats], indices: np.ndarray, beta: float) -> np.ndarray:
    """True and false positives and false negatives (rows, 3) with `choose_annotators` made for every row."""
    # Missing annotators repeat the first one, which wins its ties; a sentence without any counts nothing.
    width = max((len(sentence) for sentence in stats), default=1) or 1
    filled = [(*sentence, *[sentence[0] if sentence else _NOBODY] * (width - len(sentence))) for sentence in stats]
    table = np.array([[one[1:] for one in sentence] for sentence in filled], dtype=np.int64).reshape(-1, width, 3)
    top, bottom = _weights(beta)
    largest = int(table.max(initial=0)) * indices.shape[1]
    if (top + bottom) ** 2 * largest * largest >= 1 << 61:
        table = table.astype(object)  # whole numbers of any size, slowly
    correct = table[:, :, 0]
    loads = bottom * table[:, :, 1] + top * table[:, :, 2]
    rows = len(indices)
    totals = np.zeros((rows, 3), dtype=table.dtype)
    load = np.zeros(rows, dtype=table.dtype)
    for sentence in indices.T:
        best = np.zeros(rows, dtype=np.intp)
        best_tp, best_load = totals[:, 0] + correct[sentence, 0], load + loads[sentence, 0]
        for annotator in range(1, width):
            tp, new_load = totals[:, 0] + correct[sentence, annotator], load + loads[sentence, annotator]
            # An empty load means nothing proposed and nothing wanted: F is 1.
            f = np.where(new_load == 0, 1, (top + bottom) * tp) * np.where(best_load == 0, 1, best_load)
            best_f = np.where(best_load == 0, 1, (top + bottom) * best_tp) * np.where(new_load == 0, 1, new_load)
            is_tied = (f == best_f) & ((tp > best_tp) | ((tp == best_tp) & (new_load < best_load)))
            is_better = (f > best_f) | is_tied
            best[is_better] = annotator
            best_tp, best_load = np.where(is_better, tp, best_tp), np.where(is_better, new_load, best_load)
        totals += table[sentence, best]
        load = best_load
    tp, proposed, gold = totals.T
    return np.stack([tp, proposed - tp, gold - tp], axis=1)


_NOBODY = AnnotatorCounts("", 0, 0, 0)
