"""`errata.robust`: how often a corrector makes the same corrections when the context changes."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Protocol, cast, runtime_checkable

from errata.edits.languages import LANGUAGES
from errata.errors import DataError, UnknownName, UsageError
from errata.formats.files import PathLike
from errata.formats.robustgec import SampleLines
from errata.metrics.compared import DIGEST_LENGTH
from errata.metrics.doubts import find_doubts
from errata.metrics.scoring import check_resampling
from errata.metrics.signature import make_signature
from errata.model import Correction, RobustCase
from errata.parameters import check_list, check_options, check_texts, check_type
from errata.robustness.cases import Subset, check_subset, name_subsets, read_subsets, with_hypotheses
from errata.robustness.flips import find_flips
from errata.robustness.groups import check_groupings, group_variants
from errata.robustness.judging import Judge, JudgedCase
from errata.robustness.report import TOTAL, RobustReport, SubsetReport
from errata.robustness.scores import DEFINITIONS
from errata.stats.resampling import DEFAULT_SEED
from errata.text.language import find_language

_log = logging.getLogger(__name__)

BOTH = "both"
# Sentences corrected between two steps of the progress.
AT_ONCE = 256

# Told what is being done, how many samples are finished, and of how many.
Progress = Callable[[str, int, int], object]


@runtime_checkable
class Corrector(Protocol):
    """What corrects sentences: anything of errata's, or an object of yours."""

    def correct(self, sentences: Sequence[str], /) -> Sequence[Correction] | Sequence[str]:
        """One correction, or corrected text, for each sentence in order."""
        ...


@dataclass(frozen=True, slots=True)
class RobustOptions:
    """What is asked for: definitions and groupings by name, how many flips, resamples for intervals."""

    definition: str = BOTH
    by: Sequence[str] = ()
    frequencies: PathLike | None = None
    flips: int = 10
    bootstrap: int = 1000
    seed: int = DEFAULT_SEED
    lenient: bool = False
    workers: int = 1

    def __post_init__(self) -> None:
        if isinstance(self.by, str):
            raise TypeError(f"by is of type str: give a list of groupings, such as by=[{self.by!r}]")
        if self.definition not in (BOTH, *DEFINITIONS):
            raise UnknownName("definition", self.definition, [BOTH, *DEFINITIONS])
        check_resampling("bootstrap", self.bootstrap, 0, self.seed)
        if self.flips < 0:
            raise UsageError(f"flips is how many to show, 0 or more, not {self.flips}")

    @property
    def definitions(self) -> list[str]:
        return list(DEFINITIONS) if self.definition == BOTH else [self.definition]


Cases = PathLike | Sequence[PathLike] | Sequence[RobustCase] | Mapping[str, Sequence[RobustCase]]


