"""How a sequence-to-sequence model decodes, and when its answer is believed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decoding:
    """Beam search and the precision knob.

    `length_penalty` divides a finished sequence's log-probability by its length to this power. `keep_bias` is what the
    log-probability of the answer must have over that of copying the source: 0 asks for being likelier, more gives
    fewer and surer corrections, a large negative number believes every answer. `split` corrects Chinese sentence by
    sentence where a text has several (MuCGEC's trick). Answers longer than `max_ratio` times the source and
    `max_extra` subwords are runaways.
    """

    beam: int = 5
    length_penalty: float = 1.0
    keep_bias: float = 0.0
    split: bool = True
    max_ratio: float = 1.5
    max_extra: int = 10

    def __post_init__(self) -> None:
        if self.beam < 1 or self.max_ratio < 1 or self.max_extra < 1:
            raise ValueError("beam, max_ratio and max_extra are 1 or more")

    def limit(self, n_subwords: int) -> int:
        """The longest answer to a source of `n_subwords`, in subwords, the end mark included."""
        return int(self.max_ratio * n_subwords) + self.max_extra
