"""Clean text that is corrupted while a model trains: the recipe's `synthetic:` section, for every system."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from errata.model import Tokens
from errata.synth import NoiseModel
from errata.training.pairs import Keep, read_clean


@dataclass(frozen=True, slots=True)
class SyntheticSettings:
    """Clean text (one sentence a line) corrupted afresh in every batch by a noise model of `errata synth learn`.

    `rate`, `clean` and `mix` change the noise model as `NoiseModel.with_options` says.
    `sentences` is how many are read.
    """

    text: tuple[Path, ...]
    noise: Path
    rate: float | None = None
    clean: float | None = None
    mix: dict[str, float] = field(default_factory=dict)
    sentences: int | None = None

    def read_text(self, language: str, keep: Keep | None = None) -> Iterator[Tokens]:
        """The sentences, without what `keep` refuses."""
        return islice(read_clean(self.text, language, keep=keep), self.sentences)

    def load_noise(self) -> NoiseModel:
        """The noise model with these options."""
        return NoiseModel.load(self.noise).with_options(rate=self.rate, clean=self.clean, mix=self.mix)
