"""M2 in its three dialects: ERRANT's, the M2 scorer's and ChERRANT's.

    S This are a sentence .
    A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
    A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

`noop` is an annotator who found nothing wrong, `NA` one who could not annotate. A sentence may have any set of
annotators, also none. What differs between the dialects: how a deletion is written (nothing, or `-NONE-`; all read
both), whether `||` separates alternatives (M2 scorer), and `T` lines with the corrected text (ChERRANT).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar

from errata.edits.apply import apply_edits
from errata.edits.texts import target_text
from errata.errors import DataError, FormatError
from errata.formats.base import clean_lines
from errata.formats.features import needs_extraction
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence, Status, Tokens
from errata.text.tokens import is_char_level, split_characters, split_tokens

_NONE = "-NONE-"
_N_FIELDS = 6
_STATUS_OF = {"noop": Status.ANNOTATED, "NA": Status.NOT_ANNOTATABLE}
_TYPE_OF = {status: name for name, status in _STATUS_OF.items()}
_SPECIAL_TARGETS = {"没有错误": Status.ANNOTATED, "无法标注": Status.NOT_ANNOTATABLE}
_SPECIAL_TARGET_OF = {status: text for text, status in _SPECIAL_TARGETS.items()}
# Alignment numbers have at most nine digits, more than any file needs: `int` fails on thousands of digits.
_MAX_ALIGNMENT = 999_999_999
_T_LINE = re.compile(r"T(\d+)(?:-A(\d{1,9}))?(?:\s(.*))?", re.ASCII | re.DOTALL)

Key = tuple[str, int]  # annotator and alignment


class OverlongEdit(FormatError):
    """An edit reaches beyond its sentence; a format with `strict=False` keeps it."""


class NotM2(FormatError):
    """The first line is no source: the file is in another format."""


class _Block:
    """One sentence while its lines come in."""

    __slots__ = ("current", "edits", "length", "sentence", "statuses", "targets")

    def __init__(self, text: str, tokens: Tokens) -> None:
        self.length = len(tokens)
        self.sentence = Sentence(tokens, None if " ".join(tokens) == text else text)
        self.edits: dict[Key, list[Edit]] = {}  # in order of first appearance
        self.statuses: dict[Key, Status] = {}
        self.targets: dict[Key, str] = {}
        self.current: Key | None = None  # the T line the next A lines belong to

    def finish(self, origin: str, number: int) -> AnnotatedSentence:
        annotations = []
        for key, edits in self.edits.items():
            target = self.targets.get(key)
            if not edits and target is not None:
                if not _is_unchanged(self.sentence, target):
                    message = f"T{key[0]}-A{key[1]} changes the sentence that ends here, but no A line says how"
                    raise FormatError(origin, number, message)
                target = None
            status = self.statuses.get(key, Status.ANNOTATED)
            annotations.append(Annotation(key[0], tuple(edits), status, target, key[1]))
        return AnnotatedSentence(self.sentence, tuple(annotations))


class M2:
    """ERRANT's dialect: a deletion has an empty correction, `||` is literal text."""

    name: ClassVar[str] = "m2"
    suffixes: ClassVar[tuple[str, ...]] = (".m2",)
    keeps: ClassVar[frozenset[str]] = frozenset({"edits", "types", "annotators", "statuses", "severity"})
    _deletion: ClassVar[str] = ""
    _has_alternatives: ClassVar[bool] = False
    _has_targets: ClassVar[bool] = False

    def __init__(self, *, strict: bool = True) -> None:
        """With `strict=False`, edits that reach beyond their sentence are kept, as the official scorers do."""
        self.strict = strict

    def sniff(self, head: str) -> bool:
        return _looks_like_m2(head) and not _T_LINES.search(head) and not _speaks_m2scorer(head)

    def parse(self, lines: Iterable[str], *, origin: str = "<input>") -> Iterator[AnnotatedSentence]:
        """Annotated sentences; annotators keep their names and the order in which they first appear."""
        block: _Block | None = None
        number = 0
        for number, line in enumerate(clean_lines(lines, origin), 1):
            mark = line[:2]
            if mark == "A ":
                if block is None:
                    raise FormatError(origin, number, "an A line comes before any S line")
                self._read_edit(block, line, origin, number)
            elif mark in ("S ", "S"):
                if block is not None:
                    yield block.finish(origin, number - 1)
                block = _Block(line[2:], self._split(line[2:]))
            elif mark[:1] == "T" and self._has_targets and block is not None:
                self._read_target(block, line, origin, number)
            elif line and not line.isspace():
                raise (NotM2 if block is None else FormatError)(origin, number, self._explain_stray(line))
        if block is not None:
            yield block.finish(origin, number)

    def format(self, sentences: Iterable[AnnotatedSentence]) -> Iterator[str]:
        """One block per sentence, ended by a blank line."""
        for annotated in sentences:
            if needs_extraction(annotated):
                raise DataError("only the corrected text is known, not its edits; find them with errata extract")
            lines = [self._format_source(annotated.sentence), *self._format_annotations(annotated)]
            block = "\n".join(lines)
            if block.count("\n") != len(lines) - 1 or "\r" in block:
                raise DataError(f"M2 cannot say a line break inside a field: {lines[0]!r}")
            yield block + "\n\n"

    def _split(self, text: str) -> Tokens:
        return split_tokens(text)

    def _split_correction(self, correction: str) -> Tokens:
        tokens = self._split(correction)
        return () if tokens == (_NONE,) else tokens

    def _explain_stray(self, line: str) -> str:
        if _T_LINE.fullmatch(line):
            if self._has_targets:
                return "a T line comes before any S line"
            return f"a T line belongs to ChERRANT's dialect, read it as format 'cherrant' ({_shorten(line)})"
        return f"a line of M2 begins with 'S ' or 'A ', this one does not ({_shorten(line)})"

    def _read_edit(self, block: _Block, line: str, origin: str, number: int) -> None:
        try:
            span, kind, correction, required, comment, annotator = _split_fields(line)
            start_text, end_text = span.split()
            start, end = int(start_text), int(end_text)
        except ValueError:
            raise FormatError(origin, number, _explain_fields(line)) from None
        key = (annotator, 0)
        if block.current is not None:
            if block.current[0] != annotator:
                raise FormatError(origin, number, f"annotator {annotator!r} below the T line of {block.current[0]!r}")
            key = block.current
        elif self._has_targets:
            raise FormatError(origin, number, "an A line without a T line above it; read the file as 'm2scorer'")
        if kind in _STATUS_OF and correction in ("", _NONE) and start <= 0 and end <= 0:
            self._read_status(block, key, kind, origin, number)
            return
        if start > end:
            raise FormatError(origin, number, f"edit span {start}:{end} runs backwards ({_shorten(line)})")
        if start < 0 or kind in _STATUS_OF:
            raise FormatError(origin, number, f"neither an edit nor a noop ({_shorten(line)})")
        if end > block.length and self.strict:
            message = f"edit span {start}:{end} ends after the last of {block.length} tokens ({_shorten(line)})"
            raise OverlongEdit(origin, number, message)
        if key in block.statuses:
            raise FormatError(origin, number, f"annotator {annotator!r} has an edit after a noop ({_shorten(line)})")
        edit = self._make_edit(start, end, kind, correction, required, comment)
        edits = block.edits.get(key)
        if edits is None:
            block.edits[key] = [edit]
        else:
            edits.append(edit)

    def _make_edit(self, start: int, end: int, kind: str, correction: str, required: str, comment: str) -> Edit:
        alternatives: tuple[Tokens, ...] = ()
        if self._has_alternatives and "||" in correction:
            first, *others = correction.split("||")
            correction, alternatives = first, tuple(map(self._split_correction, others))
        replacement = self._split_correction(correction)
        if required == "REQUIRED" and comment == _NONE:
            return Edit(start, end, replacement, kind, alternatives)
        is_required = required != "OPTIONAL"
        severity = "" if required in ("REQUIRED", "OPTIONAL") else required
        return Edit(
            start, end, replacement, kind, alternatives, is_required, "" if comment == _NONE else comment, severity
        )

    def _read_status(self, block: _Block, key: Key, kind: str, origin: str, number: int) -> None:
        announced = block.statuses.get(key)
        is_repeated = announced is not None and (block.current is None or announced is not _STATUS_OF[kind])
        if block.edits.get(key) or is_repeated:
            raise FormatError(origin, number, f"{kind} contradicts another line of annotator {key[0]!r}")
        if kind == "NA" and key in block.targets:
            raise FormatError(origin, number, "type 'NA' below a T line with a corrected text")
        block.edits[key] = []
        block.statuses[key] = _STATUS_OF[kind]

    def _read_target(self, block: _Block, line: str, origin: str, number: int) -> None:
        match = _T_LINE.fullmatch(line)
        if match is None:
            raise FormatError(origin, number, f"a T line reads 'Tn-Am text' or 'Tn 没有错误' ({_shorten(line)})")
        annotator, alignment, text = match.groups(default="")
        key = (annotator, int(alignment or "0"))
        if key in block.edits:
            raise FormatError(origin, number, f"T{annotator}-A{key[1]} comes a second time in this sentence")
        block.edits[key] = []
        block.current = key
        if alignment:
            block.targets[key] = _join_target(text, block.sentence)
        elif text in _SPECIAL_TARGETS:
            block.statuses[key] = _SPECIAL_TARGETS[text]
        else:
            raise FormatError(origin, number, f"a T line without -Am says 没有错误 or 无法标注 ({_shorten(line)})")

    def _format_source(self, sentence: Sentence) -> str:
        line = " ".join(sentence.tokens)
        if self._split(line) != sentence.tokens:
            raise DataError(f"M2 cannot say tokens that are empty or contain white space: {sentence.tokens!r}")
        # Keep the white space of a text whose tokens are these.
        text = sentence.text
        if text is not None and not {"\r", "\n"} & set(text) and self._split(text) == sentence.tokens:
            line = text
        return f"S {line}"

    def _format_annotations(self, annotated: AnnotatedSentence) -> Iterator[str]:
        """The A lines; edit lists of several alignments are pooled per annotator."""
        pools: dict[str, list[Edit]] = {}
        statuses: dict[str, Status] = {}
        for annotation in annotated.annotations:
            pools.setdefault(annotation.annotator, []).extend(annotation.edits)
            statuses.setdefault(annotation.annotator, annotation.status)
        for annotator, edits in pools.items():
            yield from self._format_edits(annotated.sentence, annotator, edits, statuses[annotator])

    def _format_edits(self, sentence: Sentence, annotator: str, edits: Iterable[Edit], status: Status) -> Iterator[str]:
        is_empty = True
        for edit in edits:
            is_empty = False
            yield self._format_edit(sentence, annotator, edit)
        if is_empty:
            yield f"A -1 -1|||{_TYPE_OF[status]}|||{_NONE}|||REQUIRED|||{_NONE}|||{annotator}"
        elif status is not Status.ANNOTATED:
            raise DataError(f"annotator {annotator!r} has edits but the status {status.value}")

    def _format_edit(self, sentence: Sentence, annotator: str, edit: Edit) -> str:
        if edit.alternatives and not self._has_alternatives:
            edit = replace(edit, alternatives=())
        if edit.alternatives:
            correction = "||".join(map(_format_alternative, edit.replacements))
        else:
            correction = " ".join(edit.replacement) if edit.replacement else self._deletion
        required = edit.severity or ("REQUIRED" if edit.is_required else "OPTIONAL")
        fields = (edit.type, correction, required, edit.comment or _NONE, annotator)
        line = f"A {edit.start} {edit.end}|||{'|||'.join(fields)}"
        if edit.type in _STATUS_OF or not self._says(line, edit, annotator):
            raise DataError(f"M2 cannot say {edit} of annotator {annotator!r}")
        if edit.end > len(sentence.tokens) and self.strict:
            raise DataError(f"edit span {edit.start}:{edit.end} ends after token {len(sentence.tokens)}")
        return line

    def _says(self, line: str, edit: Edit, annotator: str) -> bool:
        """Whether the line, read again, gives the same edit (separators inside a field would not)."""
        try:
            _, *fields, name = _split_fields(line)
        except ValueError:
            return False
        return name == annotator and self._make_edit(edit.start, edit.end, *fields) == edit


