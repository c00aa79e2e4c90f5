"""Whether an exported system answers as the one it was made from: on sample sentences that come with errata."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from errata.systems.base import load_system
from errata.training.shipped import FOLDER


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many sample sentences have other edits or labels than before, of how many."""

    n_changed: int
    n_sentences: int

    def __str__(self) -> str:
        if not self.n_changed:
            return f"the same answers to {self.n_sentences} sample sentences"
        return f"other answers to {self.n_changed} of {self.n_sentences} sample sentences"


def compare_answers(before: Path, after: Path) -> Comparison:
    """The answers of the trained system in `before`, under torch, against those of its export in `after`."""
    trained, exported = load_system(before, backend="torch"), load_system(after)
    texts = sample_sentences(trained.language)
    pairs = zip(trained.answers(texts), exported.answers(texts), strict=True)
    return Comparison(sum(one != other for one, other in pairs), len(texts))


def sample_sentences(language: str) -> list[str]:
    """Sentences with errors, and the same without."""
    lines = (FOLDER / "data" / f"tagger-pairs.{language}.tsv").read_text(encoding="utf-8").splitlines()
    return list(dict.fromkeys(text for line in lines for text in line.split("\t")))
