"""The ways `errata correct` prints corrected lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, groupby

from errata.cli.corrections import CorrectedLine
from errata.cli.json_text import format_json
from errata.errors import DataError
from errata.model import AnnotatedSentence, Correction, TextEdit
from errata.pipeline.documents import AUTO
from errata.text.language import UNDETERMINED

RED, GREEN, BOLD, PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[1m", "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Style:
    """What the renderings need to know beside the lines."""

    language: str = AUTO
    tokenised: bool = False
    is_coloured: bool = False
    explains: bool = False
    names_files: bool = False

    def language_of(self, line: CorrectedLine) -> str:
        return line.language or "en" if self.language == AUTO else self.language


Renderer = Callable[[Iterable[CorrectedLine], Style], Iterator[str]]


def render_text(lines: Iterable[CorrectedLine], style: Style) -> Iterator[str]:
    """The corrected lines."""
    return (line.target for line in lines)


def render_diff(lines: Iterable[CorrectedLine], style: Style) -> Iterator[str]:
    """Every line, with `[-old-]{+new+}` at the edits, and the name of each file where there are several."""
    gap = ""
    for file, some in groupby(lines, lambda line: line.file):
        if style.names_files:
            header = f"==> {file} <=="
            yield gap + (f"{BOLD}{header}{PLAIN}" if style.is_coloured else header) + "\n"
        for line in some:
            yield line.before + mark_edits(line.correction, coloured=style.is_coloured) + line.end
            gap = "" if line.end.endswith("\n") else "\n"


def render_findings(lines: Iterable[CorrectedLine], style: Style) -> Iterator[str]:
    """A line per edit that editors can read: `file:line:column: 'old' -> 'new' (type, confidence)`."""
    for line in lines:
        for edit in line.correction.edits:
            old = line.correction.source[edit.start : edit.end]
            about = edit.type if edit.confidence is None else f"{edit.type}, {edit.confidence:.2f}"
            message = f" {_message(line, edit, style)}" if style.explains else ""
            yield f"{line.file}:{line.number}:{edit.start + 1}: {old!r} -> {edit.replacement!r} ({about}){message}\n"


def render_json(lines: Iterable[CorrectedLine], style: Style) -> Iterator[str]:
    """One JSON list, an object per line."""
    separator = "[\n"
    for line in lines:
        yield separator + format_json(as_dict(line, style))
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def render_jsonl(lines: Iterable[CorrectedLine], style: Style) -> Iterator[str]:
    """A JSON object per line."""
    return (format_json(as_dict(line, style)) + "\n" for line in lines)


def render_m2(lines: Iterable[CorrectedLine], style: Style) -> Iterator[str]:
    """M2 with the types of the extractor of the lines' language, which is one: each language has its own dialect."""
    from errata.edits.base import get_extractor
    from errata.edits.languages import LANGUAGES
    from errata.formats.base import get_format

    language, some = (style.language, lines) if style.language != AUTO else _find_language(lines)
    options = {} if language == "zh" else {"tokenise": not style.tokenised}
    pairs = ((line.correction.source, [line.correction.target]) for line in some)
    sentences: Iterator[AnnotatedSentence] = get_extractor(language, **options).annotate(pairs)
    yield from get_format(LANGUAGES[language].format).format(sentences)


def _find_language(lines: Iterable[CorrectedLine]) -> tuple[str, Iterator[CorrectedLine]]:
    """The language of the first line that has one, and all lines; `DataError` at a line in another."""
    stream = iter(lines)
    begun: list[CorrectedLine] = []
    language = ""
    for line in stream:
        begun.append(line)
        if line.language not in ("", UNDETERMINED):
            language = line.language
            break

    def checked() -> Iterator[CorrectedLine]:
        for line in chain(begun, stream):
            other = line.language
            if other not in (language, "", UNDETERMINED):
                raise DataError(
                    f"{line.file}:{line.number}: this line is {other}, those before are {language}: "
                    "give --lang, or correct the languages apart"
                )
            yield line

    return language or "en", checked()


RENDERERS: dict[str, Renderer] = {
    "text": render_text,
    "diff": render_diff,
    "json": render_json,
    "jsonl": render_jsonl,
    "m2": render_m2,
}
# What `--check` prints.
REPORTS: dict[str, Renderer] = {"text": render_findings, "json": render_json, "jsonl": render_jsonl}


def as_dict(line: CorrectedLine, style: Style) -> dict[str, object]:
    """The JSON shape of a corrected line; offsets are in characters (code points) of its source."""
    return {
        "file": line.file,
        "line": line.number,
        "language": style.language_of(line),
        "source": line.correction.source,
        "target": line.correction.target,
        "edits": [_edit_as_dict(line, edit, style) for edit in line.correction.edits],
    }


def _edit_as_dict(line: CorrectedLine, edit: TextEdit, style: Style) -> dict[str, object]:
    return {
        "start": edit.start,
        "end": edit.end,
        "original": line.correction.source[edit.start : edit.end],
        "replacement": edit.replacement,
        "alternatives": list(edit.alternatives),
        "type": edit.type,
        "confidence": None if edit.confidence is None else round(edit.confidence, 4),
        **({"message": _message(line, edit, style)} if style.explains else {}),
    }


def _message(line: CorrectedLine, edit: TextEdit, style: Style) -> str:
    from errata.edits.explain import explain

    return explain(line.correction.source, edit, style.language_of(line)).message


def mark_edits(correction: Correction, *, coloured: bool) -> str:
    """The source with its edits marked: `He [-go-]{+goes+} home.`"""
    cut = (RED + "[-", "-]" + PLAIN) if coloured else ("[-", "-]")
    put = (GREEN + "{+", "+}" + PLAIN) if coloured else ("{+", "+}")
    out: list[str] = []
    position = 0
    for edit in correction.edits:
        old = correction.source[edit.start : edit.end]
        out.append(correction.source[position : edit.start])
        out.append(f"{cut[0]}{old}{cut[1]}" if old else "")
        out.append(f"{put[0]}{edit.replacement}{put[1]}" if edit.replacement else "")
        position = edit.end
    out.append(correction.source[position:])
    return "".join(out)
