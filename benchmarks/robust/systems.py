"""Correctors of every kind on the whole of RobustGEC, as an editor would ask them: the form of the paper's Table 4."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.quality.correctors import Corrector, ModelCorrector, PeerCorrector, find_corrector
from benchmarks.quality.sets import SETS
from benchmarks.robust.alternatives import score
from benchmarks.robust.parts import SUBSETS
from benchmarks.robust.table import Row

from errata.errors import UsageError
from errata.model import AnnotatedSentence, Sentence
from errata.robustness.cases import Subset, read_subsets

PRESET = "balanced"
# Peers read running text as in any English set of the quality table.
ENGLISH = next(one for one in SETS.values() if one.language == "en")


class Asked:
    """A corrector of the quality table, asked for texts whose tokens are separated by spaces."""

    def __init__(self, corrector: Corrector) -> None:
        if corrector.language != "en":
            raise UsageError(f"{corrector.name} corrects {corrector.language}, RobustGEC is English")
        self._corrector, self.name = corrector, corrector.name

    def correct(self, sentences: Sequence[str], /) -> list[str]:
        """The corrected texts, in order."""
        if isinstance(self._corrector, ModelCorrector):
            opened = self._corrector.opened
            chosen = opened.with_preset(PRESET) if PRESET in opened.presets else opened
            return [one.target for one in chosen.correct(sentences)]
        assert isinstance(self._corrector, PeerCorrector)
        given = [AnnotatedSentence(Sentence(tuple(text.split()), text)) for text in sentences]
        return self._corrector.correct(ENGLISH, given)


def score_systems(names: Sequence[str], data: Path, limit: int | None = None) -> list[Row]:
    """A row for each corrector: models and folders, `harper`, `lingotweaker`, `lm`."""
    read = read_subsets([data / name / "para.txt.xz" for name in SUBSETS], lenient=True)
    subsets = [Subset(one.name, one.cases[:limit]) for one in read]
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            print(f"{name} …", file=sys.stderr)
            rows.append(Row(name, (score(Asked(find_corrector(name, Path(scratch))), subsets),)))
    return rows
