"""RobustGEC's `para` blocks: an original sample, its variants, and predictions where a system has run.

    O-S This are a sentence .
    O-T This is a sentence .
    O-P This is a sentence .
    A1-S This are a phrase .
    A1-T This is a phrase .
    A1-P This are a phrase .

A blank line ends a case. `parse_cases` and `format_cases` speak in `RobustCase`; as a `Format`, each sample is one
annotated sentence: the target is annotator "0", the prediction annotator "prediction", and `meta` says the sample.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from errata.edits.texts import source_text, target_text
from errata.errors import DataError, FormatError
from errata.formats.base import clean_lines
from errata.model import AnnotatedSentence, Annotation, RobustCase, Sample, Sentence
from errata.text.tokens import split_tokens

PREDICTION = "prediction"
_SAMPLE = "sample"  # the key in meta: O, A1, A2 …
# No case has a billion variants, and Python refuses to read numbers of thousands of digits.
_LINE = re.compile(r"(O|A[1-9]\d{0,8})-([STP])(?: (.*))?", re.ASCII | re.DOTALL)


class RobustGEC:
    """Samples of robustness cases, in file order."""

    name: ClassVar[str] = "robustgec"
    suffixes: ClassVar[tuple[str, ...]] = (".para", ".txt")
    keeps: ClassVar[frozenset[str]] = frozenset({"targets", "text", "annotators", "meta"})

    def sniff(self, head: str) -> bool:
        lines = [line for line in head.split("\n")[:-1] or [head] if line.strip()]
        return bool(lines) and all(_LINE.fullmatch(line) for line in lines)

    def parse(self, lines: Iterable[str], *, origin: str = "<input>") -> Iterator[AnnotatedSentence]:
        for case in parse_cases(lines, origin=origin):
            for index, sample in enumerate((case.original, *case.variants)):
                annotations = [Annotation("0", target=sample.target)]
                if sample.prediction is not None:
                    annotations.append(Annotation(PREDICTION, target=sample.prediction))
                sentence = Sentence(split_tokens(sample.source), sample.source)
                yield AnnotatedSentence(sentence, tuple(annotations), meta={_SAMPLE: sample_name(index)})

    def format(self, sentences: Iterable[AnnotatedSentence]) -> Iterator[str]:
        return format_cases(_gather_cases(sentences))


@dataclass(frozen=True, slots=True)
class SampleLines:
    """A sample as a file has it: its name (O, A1 …), the line of its source, and the parts that are there."""

    name: str
    line: int
    source: str
    target: str | None = None
    prediction: str | None = None


def parse_cases(lines: Iterable[str], *, origin: str = "<input>") -> Iterator[RobustCase]:
    """The cases of a `para` file; `FormatError` when a sample lacks its source or target or is out of order."""
    for samples, last in _parse_blocks(lines, origin, may_skip=False):
        yield _make_case(samples, origin, last)


def parse_samples(
    lines: Iterable[str], *, origin: str = "<input>", may_skip: bool = False
) -> Iterator[tuple[SampleLines, ...]]:
    """The samples of each case with their lines; a target may be missing, and with `may_skip` a variant too."""
    for samples, _ in _parse_blocks(lines, origin, may_skip):
        yield samples


def _parse_blocks(lines: Iterable[str], origin: str, may_skip: bool) -> Iterator[tuple[tuple[SampleLines, ...], int]]:
    """The samples of each case, and the line that ends it."""
    samples: list[SampleLines] = []
    number = 0
    for number, line in enumerate(clean_lines(lines, origin), 1):
        if not line or line.isspace():
            if samples:
                yield tuple(samples), number
                samples = []
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise FormatError(origin, number, f"a line begins with O-S, O-T, O-P, A1-S … ({line[:60]!r})")
        name, part, text = match.groups(default="")
        if part == "S":
            if name == "O" and samples:
                yield tuple(samples), number
                samples = []
            _check_order(name, samples, origin, number, may_skip)
            samples.append(SampleLines(name, number, text))
            continue
        if not samples or name != samples[-1].name:
            raise FormatError(origin, number, f"{name}-{part} comes before {name}-S or after another sample")
        sample = samples[-1]
        if sample.prediction is not None or (part == "T" and sample.target is not None):
            raise FormatError(origin, number, f"{name}-{part} comes twice or too late")
        samples[-1] = replace(sample, target=text) if part == "T" else replace(sample, prediction=text)
    if samples:
        yield tuple(samples), number


def _check_order(name: str, samples: Sequence[SampleLines], origin: str, number: int, may_skip: bool) -> None:
    """Refuse a sample that is not the next one; with `may_skip` it may be a later one."""
    expected = sample_name(len(samples))
    if name == expected:
        return
    if may_skip and samples and name != "O" and int(name[1:]) > int(samples[-1].name[1:] or 0):
        return
    raise FormatError(origin, number, f"{name}-S comes where {expected}-S is expected")


def format_cases(cases: Iterable[RobustCase]) -> Iterator[str]:
    """One block per case, ended by a blank line."""
    for case in cases:
        lines = []
        for index, sample in enumerate((case.original, *case.variants)):
            for part, text in (("S", sample.source), ("T", sample.target), ("P", sample.prediction)):
                if text is not None:
                    if not {"\r", "\n"}.isdisjoint(text):
                        raise DataError(f"a line break inside a sample: {text[:60]!r}")
                    lines.append(f"{sample_name(index)}-{part} {text}\n")
        yield "".join(lines) + "\n"


def sample_name(index: int) -> str:
    """What the samples of a case are called: O, A1, A2 …"""
    return f"A{index}" if index else "O"


def _make_case(samples: Sequence[SampleLines], origin: str, number: int) -> RobustCase:
    made = []
    for sample in samples:
        if sample.target is None:
            raise FormatError(origin, number, f"the case that ends here has no {sample.name}-T")
        made.append(Sample(sample.source, sample.target, sample.prediction))
    return RobustCase(made[0], tuple(made[1:]))


def _gather_cases(sentences: Iterable[AnnotatedSentence]) -> Iterator[RobustCase]:
    samples: list[Sample] = []
    for annotated in sentences:
        name = annotated.meta.get(_SAMPLE)
        if name == "O" and samples:
            yield RobustCase(samples[0], tuple(samples[1:]))
            samples = []
        if name != sample_name(len(samples)):
            raise DataError(f"not a sample of robustness cases: meta says {_SAMPLE} {name!r} (O, A1, A2 … in order)")
        samples.append(_make_sample(annotated))
    if samples:
        yield RobustCase(samples[0], tuple(samples[1:]))


def _make_sample(annotated: AnnotatedSentence) -> Sample:
    texts = {a.annotator: target_text(annotated.sentence, a) for a in annotated.annotations}
    if "0" not in texts or not texts.keys() <= {"0", PREDICTION}:
        raise DataError(f"a sample has annotators '0' and maybe {PREDICTION!r}, not {sorted(texts)}")
    return Sample(source_text(annotated.sentence), texts["0"], texts.get(PREDICTION))
