"""What a metric is: per-sentence statistics, a pure aggregate, and a signature.

Sentence scores, corpus scores, intervals, paired tests and type tables all read the same `stats`. A new metric is one
class with `name`, `stats` and `aggregate`, and one line in `METRICS`; everything else has a default.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Generic, TypeVar

import numpy as np

from errata.edits.languages import LANGUAGES
from errata.errors import UnknownName
from errata.metrics.signature import make_signature
from errata.model import Annotation, Score, Sentence
from errata.parameters import check_options
from errata.registry import lookup_class

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence to judge.

    A hypothesis or reference is a corrected text, or an `Annotation` where edits are already known (an M2 file).
    Texts are tokenised the way the source is: tokens separated by spaces for words, plain text for characters.
    `labels` and `predicted_labels` are sentence-level error types for classification metrics (empty: correct).
    `systems` is what several systems made of the sentence, for metrics that ask how difficult it is.
    """

    source: Sentence
    hypothesis: str | Annotation
    references: tuple[str | Annotation, ...] = ()
    labels: tuple[str, ...] | None = None
    predicted_labels: tuple[str, ...] | None = None
    systems: tuple[str | Annotation, ...] = ()


@dataclass(frozen=True, slots=True)
class NoOptions:
    """The options of a metric that has none."""


class Metric(ABC, Generic[S]):
    """One metric with its options fixed; `S` is what it keeps of each sentence.

    `Options` is a frozen dataclass; the command line and Python take its fields by name. `language` is the one that the
    metric can score (None: any), `m2_dialect` the format that its M2 files are in (None: detected). `needs_references`
    is False where a metric judges a correction by itself; `reads_gold_edits` says that it compares with the edits that
    annotators wrote, and not with those an extractor finds in their texts.
    """

    name: str
    Options: type[Any] = NoOptions
    options: Any
    language: str | None = None
    m2_dialect: str | None = None
    needs_references: bool = True
    # Whether the score of a sentence is σ of something, so that it has log-odds.
    has_odds: bool = False
    reads_gold_edits: bool = False
    # Whether the statistics of a sentence depend on that sentence alone, to the last bit: then they can be counted in
    # parts, on several machines (`scale`).
    is_cuttable: bool = False
    # Why it looks at the outputs of several systems, where it does.
    use_of_systems: str = "weighs errors by how many systems correct them"

    def __init__(self, options: Any = None) -> None:
        self.options = self.Options() if options is None else options

    @property
    def signature(self) -> str:
        """Everything the score depends on besides the data: the name and the options."""
        return make_signature(self.name, **asdict(self.options))

    @property
    def reads_raw_text(self) -> bool:
        """Whether it finds the tokens of texts itself, so that spaces between them do not matter."""
        return False

    @property
    def needs_systems(self) -> bool:
        """Whether items must have the outputs of several systems (`Item.systems`)."""
        return False

    @property
    def unlimited(self) -> Metric[Any]:
        """The metric itself, where it stands behind a limit on the number of references."""
        return self

    def setting_for(self, language: str) -> tuple[str, str]:
        """The setting and its value that score text of another language: `("metric", "cherrant")`."""
        return "metric", LANGUAGES[language].metric

    def compared(self, items: Sequence[Item]) -> str:
        """What the score of the items depends on besides the options, for its signature (`metrics.compared`)."""
        from errata.metrics.compared import describe_gold, view_texts  # they stand on this module

        return describe_gold(items, view_texts)

    def type_doubt(self, items: Sequence[Item]) -> str | None:
        """Why error types of gold and hypothesis cannot be compared, where the metric would compare them."""
        return None

    def prepare(self, items: Sequence[Item]) -> Sequence[Item]:
        """The items with the slow work done, so that `stats` of any part of them is cheap."""
        return items

    @abstractmethod
    def stats(self, items: Sequence[Item]) -> list[S]:
        """One entry per sentence; batched inside."""

    @abstractmethod
    def aggregate(self, stats: Sequence[S]) -> Score:
        """The corpus score; pure."""

    def resample(self, stats: Sequence[S], indices: np.ndarray) -> np.ndarray:
        """The corpus score of each row of `indices` (resamples, sentences); a metric may have a faster way."""
        return np.array([self.aggregate([stats[place] for place in row]).value for row in indices], dtype=float)

    def sentence_scores(self, stats: Sequence[S]) -> np.ndarray:
        """The score of each sentence by itself; a metric may define it in its own way."""
        return self.resample(stats, np.arange(len(stats))[:, None])


METRICS: dict[str, str] = {
    "errant": "errata.metrics.errant:Errant",
    "cherrant": "errata.metrics.cherrant:Cherrant",
    "maxmatch": "errata.metrics.maxmatch:MaxMatch",
    "gleu": "errata.metrics.gleu:Gleu",
    "green": "errata.metrics.green:Green",
    "cleme": "errata.metrics.cleme:Cleme",
    "cleme2": "errata.metrics.cleme2:Cleme2",
    "gotoscorer": "errata.metrics.gotoscorer:Gotoscorer",
    "exact-match": "errata.metrics.exact_match:ExactMatch",
    "detection": "errata.metrics.classification:Detection",
    "identification": "errata.metrics.classification:Identification",
    "impara": "errata.judges.impara.metric:Impara",
    "some": "errata.judges.some.metric:Some",
    "scribendi": "errata.judges.scribendi:Scribendi",
    "pt-errant": "errata.judges.pt_errant:PtErrant",
    "pt-m2": "errata.judges.pt_m2:PtM2",
    "llm": "errata.judges.llm.metric:Llm",
}


def metric_class(name: str) -> type[Metric[Any]]:
    """The class of the metric registered as `name`, here or by another package."""
    return lookup_class("metric", METRICS, name, Metric, group="errata.metrics")


def get_metric(name: str, **options: Any) -> Metric[Any]:
    """The metric registered as `name`: `get_metric("errant", beta=1.0)`."""
    kind = metric_class(name)
    known = [field.name for field in fields(kind.Options)]
    for option in options:
        if option not in known:
            raise UnknownName(f"option of {name}", option, known)
    check_options(kind.Options, options)
    return kind(kind.Options(**options))
