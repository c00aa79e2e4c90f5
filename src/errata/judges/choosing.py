"""The best of several corrections by a metric that needs no references: one of them whole, or their edits combined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from errata.edits.apply import apply_edits
from errata.edits.texts import source_text
from errata.errors import UsageError
from errata.metrics.base import Item, Metric
from errata.metrics.inputs import make_sentence
from errata.model import Edit, Sentence
from errata.systems.ensemble.ballots import Ballot, BallotBox
from errata.systems.ensemble.voting import clash
from errata.text.tokens import join_tokens

# Edits are added or taken away one at a time, and most sentences are done after two or three.
MAX_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen for a sentence: the text, its score, and the number of the system (None: a combination)."""

    text: str
    score: float
    system: int | None


def choose_best(
    sources: Sequence[str], outputs: Sequence[Sequence[str]], metric: Metric[Any], *, margin: float = 0.0
) -> list[Choice]:
    """For each source the output with the highest score, the first of equals; `outputs` has a list for each system.

    With a `margin` the first system is trusted more: another one's output is taken only where the log-odds of its score
    are higher by more than that.
    """
    _refuse_references(metric)
    if margin and not metric.has_odds:
        raise UsageError(f"scores of {metric.name} have no log-odds: a margin is for impara")
    sentences = [make_sentence(text) for text in sources]
    scores = np.array([_score(metric, sentences, texts) for texts in outputs])  # (systems, sentences)
    best = scores.argmax(axis=0)
    if margin:
        best[~_is_ahead(scores.max(axis=0), scores[0], margin)] = 0
    return [
        Choice(outputs[system][row], float(scores[system, row]), int(system))
        for row, system in enumerate(best.tolist())
    ]


def combine_best(
    sources: Sequence[str],
    outputs: Sequence[Sequence[str]],
    metric: Metric[Any],
    language: str,
    *,
    margin: float = 0.0,
    workers: int = 1,
) -> list[Choice]:
    """The same, then edits of other systems are put in, and its own taken out, as long as the score rises.

    Of all single changes to a sentence the one that raises its score most is made, up to `MAX_ROUNDS` times. With a
    `margin` its log-odds must rise by more than that each time.
    """
    chosen = choose_best(sources, outputs, metric, margin=margin)
    ballots = list(
        BallotBox(language, workers=workers).hold(zip(sources, map(list, zip(*outputs, strict=True)), strict=True))
    )
    open_rows = [row for row, ballot in enumerate(ballots) if ballot.candidates]
    made = {
        row: frozenset(c.edit for c in ballots[row].candidates if chosen[row].system in c.systems) for row in open_rows
    }
    for _ in range(MAX_ROUNDS):
        tries = [(row, edits) for row in open_rows for edits in _neighbours(ballots[row], made[row])]
        texts = [_correct(ballots[row], edits) for row, edits in tries]
        scores = _score(metric, [make_sentence(sources[row]) for row, _ in tries], texts)
        better: dict[int, int] = {}
        for place, (row, _) in enumerate(tries):
            is_better = _is_ahead(scores[place], chosen[row].score, margin)
            if is_better and (row not in better or scores[place] > scores[better[row]]):
                better[row] = place
        for row, place in better.items():
            made[row] = tries[place][1]
            chosen[row] = Choice(texts[place], float(scores[place]), None)
        open_rows = list(better)
        if not open_rows:
            break
    return chosen


def _refuse_references(metric: Metric[Any]) -> None:
    if metric.needs_references:
        raise UsageError(f"{metric.name} compares with references: choose impara, some, scribendi or llm")


def _is_ahead(score: Any, other: Any, margin: float) -> Any:
    """Whether scores are higher than others, and their log-odds by more than the margin: any score is ahead of 0."""
    if not margin:
        return score > other
    with np.errstate(divide="ignore", invalid="ignore"):
        lead = np.log(score) - np.log1p(-score) - np.log(other) + np.log1p(-other)
    return (score > other) & (lead > margin)


def _neighbours(ballot: Ballot, made: frozenset[Edit]) -> Iterator[frozenset[Edit]]:
    """Sets of edits that differ by one."""
    for candidate in ballot.candidates:
        if candidate.edit in made:
            yield made - {candidate.edit}
        elif not any(clash(candidate.edit, other) for other in made):
            yield made | {candidate.edit}


def _correct(ballot: Ballot, edits: frozenset[Edit]) -> str:
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    return join_tokens(apply_edits(ballot.tokens, ordered), like=ballot.tokens)


def _score(metric: Metric[Any], sentences: Sequence[Sentence], texts: Sequence[str]) -> np.ndarray:
    """The score of each text; the same pair is judged once."""
    items = {
        (source_text(sentence), text): Item(sentence, text) for sentence, text in zip(sentences, texts, strict=True)
    }
    if not items:
        return np.zeros(0)
    found = dict(zip(items, metric.sentence_scores(metric.stats(list(items.values()))), strict=True))
    return np.array([found[source_text(sentence), text] for sentence, text in zip(sentences, texts, strict=True)])
