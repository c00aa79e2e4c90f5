"""Robustness cases that can be scored: each with its place in a file, its targets and its hypotheses.

Whatever is missing is an error that names the case and the line. Only who asks for it (`lenient`) gets a score of the
rest, and is told what was left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import mode

from errata.edits.carrying import is_same_correction
from errata.errors import AlignmentError, DataError, FormatError, UsageError
from errata.formats.files import PathLike, display_name, plain_stem, read_lines
from errata.formats.robustgec import SampleLines, parse_samples, sample_name
from errata.model import RobustCase, Tokens
from errata.text.tokens import split_characters

ORIGINAL = sample_name(0)


class UnscorableCase(FormatError):
    """A case that cannot be scored as it is; `lenient` scores what is left."""


@dataclass(frozen=True, slots=True)
class Case:
    """The samples of a case, the original first; `changed` are the places of variants with another error."""

    origin: str
    number: int
    samples: tuple[SampleLines, ...]
    changed: frozenset[int] = frozenset()

    @property
    def n_variants(self) -> int:
        return len(self.samples) - 1

    def refuse(self, sample: SampleLines, message: str) -> UnscorableCase:
        """What is wrong with a sample, named by case and line."""
        return UnscorableCase(self.origin, sample.line, f"case {self.number}: {message}")


@dataclass(frozen=True, slots=True)
class Subset:
    """Cases under a name; `faults` tell what cannot be scored in them."""

    name: str
    cases: tuple[Case, ...]
    faults: tuple[str, ...] = ()

    @property
    def sources(self) -> Iterator[str]:
        return (sample.source for case in self.cases for sample in case.samples)


def split_sample(text: str, language: str) -> Tokens:
    """The tokens of a sample: characters in Chinese, what spaces separate in English."""
    return split_characters(text) if language == "zh" else tuple(text.split())


def read_subset(path: PathLike, *, lenient: bool = False) -> Subset:
    """The cases of a file, some of whose samples may have no target yet (`check_subset` refuses them)."""
    origin = display_name(path)
    blocks = parse_samples(read_lines(path), origin=origin, may_skip=lenient)
    return _number_cases(plain_stem(path), origin, blocks)


def read_subsets(paths: Sequence[PathLike], *, lenient: bool = False) -> list[Subset]:
    """One subset for each file; files of one name are told apart by their folders, and the same cases twice refused."""
    subsets = [read_subset(path, lenient=lenient) for path in paths]
    _refuse_same(subsets)
    if len({subset.name for subset in subsets}) == len(subsets):
        return subsets
    return [
        replace(subset, name=f"{Path(path).absolute().parent.name}/{subset.name}")
        for subset, path in zip(subsets, paths, strict=True)
    ]


def _refuse_same(subsets: Sequence[Subset]) -> None:
    """Refuse a file that has the cases of another one: they would be counted twice."""
    origins: dict[tuple[tuple[str, str | None], ...], str] = {}
    for subset in subsets:
        texts = tuple((sample.source, sample.target) for case in subset.cases for sample in case.samples)
        origin = subset.cases[0].origin
        if texts in origins:
            raise UsageError(f"{origin} has the same cases as {origins[texts]}: give each file of cases once")
        origins[texts] = origin


def subset_of_cases(name: str, cases: Iterable[RobustCase]) -> Subset:
    """Cases that come from no file: their line is the number of the sample."""
    blocks: list[tuple[SampleLines, ...]] = []
    line = 0
    for case in cases:
        samples = []
        for place, one in enumerate((case.original, *case.variants)):
            line += 1
            samples.append(SampleLines(sample_name(place), line, one.source, one.target, one.prediction))
        blocks.append(tuple(samples))
    return _number_cases(name, name, blocks)


def _number_cases(name: str, origin: str, blocks: Iterable[tuple[SampleLines, ...]]) -> Subset:
    cases = tuple(Case(origin, number, samples) for number, samples in enumerate(blocks, 1))
    if not cases:
        raise DataError(f"{origin}: there are no cases to score")
    return Subset(name, cases)


def with_hypotheses(subsets: Sequence[Subset], texts: Sequence[str], name: str) -> list[Subset]:
    """The subsets with a hypothesis for each sample, in order; `name` is the file or list that they come from."""
    n_samples = sum(len(case.samples) for subset in subsets for case in subset.cases)
    if len(texts) != n_samples:
        origins = ", ".join(dict.fromkeys(subset.cases[0].origin for subset in subsets))
        where = _describe_end(subsets, len(texts))
        raise AlignmentError(f"{name} has {len(texts)} lines, {origins} {n_samples} samples: one line for each{where}")
    stream = iter(texts)
    return [_fill(subset, stream) for subset in subsets]


def _describe_end(subsets: Sequence[Subset], n_texts: int) -> str:
    """Which sample is the first without a hypothesis."""
    samples = ((case, sample) for subset in subsets for case in subset.cases for sample in case.samples)
    first = next(islice(samples, n_texts, None), None)
    if first is None:
        return ""
    case, sample = first
    return f"; the first without one is {sample.name} of case {case.number} ({case.origin}:{sample.line})"


def _fill(subset: Subset, texts: Iterator[str]) -> Subset:
    cases = tuple(
        replace(case, samples=tuple(replace(sample, prediction=next(texts)) for sample in case.samples))
        for case in subset.cases
    )
    return replace(subset, cases=cases)


def check_subset(subset: Subset, language: str, *, lenient: bool = False) -> Subset:
    """The cases that can be scored; without `lenient` all of them, or an `UnscorableCase`.

    A sample needs a target and a hypothesis, a case as many variants as most have, and a variant the error of its
    original. With `lenient` what lacks something is left out. Variants with another error stay, and are marked.
    """
    usual = mode(case.n_variants for case in subset.cases)
    checked = subset
    for check in (_check_targets, _check_hypotheses, partial(_check_variants, usual=usual)):
        checked = _keep(checked, check, lenient)
    if not checked.cases:
        raise DataError(f"{subset.cases[0].origin}: no case is left to score")
    return _mark_changed(checked, language, lenient)


# The samples of a case that can be scored, and what is wrong with the others.
Verdict = tuple[Sequence[SampleLines], UnscorableCase | None]
Check = Callable[[Case], Verdict]


def _keep(subset: Subset, check: Check, lenient: bool) -> Subset:
    """The cases with the samples that pass a check; a case without original or variants is left out whole."""
    kept, faults = [], []
    for case in subset.cases:
        samples, fault = check(case)
        if fault is None:
            kept.append(case)
            continue
        if not lenient:
            raise fault
        faults.append(fault)
        if len(samples) > 1 and samples[0].name == ORIGINAL:
            kept.append(replace(case, samples=tuple(samples)))
    return Subset(subset.name, tuple(kept), (*subset.faults, *map(str, faults)))


def _check_targets(case: Case) -> Verdict:
    return _require(case, lambda sample: sample.target is not None, lambda name: f"{name} has no target ({name}-T)")


def _check_hypotheses(case: Case) -> Verdict:
    return _require(
        case, lambda sample: sample.prediction is not None, lambda name: f"{name} has no prediction ({name}-P)"
    )


def _require(case: Case, has_part: Callable[[SampleLines], bool], describe: Callable[[str], str]) -> Verdict:
    """The samples that have a part, and the first that has not."""
    kept = [sample for sample in case.samples if has_part(sample)]
    first = next((sample for sample in case.samples if not has_part(sample)), None)
    return kept, None if first is None else case.refuse(first, describe(first.name))


def _check_variants(case: Case, usual: int) -> Verdict:
    if case.n_variants == usual and usual:
        return case.samples, None
    if not case.n_variants:
        return case.samples, case.refuse(case.samples[0], "there is no variant to compare the original with")
    message = f"the number of variants is {case.n_variants}, in most cases it is {usual}"
    return case.samples, case.refuse(case.samples[-1], message)


def _mark_changed(subset: Subset, language: str, lenient: bool) -> Subset:
    """The cases, each with the variants that need another correction than the original."""
    marked, faults = [], []
    for case in subset.cases:
        changed = find_changed_errors(case, language)
        faults += [
            case.refuse(sample, f"the error itself was changed, {sample.name} needs other corrections than {ORIGINAL}")
            for sample in (case.samples[place] for place in sorted(changed))
        ]
        marked.append(replace(case, changed=changed) if changed else case)
    if faults and not lenient:
        if len(faults) > 1:
            n_cases = sum(bool(case.changed) for case in marked)
            faults[0].extend(f"there are {len(faults)} such variants in {n_cases} cases")
        raise faults[0]
    return Subset(subset.name, tuple(marked), (*subset.faults, *map(str, faults)))


def find_changed_errors(case: Case, language: str) -> frozenset[int]:
    """The places of the variants whose target corrects something else than the target of the original."""

    def split(text: str | None) -> Tokens:
        return split_sample(text or "", language)

    original = case.samples[0]
    source, target = split(original.source), split(original.target)
    return frozenset(
        place
        for place, variant in enumerate(case.samples[1:], 1)
        if not is_same_correction(source, target, split(variant.source), split(variant.target))
    )


def name_subsets(subsets: Mapping[str, Iterable[RobustCase]]) -> list[Subset]:
    """One subset for each name."""
    if not subsets:
        raise UsageError("there are no cases: give a list of cases, or a dict from names to such lists")
    return [subset_of_cases(name, cases) for name, cases in subsets.items()]
