"""Answers that were made on another machine: `python -m benchmarks.quality task FOLDER [SET …]` writes what it needs.

A language model takes hours on a CPU. What it is asked, token by token, and what it proposes are small files; the gold,
and errata's treatment of what is proposed, stay here. `python -m benchmarks.quality.propose` answers the task there,
and `python -m benchmarks.quality SET … --model lm --answers FILE` scores the answers as if the model had run here.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from benchmarks.quality.correctors import LM, ModelCorrector, code_digest, find_corrector
from benchmarks.quality.propose import MODEL, ORIGIN, SUFFIX, Answers, Origin, read_answers, write_sentences
from benchmarks.quality.sets import SETS, QualitySet
from benchmarks.speed.history import shared_folder

from errata.errors import DataError, UsageError
from errata.model import Tokens
from errata.pipeline.presets import Ladder, read_presets
from errata.pipeline.sentences import SentenceCorrector
from errata.systems.base import ProposedEdit, TokenCorrector
from errata.systems.lm.settings import read_settings


class Recorded(TokenCorrector):
    """A model whose answers are known."""

    kind: ClassVar[str] = "recorded"

    def __init__(self, language: str, max_tokens: int, answers: Answers) -> None:
        self.language, self.max_tokens, self.known = language, max_tokens, answers

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        for tokens in sentences:
            if tokens not in self.known:
                raise DataError(f"the answers lack a sentence: {' '.join(tokens)}")
        return [self.known[tokens] for tokens in sentences]


@dataclass(frozen=True)
class RecordedCorrector(ModelCorrector):
    """A language model that answered elsewhere; everything around it is here."""

    recorded: Path | None = None

    @cached_property
    def opened(self) -> SentenceCorrector:
        answers = self._answers() if self.recorded else {}
        language, settings = read_settings(self.folder, self.manifest)
        presets = read_presets(self.manifest)
        return SentenceCorrector(
            Recorded(language, settings.max_tokens, answers),
            name=self.name,
            tokenised=language == "en",
            presets=presets,
            ladder=Ladder.of(presets),
        )

    def _answers(self) -> Answers:
        assert self.recorded is not None
        origin, answers = read_answers(self.recorded)
        if (origin.model, origin.weights) != (self.name, self.digest):
            raise DataError(f"{self.recorded} has answers of {origin.model}:{origin.weights}, not of {self.digest}")
        if origin.code != code_digest():
            print(f"{self.recorded}: errata's code has changed since these answers were asked for", file=sys.stderr)
        return answers

    def asked(self, chosen: QualitySet, data: Path) -> Iterator[Tokens]:
        """What the model is given of a set, piece by piece."""
        for sentence in chosen.read(chosen.paths(data)).sentences:
            text = chosen.text_of(sentence)
            yield from (segment.tokens(text) for segment in self.opened.segments(text))


def find_recorded(name: str, scratch: Path, answers: Path | None = None) -> RecordedCorrector:
    """The language model called `name`, with the answers that it gave elsewhere."""
    found = find_corrector(name, scratch)
    if not isinstance(found, ModelCorrector) or found.manifest.get("system") != "lm" or found.rules:
        raise UsageError(f"only a language model alone ({LM}) can answer elsewhere, not {name}")
    return RecordedCorrector(found.name, found.folder, found.rules, answers)


def write_task(corrector: RecordedCorrector, folder: Path, names: Sequence[str], data: Path) -> None:
    """Write the model's folder, the sentences of the sets, and what the answers will belong to."""
    shutil.copytree(corrector.folder, folder / MODEL, dirs_exist_ok=True)
    origin = Origin(corrector.name, corrector.digest, code_digest())
    (folder / ORIGIN).write_text(json.dumps(asdict(origin)) + "\n", encoding="utf-8")
    for name in names:
        write_sentences(folder / f"{name}{SUFFIX}", dict.fromkeys(corrector.asked(SETS[name], data)))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.quality task",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("sets", nargs="*", metavar="SET", help="all of English without")
    options = parser.parse_args(arguments)
    names = options.sets or [name for name, chosen in SETS.items() if chosen.language == "en"]
    if unknown := [name for name in names if name not in SETS or SETS[name].language != "en"]:
        parser.error(f"no English set {unknown[0]!r}")
    with tempfile.TemporaryDirectory() as scratch:
        write_task(find_recorded(LM, Path(scratch)), options.folder, names, shared_folder() / "data")
    return 0
