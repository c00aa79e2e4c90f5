"""The Lancaster stemmer (Paice 1990, "Another Stemmer"): cuts a word down to a stem, most aggressively of all.

`RULES` is the published rule set: a reversed ending, `*` if it applies to untouched words only, how many letters to
take off, what to put on, and `>` to go on or `.` to stop.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

RULES = """
ai*2. a*1. bb1. city3s. ci2> cn1t> dd1. dei3y> deec2ss. dee1. de2> dooh4> e1> feil1v. fi2> gni3> gai3y. ga2> gg1.
ht*2. hsiug5ct. hsi3> i*1. i1y> ji1d. juf1s. ju1d. jo1d. jeh1r. jrev1t. jsim2t. jn1d. j1s. lbaifi6. lbai4y. lba3>
lbi3. lib2l> lc1. lufi4y. luf3> lu2. lai3> lau3> la2> ll1. mui3. mu*2. msi3> mm1. nois4j> noix4ct. noi3> nai3> na2>
nee0. ne2> nn1. pihs4> pp1. re2> rae0. ra2. ro2> ru2> rr1. rt1> rei3y> sei3y> sis2. si2> ssen4> ss0. suo3> su*2. s*1>
s0. tacilp4y. ta2> tnem4> tne3> tna3> tpir2b. tpro2b. tcud1. tpmus2. tpec2iv. tulo2v. tsis0. tsi3> tt1. uqi3. ugo1.
vis3j> vie0. vi2> ylb1> yli3y> ylp0. yl2> ygo1. yhp1. ymo1. ypo1. yti3> yte3> ytl2. yrtsi5. yra3> yro3> yfi3. ycn2t>
yca3> zi2> zy1s.
"""


_RULE = re.compile(r"\b([a-z]++)(\*?)(\d)([a-z]*+)([>.])")


class _Rule(NamedTuple):
    ending: str
    untouched_only: bool
    remove: int
    append: str
    is_last: bool


def _parse(text: str) -> dict[str, list[_Rule]]:
    """Rules by the last letter of the words they apply to, in the published order."""
    rules: dict[str, list[_Rule]] = {}
    for reversed_ending, star, digit, append, more in _RULE.findall(text):
        rule = _Rule(reversed_ending[::-1], bool(star), int(digit), append, more == ".")
        rules.setdefault(reversed_ending[0], []).append(rule)
    return rules


_BY_LETTER = _parse(RULES)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem: `stem("maximum")` is `"maxim"`, `stem("presumably")` is `"presum"`."""
    word = untouched = word.lower()
    while True:
        rule = next((rule for rule in _rules_for(word) if _applies(rule, word, word == untouched)), None)
        if rule is None:
            return word
        word = word[: len(word) - rule.remove] + rule.append
        if rule.is_last:
            return word


def _rules_for(word: str) -> list[_Rule]:
    """Rules for the last letter of the word's leading run of letters (so "don't" is looked up under "n")."""
    letters = 0
    while letters < len(word) and word[letters].isalpha():
        letters += 1
    return _BY_LETTER.get(word[letters - 1], []) if letters else []


def _applies(rule: _Rule, word: str, is_untouched: bool) -> bool:
    if not word.endswith(rule.ending) or (rule.untouched_only and not is_untouched):
        return False
    left = len(word) - rule.remove
    if word[0] in "aeiouy":
        return left >= 2
    return left >= 3 and (word[1] in "aeiouy" or word[2] in "aeiouy")
