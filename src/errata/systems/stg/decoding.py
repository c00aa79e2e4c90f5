"""How STG's answers become corrections: the settings a user turns to trade precision for recall."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decoding:
    """How answers become corrections.

    `beam` is the width of the search for an order. `order_bias` is how much more probable (in natural logarithms) a new
    order must be than the old one. `keep_bias` is added to the probability of keeping a token; another tag needs at
    least `min_error_probability`.
    """

    beam: int = 5
    order_bias: float = 0.0
    keep_bias: float = 0.0
    min_error_probability: float = 0.0

    def __post_init__(self) -> None:
        if self.beam < 1:
            raise ValueError("beam is 1 or more")
        if not -1 <= self.keep_bias <= 1 or not 0 <= self.min_error_probability <= 1:
            raise ValueError("keep_bias is between -1 and 1, min_error_probability between 0 and 1")
