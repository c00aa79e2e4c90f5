"""The threshold of a domain: the τ between 0.9 and 1.0 with the best F0.5 on a development set.

Scores of sentences are remembered, so trying all thresholds takes little longer than correcting once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from errata.systems.evaluation import dev_scores, propose_whole
from errata.systems.lm.corrector import LanguageModelCorrector, Scores
from errata.training.pairs import DevSentence

# The range of CWEB, whose table has thresholds with two decimal places.
GRID = tuple(round(0.90 + 0.01 * step, 2) for step in range(11))


@dataclass(frozen=True, slots=True)
class Trial:
    """A threshold and the dev scores it gives."""

    threshold: float
    scores: dict[str, float]


class _Remembering:
    """A scorer that runs each sentence once."""

    def __init__(self, scorer: Scores) -> None:
        self.scorer = scorer
        self._known: dict[tuple[str, tuple[str, ...]], tuple[float, dict[str, float]]] = {}

    def score_all(self, asked: Sequence[tuple[str, Sequence[str]]]) -> list[tuple[float, dict[str, float]]]:
        keys = [(original, tuple(alternatives)) for original, alternatives in asked]
        new = list(dict.fromkeys(key for key in keys if key not in self._known))
        self._known.update(zip(new, self.scorer.score_all(new), strict=True))
        return [self._known[key] for key in keys]


def tune(
    model: LanguageModelCorrector,
    dev: Sequence[DevSentence],
    *,
    grid: Sequence[float] = GRID,
    progress: Callable[[Trial], None] | None = None,
) -> tuple[Trial, list[Trial]]:
    """The best trial, and all trials; of equal scores the most careful threshold wins."""
    trials = []
    sentences = [one.tokens for one in dev]
    scorer = _Remembering(model.scorer)
    for threshold in sorted(grid):
        trial = LanguageModelCorrector(scorer, model.settings, language=model.language, threshold=threshold)
        trials.append(Trial(threshold, dev_scores(dev, propose_whole(trial, sentences), model.language)))
        if progress:
            progress(trials[-1])
    best = max(trials, key=lambda one: (one.scores["f0.5"], -one.threshold))
    return best, trials
