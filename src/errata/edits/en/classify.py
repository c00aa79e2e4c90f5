"""The type of an edit, after ERRANT 3 (Bryant, Felice and Briscoe 2017, chapter 5 of UCAM-CL-TR-938).

`R:VERB:TENSE` is an operation (M missing, U unnecessary, R replacement) and a category. The rules are ordered: the
first that applies wins, so the functions below ask in the published order and answer None to pass an edit on.
"""

from __future__ import annotations

from errata.edits.en.analysis import Token
from errata.edits.en.lexicon import is_known
from errata.edits.en.stem import stem

_TAGS_OF = {
    "ADJ": "AFX JJ JJR JJS",
    "ADV": "RB RBR RBS WRB",
    "CONJ": "CC",
    "DET": "DT PDT PRP$ WDT WP$",
    "INTJ": "UH",
    "NOUN": "NN NNP NNPS NNS",
    "NUM": "CD",
    "PART": "POS RP TO",
    "PREP": "IN",
    "PRON": "EX PRP WP",
    "PUNCT": "'' , -LRB- -RRB- . : HYPH `` \"\"",
    "SPACE": "SP _SP",
    "SYM": "# $ SYM",
    "VERB": "BES HVS MD VB VBD VBG VBN VBP VBZ",
    "X": "ADD FW GW LS NFP NIL XX",
}
# Penn Treebank tag → category. Not the model's coarse part of speech, which the aligner and merger use.
CATEGORY = {tag: category for category, tags in _TAGS_OF.items() for tag in tags.split()}

OPEN_CLASS = frozenset({"ADJ", "ADV", "NOUN", "VERB"})
RARE = frozenset({"INTJ", "NUM", "SYM", "X"})  # too rare to be categories of their own
CONTRACTIONS = frozenset({"'d", "'ll", "'m", "n't", "'re", "'s", "'ve"})
CONTRACTED_AUXILIARIES = {"ca": "can", "sha": "shall", "wo": "will"}
AUXILIARY = frozenset({"aux", "auxpass"})
ADJECTIVAL = frozenset({"acomp", "amod"})
PARTICIPLES = frozenset({"VBG", "VBN"})
CATEGORY_OF_DEPENDENCY = {
    "acomp": "ADJ",
    "amod": "ADJ",
    "advmod": "ADV",
    "det": "DET",
    "prep": "PREP",
    "prt": "PART",
    "punct": "PUNCT",
}


def classify(old: list[Token], new: list[Token], *, is_same_text: bool) -> str:
    """The type of replacing `old` by `new`; UNK when nothing changes (an error found but not corrected)."""
    if is_same_text:
        return "UNK"
    # A change of case at the end is a consequence, not the error: [Doctor → The doctor], [, since → . Since].
    while old and new and len(old) + len(new) > 2 and old[-1].lower == new[-1].lower:
        old, new = old[:-1], new[:-1]
    if not old:
        return "M:" + _one_sided(new)
    if not new:
        return "U:" + _one_sided(old)
    return "R:" + _two_sided(old, new)


def _categories(tokens: list[Token]) -> list[str]:
    return [CATEGORY.get(token.tag, "X") for token in tokens]


def _one_sided(tokens: list[Token]) -> str:
    """The category of words that were only added or only removed."""
    first = tokens[0]
    if len(tokens) == 1:
        if first.tag == "POS":
            return "NOUN:POSS"
        if first.lower in CONTRACTIONS:
            return "CONTR"
        if first.lower == "to" and first.pos == "PART" and first.dep != "prep":
            return "VERB:FORM"
    dependencies = {token.dep for token in tokens}
    if dependencies <= AUXILIARY:
        return "VERB:TENSE"
    categories = set(_categories(tokens))
    if len(categories) == 1 and not categories <= RARE:
        return categories.pop()
    if len(dependencies) == 1 and first.dep in CATEGORY_OF_DEPENDENCY:
        return CATEGORY_OF_DEPENDENCY[first.dep]
    return "VERB" if categories == {"PART", "VERB"} else "OTHER"


def _two_sided(old: list[Token], new: list[Token]) -> str:
    old_lower, new_lower = [token.lower for token in old], [token.lower for token in new]
    if "".join(old_lower) == "".join(new_lower):
        return "ORTH"
    if sorted(old_lower) == sorted(new_lower):
        return "WO"
    if len(old) == len(new) == 1:
        found = _one_word(old[0], new[0])
        if found:
            return found
    return _several_words(old, new)


