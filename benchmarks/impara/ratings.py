"""TMU-GFM as a judged set: outputs of five correctors for sources of CoNLL-13, and how grammatical people find them.

A judge may be chosen by it: none of the sets that errata reports on has its sentences.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from errata.formats.files import read_lines
from errata.meta_eval.base import Rated, Track
from errata.meta_eval.files import find_gold
from errata.stats.correlation import pearson
from errata.training.pairs import split_text

NAME = "tmu-gfm"


@dataclass(frozen=True, slots=True)
class RatedOutputs:
    """The outputs as a track, and for each corrector the places (sentence, output) of what it made."""

    track: Track
    made: dict[str, list[tuple[int, int]]]

    def correlate_correctors(self, scores: list[np.ndarray]) -> float:
        """Pearson's r of the correctors' mean scores and mean ratings."""
        means = []
        for places in self.made.values():
            rows = [(scores[row][place], self.track.rated[row].values[place]) for row, place in places]
            means.append(np.mean(rows, axis=0))
        return pearson(*np.array(means).T)


def read_outputs(path: Path) -> RatedOutputs:
    """The table of TMU-GFM; outputs of one source are numbered."""
    by_source: dict[str, list[tuple[str, float, str]]] = {}
    for row in csv.DictReader(read_lines(path)):
        source, output = (" ".join(split_text(row[name], "en", True)) for name in ("source", "output"))
        by_source.setdefault(source, []).append((output, float(row["ave_g"]), row["system"]))
    rated, made = [], dict[str, list[tuple[int, int]]]()
    for number, outputs in enumerate(by_source.values()):
        texts, values, makers = zip(*outputs, strict=True)
        rated.append(Rated(number, texts, values, tuple(map(str, range(len(texts))))))
        for place, names in enumerate(makers):
            for name in names.split(","):
                made.setdefault(name.strip(), []).append((number, place))
    gold = find_gold(path.parent, None, (), list(by_source))
    return RatedOutputs(Track(NAME, gold, rated=rated), made)
