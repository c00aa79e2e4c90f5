"""Merging strategies on alignments made by hand."""

from __future__ import annotations

import pytest
from english_cases import make_analysis

from errata.edits.en.align import align_plain
from errata.edits.en.merge import MERGERS


def spans(strategy: str, source: str, target: str, pos: tuple[str, str] = ("", ""), tags: tuple[str, str] = ("", "")):
    sides = (
        make_analysis(source.split(), pos[0], tags=tags[0]),
        make_analysis(target.split(), pos[1], tags=tags[1]),
    )
    return [tuple(span)[1:] for span in MERGERS[strategy](align_plain(*sides), *sides)]


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        ("all-split", [(1, 2, 1, 2), (2, 3, 2, 3), (3, 3, 3, 4)]),
        ("all-merge", [(1, 3, 1, 4)]),
        ("all-equal", [(1, 3, 1, 3), (3, 3, 3, 4)]),
    ],
)
def test_simple_strategies(strategy: str, expected: list[tuple[int, ...]]) -> None:
    assert spans(strategy, "x bbbb cccc y", "x bbbd ccce ffff y") == expected


@pytest.mark.parametrize(
    ("source", "target", "pos", "tags", "expected"),
    [
        pytest.param("x a b y", "x y", ("", ""), ("", ""), [(1, 3, 1, 1)], id="deletions together"),
        pytest.param("x y", "x a b y", ("", ""), ("", ""), [(1, 1, 1, 3)], id="insertions together"),
        pytest.param("x b a y", "x a b y", ("", ""), ("", ""), [(1, 3, 1, 3)], id="reordering alone"),
        pytest.param("sub way", "subway", ("", ""), ("", ""), [(0, 2, 0, 1)], id="white space"),
        pytest.param("sub - way", "subway", ("", ""), ("", ""), [(0, 3, 0, 1)], id="hyphen"),
        pytest.param("Cat ran", "The cat ran", ("NOUN VERB", "DET NOUN VERB"), ("", ""), [(0, 1, 0, 2)], id="case"),
        pytest.param(
            "x , we y", "x . We y", ("NOUN PUNCT PRON VERB",) * 2, ("", ""), [(1, 3, 1, 3)], id="full stop and case"
        ),
        pytest.param(
            "friends x", "friend 's x", ("", ""), ("NNS NN", "NN POS NN"), [(0, 1, 0, 2)], id="possessive joins"
        ),
        pytest.param(
            "to eat x", "eating x", ("PART VERB NOUN", "VERB NOUN"), ("", ""), [(0, 2, 0, 1)], id="infinitive"
        ),
        pytest.param(
            "bbbb cccc x", "bbbd ccce x", ("", ""), ("", ""), [(0, 1, 0, 1), (1, 2, 1, 2)], id="two substitutions apart"
        ),
    ],
)
def test_rules(source, target, pos, tags, expected) -> None:
    assert spans("rules", source, target, pos, tags) == expected


@pytest.mark.parametrize("strategy", MERGERS)
@pytest.mark.parametrize(("source", "target"), [("", ""), ("a", "a"), ("😀", "😀"), ("中 文", "中 文")])
def test_no_change_no_edit(strategy: str, source: str, target: str) -> None:
    assert spans(strategy, source, target) == []


@pytest.mark.parametrize("strategy", MERGERS)
@pytest.mark.parametrize(
    ("source", "target", "expected"), [("", "a", (0, 0, 0, 1)), ("a", "", (0, 1, 0, 0)), ("中", "国", (0, 1, 0, 1))]
)
def test_one_token(strategy: str, source: str, target: str, expected: tuple[int, ...]) -> None:
    assert spans(strategy, source, target) == [expected]
