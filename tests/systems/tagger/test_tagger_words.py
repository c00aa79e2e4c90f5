"""Word knowledge: inflection table and spelling dictionary."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.errors import DataError
from errata.systems.tagger.inventory import change_case
from errata.systems.tagger.pie import suffix_change
from errata.systems.tagger.spelling import Speller
from errata.text.morphology import FORMS, Inflections, follow_case


@pytest.mark.parametrize(
    ("word", "tag", "form"),
    [
        ("goes", "VBD", "went"),
        ("Goes", "VBD", "Went"),
        ("GOES", "VBN", "GONE"),
        ("watches", "NN", "watch"),
        ("child", "NNS", "children"),
        ("biggest", "JJR", "bigger"),
        ("xyz", "VBD", None),
        ("go", "NNS", None),
    ],
)
def test_inflect(lexicon, word, tag, form):
    assert lexicon.inflections.inflect(word, tag) == form


def test_same_form_has_the_first_tag(lexicon):
    assert list(lexicon.inflections.tags_between("walk", "walked")) == ["VBD", "VBN"]
    assert list(lexicon.inflections.tags_between("watch", "watches")) == ["VBZ", "NNS"]
    assert lexicon.inflections.are_related("went", "Going")
    assert not lexicon.inflections.are_related("went", "walk")


def test_lexemes_of_lemminflect():
    table = Inflections.of_words(["went", "mice", "watch", "happier", "the", "3rd"])
    assert table.inflect("go", "VBN") == "gone"
    assert table.inflect("mouse", "NNS") == "mice"
    assert table.inflect("watch", "NNS") == "watches"
    assert table.inflect("happy", "JJS") == "happiest"
    assert table.inflect("the", "NNS") is None


def test_inflections_survive_a_file(tmp_path, lexicon):
    lexicon.inflections.save(tmp_path / "table.gz")
    assert Inflections.load(tmp_path / "table.gz").lexemes == lexicon.inflections.lexemes
    with pytest.raises(DataError, match="missing"):
        Inflections.load(tmp_path / "other.gz")


letters = st.text("abgo", max_size=3)
tables = st.lists(
    st.one_of(*(st.tuples(st.just(kind), *[letters] * len(forms)) for kind, forms in FORMS.items())), max_size=12
)


@given(tables, letters)
def test_searching_the_text_finds_the_same(tmp_path_factory, lexemes, form):
    path = tmp_path_factory.mktemp("table") / "table.gz"
    Inflections(lexemes).save(path)
    quick, thorough = Inflections.load(path), Inflections(lexemes)
    for kind in FORMS:
        assert quick._find(kind, form) == (thorough._find(kind, form) if form else None)


@pytest.mark.parametrize(
    "content", [b"no gzip", gzip.compress(b"V\tgo\n", mtime=0), gzip.compress(b"X\ta\n", mtime=0)[:-3]]
)
def test_a_damaged_table_is_one_line(tmp_path, content):
    (tmp_path / "table.gz").write_bytes(content)
    with pytest.raises(DataError, match=r"table\.gz"):
        Inflections.load(tmp_path / "table.gz").inflect("go", "VBD")


@pytest.mark.parametrize(
    ("pattern", "word", "answer"),
    [("The", "a", "A"), ("NASA", "esa", "ESA"), ("I", "me", "me"), ("A", "the", "The"), ("he", "it", "it")],
)
def test_follow_case(pattern, word, answer):
    assert follow_case(pattern, word) == answer


@pytest.mark.parametrize(
    ("case", "answer"), [("capital", "Ipad"), ("capital-1", "iPad"), ("upper", "IPAD"), ("lower", "ipad")]
)
def test_change_case(case, answer):
    assert change_case("ipad", case) == answer


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("becuase", "because"),
        ("Recieve", "Receive"),
        ("freind", "friend"),
        ("yestrdey", "yesterday"),
        ("school", None),  # known
        ("teh", None),  # too short to guess
        ("qqqqqqqq", None),
        ("sch00l", None),
    ],
)
def test_spelling(lexicon, word, answer):
    assert lexicon.speller.correct(word) == answer


def test_speller_learns_frequent_words_and_survives_a_file(tmp_path):
    from collections import Counter

    speller = Speller.learn(Counter({"The": 5, "the": 5, "dog": 4, "rare": 1, "3rd": 9}), size=10, min_count=2)
    assert speller.words == ("the", "dog")
    speller.save(tmp_path / "words.gz")
    assert Speller.load(tmp_path / "words.gz").words == speller.words


def test_a_speller_leaves_endless_words_alone():
    speller = Speller(["the", "banana"])
    assert speller.correct("bananna") == "banana"
    assert speller.correct("ba" + 1_000_000 * "na") is None


@pytest.mark.parametrize(
    ("word", "target", "change"),
    [("tries", "try", ("ies", "y")), ("walk", "walked", ("", "ed")), ("cat", "dog", None), ("go", "g0", None)],
)
def test_suffix_change(word, target, change):
    assert suffix_change(word, target) == change
