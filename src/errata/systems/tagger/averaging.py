"""The mean of what a network says of a sentence and of its variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from errata.systems.tagger.runtime import SlotAnswers


def average_answers(original: SlotAnswers, variants: Sequence[tuple[SlotAnswers, Mapping[int, int]]]) -> SlotAnswers:
    """The original's slots with the mean answer of those that have the slot; each variant says where it has them.

    A runtime tells keep and the best other tag of each slot. A tag that is not a sentence's best counts there as 0, so
    the mean of a tag that the sentences agree on is exact, and any other is too small rather than too large.
    """
    n_slots = len(original.keep)
    answered = np.zeros((1 + len(variants), n_slots), bool)
    spread = [np.zeros((1 + len(variants), n_slots), column.dtype) for column in original]
    for row, (answers, slots) in enumerate([(original, {slot: slot for slot in range(n_slots)}), *variants]):
        own, theirs = list(slots), list(slots.values())
        answered[row, own] = True
        for whole, column in zip(spread, answers, strict=True):
            whole[row, own] = column[theirs]
    keep, best, tag, error = spread
    n_answers = answered.sum(0).astype(keep.dtype)
    is_same = (tag[:, None] == tag) & answered[:, None] & answered  # (sentences, sentences, slots)
    sums = (is_same * best).sum(1)  # of each sentence's best tag
    chosen = sums.argmax(0), np.arange(n_slots)
    return SlotAnswers(keep.sum(0) / n_answers, sums[chosen] / n_answers, tag[chosen], error.sum(0) / n_answers)
