"""GLEU without tuning (Napoles et al. 2015, 2016): n-gram precision that punishes n-grams the references changed.

The official script scores every sentence against one reference drawn at random and reports the mean of 500 such runs.
`variant="official"` is that mean to the last printed digit; `variant="deterministic"` puts each count's expectation
in the place of the draw, so that there is no noise and one pass is enough.

The script punishes an n-gram of the source only if the reference does not have it at all. `penalty="surplus"` punishes
every occurrence that the reference has fewer of, as the paper defines it (Koyama et al. 2024; `GLEU` of gec-metrics).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import lcm
from random import Random

import numpy as np

from errata.edits.texts import source_text
from errata.errors import UnknownName, UsageError
from errata.metrics.base import Item, Metric
from errata.metrics.signature import make_signature
from errata.metrics.texts import MAX_ORDER, check_level, reference_texts, side_text, split_at_level
from errata.model import Score, Tokens

VARIANTS = ("deterministic", "official")
PENALTIES = ("absent", "surplus")
SEED_STEP = 101  # the official script seeds run j with 101·j
_ROWS, _POSITIONS = 1024, 512  # how much of a resample is worked on at a time; bounds memory

# For each reference: lengths of hypothesis and reference, then matched and possible n-grams of each order.
SentenceStats = tuple[tuple[int, ...], ...]
NgramCounts = list[Counter[Tokens]]


@dataclass(frozen=True, slots=True)
class GleuOptions:
    """`level` is "word" or "char"; without it texts are split like the source. `iterations` is for "official" only.

    `penalty` says which n-grams of the source the hypothesis should not have kept: those that are "absent" from the
    reference, or also the "surplus" of those that the reference has fewer of.
    """

    variant: str = "deterministic"
    penalty: str = "absent"
    order: int = 4
    lowercase: bool = False
    level: str | None = None
    iterations: int = 500

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise UnknownName("variant of GLEU", self.variant, VARIANTS)
        if self.penalty not in PENALTIES:
            raise UnknownName("penalty of GLEU", self.penalty, PENALTIES)
        check_level(self.level)
        if not 1 <= self.order <= MAX_ORDER or self.iterations < 1:
            raise UsageError(f"order of GLEU is between 1 and {MAX_ORDER}, iterations at least 1")


class Gleu(Metric[SentenceStats]):
    """GLEU of a corpus, and of sentences as the official script smooths them (`sentence_scores`)."""

    name = "gleu"
    is_cuttable = True
    Options = GleuOptions
    options: GleuOptions

    @property
    def signature(self) -> str:
        options = self.options
        return make_signature(
            self.name,
            f"{options.order}-gram",
            variant=options.variant,
            penalty=options.penalty if options.penalty != "absent" else None,
            iterations=options.iterations if options.variant == "official" else None,
            case="lower" if options.lowercase else "mixed",
            tok=options.level or "source",
        )

    def stats(self, items: Sequence[Item]) -> list[SentenceStats]:
        """For each sentence its n-gram statistics against every reference."""
        return [self._count(item) for item in items]

    def _count(self, item: Item) -> SentenceStats:
        order = self.options.order
        match = match_ngrams if self.options.penalty == "absent" else match_surplus
        source = self._tokens(item, source_text(item.source)) if self.options.level else item.source.tokens
        if self.options.lowercase:
            source = tuple(map(str.lower, source))
        hypothesis = self._tokens(item, side_text(item.source, item.hypothesis))
        source_ngrams, hypothesis_ngrams = count_ngrams(source, order), count_ngrams(hypothesis, order)
        seen: dict[Tokens, tuple[int, ...]] = {}  # references are often equal
        rows = []
        for text in reference_texts(item):
            reference = self._tokens(item, text)
            if reference not in seen:
                matched = match(hypothesis_ngrams, source_ngrams, count_ngrams(reference, order))
                possible = (max(len(hypothesis) - n, 0) for n in range(order))
                pairs = (number for pair in zip(matched, possible, strict=True) for number in pair)
                seen[reference] = (len(hypothesis), len(reference), *pairs)
            rows.append(seen[reference])
        return tuple(rows)

    def _tokens(self, item: Item, text: str) -> Tokens:
        if self.options.lowercase:
            text = text.lower()
        return split_at_level(item.source, text, self.options.level)

    def aggregate(self, stats: Sequence[SentenceStats]) -> Score:
        """The corpus score; `parts` has the n-gram precisions, the brevity penalty and, officially, the deviation."""
        row = np.arange(len(stats))[None]
        expected = self._expected_sums(stats, row)[0]
        parts = {"gleu": 0.0, "brevity": float(np.exp(_log_brevity(expected)))}
        for n, (matched, possible) in enumerate(zip(expected[2::2], expected[3::2], strict=True), 1):
            parts[f"precision{n}"] = float(matched / possible) if possible else 0.0
        if self.options.variant == "official":
            runs = gleu_of_sums(self._sampled_sums(stats, row)[0])
            parts["gleu"], parts["std"] = float(runs.mean()), float(runs.std())
        else:
            parts["gleu"] = float(gleu_of_sums(expected))
        return Score(self.name, parts["gleu"], parts, self.signature)

    def resample(self, stats: Sequence[SentenceStats], indices: np.ndarray) -> np.ndarray:
        """The corpus score of each row of sentence indices."""
        if self.options.variant == "deterministic":
            return gleu_of_sums(self._expected_sums(stats, indices))
        blocks = (indices[start : start + _ROWS] for start in range(0, len(indices), _ROWS))
        return np.concatenate([gleu_of_sums(self._sampled_sums(stats, rows)).mean(axis=1) for rows in blocks])

    def sentence_scores(self, stats: Sequence[SentenceStats]) -> np.ndarray:
        """The official sentence score: zero counts raised to 1, then the mean over the references."""
        scores = [gleu_of_sums(np.maximum(np.array(rows, dtype=float), 1)).mean() if rows else 0.0 for rows in stats]
        return np.array(scores, dtype=float)

    def _expected_sums(self, stats: Sequence[SentenceStats], indices: np.ndarray) -> np.ndarray:
        """Sums (rows, counts) of each sentence's mean over its references.

        All are multiplied by one whole number that makes the means whole: sums are exact and their order is
        indifferent, and GLEU depends on ratios only.
        """
        scale = lcm(*(len(rows) or 1 for rows in stats))
        width = 2 + 2 * self.options.order
        table = np.zeros((len(stats), width), dtype=np.int64)
        for place, rows in enumerate(stats):
            if rows:
                table[place] = np.array(rows).sum(axis=0) * (scale // len(rows))
        return np.array([table[row].sum(axis=0) for row in indices], dtype=float).reshape(len(indices), width)

    def _sampled_sums(self, stats: Sequence[SentenceStats], indices: np.ndarray) -> np.ndarray:
        """Sums (rows, runs, counts): in every run each position draws one of its sentence's references."""
        runs, width = self.options.iterations, 2 + 2 * self.options.order
        sizes = np.array([len(rows) for rows in stats], dtype=np.intp)
        table = np.zeros((len(stats), max(sizes, default=0), width))
        for place, rows in enumerate(stats):
            if rows:
                table[place, : len(rows)] = rows
        sums = np.zeros((runs, len(indices) * width))
        for start, draws in _draw_positions(runs, indices.shape[1]):
            block = indices[:, start : start + draws.shape[1]]
            block_sizes = sizes[block]
            for size in np.unique(block_sizes):
                # Python 2's randint, which the official script runs on: the truncated product.
                choices = (draws * size).astype(np.intp)
                has_size = (block_sizes == size)[..., None]
                for reference in range(size):
                    counts = np.where(has_size, table[block, reference], 0)  # (rows, positions, counts)
                    flat = counts.transpose(1, 0, 2).reshape(draws.shape[1], -1)
                    sums += (choices == reference).astype(float) @ flat
        return sums.reshape(runs, len(indices), width).transpose(1, 0, 2)


