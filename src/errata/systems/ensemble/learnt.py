"""Learnt votes: the probability that an edit is right, from who proposes it and its type (as in ESC).

Logistic regression over indicators: each system, each type, each system with each type; the finer ones are shrunk
towards nothing by the same penalty, so rare types fall back on what is known of the system. Numpy alone.
Qorib et al., *Frustratingly Easy System Combination for Grammatical Error Correction*, NAACL 2022.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.errors import DataError
from errata.model import Edit, correction
from errata.stats.logistic import fit_logistic, sigmoid
from errata.systems.base import ProposedEdit
from errata.systems.ensemble.ballots import Ballot, Candidate
from errata.systems.ensemble.voting import without_overlaps

if TYPE_CHECKING:
    import numpy as np

FORMAT = 1
BIAS = "bias"
# Of 1, 5 and 30 the best F0.5 on held-out sentences of BEA-2019 dev (T5-Large and UEDIN-MS): 63.37, 63.14, 63.08.
PENALTY = 1.0
FOLDS = 5


@dataclass(frozen=True, slots=True)
class LearntVoting:
    """Keep edits whose probability of being right is at least `threshold`; of two that overlap, the likelier."""

    systems: tuple[str, ...]
    language: str
    weights: Mapping[str, float]
    threshold: float = 0.5
    learnt: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            raise DataError(f"the threshold on learnt weights is a probability, not {self.threshold:g}")

    def probability(self, candidate: Candidate) -> float:
        """How likely the edit is right."""
        score = sum(self.weights.get(name, 0.0) for name in features(candidate, self.systems))
        return 1 / (1 + math.exp(-max(min(score, 500.0), -500.0)))

    def elect(self, ballot: Ballot) -> list[ProposedEdit]:
        judged = [ProposedEdit(one.edit, self.probability(one)) for one in ballot.candidates]
        judged.sort(key=lambda one: -one.confidence)  # of equals the first in the sentence stays first
        return without_overlaps(one for one in judged if one.confidence >= self.threshold)

    def save(self, path: Path) -> None:
        """Write the weights as JSON."""
        from errata.formats.files import open_for_writing

        content = {
            "format": FORMAT,
            "language": self.language,
            "systems": list(self.systems),
            "threshold": self.threshold,
            "learnt": dict(self.learnt),
            "weights": {name: round(value, 6) for name, value in sorted(self.weights.items())},
        }
        with open_for_writing(path) as stream:
            stream.write(json.dumps(content, ensure_ascii=False, indent=1) + "\n")

    @classmethod
    def load(cls, path: Path) -> LearntVoting:
        """What `save` wrote."""
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            if content["format"] != FORMAT:
                raise DataError(f"{path} has format {content['format']}, not {FORMAT}")
            weights = {str(name): float(value) for name, value in content["weights"].items()}
            systems = tuple(map(str, content["systems"]))
            return cls(systems, content["language"], weights, float(content["threshold"]), content["learnt"])
        except OSError as error:
            raise DataError(f"{path}: {error.strerror}") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(f"{path} does not hold an ensemble's weights: {error!r}") from error

    def order(self, names: Sequence[str]) -> list[int]:
        """Which of `names` is the weights' first system, second …: by name if all are known, else as they come."""
        if len(names) != len(self.systems):
            raise DataError(f"the weights are for {len(self.systems)} systems, {len(names)} were given")
        is_known = sorted(names) == sorted(self.systems) and len(set(names)) == len(names)
        return [names.index(name) for name in self.systems] if is_known else list(range(len(names)))


def features(candidate: Candidate, systems: Sequence[str]) -> Iterator[str]:
    """The indicators that are on for an edit."""
    kind = candidate.edit.type
    yield BIAS
    yield f"type {kind}"
    for number in candidate.systems:
        yield f"system {systems[number]}"
        yield f"system {systems[number]} type {kind}"
    if len(candidate.systems) == len(systems):
        yield "all"  # agreement of all says more than the sum of its parts


def learn_votes(
    ballots: Sequence[Ballot],
    gold: Sequence[Sequence[Sequence[Edit]]],
    systems: Sequence[str],
    language: str,
    *,
    penalty: float = PENALTY,
    beta: float = 0.5,
) -> LearntVoting:
    """Weights from ballots and the edits of each sentence's references; an edit is right if any reference has it.

    The threshold is the one with the best F-beta on sentences held out in turn.
    """
    import numpy as np

    right = [{correction(edit) for edits in references for edit in edits} for references in gold]
    wanted = sum(sum(map(len, references)) / max(1, len(references)) for references in gold)
    rows = [
        (number, list(features(one, systems)), correction(one.edit) in right[number])
        for number, ballot in enumerate(ballots)
        for one in ballot.candidates
    ]
    if len({is_right for _, _, is_right in rows}) < 2:
        raise DataError("nothing to learn from: the systems' edits are all right or all wrong (or there are none)")
    names = sorted({name for _, active, _ in rows for name in active})
    index = {name: column for column, name in enumerate(names)}
    inputs = np.zeros((len(rows), len(names)))
    for row, (_, active, _) in enumerate(rows):
        inputs[row, [index[name] for name in active]] = 1.0
    labels = np.array([is_right for *_, is_right in rows], dtype=float)
    folds = np.array([number % FOLDS for number, *_ in rows])
    held_out = np.zeros(len(rows))
    for fold in range(FOLDS):
        inside = folds != fold
        held_out[~inside] = sigmoid(inputs[~inside] @ fit_logistic(inputs[inside], labels[inside], penalty))
    threshold, score = best_threshold(held_out, labels, wanted, beta)
    weights = fit_logistic(inputs, labels, penalty)
    learnt = {
        "sentences": len(ballots),
        "edits": len(rows),
        "right": int(labels.sum()),
        "penalty": penalty,
        "beta": beta,
        "held_out_f": round(score, 4),
    }
    return LearntVoting(
        tuple(systems), language, dict(zip(names, weights.tolist(), strict=True)), round(threshold, 4), learnt
    )


def best_threshold(chance: np.ndarray, labels: np.ndarray, wanted: float, beta: float) -> tuple[float, float]:
    """The probability to cut at with the best F-beta, and that F; `wanted` is the number of edits to find."""
    import numpy as np

    order = np.argsort(-chance, kind="stable")
    found = np.cumsum(labels[order])
    weight = beta * beta
    scores = (1 + weight) * found / (np.arange(1, len(order) + 1) + weight * max(wanted, 1e-9))
    # Only between different probabilities can a threshold stand.
    ends = [i for i, (a, b) in enumerate(pairwise(chance[order].tolist())) if a > b] + [len(order) - 1]
    best = max(ends, key=lambda i: (float(scores[i]), -i))
    below = float(chance[order[best + 1]]) if best + 1 < len(order) else 0.0
    cut = (float(chance[order[best]]) + below) / 2
    return min(max(cut, 1e-4), 1 - 1e-4), float(scores[best])
