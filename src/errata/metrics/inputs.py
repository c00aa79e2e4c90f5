"""From files to `Item`s: gold corpora, hypotheses and predicted labels, checked to be parallel.

Gold is any format of `errata.formats`, or a source and reference texts line by line. A hypothesis is a text line by
line, a corpus over the same sources (M2, MuCGEC's columns …), a label file (error types separated by `;` or `,`, `*`
for a correct sentence), or FCGEC predictions (JSON).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from errata.edits.operations import apply_all_operations
from errata.edits.texts import source_text
from errata.errors import AlignmentError, DataError, FormatError, UnknownName
from errata.formats.base import FORMATS, M2_DIALECTS, clean_lines, find_brought_formats, get_format
from errata.formats.detect import detect_dialect, detect_format
from errata.formats.files import PathLike, display_name, open_sentences, read_lines
from errata.metrics.base import Item
from errata.metrics.items import pool_alignments
from errata.model import AnnotatedSentence, Annotation, Sentence
from errata.text.tokens import is_char_level, split_characters, split_tokens

# What a hypothesis file may be, beside a corpus in some format.
PLAIN_KINDS = ("auto", "text", "labels", "predictions")
HYPOTHESIS_KINDS = (*PLAIN_KINDS, *FORMATS)
CORRECT_LABELS = frozenset({"", "*", "0", "correct"})
_LABEL_LINE = re.compile(r"\s*+(\*|[01]|correct|[A-Z]{2,8}+(\s*+[;,]\s*+[A-Z]{2,8}+)*+)?+\s*+")
_M2_EDIT = re.compile(r"^A -?\d+ -?\d+\|\|\|", re.MULTILINE)
_M2_HEAD = 100  # lines looked at to tell M2 from text; edits come every few sentences even in sparse files


@dataclass(frozen=True, slots=True)
class Gold:
    """Sentences with references, and the name of the file that fixes their number."""

    name: str
    sentences: tuple[AnnotatedSentence, ...]

    def __len__(self) -> int:
        return len(self.sentences)


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A system's answer to one sentence; `output` is None where it gave only labels."""

    output: str | Annotation | None = None
    labels: tuple[str, ...] | None = None


def read_texts(path: PathLike) -> list[str]:
    """The lines of a text file, empty ones included."""
    return list(clean_lines(read_lines(path), display_name(path)))


def read_gold(path: PathLike, format: str | None = None, *, lenient: bool = False, is_m2: bool = False) -> Gold:
    """The annotated sentences of a file; an empty file is an error.

    `lenient` keeps edits of an M2 file that reach beyond their sentence, as the official scorers do. What `is_m2` is
    read in the dialect of M2 that it fits best, and is an error if it fits none.
    """
    detect = detect_dialect if is_m2 else detect_format
    _, sentences = open_sentences(path, format, detect=detect, **({"strict": False} if lenient else {}))
    return _nonempty(Gold(display_name(path), tuple(sentences)))


def read_parallel(source_path: PathLike, reference_paths: Sequence[PathLike]) -> Gold:
    """Sources with one reference per reference file, line by line."""
    sources = read_texts(source_path)
    name = display_name(source_path)
    if _has_m2_edits(sources):
        raise DataError(f"{name} is M2, and plain text is wanted here: M2 is a source with its references")
    columns = []
    for path in reference_paths:
        lines = read_texts(path)
        check_parallel(display_name(path), lines, name, len(sources))
        columns.append(lines)
    sentences = tuple(
        AnnotatedSentence(
            make_sentence(source),
            tuple(Annotation(str(place), target=column[row]) for place, column in enumerate(columns)),
        )
        for row, source in enumerate(sources)
    )
    return _nonempty(Gold(name, sentences))


def make_sentence(line: str) -> Sentence:
    """A source from a line of text: Chinese without spaces is characters, everything else what spaces separate."""
    characters = split_characters(line)
    if " " not in line.strip() and is_char_level(characters):
        return Sentence(characters, line)
    return Sentence(split_tokens(line), line)


def _nonempty(gold: Gold) -> Gold:
    if not gold.sentences:
        raise DataError(f"{gold.name}: there are no sentences to score")
    return gold