class M2Scorer(M2):
    """The M2 scorer's dialect: `||` separates alternatives, a deletion is written `-NONE-`."""

    name: ClassVar[str] = "m2scorer"
    keeps: ClassVar[frozenset[str]] = M2.keeps | {"alternatives"}
    _deletion: ClassVar[str] = _NONE
    _has_alternatives: ClassVar[bool] = True

    def sniff(self, head: str) -> bool:
        return _looks_like_m2(head) and not _T_LINES.search(head) and _speaks_m2scorer(head)


class CherrantM2(M2):
    """ChERRANT's dialect: `T` lines with the corrected text, several alignments per annotator."""

    name: ClassVar[str] = "cherrant"
    suffixes: ClassVar[tuple[str, ...]] = (".m2", ".char", ".word")
    keeps: ClassVar[frozenset[str]] = M2.keeps | {"alignments", "targets"}
    _deletion: ClassVar[str] = _NONE
    _has_targets: ClassVar[bool] = True

    def sniff(self, head: str) -> bool:
        return _looks_like_m2(head) and _T_LINES.search(head) is not None

    def _split(self, text: str) -> Tokens:
        """White space only separates Chinese characters; a run of spaces between words is a token, as in M2."""
        if "   " in text and is_char_level(characters := text.split()):
            return tuple(characters)
        return split_tokens(text)

    def _format_annotations(self, annotated: AnnotatedSentence) -> Iterator[str]:
        sentence = annotated.sentence
        seen: set[Key] = set()
        for annotation in annotated.annotations:
            key = (annotation.annotator, annotation.alignment)
            if key in seen:
                raise DataError(f"annotator {key[0]!r} has two corrections with the alignment {key[1]}")
            seen.add(key)
            yield self._format_target(sentence, annotation)
            yield from self._format_edits(sentence, annotation.annotator, annotation.edits, annotation.status)

    def _format_target(self, sentence: Sentence, annotation: Annotation) -> str:
        """The T line; only `Tn-Am` can say an alignment other than 0, also where nothing is wrong."""
        annotator, alignment = annotation.annotator, annotation.alignment
        if not (annotator.isascii() and annotator.isdigit()):
            raise DataError(f"ChERRANT's M2 numbers its annotators, {annotator!r} is a name")
        if not 0 <= alignment <= _MAX_ALIGNMENT:
            raise DataError(f"ChERRANT's M2 numbers alignments from 0 to {_MAX_ALIGNMENT}, this is {alignment}")
        if annotation.edits:
            return f"T{annotator}-A{alignment} {' '.join(_split_target(sentence, annotation))}"
        if alignment == 0:
            return f"T{annotator} {_SPECIAL_TARGET_OF[annotation.status]}"
        if annotation.status is not Status.ANNOTATED:
            raise DataError(
                f"annotator {annotator!r} has alignment {alignment} but the status {annotation.status.value}"
            )
        return f"T{annotator}-A{alignment} {' '.join(sentence.tokens)}"


