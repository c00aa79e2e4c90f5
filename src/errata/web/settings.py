"""What a server is told when it starts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from errata.errors import UsageError

PRESETS = ("careful", "balanced", "eager")
DEFAULT_PRESET = "balanced"


@dataclass(frozen=True, slots=True)
class Settings:
    """Models by language, limits, and where words are kept.

    `max_length` is the longest request in characters, `queue` how many requests may wait for a model, `timeout` how
    many seconds one may take, and its body to come, `max_connections` how many clients may be connected, `workers` how
    many batches of a model run at a time, `recent` how many corrected sentences are remembered. `api_keys` (user name →
    key) closes `/v2/words` to others; without, any name is taken, of `max_users` at most. A user may have `max_words`.
    `hosts` are the names the server goes by beside `localhost` and addresses, `cors` the origins whose pages may ask.
    """

    models: Mapping[str, str]
    database: str = "sqlite://"
    max_length: int = 50_000
    queue: int = 512
    timeout: float = 30.0
    max_connections: int = 900
    workers: int = 1
    recent: int = 20_000
    hosts: tuple[str, ...] = ()
    cors: tuple[str, ...] = ()
    access_log: bool = True
    max_words: int = 10_000
    max_users: int = 1_000
    api_keys: Mapping[str, str] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name in ("max_length", "queue", "timeout", "max_connections", "workers", "max_words", "max_users"):
            if not 0 < getattr(self, name) < math.inf:
                raise UsageError(f"{name.replace('_', '-')} must be positive and finite, not {getattr(self, name)}")
        if not self.models:
            raise UsageError("there is no model to serve")
