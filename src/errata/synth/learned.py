"""The noises every language shares: mistakes as a corpus shows them, frequent (`learned`) and rare (`lexical`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate

from errata.synth.sampler import INSERT, PHRASE, REPLACE, TABLE, Action, Weighted
from errata.synth.statistics import CLASS_WEIGHT, Mistakes, Statistics

LEARNED = "learned"
LEXICAL = "lexical"


class LearnedNoise:
    """Actions from the statistics of a corpus; `word_class` names the class that speaks for rare words."""

    def __init__(self, statistics: Statistics, word_class: Callable[[str], str]) -> None:
        self._statistics = statistics
        self._word_class = word_class
        self._by_class = {
            name: table for name, found in statistics.inserted_by_class.items() if (table := _insertions(found))
        }

    def actions(self, token: str) -> Iterator[Weighted]:
        """What was written instead of this token, and what was inserted before it."""
        found = self._statistics.replaced.get((token,))
        if found:
            for rate, mistake in found.rates():
                yield LEARNED, rate, (REPLACE, mistake.written, mistake.type)
        found = self._statistics.lexical.get((token,))
        if found:
            for rate, mistake in found.rates():
                yield LEXICAL, rate, (REPLACE, mistake.written, LEXICAL)
        yield from self.insertions(token)

    def insertions(self, token: str) -> Iterator[Weighted]:
        """What was inserted before this token or, with less weight the more often it was seen, before its class."""
        inserted = self._statistics.inserted.get(token)
        occurrences = 0
        if inserted:
            occurrences = inserted.occurrences
            for rate, mistake in inserted.rates(CLASS_WEIGHT):
                yield LEARNED, rate, (INSERT, mistake.written, mistake.type)
        shared = self._by_class.get(self._word_class(token))
        if shared:
            rate, action = shared
            yield LEARNED, rate * CLASS_WEIGHT / (occurrences + CLASS_WEIGHT), action

    def phrases(self) -> dict[tuple[str, str], list[Weighted]]:
        """What was written instead of phrases of two tokens and more, by their first two."""
        found: dict[tuple[str, str], list[Weighted]] = {}
        for name, table in ((LEARNED, self._statistics.replaced), (LEXICAL, self._statistics.lexical)):
            for phrase, mistakes in table.items():
                if len(phrase) < 2:
                    continue
                for rate, mistake in mistakes.rates():
                    kind = mistake.type if name == LEARNED else LEXICAL
                    action: Action = (PHRASE, (phrase, mistake.written), kind)
                    found.setdefault((phrase[0], phrase[1]), []).append((name, rate, action))
        return found


def _insertions(found: Mistakes) -> tuple[float, Action] | None:
    """All insertions before a class as one action, with the rate of them all."""
    rates = list(found.rates(CLASS_WEIGHT))
    if not rates:
        return None
    weights = list(accumulate(rate for rate, _ in rates))
    actions: list[Action] = [(INSERT, mistake.written, mistake.type) for _, mistake in rates]
    return weights[-1], (TABLE, (weights, actions), LEARNED)
