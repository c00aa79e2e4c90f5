"""The domain model: plain frozen records that every part of errata passes around.

Token spans are half-open ranges over the tokens of the source (`Edit`); character spans are another type
(`TextEdit`). "No error" is an `Annotation` without edits; "could not be annotated" is a `Status`. Marks such as
`noop`, `-NONE-` or `没有错误` belong to the file formats and never appear here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

Tokens = tuple[str, ...]


class Status(Enum):
    """Whether an annotator could correct the sentence at all."""

    ANNOTATED = "annotated"
    NOT_ANNOTATABLE = "not-annotatable"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace source tokens [start, end) by `replacement`; start == end inserts, an empty replacement deletes.

    `alternatives` are further replacements that are equally right (`||` in M2, label lists in FCGEC). `severity` is
    what some corpora (ErAConD: 1–3) say in M2's REQUIRED field.
    """

    start: int
    end: int
    replacement: Tokens
    type: str = "UNK"
    alternatives: tuple[Tokens, ...] = ()
    is_required: bool = True
    comment: str = ""
    severity: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"edit span {self.start}:{self.end} is not a token range")

    @property
    def replacements(self) -> tuple[Tokens, ...]:
        """All accepted replacements, the first one first."""
        return (self.replacement, *self.alternatives)


# Keys for matching: equality of edits means identical, a metric says what it compares by naming one of these.
def span(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def correction(edit: Edit) -> tuple[int, int, Tokens]:
    return edit.start, edit.end, edit.replacement


@dataclass(frozen=True, slots=True)
class Insertion:
    """Insert one of `texts` after character `position` (−1: at the very beginning)."""

    position: int
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Modification:
    """Replace the `length` characters from `position` on by one of `texts` (which may be longer or shorter)."""

    position: int
    length: int
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Operations:
    """One correction in FCGEC's four operations; Switch is applied first, the others refer to the switched sentence.

    `switch` is the new order of character indices (None: order unchanged), `delete` character indices.
    """

    switch: tuple[int, ...] | None = None
    delete: tuple[int, ...] = ()
    insert: tuple[Insertion, ...] = ()
    modify: tuple[Modification, ...] = ()


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotator's correction of a sentence.

    `target` is the corrected text where the data gives it; a target that differs from the source, without edits, is a
    correction whose edits have not been extracted. `alignment` numbers equally cheap edit lists of the same
    correction (ChERRANT's `A0`, `A1` …); scoring pools them.
    """

    annotator: str = "0"
    edits: tuple[Edit, ...] = ()
    status: Status = Status.ANNOTATED
    target: str | None = None
    alignment: int = 0
    operations: Operations | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A source sentence: its tokens, and the raw text they came from where it is known."""

    tokens: Tokens
    text: str | None = None
    id: str | None = None

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True, slots=True)
class AnnotatedSentence:
    """A source with the corrections people (or systems) gave it.

    No annotations at all means nobody looked; an annotation without edits means somebody found no error.
    `labels` are sentence-level error types (FCGEC): None is unlabelled, the empty tuple is correct.
    """

    sentence: Sentence
    annotations: tuple[Annotation, ...] = ()
    labels: tuple[str, ...] | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Annotated sentences under a name."""

    name: str
    sentences: tuple[AnnotatedSentence, ...]
    language: str | None = None
    licence: str | None = None

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[AnnotatedSentence]:
        return iter(self.sentences)


@dataclass(frozen=True, slots=True)
class Sample:
    """One source of a robustness case with its target and, once a system has run, its prediction."""

    source: str
    target: str
    prediction: str | None = None


@dataclass(frozen=True, slots=True)
class RobustCase:
    """An original sample and its variants, in which words unrelated to the errors were changed."""

    original: Sample
    variants: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace characters [start, end) of a text by `replacement`, or by one of `alternatives`, the best first.

    `about` is what a rule says of an edit it made, in English; edits of models have nothing to say.
    """

    start: int
    end: int
    replacement: str
    type: str = "UNK"
    confidence: float | None = None
    alternatives: tuple[str, ...] = field(default=(), repr=False)
    about: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"edit span {self.start}:{self.end} is not a character range")


@dataclass(frozen=True, slots=True)
class Correction:
    """What a corrector answers: a text and its edits, which are in order and do not overlap.

    >>> Correction("He go home.", (TextEdit(3, 5, "goes"),)).target
    'He goes home.'
    """

    source: str
    edits: tuple[TextEdit, ...] = ()

    def __post_init__(self) -> None:
        position = 0
        for edit in self.edits:
            if edit.start < position or edit.end > len(self.source):
                raise ValueError(
                    f"character edit {edit.start}:{edit.end} is out of order, overlaps another, "
                    f"or ends after {len(self.source)}"
                )
            position = edit.end

    @property
    def target(self) -> str:
        """The source with the edits applied; everything outside of them is untouched."""
        parts: list[str] = []
        position = 0
        for edit in self.edits:
            parts += self.source[position : edit.start], edit.replacement
            position = edit.end
        return "".join([*parts, self.source[position:]])


@dataclass(frozen=True, slots=True)
class Counts:
    """True positives, false positives and false negatives; they add up."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float:
        """Share of proposed edits that are right; 1 when nothing wrong was proposed (ERRANT's convention)."""
        return self.tp / (self.tp + self.fp) if self.fp else 1.0

    @property
    def recall(self) -> float:
        """Share of reference edits that were found; 1 when none was missed."""
        return self.tp / (self.tp + self.fn) if self.fn else 1.0

    def f(self, beta: float = 0.5) -> float:
        """F-beta; 0 when precision and recall are both 0."""
        p, r = self.precision, self.recall
        weight = beta * beta
        return (1 + weight) * p * r / (weight * p + r) if p + r else 0.0


@dataclass(frozen=True, slots=True)
class Score:
    """A metric's answer: the headline value, what it is made of, and the signature that says how it was computed."""

    metric: str
    value: float
    parts: Mapping[str, float]
    signature: str
    by_type: Mapping[str, Mapping[str, float]] | None = None
    interval: tuple[float, float] | None = None


def count_matches(
    hypothesis: Iterable[Edit], reference: Iterable[Edit], key: Callable[[Edit], Hashable] = correction
) -> Counts:
    """True and false positives and false negatives as multisets under `key`."""
    found, wanted = Counter(map(key, hypothesis)), Counter(map(key, reference))
    tp = (found & wanted).total()
    return Counts(tp, found.total() - tp, wanted.total() - tp)
