"""`errata.robust`, the flips it shows, and the page made of its report."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from robust_cases import PARA, ZH_PARA, parse

import errata
from errata.model import Correction, TextEdit
from errata.robustness.flips import mark_pieces
from errata.robustness.page import format_page
from errata.robustness.report import RobustReport


@pytest.fixture(scope="module")
def report() -> RobustReport:
    return errata.robust({"a": parse(PARA)[:2], "b": parse(PARA)[2:]}, by=["action", "type"], bootstrap=50)


def test_subsets_and_total(report: RobustReport) -> None:
    assert [(one.name, one.n_cases) for one in report.rows] == [("a", 2), ("b", 2), ("total", 4)]
    assert report.total.scores["official"].crs == 1 / 4
    assert [one.scores["consistent"].p_crs for one in report.rows] == [2 / 4, 3 / 4, 5 / 8]
    assert list(report.signatures) == ["official", "consistent"]
    assert report.signatures["official"].startswith("robust|official|")
    assert report.signatures["official"].endswith("|bootstrap:50|seed:12345")


def test_flips_side_by_side(report: RobustReport) -> None:
    assert report.n_flips == 3
    shown = [(flip.case, flip.sample, flip.original.text, flip.variant.text) for flip in report.flips]
    assert shown == [
        (1, "A1", "He [go → goes] home {today} .", "He [go → went] home ."),
        (1, "A2", "I like [play → playing] {basketball} .", "I like play {chess} ."),
        (2, "A2", "My answer is {no} .", "My answer is [∅ → a] {very short} ."),
    ]


def test_json(report: RobustReport) -> None:
    told = json.loads(json.dumps(report.as_dict()))
    assert told["total"]["scores"]["official"]["original"]["tp"] == 2
    assert told["groups"]["action"]["delete"]["n_variants"] == 2
    assert told["flips"][0]["variant"]["fp"] == 1


def test_a_single_subset_is_the_total() -> None:
    found = errata.robust(parse(PARA), definition="consistent", bootstrap=0, flips=0)
    assert len(found.rows) == 1 and found.total is found.subsets[0]
    assert list(found.total.scores) == ["consistent"] and not found.flips and found.n_flips == 3


class Repairs:
    """Corrects two mistakes, one of them only before basketball."""

    name = "repairs"

    def correct(self, sentences: Sequence[str]) -> list[Correction]:
        return [self._correct(text) for text in sentences]

    def _correct(self, text: str) -> Correction:
        place = text.find("play basketball")
        if place < 0:
            place = text.find("go ")
            return Correction(text, (TextEdit(place, place + 2, "goes"),) if place >= 0 else ())
        return Correction(text, (TextEdit(place, place + 4, "playing"),))


class Texts(Repairs):
    """The same with plain texts."""

    def correct(self, sentences: Sequence[str]) -> list[str]:  # type: ignore[override]
        return [self._correct(text).target for text in sentences]


@pytest.mark.parametrize("corrector", [Repairs(), Texts()], ids=["corrections", "texts"])
def test_a_corrector_is_run(corrector: Any) -> None:
    told: list[tuple[str, int, int]] = []
    found = errata.robust(parse(PARA), corrector, bootstrap=0, progress=lambda *step: told.append(step))
    assert found.hypothesis == "repairs"
    assert found.total.scores["consistent"].p_crs == 6 / 8
    assert told[0] == ("correct", 12, 12) and told[-1] == ("score", 12, 12)


def test_hypotheses_as_a_list() -> None:
    cases = parse(PARA)
    targets = [sample.target for case in cases for sample in (case.original, *case.variants)]
    found = errata.robust(cases, targets, bootstrap=0)
    assert (found.total.scores["official"].crs, found.total.scores["consistent"].p_crs, found.n_flips) == (1.0, 1.0, 0)


def test_chinese() -> None:
    found = errata.robust(parse(ZH_PARA), bootstrap=0)
    assert found.language == "zh" and found.total.scores["consistent"].p_crs == 1 / 2
    assert found.flips[0].variant.text == "我{很}爱你门。"


def test_lenient_warns(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "mine.para"
    path.write_text(PARA.replace("A1-T My response is no .\n", ""), encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        found = errata.robust(path, lenient=True, bootstrap=0)
    assert f"{path}:14: case 2: A1 has no target" in caplog.text
    assert found.total.n_variants == 7 and len(found.faults) == 2


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((parse(PARA), ["a"]), {}, errata.AlignmentError, "hypotheses has 1 lines, cases 12 samples"),
        ((parse(PARA), "a"), {}, TypeError, "hypotheses is of type str"),
        ((3,), {}, TypeError, "cases is of type int"),
        (([3],), {}, TypeError, "cases[0] is of type int"),
        (([],), {}, errata.UsageError, "there are no cases"),
        (({},), {}, errata.UsageError, "there are no cases"),
        ((parse(PARA),), {"definition": "ofical"}, errata.UnknownName, "unknown definition 'ofical'"),
        ((parse(PARA),), {"language": "fr"}, errata.UnknownName, "unknown language 'fr'"),
        ((parse(PARA),), {"bootstrap": -1}, errata.UsageError, "bootstrap is the number of resamples"),
        ((parse(PARA),), {"flips": -1}, errata.UsageError, "flips is how many to show"),
        ((parse(PARA),), {"flop": 1}, errata.UnknownName, "unknown option of robust 'flop'"),
        ((parse(PARA),), {"by": ["x"]}, errata.UnknownName, "unknown grouping 'x'"),
        ((parse(PARA),), {"by": "action"}, TypeError, "by is of type str: give a list of groupings"),
        ((parse(PARA),), {"flips": "3"}, TypeError, "flips is of type str: give a whole number"),
        ((parse("O-S I go\nO-T I go\nA1-S He go\nA1-T He go\n"),), {}, errata.UsageError, "the cases have no pred"),
        (("nowhere.para",), {}, errata.DataError, "nowhere.para: No such file"),
        ((parse("O-S 1\nO-T 1\nA1-S 2\nA1-T 2\n"),), {}, errata.UsageError, "the cases are in neither English nor"),
    ],
)  # fmt: skip
def test_mistakes_are_one_line(
    arguments: tuple[Any, ...], options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        errata.robust(*arguments, **options)
    assert str(caught.value).startswith(message) and "\n" not in str(caught.value)


WORDS = st.lists(st.sampled_from("abcd"), max_size=8).map(tuple)


@given(WORDS, WORDS, st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=2))
def test_pieces_make_the_texts(source: tuple[str, ...], target: tuple[str, ...], spans: list[tuple[int, int]]) -> None:
    pieces = mark_pieces(source, target, [(min(span), max(span)) for span in spans])
    assert tuple(token for piece in pieces for token in piece.source) == source
    assert tuple(token for piece in pieces for token in piece.target) == target


class Page(HTMLParser):
    """Collects tags and what they refer to, and checks that they close."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "srcset", "data")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_needs_nothing_else(report: RobustReport) -> None:
    page = Page()
    text = format_page(report)
    page.feed(text)
    assert not page.open and not page.links and "url(" not in text and "@import" not in text
    assert {"table", "svg", "rect", "del", "ins", "mark"} <= page.seen
    assert "<ins>playing</ins>" in text and "total" in text and "P-CRS by action" in text


def test_the_page_shows_text_as_it_is() -> None:
    text = PARA.replace("chess", "<script>alert(1)</script>")
    page = format_page(errata.robust({"<b>": parse(text)}, bootstrap=0))
    assert "<script>" not in page and "&lt;script&gt;" in page and "<b>" not in page
