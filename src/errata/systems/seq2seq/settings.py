"""The sections of a sequence-to-sequence recipe: `model:` and `data:`."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path

from errata.systems.seq2seq.decoding import Decoding
from errata.training.synthetic import SyntheticSettings

# Sizes that a tagger's encoder brings along.
OF_THE_ENCODER = ("encoder_layers", "hidden")
# Subwords that are learnt unless a recipe says how many.
PIECES = 4000


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)


@dataclass(frozen=True, slots=True)
class BackboneSettings:
    """`backbone:` in a recipe: the `name` of a pretrained encoder-decoder, or the sizes of one trained from scratch.

    With `tagger`, a model's name or folder, the encoder and its subwords are that tagger's, which has seen errors
    already, and only the decoder is new. `positions` is the longest input and output in subwords, for all three.
    `pieces` is how many to learn (byte-level BPE for English, characters for Chinese), or how many of a tagger's to
    keep, the most frequent in the training text (all). `feed_forward` is four times `hidden` unless said.
    """

    name: str | None = None
    tagger: str | None = None
    positions: int = 256
    encoder_layers: int = 2
    decoder_layers: int = 2
    hidden: int = 64
    heads: int = 4
    feed_forward: int | None = None
    dropout: float = 0.1
    pieces: int | None = None

    @property
    def is_new(self) -> bool:
        """Whether nothing of the network is pretrained."""
        return self.name is None and self.tagger is None

    def __post_init__(self) -> None:
        _require(self.name is None or self.tagger is None, "give name or tagger, not both")
        for one in dataclasses.fields(self):
            is_given = one.name not in ("name", "positions") and getattr(self, one.name) != one.default
            if self.name is not None and is_given:
                raise ValueError(f"{one.name} belongs to a network trained from scratch; {self.name} has its own")
            if self.tagger is not None and is_given and one.name in OF_THE_ENCODER:
                raise ValueError(f"{one.name} belongs to an encoder trained from scratch; {self.tagger} has its own")
        _require(min(self.encoder_layers, self.decoder_layers, self.heads) >= 1, "layers and heads are 1 or more")
        _require(0 <= self.dropout < 1, "dropout is in [0, 1)")
        sizes = (self.feed_forward, self.pieces)
        _require(all(size is None or size > 0 for size in sizes), "feed_forward and pieces are above 0")
        is_even = self.tagger is not None or self.hidden % self.heads == 0
        _require(is_even and self.positions >= 8, "hidden is a multiple of heads, positions ≥ 8")


@dataclass(frozen=True, slots=True)
class Seq2SeqSettings:
    """What the network is and how its loss is made.

    `vocabulary` names a trained system whose tokenizer is taken instead of learning one: what a second stage of
    training needs. `max_tokens` is the longest sentence (words, or Chinese characters) it is given at once.
    """

    backbone: BackboneSettings
    vocabulary: Path | None = None
    max_tokens: int = 128
    label_smoothing: float = 0.1
    decoding: Decoding = field(default_factory=Decoding)

    def __post_init__(self) -> None:
        _require(0 <= self.label_smoothing < 1, "label_smoothing is in [0, 1)")
        _require(self.max_tokens > 0, "max_tokens is above 0")


@dataclass(frozen=True, slots=True)
class Seq2SeqData:
    """What is learnt from and judged on.

    `train` and `dev` are files of any format errata reads: M2, TSV pairs … `tokenise` cuts raw English text into
    words. `columns` says which columns of `.tsv` training files hold source and target (1 is the first). `unchanged` is
    the share of sentences without errors that is kept. `synthetic` is clean text corrupted afresh in every batch.
    `variants` are files of RobustGEC's blocks, originals with variants, which come in pairs. What is in `exclude`
    (files of any format, plain text, folders of them), or nearly in it, is left out of `train`, `synthetic.text` and
    `variants`.
    """

    train: tuple[Path, ...] = ()
    dev: tuple[Path, ...] = ()
    synthetic: SyntheticSettings | None = None
    tokenise: bool = False
    columns: tuple[int, int] | None = None
    unchanged: float = 1.0
    dev_limit: int | None = None
    exclude: tuple[Path, ...] = ()
    variants: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        _require(bool(self.train or self.variants) or self.synthetic is not None, "give train, synthetic or variants")
        _require(self.columns is None or min(self.columns) >= 1, "columns count from 1")
        _require(0 <= self.unchanged <= 1, "unchanged is between 0 and 1")
