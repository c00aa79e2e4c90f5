"""A judge's score of every correction in judged sets, as files for `errata meta --scores`.

    python -m benchmarks.impara.judging ./runs/impara-en/model scores gjg15=FOLDER seeda=FOLDER --device cuda
    errata meta --data gjg15 --root FOLDER --scores scores/gjg15-own.tsv

A judge with a large encoder is trained where there is a GPU, and scores there too: the files are small, and the judge
need not travel. All this needs is numpy, PyYAML and torch with transformers. A set may have another name before its
folder (`cltc:eighth=FOLDER`), which the files bear. Of CLTC-2022 every candidate is a system by its number, and each
part goes to a file of its own. `tmu-gfm=FILE` is TMU-GFM's table, whose outputs are numbered.

With `--verdicts` a line has R, the score before σ, and the similarity to the source instead: whatever scale, shift and
threshold one wants to look at later needs no GPU (`python -m benchmarks.impara.tables`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmarks.impara.ratings import NAME as RATINGS
from benchmarks.impara.ratings import read_outputs

from errata.errors import ErrataError, UsageError
from errata.judges.impara.judge import ImparaJudge
from errata.judges.impara.metric import Impara, ImparaOptions
from errata.meta_eval.base import Track, get_judged_set
from errata.meta_eval.scorers import MetricScorer
from errata.metrics.texts import split_like
from errata.model import Tokens

# The sets with tracks that share their outputs: one file is for all of them.
SHARED = ("gjg15", "seeda")
# A line of a file of scores: a system, a sentence counted from 1, a score, or R and a similarity.
Row = tuple[str, int, *tuple[float, ...]]
LOWEST = -700.0  # exp(700) is a number still
# A system, the place of a sentence, the source's tokens and the correction's.
Correction = tuple[str, int, Tokens, Tokens]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A judged set in a folder, and what its files are called."""

    set: str
    label: str
    root: Path

    @classmethod
    def parse(cls, text: str) -> Wanted:
        """`seeda=FOLDER` or `cltc:eighth=FOLDER`."""
        name, has_root, root = text.partition("=")
        if not has_root:
            raise UsageError(f"{text!r} names no folder: give SET=FOLDER")
        kind, _, label = name.partition(":")
        return cls(kind, label or kind, Path(root))

    @property
    def language(self) -> str:
        return "zh" if self.set == "cltc" else "en"

    def load(self) -> dict[str, Track]:
        """The tracks by the name of their file."""
        if self.set == RATINGS:
            return {self.label: read_outputs(self.root).track}
        tracks = get_judged_set(self.set).load(self.root)
        if self.set in SHARED:
            return {self.label: tracks[0]}
        return {f"{self.label}-{track.name}": track for track in tracks}


def score_track(track: Track, scorer: MetricScorer) -> Iterator[Row]:
    """The score of every sentence of every system, or of every correction that was rated."""
    if track.outputs:
        sentences = scorer.score_systems(track).sentences or {}
        for name, scores in sentences.items():
            yield from ((name, number, float(score)) for number, score in enumerate(scores, 1))
    for row, scores in zip(track.rated, scorer.score_rated(track) if track.rated else (), strict=True):
        yield from ((name, row.sentence + 1, float(score)) for name, score in zip(row.systems, scores, strict=True))


def list_corrections(track: Track) -> list[Correction]:
    """Every sentence of every system, or every correction that was rated, in the tokens that a judge reads."""
    sources = [annotated.sentence for annotated in track.gold.sentences]
    texts = [(system, place, text) for system, lines in track.outputs.items() for place, text in enumerate(lines)]
    for row in track.rated:
        texts += [(system, row.sentence, text) for system, text in zip(row.systems, row.texts, strict=True)]
    return [(system, place, sources[place].tokens, split_like(sources[place], text)) for system, place, text in texts]


def list_verdicts(track: Track, judge: ImparaJudge) -> Iterator[Row]:
    """R and the similarity of each correction; the R of an empty sentence, which has none, is `LOWEST`."""
    corrections = list_corrections(track)
    texts = [tokens for *_, tokens in corrections]
    worth = np.maximum(judge.logits(texts), LOWEST).tolist()
    alike = judge.similarities([source for _, _, source, _ in corrections], texts).tolist()
    for (system, place, _, _), *verdict in zip(corrections, worth, alike, strict=True):
        yield system, place + 1, *verdict


def format_row(row: Row) -> str:
    """A line with every digit of the score: many are near 1, and rounded scores would be ties, which count as wrong."""
    system, sentence, *scores = row
    return "\t".join([system, str(sentence), *map(repr, scores)]) + "\n"


def write_verdicts(model: Path, folder: Path, sets: Sequence[Wanted], device: str) -> None:
    """A file for each track."""
    folder.mkdir(parents=True, exist_ok=True)
    judge = ImparaJudge.load(model, device=device)
    for wanted in sets:
        if judge.language != wanted.language:
            raise UsageError(f"{model} judges {judge.language}, and {wanted.set} is {wanted.language}")
        for name, track in wanted.load().items():
            path = folder / f"{name}-verdicts.tsv"
            path.write_text("".join(map(format_row, list_verdicts(track, judge))), encoding="utf-8")
            print(path)


def write_scores(
    model: Path, folder: Path, sets: Sequence[Wanted], thresholds: Sequence[float | None], device: str
) -> None:
    """A file for each track and threshold (None: the model's)."""
    folder.mkdir(parents=True, exist_ok=True)
    for wanted in sets:
        for name, track in wanted.load().items():
            for threshold in thresholds:
                options = ImparaOptions(str(model.resolve()), wanted.language, threshold, device)
                shown = "own" if threshold is None else f"{threshold:g}"
                rows = score_track(track, MetricScorer(Impara(options)))
                path = folder / f"{name}-{shown}.tsv"
                path.write_text("".join(map(format_row, rows)), encoding="utf-8")
                print(path)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.impara.judging", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("model", type=Path, help="the folder of a trained judge")
    parser.add_argument("out", type=Path, help="the folder for the scores")
    parser.add_argument("sets", nargs="+", metavar="SET=FOLDER")
    parser.add_argument("--threshold", type=float, action="append", help="score with this θ beside the model's, repeat")
    parser.add_argument("--verdicts", action="store_true", help="write R and similarity instead of scores")
    parser.add_argument("--device", default="cpu")
    given = parser.parse_args()
    try:
        sets = [Wanted.parse(text) for text in given.sets]
        if given.verdicts:
            write_verdicts(given.model, given.out, sets, given.device)
            return 0
        write_scores(given.model, given.out, sets, [None, *(given.threshold or ())], given.device)
    except ErrataError as error:
        print(f"errata: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
