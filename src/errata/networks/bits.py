"""In how many bits an export stores which weights."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from errata.networks.quantised import PLANES

ENCODERS = ("encoder.", "encoders.")  # what the names of their weights begin with
POSITIONS = ("position", "token_type")  # parts of the names of small tables, which are looked up as subwords are
ATTENTION = ("attention.", "attn.", "query_key_value", "project")  # parts of the names of its matrices


@dataclass(frozen=True, slots=True)
class Bits:
    """In how many bits weights are stored: the layers of encoders, of them attention, tables of subwords, the rest.

    Rounding errors add up over the layers; tables and heads are used once. `attention` None is as `layers`.
    """

    layers: int = 10
    attention: int | None = None
    tables: int = 8
    heads: int = 8

    def __post_init__(self) -> None:
        for bits in (self.layers, self.attention, self.tables, self.heads):
            if bits is not None and bits not in PLANES:
                raise ValueError(f"weights have {', '.join(map(str, PLANES))} bits, not {bits}")

    def of(self, name: str, tables: Collection[str]) -> int:
        """The bits of a matrix; `tables` names the tables of subwords."""
        if name in tables:
            return self.tables
        if not name.startswith(ENCODERS) or any(part in name for part in POSITIONS):
            return self.heads
        if self.attention is not None and any(part in name for part in ATTENTION):
            return self.attention
        return self.layers