_T_LINES = re.compile(r"^T\d+(?:-A\d+)? ", re.MULTILINE | re.ASCII)
_A_LINE = re.compile(r"^A (-?\d+) (-?\d+)\|\|\|([^|\n]*)\|\|\|(.*)\|\|\|[^|\n]*\|\|\|[^|\n]*\|\|\|", re.MULTILINE)


def _looks_like_m2(head: str) -> bool:
    """Whether every full line begins like M2 and the first is a source."""
    lines = [line for line in head.split("\n")[:-1] or [head] if line.strip()]
    return bool(lines) and lines[0][:2].rstrip() == "S" and all(_starts_like_m2(line) for line in lines[1:])


def _starts_like_m2(line: str) -> bool:
    return line.startswith(("S ", "A ", "T")) or line.rstrip() == "S"


def _speaks_m2scorer(head: str) -> bool:
    for _, _, kind, correction in _A_LINE.findall(head):
        if kind not in _STATUS_OF and (correction == _NONE or "||" in correction.strip("|")):
            return True
    return False


def _split_fields(line: str) -> list[str]:
    """Span, type, correction, required, comment, annotator; `ValueError` unless there are six.

    A correction may begin or end with `|`: the first two separators are found from the left, the last three from the
    right.
    """
    if "||||" not in line:
        fields = line[2:].split("|||")
    else:
        fields = line[2:].split("|||", 2)
        fields[2:] = fields[-1].rsplit("|||", 3) if len(fields) > 2 else fields[2:]
    if len(fields) != _N_FIELDS or "|||" in fields[2]:
        raise ValueError(line)
    return fields