def _one_word(old: Token, new: Token) -> str | None:
    old_category, new_category = CATEGORY.get(old.tag, "X"), CATEGORY.get(new.tag, "X")
    return (
        _special(old, new, old_category == new_category)
        or _spelling(old, new, old_category, new_category)
        or _morphology(old, new, old_category, new_category)
        or _general(old, new, old_category, new_category)
        or _similar_strings(old, new, new_category)
    )


def _special(old: Token, new: Token, is_same_category: bool) -> str | None:
    """Possessives, contractions, and was / were."""
    if "POS" in (old.tag, new.tag):
        return "NOUN:POSS"
    if is_same_category and (old.lower in CONTRACTIONS or new.lower in CONTRACTIONS):
        return "CONTR"
    for short, full in ((old.lower, new.lower), (new.lower, old.lower)):
        if CONTRACTED_AUXILIARIES.get(short) == full:
            return "CONTR"
    if old.lower in CONTRACTED_AUXILIARIES or new.lower in CONTRACTED_AUXILIARIES:
        return "VERB:TENSE"
    return "VERB:SVA" if {old.lower, new.lower} == {"was", "were"} else None


def _spelling(old: Token, new: Token, old_category: str, new_category: str) -> str | None:
    """Source words that are in no dictionary: always decided here."""
    if not old.text.isalpha() or is_known(old.text):
        return None
    if old.lemma == new.lemma:
        is_inflection = old_category == new_category and old_category in {"NOUN", "VERB"}
        return f"{old_category}:INFL" if is_inflection else "MORPH"
    likeness = _likeness(old, new)
    # ERRANT's thresholds, tuned by hand on FCE and W&I: above 0.55 it is nearly always a misspelling, and for short
    # words a half or a third of the letters is enough.
    if likeness > 0.55:
        return "SPELL"
    if (likeness == 0.5 or round(likeness, 3) == 0.333) and len(old.text) <= 4 and len(new.text) <= 4:
        return "SPELL"
    return "OTHER" if new_category in RARE else new_category


def _likeness(old: Token, new: Token) -> float:
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.normalized_similarity(old.lower, new.lower)


def _morphology(old: Token, new: Token, old_category: str, new_category: str) -> str | None:
    """Forms of the same lemma, or of the same stem."""
    if old_category not in OPEN_CLASS or new_category not in OPEN_CLASS:
        return None
    if old.lemma != new.lemma:
        return "MORPH" if stem(old.text) == stem(new.text) else None
    if old_category == new_category:
        if old_category == "ADJ":
            return "ADJ:FORM"
        if old_category == "NOUN":
            return "NOUN:NUM"
        form = _verb_form(old, new) if old_category == "VERB" else None
        if form:
            return form
    if {old.dep, new.dep} <= ADJECTIVAL:
        return "ADJ:FORM"
    if old_category == "ADJ" and new.tag == "NNS":
        return "NOUN:NUM"
    if new.tag in PARTICIPLES:
        return "VERB:FORM"
    return {"VBD": "VERB:TENSE", "VBZ": "VERB:SVA"}.get(new.tag, "MORPH")


def _verb_form(old: Token, new: Token) -> str | None:
    tags = {old.tag, new.tag}
    if _follow_auxiliary(old, new) or tags & PARTICIPLES:
        return "VERB:FORM"
    if "VBD" in tags:
        return "VERB:TENSE"
    if "VBZ" in tags:
        return "VERB:SVA"
    return "VERB:TENSE" if old.dep in AUXILIARY and new.dep in AUXILIARY else None


def _follow_auxiliary(old: Token, new: Token) -> bool:
    """Both are main verbs with an auxiliary, or both are auxiliaries behind another: neither tense nor agreement."""
    if old.dep in AUXILIARY and new.dep in AUXILIARY:
        # ERRANT compares words, not positions: a repeated auxiliary counts as the first one.
        return all(_first_auxiliary(token.head) not in (None, token.text) for token in (old, new))
    return all(_first_auxiliary(token) is not None for token in (old, new))


def _first_auxiliary(verb: Token) -> str | None:
    return next((child.text for child in verb.children if child.dep in AUXILIARY), None)


