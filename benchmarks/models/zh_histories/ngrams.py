"""How likely Chinese text is, by counts of up to four characters in edited prose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

ORDER = 4
# Sequences of three and four characters that come once may be those of a target itself: they count as unseen.
LEAST = (1, 1, 2, 2)
BACK_OFF = 0.4
_OTHER = 0xFFFF  # characters outside the basic plane
_PAD = "\x01" * (ORDER - 1)

Keys = npt.NDArray[np.uint64]


class NGrams:
    """Relative frequencies that fall back on shorter contexts (Brants et al. 2007, "stupid backoff")."""

    def __init__(self, texts: Iterable[str]) -> None:
        codes = _codes(_PAD + _PAD.join(texts) + _PAD)
        self._tables: list[tuple[Keys, npt.NDArray[np.int64]]] = []
        self._size = max(len(codes), 1)
        for order in range(1, ORDER + 1):
            keys, counts = np.unique(_keys(codes, order), return_counts=True)
            kept = counts >= LEAST[order - 1]
            self._tables.append((keys[kept], counts[kept]))

    def log_probabilities(self, windows: Sequence[str]) -> npt.NDArray[np.float64]:
        """The log probability of each window without its first three characters, which are the context."""
        codes = _codes("".join(windows))
        lengths = np.array([len(window) for window in windows])
        ends = np.cumsum(lengths)
        scores = np.zeros(len(codes))
        found = np.zeros(len(codes), dtype=bool)
        penalty = 0.0
        for order in range(ORDER, 0, -1):
            together = self._count(codes, order)
            contexts = np.full(len(codes), self._size) if order == 1 else np.roll(self._count(codes, order - 1), 1)
            new = ~found & (together > 0) & (contexts > 0)
            scores[new] = np.log(together[new] / np.maximum(contexts[new], together[new])) + penalty
            found |= new
            penalty += np.log(BACK_OFF)
        scores[~found] = -np.log(self._size) + penalty
        sums = np.concatenate([[0.0], np.cumsum(scores)])
        starts = np.minimum(ends - lengths + ORDER - 1, ends)
        return np.asarray(sums[ends] - sums[starts])

    def _count(self, codes: Keys, order: int) -> npt.NDArray[np.int64]:
        """How often the sequence that ends at each place was seen; those before the first whole one not at all."""
        keys, counts = self._tables[order - 1]
        if not len(keys) or len(codes) < order:
            return np.zeros(len(codes), dtype=np.int64)
        wanted = _keys(codes, order)
        places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        seen = np.where(keys[places] == wanted, counts[places], 0)
        return np.concatenate([np.zeros(order - 1, dtype=np.int64), seen])


def window(before: str, text: str, after: str) -> str:
    """A text with the context it is judged in: three characters on each side."""
    return (_PAD + before)[1 - ORDER :] + text + (after + _PAD)[: ORDER - 1]


def _codes(text: str) -> Keys:
    points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    return np.minimum(points, _OTHER).astype(np.uint64)


def _keys(codes: Keys, order: int) -> Keys:
    keys = np.zeros(max(len(codes) - order + 1, 0), dtype=np.uint64)
    for i in range(order):
        keys = (keys << np.uint64(16)) | codes[i : len(codes) - order + 1 + i]
    return keys