def check_parallel(name: str, lines: Sequence[str], other: str, n_expected: int) -> None:
    """Refuse a file whose number of lines differs from that of the file it must be parallel to."""
    if len(lines) == n_expected:
        return
    empty = next((number for number, line in enumerate(lines, 1) if not line.strip()), None)
    hint = f"first empty line in {name} is {empty}" if empty else f"no line in {name} is empty"
    if _has_m2_edits(lines):
        hint = f"{name} is M2, and plain text is wanted here"
    raise AlignmentError(f"{name} has {len(lines)} lines, {other} {n_expected}: files must be parallel; {hint}")


def check_sources(gold: Gold, source_path: PathLike) -> None:
    """Refuse gold whose sources are not the lines of the source file."""
    lines = read_texts(source_path)
    name = display_name(source_path)
    check_parallel(name, lines, gold.name, len(gold))
    check_same_sources(gold, name, lines)


def check_same_sources(gold: Gold, name: str, lines: Sequence[str]) -> None:
    """Refuse gold whose sources are not these lines, which are as many."""
    for number, (line, one) in enumerate(zip(lines, gold.sentences, strict=True), 1):
        if not _is_same_source(one.sentence, line):
            raise AlignmentError(
                f"{name}:{number}: differs from the source in {gold.name}: "
                f"{_shorten(line)!r}, not {_shorten(' '.join(one.sentence.tokens))!r}"
            )


def _is_same_source(sentence: Sentence, line: str) -> bool:
    tokens = split_characters(line) if is_char_level(sentence.tokens) else tuple(line.split())
    own = split_characters("".join(sentence.tokens)) if is_char_level(sentence.tokens) else sentence.tokens
    return tokens == tuple(token for token in own if not token.isspace()) or line == sentence.text


def read_hypotheses(path: PathLike, gold: Gold, kind: str = "auto", *, lenient: bool = False) -> list[Hypothesis]:
    """One hypothesis per gold sentence; `kind` is among `HYPOTHESIS_KINDS` or another format, `lenient` as for gold."""
    if kind not in HYPOTHESIS_KINDS and kind not in (brought := find_brought_formats()):
        raise UnknownName("kind of hypothesis", kind, [*HYPOTHESIS_KINDS, *brought])
    lines = read_texts(path)
    name = display_name(path)
    if kind == "auto":
        kind = _guess_kind(lines, gold)
    if kind not in PLAIN_KINDS:
        options = {"strict": False} if lenient and kind in M2_DIALECTS else {}
        sentences = list(get_format(kind, **options).parse(lines, origin=name))
        return _from_corpus(name, sentences, gold)
    if kind == "predictions":
        return _from_predictions(name, "\n".join(lines), gold)
    check_parallel(name, lines, gold.name, len(gold))
    if kind == "labels":
        return [Hypothesis(labels=parse_labels(line, name, number)) for number, line in enumerate(lines, 1)]
    return [Hypothesis(line) for line in lines]


def _has_m2_edits(lines: Sequence[str]) -> bool:
    head = "\n".join(lines[:_M2_HEAD])
    return head.startswith("S ") and _M2_EDIT.search(head) is not None


def _guess_kind(lines: Sequence[str], gold: Gold) -> str:
    head = "\n".join(lines[:_M2_HEAD])
    if _has_m2_edits(lines) or (head.startswith("S ") and not any(lines[1:2])):
        return detect_format(head, "hypothesis.m2")
    if lines and lines[0].count("\t") > 1 and _is_same_source(gold.sentences[0].sentence, lines[0].split("\t")[1]):
        return "mucgec"
    if head.lstrip().startswith("{"):
        return "predictions"
    if any(lines) and all(_LABEL_LINE.fullmatch(line) for line in lines):
        return "labels"
    return "text"


def parse_labels(line: str, origin: str = "<labels>", number: int | None = None) -> tuple[str, ...]:
    """The error types of a line: `CM;SC` is ("CM", "SC"), `*` is a correct sentence."""
    if line.strip() in CORRECT_LABELS:
        return ()
    labels = tuple(part.strip() for part in line.replace(",", ";").split(";"))
    if not all(labels) or any(" " in label for label in labels):
        raise FormatError(origin, number, f"not a list of error types separated by ';' or ',': {_shorten(line)!r}")
    return tuple(dict.fromkeys(labels))


