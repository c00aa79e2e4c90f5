"""The test sets a bundled model is judged on: gold, metric, preset, and the score it must reach."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from errata.edits.texts import source_text
from errata.metrics.inputs import Gold, read_gold, read_parallel
from errata.model import AnnotatedSentence
from errata.training.digests import file_digest

Read = Callable[[list[Path]], Gold]


def read_all(paths: list[Path]) -> Gold:
    """Several corpora as one."""
    corpora = [read_gold(path) for path in paths]
    return Gold(" + ".join(path.name for path in paths), tuple(one for corpus in corpora for one in corpus.sentences))


def read_references(paths: list[Path]) -> Gold:
    """A source, then its references, line by line."""
    return read_parallel(paths[0], paths[1:])


def read_second_half(paths: list[Path]) -> Gold:
    """Every second sentence: the half that nothing was chosen on."""
    [path] = paths
    return Gold(f"{path.name}, odd", read_gold(path).sentences[1::2])


@dataclass(frozen=True, slots=True)
class QualitySet:
    """A test set; files are under the data folder, and `floors` say in per cent what each model must reach."""

    about: str
    language: str
    files: tuple[str, ...]
    metric: str
    options: Mapping[str, Any] = field(default_factory=dict)
    preset: str = "balanced"
    floors: Mapping[str, float] = field(default_factory=dict)
    read: Read = read_all

    def paths(self, data: Path) -> list[Path]:
        return [data / self.language / file for file in self.files]

    def digest(self, data: Path) -> str:
        """A short digest of the gold files."""
        whole = hashlib.sha256("".join(file_digest(path) for path in self.paths(data)).encode())
        return whole.hexdigest()[:12]

    def text_of(self, sentence: AnnotatedSentence) -> str:
        """What the corrector is given: tokens separated by spaces for English, plain text for Chinese."""
        return " ".join(sentence.sentence.tokens) if self.language == "en" else source_text(sentence.sentence)


ANNOTATORS = {"per_annotator": True}
SIMPLIFIED = {"simplify": True}

SETS: dict[str, QualitySet] = {
    "conll14": QualitySet(
        "CoNLL-14 test",
        "en",
        ("conll14/official-2014.combined.m2",),
        "maxmatch",
        floors={"en-small": 46, "en-base": 58, "en-open": 50},
    ),
    "wi-dev": QualitySet(
        "W&I dev A+B+C",
        "en",
        tuple(f"wi/m2/{level}.dev.gold.bea19.m2" for level in "ABC"),
        "errant",
        floors={"en-small": 42, "en-base": 49.5, "en-open": 40},
    ),
    "cweb-g": QualitySet(
        "CWEB-G test",
        "en",
        ("cweb/m2/CWEB-G.test.m2",),
        "errant",
        ANNOTATORS,
        preset="careful",
        floors={"en-small": 22, "en-base": 31, "en-open": 29},
    ),
    "cweb-s": QualitySet(
        "CWEB-S test",
        "en",
        ("cweb/m2/CWEB-S.test.m2",),
        "errant",
        ANNOTATORS,
        preset="careful",
        floors={"en-small": 17, "en-base": 19, "en-open": 20},
    ),
    "jfleg": QualitySet(
        "JFLEG test",
        "en",
        ("jfleg/test/test.src", *(f"jfleg/test/test.ref{n}" for n in range(4))),
        "gleu",
        {"variant": "official"},
        preset="eager",
        floors={"en-small": 50, "en-base": 57.5, "en-open": 55},
        read=read_references,
    ),
    "fce": QualitySet("FCE test", "en", ("fce/m2/fce.test.gold.bea19.m2",), "errant"),
    "mucgec": QualitySet(
        "MuCGEC test", "zh", ("mucgec/mucgec.test.para",), "cherrant", SIMPLIFIED, floors={"zh-small": 25}
    ),
    "nacgec": QualitySet(
        "NaCGEC test", "zh", ("nacgec/nacgec.test.ref.para",), "cherrant", SIMPLIFIED, floors={"zh-small": 18}
    ),
    "nlpcc18": QualitySet(
        "NLPCC-18 test, characters", "zh", ("nlpcc18/nlpcc2018_official.ref.m2.char",), "cherrant", SIMPLIFIED
    ),
    "fcgec": QualitySet(
        "FCGEC valid, second half", "zh", ("fcgec/FCGEC_valid.json",), "cherrant", SIMPLIFIED, read=read_second_half
    ),
    "sighan15": QualitySet(
        "SIGHAN-15 test (spelling)",
        "zh",
        ("csc-sighan/simplified.test15_error.txt", "csc-sighan/simplified.test15_correct.txt"),
        "cherrant",
        read=read_references,
    ),
}
