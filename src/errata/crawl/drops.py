"""The exception by which a reader of pages says why a record is no page to use."""

from __future__ import annotations


class Drop(Exception):
    """A record is dropped; `reason` is one of `REASONS`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
