"""Cases that cannot be scored are named by case and line; nothing else comes out, whatever comes in."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robust_cases import PARA, parse

from errata.errors import AlignmentError, DataError, ErrataError
from errata.robustness.cases import (
    Subset,
    UnscorableCase,
    check_subset,
    read_subset,
    read_subsets,
    subset_of_cases,
    with_hypotheses,
)


def read(text: str, folder: Path, *, lenient: bool = False) -> Subset:
    path = folder / "mine.para"
    path.write_text(text, encoding="utf-8", newline="\n")
    return check_subset(read_subset(path, lenient=lenient), "en", lenient=lenient)


def without(text: str, line: str) -> str:
    assert line in text
    return text.replace(f"{line}\n", "", 1)


FAULTS = [
    pytest.param(without(PARA, "A2-T I like playing chess ."), 7, "case 1: A2 has no target (A2-T)", id="no target"),
    pytest.param(without(PARA, "O-T My answer is no ."), 11, "case 2: O has no target (O-T)", id="no target of O"),
    pytest.param(
        without(PARA, "A1-P My response is no ."), 14, "case 2: A1 has no prediction (A1-P)", id="no prediction"
    ),
    pytest.param(
        PARA[: PARA.rindex("A2-S")],
        34,
        "case 4: the number of variants is 1, in most cases it is 2",
        id="missing variant",
    ),
    pytest.param(
        PARA.replace("A2-T I like playing chess .", "A2-T I likes play chess ."),
        7,
        "case 1: the error itself was changed, A2 needs other corrections than O",
        id="another error",
    ),
    pytest.param(
        "O-S a\nO-T a\nO-P a\n",
        1,
        "case 1: there is no variant to compare the original with",
        id="no variants",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "message"), FAULTS)
def test_faults_are_named(text: str, line: int, message: str, tmp_path: Path) -> None:
    with pytest.raises(UnscorableCase) as caught:
        read(text, tmp_path)
    assert str(caught.value) == f"{tmp_path / 'mine.para'}:{line}: {message}"


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        pytest.param(FAULTS[0].values[0], [2, 3, 3, 3], id="a variant less"),
        pytest.param(FAULTS[1].values[0], [3, 3, 3], id="a case less"),
        pytest.param(FAULTS[3].values[0], [3, 3, 3, 2], id="a variant was missing"),
        pytest.param(FAULTS[4].values[0], [3, 3, 3, 3], id="another error"),
        pytest.param(PARA.replace("A1-", "A7-").replace("A2-", "A9-"), [3, 3, 3, 3], id="gaps"),
    ],
)
def test_lenient_scores_the_rest(text: str, sizes: list[int], tmp_path: Path) -> None:
    found = read(text, tmp_path, lenient=True)
    assert [len(case.samples) for case in found.cases] == sizes
    assert bool(found.faults) == ("A9" not in text)


def test_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    paths = [tmp_path / folder / "para.txt" for folder in ("one", "two")]
    for path in paths:
        path.parent.mkdir()
        path.write_text(PARA.replace("chess", path.parent.name), encoding="utf-8")
    assert [subset.name for subset in read_subsets(paths)] == ["one/para", "two/para"]
    assert [subset.name for subset in read_subsets(paths[:1])] == ["para"]


def test_lenient_marks_another_error(tmp_path: Path) -> None:
    found = read(FAULTS[4].values[0], tmp_path, lenient=True)  # type: ignore[arg-type]
    assert [case.changed for case in found.cases] == [{2}, set(), set(), set()]


def test_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"mine\.para: no case is left to score"):
        read("O-S a\nO-T a\nO-P a\n", tmp_path, lenient=True)
    with pytest.raises(DataError, match=r"mine\.para: there are no cases to score"):
        read("\n", tmp_path)


@pytest.mark.parametrize(
    ("n_lines", "where"),
    [
        (11, "; the first without one is A2 of case 4 (mine:12)"),
        (0, "; the first without one is O of case 1 (mine:1)"),
        (13, ""),
    ],
)
def test_hypotheses_of_another_length(n_lines: int, where: str) -> None:
    subset = subset_of_cases("mine", parse(PARA))
    with pytest.raises(AlignmentError) as caught:
        with_hypotheses([subset], ["a"] * n_lines, "hyp.txt")
    assert str(caught.value) == f"hyp.txt has {n_lines} lines, mine 12 samples: one line for each{where}"


def test_hypotheses_come_in_the_order_of_the_samples() -> None:
    subset = subset_of_cases("mine", parse(PARA))
    first, second = with_hypotheses([subset, subset], [str(n) for n in range(24)], "hyp.txt")
    assert [one.prediction for one in first.cases[1].samples] == ["3", "4", "5"]
    assert [one.prediction for one in second.cases[0].samples] == ["12", "13", "14"]


PIECES = st.sampled_from(
    ["O-S ", "O-T a", "A1-S ", "A1-T", "A2-P ", "A3-S x", "A999999999-S", "\n", "\n\n", "\r", " ", "é", "我"]
)


@settings(max_examples=100)
@given(data=st.data(), lenient=st.booleans())
def test_any_file_gives_cases_or_one_line(
    data: st.DataObject, lenient: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = PARA
    for _ in range(data.draw(st.integers(1, 5))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + data.draw(st.sampled_from([0, 1, 5, 40])))))
        text = text[:start] + data.draw(PIECES | st.text(max_size=3).filter(str.isprintable)) + text[end:]
    try:
        found = read(text, tmp_path_factory.getbasetemp(), lenient=lenient)
    except ErrataError as error:
        assert "\n" not in str(error)
    else:
        assert lenient or not found.faults
        for case in found.cases:
            assert len(case.samples) > 1 and case.samples[0].name == "O"
            assert all(one.target is not None and one.prediction is not None for one in case.samples)
            assert lenient or not case.changed
