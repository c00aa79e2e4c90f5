"""Evaluation sentences in training files: which records are exact or near copies of them, and of which.

`datasets.similar` defines what a copy is. A record (a sentence with its corrections) is compared as a whole: it
overlaps with an evaluation set if any of its texts is a copy of a source or reference of the set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from errata.datasets.similar import DEFINITION, EXACT, SHORT, Collection
from errata.datasets.texts import Record, Texts

# The gravest first. A record is counted once, as the gravest kind that any of its texts is.
KINDS = ("exact", "near", "short")


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """An evaluation set with the texts of its sentences; `digest` says which content it has."""

    name: str
    digest: str
    sentences: Iterable[Texts]


@dataclass(frozen=True, slots=True)
class Hit:
    """A text of a record that is a copy of a text of an evaluation set; `edits` lie between them.

    `set` is the number of the evaluation set, `sentence` that of its sentence, from 1.
    """

    set: int
    sentence: int
    edits: int
    text: str
    copied: str

    @property
    def kind(self) -> str:
        return {EXACT: "exact", SHORT: "short"}.get(self.edits, "near")


class Evaluation:
    """The sentences of evaluation sets, ready to be recognised."""

    def __init__(self, sets: Sequence[EvaluationSet]) -> None:
        self.names = [one.name for one in sets]
        self.digests = [one.digest for one in sets]
        self.n_sentences = [0] * len(sets)
        owners: dict[str, list[tuple[int, int]]] = {}
        for number, one in enumerate(sets):
            for sentence, texts in enumerate(one.sentences, 1):
                self.n_sentences[number] = sentence
                for text in texts:
                    owners.setdefault(text, []).append((number, sentence))
        self._texts = list(owners)
        self._owners = list(owners.values())
        self._collection = Collection(self._texts)

    def find(self, texts: Iterable[str]) -> list[Hit]:
        """What the texts of a record are copies of: the nearest text of each evaluation sentence, in their order."""
        nearest: dict[tuple[int, int], Hit] = {}
        for text in dict.fromkeys(texts):
            for place, edits in self._collection.find(text):
                for owner in self._owners[place]:
                    known = nearest.get(owner)
                    if known is None or edits < known.edits:
                        nearest[owner] = Hit(*owner, edits, text, self._texts[place])
        return [nearest[owner] for owner in sorted(nearest)] if nearest else []


@dataclass(frozen=True, slots=True)
class Pair:
    """A record of a training file, by its number from 1, and what it is a copy of."""

    record: int
    hit: Hit


@dataclass(slots=True)
class Tally:
    """How many records of a training file overlap with which evaluation set, by kind."""

    name: str
    n_records: int = 0
    n_left_out: int = 0  # records that are never trained on, and not counted by kind
    kinds: Counter[str] = field(default_factory=Counter)
    by_set: dict[int, Counter[str]] = field(default_factory=dict)
    met: dict[int, set[int]] = field(default_factory=dict)  # the sentences of each set that are in the file

    def count(self, hits: Sequence[Hit]) -> None:
        """Count a record."""
        self.n_records += 1
        if not hits:
            return
        self.kinds[gravest(hits)] += 1
        for number in {hit.set for hit in hits}:
            own = [hit for hit in hits if hit.set == number]
            self.by_set.setdefault(number, Counter())[gravest(own)] += 1
            self.met.setdefault(number, set()).update(hit.sentence for hit in own)

    def as_dict(self, names: Sequence[str]) -> dict[str, Any]:
        """The counts, ready for JSON; sets that have nothing in common with the file are left out."""
        sets = {
            names[number]: {kind: counts[kind] for kind in KINDS} | {"sentences": len(self.met[number])}
            for number, counts in sorted(self.by_set.items())
        }
        kinds = {kind: self.kinds[kind] for kind in KINDS}
        left_out = {"left_out": self.n_left_out} if self.n_left_out else {}
        return {"file": self.name, "records": self.n_records, **left_out, **kinds, "sets": sets}


def gravest(hits: Iterable[Hit]) -> str:
    """The gravest kind of the hits."""
    kinds = {hit.kind for hit in hits}
    return next(kind for kind in KINDS if kind in kinds)


def check_records(
    name: str,
    records: Iterable[Record],
    evaluation: Evaluation,
    *,
    tell: Callable[[Pair], object] | None = None,
    keep: Callable[[Record], object] | None = None,
    with_short: bool = False,
) -> Tally:
    """Count the records that overlap with evaluation sets.

    `tell` gets every pair of a record and an evaluation sentence, `keep` the records that overlap with none; copies of
    short sentences are no overlap, unless `with_short`.
    """
    tally = Tally(name)
    for number, record in enumerate(records, 1):
        hits = evaluation.find(record.texts)
        tally.count(hits)
        if tell:
            for hit in hits:
                tell(Pair(number, hit))
        if keep and not (hits and (with_short or gravest(hits) != "short")):
            keep(record)
    return tally


def make_report(evaluation: Evaluation, tallies: Sequence[Tally]) -> dict[str, Any]:
    """The outcome, ready for JSON: the definition, what was compared with, and the counts of each training file."""
    return {
        "definition": DEFINITION,
        "against": [
            {"set": name, "digest": digest, "sentences": count}
            for name, digest, count in zip(evaluation.names, evaluation.digests, evaluation.n_sentences, strict=True)
        ],
        "files": [tally.as_dict(evaluation.names) for tally in tallies],
    }