def _from_corpus(name: str, sentences: Sequence[AnnotatedSentence], gold: Gold) -> list[Hypothesis]:
    """The only annotation of each sentence; the sources must be those of the gold."""
    if len(sentences) != len(gold):
        raise AlignmentError(f"{name} has {len(sentences)} sentences, {gold.name} {len(gold)}: they must be the same")
    hypotheses = []
    for number, (one, wanted) in enumerate(zip(sentences, gold.sentences, strict=True), 1):
        if "".join(one.sentence.tokens) != "".join(wanted.sentence.tokens):
            found = _shorten(source_text(one.sentence))
            raise AlignmentError(f"{name}: sentence {number} is not that of {gold.name}: {found!r}")
        answers = pool_alignments(one.annotations) or [Annotation()]
        if len(answers) > 1:
            names = ", ".join(answer.annotator for answer in answers)
            raise DataError(
                f"{name}: sentence {number} has several hypotheses (annotators {names}): "
                "keep one, or give the file as gold if that is what it is"
            )
        hypotheses.append(Hypothesis(as_references(one.sentence, answers[0])[0]))
    return hypotheses


def _from_predictions(name: str, text: str, gold: Gold) -> list[Hypothesis]:
    """FCGEC predictions: `{"id": {"error_flag": 1, "error_type": "IWC", "correction": "…"}}`."""
    try:
        table = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(name, error.lineno, f"not JSON: {error.msg}") from error
    if not isinstance(table, dict) or not all(isinstance(entry, dict) for entry in table.values()):
        raise FormatError(name, None, "FCGEC predictions are an object of objects, one per sentence id")
    entries = _match_ids(name, table, gold)
    return [_from_prediction(name, key, entry) for key, entry in entries]


def _match_ids(name: str, table: Mapping[str, Any], gold: Gold) -> Iterable[tuple[str, Mapping[str, Any]]]:
    ids = [one.sentence.id for one in gold.sentences]
    if all(ids):
        missing = [one for one in ids if one not in table]
        extra = len(table) + len(missing) - len(ids)
        if missing or extra > 0:
            example = f", the first is {missing[0]}" if missing else ""
            raise AlignmentError(
                f"{name}: {len(missing)} sentences of {gold.name} have no prediction{example}; {extra} are not in it"
            )
        return [(str(one), table[str(one)]) for one in ids]
    if len(table) != len(gold):
        raise AlignmentError(f"{name} has {len(table)} predictions, {gold.name} {len(gold)} sentences")
    return list(table.items())


def _from_prediction(name: str, key: str, entry: Mapping[str, Any]) -> Hypothesis:
    labels: tuple[str, ...] | None = None
    types = entry.get("error_type")
    if isinstance(types, list):
        types = ";".join(map(str, types))
    if isinstance(types, str):
        labels = parse_labels(types, f"{name}: prediction {key}")
    if not labels and "error_flag" in entry:
        labels = ("erroneous",) if str(entry["error_flag"]) == "1" else ()
    output = entry.get("correction")
    if output is not None and not isinstance(output, str):
        raise FormatError(name, None, f"prediction {key}: the correction is not a text")
    return Hypothesis(output, labels)


def make_items(gold: Gold, hypotheses: Sequence[Hypothesis]) -> list[Item]:
    """One item per sentence; a hypothesis that is only labels leaves the sentence as it is."""
    return [
        Item(
            one.sentence,
            Annotation() if answer.output is None else answer.output,
            tuple(side for annotation in one.annotations for side in as_references(one.sentence, annotation)),
            one.labels,
            answer.labels,
        )
        for one, answer in zip(gold.sentences, hypotheses, strict=True)
    ]


def as_references(sentence: Sentence, annotation: Annotation) -> list[str | Annotation]:
    """The annotation where its edits are known, else its corrected text, one for every combination of alternatives."""
    if annotation.edits:
        return [annotation]
    if annotation.target is not None:
        return [annotation.target]
    if annotation.operations is not None:
        return list(apply_all_operations(source_text(sentence), annotation.operations))
    return [annotation]


def _shorten(text: str, width: int = 60) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"
