"""Evaluation sentences in disguise: each way of changing a sentence that copies in training data have."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from errata.text.han import is_han

Units = list[str]


@dataclass(frozen=True, slots=True)
class Words:
    """What is put in the place of units, and the texts around a sentence; `glue` joins units."""

    units: Sequence[str]
    texts: Sequence[str]
    glue: str


def split(text: str) -> Units:
    """Words where spaces are, characters where they are not."""
    has_spaces = sum(map(is_han, text)) * 2 < len(text)
    return text.split() if has_spaces else [one for one in text if not one.isspace()]


def count(units: Sequence[str]) -> int:
    """The units with letters."""
    return sum(any(map(str.isalnum, unit)) for unit in units)


def _places(units: Units, share: float, rng: random.Random) -> list[int]:
    """So many of the units with letters, at least one, the last first."""
    lettered = [place for place, unit in enumerate(units) if any(map(str.isalnum, unit))]
    return sorted(rng.sample(lettered, max(1, int(share * len(lettered)))), reverse=True)


def replace(share: float) -> Callable[[Units, Words, random.Random], str]:
    def change(units: Units, words: Words, rng: random.Random) -> str:
        changed = list(units)
        for place in _places(units, share, rng):
            changed[place] = rng.choice(words.units)
        return words.glue.join(changed)

    return change


def insert(share: float) -> Callable[[Units, Words, random.Random], str]:
    def change(units: Units, words: Words, rng: random.Random) -> str:
        changed = list(units)
        for place in _places(units, share, rng):
            changed.insert(place, rng.choice(words.units))
        return words.glue.join(changed)

    return change


def delete(share: float) -> Callable[[Units, Words, random.Random], str]:
    def change(units: Units, words: Words, rng: random.Random) -> str:
        gone = set(_places(units, share, rng))
        return words.glue.join(unit for place, unit in enumerate(units) if place not in gone)

    return change


def cut(share: float) -> Callable[[Units, Words, random.Random], str]:
    return lambda units, words, rng: words.glue.join(units[: round(share * len(units))])


def restyle(units: Units, words: Words, rng: random.Random) -> str:
    """Other case, other punctuation."""
    kept = [unit.upper() if rng.random() < 0.5 else unit.lower() for unit in units if any(map(str.isalnum, unit))]
    return words.glue.join(kept) + rng.choice(["", "!", " ...", "。"])


def surround(units: Units, words: Words, rng: random.Random) -> str:
    return " ".join([rng.choice(words.texts), words.glue.join(units), rng.choice(words.texts)])


def swap(units: Units, words: Words, rng: random.Random) -> str:
    changed = list(units)
    place = rng.randrange(len(units) - 2)
    changed[place], changed[place + 1] = changed[place + 1], changed[place]
    return words.glue.join(changed)


WAYS: dict[str, Callable[[Units, Words, random.Random], str]] = {
    "copied": lambda units, words, rng: words.glue.join(units),
    "other case and punctuation": restyle,
    "10 % replaced": replace(0.1),
    "20 % replaced": replace(0.2),
    "30 % replaced": replace(0.3),
    "10 % inserted": insert(0.1),
    "20 % inserted": insert(0.2),
    "10 % deleted": delete(0.1),
    "two neighbours swapped": swap,
    "first 70 %": cut(0.7),
    "first half": cut(0.5),
    "inside a longer text": surround,
}
