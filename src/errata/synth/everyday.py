"""Everyday slips of people who know the language: homophones, apostrophes, `should of`, `I seen`, `alot`, commas.

A slip is a noise, the key its rate is counted under, and an action. The same slips are made when text is corrupted and
looked for when a corpus is read (`sites`), so each rate is slips made over places where that slip was possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import permutations
from random import Random

from errata.model import Tokens
from errata.synth.sampler import CALL, PHRASE, REPLACE, Action, Change, Weighted
from errata.synth.tables import PARADIGM_TAGS, EnglishTables
from errata.text import english_words as words

Slip = tuple[str, str, Action]  # noise, key of its rate, what it does
Rates = Mapping[str, Mapping[str, float]]

NAMES = (
    "homophone", "contraction", "possessive", "of-have", "article", "participle", "agreement", "compound", "splice",
    "capital",
)  # fmt: skip
# Stands for keys that a corpus has no place for.
ANY_KEY = "*"
# Shares where no corpus gave any.
SHARES = dict(zip(NAMES, (0.02, 0.015, 0.01, 0.003, 0.005, 0.01, 0.01, 0.005, 0.007, 0.015), strict=True))

HAVE = ("have", "has", "had", "having", "'ve")
# A singular verb and the plural one.
NUMBERS = {"is": "are", "was": "were", "has": "have", "are": "is", "were": "was", "have": "has"}
SINGULAR = frozenset({"is", "was", "has"})
# What `did` is a verb of its own before.
OBJECTS = frozenset("it that this the a an my his her our their nothing something everything well what so".split())
# How many words may stand between a subject's noun and its verb.
REACH = 6


class Everyday:
    """The slips that are possible with a token, a pair of tokens and a sentence, with their rates."""

    def __init__(self, tables: EnglishTables, rates: Rates) -> None:
        self._tables = tables
        self._rates = rates
        self._by_token: dict[str, list[Slip]] = {}
        self._by_pair: dict[tuple[str, str], list[Slip]] = {}
        for noise, key, correct, written in self._phrase_slips():
            if len(correct) == 1:
                action: Action = (REPLACE, written, noise)
                self._by_token.setdefault(correct[0], []).append((noise, key, action))
            else:
                action = (PHRASE, (correct, written), noise)
                self._by_pair.setdefault((correct[0], correct[1]), []).append((noise, key, action))
        for subject in words.SUBJECTS[:-1]:
            for conjunction in ("and", "but", "so"):
                slip = "splice", f", {conjunction}>,", (CALL, _drop_conjunction, "splice")
                self._by_pair.setdefault((conjunction, subject), []).append(slip)

    def rate(self, noise: str, key: str) -> float:
        """The rate of a slip; all are alike where no corpus was counted."""
        rates = self._rates.get(noise)
        return 1.0 if rates is None else rates.get(key, rates[ANY_KEY])

    def actions(self, token: str) -> Iterator[Weighted]:
        """What can go wrong with this token."""
        return self._weighted(self.slips(token))

    def phrases(self) -> dict[tuple[str, str], list[Weighted]]:
        """What can go wrong with phrases, by their first two tokens."""
        return {pair: list(self._weighted(slips)) for pair, slips in self._by_pair.items()}

    def starts(self) -> list[Weighted]:
        """What can go wrong with the first token of a sentence because it is the first."""
        return list(self._weighted(START_SLIPS))

    def _weighted(self, slips: Iterable[Slip]) -> Iterator[Weighted]:
        for noise, key, action in slips:
            yield noise, self.rate(noise, key), action

    def slips(self, token: str) -> Iterator[Slip]:
        """The slips that begin with this token alone."""
        yield from self._by_token.get(token, ())
        yield from TOKEN_SLIPS.get(token, ())
        if token in NUMBERS:
            yield "agreement", "across", (CALL, self._attract, "agreement")
        elif token.endswith("s") and "NNS" in (tags := self._tables.tags(token)) and "VBZ" not in tags:
            yield "possessive", "NNS>'s", (REPLACE, (token[:-1], "'s"), "possessive")

    def pair_slips(self, first: str, second: str) -> Iterable[Slip]:
        """The slips that begin with these two tokens."""
        return self._by_pair.get((first, second), ())

    def _phrase_slips(self) -> Iterator[tuple[str, str, Tokens, Tokens]]:
        """Noise, key, correct and written phrase of all slips that do not depend on their neighbours."""
        for noise, key, correct, written in (*_FIXED, *self._verbs()):
            yield noise, key, tuple(correct.split(" ")), tuple(written.split(" "))

    def _verbs(self) -> Iterator[tuple[str, str, str, str]]:
        """`have gone` → `have went`, `I saw` → `I seen`, `could go` → `could went`: verbs whose forms differ."""
        tags = PARADIGM_TAGS["VERB"]
        for line in self._tables.paradigms.get("VERB", ()):
            forms = dict(zip(tags, line.split(" "), strict=True))
            base, past, participle = forms["VB"], forms["VBD"], forms["VBN"]
            if past == participle or base == "be" or "-" in (past, participle):
                continue
            for have in HAVE:
                yield "participle", "VBN>VBD", f"{have} {participle}", f"{have} {past}"
            if base == "do":  # an auxiliary more often than not: see `_done`
                continue
            for subject in words.SUBJECTS:
                yield "participle", "VBD>VBN", f"{subject} {past}", f"{subject} {participle}"
            for before in (*words.MODALS, "did", "n't"):
                yield "participle", "VB>VBD", f"{before} {base}", f"{before} {past}"

    def _attract(self, tokens: Tokens, i: int, rng: Random) -> Change | None:
        """The verb agrees with the nearest noun: `the list of items is` → `the list of items are`."""
        verb = tokens[i]
        nearest = self._number(tokens[i - 1]) if i else None
        if nearest is None or nearest == (verb in SINGULAR):
            return None
        for j in range(i - 2, max(i - REACH, 0), -1):
            if tokens[j] in words.PREPOSITIONS:
                head = self._number(tokens[j - 1])
                return (i, i + 1, (NUMBERS[verb],)) if head == (verb in SINGULAR) else None
            if not tokens[j].isalpha():
                return None
        return None

    def _number(self, token: str) -> bool | None:
        """Whether a noun is singular; None for other words and for those that may be both."""
        tags = self._tables.tags(token).split("/")
        if ("NN" in tags) == ("NNS" in tags):
            return None
        return "NN" in tags


def _join_possessive(ending: Tokens, tokens: Tokens, i: int, rng: Random) -> Change | None:
    """`the boy 's toy` → `the boys toy` or `the boys ' toy`; `it 's` and the like are no possessives."""
    if i == 0 or not tokens[i - 1].isalpha() or tokens[i - 1].lower() in _SHORTENED or i + 1 == len(tokens):
        return None
    return i - 1, i + 1, (tokens[i - 1] + "s", *ending)


def _change_plural(written: Tokens, tokens: Tokens, i: int, rng: Random) -> Change | None:
    """`the boys ' toy` → `the boys toy` or `the boy 's toy`; a closing quote is left alone."""
    if i == 0 or i + 1 == len(tokens) or not tokens[i + 1].isalpha():
        return None
    noun = tokens[i - 1]
    if len(noun) < 3 or not noun.isalpha() or not noun.endswith("s") or "'" in tokens[:i]:
        return None
    return (i - 1, i + 1, (noun[:-1], *written)) if written else (i, i + 1, ())


def _done(tokens: Tokens, i: int, rng: Random) -> Change | None:
    """`I did it` → `I done it`, where `did` has an object and helps no other verb."""
    is_verb = 0 < i < len(tokens) - 1 and tokens[i - 1] in words.SUBJECTS and tokens[i + 1] in OBJECTS
    return (i, i + 1, ("done",)) if is_verb else None


def _drop_conjunction(tokens: Tokens, i: int, rng: Random) -> Change | None:
    """`…, and he went` → `…, he went`."""
    return (i, i + 1, ()) if i and tokens[i - 1] == "," else None


def _lower_i(tokens: Tokens, i: int, rng: Random) -> Change | None:
    return (i, i + 1, ("i",)) if tokens[i] == "I" else None


def _lower_start(tokens: Tokens, i: int, rng: Random) -> Change | None:
    first = tokens[0]
    if first == "I" or not first[:1].isupper() or (len(first) > 1 and first.isupper()):
        return None
    return 0, 1, (first[:1].lower() + first[1:],)


def _fixed() -> Iterator[tuple[str, str, str, str]]:
    """Noise, key, correct and written phrase of the slips that need no tables."""
    for group in words.HOMOPHONES:
        for correct, written in permutations(group, 2):
            yield "homophone", f"{correct}>{written}", correct, written
    yield from _contractions()
    for modal in ("could", "should", "would", "might", "must"):
        for between in ("not ", "n't ", "never "):
            yield "of-have", "not have>of", f"{modal} {between}have", f"{modal} {between}of"
        yield "of-have", "have>of", f"{modal} have", f"{modal} of"
        yield "of-have", "'ve>of", f"{modal} 've", f"{modal} of"
    yield "article", "a>an", "a", "an"
    yield "article", "an>a", "an", "a"
    for phrase in words.RUN_TOGETHER:
        yield "compound", f"{phrase}>", phrase, phrase.replace(" ", "")
    for two, one in words.ONE_OR_TWO:
        yield "compound", f"{two}>{one}", two, one
        yield "compound", f"{one}>{two}", one, two
    for right, wrong in (("does", "do"), ("do", "does"), ("was", "were"), ("were", "was"), ("is", "are")):
        yield "agreement", f"{right} n't>{wrong} n't", f"{right} n't", f"{wrong} n't"
    for plural, singular in (("are", "is"), ("were", "was"), ("have", "has"), ("are", "'s")):
        yield "agreement", f"there {plural}>there {singular}", f"there {plural}", f"there {singular}"
    for opener in words.CLAUSE_OPENERS:
        yield "splice", ".>,", f". {opener[0].upper()}{opener[1:]}", f", {opener}"
        yield "splice", ";>,", f"; {opener}", f", {opener}"


def _contractions() -> Iterator[tuple[str, str, str, str]]:
    """`do n't` → `dont`, `I 'm` → `Im`, `im`."""
    for clitic, hosts in words.CLITIC_HOSTS.items():
        bare = clitic.replace("'", "")
        for host in hosts:
            if f"{host} {clitic}" in ("it 's", "we 're", "let 's"):  # these become words: homophones
                continue
            yield "contraction", f"{clitic}>{bare}", f"{host} {clitic}", host + bare
            if host == "I":
                yield "contraction", f"I {clitic}>i{bare}", f"{host} {clitic}", "i" + bare
            if clitic == "n't" and host not in ("ca", "wo"):
                yield "contraction", "n't>'nt", f"{host} {clitic}", f"{host}'nt"


_FIXED = tuple(_fixed())
_SHORTENED = frozenset(host.lower() for host in words.CLITIC_HOSTS["'s"])
TOKEN_SLIPS: dict[str, list[Slip]] = {
    "'s": [
        ("possessive", "'s>s", (CALL, partial(_join_possessive, ()), "possessive")),
        ("possessive", "'s>s'", (CALL, partial(_join_possessive, ("'",)), "possessive")),
    ],
    "'": [
        ("possessive", "s'>s", (CALL, partial(_change_plural, ()), "possessive")),
        ("possessive", "s'>'s", (CALL, partial(_change_plural, ("'s",)), "possessive")),
    ],
    "did": [("participle", "VBD>VBN", (CALL, _done, "participle"))],
    "I": [("capital", "I>i", (CALL, _lower_i, "capital"))],
}
START_SLIPS: tuple[Slip, ...] = (("capital", "start", (CALL, _lower_start, "capital")),)
