"""A network that answers each sentence once: trying other decoding settings costs only what they change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from errata.systems.tagger.runtime import INPUTS, Answers, Runtime

Batch = Mapping[str, np.ndarray]


class RememberingRuntime:
    """Another runtime's answers, remembered by sentence."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime, self.batch_tokens = runtime, runtime.batch_tokens
        self._known: dict[bytes, Answers] = {}  # a sentence → its row of answers

    def run(self, batches: Iterable[Batch]) -> Iterator[Answers]:
        given = list(batches)
        keys = [[_key(batch, row) for row in range(len(batch["ids"]))] for batch in given]
        self._learn(given, keys)
        for batch, names in zip(given, keys, strict=True):
            yield self._assemble(names, batch["first"].shape[1])

    def _learn(self, batches: list[Batch], keys: list[list[bytes]]) -> None:
        """Ask about the sentences not met yet, all at once: the runtime may work on several batches at a time."""
        asked: list[tuple[Batch, list[bytes]]] = []
        for batch, names in zip(batches, keys, strict=True):
            rows = [row for row, name in enumerate(names) if name not in self._known]
            if rows:
                asked.append(({name: batch[name][rows] for name in INPUTS}, [names[row] for row in rows]))
        for (_, names), answers in zip(asked, self.runtime.run(batch for batch, _ in asked), strict=True):
            for row, name in enumerate(names):
                self._known[name] = Answers(*(answer[row] for answer in answers))

    def _assemble(self, names: list[bytes], n_slots: int) -> Answers:
        columns = zip(*(self._known[name] for name in names), strict=True)  # keep, best, tag, error of all rows
        return Answers(*(_stack(rows, n_slots) for rows in columns))


def _stack(rows: Sequence[np.ndarray], n_slots: int) -> np.ndarray:
    """The rows as one array, cut or padded to `n_slots`."""
    whole = np.zeros((len(rows), n_slots), rows[0].dtype)
    for number, row in enumerate(rows):
        whole[number, : len(row)] = row[:n_slots]
    return whole


def _key(batch: Batch, row: int) -> bytes:
    """The sentence in a row, whatever it is padded to."""
    n_pieces = int(batch["mask"][row].sum())
    first = np.trim_zeros(batch["first"][row], "b")
    return b"|".join([*(batch[name][row, :n_pieces].tobytes() for name in ("ids", "cases")), first.tobytes()])
