"""A network that answers each sentence once: trying other decoding settings costs only what they change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from errata.networks.subwords import EncoderInput
from errata.systems.tagger.runtime import Runtime, SlotAnswers


class RememberingRuntime:
    """Another runtime's answers, remembered by sentence."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.batch_tokens, self.chunk_batches = runtime.batch_tokens, runtime.chunk_batches
        self.workers = runtime.workers
        self._known: dict[bytes, SlotAnswers] = {}

    def run(self, batches: Sequence[Sequence[EncoderInput]]) -> Iterator[SlotAnswers]:
        keys = [[_key(one) for one in batch] for batch in batches]
        self._learn(batches, keys)
        for names in keys:
            columns = zip(*(self._known[name] for name in names), strict=True)  # keep, best, tag, error
            yield SlotAnswers(*map(np.concatenate, columns))

    def _learn(self, batches: Sequence[Sequence[EncoderInput]], keys: Sequence[Sequence[bytes]]) -> None:
        """Ask about the sentences not met yet."""
        asked = []
        for batch, names in zip(batches, keys, strict=True):
            unknown = {name: one for name, one in zip(names, batch, strict=True) if name not in self._known}
            if unknown:
                asked.append(unknown)
        for unknown, answers in zip(asked, self.runtime.run([[*one.values()] for one in asked]), strict=True):
            ends = np.cumsum([len(one.first) for one in unknown.values()])[:-1]
            rows = zip(*(np.split(answer, ends) for answer in answers), strict=True)
            self._known.update((name, SlotAnswers(*row)) for name, row in zip(unknown, rows, strict=True))


def _key(sentence: EncoderInput) -> bytes:
    return b"|".join(np.asarray(part, np.int32).tobytes() for part in (sentence.ids, sentence.cases, sentence.first))
