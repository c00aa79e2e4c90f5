"""How many errors a sentence gets: the histogram of a corpus by sentence length, bent to the wanted rate."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random

# Upper bounds of the length classes, in tokens; the last class has no bound.
EDGES = (4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 96, 128)
# A length class with fewer sentences says little; the overall error rate speaks for it.
MIN_SENTENCES = 100
MAX_ERRORS = 24
# W&I train (three levels) has 0.10 errors a token, CWEB 0.02; this is for models nobody trained.
DEFAULT_RATE = 0.08


@dataclass(slots=True)
class ErrorHistogram:
    """Sentences by length class and number of errors, as counted in a corpus."""

    rows: list[list[int]] = field(default_factory=lambda: [[0] * (MAX_ERRORS + 1) for _ in range(len(EDGES) + 1)])
    n_tokens: int = 0
    n_errors: int = 0

    def add(self, n_tokens: int, n_errors: int) -> None:
        """Count one sentence."""
        self.rows[bisect_left(EDGES, n_tokens)][min(n_errors, MAX_ERRORS)] += 1
        self.n_tokens += n_tokens
        self.n_errors += n_errors

    @property
    def rate(self) -> float:
        """Errors per token."""
        return self.n_errors / self.n_tokens if self.n_tokens else DEFAULT_RATE

    @property
    def clean_share(self) -> float:
        """Share of sentences without an error."""
        total = sum(map(sum, self.rows))
        return sum(row[0] for row in self.rows) / total if total else 0.0

    def as_dict(self) -> dict[str, object]:
        rows = [row[: max((i + 1 for i, n in enumerate(row) if n), default=0)] for row in self.rows]
        return {"rows": rows, "n_tokens": self.n_tokens, "n_errors": self.n_errors}

    @classmethod
    def from_dict(cls, data: Mapping[str, Sequence[Sequence[int]] | int]) -> ErrorHistogram:
        rows, n_tokens, n_errors = data["rows"], data["n_tokens"], data["n_errors"]
        assert not isinstance(rows, int) and isinstance(n_tokens, int) and isinstance(n_errors, int)
        return cls([[*row, *[0] * (MAX_ERRORS + 1 - len(row))] for row in rows], n_tokens, n_errors)


class ErrorCounter:
    """Draws the number of errors of a sentence from its length.

    `rate` is the wanted number of errors per token (None: the corpus's own), `clean` the wanted share of unchanged
    sentences (None: whatever follows from the histogram and the rate).
    """

    def __init__(self, histogram: ErrorHistogram, *, rate: float | None = None, clean: float | None = None) -> None:
        self._clean = clean
        self._rate = rate if rate is not None else histogram.rate
        self._factor = 1.0 if rate is None or histogram.rate == 0 else rate / histogram.rate
        if clean is not None:
            # Errors gather in fewer (or more) sentences than in the corpus; the rate over all tokens stays.
            corpus_clean = histogram.clean_share
            self._factor *= (1 - corpus_clean) / (1 - clean) if clean < 1 and corpus_clean < 1 and rate else 1.0
        self._cumulative = [_cumulative(row, skip_zero=clean is not None) for row in histogram.rows]

    def draw(self, n_tokens: int, rng: Random) -> int:
        """The number of errors for a sentence of `n_tokens` tokens, at most one for every two tokens."""
        clean = self._clean
        if n_tokens == 0 or (clean is not None and rng.random() < clean):
            return 0
        row = self._cumulative[bisect_left(EDGES, n_tokens)]
        if row:
            wanted = self._factor * (bisect_right(row, rng.random()) + (clean is not None))
            count = int(wanted)
            count += rng.random() < wanted - count
        else:
            # Errors come in clusters: a geometric number has about the spread that corpora show.
            mean = self._rate * n_tokens
            count = int(math.log(1.0 - rng.random()) / math.log(mean / (1 + mean))) if mean > 0 else 0
        if clean is not None:
            count = max(count, 1)
        return min(count, (n_tokens + 1) // 2, MAX_ERRORS)


def _cumulative(row: Sequence[int], *, skip_zero: bool) -> list[float]:
    """Cumulated probabilities of 0, 1, 2 … errors (of 1, 2 … with `skip_zero`); empty when too little was counted."""
    row = row[1:] if skip_zero else row
    total = sum(row)
    if total < MIN_SENTENCES:
        return []
    return [n / total for n in accumulate(row)][:-1]
