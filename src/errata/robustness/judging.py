"""Cases with what a corrector made of them: counts of each sample, and whether variants are corrected alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from errata.edits.base import Extractor
from errata.edits.carrying import Change, find_changes, is_same_correction
from errata.edits.languages import LANGUAGES
from errata.metrics.base import get_metric
from errata.metrics.edit_counts import collect_keys, compare_keys, rounded_f
from errata.metrics.edit_metric import EditMetric
from errata.metrics.items import pool_alignments
from errata.model import AnnotatedSentence, Annotation, Counts, Edit
from errata.robustness.bounds import BETA
from errata.robustness.cases import Case, split_sample

# Told how many more samples are extracted.
Progress = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """A case, the counts of each sample, and the reference edits of each (of its first alignment).

    `is_alike` says of each variant whether it is corrected as the original is.
    """

    case: Case
    counts: tuple[Counts, ...]
    references: tuple[tuple[Edit, ...], ...]
    is_alike: tuple[bool, ...]
    changes: tuple[tuple[Change, ...], ...]

    @property
    def has_same_f(self) -> tuple[bool, ...]:
        """Of each variant, whether its F is the original's, as the released script compares them."""
        original = rounded_f(self.counts[0], BETA)
        return tuple(rounded_f(counts, BETA) == original for counts in self.counts[1:])

    @property
    def is_comparable(self) -> tuple[bool, ...]:
        """Of each variant, whether it has the error of the original."""
        return tuple(place not in self.case.changed for place in range(1, len(self.counts)))

    @property
    def comparable_counts(self) -> tuple[Counts, ...]:
        """The counts of the original and of the variants that have its error."""
        return tuple(counts for place, counts in enumerate(self.counts) if place not in self.case.changed)


class Judge:
    """Extracts and compares edits in one language."""

    def __init__(self, language: str, *, workers: int = 1) -> None:
        metric = get_metric(LANGUAGES[language].metric, workers=workers)
        assert isinstance(metric, EditMetric)
        self.language, self._metric = language, metric
        self.extractor: Extractor = metric.make_extractor()

    @property
    def signature(self) -> str:
        """How edits are found and compared."""
        return f"{self._metric.signature}|{self.extractor.signature}"

    def judge(self, cases: Iterable[Case], progress: Progress | None = None) -> Iterator[JudgedCase]:
        """Each case in order; memory does not grow with their number."""
        known = list(cases)
        pairs = ((one.source, [one.target or "", one.prediction or ""]) for case in known for one in case.samples)
        annotated = self.extractor.annotate(pairs)
        for case in known:
            samples = [next(annotated) for _ in case.samples]
            if progress:
                progress(len(samples))
            yield self._judge_case(case, samples)

    def _judge_case(self, case: Case, samples: list[AnnotatedSentence]) -> JudgedCase:
        sources, targets = (
            [split_sample(text or "", self.language) for text in texts]
            for texts in zip(*((one.source, one.prediction) for one in case.samples), strict=True)
        )
        changes = tuple(find_changes(sources[0], source) for source in sources[1:])
        return JudgedCase(
            case,
            tuple(map(self._count, samples)),
            tuple(_first_alignment(one) for one in samples),
            tuple(
                is_same_correction(sources[0], targets[0], source, target, own)
                for source, target, own in zip(sources[1:], targets[1:], changes, strict=True)
            ),
            changes,
        )

    def _count(self, annotated: AnnotatedSentence) -> Counts:
        reference, hypothesis = pool_alignments(annotated.annotations)
        return compare_keys(self._keys(hypothesis), self._keys(reference)).total

    def _keys(self, annotation: Annotation) -> dict[tuple[int | str, ...], list[str]]:
        return collect_keys(self._metric.counted_edits(annotation), self._metric.key)


def _first_alignment(annotated: AnnotatedSentence) -> tuple[Edit, ...]:
    """The edits of the reference."""
    return next(one for one in annotated.annotations if one.annotator == "0").edits
