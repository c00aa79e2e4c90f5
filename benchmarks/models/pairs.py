"""What is taken from corpora of corrections that nobody checked: small changes that are corrections, not style.

A filter gives the reason why a pair is left out, or None to keep it. Pairs are tokens.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache

from rapidfuzz.distance import Levenshtein

from errata.edits.pairing import pair_edits
from errata.model import Edit, Tokens

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\u200b": None, "\u00a0": " ", "´": "'"})
_WORD = re.compile(r"[a-z]+")
_INNER_CAPITAL = re.compile(r"[a-z][A-Z]")
_FINAL = re.compile(r"[\s.!?\"']+$")

ARTICLES = frozenset({"a", "an", "the"})
PREPOSITIONS = frozenset("in on at to for of with from by into onto about as".split())
# Words whose insertion or deletion corrects rather than rewrites.
FUNCTION = ARTICLES | PREPOSITIONS | frozenset(", is are was were be been has have that and it or not".split())
# Words that are exchanged for each other by mistake though they look unlike.
CONFUSED = (
    ARTICLES,
    PREPOSITIONS,
    *map(frozenset, ({"is", "are"}, {"was", "were"}, {"has", "have"}, {"do", "does"}, {"that", "which", "who"})),
    *map(frozenset, ({"it", "its", "it's"}, {"your", "you're"}, {"much", "many"}, {"less", "fewer"}, {"me", "my"})),
    *map(frozenset, ({"their", "there", "they"}, {"this", "these"}, {"that", "those"}, {"i", "I"})),
)
# A kept word beside an inserted one of the same kind is a correction that was shown, not made: `is was`.
SAME_KIND = (
    ARTICLES,
    PREPOSITIONS,
    frozenset("i you he she it we they me him her us them".split()),
    frozenset("is are was were be am been".split()),
    frozenset("can could will would may might must should".split()),
    frozenset("which that who whom".split()),
    frozenset("this that these those".split()),
)
QUESTION = frozenset("do does did is are was were can could will would should have has what why how who where".split())

Pair = tuple[Tokens, Tokens]


def plain_quotes(text: str) -> str:
    """Straight quotes, no invisible characters."""
    return text.translate(_QUOTES)


def without_end(text: str) -> str:
    """The text without closing punctuation."""
    return _FINAL.sub("", text)


def is_spelt(tokens: Sequence[str], known: Collection[str]) -> bool:
    """Whether every small-letter word is known; names are not looked at."""
    return all(token in known for token in tokens if len(token) > 2 and _WORD.fullmatch(token))


def small_changes(pair: Pair, *, share: float, longest: int = 3) -> str | None:
    """Left out: what changes nothing or too much."""
    edits = pair_edits(*pair)
    if not edits:
        return "nothing changes"
    if any(max(edit.end - edit.start, len(edit.replacement)) > longest for edit in edits):
        return "a long change"
    changed = sum(max(edit.end - edit.start, len(edit.replacement)) for edit in edits)
    return "many changes" if changed > max(2, share * len(pair[0])) else None


def only_corrections(pair: Pair) -> str | None:
    """Left out: pairs with a change that may be a matter of style."""
    for edit in pair_edits(*pair):
        if not _is_correction(pair[0], edit):
            return "style"
    return None


class Moderation:
    """Left out: pairs with a change that was made too often, as when a style guide or a product name changed."""

    def __init__(self, limit: int) -> None:
        self.limit, self._seen = limit, Counter[tuple[Tokens, Tokens]]()

    def __call__(self, pair: Pair) -> str | None:
        changes = [(pair[0][edit.start : edit.end], edit.replacement) for edit in pair_edits(*pair)]
        replaced = [(old, new) for old, new in changes if old and new]
        self._seen.update(replaced)
        return "a change seen often" if any(self._seen[change] > self.limit for change in replaced) else None


def _is_correction(source: Tokens, edit: Edit) -> bool:
    old, new = source[edit.start : edit.end], edit.replacement
    if any(_INNER_CAPITAL.search(word) for word in (*old, *new)):
        return False  # names of programs and products
    if "".join(old).lower().replace("-", "") == "".join(new).lower().replace("-", ""):
        return True  # case, hyphens, one word or two
    if not new:
        around = source[max(edit.start - 1, 0) : edit.start] + source[edit.end : edit.end + 1]
        return len(old) == 1 and (old[0] in around or old[0].lower() in FUNCTION)
    if not old:
        return len(new) == 1 and new[0].lower() in FUNCTION
    if len(old) != len(new):
        return False
    return all(a == b or _is_slip(a, b, edit.start + n == 0) for n, (a, b) in enumerate(zip(old, new, strict=True)))


def _is_slip(word: str, other: str, is_first: bool) -> bool:
    """Whether one word can have been written for the other by mistake."""
    a, b = word.lower(), other.lower()
    if any(a in group and b in group for group in CONFUSED):
        return True
    if not (a.isalpha() and b.isalpha()) or (is_first and abs(len(a) - len(b)) == 1):
        return False  # `Creates the list` → `Create the list` is how documentation is told to speak
    return Levenshtein.normalized_similarity(a, b) >= 0.6 and a[0] == b[0]


def no_shown_corrections(pair: Pair) -> str | None:
    """Left out: targets with the wrong word beside the right one (`to making make`), as when markup was lost."""
    source, target = pair
    for edit in pair_edits(source, target):
        if len(edit.replacement) <= edit.end - edit.start:
            continue
        around = source[max(edit.start - 2, 0) : edit.start] + source[edit.end : edit.end + 2]
        if any(_are_alike(word.lower(), other.lower()) for word in edit.replacement for other in around):
            return "the wrong word is still there"
    return None


def _are_alike(word: str, other: str) -> bool:
    if not (word.isalpha() and other.isalpha()):
        return False
    if any(word in group and other in group for group in SAME_KIND):
        return True
    if min(len(word), len(other)) < 3:
        return False
    return Levenshtein.normalized_similarity(word, other) >= 0.6 or bool(_lemmas(word) & _lemmas(other))


@cache
def _lemmas(word: str) -> frozenset[str]:
    from lemminflect import getAllLemmas

    return frozenset(lemma for lemmas in getAllLemmas(word).values() for lemma in lemmas) or frozenset({word})
