"""The extractor as a whole: applying its edits gives the target, whatever goes in."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.edits import apply_edits, get_extractor
from errata.edits.en import EnglishExtractor
from errata.edits.en.analysis import Analyser
from errata.edits.en.extractor import BATCH
from errata.edits.en.merge import MERGERS
from errata.errors import UnknownName, UsageError
from errata.model import Edit

WORDS = "the The cat cats Cat 's n't , . ! is was ran running to sub - way subway 中文 😀 mark NOUN 1,000 ’s a".split()
texts = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join),
    st.text(alphabet=st.characters(codec="utf-8"), max_size=30),
)


@pytest.mark.parametrize("merge", MERGERS)
@pytest.mark.parametrize("lev", [False, True])
@settings(max_examples=60, deadline=None)
@given(source=texts, targets=st.lists(texts, max_size=3))
def test_edits_give_the_target(analyser: Analyser, merge: str, lev: bool, source: str, targets: list[str]) -> None:
    extractor = EnglishExtractor(merge=merge, lev=lev, analyser=analyser)
    [annotated] = extractor.annotate([(source, targets)])
    assert annotated.sentence.tokens == tuple(source.split())
    assert [one.annotator for one in annotated.annotations] == [str(n) for n in range(len(targets))]
    for annotation, target in zip(annotated.annotations, targets, strict=True):
        assert annotation.target == target
        assert apply_edits(annotated.sentence.tokens, annotation.edits) == tuple(target.split())


@pytest.mark.parametrize(
    ("source", "target", "edits"),
    [
        ("", "", []),
        ("", "Hi", [Edit(0, 0, ("Hi",), "M:OTHER")]),
        ("Hi", "", [Edit(0, 1, (), "U:OTHER")]),
        ("a  b", "a b", []),
        ("I like 😀 .", "I like cats .", [Edit(2, 3, ("cats",), "R:NOUN")]),
    ],
)
def test_edges(extractor: EnglishExtractor, source: str, target: str, edits: list[Edit]) -> None:
    [annotated] = extractor.annotate([(source, [target])])
    assert [list(one.edits) for one in annotated.annotations] == [edits]


def test_order_and_batches(extractor: EnglishExtractor) -> None:
    pairs = [(f"line {n} are here .", [f"line {n} is here .", f"line {n} are here ."]) for n in range(BATCH + 3)]
    found = list(extractor.annotate(pairs))
    assert [one.sentence.tokens[1] for one in found] == [str(n) for n in range(BATCH + 3)]
    assert all([len(a.edits) for a in one.annotations] == [1, 0] for one in found)


def test_reads_ahead_by_a_batch_only(extractor: EnglishExtractor) -> None:
    taken = 0

    def endless():
        nonlocal taken
        while True:
            taken += 1
            yield "a b", ["a b"]

    next(extractor.annotate(endless()))
    assert taken <= BATCH


def test_workers_give_the_same() -> None:
    pairs = [(f"He have {n} cat .", [f"He has {n} cats ."]) for n in range(BATCH + 10)]
    alone, together = (list(EnglishExtractor(workers=n, cache=False).annotate(pairs)) for n in (1, 2))
    assert together == alone


def test_raw_text() -> None:
    extractor = EnglishExtractor(tokenise=True, cache=False)
    pairs = [("I don't  like it.", ["I don't like them.", "I don't like it."]), ("Fine.", ["Fine."])]
    first, second = extractor.annotate(pairs)
    assert first.sentence.tokens == ("I", "do", "n't", "like", "it", ".")
    assert first.sentence.text == "I don't like it."
    assert [list(one.edits) for one in first.annotations] == [[Edit(4, 5, ("them",), "R:PRON")], []]
    assert second.sentence.tokens == ("Fine", ".")


def test_signature_says_what_the_edits_depend_on(extractor: EnglishExtractor) -> None:
    assert extractor.signature.startswith("spacy:3.8")
    assert "model:en_core_web_sm-3.8.0" in extractor.signature
    assert EnglishExtractor(merge="all-split", lev=True, tokenise=True).signature.endswith(
        "errant:3.0.2|merge:all-split|align:levenshtein|tok:spacy"
    )


def test_bad_options() -> None:
    with pytest.raises(UnknownName, match="all-split"):
        get_extractor("en", merge="all-spilt")
    with pytest.raises(UsageError, match="positive"):
        get_extractor("en", workers=0)


def test_a_correction_of_spacing_alone_changes_no_token(analyser: Analyser) -> None:
    from errata.formats.m2 import M2

    extractor = EnglishExtractor(tokenise=True, analyser=analyser)
    [annotated] = extractor.annotate([("It is allowed.For more, ask.", ["It is allowed. For more, ask."])])
    assert annotated.annotations[0].edits == ()
    assert "noop" in "".join(M2().format([annotated]))
