"""The type-token ratio: how many different tokens a window of text has, over its length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

WINDOW = 1000  # tokens, as in the table of corpora of CWEB's paper


class TokenNumbers:
    """The tokens of a text as numbers, in lower case, sentence by sentence."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._tokens: list[int] = []
        self._lengths: list[int] = []

    def add(self, tokens: Sequence[str]) -> None:
        """One more sentence."""
        numbers = self._numbers
        for token in tokens:
            self._tokens.append(numbers.setdefault(token.lower(), len(numbers)))
        self._lengths.append(len(tokens))

    def ratio(self, window: int = WINDOW) -> float | None:
        """The mean over all windows in the order of the text; None where the text is shorter than one."""
        return type_token_ratio(np.array(self._tokens, dtype=np.int64), window)

    def shuffled_ratio(self, seed: int, window: int = WINDOW) -> float | None:
        """The same with the sentences in random order, so that a window is not about one subject."""
        tokens, lengths = np.array(self._tokens, dtype=np.int64), np.array(self._lengths, dtype=np.int64)
        order = np.random.default_rng(seed).permutation(len(lengths))
        starts = np.cumsum(lengths) - lengths
        taken, sizes = starts[order], lengths[order]
        ends = np.cumsum(sizes)
        places = np.arange(len(tokens)) - np.repeat(ends - sizes, sizes) + np.repeat(taken, sizes)
        return type_token_ratio(tokens[places], window)


def type_token_ratio(tokens: np.ndarray, window: int = WINDOW) -> float | None:
    """The mean share of different tokens in a window that slides over the text token by token.

    A token counts in the windows in which it is the first of its kind: those that begin after the token of the same
    kind before it. So no window has to be looked at.

    >>> type_token_ratio(np.array([1, 2, 1, 1]), 2)  # windows 1 2, 2 1 and 1 1
    0.8333333333333334
    """
    n_windows = len(tokens) - window + 1
    if n_windows < 1:
        return None
    order = np.argsort(tokens, kind="stable")
    before = np.full(len(tokens), -1)
    same = tokens[order[1:]] == tokens[order[:-1]]
    before[order[1:][same]] = order[:-1][same]
    places = np.arange(len(tokens))
    first = np.maximum(np.maximum(places - window + 1, before + 1), 0)
    last = np.minimum(places, n_windows - 1)
    return float(np.maximum(last - first + 1, 0).sum() / (n_windows * window))
