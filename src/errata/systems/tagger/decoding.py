"""How a tagger's answers become edits: the settings a user turns to trade precision for recall."""

from __future__ import annotations

from dataclasses import dataclass

# Slots with a smaller probability of error are kept, and their tags are not scored. Up to 0.1 a MiniLM tagger makes the
# same edits on CoNLL-14 sources as without a gate, with keep biases of 0 and −0.3; at 0.2 it can lose some.
GATE = 0.1
# A sentence that still changes after so many passes changes back and forth.
MAX_PASSES = 100


@dataclass(frozen=True, slots=True)
class Decoding:
    """How answers become edits.

    `keep_bias` is added to the probability of keep (above 0: fewer edits, below: more). A sentence in which no slot
    has an error with `min_error_probability` stays as it is, and so does a slot whose tag has less. `passes` None is
    the inventory's own number.
    """

    keep_bias: float = 0.0
    min_error_probability: float = 0.0
    passes: int | None = None

    def __post_init__(self) -> None:
        if not -1 <= self.keep_bias <= 1 or not 0 <= self.min_error_probability <= 1:
            raise ValueError("keep_bias is between -1 and 1, min_error_probability between 0 and 1")
        if self.passes is not None and not (isinstance(self.passes, int) and 1 <= self.passes <= MAX_PASSES):
            raise ValueError(f"passes is between 1 and {MAX_PASSES}")
