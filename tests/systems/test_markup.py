from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from meddling import Meddling
from test_documents import Replacing

from errata.edits.apply import apply_text_edits
from errata.errors import UnknownName
from errata.systems.documents import DocumentCorrector
from errata.systems.markup import MarkupCorrector
from errata.text.markdown import parts


def correct(text: str, table: dict[str, str]) -> str:
    corrector = DocumentCorrector(Replacing(table), name="test")
    (answer,) = MarkupCorrector(corrector, "markdown").correct([text])
    assert apply_text_edits(text, answer.edits) == answer.target
    return answer.target


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ("He **go** home", "He **goes** home"),
        ("# He go `go` [go](go)", "# He goes `go` [goes](go)"),
        ("He\ngo\nhome", "He\ngoes\nhome"),
        ("> He\r\n> go", "> He\r\n> goes"),
        ("| go |\n|---|\n| go\\|go |", "| goes |\n|---|\n| goes\\|goes |"),
        ("[go]\n\n[go]: /go", "[go]\n\n[go]: /go"),
        ("```\ngo\n```\n\n    go\n\n<p>go</p>", "```\ngo\n```\n\n    go\n\n<p>go</p>"),
        ("see https://go.go/go", "see https://go.go/go"),
    ],
)
def test_only_prose_is_corrected(text: str, corrected: str) -> None:
    assert correct(text, {"go": "goes"}) == corrected


@pytest.mark.parametrize(
    ("text", "table", "corrected"),
    [
        ("One day. He go.", {"One": "1.", "go": "goes"}, "One day. He goes."),
        ("a star b star c", {"star": "*", "a": "an"}, "an star b star c"),
        ("no code here", {"no": "`", "here": "`"}, "no code here"),
        ("a | b", {"a": "#"}, "a | b"),
    ],
)
def test_prose_does_not_become_markup(text: str, table: dict[str, str], corrected: str) -> None:
    assert correct(text, table) == corrected


@pytest.mark.parametrize(
    ("text", "table", "corrected"),
    [
        ("# A title\n\n- item", {"title": "title .", "item": "item ?"}, "# A title\n\n- item"),
        ("See here:\n\n    code", {":": "."}, "See here:\n\n    code"),
        ("- two dog\n- more", {"dog": "dogs .", "more": ". "}, "- two dogs\n- "),
        ("It ends.\nIt go !", {"ends": "ended", "!": "."}, "It ended.\nIt go."),
        ("一个标题\n\n好", {"题": "题 。"}, "一个标题\n\n好"),
    ],
)
def test_blocks_end_as_they_do(text: str, table: dict[str, str], corrected: str) -> None:
    assert correct(text, table) == corrected


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ("- any file\n- any file.", "- any file\n- Any file."),
        ("| any | file |\n|---|---|\n| any file | any |", "| any | file |\n|---|---|\n| any file | any |"),
        ("one  \nany file.", "one  \nany file."),
        ("so any file.", "so Any file."),
    ],
)
def test_fragments_begin_as_they_do(text: str, corrected: str) -> None:
    assert correct(text, {"any": "Any"}) == corrected


def test_what_is_left_of_an_edit_has_its_own_type() -> None:
    corrector = DocumentCorrector(Replacing({"dog": "dogs ."}), name="test")
    (answer,) = MarkupCorrector(corrector, "markdown").correct(["- two dog"])
    assert [(edit.replacement, edit.type) for edit in answer.edits] == [("dogs", "R:NOUN:NUM")]


def test_an_unknown_markup_is_named() -> None:
    with pytest.raises(UnknownName, match="markdown"):
        MarkupCorrector(DocumentCorrector(Replacing({}), name="test"), "latex")


lines = st.sampled_from(
    [
        "# a title",
        "some *words* here",
        "- item [x](y)",
        "> quote `c`",
        "| a | b |",
        "|---|---|",
        "```",
        "",
        "中文，好。",
    ]
)


@settings(deadline=None)
@given(st.lists(lines, max_size=8), st.integers(0, 9), st.sampled_from(["\n", "\r\n"]))
def test_markup_survives_whatever_is_proposed(some: list[str], seed: int, end: str) -> None:
    text = end.join(some)
    corrector = MarkupCorrector(DocumentCorrector(Meddling(seed=seed), name="test"), "markdown")
    (answer,) = corrector.correct([text])
    assert apply_text_edits(text, answer.edits) == answer.target
    assert skeleton(answer.target) == skeleton(text)


def skeleton(text: str) -> str:
    return "".join(part.text for part in parts(text) if part.is_markup)
