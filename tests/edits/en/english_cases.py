"""Analyses made by hand, and corrections with the types they must get."""

from __future__ import annotations

from collections.abc import Sequence

from errata.edits.en.analysis import Analysis

# Every expected type is what ERRANT 3.0.2 answers (test_en_parity.py asks it again where it is installed).
CASES = [
    ("He have a cat .", "He has a cat .", "R:VERB:SVA"),
    ("They was here .", "They were here .", "R:VERB:SVA"),
    ("I eat it yesterday .", "I ate it yesterday .", "R:VERB:TENSE"),
    ("I like swim .", "I like swimming .", "R:VERB:FORM"),
    ("I want go home .", "I want to go home .", "M:VERB:FORM"),
    ("I will going home .", "I will go home .", "R:VERB:FORM"),
    ("I seen it .", "I have seen it .", "M:VERB:TENSE"),
    ("He can swims .", "He can swim .", "R:VERB:FORM"),
    ("I have two cat .", "I have two cats .", "R:NOUN:NUM"),
    ("I need informations .", "I need information .", "R:NOUN:INFL"),
    ("This is a beautifull day .", "This is a beautiful day .", "R:SPELL"),
    ("I recieve letters .", "I receive letters .", "R:SPELL"),
    ("I saw cat .", "I saw a cat .", "M:DET"),
    ("I saw the a cat .", "I saw a cat .", "U:DET"),
    ("I saw a apple .", "I saw an apple .", "R:DET"),
    ("I am good in chess .", "I am good at chess .", "R:PREP"),
    ("I listen music .", "I listen to music .", "M:PREP"),
    ("I discussed about it .", "I discussed it .", "U:PREP"),
    ("She is more tall .", "She is taller .", "R:ADJ:FORM"),
    ("He runs quick .", "He runs quickly .", "R:MORPH"),
    ("This is the book of my friend", "This is the book of my friend .", "M:PUNCT"),
    ("However I left .", "However , I left .", "M:PUNCT"),
    ("i left .", "I left .", "R:ORTH"),
    ("It is an ice cream .", "It is an icecream .", "R:ORTH"),
    ("I only have one .", "I have only one .", "R:WO"),
    ("My friends house is big .", "My friend 's house is big .", "R:NOUN:POSS"),
    ("It is the dog bone .", "It is the dog 's bone .", "M:NOUN:POSS"),
    ("I ca n't go .", "I can not go .", "R:CONTR"),
    ("He told to me .", "He told me .", "U:PREP"),
    ("Me like it .", "I like it .", "R:PRON"),
    ("Is good .", "It is good .", "M:PRON"),
    ("I gave up it and .", "I gave it up and .", "R:WO"),
    ("He is a house of the .", "He is a home of the .", "R:NOUN"),
    ("We look him .", "We watch him .", "R:VERB"),
    ("I am very happy .", "I am so happy .", "R:ADV"),
    ("I like cats but dogs .", "I like cats and dogs .", "R:CONJ"),
]


def make_analysis(words: Sequence[str], pos: str = "", lemmas: str = "", tags: str = "") -> Analysis:
    """An analysis by hand: everything is a noun of its own lemma unless said otherwise."""
    n, lowers = len(words), [word.lower() for word in words]
    return Analysis(
        words=list(words),
        tags=tags.split() or ["NN"] * n,
        pos=pos.split() or ["NOUN"] * n,
        lemmas=lemmas.split() or lowers,
        deps=["dep"] * n,
        heads=[0] * n,
        lowers=lowers,
    )
