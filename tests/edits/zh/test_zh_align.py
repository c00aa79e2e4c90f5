"""The alignment kernels against each other and against the spelled-out version."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spelled_out import every_path, group

from errata.edits.zh import _align_py, align
from errata.edits.zh.features import TokenTable
from errata.edits.zh.lexicon import Lexicon
from errata.errors import DataError

try:
    from errata.edits.zh import _align_c
except ImportError:
    _align_c = None  # type: ignore[assignment]

needs_compiled = pytest.mark.skipif(_align_c is None, reason="the compiled kernel was not built")

# Characters of one sound (他她它), of two sounds (行), far and near in the lexicon below, and punctuation.
ALPHABET = "他她行航，。a"
LEXICON = Lexicon(
    {"他": "Aa02", "她": "Aa03", "行": "Hj33", "航": "Hf33", "a": "Ab02"},
    {"他": "他 航 她", "他们": "他们 她 航", "，": "， 。"},
)
TABLES = {"without-lexicon": TokenTable(Lexicon()), "with-lexicon": TokenTable(LEXICON)}

texts = st.text(ALPHABET, max_size=9) | st.text("他她", max_size=14)


@st.composite
def shuffled_pairs(draw: st.DrawFn) -> tuple[str, str]:
    """Two texts that share stretches in another order: transpositions and long ties."""
    parts = draw(st.lists(st.text(ALPHABET[:5], min_size=1, max_size=3), max_size=4))
    return "".join(parts), "".join(draw(st.permutations(parts))) + draw(st.text(ALPHABET, max_size=1))


pairs = st.tuples(texts, texts) | shuffled_pairs()


def numbers(table: TokenTable, pair: tuple[str, str]) -> tuple[array[int], array[int]]:
    return table.intern(pair[0]), table.intern(pair[1])


@needs_compiled
@pytest.mark.parametrize("name", TABLES)
@settings(deadline=None)
@given(pair=pairs)
def test_kernels_agree(name: str, pair: tuple[str, str]) -> None:
    table = TABLES[name]
    source, target = numbers(table, pair)
    assert _align_c.fill_moves(source, target, table) == _align_py.fill_moves(source, target, table)


@needs_compiled
@settings(deadline=None)
@given(pair=st.tuples(st.text(max_size=8), st.text(max_size=8)))
def test_kernels_agree_on_any_characters(pair: tuple[str, str]) -> None:
    table = TokenTable(LEXICON)
    source, target = numbers(table, pair)
    assert _align_c.fill_moves(source, target, table) == _align_py.fill_moves(source, target, table)


@needs_compiled
@settings(deadline=None)
@given(
    pair=st.tuples(*[st.lists(st.sampled_from(["他", "她", "他们", "航她", "银行", "[MC]", "，，"]), max_size=6)] * 2)
)
def test_kernels_agree_on_words(pair: tuple[list[str], list[str]]) -> None:
    table = TABLES["with-lexicon"]
    source, target = table.intern(pair[0]), table.intern(pair[1])
    assert _align_c.fill_moves(source, target, table) == _align_py.fill_moves(source, target, table)


short = st.tuples(st.text(ALPHABET, max_size=6), st.text(ALPHABET, max_size=6)) | shuffled_pairs().filter(
    lambda pair: len(pair[0]) < 8
)


@pytest.mark.parametrize("name", TABLES)
@settings(deadline=None)
@given(pair=short)
def test_item_lists_are_those_of_every_path_in_order(name: str, pair: tuple[str, str]) -> None:
    table = TABLES[name]
    source, target = numbers(table, pair)
    expected = [group(path) for path in every_path(source, target, table)]
    distinct = [items for n, items in enumerate(expected) if items not in expected[:n]]
    found = list(align.alignments(source, target, table, every=True))
    assert [items for n, items in enumerate(found) if items not in found[:n]] == distinct
    assert list(align.alignments(source, target, table, every=False)) == distinct[:1]


def test_lengths_that_differ_by_more_than_ten_get_one_alignment() -> None:
    table = TABLES["without-lexicon"]
    for n_extra, n_expected in ((0, 2), (10, 2), (11, 1)):
        source, target = table.intern("丙" * n_extra + "甲甲甲乙"), table.intern("甲乙乙丁")
        assert len({tuple(items) for items in align.alignments(source, target, table, every=True)}) == n_expected


def test_nothing_aligns_with_nothing() -> None:
    table = TABLES["without-lexicon"]
    assert list(align.alignments(array("i"), array("i"), table, every=True)) == [[]]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        pytest.param("因为冰箱里没有菜。" * 10, "的" * 300, id="one-character-300-times"),
        pytest.param("甲乙" * 60, "甲乙丙" * 40, id="periodic"),
    ],
)
def test_degenerate_pairs_come_to_an_end(source: str, target: str, caplog: pytest.LogCaptureFixture) -> None:
    table = TABLES["without-lexicon"]
    found = list(align.alignments(table.intern(source), table.intern(target), table, every=True))
    assert found
    assert ("are left out" in caplog.text) == (len(found) > align.MAX_PARTIAL)


def test_a_pair_too_long_for_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(align, "MAX_CELLS", 8)
    table = TABLES["without-lexicon"]
    with pytest.raises(DataError, match="cannot align 4 tokens with 3: too long for one sentence"):
        align.alignments(table.intern("他她他她"), table.intern("她他他"), table, every=True)
