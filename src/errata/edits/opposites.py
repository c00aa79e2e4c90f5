"""English words that say the opposite of each other, or almost no: happy and unhappy, careful and careless, hardly."""

from __future__ import annotations

from collections.abc import Set

# A prefix that makes the opposite of a word. What is left must be a word of some length: "under" is not "un" + "der".
_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "anti", "mis")
MIN_STEM = 4
# The end of two words with the same stem may differ by this many letters: happ|yly, happ|ily.
MAX_ENDING = 3
# Words that begin like an opposite and are none, and what may follow them.
_NO_OPPOSITES = frozenset(
    "discharge disclose discount discourse discover discuss disease dismiss display dispose distance district "
    "immigrant immigrate impact impart import impose impress imprison improve income increase indeed individual "
    "indoor inform inhabit inland input inquire inside insight install instance instead intake intend intense intent "
    "into invaluable invent invest inward irate mischief missing mistake union unit unite until".split()
)
_ENDINGS = frozenset("s es d ed ing r er ers ion ions ation ative ive ment ments ly".split())
# Words that end like an opposite and are none.
_NO_LESS = frozenset("bless less unless regardless nevertheless nonetheless doubtless".split())
_LESS = ("less", "lessly", "lessness")
# Words that say almost no. "hard" is not among them: "I work hardly" may become "I work hard".
_SCARCELY = frozenset("barely hardly rarely scarcely seldom".split())
# Forms of one of these words, and misspelt ones, begin with the same letters.
SCARCELY_STEM = 3
# A word that is this near to another, in slips of the pen, is taken for a misspelt one: carelles, careless.
MISSPELT = 2


def swaps_opposites(old: Set[str], new: Set[str]) -> bool:
    """Whether one of some words, in lower case, gives way to its opposite, or a word that says almost no comes or goes.

    >>> swaps_opposites({"was", "happy"}, {"was", "unhappy"}), swaps_opposites({"unhappyly"}, {"unhappily"})
    (True, False)
    """
    pairs = [(left, right) for left in old - new for right in new - old]
    if any(_is_opposite(left, right, old | new) or _is_opposite(right, left, old | new) for left, right in pairs):
        return True
    return _has_lone_scarcely(old - new, new - old) or _has_lone_scarcely(new - old, old - new)


def _is_opposite(word: str, other: str, around: Set[str]) -> bool:
    """Whether `word` is the opposite that is made of `other`, or of another form of it."""
    return any(
        word.startswith(prefix)
        and not other.startswith(prefix)
        and prefix not in around  # "infact" → "in fact"
        and not _is_no_opposite(word)
        and _have_one_stem(word.removeprefix(prefix), other)
        for prefix in _PREFIXES
    ) or _is_less(word, other)


def _is_no_opposite(word: str) -> bool:
    return word in _NO_OPPOSITES or any(word.removesuffix(ending) in _NO_OPPOSITES for ending in _ENDINGS)


def _have_one_stem(left: str, right: str) -> bool:
    n_common = next(
        (n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right))
    )
    return n_common >= max(MIN_STEM, max(len(left), len(right)) - MAX_ENDING)


def _is_less(word: str, other: str) -> bool:
    """Whether `word` is `other`, or what is full of it, with -less: use, useful, useless."""
    ending = next((ending for ending in _LESS if word.endswith(ending)), None)
    if ending is None or word in _NO_LESS or other.endswith(_LESS):
        return False
    from rapidfuzz.distance import OSA

    stem = word.removesuffix(ending)
    return len(stem) > 2 and other.startswith(stem) and OSA.distance(word, other) > MISSPELT


def _has_lone_scarcely(words: Set[str], others: Set[str]) -> bool:
    """Whether one of the words says almost no, and none of the others does or is a form of it."""
    stems = {other[:SCARCELY_STEM] for other in others}
    return not others & _SCARCELY and any(word[:SCARCELY_STEM] not in stems for word in words & _SCARCELY)
