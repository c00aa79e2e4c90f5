"""The encoder's sections of a recipe: `model:` and `data:`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from errata.networks.encoder import BackboneSettings


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


@dataclass(frozen=True, slots=True)
class MaskingSettings:
    """What is hidden from the network, which has to say what was there.

    `rate` is the share of subwords, in whole words. `join` is the share of words that are joined to the word before
    them first, so that runs of words are hidden. Of the hidden words, `keep` are shown as they are, `random` are
    replaced by random subwords, `corrupt` by likely errors (a Chinese character of the same sound, or a subword as
    frequent as it is in the text); the others are `[MASK]`.
    """

    rate: float = 0.15
    join: float = 0.0
    keep: float = 0.1
    random: float = 0.1
    corrupt: float = 0.0

    def __post_init__(self) -> None:
        _require(0 < self.rate < 1 and 0 <= self.join < 1, "rate is between 0 and 1, join is in [0, 1)")
        shares = (self.keep, self.random, self.corrupt)
        _require(min(shares) >= 0 and sum(shares) <= 1, "keep, random and corrupt are shares of the hidden words")


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """What the network is and what it learns.

    `backbone` has the sizes of the encoder, or the name of a pretrained one that goes on learning. `vocabulary` is the
    folder of a system whose tokenizer is taken instead of learning one.
    """

    backbone: BackboneSettings
    masking: MaskingSettings = field(default_factory=MaskingSettings)
    vocabulary: Path | None = None

    def __post_init__(self) -> None:
        is_known = self.backbone.name is not None or self.backbone.architecture != "pre-norm"
        _require(is_known, "no other recipe could name it: set backbone.architecture to bert or mpnet")
        is_one = self.backbone.name is None or self.vocabulary is None
        _require(is_one, "a pretrained encoder has its own tokenizer: leave vocabulary out")


@dataclass(frozen=True, slots=True)
class EncoderData:
    """Plain text, one paragraph a line.

    `text` are files (`.txt`, also packed as `.xz` or `.gz`) or folders of them. `words` is a list of Chinese words, one
    a line (what follows a space is ignored); jieba's dictionary by default. `dev_blocks` inputs are held out to judge
    the network on.
    """

    text: tuple[Path, ...]
    words: Path | None = None
    dev_blocks: int = 512

    def __post_init__(self) -> None:
        _require(bool(self.text), "text names no file")
        _require(self.dev_blocks >= 0, "dev_blocks is 0 or more")
