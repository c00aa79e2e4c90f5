"""Sentences corrected recently: an editor sends the same text again and again with one sentence changed."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from errata.pipeline.settle import Candidates

# Longer ones are rare, seldom come twice, and would let few requests fill the memory.
MAX_SENTENCE = 1000


class RecentSentences:
    """What a model found in the last `size` sentences; safe to use from several threads."""

    def __init__(self, size: int) -> None:
        self._size, self._lock = size, Lock()
        self._found: OrderedDict[str, Candidates] = OrderedDict()

    def __len__(self) -> int:
        return len(self._found)

    def get(self, sentence: str) -> Candidates | None:
        """What was found in a sentence, if it is remembered."""
        with self._lock:
            found = self._found.get(sentence)
            if found is not None:
                self._found.move_to_end(sentence)
            return found

    def put(self, sentence: str, found: Candidates) -> None:
        if self._size <= 0 or len(sentence) > MAX_SENTENCE:
            return
        with self._lock:
            self._found[sentence] = found
            self._found.move_to_end(sentence)
            if len(self._found) > self._size:
                self._found.popitem(last=False)
