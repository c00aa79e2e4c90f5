"""P-CRS by groups of variants, and the words that are counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from robust_cases import PARA, ZH_PARA, judge, make_subset

from errata.errors import DataError, FormatError, UnknownName, UsageError
from errata.robustness.groups import GROUPINGS, check_groupings, count_words, group_variants
from errata.robustness.judging import Judge


def rows(name: str, text: str = PARA, frequencies: Path | None = None) -> dict[str, tuple[int, float, float | None]]:
    cases = judge(make_subset(text).cases)
    [found] = group_variants(cases, [name], Judge("en"), frequencies).values()
    return {label: (row.n_variants, row.official, row.consistent) for label, row in found.items()}


def test_by_action() -> None:
    assert rows("action") == {
        "substitute": (6, 4 / 6, 4 / 6),
        "delete": (2, 1 / 2, 1 / 2),
    }


def test_by_action_of_mixed_and_missing_perturbations() -> None:
    text = "O-S a b c d\nO-T a b c d\nO-P a b c d\nA1-S a x c d\nA1-T a x c d\nA1-P a x c d\n"
    mixed = text + "A2-S a x c\nA2-T a x c\nA2-P a x c\nA3-S a b c d\nA3-T a b c d\nA3-P a b c d\n"
    assert list(rows("action", mixed)) == ["substitute", "several", "no change"]


def test_by_distance() -> None:
    """Tokens between the perturbation and the error, in the variant."""
    assert rows("distance") == {
        "0": (5, 4 / 5, 4 / 5),
        "1": (1, 0.0, 0.0),
        "no error": (2, 1 / 2, 1 / 2),
    }


def test_by_pos() -> None:
    found = rows("pos")
    assert found["NOUN"][0] >= 3 and found["ADV"][0] >= 2


def test_by_type() -> None:
    assert rows("type") == {
        "R:VERB:SVA": (4, 3 / 4, 3 / 4),
        "R:VERB:FORM": (2, 1 / 2, 1 / 2),
        "no error": (2, 1 / 2, 1 / 2),
    }


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("hockey\t9\nchess\t10\nback\t51\n", {"low": 4, "medium": 1, "high": 1, "no substitution": 2}),
        ("Hockey hockey\nchess\n" + "back " * 51, {"low": 5, "high": 1, "no substitution": 2}),
    ],
    ids=["counts", "text"],
)
def test_by_frequency(content: str, expected: dict[str, int], tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text(content, encoding="utf-8")
    assert {label: row[0] for label, row in rows("frequency", frequencies=path).items()} == expected


def test_words_are_counted_in_lower_case(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    path.write_text("The\t2\nthe\t3\nother\t9\n", encoding="utf-8")
    assert count_words(path, {"the"}) == {"the": 5}
    path.write_text("the\t2\nthe\tmany\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"words\.tsv:2: not a word, a tab and a count"):
        count_words(path, {"the"})
    path.write_text("", encoding="utf-8")
    with pytest.raises(DataError, match="no words to count"):
        count_words(path, {"the"})


@pytest.mark.parametrize(
    ("names", "language", "frequencies", "error", "message"),
    [
        (["actoin"], "en", None, UnknownName, "did you mean 'action'"),
        (["pos"], "zh", None, UsageError, "pos groups by English"),
        (["frequency"], "en", None, UsageError, "frequency needs a file"),
        (["action"], "en", "words.txt", UsageError, "ask for it too"),
    ],
)
def test_groupings_that_cannot_be(
    names: list[str], language: str, frequencies: str | None, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        check_groupings(names, language, frequencies)


def test_every_variant_is_in_a_group(tmp_path: Path) -> None:
    cases = judge(make_subset(PARA).cases)
    path = tmp_path / "text.txt"
    path.write_text("some words\n", encoding="utf-8")
    found = group_variants(cases, list(GROUPINGS), Judge("en"), path)
    assert all(sum(row.n_variants for row in found[name].values()) == 8 for name in ("action", "distance", "frequency"))


def test_chinese_groups(tmp_path: Path) -> None:
    cases = judge(make_subset(ZH_PARA, "zh").cases, "zh")
    path = tmp_path / "text.txt"
    path.write_text("我想你们\n" * 11, encoding="utf-8")
    found = group_variants(cases, ["action", "type", "frequency"], Judge("zh"), path)
    assert {name: {label: row.n_variants for label, row in rows.items()} for name, rows in found.items()} == {
        "action": {"substitute": 1, "insert": 1},
        "type": {"S": 2},
        "frequency": {"medium": 1, "no substitution": 1},
    }
