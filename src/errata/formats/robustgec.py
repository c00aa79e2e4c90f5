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
from collections.abc import Iterable, Iterator
from typing import ClassVar

from errata.edits.texts import source_text, target_text
from errata.errors import DataError, FormatError
from errata.formats.base import clean_lines
from errata.model import AnnotatedSentence, Annotation, RobustCase, Sample, Sentence
from errata.text.tokens import split_tokens

PREDICTION = "prediction"
_SAMPLE = "sample"  # the key in meta: O, A1, A2 …
_LINE = re.compile(r"(O|A[1-9]\d*)-([STP])(?: (.*))?", re.ASCII | re.DOTALL)


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
                yield AnnotatedSentence(sentence, tuple(annotations), meta={_SAMPLE: _sample_name(index)})

    def format(self, sentences: Iterable[AnnotatedSentence]) -> Iterator[str]:
        return format_cases(_gather_cases(sentences))


def parse_cases(lines: Iterable[str], *, origin: str = "<input>") -> Iterator[RobustCase]:
    """The cases of a `para` file; `FormatError` when a sample lacks its source or target or is out of order."""
    samples: list[dict[str, str]] = []
    number = 0
    for number, line in enumerate(clean_lines(lines, origin), 1):
        if not line or line.isspace():
            if samples:
                yield _make_case(samples, origin, number)
                samples = []
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise FormatError(origin, number, f"a line begins with O-S, O-T, O-P, A1-S … ({line[:60]!r})")
        name, part, text = match.groups(default="")
        if part == "S":
            if name == "O" and samples:
                yield _make_case(samples, origin, number)
                samples = []
            if name != _sample_name(len(samples)):
                raise FormatError(origin, number, f"{name}-S comes where {_sample_name(len(samples))}-S is expected")
            samples.append({})
        elif not samples or name != _sample_name(len(samples) - 1):
            raise FormatError(origin, number, f"{name}-{part} comes before {name}-S or after another sample")
        if part in samples[-1] or (part == "T" and "P" in samples[-1]):
            raise FormatError(origin, number, f"{name}-{part} comes twice or too late")
        samples[-1][part] = text
    if samples:
        yield _make_case(samples, origin, number)


def format_cases(cases: Iterable[RobustCase]) -> Iterator[str]:
    """One block per case, ended by a blank line."""
    for case in cases:
        lines = []
        for index, sample in enumerate((case.original, *case.variants)):
            for part, text in (("S", sample.source), ("T", sample.target), ("P", sample.prediction)):
                if text is not None:
                    if not {"\r", "\n"}.isdisjoint(text):
                        raise DataError(f"a line break inside a sample: {text[:60]!r}")
                    lines.append(f"{_sample_name(index)}-{part} {text}\n")
        yield "".join(lines) + "\n"


def _sample_name(index: int) -> str:
    return f"A{index}" if index else "O"


def _make_case(samples: list[dict[str, str]], origin: str, number: int) -> RobustCase:
    made = []
    for index, parts in enumerate(samples):
        if "T" not in parts:
            raise FormatError(origin, number, f"the case that ends here has no {_sample_name(index)}-T")
        made.append(Sample(parts["S"], parts["T"], parts.get("P")))
    return RobustCase(made[0], tuple(made[1:]))


def _gather_cases(sentences: Iterable[AnnotatedSentence]) -> Iterator[RobustCase]:
    samples: list[Sample] = []
    for annotated in sentences:
        name = annotated.meta.get(_SAMPLE)
        if name == "O" and samples:
            yield RobustCase(samples[0], tuple(samples[1:]))
            samples = []
        if name != _sample_name(len(samples)):
            raise DataError(f"not a sample of robustness cases: meta says {_SAMPLE} {name!r} (O, A1, A2 … in order)")
        samples.append(_make_sample(annotated))
    if samples:
        yield RobustCase(samples[0], tuple(samples[1:]))


def _make_sample(annotated: AnnotatedSentence) -> Sample:
    texts = {a.annotator: target_text(annotated.sentence, a) for a in annotated.annotations}
    if "0" not in texts or not texts.keys() <= {"0", PREDICTION}:
        raise DataError(f"a sample has annotators '0' and maybe {PREDICTION!r}, not {sorted(texts)}")
    return Sample(source_text(annotated.sentence), texts["0"], texts.get(PREDICTION))
