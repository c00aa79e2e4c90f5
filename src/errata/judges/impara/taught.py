"""What trained judges say of the sentences of pairs, for a smaller judge to learn: packed beside the pairs."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from errata.errors import DataError
from errata.judges.impara.judge import ImparaJudge
from errata.judges.impara.supervision import RankedPair
from errata.judges.twins import Twins, twin_rows
from errata.systems.manifest import read_manifest

log = logging.getLogger(__name__)

TAUGHT = "taught"


class TaughtTwins(Twins):
    """Pairs of sentences with their teachers' R."""

    def collate(self, indices: Sequence[int], rng: np.random.Generator) -> dict[str, np.ndarray]:
        """Also `taught` (2 × pairs): of all first sentences, then of all second ones."""
        return {**super().collate(indices, rng), TAUGHT: np.asarray(self.packed[TAUGHT][twin_rows(indices)])}


def refuse_own(teachers: Sequence[Path], run: Path) -> None:
    """Raise for a teacher that the run would write over."""
    for folder in teachers:
        if folder.resolve().is_relative_to(run.resolve()):
            raise DataError(f"the teacher {folder} lies in the folder of the run, {run}: set another run.folder")


def refuse_teachers(teachers: Sequence[Path], language: str) -> None:
    """Raise for what is no judge of the language."""
    for folder in teachers:
        manifest = read_manifest(folder)
        if manifest.get("system") != ImparaJudge.kind:
            raise DataError(f"the teacher {folder} is no judge but {manifest.get('system')}")
        if manifest.get("language") != language:
            raise DataError(f"the teacher {folder} judges {manifest.get('language')}, not {language}")


def ask_teachers(pairs: Sequence[RankedPair], teachers: Sequence[Path]) -> np.ndarray:
    """The mean R of rows 2 i and 2 i + 1, the better and the worse sentence of pair i; a sentence is judged once."""
    import torch

    sentences = [tokens for pair in pairs for tokens in (pair.better, pair.worse)]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    answers = []
    for folder in teachers:
        answers.append(ImparaJudge.load(folder, device=device).logits(sentences))
        log.info("%s has judged %d sentences", folder, len(set(sentences)))
    mean: np.ndarray = np.stack(answers).mean(0).astype(np.float32)
    return mean
