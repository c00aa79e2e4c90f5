"""SOME ready to judge: three ratings for every correction."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from errata.errors import DataError, UsageError
from errata.judges.some.saved import Heads, read_heads
from errata.judges.vectors import SentenceVectors, VectorShape
from errata.model import Tokens
from errata.systems.base import System
from errata.systems.manifest import Manifest, read_manifest
from errata.text.spacing import LAYOUTS


class SomeJudge(System):
    """Rates corrections."""

    kind: ClassVar[str] = "some"
    exporter: ClassVar[str | None] = "errata.judges.some.export:export_some"

    def __init__(self, vectors: SentenceVectors, heads: Heads, *, language: str) -> None:
        self._vectors, self._heads, self.language = vectors, heads, language

    @classmethod
    def load(
        cls,
        folder: Path,
        manifest: Manifest | None = None,
        *,
        device: str = "cpu",
        backend: str | None = None,
        threads: int = 0,
    ) -> SomeJudge:
        """The judge in a folder."""
        manifest = read_manifest(folder) if manifest is None else manifest
        try:
            if manifest["system"] != cls.kind:
                raise UsageError(f"{folder} is no {cls.kind} but {manifest['system']}")
            language = manifest["language"]
        except (KeyError, TypeError) as error:
            raise DataError(f"{folder} is not a judge this version reads: its manifest lacks {error}") from error
        vectors = SentenceVectors.load(folder, device=device, backend=backend, threads=threads)
        return cls(vectors, read_heads(folder, VectorShape.read(folder).hidden), language=language)

    @property
    def arithmetic(self) -> str:
        """How its numbers are computed: what a score in six digits depends on besides the weights."""
        return self._vectors.arithmetic

    def judge(self, sources: Sequence[Tokens], hypotheses: Sequence[Tokens]) -> np.ndarray:
        """Grammaticality, fluency and meaning of each hypothesis, 0 to 1 (corrections, 3); all 0 for an empty one."""
        texts = {tokens: row for row, tokens in enumerate(dict.fromkeys([*sources, *hypotheses]))}
        vectors = self._vectors(list(texts))
        if not vectors.shape[1]:  # all are empty
            return np.zeros((len(hypotheses), 3))
        source, hypothesis = (vectors[[texts[tokens] for tokens in side]] for side in (sources, hypotheses))
        common = np.concatenate([source * hypothesis, np.abs(source - hypothesis)], -1)
        parts = zip((hypothesis, common), self._heads, strict=True)
        rated = np.concatenate([given @ weight.T + bias for given, (weight, bias) in parts], -1).clip(0, 1)
        rated[[not tokens for tokens in hypotheses]] = 0.0
        return rated

    def answers(self, texts: Sequence[str]) -> list[Any]:
        """Each sentence's ratings as its own correction, rounded as far as weights in few bits leave them alone."""
        layout = LAYOUTS[self.language]
        sentences = [tuple(text[a:b] for a, b in layout.spans(text)) for text in texts]
        return [tuple(round(float(rating), 1) for rating in row) for row in self.judge(sentences, sentences)]
