"""Learning to tell learners' sentences from those of fluent writers: logistic regression on their tokens and pairs."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from errata.datasets.texts import read_records
from errata.errors import DataError
from errata.model import Tokens
from errata.pipeline.fluency import N_WEIGHTS, Fluency, features
from errata.text.spacing import LAYOUTS
from errata.tuning.devsets import refuse_other_language

# More sentences of a kind change little: 30,000 tell held-out Chinese sentences apart 0.3 points less often.
MOST = 60_000
# Fewer say more about what they are about than about who wrote them.
LEAST = 1000
# A learner taken for a fluent writer loses edits, so a sentence is fluent only where that is plain. Equal weights cost
# zh-small 0.5 on MuCGEC dev; a weight of 7 gains nothing there, and costs half a point on native writers' sets.
CAUTION = 4.0
ROUNDS, RATE, SHRINK = 4, 0.2, 1e-6
HELD_OUT = 10  # one sentence in so many


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was learnt, from how many sentences of each kind, and how often it is right about held-out ones."""

    fluency: Fluency
    n_learners: int
    n_fluent: int
    accuracy: float


def read_sentences(paths: Iterable[Path], language: str) -> list[Tokens]:
    """The sentences of files, in any format errata reads or one a line; of a sentence and its corrections the first."""
    layout = LAYOUTS["tokenised" if language == "en" else language]
    sentences: list[Tokens] = []
    for path in paths:
        texts = [next(iter(record.texts), "") for record in read_records(path)]
        refuse_other_language(path, texts, language)
        sentences += [tuple(text[a:b] for a, b in layout.spans(text)) for text in texts]
    return sentences


def learn_fluency(learners: Sequence[Tokens], fluent: Sequence[Tokens], seed: int = 1) -> Learnt:
    """What tells the two kinds of sentences apart, however many there are of each; learners count `CAUTION` times."""
    rng = random.Random(seed)
    kinds = [_drawn(sentences, rng) for sentences in (learners, fluent)]
    for name, kind in zip(("learners", "fluent writers"), kinds, strict=True):
        if len(kind) < LEAST:
            raise DataError(f"{len(kind)} different sentences of {name} are too few: give at least {LEAST:,}")
    examples = [(features(tokens), label) for label, kind in enumerate(kinds) for tokens in kind]
    rng.shuffle(examples)
    held_out, rest = examples[::HELD_OUT], [one for n, one in enumerate(examples) if n % HELD_OUT]
    shares = [len(examples) / (2 * len(kind)) for kind in kinds]
    shares[0] *= CAUTION
    fluency = _rounded(*_descend(rest, shares, rng))
    right = [(fluency.of_features(found) > 0.5) == bool(label) for found, label in held_out]
    return Learnt(fluency, len(kinds[0]), len(kinds[1]), float(np.mean(right)))


def _drawn(sentences: Sequence[Tokens], rng: random.Random) -> list[Tokens]:
    different = list(dict.fromkeys(tokens for tokens in sentences if tokens))
    return rng.sample(different, MOST) if len(different) > MOST else different


def _descend(
    examples: Sequence[tuple[np.ndarray, int]], shares: Sequence[float], rng: random.Random
) -> tuple[np.ndarray, float]:
    """Weights and offset after some rounds of AdaGrad, one sentence at a time."""
    weights, squares = np.zeros(N_WEIGHTS), np.full(N_WEIGHTS, 1e-2)
    offset, offset_squares = 0.0, 1e-2
    order = list(examples)
    for _ in range(ROUNDS):
        rng.shuffle(order)
        for found, label in order:
            root = np.sqrt(len(found))
            odds = float(np.clip(weights[found].sum() / root + offset, -20, 20))
            error = (1 / (1 + np.exp(-odds)) - label) * shares[label]
            gradient = error / root + SHRINK * weights[found]
            squares[found] += gradient * gradient
            weights[found] -= RATE * gradient / np.sqrt(squares[found])
            offset_squares += error * error
            offset -= RATE * error / np.sqrt(offset_squares)
    return weights, float(offset)


def _rounded(weights: np.ndarray, offset: float) -> Fluency:
    scale = max(float(np.abs(weights).max()) / 127, 1e-9)
    return Fluency(np.round(weights / scale).astype(np.int8), scale, round(offset, 6))
