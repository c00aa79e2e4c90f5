from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from meddling import Meddling
from test_sentence_corrector import Replacing

from errata.edits.apply import apply_text_edits
from errata.errors import UnknownName
from errata.model import Correction
from errata.pipeline.corrector import Pipeline
from errata.pipeline.documents import Options
from errata.pipeline.sentences import SentenceCorrector
from errata.systems.base import TokenCorrector

COMMONMARK = MarkdownIt("commonmark").enable(["table", "strikethrough"])
OPAQUE = ("code_inline", "code_block", "fence", "html_inline", "html_block", "image")


def correct_once(text: str, model: TokenCorrector, markup: str = "markdown") -> Correction:
    corrector = SentenceCorrector(model, name="test")
    options = Options(frozenset({"en"}), "en", is_stable=False)
    return Pipeline("test", lambda _: corrector, options).correct([text], markup=markup)[0]


def correct(text: str, table: dict[str, str]) -> str:
    answer = correct_once(text, Replacing(table))
    assert apply_text_edits(text, answer.edits) == answer.target
    return answer.target


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ("He **go** home", "He **goes** home"),
        ("# He go to `go` and [go](go)", "# He goes to `go` and [goes](go)"),
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
        ("- two dog\n- more", {"dog": "dogs .", "more": ". "}, "- two dogs\n- more"),
        ("It ends.\nIt go !", {"ends": "ended", "!": "."}, "It ended.\nIt go."),
        ("一个标题\n\n好", {"题": "题 。"}, "一个标题\n\n好"),
    ],
)
def test_blocks_end_as_they_do(text: str, table: dict[str, str], corrected: str) -> None:
    assert correct(text, table) == corrected


@pytest.mark.parametrize("dash", ["-", "--", "–", "—"])
def test_the_dash_after_a_term_stays(dash: str) -> None:
    assert correct(f"- Term {dash} a meaning", {dash: ""}) == f"- Term {dash} a meaning"
    assert correct(f"- a{dash}b", {dash: ""}) != f"- a{dash}b"


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ("- any file\n- A file\n- any file.", "- any file\n- A file\n- Any file."),
        ("It is:\n\n- any file.\n- any file.", "It is:\n\n- any file.\n- any file."),
        ("- any: a file.\n- `a`\n- any `a` file.", "- any: a file.\n- `a`\n- any `a` file."),
        ("| any | file |\n|---|---|\n| any file | any |", "| any | file |\n|---|---|\n| any file | any |"),
        ("one  \nany file.", "one  \nany file."),
        ("so any file.", "so Any file."),
    ],
)
def test_fragments_begin_as_they_do(text: str, corrected: str) -> None:
    assert correct(text, {"any": "Any"}) == corrected


def test_what_is_left_of_an_edit_has_its_own_type() -> None:
    answer = correct_once("- two dog", Replacing({"dog": "dogs ."}))
    assert [(edit.replacement, edit.type) for edit in answer.edits] == [("dogs", "R:NOUN:NUM")]


def test_an_unknown_markup_is_named() -> None:
    with pytest.raises(UnknownName, match="markdown"):
        correct_once("a", Replacing({}), "latex")


@pytest.mark.parametrize(
    ("text", "table", "corrected"),
    [
        # what a model wants beside a code span, a formula, an image, a variable or a URL
        ("see `foo` now", {"see": "see the"}, "see `foo` now"),
        ("see the `foo` now", {"the": ""}, "see the `foo` now"),
        ("see (`foo`) now", {"see": "see the"}, "see (`foo`) now"),
        ("as a `url` now", {"a": "an"}, "as a `url` now"),
        ("the $x + y$ are", {"are": "is"}, "the $x + y$ are"),
        ("two ![dog](d) book", {"book": "books"}, "two ![dog](d) book"),
        ("see at <https://a.b/c>", {"at": "on"}, "see at <https://a.b/c>"),
        ("from `a` - `z` it is", {"-": ""}, "from `a` - `z` it is"),
        ("by <kbd>x</kbd> book", {"book": "books"}, "by <kbd>x</kbd> book"),
        ("any {{ name }} is", {"any": "Any"}, "any {{ name }} is"),
        ("`a`, `b` and `c` are", {"and": ", and"}, "`a`, `b` and `c` are"),
        ("Jo <a@b.org> wrote", {"Jo": "Jo ,"}, "Jo, <a@b.org> wrote"),
        ("Jo <a@b.org>", {"Jo": "Jo ,"}, "Jo <a@b.org>"),
        ("- `size()`: Return it", {"Return": "Returns"}, "- `size()`: Return it"),
        ("- `size` - set it", {"set": "Sets"}, "- `size` - set it"),
        # what has evidence of its own
        ("- `x`: Recieve it", {"Recieve": "Receive"}, "- `x`: Receive it"),
        ("- `x`: Return they", {"they": "them"}, "- `x`: Return them"),
        ("with `x` it is", {"it": ", it"}, "with `x`, it is"),
        ("so [`x`](y) it is", {"it": ", it"}, "so [`x`](y), it is"),
        ("so `x` and it is", {"and": ", and"}, "so `x`, and it is"),
        ("in this case `x` is", {"case": "case ,"}, "in this case, `x` is"),
        ("he have `x` now", {"have": "has"}, "he has `x` now"),
        ("to `x` recieve it", {"recieve": "receive"}, "to `x` receive it"),
        ("用`x`的时侯很好", {"侯": "候"}, "用`x`的时候很好"),
        ("用`x`时好", {"时": "的时"}, "用`x`时好"),
        ("see `x` of the dog are", {"are": "is"}, "see `x` of the dog is"),
    ],
)
def test_edits_beside_code_have_evidence_of_their_own(text: str, table: dict[str, str], corrected: str) -> None:
    assert correct(text, table) == corrected


