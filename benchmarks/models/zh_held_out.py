"""Every sentence of the Chinese evaluation sets, in whatever form their files have, kept out of training data.

`errata.datasets.similar` says what a copy is. A paragraph is compared as a whole, and so is each of its sentences.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from errata.datasets.similar import Collection
from errata.formats.files import read_lines

FILES = (
    "mucgec/*", "nlpcc18/*", "fcgec/*", "nacgec/*", "nasgec-exam/*dev*", "yaclc/*", "cltc2022/*", "cged/*[Tt]est*",
    "cged/*truth*", "excgec/*valid*", "excgec/*test*", "csc-sighan/*test*", "csc-lemon/*", "csc-ecspell/*.test",
    "csc-mcsc/*test*",
)  # fmt: skip
PREDICTIONS = "example_pred"  # a system's answers
# Letters: shorter strings are labels and names of files.
SHORTEST = 6
_SENTENCE = re.compile(r"[^。！？!?]+")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


class HeldOut:
    """Evaluation sentences, and what was refused because of them."""

    def __init__(self, sentences: Iterable[str]) -> None:
        self._sentences = list(dict.fromkeys(one for one in sentences if sum(map(str.isalnum, one)) >= SHORTEST))
        self._known = Collection(self._sentences)
        self._tally: dict[str, Counter[str]] = {}

    @classmethod
    def of(cls, data: Path) -> HeldOut:
        """The evaluation sentences under `data`."""
        paths = sorted({path for pattern in FILES for path in data.glob(pattern)})
        return cls(text for path in paths if not path.name.startswith(PREDICTIONS) for text in texts(path))

    def allows(self, corpus: str, *sentences: str) -> bool:
        """Whether none of the sentences (of a pair) is held out; counted by corpus."""
        edits = [edits for sentence in sentences for _, edits in self._known.find(sentence)]
        reason = "kept" if not edits else "exact" if min(edits) < 0 else "near"
        self._tally.setdefault(corpus, Counter())[reason] += 1
        return not edits

    def find(self, paragraphs: Sequence[str]) -> set[int]:
        """The positions of paragraphs that contain an evaluation sentence, or have a sentence that is part of one."""
        return {place for place, text in enumerate(paragraphs) if self._overlaps(text)}

    def _overlaps(self, paragraph: str) -> bool:
        return any(self._known.find(text) for text in (paragraph, *_SENTENCE.findall(paragraph)))

    def report(self) -> dict[str, dict[str, int]]:
        """By corpus: kept, equal (`exact`) and nearly equal (`near`) to evaluation sentences."""
        return {corpus: dict(tally) for corpus, tally in self._tally.items()}

    def __str__(self) -> str:
        total = sum(self._tally.values(), Counter[str]())
        told = ", ".join(f"{n:,} {what}" for what, n in total.items())
        return f"{len(self._sentences):,} evaluation sentences: {told}"


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


def to_simplified(data: Path) -> dict[int, str]:
    """By code point: the simplified character of a traditional one."""
    path = data / "lexical" / "opencc" / "TSCharacters.txt"
    cells = (line.rstrip("\n").split("\t") for line in read_lines(path) if not line.startswith("#"))
    return {ord(cell[0]): cell[1].split(" ")[0] for cell in cells if len(cell) > 1 and len(cell[0]) == 1}
