"""Keep evaluation sentences out of training data: copies and near duplicates, as `datasets.similar` defines them."""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.datasets.contamination import Evaluation, EvaluationSet
from errata.datasets.evaluation_sets import open_file

if TYPE_CHECKING:
    from errata.training.pairs import Keep
    from errata.training.settings import Recipe

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Hit:
    """Why a sentence is left out: `exact` or `near`, and the number of the excluded file."""

    kind: str
    file: int


class Exclusions:
    """The sentences of excluded files, ready to be recognised; copies of short ones are exact too."""

    def __init__(self, files: Sequence[Iterable[str]]) -> None:
        self._evaluation = Evaluation([EvaluationSet("", "", ((text,) for text in texts)) for texts in files])

    @classmethod
    def of(cls, evaluation: Evaluation) -> Exclusions:
        """The sentences of evaluation sets."""
        exclusions = cls([])
        exclusions._evaluation = evaluation
        return exclusions

    @property
    def n_sentences(self) -> list[int]:
        """The sentences of each file."""
        return self._evaluation.n_sentences

    def find(self, text: str) -> Hit | None:
        """The excluded file that `text` is in, or nearly in."""
        hits = [("near" if hit.kind == "near" else "exact", hit.set) for hit in self._evaluation.find((text,))]
        return Hit(*min(hits)) if hits else None


@dataclass(slots=True)
class Screen:
    """Lets through what is not excluded, and keeps count of the rest by file."""

    exclusions: Exclusions
    against: Sequence[str]  # names of the excluded files
    _seen: Counter[str] = field(default_factory=Counter)
    _from: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _against: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def passes(self, origin: str, *texts: str) -> bool:
        """Whether none of the texts (a source and its target), read from `origin`, is excluded."""
        self._seen[origin] += 1
        for text in texts:
            if hit := self.exclusions.find(text):
                self._from[origin][hit.kind] += 1
                self._against[self.against[hit.file]][hit.kind] += 1
                return False
        return True

    def report(self) -> dict[str, Any]:
        """Counts ready for JSON: by file read (`from`) and by excluded file (`against`)."""
        return {
            "from": {name: {"read": count, **self._kinds(self._from[name])} for name, count in self._seen.items()},
            "against": {
                name: {"sentences": count, **self._kinds(self._against[name])}
                for name, count in zip(self.against, self.exclusions.n_sentences, strict=True)
            },
        }

    @staticmethod
    def _kinds(counts: Mapping[str, int]) -> dict[str, int]:
        return {kind: counts.get(kind, 0) for kind in ("exact", "near")}

    def log(self) -> None:
        for name, counts in self.report()["from"].items():
            log.info(
                "%s: %d of %d left out as evaluation sentences, %d as near duplicates",
                *(name, counts["exact"], counts["read"], counts["near"]),
            )


def read_exclusions(paths: Sequence[Path]) -> Exclusions:
    """The sources and references of files in any format errata reads, or plain text, one sentence a line.

    A folder stands for the files in it, as one.
    """
    return Exclusions.of(Evaluation([open_file(path, path.name) for path in paths]))


class Excluded:
    """The files a recipe names as `data.exclude`, read when something is packed and not before."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._screen: Screen | None = None

    @cached_property
    def _exclusions(self) -> Exclusions:
        return read_exclusions(self._recipe.data.exclude)

    def start(self) -> Keep | None:
        """Count from zero; what to ask about sentences, None where nothing is excluded."""
        if not self._recipe.data.exclude:
            return None
        names = [self._recipe.relative(path) for path in self._recipe.data.exclude]
        screen = self._screen = Screen(self._exclusions, names)
        return lambda path, texts: screen.passes(self._recipe.relative(path), *map(" ".join, texts))

    def notes(self) -> dict[str, Any]:
        """What was left out since `start`."""
        if self._screen is None:
            return {}
        self._screen.log()
        return {"excluded": self._screen.report()}
