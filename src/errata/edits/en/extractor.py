"""Edits from parallel text: analyse what differs, align, merge, classify."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from errata.edits.en.align import Step, align
from errata.edits.en.analysers import get_analyser
from errata.edits.en.analysis import Analyser, Analysis
from errata.edits.en.classify import classify
from errata.edits.en.merge import MERGERS
from errata.edits.parallel import annotate_in_parallel
from errata.errors import UnknownName, UsageError
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence

Pair = tuple[str, Sequence[str]]

BATCH = 256  # pairs read ahead; enough for full batches in the model, small enough to keep memory flat


class EnglishExtractor:
    """ERRANT 3.0.2's edits and types.

    Texts are tokens separated by spaces; with `tokenise` they are raw. `merge` is one of `MERGERS`, `lev` aligns by
    plain Levenshtein distance. `cache` keeps analyses on disk (`errata.edits.en.cache` says where); `analyser` is
    for those who have one of their own, and stays in this process.
    """

    language = "en"

    def __init__(
        self,
        *,
        merge: str = "rules",
        lev: bool = False,
        tokenise: bool = False,
        workers: int = 1,
        cache: bool = True,
        analyser: Analyser | None = None,
    ) -> None:
        if merge not in MERGERS:
            raise UnknownName("merging strategy", merge, MERGERS)
        if workers < 1:
            raise UsageError(f"the number of workers must be positive, not {workers}")
        self.merge, self.lev, self.tokenise, self.workers, self.cache = merge, lev, tokenise, workers, cache
        self._given = analyser

    @cached_property
    def _analyser(self) -> Analyser:
        return self._given or get_analyser(cache=self.cache)

    @property
    def signature(self) -> str:
        parts = [self._analyser.signature, "errant:3.0.2", f"merge:{self.merge}"]
        return "|".join(parts + ["align:levenshtein"] * self.lev + ["tok:spacy"] * self.tokenise)

    def annotate(self, pairs: Iterable[Pair]) -> Iterator[AnnotatedSentence]:
        """One annotated sentence per (source, targets), in order; memory stays flat however many there are."""
        if self.workers > 1:
            options = {"merge": self.merge, "lev": self.lev, "tokenise": self.tokenise, "cache": self.cache}
            yield from annotate_in_parallel("en", options, pairs, workers=self.workers, chunk=BATCH // 2)
            return
        stream = iter(pairs)
        while batch := list(islice(stream, BATCH)):
            yield from self._annotate_batch(batch)

    def edits(self, source: Analysis, target: Analysis) -> tuple[Edit, ...]:
        """The typed edits from one analysed sentence to another."""
        steps = align(source, target, levenshtein=self.lev)
        return tuple(typed_edit(source, target, span) for span in MERGERS[self.merge](steps, source, target))

    def _annotate_batch(self, batch: list[Pair]) -> list[AnnotatedSentence]:
        texts = [(_normalise(source), [_normalise(target) for target in targets]) for source, targets in batch]
        differing = [[source, *(t for t in targets if t != source)] for source, targets in texts]
        analyses = self.analyse(text for group in differing if len(group) > 1 for text in group)
        unchanged = [group[0] for group in differing if len(group) == 1 and group[0] not in analyses]
        words = dict(zip(unchanged, self._words(unchanged), strict=True))
        return [
            self._annotated(source, targets, given, analyses, words)
            for (source, targets), (_, given) in zip(texts, batch, strict=True)
        ]

    def analyse(self, texts: Iterable[str]) -> dict[str, Analysis]:
        """Analyses by text, each distinct one once."""
        distinct = list(dict.fromkeys(texts))
        if self.tokenise:
            found = self._analyser.analyse_texts(distinct)
        else:
            found = self._analyser.analyse([text.split() for text in distinct])
        return dict(zip(distinct, found, strict=True))

    def _words(self, texts: list[str]) -> list[list[str]]:
        return self._analyser.tokenise(texts) if self.tokenise else [text.split() for text in texts]

    def _annotated(
        self,
        source: str,
        targets: list[str],
        given: Sequence[str],
        analyses: dict[str, Analysis],
        words: dict[str, list[str]],
    ) -> AnnotatedSentence:
        annotations = []
        for annotator, (target, text) in enumerate(zip(targets, given, strict=True)):
            edits = self.edits(analyses[source], analyses[target]) if target != source else ()
            # A correction of spacing alone has the same tokens: over tokens nothing was corrected.
            is_same = self.tokenise and not edits
            annotations.append(Annotation(str(annotator), edits, target=None if is_same else text))
        tokens = tuple(analyses[source].words if source in analyses else words[source])
        return AnnotatedSentence(Sentence(tokens, source if self.tokenise else None), tuple(annotations))


def _normalise(text: str) -> str:
    """Words separated by single spaces; spaCy would make tokens of further white space, which M2 cannot show."""
    return " ".join(text.split())


def typed_edit(source: Analysis, target: Analysis, span: Step) -> Edit:
    """The edit that a merged alignment step stands for, with its type."""
    _, start, end, target_start, target_end = span
    kind = classify(
        source.tokens(start, end),
        target.tokens(target_start, target_end),
        is_same_text=source.text(start, end) == target.text(target_start, target_end),
    )
    return Edit(start, end, tuple(target.words[target_start:target_end]), kind)