def _general(old: Token, new: Token, old_category: str, new_category: str) -> str | None:
    """Words of the same kind, and a few pairs that belong together although their kinds differ."""
    categories, dependencies = {old_category, new_category}, {old.dep, new.dep}
    lower = {old.lower, new.lower}
    if dependencies <= AUXILIARY:
        return "VERB:TENSE"
    if old_category == new_category and old_category not in RARE:
        return old_category
    if old.dep == new.dep and old.dep in CATEGORY_OF_DEPENDENCY:
        return CATEGORY_OF_DEPENDENCY[old.dep]
    if categories == {"PART", "PREP"} or dependencies == {"prt", "prep"}:
        return "PART"
    if categories == {"DET", "PRON"}:
        if new.dep in {"nsubj", "nsubjpass", "dobj", "pobj"}:
            return "PRON"
        if new.dep == "poss":
            return "DET"
    if categories == {"NUM", "DET"} or lower == {"other", "another"}:
        return "DET"
    if old.lower == "your" and new.lower == "yours":
        return "PRON"
    return "OTHER" if lower == {"no", "not"} else None


def _similar_strings(old: Token, new: Token, new_category: str) -> str | None:
    """Real words mistaken for others; the thresholds are ERRANT's, by length of the source word.

    None for words of letters that none of this fits: ERRANT goes on to the rules for several words.
    """
    if not (old.text.isalpha() and new.text.isalpha()):
        return "OTHER"
    likeness, length, lower = _likeness(old, new), len(new.text), {old.lower, new.lower}
    category = None if new_category in RARE else new_category
    match len(old.text):
        case 1:  # i → in
            return "SPELL" if length == 2 and likeness == 0.5 else None
        case 2:  # in → is, he → the
            return "SPELL" if length in (2, 3) and likeness >= 0.5 else None
        case 3:  # off → of, now → know
            if (old.lower, new.lower) in {("the", "that"), ("all", "everything")}:
                return "PRON"
            return "SPELL" if 2 <= length <= 4 and likeness >= 0.5 else None
        case 4:
            if lower == {"that", "what"}:
                return "PRON"
            if lower == {"good", "well"} and category:
                return category
            # knew → new, then → than, hole → whole
            is_near = {3: likeness > 0.5, 4: likeness >= 0.5, 5: likeness == 0.8}.get(length, False)
            if is_near:
                return "SPELL"
            return category if length > 5 and likeness > 0.5 else None  # high → height
        case 5:
            if lower == {"after", "later"} and category:
                return category
            # where → were, quite → quiet
            is_near = {4: likeness == 0.8, 5: likeness >= 0.6}.get(length, False)
            if is_near:
                return "SPELL"
            return category if length > 5 else None  # human → people
    return _similar_long_strings(old, new, likeness, category) if length > 5 else None


def _similar_long_strings(old: Token, new: Token, likeness: float, category: str | None) -> str | None:
    if (old.lower, new.lower) == ("therefor", "therefore") or {old.lower, new.lower} == {"though", "thought"}:
        return "SPELL"
    is_extension = old.text.startswith(new.text) or new.text.startswith(old.text)
    if is_extension and likeness >= 0.66:  # health → healthy
        return "MORPH"
    if likeness > 0.8:  # exiting → exciting
        return "SPELL"
    return category if likeness < 0.55 else None  # transport → travel


def _several_words(old: list[Token], new: list[Token]) -> str:
    old_categories, new_categories = _categories(old), _categories(new)
    categories = {*old_categories, *new_categories}
    dependencies = {token.dep for token in old} | {token.dep for token in new}
    is_same_last_lemma = old[-1].lemma == new[-1].lemma
    if dependencies <= AUXILIARY:
        return "VERB:TENSE"
    if len(categories) == 1:
        if old_categories[0] == "VERB" and is_same_last_lemma:  # eat → has eaten
            return "VERB:TENSE"
        if old_categories[0] not in RARE:
            return old_categories[0]
    if len(dependencies) == 1 and old[0].dep in CATEGORY_OF_DEPENDENCY:
        return CATEGORY_OF_DEPENDENCY[old[0].dep]
    if categories == {"PART", "VERB"}:  # to eat → eating, look at → see
        return "VERB:FORM" if is_same_last_lemma else "VERB"
    if ["NOUN", "PART"] in (old_categories, new_categories) and old[0].lemma == new[0].lemma:  # friends → friend 's
        return "NOUN:POSS"
    compares = old[0].lower in {"most", "more"} or new[0].lower in {"most", "more"}
    if compares and is_same_last_lemma and len(old) <= 2 and len(new) <= 2:  # more free → freer
        return "ADJ:FORM"
    return "OTHER"
