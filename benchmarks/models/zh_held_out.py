"""Every sentence of the Chinese evaluation sets, in whatever form their files have, kept out of training data.

A text is held out when it equals an evaluation source or reference, ignoring punctuation, case and script, or when two
fifths of its runs of ten characters occur in them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from errata.formats.files import read_lines

FILES = (
    "mucgec/*", "nlpcc18/*", "fcgec/*", "nacgec/*", "nasgec-exam/*dev*", "yaclc/*", "cltc2022/*", "cged/*[Tt]est*",
    "cged/*truth*", "excgec/*valid*", "excgec/*test*", "csc-sighan/*test*", "csc-lemon/*", "csc-ecspell/*.test",
    "csc-mcsc/*test*",
)  # fmt: skip
PREDICTIONS = "example_pred"  # a system's answers
SHINGLE, NEAR, SHORTEST = 10, 0.4, 6
_SKIPPED = re.compile(r"[^0-9a-z\u3400-\u9fff]")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


class HeldOut:
    """The evaluation sentences under `data`, and what was refused because of them."""

    def __init__(self, data: Path) -> None:
        self.simple = to_simplified(data)
        self._whole: set[str] = set()
        self._shingles: set[int] = set()
        self._tally: dict[str, Counter[str]] = {}
        paths = sorted({path for pattern in FILES for path in data.glob(pattern)})
        for path in paths:
            if not path.name.startswith(PREDICTIONS):
                for text in texts(path):
                    self._add(text)

    def allows(self, corpus: str, *sentences: str) -> bool:
        """Whether none of the sentences (of a pair) is held out; counted by corpus."""
        reason = self._reason([self._normal(sentence) for sentence in sentences])
        self._tally.setdefault(corpus, Counter())[reason or "kept"] += 1
        return reason is None

    def report(self) -> dict[str, dict[str, int]]:
        """By corpus: kept, equal (`exact`) and nearly equal (`near`) to evaluation sentences."""
        return {corpus: dict(tally) for corpus, tally in self._tally.items()}

    def sentences(self) -> frozenset[str]:
        """Every evaluation sentence, without punctuation, in lower case and simplified characters."""
        return frozenset(self._whole)

    def __str__(self) -> str:
        total = sum(self._tally.values(), Counter[str]())
        return f"{len(self._whole):,} evaluation sentences: " + ", ".join(f"{n:,} {what}" for what, n in total.items())

    def _add(self, text: str) -> None:
        parts = {text, *(re.split(r"[。！？!?]", text) if len(text) > 30 else ())}
        for sentence in map(self._normal, parts):
            if len(sentence) >= SHORTEST and sentence not in self._whole:
                self._whole.add(sentence)
                self._shingles.update(_shingles(sentence))

    def _reason(self, sentences: list[str]) -> str | None:
        if any(len(one) >= SHORTEST and one in self._whole for one in sentences):
            return "exact"
        for one in sentences:
            found = [shingle in self._shingles for shingle in _shingles(one)]
            if found and sum(found) >= NEAR * len(found):
                return "near"
        return None

    def _normal(self, text: str) -> str:
        return _SKIPPED.sub("", text.translate(self.simple).lower())


def texts(path: Path) -> Iterator[str]:
    """Whatever may be a sentence in the file: M2 sources and targets, JSON strings, text between tags, cells."""
    name = path.name
    for line in read_lines(path):
        line = line.rstrip("\n")
        if ".json" in name:
            for found in _STRING.findall(line):
                yield json.loads(f'"{found}"') if "\\u" in found else found
        elif ".m2" in name:
            if line[:1] in ("S", "T"):  # targets are `T0-A1 …`
                yield line.partition(" ")[2].replace(" ", "")
        elif ".sgml" in name or ".xml" in name:
            yield from re.split(r"<[^>]*>", line)
        else:
            for cell in line.split("\t"):
                yield cell.replace(" ", "") if ".seg" in name else cell


def _shingles(text: str) -> Iterator[int]:
    return (hash(text[i : i + SHINGLE]) for i in range(len(text) - SHINGLE + 1))


def to_simplified(data: Path) -> dict[int, str]:
    """By code point: the simplified character of a traditional one."""
    path = data / "lexical" / "opencc" / "TSCharacters.txt"
    cells = (line.rstrip("\n").split("\t") for line in read_lines(path) if not line.startswith("#"))
    return {ord(cell[0]): cell[1].split(" ")[0] for cell in cells if len(cell) > 1 and len(cell[0]) == 1}
