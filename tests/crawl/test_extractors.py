"""Pages become paragraphs: justext as it is, only faster, and no page keeps a parser busy."""

from __future__ import annotations

import time
from html import escape

import justext
import pytest
from benchmarks.crawl.prose import Prose
from benchmarks.crawl.synthetic import page_of
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.crawl.drops import Drop
from errata.crawl.extractors import EXTRACTORS, Block, clean_text, extract_blocks, get_extractor, text_blocks

PROSE = Prose(3)
GOOD = PROSE.paragraph(4)
PIECES = st.sampled_from(
    [
        GOOD,
        GOOD[:120],
        GOOD[:60],
        "Home",
        "Copyright © 2020",
        "zzzz " * 30,
        '<a href="/">Home</a>',
        f'<a href="/">{GOOD[:50]}</a> {GOOD[:90]}',
        "<br><br>",
        "",
    ]
)
TAGS = st.sampled_from(["p", "h1", "h3", "div", "li", "td", "select", "span", "blockquote"])


@settings(max_examples=300)
@given(st.lists(st.tuples(TAGS, PIECES), max_size=12))
def test_justext_says_the_same(pieces: list[tuple[str, str]]) -> None:
    html = "<html><body>" + "".join(f"<{tag}>{text}</{tag}>" for tag, text in pieces) + "</body></html>"
    theirs = justext.justext(html, justext.get_stoplist("English"))
    expected = [Block(clean_text(one.text), one.is_boilerplate) for one in theirs if clean_text(one.text)]
    assert extract_blocks(html, get_extractor("justext")) == expected


@pytest.mark.parametrize("name", EXTRACTORS)
def test_every_extractor_finds_the_text(name: str) -> None:
    paragraphs = [PROSE.paragraph() for _ in range(4)]
    blocks = extract_blocks(page_of(paragraphs), get_extractor(name))
    assert [block.text for block in blocks if block.text in paragraphs and not block.is_boilerplate] == paragraphs


@pytest.mark.parametrize("name", ["trafilatura", "resiliparse"])
def test_chinese_pages(name: str) -> None:
    text = "今天天气很好，我们一起去公园散步，然后回家吃饭。这是一个很长的段落，所以它应该被保留下来。"
    assert Block(text) in extract_blocks(page_of([text] * 3), get_extractor(name))


HOSTILE = {
    "levels": "<div>" * 300 + GOOD,
    "tags": "<p>a" * 60_000,
    "attributes": "<p " + " ".join(f"a{number}=1" for number in range(1000)) + ">" + GOOD,
    "long names": "<" + "a" * 1_000_000,
    "brackets": "<" * 1_000_000,
    "open comment": "<!--" + "x" * 1_000_000,
    "comments": "<!--" * 200_000,
    "unclosed": "<p>a" * 20_000,
    "unclosed links": "<a href=x>b" * 200,
    "entities": "&amp;" * 200_000,
    "no entities": "&x" * 200_000,
    "spaces": f"<p>{' ' * 500_000}</p>",
    "one word": f"<p>{'a' * 1_000_000}</p>",
    "nothing": "",
    "declaration": '<?xml version="1.0" encoding="utf-16"?><html><body><p>a</p></body></html>',
    "replaced": "<html><body>\ufffd\ufffd</body></html>",
    "scripts": "<script>" * 10_000,
}


@pytest.mark.parametrize("name", EXTRACTORS)
@pytest.mark.parametrize("case", HOSTILE)
def test_no_page_keeps_a_parser_busy(name: str, case: str) -> None:
    begun = time.process_time()
    try:
        blocks = extract_blocks(HOSTILE[case], get_extractor(name))
        assert all(block.text == clean_text(block.text) != "" for block in blocks)
    except Drop as drop:
        assert drop.reason in ("markup", "unreadable")
    assert time.process_time() - begun < 10


@pytest.mark.parametrize("case", ["levels", "tags", "attributes"])
def test_hostile_markup_is_refused(case: str) -> None:
    with pytest.raises(Drop, match="markup"):
        extract_blocks(HOSTILE[case], get_extractor("justext"))


def test_lines_of_plain_text() -> None:
    assert text_blocks("One\r\n\r\n  two\tthree \nfour\u00ad\u200b\n \n") == [
        Block("One"),
        Block("two three"),
        Block("four"),
    ]


@given(st.text())
def test_clean_text_is_clean(text: str) -> None:
    cleaned = clean_text(text)
    assert cleaned == clean_text(cleaned)
    assert "\n" not in cleaned and "  " not in cleaned
    cleaned.encode("utf-8")


@given(st.text())
def test_any_text_can_be_a_page(text: str) -> None:
    for html in (text, page_of([escape(text)])):
        try:
            extract_blocks(html.replace("\0", "\ufffd"), get_extractor("justext"))
        except Drop as drop:
            assert drop.reason in ("markup", "unreadable")
