"""The mean impact of edits by error type: how much a sentence's vector moves when an edit of that type is left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from errata.edits.apply import apply_edits
from errata.edits.base import get_extractor
from errata.edits.texts import source_text, target_text
from errata.errors import ErrataError
from errata.judges.impara.supervision import Vectors, measure_impacts
from errata.model import AnnotatedSentence, Edit, Status, Tokens

CHUNK = 1024  # annotations whose edits are measured together
UNTYPED = "-"


@dataclass(frozen=True, slots=True)
class TypeImpact:
    """The edits of a type: how many there are, their mean impact and its standard error, which one edit has not."""

    type: str
    n_edits: int
    mean: float
    error: float | None


def measure_by_type(
    sentences: Iterable[AnnotatedSentence], vectors: Vectors, language: str
) -> tuple[list[TypeImpact], int]:
    """The types with the largest mean first, and how many annotations were left out because their edits overlap."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    n_left_out = 0
    stream = _list_edits(sentences, language)
    while chunk := list(islice(stream, CHUNK)):
        usable = [one for one in chunk if one[1] and _is_applicable(*one)]
        n_left_out += sum(bool(edits) for _, edits in chunk) - len(usable)
        for (_, edits), impacts in zip(usable, measure_impacts(usable, vectors), strict=True):
            for edit, impact in zip(edits, impacts.tolist(), strict=True):
                found[edit.type or UNTYPED].append(impact)
    rows = [_summarise(name, values) for name, values in found.items()]
    return sorted(rows, key=lambda row: (-row.mean, row.type)), n_left_out


def _summarise(name: str, values: Sequence[float]) -> TypeImpact:
    error = float(np.std(values, ddof=1)) / len(values) ** 0.5 if len(values) > 1 else None
    return TypeImpact(name, len(values), float(np.mean(values)), error)


def _is_applicable(tokens: Tokens, edits: Sequence[Edit]) -> bool:
    try:
        apply_edits(tokens, edits)
    except ErrataError:
        return False
    return True


def _list_edits(sentences: Iterable[AnnotatedSentence], language: str) -> Iterator[tuple[Tokens, tuple[Edit, ...]]]:
    """The edits of every annotation; those of corrected texts are extracted."""
    extractor = None
    for sentence in sentences:
        for annotation in sentence.annotations:
            if annotation.status is not Status.ANNOTATED:
                continue
            if annotation.target is None and annotation.operations is None:
                yield sentence.sentence.tokens, annotation.edits
                continue
            extractor = extractor or get_extractor(language)
            pair = source_text(sentence.sentence), [target_text(sentence.sentence, annotation)]
            extracted = next(iter(extractor.annotate([pair])))
            yield extracted.sentence.tokens, extracted.annotations[0].edits
