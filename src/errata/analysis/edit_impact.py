"""What single edits change in sentences, after CWEB (Flachs et al. 2020, section 5.1.2): meaning and probability.

Sentences with exactly one edit are compared before and after it: the cosine of their vectors, and the ratio of their
perplexities. A ratio below 1 means that a language model prefers the corrected sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import exp
from typing import Any, Protocol

import numpy as np

from errata.analysis.references import UNKNOWN, list_references
from errata.edits.texts import source_text, target_text
from errata.errors import ErrataError
from errata.model import AnnotatedSentence, Annotation

MIN_EDITS = 10  # edits of a type below which its mean says little
N_EXAMPLES = 5
Progress = Callable[[str, int, int], object]


@dataclass(frozen=True, slots=True)
class SingleEdit:
    """The only edit of a correction, with the sentence before and after it."""

    type: str
    source: str
    target: str


class Judge(Protocol):
    """What measures edits; answers are in the order of the questions."""

    @property
    def signature(self) -> str: ...
    def similarities(self, edits: Sequence[SingleEdit], stage: str, progress: Progress | None) -> list[float]: ...
    def losses(self, texts: Sequence[str], stage: str, progress: Progress | None) -> list[float]:
        """The mean loss of the subwords of each text, in nats."""
        ...


def list_single_edits(sentences: Iterable[AnnotatedSentence]) -> list[SingleEdit]:
    """The edits of corrections that have one; those that say no correction, or change nothing, are left out."""
    found = []
    for annotated in sentences:
        for one in list_references(annotated):
            if one.edits is None or len(one.edits) != 1 or one.edits[0].type == UNKNOWN:
                continue
            try:
                target = target_text(annotated.sentence, Annotation(one.annotator, one.edits))
            except ErrataError:  # an edit that reaches beyond its sentence
                continue
            source = source_text(annotated.sentence)
            if target.strip() and target != source:
                found.append(SingleEdit(one.edits[0].type, source, target))
    return found


def draw_sample(edits: Sequence[SingleEdit], size: int | None, seed: int) -> list[SingleEdit]:
    """So many of the edits at random, in their order; all where there are not more.

    A larger sample contains the smaller one, so that what was measured for that is not lost.
    """
    if size is None or len(edits) <= size:
        return list(edits)
    chosen = np.random.default_rng(seed).permutation(len(edits))[:size]
    return [edits[place] for place in sorted(chosen.tolist())]


@dataclass(frozen=True, slots=True)
class Means:
    """The mean similarity and perplexity ratio of edits, with standard errors, and the share that a model prefers."""

    n_edits: int
    similarity: float
    similarity_error: float | None
    ratio: float
    ratio_error: float | None
    median_ratio: float
    preferred: float

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def summarise(similarities: Sequence[float], ratios: Sequence[float]) -> Means:
    """The means of some edits, one or more."""
    return Means(
        len(ratios),
        float(np.mean(similarities)),
        _error(similarities),
        float(np.mean(ratios)),
        _error(ratios),
        float(np.median(ratios)),
        float(np.mean(np.array(ratios) < 1)),
    )


def _error(values: Sequence[float]) -> float | None:
    return float(np.std(values, ddof=1)) / len(values) ** 0.5 if len(values) > 1 else None


@dataclass(frozen=True, slots=True)
class MeasuredEdit:
    """An edit with what it changes."""

    edit: SingleEdit
    similarity: float
    ratio: float

    def as_dict(self) -> dict[str, Any]:
        edit = self.edit
        shown = {"type": edit.type, "source": edit.source, "target": edit.target}
        return shown | {"similarity": self.similarity, "ratio": self.ratio}


@dataclass(frozen=True, slots=True)
class CorpusImpact:
    """The edits of a corpus: `n_single` have a sentence to themselves, so many were measured; means by type.

    `examples` are the edits that change the meaning most, and those that a language model likes least.
    """

    name: str
    n_single: int
    means: Means
    by_type: Mapping[str, Means]
    examples: Mapping[str, Sequence[MeasuredEdit]] = field(default_factory=dict)
    digest: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "n_single": self.n_single,
            **self.means.as_dict(),
            "by_type": {name: one.as_dict() for name, one in self.by_type.items()},
            "examples": {name: [one.as_dict() for one in own] for name, own in self.examples.items()},
            "digest": self.digest,
        }


def measure_edits(
    name: str,
    edits: Sequence[SingleEdit],
    judge: Judge,
    *,
    n_single: int | None = None,
    digest: str = "",
    progress: Progress | None = None,
) -> CorpusImpact:
    """What the edits of a corpus change, in all and by type, the most frequent types first."""
    similarities = judge.similarities(edits, f"{name}: similarity", progress)
    texts = list(dict.fromkeys(text for edit in edits for text in (edit.source, edit.target)))
    losses = dict(zip(texts, judge.losses(texts, f"{name}: perplexity", progress), strict=True))
    measured = [
        MeasuredEdit(edit, similarity, exp(losses[edit.target] - losses[edit.source]))
        for edit, similarity in zip(edits, similarities, strict=True)
    ]
    groups: dict[str, list[MeasuredEdit]] = {}
    for one in measured:
        groups.setdefault(one.edit.type, []).append(one)
    ordered = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    return CorpusImpact(
        name,
        len(edits) if n_single is None else n_single,
        _summarise(measured),
        {type_: _summarise(own) for type_, own in ordered},
        {
            "least similar": sorted(measured, key=lambda one: one.similarity)[:N_EXAMPLES],
            "least preferred": sorted(measured, key=lambda one: -one.ratio)[:N_EXAMPLES],
        },
        digest,
    )


def _summarise(measured: Sequence[MeasuredEdit]) -> Means:
    return summarise([one.similarity for one in measured], [one.ratio for one in measured])


@dataclass(frozen=True, slots=True)
class TypeDifference:
    """The mean similarity and ratio of a type in one corpus, less those in another."""

    first: str
    second: str
    type: str
    n_first: int
    n_second: int
    similarity: float
    ratio: float

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def find_differences(corpora: Sequence[CorpusImpact], min_edits: int = MIN_EDITS) -> list[TypeDifference]:
    """The differences between every two corpora, of the types that have enough edits in both."""
    found = []
    for one, other in combinations(corpora, 2):
        for type_, means in one.by_type.items():
            against = other.by_type.get(type_)
            if against is not None and min(means.n_edits, against.n_edits) >= min_edits:
                difference = (means.similarity - against.similarity, means.ratio - against.ratio)
                found.append(TypeDifference(one.name, other.name, type_, means.n_edits, against.n_edits, *difference))
    return found
