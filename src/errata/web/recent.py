"""Sentences corrected recently: an editor sends the same text again and again with one sentence changed."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from errata.model import TextEdit

Edits = tuple[TextEdit, ...]
Key = tuple[str, str]  # preset, sentence

# Longer ones are rare, seldom come twice, and would let few requests fill the memory.
MAX_SENTENCE = 1000


class RecentSentences:
    """The edits of the last `size` sentences of one model; safe to use from several threads."""

    def __init__(self, size: int) -> None:
        self._size, self._lock = size, Lock()
        self._edits: OrderedDict[Key, Edits] = OrderedDict()

    def __len__(self) -> int:
        return len(self._edits)

    def get(self, key: Key) -> Edits | None:
        """The edits of a sentence under a preset, if it is remembered."""
        with self._lock:
            found = self._edits.get(key)
            if found is not None:
                self._edits.move_to_end(key)
            return found

    def put(self, key: Key, edits: Edits) -> None:
        if self._size <= 0 or len(key[1]) > MAX_SENTENCE:
            return
        with self._lock:
            self._edits[key] = edits
            self._edits.move_to_end(key)
            if len(self._edits) > self._size:
                self._edits.popitem(last=False)
