"""How a sentence sounds: like talk, in messages and notes, where slips are frequent and wrong words rare; shouted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

# Sentences with at most so many tokens are talk, and longer ones if they have a contraction. 12 is the least that helps
# as many everyday sentences (dev half and 423 more) as 15. F0.5 of en-small with 12, 15 and without: FCE dev 48.98,
# 48.80, 49.04; CoNLL-13 (ERRANT) 33.19, 33.02, 33.09; W&I dev 48.65, 48.74, 48.70. Agreement counted as wording then;
# now 12 has 48.97 on FCE dev and 48.69 on W&I dev.
SHORT, SHORT_WITH_CONTRACTION = 12, 25
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