@pytest.mark.parametrize(
    ("text", "table", "corrected"),
    [
        ("See [the docs](x) however", {"docs": "docs ,"}, "See [the docs](x), however"),
        ("**Note** that it", {"Note": "Note ,"}, "**Note**, that it"),
        ("See _**it**_ now", {"it": "it ,"}, "See _**it**_, now"),
        ("See <b>it</b> now", {"it": "it ,"}, "See <b>it</b>, now"),
        ("See ==it== now", {"it": "it ,"}, "See ==it==, now"),
        ("See it[^1] now", {"it": "it ,"}, "See it,[^1] now"),
        ("**Note:** that it", {":": ""}, "**Note:** that it"),
        ("**One**<br>two", {"One": "One ."}, "**One**<br>two"),
        ("See [one two](x) now", {"one": "one ,"}, "See [one two](x) now"),
    ],
)
def test_punctuation_stays_out_of_links_and_emphasis(text: str, table: dict[str, str], corrected: str) -> None:
    assert correct(text, table) == corrected


pieces = st.sampled_from(
    "one two ¦he go ¦*it is* ¦**Note** ¦__a b__¦~~old~~ ¦==marked== ¦<b>it</b> ¦<br>¦[the docs](x) ¦"
    "[the *good* docs][r]¦[r] ¦![alt text](i) ¦https://a.b/c ¦`code`¦$x$ ¦{{ v }} ¦a_b ¦"
    ":smile: ¦[^1] ¦don't ¦ - ¦–¦, ¦. ¦\u00a0¦中文，好。¦"
    "  \n¦\n¦\n\n¦\n- ¦\n7. ¦\n# ¦\n> [!NOTE]\n> ¦\n!!! tip\n    ¦\n| a b | c |\n|---|---|\n| d | e |\n\n¦"
    "\n\n[^1]: a note\n¦\n```\nx\n```\n".split("¦")
)
documents = st.lists(pieces, max_size=14).map(lambda some: "".join(some) + "\n\n[r]: http://a.b 'title'\n")


@settings(deadline=None)
@given(documents, st.integers(0, 9), st.sampled_from(["\n", "\r\n"]))
@example("\n\n[^1]: a note\n - \n\n[r]: http://a.b 'title'\n", 0, "\n")
def test_markup_survives_whatever_is_proposed(document: str, seed: int, end: str) -> None:
    text = document.replace("\n", end)
    answer = correct_once(text, Meddling(seed=seed))
    assert apply_text_edits(text, answer.edits) == answer.target
    assert skeleton(answer.target) == skeleton(text)
    for before, after in zip(elements(text), elements(answer.target), strict=True):
        assert not after - before


def tokens(text: str) -> Iterator[Token]:
    """The blocks and elements of a document as CommonMark has them; it knows no footnotes."""
    for block in COMMONMARK.parse(text.replace("[^1]:", "(^1):")):
        yield from (block, *(block.children or ()))


def skeleton(text: str) -> list[tuple[object, ...]]:
    """The blocks and elements of a document, code and targets with their content."""
    return [
        (token.type, token.markup, str(token.attrs), token.content if token.type in OPAQUE else "")
        for token in tokens(text)
        if token.type not in ("text", "inline")
    ]


def elements(text: str) -> list[Counter[str]]:
    """The punctuation in each link and each emphasised stretch."""
    opened: list[Counter[str]] = []
    found: list[Counter[str]] = []
    for token in (token for token in tokens(text) if not token.block):
        if token.nesting > 0:
            opened.append(Counter())
            found.append(opened[-1])
        elif token.nesting < 0:
            opened.pop()
        for counts in opened:
            counts.update(re.findall(r"[^\w\s'’-]", token.content))
    return found
