"""IMPARA ready to judge: how good a correction is, and how alike it is to its source."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from errata.errors import DataError, UsageError
from errata.judges.impara.saved import SIMILARITY, read_score
from errata.judges.vectors import SentenceVectors, VectorShape, cosines
from errata.model import Tokens
from errata.systems.base import System
from errata.systems.manifest import MANIFEST, Manifest, read_manifest
from errata.text.spacing import LAYOUTS


class Verdict(NamedTuple):
    """The score of a correction by itself (0 to 1), and its similarity to the source (-1 to 1)."""

    correction: float
    similarity: float


class ImparaJudge(System):
    """Judges corrections; `threshold` is the similarity above which one is about its source."""

    kind: ClassVar[str] = "impara"
    exporter: ClassVar[str | None] = "errata.judges.impara.export:export_impara"

    def __init__(
        self,
        ranked: SentenceVectors,
        similar: SentenceVectors,
        score: tuple[np.ndarray, float],
        *,
        language: str,
        threshold: float,
    ) -> None:
        self._ranked, self._similar, self._score = ranked, similar, score
        self.language, self.threshold = language, threshold

    @classmethod
    def load(
        cls,
        folder: Path,
        manifest: Manifest | None = None,
        *,
        device: str = "cpu",
        backend: str | None = None,
        threads: int = 0,
    ) -> ImparaJudge:
        """The judge in a folder."""
        manifest = read_manifest(folder) if manifest is None else manifest
        try:
            if manifest["system"] != cls.kind:
                raise UsageError(f"{folder} holds a {manifest['system']}, not a judge")
            language, threshold = manifest["language"], float(manifest["settings"]["threshold"])
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"{folder / MANIFEST} describes no judge: it needs a language and a threshold") from error
        if not 0 <= threshold <= 1:
            raise DataError(f"{folder / MANIFEST}: the threshold is between 0 and 1, not {threshold}")
        places: dict[str, Any] = {"device": device, "backend": backend, "threads": threads}
        ranked = SentenceVectors.load(folder, **places)
        similar = SentenceVectors.load(folder / SIMILARITY, **places)
        score = read_score(folder, VectorShape.read(folder).hidden)
        return cls(ranked, similar, score, language=language, threshold=threshold)

    @property
    def arithmetic(self) -> str:
        """How its numbers are computed: what a score in six digits depends on besides the weights."""
        return self._ranked.arithmetic

    @property
    def vectors(self) -> SentenceVectors:
        """What tells how alike sentences are, and how much an edit changes."""
        return self._similar

    def judge(self, sources: Sequence[Tokens], hypotheses: Sequence[Tokens]) -> list[Verdict]:
        """A verdict on each hypothesis; an empty one is no correction, and is like an empty source only."""
        pairs = zip(self.corrections(hypotheses), self.similarities(sources, hypotheses), strict=True)
        return [Verdict(float(correction), float(similarity)) for correction, similarity in pairs]

    def similarities(self, sources: Sequence[Tokens], hypotheses: Sequence[Tokens]) -> np.ndarray:
        """How alike each hypothesis and its source are (-1 to 1)."""
        alike = np.ones(len(sources))
        other = [row for row, pair in enumerate(zip(sources, hypotheses, strict=True)) if pair[0] != pair[1]]
        if other:
            alike[other] = self._compare([sources[row] for row in other], [hypotheses[row] for row in other])
        return alike

    def _compare(self, sources: Sequence[Tokens], hypotheses: Sequence[Tokens]) -> np.ndarray:
        """The similarity of each hypothesis to its source; a sentence that occurs often is encoded once."""
        texts = {tokens: row for row, tokens in enumerate(dict.fromkeys([*sources, *hypotheses]))}
        vectors = self._similar(list(texts))
        left, right = (vectors[[texts[tokens] for tokens in side]] for side in (sources, hypotheses))
        return cosines(left, right)

    def corrections(self, hypotheses: Sequence[Tokens]) -> np.ndarray:
        """How good each sentence is by itself (0 to 1); an empty one 0."""
        with np.errstate(over="ignore"):
            scores: np.ndarray = 1 / (1 + np.exp(-self.logits(hypotheses)))
        return scores

    def logits(self, hypotheses: Sequence[Tokens]) -> np.ndarray:
        """R of each sentence, the score before σ; an empty one has -inf."""
        texts = {tokens: row for row, tokens in enumerate(dict.fromkeys(hypotheses))}
        vectors = self._ranked(list(texts))
        weight, bias = self._score
        if not vectors.shape[1]:  # all are empty
            return np.full(len(hypotheses), -np.inf)
        logits = vectors @ weight + bias
        logits[[not tokens for tokens in texts]] = -np.inf
        found: np.ndarray = logits[[texts[tokens] for tokens in hypotheses]]
        return found

    def answers(self, texts: Sequence[str]) -> list[Any]:
        """Each sentence's score by itself, rounded as far as weights in few bits leave it alone."""
        layout = LAYOUTS[self.language]
        sentences = [tuple(text[a:b] for a, b in layout.spans(text)) for text in texts]
        return [round(float(score), 1) for score in self.corrections(sentences)]
