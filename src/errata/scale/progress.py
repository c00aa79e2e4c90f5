"""How far a run is, on standard error: a line that changes on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time

SECONDS_BETWEEN_LINES = 30.0


class Progress:
    """Counts finished shards, and says so."""

    def __init__(self, name: str, n_rows: int, size: int) -> None:
        self._name, self._n_rows, self._size = name, n_rows, size
        self._n_shards = -(-n_rows // size)
        self.n_kept = self.n_done = 0
        self._begun = self._told = time.monotonic()
        self._is_live = sys.stderr.isatty()

    def keep(self) -> None:
        """Count a shard that an earlier run has finished."""
        self.n_kept += 1

    def finish(self) -> None:
        """Count a shard that this run has finished."""
        self.n_done += 1
        now = time.monotonic()
        if self._is_live:
            print(f"\r\033[K{self._describe(now)}", end="", file=sys.stderr, flush=True)
        elif now - self._told >= SECONDS_BETWEEN_LINES:
            self._told = now
            print(self._describe(now), file=sys.stderr, flush=True)

    def _describe(self, now: float) -> str:
        n_done, seconds = self.n_kept + self.n_done, max(now - self._begun, 1e-9)
        rate = self.n_done * self._size / seconds
        left = (self._n_shards - n_done) * self._size / max(rate, 1e-9)
        return f"{self._name}: {n_done} of {self._n_shards} shards, {rate:,.0f} rows/s, about {left:,.0f} s left"

    def end(self) -> None:
        """Say what was done."""
        kept = f", {self.n_kept} of them kept from an earlier run" if self.n_kept else ""
        seconds = time.monotonic() - self._begun
        line = f"{self._name}: {self.n_kept + self.n_done} shards done{kept}; {self._n_rows:,} rows, {seconds:.1f} s"
        print(f"\r\033[K{line}" if self._is_live else line, file=sys.stderr, flush=True)
