"""The faces of errata, each as a function from a group of documents to the edits of every document."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import httpx
from benchmarks.faces.cases import Choices, Group

import errata
from errata.edits.apply import apply_text_edits
from errata.model import TextEdit
from errata.text.utf16 import Utf16Offsets

# An edit as every face gives it: start, end, replacement, type, confidence to four places, alternatives.
Shown = tuple[int, int, str, str, float, tuple[str, ...]]
SUFFIX = {"text": ".txt", "none": ".txt", "markdown": ".md"}
PROGRAM = "from errata.cli import main; main()"


def show(edit: TextEdit) -> Shown:
    """The edit, ready to be compared."""
    return edit.start, edit.end, edit.replacement, edit.type, round(edit.confidence or 0.0, 4), edit.alternatives


def run_python(group: Group) -> list[list[Shown]]:
    """`errata.load_corrector(…).correct(…)`."""
    choices = group.choices
    corrector = errata.load_corrector(
        language=choices.language,
        preset=choices.preset,
        min_confidence=choices.min_confidence,
        words=choices.words,
        terms=choices.terms,
    )
    found = corrector.correct(group.documents, markup=choices.markup)
    return [[show(edit) for edit in one.edits] for one in found]


def run_command(group: Group) -> list[list[Shown]]:
    """`errata correct FILE … --format jsonl`, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{n:04}{SUFFIX[group.choices.markup]}") for n in range(len(group.documents))]
        for path, text in zip(paths, group.documents, strict=True):
            path.write_text(text, encoding="utf-8", newline="")
        words = Path(folder, "words.dic")
        words.write_text("".join(f"{word}\n" for word in group.choices.words), encoding="utf-8")
        command = [sys.executable, "-c", PROGRAM, *_arguments(group.choices, words), *map(str, paths)]
        done = subprocess.run(command, capture_output=True, check=True)
        lines = [json.loads(line) for line in done.stdout.decode("utf-8").split("\n") if line]
        found = {name: list(some) for name, some in groupby(lines, lambda line: line["file"])}
        texts = zip(paths, group.documents, strict=True)
        return [list(_in_document(text, found.get(str(path), []))) for path, text in texts]


def _arguments(choices: Choices, words: Path) -> list[str]:
    own = ["correct", "--format", "jsonl", "--no-user-words", "--dictionary", str(words)]
    own += ["--markup", choices.markup, "--preset", choices.preset, "--lang", choices.language]
    own += ["--min-confidence", str(choices.min_confidence)]
    return [*own, *(part for term in choices.terms for part in ("--protect", term))]


def _in_document(text: str, lines: Sequence[dict[str, Any]]) -> Iterator[Shown]:
    """The edits of the lines of a document, as places in the document."""
    position = 0
    for line in lines:
        start = text.index(line["source"], position)
        for edit in line["edits"]:
            yield (
                start + edit["start"],
                start + edit["end"],
                edit["replacement"],
                edit["type"],
                round(edit["confidence"] or 0.0, 4),
                tuple(edit.get("alternatives", ())),
            )
        position = start + len(line["source"])


@dataclass(frozen=True, slots=True)
class Web:
    """The faces of a server."""

    client: httpx.Client

    def run_v1(self, group: Group) -> list[list[Shown]]:
        """`POST /v1/correct`."""
        choices = group.choices
        body = {
            "texts": list(group.documents),
            "language": choices.language,
            "preset": choices.preset,
            "min_confidence": choices.min_confidence,
            "markup": choices.markup,
            "dictionary": list(choices.words),
            "protect": list(choices.terms),
        }
        # ASCII with escapes: a text may have half a character in it, which UTF-8 has not.
        content = json.dumps(body)
        answer = self.client.post("/v1/correct", content=content, headers={"Content-Type": "application/json"})
        answer.raise_for_status()
        return [
            [
                (e["start"], e["end"], e["replacement"], e["type"], e["confidence"] or 0.0, tuple(e["alternatives"]))
                for e in result["edits"]
            ]
            for result in answer.json()["results"]
        ]

    def run_v2(self, group: Group) -> list[str]:
        """The corrected texts of `POST /v2/check`, which widens edits to whole words.

        LanguageTool's interface knows neither `careful` nor lines by themselves nor Markdown nor phrases: the caller
        asks only what it can express.
        """
        found = []
        for text in group.documents:
            form = {"text": text, "language": group.choices.language}
            if group.choices.preset == "eager":
                form["level"] = "picky"
            answer = self.client.post("/v2/check", data=form)
            answer.raise_for_status()
            found.append(apply_matches(text, answer.json()["matches"]))
        return found


def speaks_languagetool(choices: Choices) -> bool:
    """Whether LanguageTool's interface can express the choices."""
    is_plain = choices.markup == "text" and choices.preset != "careful" and not choices.min_confidence
    return is_plain and not choices.words and not choices.terms


def apply_matches(text: str, matches: Sequence[dict[str, Any]]) -> str:
    """The text with the first replacement of every match; offsets count UTF-16 code units."""
    offsets = Utf16Offsets(text)
    places = {offsets[place]: place for place in range(len(text) + 1)}
    edits = [
        TextEdit(places[m["offset"]], places[m["offset"] + m["length"]], m["replacements"][0]["value"]) for m in matches
    ]
    return apply_text_edits(text, edits)
