"""Corrections as a stream of lines, and the ways to print them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from errata.model import AnnotatedSentence, Correction

if TYPE_CHECKING:
    from errata.systems.base import Corrector

# A corrected line and the line end it came with ("", "\n" or "\r\n").
CorrectedLine = tuple[Correction, str]
Renderer = Callable[[Iterable[CorrectedLine], str, bool], Iterator[str]]

RED, GREEN, PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[0m"


def correct_lines(corrector: Corrector, lines: Iterator[str], at_once: int) -> Iterator[CorrectedLine]:
    """Each line's correction with its own line end, streaming; a progress line on stderr when that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.completed} lines corrected"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("correct", total=None)
        while batch := list(islice(lines, at_once)):
            ends = [line[len(line.rstrip("\r\n")) :] for line in batch]
            texts = [line[: len(line) - len(end)] for line, end in zip(batch, ends, strict=True)]
            corrections = corrector.correct(texts, progress=lambda n: bar.advance(task, n))
            yield from zip(corrections, ends, strict=True)


def render_text(corrected: Iterable[CorrectedLine], language: str, tokenised: bool) -> Iterator[str]:
    """The corrected lines."""
    return (correction.target + end for correction, end in corrected)


def render_diff(corrected: Iterable[CorrectedLine], language: str, tokenised: bool) -> Iterator[str]:
    """Every line, with `[-old-]{+new+}` at the edits; coloured on a terminal."""
    coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    for correction, end in corrected:
        yield mark_edits(correction, coloured=coloured) + end


def render_json(corrected: Iterable[CorrectedLine], language: str, tokenised: bool) -> Iterator[str]:
    """One JSON list, an object per line."""
    separator = "[\n"
    for correction, _ in corrected:
        yield separator + json.dumps(as_dict(correction), ensure_ascii=False)
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def render_jsonl(corrected: Iterable[CorrectedLine], language: str, tokenised: bool) -> Iterator[str]:
    """A JSON object per line."""
    return (json.dumps(as_dict(correction), ensure_ascii=False) + "\n" for correction, _ in corrected)


def render_m2(corrected: Iterable[CorrectedLine], language: str, tokenised: bool) -> Iterator[str]:
    """M2 with the types of the language's extractor."""
    from errata.edits.base import get_extractor
    from errata.formats.base import get_format

    options = {} if language == "zh" else {"tokenise": not tokenised}
    pairs = ((correction.source, [correction.target]) for correction, _ in corrected)
    sentences: Iterator[AnnotatedSentence] = get_extractor(language, **options).annotate(pairs)
    return get_format("cherrant" if language == "zh" else "m2").format(sentences)


RENDERERS: dict[str, Renderer] = {
    "text": render_text,
    "diff": render_diff,
    "json": render_json,
    "jsonl": render_jsonl,
    "m2": render_m2,
}


def as_dict(correction: Correction) -> dict[str, object]:
    """The JSON shape of a correction; offsets are in characters (code points) of the source."""
    return {
        "source": correction.source,
        "target": correction.target,
        "edits": [
            {
                "start": edit.start,
                "end": edit.end,
                "original": correction.source[edit.start : edit.end],
                "replacement": edit.replacement,
                "type": edit.type,
                "confidence": None if edit.confidence is None else round(edit.confidence, 4),
            }
            for edit in correction.edits
        ],
    }


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
