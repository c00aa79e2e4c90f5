"""How a sentence sounds: like talk, in messages and notes, where slips are frequent and wrong words rare; shouted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

# Sentences with at most so many tokens sound like talk, and longer ones if they have a contraction. Wrong edits of
# everyday sentences were counted on the dev half of benchmarks/everyday and on 420 sentences more; on W&I, FCE and
# CWEB dev and CoNLL-13, this length costs at most 0.1 of the F0.5 that en-small has without.
SHORT, SHORT_WITH_CONTRACTION = 15, 25
_CONTRACTED = frozenset({"n't", "'m", "'re", "'ve", "'ll", "'d"})
# Words after which 's is no possessive.
_SUBJECTS = frozenset({"it", "that", "there", "he", "she", "who", "what", "where", "let", "here"})


def is_talk(tokens: Sequence[str], mended: Sequence[Sequence[str]] = ()) -> bool:
    """Whether a sentence sounds like talk; `mended` is what rules put into it, such as a contraction.

    So a sentence whose contraction was mended (dont → do n't) sounds as it did before.
    """
    if len(tokens) <= SHORT:
        return True
    return len(tokens) <= SHORT_WITH_CONTRACTION and any(map(_has_contraction, (tokens, *mended)))


def _has_contraction(tokens: Sequence[str]) -> bool:
    words = [token.lower().replace("’", "'") for token in tokens]
    return not _CONTRACTED.isdisjoint(words) or any(
        word == "'s" and before in _SUBJECTS for before, word in pairwise(words)
    )


def is_shouted(sentence: str) -> bool:
    """Whether all of it is in capitals, and not just a word or two."""
    return sentence.isupper() and sum(word.isupper() for word in sentence.split()) > 2
