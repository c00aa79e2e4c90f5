"""Whether two English words are forms of one word, by rule: no table to load beyond the irregular ones below.

Light on purpose: it names the kind of an edit for people. Scores use `errata.edits.en`, which parses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

# base, past, participle; a form that equals the one before it is left out.
_IRREGULAR_VERBS = """
be was been, become became become, begin began begun, bend bent, bet bet, bite bit bitten, bleed bled, blow blew blown,
break broke broken, bring brought, build built, burn burnt, buy bought, catch caught, choose chose chosen,
come came come, cost cost, cut cut, deal dealt, dig dug, do did done, draw drew drawn, dream dreamt,
drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found,
flee fled, fly flew flown, forbid forbade forbidden, forget forgot forgotten, forgive forgave forgiven,
freeze froze frozen, get got gotten, give gave given, go went gone, grow grew grown, hang hung, have had, hear heard,
hide hid hidden, hit hit, hold held, hurt hurt, keep kept, know knew known, lay laid, lead led, learn learnt,
leave left, lend lent, let let, lie lay lain, lose lost, make made, mean meant, meet met, pay paid, prove proved proven,
put put, quit quit, read read, ride rode ridden, ring rang rung, rise rose risen, run ran run, say said, see saw seen,
seek sought, sell sold, send sent, set set, shake shook shaken, shine shone, shoot shot, show showed shown, shut shut,
sing sang sung, sink sank sunk, sit sat, sleep slept, slide slid, smell smelt, speak spoke spoken, spell spelt,
spend spent, spread spread, stand stood, steal stole stolen, stick stuck, strike struck, swear swore sworn,
swim swam swum, swing swung, take took taken, teach taught, tear tore torn, tell told, think thought,
throw threw thrown, understand understood, wake woke woken, wear wore worn, win won, wind wound, write wrote written
"""
_IRREGULAR_NOUNS = """
child children, man men, woman women, person people, foot feet, tooth teeth, mouse mice, goose geese, life lives,
wife wives, knife knives, leaf leaves, half halves, shelf shelves, wolf wolves, thief thieves, self selves,
phenomenon phenomena, criterion criteria, analysis analyses, crisis crises, hypothesis hypotheses, thesis theses,
medium media, datum data, index indices
"""
_COMPARISONS = "good better best, bad worse worst, far further furthest, little less least, much more most"
_TO_BE = ("am", "is", "are", "was", "were", "been", "being")
_THIRD_PERSON = {"has": "have", "does": "do", "goes": "go"}
_VOWEL_SOUND = re.compile(r"[aeiouy]")

Form = tuple[str, str]  # base, Penn tag


def _table() -> dict[str, set[Form]]:
    table: dict[str, set[Form]] = {}

    def add(form: str, base: str, tag: str) -> None:
        table.setdefault(form, set()).add((base, tag))

    for entry in _IRREGULAR_VERBS.split(","):
        base, past, *participle = entry.split()
        add(past, base, "VBD")
        add(participle[0] if participle else past, base, "VBN")
    for form in _TO_BE[:3]:
        add(form, "be", "VBZ")
    add("were", "be", "VBD")
    for form, base in _THIRD_PERSON.items():
        add(form, base, "VBZ")
    for entry in _IRREGULAR_NOUNS.split(","):
        base, plural = entry.split()
        add(plural, base, "NNS")
    for entry in _COMPARISONS.split(","):
        base, more, most = entry.split()
        add(more, base, "JJR")
        add(most, base, "JJS")
    return table


_IRREGULAR = _table()
VERB_TAGS = frozenset({"VB", "VBZ", "VBG", "VBD", "VBN"})


@lru_cache(maxsize=20_000)
def forms(word: str) -> frozenset[Form]:
    """What a lower-cased word may be a form of: "goes" of "go" (`("go", "VBZ")`), and of itself (tag "BASE")."""
    return frozenset({(word, "BASE"), *_IRREGULAR.get(word, ()), *_regular(word)})


def _regular(word: str) -> Iterator[Form]:
    for suffix, tags in (
        ("s", ("VBZ", "NNS")),
        ("ed", ("VBD", "VBN")),
        ("ing", ("VBG",)),
        ("er", ("JJR",)),
        ("est", ("JJS",)),
    ):
        if word.endswith(suffix) and len(word) > len(suffix) + 1:
            for base in _bases(word[: -len(suffix)], suffix):
                yield from ((base, tag) for tag in tags)


def _bases(stem: str, suffix: str) -> Iterator[str]:
    if not _VOWEL_SOUND.search(stem):
        return
    yield stem
    if suffix == "s":
        if stem.endswith("ie"):
            yield stem[:-2] + "y"
        if stem.endswith(("se", "xe", "ze", "che", "she", "oe")):
            yield stem[:-1]
        return
    yield stem + "e"
    if stem.endswith("i"):
        yield stem[:-1] + "y"
    if len(stem) > 2 and stem[-1] == stem[-2]:
        yield stem[:-1]


def shared_tags(old: str, new: str) -> set[tuple[str, str]]:
    """Pairs of tags (old, new) under which two lower-cased words are forms of one word; empty if they are not.

    >>> sorted(shared_tags("go", "goes"))
    [('BASE', 'NNS'), ('BASE', 'VBZ')]
    """
    left, right = forms(old), forms(new)
    return {(tag, other) for base, tag in left for another, other in right if base == another}
