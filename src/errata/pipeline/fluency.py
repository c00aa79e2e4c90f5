"""How likely somebody fluent wrote a sentence: a linear model over its tokens and its pairs of neighbouring tokens.

A corrector's confidences mean something else in learners' text than in that of fluent writers, where the same edit is
right less often. Which of the two a sentence is can be seen from its words, so a model may have a calibration for each
(`errata.pipeline.presets`). `errata tune --learners … --fluent …` learns the weights (`errata.tuning.fluency`).
"""

from __future__ import annotations

import base64
import binascii
import math
import zlib
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from errata.model import Tokens

# Tokens and pairs share 2^14 weights, by hash. With 2^13 the two kinds are told apart 2 points less often, with 2^16
# 1 point more often (Chinese), and weights are part of the manifest.
N_WEIGHTS = 1 << 14
# Sentences whose fluency is remembered: each edit of a sentence asks for it.
REMEMBERED = 256


class Fluency:
    """The weights, in 8 bits, with what they are multiplied with and what is added to their sum."""

    def __init__(self, weights: np.ndarray, scale: float, offset: float) -> None:
        if weights.dtype != np.int8 or weights.shape != (N_WEIGHTS,) or not math.isfinite(scale + offset):
            raise ValueError(f"fluency needs {N_WEIGHTS} weights of 8 bits, a finite scale and a finite offset")
        self.weights, self.scale, self.offset = weights, scale, offset
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._measure)

    def __call__(self, tokens: Tokens) -> float:
        """The probability that a fluent writer wrote the sentence."""
        return self._remembered(tokens)

    def _measure(self, tokens: Tokens) -> float:
        return self.of_features(features(tokens))

    def of_features(self, found: np.ndarray) -> float:
        """The same, of a sentence that has these `features`."""
        odds = self.scale * int(self.weights[found].sum(dtype=np.int64)) / math.sqrt(len(found)) + self.offset
        return 1 / (1 + math.exp(-max(min(odds, 30.0), -30.0)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fluency) and self.as_dict() == other.as_dict()

    __hash__ = object.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return Fluency, (self.weights, self.scale, self.offset)

    def as_dict(self) -> dict[str, Any]:
        """What `Fluency.read` reads."""
        return {
            "weights": base64.b64encode(self.weights.tobytes()).decode(),
            "scale": self.scale,
            "offset": self.offset,
        }

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Fluency:
        """The weights of a manifest; a `ValueError` if they are damaged."""
        try:
            weights = np.frombuffer(base64.b64decode(given["weights"], validate=True), np.int8)
        except (binascii.Error, KeyError) as error:
            raise ValueError("its fluency has no weights that can be read") from error
        return cls(weights, float(given["scale"]), float(given["offset"]))


def features(tokens: Tokens) -> np.ndarray:
    """The numbers of the weights that a sentence has, each once: of its tokens and of its pairs, ends included."""
    padded = ("", *(token.lower() for token in tokens), "")
    names = (*padded, *(f"{left} {right}" for left, right in pairwise(padded)))
    return np.array(sorted({zlib.crc32(name.encode("utf-8", "surrogatepass")) % N_WEIGHTS for name in names}))