def robust(
    cases: Cases,
    hypotheses: Sequence[str] | Corrector | None = None,
    *,
    language: str | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> RobustReport:
    """How well, and how alike, the samples of robustness cases are corrected.

    `cases` is a file of RobustGEC's blocks, several files (each a subset), a list of `RobustCase`, or a dict of such
    lists. `hypotheses` are corrected texts, one for each sample in order, or a corrector, which is then run; None means
    that the cases have predictions. `options` are those of `RobustOptions`: `definition` ("official", "consistent" or
    "both"), `by` (groupings of variants), `frequencies` (a file of training text, for the grouping by frequency),
    `flips`, `bootstrap`, `seed`, `lenient` (score what can be scored, and warn of the rest) and `workers`.

    >>> import errata
    >>> report = errata.robust("examples/formats/robustgec.para", bootstrap=0)
    >>> report.total.scores["official"].crs, report.n_flips
    (0.0, 1)
    """
    check_type("language", language, str | None)
    for option in options:
        if option not in RobustOptions.__dataclass_fields__:
            raise UnknownName("option of robust", option, RobustOptions.__dataclass_fields__)
    check_options(RobustOptions, options)
    chosen = RobustOptions(**options)
    subsets = _read_cases(cases, chosen.lenient)
    spoken = choose_language(subsets, language)
    name = "predictions"
    if isinstance(hypotheses, Corrector):
        name = str(getattr(hypotheses, "name", type(hypotheses).__name__))
        subsets = with_hypotheses(subsets, run_corrector(hypotheses, subsets, progress), name)
    elif hypotheses is not None:
        name = "hypotheses"
        check_texts(name, hypotheses)
        subsets = with_hypotheses(subsets, hypotheses, name)
    report = evaluate(subsets, name, spoken, chosen, progress)
    for warning in report.warnings:
        _log.warning("%s", warning)
    return report


def _read_cases(cases: Cases, lenient: bool) -> list[Subset]:
    if isinstance(cases, Mapping):
        return name_subsets(cases)
    if isinstance(cases, str | os.PathLike):
        return read_subsets([cases], lenient=lenient)
    check_list("cases", cases)
    if not cases:
        raise UsageError("there are no cases: give a file, or a list of cases")
    if all(isinstance(one, RobustCase) for one in cases):
        return name_subsets({"cases": cast(Sequence[RobustCase], cases)})
    for place, one in enumerate(cases):
        check_type(f"cases[{place}]", one, str | os.PathLike)
    return read_subsets(cast(Sequence[PathLike], cases), lenient=lenient)


def choose_language(subsets: Sequence[Subset], language: str | None) -> str:
    """The language given, or that of most sources."""
    if language is not None:
        if language not in LANGUAGES:
            raise UnknownName("language", language, LANGUAGES)
        return language
    found = find_language(chain.from_iterable(subset.sources for subset in subsets))
    if found is None:
        raise UsageError("the cases are in neither English nor Chinese, as far as one can tell: name their language")
    return found


def run_corrector(corrector: Corrector, subsets: Sequence[Subset], progress: Progress | None = None) -> list[str]:
    """The corrected text of every sample, in order."""
    sources = [source for subset in subsets for source in subset.sources]
    texts: list[str] = []
    for start in range(0, len(sources), AT_ONCE):
        answers = corrector.correct(sources[start : start + AT_ONCE])
        if len(answers) != len(sources[start : start + AT_ONCE]):
            raise DataError(
                f"the corrector gave {len(answers)} answers to {len(sources[start : start + AT_ONCE])} texts"
            )
        texts += [answer.target if isinstance(answer, Correction) else answer for answer in answers]
        if progress:
            progress("correct", len(texts), len(sources))
    return texts


def evaluate(
    subsets: Sequence[Subset], hypothesis: str, language: str, options: RobustOptions, progress: Progress | None = None
) -> RobustReport:
    """The report on cases that have hypotheses; what cannot be scored is refused before any edit is extracted."""
    check_groupings(options.by, language, options.frequencies)
    if not any(sample.prediction is not None for sample in _list_samples(subsets)):
        raise UsageError("the cases have no predictions (O-P, A1-P …): give hypotheses, or a model that makes them")
    checked = [check_subset(subset, language, lenient=options.lenient) for subset in subsets]
    judge = Judge(language, workers=options.workers)
    judged = _judge_all(judge, checked, progress)
    together = [case for cases in judged for case in cases]
    n_flips, flips = find_flips(together, options.flips, language)
    reports = [_report_subset(subset.name, cases, options) for subset, cases in zip(checked, judged, strict=True)]
    return RobustReport(
        hypothesis,
        language,
        reports,
        reports[0] if len(reports) == 1 else _report_subset(TOTAL, together, options),
        group_variants(together, options.by, judge, options.frequencies) if options.by else {},
        n_flips,
        flips,
        {name: _sign(name, judge, checked, options) for name in options.definitions},
        [fault for subset in checked for fault in subset.faults],
        _find_doubts(checked, hypothesis),
    )


def _judge_all(judge: Judge, subsets: Sequence[Subset], progress: Progress | None) -> list[list[JudgedCase]]:
    """The judged cases of each subset; all go through one stream, so that worker processes are started once."""
    n_samples = sum(len(case.samples) for subset in subsets for case in subset.cases)
    finished = 0

    def advance(n: int) -> None:
        nonlocal finished
        finished += n
        if progress:
            progress("score", finished, n_samples)

    stream = judge.judge((case for subset in subsets for case in subset.cases), advance)
    return [list(islice(stream, len(subset.cases))) for subset in subsets]


def _report_subset(name: str, cases: Sequence[JudgedCase], options: RobustOptions) -> SubsetReport:
    return SubsetReport(
        name,
        len(cases),
        sum(one.case.n_variants for one in cases),
        sum(len(one.case.changed) for one in cases),
        {name: DEFINITIONS[name](cases, options.bootstrap, options.seed) for name in options.definitions},
    )


def _sign(definition: str, judge: Judge, subsets: Sequence[Subset], options: RobustOptions) -> str:
    """Everything the scores depend on, in one line."""
    resampling = f"|bootstrap:{options.bootstrap}|seed:{options.seed}" if options.bootstrap else ""
    cases = f"cases:{_digest(subsets)}"
    return f"{make_signature('robust', definition)}|{judge.signature}|{cases}{resampling}"


def _digest(subsets: Iterable[Subset]) -> str:
    """A digest of sources and targets, whatever the files are called."""
    digest = hashlib.sha256()
    for subset in subsets:
        for case in subset.cases:
            digest.update(json.dumps([(one.source, one.target) for one in case.samples]).encode() + b"\n")
    return digest.hexdigest()[:DIGEST_LENGTH]


def _list_samples(subsets: Iterable[Subset]) -> Iterator[SampleLines]:
    return (sample for subset in subsets for case in subset.cases for sample in case.samples)


def _find_doubts(subsets: Sequence[Subset], hypothesis: str) -> list[str]:
    """What is odd about the hypotheses: lines of another file, shifted lines, other tokens."""
    samples = list(_list_samples(subsets))
    doubts = find_doubts([one.source for one in samples], [one.prediction or "" for one in samples])
    return [f"{hypothesis}: {doubt}" for doubt in doubts]