def count_ngrams(tokens: Tokens, order: int) -> NgramCounts:
    """How often each n-gram occurs, for n = 1 … order."""
    return [Counter(zip(*(tokens[k:] for k in range(n)), strict=False)) for n in range(1, order + 1)]


def match_ngrams(hypothesis: NgramCounts, source: NgramCounts, reference: NgramCounts) -> Iterator[int]:
    """For each order, n-grams shared with the reference less those shared with the source that it does not have."""
    for hyp, src, ref in zip(hypothesis, source, reference, strict=True):
        matched = 0
        for ngram, count in hyp.items():
            wanted = ref.get(ngram)
            if wanted is not None:
                matched += min(count, wanted)
            else:
                matched -= min(count, src.get(ngram, 0))
        yield max(matched, 0)


def match_surplus(hypothesis: NgramCounts, source: NgramCounts, reference: NgramCounts) -> Iterator[int]:
    """For each order, n-grams shared with the reference less those kept from the source too often; may be negative."""
    for hyp, src, ref in zip(hypothesis, source, reference, strict=True):
        matched = 0
        for ngram, count in hyp.items():
            wanted = ref.get(ngram, 0)
            matched += min(count, wanted) - max(min(count, src.get(ngram, 0)) - wanted, 0)
        yield matched


def gleu_of_sums(sums: np.ndarray) -> np.ndarray:
    """GLEU of summed counts (…, 2 + 2·order); 0 where any count is 0 or less, as in the official script."""
    matched, possible = sums[..., 2::2], sums[..., 3::2]
    is_zero = (sums <= 0).any(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_precision = np.log(matched / possible).mean(axis=-1)
        scores: np.ndarray = np.where(is_zero, 0.0, np.exp(_log_brevity(sums) + log_precision))
    return scores


def _log_brevity(sums: np.ndarray) -> np.ndarray:
    """The logarithm of the brevity penalty: 0 unless the hypotheses are shorter than the references."""
    with np.errstate(divide="ignore", invalid="ignore"):
        penalty: np.ndarray = np.fmin(0.0, 1 - sums[..., 1] / sums[..., 0])  # fmin: 0 where both lengths are 0
    return penalty


def _draw_positions(runs: int, positions: int) -> Iterator[tuple[int, np.ndarray]]:
    """(first position, draws (runs, positions) in [0, 1)) block by block; run j has the official seed."""
    streams = [Random(SEED_STEP * run) for run in range(runs)]
    for start in range(0, positions, _POSITIONS):
        size = min(_POSITIONS, positions - start)
        yield start, np.array([[stream.random() for _ in range(size)] for stream in streams])
