"""What a corpus says about errors: for each correct phrase how often it was written wrong, and how.

Rates are shrunk: a phrase seen once and wrong that once is not wrong always. `occurrences` are counted in the corrected
text, so a rate is the chance that a writer gets this phrase wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from errata.model import Tokens

# Occurrences without an error that every phrase is granted. 2 errors in 2 occurrences give 0.17, 200 in 2000 0.0995.
SHRINKAGE = 10.0
# How many occurrences the class of a word counts for, beside those of the word itself, in what is inserted before it.
CLASS_WEIGHT = 20.0
# The position after the last token, as the right neighbour of an insertion.
END = "</s>"


@dataclass(frozen=True, slots=True)
class Mistake:
    """What was written instead (or inserted), the corpus's type of the edit that corrects it, and how often."""

    written: Tokens
    type: str
    count: int


@dataclass(slots=True)
class Mistakes:
    """What happened to one correct phrase (or before one token) in all its occurrences."""

    occurrences: int
    mistakes: list[Mistake]

    def rates(self, shrinkage: float = SHRINKAGE) -> Iterator[tuple[float, Mistake]]:
        """Each mistake with the chance that it is made at one occurrence."""
        for mistake in self.mistakes:
            yield mistake.count / (self.occurrences + shrinkage), mistake


@dataclass(slots=True)
class Statistics:
    """Reversed edits of a corpus.

    `replaced` is by correct phrase (an empty `written` is a word left out), `inserted` by the token to the right of
    superfluous words and `inserted_by_class` by its class. `lexical` is like `replaced`: wrong words and phrases that
    were seen too seldom to be learnt by heart and that no rule explains. `inflections` are rates such as
    `{"NN>NNS": 0.01}`: a plural noun written in the place of a singular one. `everyday` are slips per place by noise
    and key: `{"homophone": {"their>there": 0.002}}`; `*` stands for keys that the corpus has no place for.
    """

    replaced: dict[Tokens, Mistakes] = field(default_factory=dict)
    inserted: dict[str, Mistakes] = field(default_factory=dict)
    inserted_by_class: dict[str, Mistakes] = field(default_factory=dict)
    lexical: dict[Tokens, Mistakes] = field(default_factory=dict)
    inflections: dict[str, float] = field(default_factory=dict)
    everyday: dict[str, dict[str, float]] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {
            "replaced": {" ".join(phrase): _pack(found) for phrase, found in sorted(self.replaced.items())},
            "inserted": {token: _pack(found) for token, found in sorted(self.inserted.items())},
            "inserted_by_class": {name: _pack(found) for name, found in sorted(self.inserted_by_class.items())},
            "lexical": {" ".join(phrase): _pack(found) for phrase, found in sorted(self.lexical.items())},
            "inflections": dict(sorted(self.inflections.items())),
            "everyday": self.everyday,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Statistics:
        return cls(
            {tuple(phrase.split(" ")): _unpack(found) for phrase, found in data["replaced"].items()},
            {token: _unpack(found) for token, found in data["inserted"].items()},
            {name: _unpack(found) for name, found in data["inserted_by_class"].items()},
            {tuple(phrase.split(" ")): _unpack(found) for phrase, found in data["lexical"].items()},
            dict(data["inflections"]),
            dict(data.get("everyday", {})),
        )


def _pack(found: Mistakes) -> list[Any]:
    return [found.occurrences, *([" ".join(m.written), m.type, m.count] for m in found.mistakes)]


def _unpack(packed: list[Any]) -> Mistakes:
    mistakes = [Mistake(tuple(written.split(" ")) if written else (), kind, n) for written, kind, n in packed[1:]]
    return Mistakes(packed[0], mistakes)
