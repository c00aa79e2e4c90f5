"""The metric a project is scored by, and the edits that its own extractor finds: for figures and exports alike.

English edits are ERRANT's over words, Chinese ones ChERRANT's over characters with all cheapest alignments, so that
`errata score` finds in an exported file what the owner's page shows.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from errata.edits.base import Extractor
from errata.edits.languages import LANGUAGES
from errata.errors import UnknownName
from errata.metrics.base import get_metric
from errata.metrics.edit_metric import EditMetric
from errata.model import AnnotatedSentence, Sentence
from errata.web.workbench.extraction import Extraction

# Sentences with their corrections that are remembered: one more submission changes one of them.
N_REMEMBERED = 20_000


@dataclass(frozen=True, slots=True)
class Pair:
    """A source and corrections of it; `is_tokenised` says that spaces separate the tokens of English."""

    source: str
    targets: tuple[str, ...]
    is_tokenised: bool = False


class Scorer:
    """The metric and extractor of a language; safe to use from several threads, one of which works at a time."""

    def __init__(self, language: str, extraction: Extraction) -> None:
        if language not in LANGUAGES:
            raise UnknownName("language", language, LANGUAGES)
        self.language, self._extraction = language, extraction
        self.metric = make_metric(language)
        self._extractor: Extractor | None = None
        self._lock = Lock()
        self._found: OrderedDict[Pair, AnnotatedSentence] = OrderedDict()

    @property
    def signature(self) -> str:
        """How scores come about."""
        with self._lock:
            return f"{self.metric.signature}|{self._get_extractor().signature}"

    def annotate(self, pairs: Sequence[Pair]) -> list[AnnotatedSentence]:
        """The sentences with the edits of each correction; equally cheap alignments share an annotator."""
        with self._lock:
            missing = [pair for pair in dict.fromkeys(pairs) if pair not in self._found]
            fresh = dict(zip(missing, self._extract(missing), strict=True))
            annotated = [fresh[pair] if pair in fresh else self._found[pair] for pair in pairs]
            self._found.update(fresh)
            for pair in pairs:
                self._found.move_to_end(pair)
            while len(self._found) > N_REMEMBERED:
                self._found.popitem(last=False)
        return annotated

    def _extract(self, pairs: Sequence[Pair]) -> Iterable[AnnotatedSentence]:
        if not pairs:
            return []
        texts = [(self._spaced(pair, pair.source), [self._spaced(pair, one) for one in pair.targets]) for pair in pairs]
        found = self._get_extractor().annotate(texts)
        return [self._as_given(pair, one) for pair, one in zip(pairs, found, strict=True)]

    def _spaced(self, pair: Pair, text: str) -> str:
        """The text as the extractor reads it: English tokens with spaces between them."""
        if self.language == "zh" or pair.is_tokenised:
            return text
        return " ".join(self._extraction.tokens(self.language, text, is_tokenised=False))

    def _as_given(self, pair: Pair, found: AnnotatedSentence) -> AnnotatedSentence:
        """The sentence with its texts as people wrote them."""
        is_joined = self.language != "zh" and pair.is_tokenised
        sentence = Sentence(found.sentence.tokens, None if is_joined else pair.source)
        annotations = [
            # A correction of spacing alone has no edits: over tokens nothing was corrected.
            replace(one, target=pair.targets[int(one.annotator)] if one.edits else None)
            for one in found.annotations
        ]
        return AnnotatedSentence(sentence, tuple(annotations))

    def _get_extractor(self) -> Extractor:
        if self._extractor is None:
            self._extractor = self.metric.make_extractor()
        return self._extractor


class Scorers:
    """A scorer for each language, made when it is first asked for."""

    def __init__(self, extraction: Extraction | None = None) -> None:
        self._extraction = extraction or Extraction()
        self._lock, self._scorers = Lock(), dict[str, Scorer]()

    def __getitem__(self, language: str) -> Scorer:
        with self._lock:
            if language not in self._scorers:
                self._scorers[language] = Scorer(language, self._extraction)
            return self._scorers[language]


def make_metric(language: str, beta: float = 0.5) -> EditMetric[Any]:
    """The metric over edits that errata scores a language with."""
    # The cache of English analyses belongs to the thread that opened it.
    options: dict[str, Any] = {"cache": False} if language == "en" else {}
    metric = get_metric(LANGUAGES[language].metric, beta=beta, **options)
    assert isinstance(metric, EditMetric)
    return metric
