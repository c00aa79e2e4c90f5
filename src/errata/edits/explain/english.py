"""The kind of an English edit in ERRANT's words (`R:VERB:SVA`), by rules over the words around it.

ERRANT proper parses both sentences, takes seconds to load and hundreds of megabytes; an editor wants an answer at
once. These rules read closed lists, suffixes and the neighbouring words instead. Two types are finer than ERRANT's:
`R:ORTH:CASE` and `R:ORTH:SPACE`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from errata.edits.en.lexicon import is_known
from errata.edits.en.stem import stem
from errata.edits.explain.inflection import VERB_TAGS, shared_tags
from errata.model import TextEdit
from errata.text.english_words import AUXILIARIES, CONFUSABLES
from errata.text.words import tokenise_words

DETERMINERS = frozenset(
    "a an the this that these those some any every each all both no either neither another other such my your his her "
    "its our their whose".split()
)
PREPOSITIONS = frozenset(
    "in on at to for of with by from about into during since until over through between among under within without "
    "above across after against along around before behind below beneath beside besides beyond despite down except "
    "inside near off onto out outside per than toward towards up upon via as like".split()
)
PRONOUNS = frozenset(
    "i me mine myself you yours yourself yourselves he him himself she hers herself it itself we us ours ourselves "
    "they them theirs themselves who whom which what someone something anyone anything everyone everything nobody "
    "nothing one ones there somebody anybody everybody".split()
)
CONJUNCTIONS = frozenset(
    "and or but nor so yet because although though if unless while whereas when where whether".split()
)
ADVERBS = frozenset(
    "very too also always never often just only even still already again more most much well really quite rather then "
    "now here there not ever almost enough so however therefore together away back soon yet maybe".split()
)
QUANTIFIERS = frozenset(
    "many several few both these those two three four five six seven eight nine ten hundred thousand various different "
    "some any all most more other much every each one another".split()
)
SUBJECTS = frozenset("i you he she it we they who which that there".split())
MODALS = frozenset(
    "will would shall should can could may might must to do does did don't n't 'll 'd let lets cannot not".split()
)
HAVE = frozenset("have has had having 've been be is are was were am being 's 're 'm get got gets".split())
CONTRACTIONS = frozenset("n't 's 're 've 'll 'd 'm ca wo".split())
# Verbs far more often than nouns: `She like it` is agreement, not number.
PLAIN_VERBS = frozenset(
    "be have do go get make take give come see know think want need like seem become begin believe bring buy "
    "choose eat feel find follow forget grow happen hear help hope keep learn leave let live look lose love mean "
    "meet move pay play prefer provide put read remember run say sell send show sit speak spend start stay stop "
    "study teach tell try understand use wait walk watch win work write require allow include contain depend "
    "exist appear affect create suffer enjoy consider decide explain improve increase cause lead ask agree bear "
    "carry enable ensure".split()
)
_CONFUSED = frozenset(frozenset(pair) for pair in (*CONFUSABLES, ("their", "they're"), ("there", "they're")))
_IS_WORD = re.compile(r"\w")
_LINE_END = re.compile("[\r\n\u2028\u2029]")
# Above this share of common letters two words that stand for each other are taken for a slip of the pen: ERRANT's
# threshold for source words in no dictionary, and one for real words.
UNKNOWN_LIKENESS, KNOWN_LIKENESS = 0.55, 0.8


def classify_english(text: str, edit: TextEdit) -> str:
    """The type of an edit of `text`: an operation (M, U, R) and a category."""
    old, new, before, after = _changed_words(text, edit)
    if old == new:
        return "R:ORTH:SPACE"
    if not old:
        return f"M:{_one_sided(new, after)}"
    if not new:
        return f"U:{_one_sided(old, after)}"
    return f"R:{_two_sided(old, new, before, after)}"


def is_misspelling(text: str, edit: TextEdit) -> bool:
    """Whether the edit replaces a word that is in no dictionary by one that is like it.

    ERRANT counts `teh` → `the` as two slips in three letters, and calls it a determiner. Here two letters that changed
    places are one slip.

    >>> is_misspelling("I saw teh man.", TextEdit(6, 9, "the")), is_misspelling("I saw a man.", TextEdit(6, 7, "the"))
    (True, False)
    """
    old, new, _, _ = _changed_words(text, edit)
    if len(old) != 1 or len(new) != 1 or not (old[0].isalpha() and new[0].isalpha()) or is_known(old[0]):
        return False
    word, correct = old[0].lower(), new[0].lower()
    return word != correct and not shared_tags(word, correct) and _slip_likeness(word, correct) > UNKNOWN_LIKENESS


def _changed_words(text: str, edit: TextEdit) -> tuple[list[str], list[str], str, str]:
    """The words on both sides of an edit without those they share at their ends, and the words around them."""
    old, new = tokenise_words(text[edit.start : edit.end]), tokenise_words(edit.replacement)
    before, after = _word_before(text, edit.start), _word_after(text, edit.end)
    old, new, before, after = _trim([token.replace("’", "'") for token in old], [*new], before, after)
    return old, [token.replace("’", "'") for token in new], before, after


def _word_before(text: str, position: int) -> str:
    pieces = _LINE_END.split(text[max(0, position - 40) : position])[-1].rsplit(maxsplit=1)[-1:]
    return tokenise_words(pieces[0])[-1].lower() if pieces else ""


def _word_after(text: str, position: int) -> str:
    pieces = _LINE_END.split(text[position : position + 40], maxsplit=1)[0].split(maxsplit=1)[:1]
    return tokenise_words(pieces[0])[0].lower() if pieces else ""


def _trim(old: list[str], new: list[str], before: str, after: str) -> tuple[list[str], list[str], str, str]:
    """Both sides without the words they share at their ends, and the words around what is left."""
    most = min(len(old), len(new))
    head = next((n for n in range(most) if old[n] != new[n]), most)
    if head:
        before, old, new, most = old[head - 1].lower(), old[head:], new[head:], most - head
    # A change of case at the end is a consequence: [Doctor → The doctor], [, since → . Since]. A word is left over.
    most = max(0, min(most, (len(old) + len(new) - 1) // 2))
    tail = next((n for n in range(most) if old[-1 - n].lower() != new[-1 - n].lower()), most)
    if tail:
        after, old, new = old[-tail].lower(), old[:-tail], new[:-tail]
    return old, new, before, after


def _is_punctuation(tokens: Sequence[str]) -> bool:
    return not any(_IS_WORD.search(token) for token in tokens)


def _one_sided(tokens: list[str], after: str) -> str:
    """The category of words that are only added or only removed."""
    lower = [token.lower() for token in tokens]
    if lower in (["'s"], ["'"]):
        return "NOUN:POSS"
    if _is_punctuation(tokens):
        return "PUNCT"
    if lower == ["to"]:
        return "VERB:FORM" if after in PLAIN_VERBS or after in AUXILIARIES else "PREP"
    if len(lower) == 1 and lower[0] in CONTRACTIONS:
        return "CONTR"
    if all(word in AUXILIARIES for word in lower):
        return "VERB:TENSE"
    return _closed_class(lower) or "OTHER"


def _closed_class(lower: Sequence[str]) -> str | None:
    for name, words in (
        ("DET", DETERMINERS),
        ("PREP", PREPOSITIONS),
        ("CONJ", CONJUNCTIONS),
        ("PRON", PRONOUNS),
        ("ADV", ADVERBS),
    ):
        if all(word in words for word in lower):
            return name
    return "ADV" if all(word.endswith("ly") and len(word) > 4 for word in lower) else None


def _two_sided(old: list[str], new: list[str], before: str, after: str) -> str:
    old_lower, new_lower = [token.lower() for token in old], [token.lower() for token in new]
    if old_lower == new_lower:
        return "ORTH:CASE"
    if "".join(old_lower) == "".join(new_lower):
        return "ORTH:SPACE"
    if sorted(old_lower) == sorted(new_lower):
        return "WO"
    if _is_punctuation(old) and _is_punctuation(new):
        return "PUNCT"
    letters = _letters(old_lower), _letters(new_lower)
    if letters[0] == letters[1]:
        return _marks_only(old_lower, new_lower)
    if frozenset(("".join(old_lower), "".join(new_lower))) in _CONFUSED and not shared_tags(old_lower[0], new_lower[0]):
        return "SPELL"
    if len(old) == len(new) == 1:
        return _one_word(old[0], old_lower[0], new_lower[0], before, after)
    return _several_words(old_lower, new_lower)


def _letters(tokens: Sequence[str]) -> str:
    return "".join(character for token in tokens for character in token if character.isalnum())


def _marks_only(old: Sequence[str], new: Sequence[str]) -> str:
    """The category of a change that keeps every letter: an apostrophe or another mark."""
    changed = {*old} ^ {*new}
    if changed & {"'s", "'"}:
        return "NOUN:POSS"
    return "CONTR" if changed & CONTRACTIONS else "PUNCT"


def _one_word(written: str, old: str, new: str, before: str, after: str) -> str:
    if "'s" in (old, new) or "'" in (old, new):
        return "NOUN:POSS"
    if old in CONTRACTIONS or new in CONTRACTIONS:
        return "CONTR"
    tags = shared_tags(old, new)
    if old in AUXILIARIES and new in AUXILIARIES:
        return _auxiliary(old, new)
    same = _closed_class([old, new])
    if same:
        return same
    if written.isalpha() and not is_known(written):
        return _unknown_word(old, new, tags)
    if tags:
        return _inflection(old, tags, before, after)
    return _known_words(old, new)


def _unknown_word(old: str, new: str, tags: set[tuple[str, str]]) -> str:
    if tags:
        kinds = {tag for pair in tags for tag in pair}
        return "NOUN:INFL" if "NNS" in kinds else "VERB:INFL" if kinds & VERB_TAGS else "MORPH"
    return "SPELL" if _likeness(old, new) > UNKNOWN_LIKENESS else _closed_class([new]) or "OTHER"


def _known_words(old: str, new: str) -> str:
    if stem(old) == stem(new) or (min(len(old), len(new)) > 4 and (old.startswith(new) or new.startswith(old))):
        return "MORPH"
    if {old, new} <= DETERMINERS | PRONOUNS:
        return "PRON"
    if old.isalpha() and new.isalpha() and _likeness(old, new) >= KNOWN_LIKENESS:
        return "SPELL"
    return "OTHER"


def _likeness(old: str, new: str) -> float:
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.normalized_similarity(old, new)


def _slip_likeness(old: str, new: str) -> float:
    from rapidfuzz.distance import OSA

    return OSA.normalized_similarity(old, new)


_AGREEMENT = [{"is", "are", "am"}, {"was", "were"}, {"has", "have"}, {"do", "does"}]


def _auxiliary(old: str, new: str) -> str:
    if any({old, new} <= group for group in _AGREEMENT):
        return "VERB:SVA"
    return "VERB:FORM" if {old, new} & {"be", "been", "being"} else "VERB:TENSE"


def _inflection(old: str, tags: set[tuple[str, str]], before: str, after: str) -> str:
    """Forms of one word: number, agreement, tense or form, by the tags that fit and the neighbours."""
    kinds = {tag for pair in tags for tag in pair}
    if kinds & {"JJR", "JJS"} and not kinds & {"VBD", "VBG"}:
        return "ADJ:FORM"
    if "VBG" in kinds:
        return "VERB:FORM"
    if kinds & {"VBD", "VBN"}:
        return "VERB:FORM" if before in MODALS or before in HAVE or "VBD" not in kinds else "VERB:TENSE"
    if not kinds & VERB_TAGS:
        return "NOUN:NUM"
    if kinds <= {"BASE"}:
        return "OTHER"
    return _number_or_agreement(old, tags, before, after)


def _number_or_agreement(old: str, tags: set[tuple[str, str]], before: str, after: str) -> str:
    """An `s` more or less: on a noun it is number, on a verb agreement."""
    if before in MODALS:
        return "VERB:FORM"
    if before in SUBJECTS:
        return "VERB:SVA"
    if before in QUANTIFIERS or before in DETERMINERS or before in PREPOSITIONS or after in AUXILIARIES:
        return "NOUN:NUM"
    base = old if ("BASE", "VBZ") in tags else old.removesuffix("s")
    is_verb = base in PLAIN_VERBS or old.removesuffix("es") in PLAIN_VERBS or after in DETERMINERS
    return "VERB:SVA" if is_verb else "NOUN:NUM"


def _several_words(old: list[str], new: list[str]) -> str:
    if all(word in AUXILIARIES for word in (*old, *new)):
        return "VERB:TENSE"
    last = shared_tags(old[-1], new[-1])
    extra = {*old[:-1], *new[:-1]}
    if last and extra <= {"more", "most"}:
        return "ADJ:FORM"
    if last and extra <= {"to"}:
        return "VERB:FORM"
    if last and extra <= {*AUXILIARIES, "n't", "'ve", "'ll", "'d", "'s", "'re", "'m"}:
        return "VERB:TENSE"
    if "'s" in (old[-1], new[-1]) and shared_tags(old[0], new[0]):
        return "NOUN:POSS"
    if any(word in CONTRACTIONS for word in (*old, *new)) and old[0] == new[0]:
        return "CONTR"
    return _closed_class([*old, *new]) or (
        "SPELL" if _likeness("".join(old), "".join(new)) > KNOWN_LIKENESS else "OTHER"
    )