def _explain_fields(line: str) -> str:
    try:
        span = _split_fields(line)[0]
    except ValueError:
        n_fields = len(line.split("|||"))
        return f"an A line has {_N_FIELDS} fields separated by |||, this one {n_fields} ({_shorten(line)})"
    return f"the edit span {_shorten(span)!r} is not two numbers ({_shorten(line)})"


def _format_alternative(tokens: Tokens) -> str:
    """The tokens as they stand between `||`; spaces keep a `|` at either end apart from the separator."""
    text = " ".join(tokens) if tokens else _NONE
    return f" {text} " if text.startswith("|") or text.endswith("|") else text


def _join_target(text: str, sentence: Sentence) -> str:
    """The text of a T line: without white space where the source is Chinese characters, else its tokens."""
    return _drop_spaces(text) if is_char_level(sentence.tokens) else " ".join(split_tokens(text))


def _split_target(sentence: Sentence, annotation: Annotation) -> Tokens:
    """The tokens of a T line: those of the target, or, where it has no spaces, those that the edits make."""
    target = target_text(sentence, annotation)
    if not is_char_level(sentence.tokens):
        return split_tokens(target)
    target = _drop_spaces(target)
    with suppress(DataError):  # edits that overlap; the target was given then
        tokens = apply_edits(sentence.tokens, annotation.edits)
        if "".join(tokens) == target:
            return tokens
    return split_characters(target)


def _is_unchanged(sentence: Sentence, target: str) -> bool:
    """Whether a target is the source, however the two are segmented."""
    return _drop_spaces(target) == _drop_spaces("".join(sentence.tokens))


def _drop_spaces(text: str) -> str:
    return "".join(text.split())


def _shorten(line: str, limit: int = 80) -> str:
    """The part of a line worth showing: span, type and correction."""
    shown = "|||".join(line.split("|||")[:3])
    return shown if len(shown) <= limit else shown[:limit] + "…"
