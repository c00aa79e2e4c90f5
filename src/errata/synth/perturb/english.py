"""Which English words have nothing to do with the errors, and may be perturbed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from errata.edits.carrying import DELETE, INSERT, SUBSTITUTE
from errata.edits.en.analysers import get_analyser
from errata.edits.en.analysis import Analysis
from errata.edits.en.extractor import EnglishExtractor
from errata.model import Edit, Tokens
from errata.rules.book import load_rules
from errata.synth.perturb.texts import Site, Text, Word, is_repeated
from errata.text.english_words import FUNCTION_WORDS, PRONOUN_GROUPS
from errata.text.words import tokenise_words

NOUNS, VERBS = frozenset({"NN", "NNS"}), frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ"})
FINITE = frozenset({"VBD", "VBP", "VBZ"})
_KINDS = {"JJ": "adjective", "RB": "adverb", "NNP": "name", "CD": "number"}
# Relations of words that belong to their head's form, and of what agrees with it.
_FUNCTIONAL = frozenset("det aux auxpass poss nummod amod case predet prt neg mark prep expl cop advmod".split())
_AGREEING = frozenset({"nsubj", "nsubjpass", "aux", "auxpass", "expl"})
SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl"})
_NOMINAL = frozenset({"NOUN", "PROPN"})
# What a verb, noun or adjective asks for: another one might ask for something else.
_OBJECT_FRAME = frozenset({"nsubj", "dobj", "aux", "neg", "advmod", "punct", "cc", "conj", "mark", "npadvmod", "advcl"})
_CLAUSE_FRAME = frozenset({*_OBJECT_FRAME, "ccomp"} - {"dobj"})
_NOUN_FRAME = frozenset({"det", "poss", "amod", "nummod", "cc", "conj", "punct", "predet", "relcl", "case", "appos"})
_LIGHT_FRAME = frozenset({"advmod", "punct", "cc", "conj"})
# Verbs that are half auxiliaries or parts of sayings, and words whose grammar is their own.
_OWN_GRAMMAR = frozenset(
    "be have do go get make take come let keep put give use seem become want try lot kind sort bit number amount "
    "couple deal order fact case example way time thing people person part place course least most term side rest "
    "hand account other own same such last next first second many much few little more less several enough only "
    "certain due able fast well hard late even else ever never not too so as just then there here now yet already "
    "still again once however therefore moreover furthermore besides instead hence thus otherwise though ago away "
    "back home up down out together alone abroad far long soon".split()
)
# Adverbs and adjectives that a sentence can do without.
_DELETABLE_ADVERBS = frozenset(
    "very really quite rather extremely also often usually sometimes always probably certainly definitely actually "
    "generally especially particularly mainly totally completely absolutely truly simply clearly finally suddenly "
    "easily quickly slowly fairly pretty highly strongly fully deeply greatly perfectly obviously personally".split()
)
_UNDELETABLE = frozenset(
    "high low best worst good bad main only same other such own different available possible necessary free full "
    "great large whole long short several certain various right wrong sure ready able old young new big small last "
    "next first poor rich sick blind deaf human social public private general open mobile common hot cold red blue "
    "green black white right left online".split()
)
# What tells the time of an action: evidence of errors of tense.
_TIMES = frozenset(
    "yesterday today tomorrow tonight ago last next now nowadays currently recently lately already yet since still "
    "always usually often sometimes never ever just before after soon when while year month week day morning evening "
    "night time weekend summer winter spring autumn monday tuesday wednesday thursday friday saturday sunday january "
    "february march april may june july august september october november december past future present".split()
)
_PRONOUNS = frozenset(word for group in PRONOUN_GROUPS for word in group)
# Where one of these pronouns is, words that say whether somebody is a man or a woman stay.
_GENDERED_PRONOUNS = frozenset("he she him her his hers himself herself".split())
_GENDERED = frozenset(
    "mother father sister brother aunt uncle son daughter nephew niece boy girl man woman husband wife".split()
)
# Adjectives that say `very` themselves.
_EXTREME = frozenset(
    "great fantastic wonderful marvellous amazing perfect excellent terrible awful horrible huge enormous essential "
    "crucial ideal exhausted furious delicious fascinating brilliant superb unique".split()
)
_NEGATIVE = frozenset("never hardly rarely seldom barely scarcely no none nothing not".split())
# Verbs that make sayings with their objects: take great care, make a good point.
_LIGHT_VERBS = frozenset("take make do give pay have get".split())
_ARTICLES = frozenset({"a", "an"})
_DETERMINERS = frozenset("the a an my your his her its our their this that these those some".split())
# Letters after which it is not clear how a word begins: an hour, a European, a one-way street, a union.
_UNCLEAR = ("h", "u", "eu", "on")


class English:
    """English sentences, as tokens that spaces separate, with the parses that edits are typed by."""

    language = "en"

    def __init__(self) -> None:
        # Candidates are parsed once; they would only fill the cache on disk.
        self._analyser = get_analyser(cache=False)
        self._extractor = EnglishExtractor(analyser=self._analyser)
        self._rules = load_rules()

    def split(self, text: str) -> Tokens:
        return tuple(text.split())

    def split_raw(self, text: str) -> Tokens:
        return tuple(tokenise_words(text))

    def analyse(self, sentences: Sequence[Tokens]) -> list[Text]:
        analyses = self._analyser.analyse([list(tokens) for tokens in sentences])
        return [
            Text(tokens, tuple(_words(analysis)), analysis)
            for tokens, analysis in zip(sentences, analyses, strict=True)
        ]

    def edits(self, source: Text, target: Text) -> tuple[Edit, ...]:
        return self._extractor.edits(source.analysis, target.analysis) if source.tokens != target.tokens else ()

    def find_related(self, target: Text, edited: Sequence[int], types: Collection[str]) -> set[int]:
        related: set[int] = set(edited)
        if any(word.text.lower() in _GENDERED_PRONOUNS for word in target.words):
            related |= {at for at, word in enumerate(target.words) if word.tag == "NNP" or word.lemma in _GENDERED}
        for number in edited:
            word = target.words[number]
            head = word.head
            related |= {head, target.words[head].head, *target.children[number]}
            # What depends on the same head: a noun with its article and adjectives, an auxiliary and its subject.
            related |= {
                other
                for other in target.children[head]
                if word.dep in _FUNCTIONAL or target.words[other].dep in _AGREEING
            }
        if any(target.words[number].text.lower() in _PRONOUNS for number in edited) or "R:PRON" in types:
            related |= {number for number, word in enumerate(target.words) if word.pos in _NOMINAL}
        if any("TENSE" in kind or "VERB" in kind for kind in types):
            related |= {number for number, word in enumerate(target.words) if word.lemma.lower() in _TIMES}
        return related

    def find_sites(self, text: Text, related: set[int]) -> list[Site]:
        sites: list[Site] = []
        for number, word in enumerate(text.words):
            if number in related or not _is_plain(word, number):
                continue
            sites += self._sites_of(text, number, word)
        return sites

    def _sites_of(self, text: Text, number: int, word: Word) -> Iterator[Site]:
        start, end = word.start, word.end
        if kind := _substitution_kind(text, number, word):
            yield Site(SUBSTITUTE, start, end, number, number + 1, word.tag, kind)
        if kind := _insertion_kind(text, number, word):
            tag = "JJ" if kind == "before_noun" else "RB"
            yield Site(INSERT, start, start, number, number, tag, kind, number)
        if _is_deletable(text, number, word):
            yield Site(DELETE, start, end, number, number + 1, word.tag)

    def is_fit(self, text: Text, site: Site, words: Tokens) -> bool:
        """Whether an article before the site stays right, no word comes twice, and the new one is a plain word."""
        following = words[0] if words else text.words[site.last].text if site.last < len(text.words) else ""
        if site.first and text.words[site.first - 1].text.lower() in _ARTICLES:
            old = text.words[site.first].text
            if _begins_unclearly(old, following) or _is_vowel(old) != _is_vowel(following):
                return False
        if site.kind == "before_adjective" and text.words[site.first].text in _EXTREME:
            return False  # very great
        if site.kind == "before_verb" and text.words[site.first - 1].tag == "MD" and words[0] != "also":
            return False  # may certainly
        known = {*_NEGATIVE, *(_OWN_GRAMMAR - {"so"}), *(word.text.lower() for word in text.words)}
        return known.isdisjoint(word.lower() for word in words)

    def is_faultless(self, text: Text, variant: Text) -> bool:
        return len(self._rules.propose(variant.tokens)) <= len(self._rules.propose(text.tokens))


def _words(analysis: Analysis) -> Iterator[Word]:
    columns = (analysis.words, analysis.tags, analysis.pos, analysis.lemmas, analysis.deps, analysis.heads)
    for number, (text, tag, pos, lemma, dep, head) in enumerate(zip(*columns, strict=True)):
        yield Word(number, number + 1, text, tag, pos, lemma, dep, head)


def _is_plain(word: Word, number: int) -> bool:
    """Whether a word is one like others: not the first, which has a capital, and no part of the grammar."""
    return (
        number > 0
        and word.text.isalpha()
        and len(word.text) > 1
        and (word.text.islower() or (word.tag == "NNP" and word.text.istitle()) or word.tag == "JJ")
        and word.text.lower() not in FUNCTION_WORDS
        and word.dep not in ("neg", "ROOT", "aux", "auxpass", "mark", "intj")
    ) or (number > 0 and word.dep == "ROOT" and word.tag in VERBS and word.text.isalpha() and word.text.islower())


def _substitution_kind(text: Text, number: int, word: Word) -> str:
    """The group of words that may stand for a word; empty if it must stay."""
    if word.lemma.lower() in _OWN_GRAMMAR or is_repeated(text, number):
        return ""
    deps = text.child_deps(number)
    if word.tag in NOUNS:
        is_free = (
            deps <= _NOUN_FRAME and word.dep not in ("compound", "npadvmod", "nmod") and not _is_bare(text, number)
        )
        return "noun" if is_free else ""
    if word.tag in VERBS and word.pos == "VERB":
        if word.dep in ("amod", "auxpass", "acomp") or "auxpass" in deps:
            return ""
        if "dobj" in deps and deps <= _OBJECT_FRAME:
            return "object"
        return "clause" if "ccomp" in deps and deps <= _CLAUSE_FRAME else ""
    if word.tag in _KINDS and deps <= (_NOUN_FRAME if word.tag == "NNP" else _LIGHT_FRAME):
        is_free = word.dep not in ("compound", "nmod", "prt") and not _is_in_saying(text, word)
        if word.tag == "CD":
            is_free = word.dep == "nummod" and not deps
        kind = "degree" if word.tag == "RB" and text.words[word.head].pos in ("ADJ", "ADV") else _KINDS[word.tag]
        return kind if is_free else ""
    return ""


def _is_bare(text: Text, number: int) -> bool:
    """Whether a singular noun stands after a preposition without an article: `of course`, `at home`, `for example`."""
    word = text.words[number]
    return word.tag == "NN" and word.dep == "pobj" and not text.child_deps(number) & {"det", "poss", "nummod"}


def _is_in_saying(text: Text, word: Word) -> bool:
    """Whether an adjective belongs to the object of a verb that has little meaning of its own."""
    noun = text.words[word.head]
    return word.dep == "amod" and noun.dep == "dobj" and text.words[noun.head].lemma.lower() in _LIGHT_VERBS


def _insertion_kind(text: Text, number: int, word: Word) -> str:
    """The group of words that may be put right before a word; empty if none may."""
    deps = text.child_deps(number)
    before = text.words[number - 1]
    if word.tag == "JJ" and "advmod" not in deps and word.lemma.lower() not in _OWN_GRAMMAR:
        is_predicate = word.dep == "acomp" and before.pos in ("AUX", "VERB")
        is_attribute = word.dep == "amod" and before.dep == "det" and before.text.lower() in _ARTICLES
        return "before_adjective" if is_predicate or is_attribute else ""
    if word.tag in VERBS and word.pos == "VERB" and "advmod" not in deps and "neg" not in deps:
        follows_subject = word.tag in FINITE and before.dep in SUBJECTS and before.head == number
        follows_modal = word.tag == "VB" and before.tag == "MD" and before.head == number
        return "before_verb" if follows_subject or follows_modal else ""
    if word.tag in NOUNS and not deps & {"amod", "compound", "nummod", "case"} and word.lemma not in _OWN_GRAMMAR:
        is_first = before.head == number and before.text.lower() in _DETERMINERS and word.dep != "compound"
        return "before_noun" if is_first else ""
    return ""


def _is_deletable(text: Text, number: int, word: Word) -> bool:
    """Whether the sentence is whole without a word: a modifier that nothing depends on."""
    if text.children[number] or not 0 < number < len(text.words) - 1:
        return False
    before, after = text.words[number - 1], text.words[number + 1]
    if before.pos == "PUNCT" or before.lemma.lower() in ("not", "n't", "how", "so", "as", "too"):
        return False
    if word.dep == "advmod":
        is_before_its_word = word.head > number and after.pos != "PUNCT"
        return word.text in _DELETABLE_ADVERBS and is_before_its_word
    if word.dep == "amod" and word.tag == "JJ":
        is_inside = before.head == word.head and word.head == number + 1 and before.dep in ("det", "poss")
        return is_inside and word.text not in _UNDELETABLE and text.words[word.head].lemma not in _OWN_GRAMMAR
    return False


def _is_vowel(word: str) -> bool:
    return word[:1].lower() in set("aeiou")


def _begins_unclearly(old: str, new: str) -> bool:
    return old[:2].lower() != new[:2].lower() and any(word.lower().startswith(_UNCLEAR) for word in (old, new))
