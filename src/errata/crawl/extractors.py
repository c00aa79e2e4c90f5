"""A page of HTML as paragraphs, by one of three tools; hostile markup is refused before a tool sees it.

`justext` is what CWEB was made with: it classifies every block of a page. `trafilatura` and `resiliparse` give the main
text alone; for them nothing is counted as boilerplate, because they do not say what they left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from errata.crawl.drops import Drop
from errata.errors import MissingExtra

if TYPE_CHECKING:
    from justext.paragraph import Paragraph

# The parsers take quadratic time in what these limit: unclosed elements, levels, attributes of one element. libxml2
# drops what is deeper than 256 levels without a word.
MOST_TAGS, MOST_LEVELS, MOST_ATTRIBUTES = 50_000, 250, 500
# justext's defaults: characters of short and of long paragraphs, shares of stopwords and of linked characters, and
# characters between a heading and its paragraph.
SHORT, LONG, SOME_STOPWORDS, MANY_STOPWORDS, LINKED, HEADING_DISTANCE = 70, 200, 0.30, 0.32, 0.2, 200
_HEADING = re.compile(r"\bh\d\b")
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,20})([^<>]*+)")
# Elements that have no end, or need none.
_OPEN_ENDED = frozenset(
    "area base br col embed hr img input link meta param source track wbr p li dt dd option optgroup tr td th thead "
    "tbody tfoot colgroup html head body".split()
)
_DECLARATION = re.compile(r"\A\s*+<\?xml[^>]{0,200}+>")
_SPACE = re.compile(r"\s+")
# Controls, and marks that nobody sees: soft hyphens, zero-width spaces, byte order marks, directions.
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE = re.compile(r"[\r\n]+")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph of a page, its white space as single spaces."""

    text: str
    is_boilerplate: bool = False


Extractor = Callable[[str], list[Block]]


def get_extractor(name: str) -> Extractor:
    """The extractor of this name; a package that is missing is a `MissingExtra`."""
    try:
        return EXTRACTORS[name]()
    except ImportError as error:
        raise MissingExtra(error.name or name, "crawl") from error


def extract_blocks(html: str, extract: Extractor) -> list[Block]:
    """The paragraphs of a page; one that cannot be read is a `Drop`."""
    refuse_hostile(html)
    try:
        blocks = extract(_DECLARATION.sub("", html))
    except Drop:
        raise
    except RecursionError:
        raise Drop("markup") from None
    except Exception:
        # Whatever a parser raises on a page of a stranger (lxml's errors, ValueError, AssertionError …) is about
        # that page; the run goes on, and the page is counted.
        raise Drop("unreadable") from None
    return [block for block in blocks if block.text]


def text_blocks(text: str) -> list[Block]:
    """The paragraphs of a plain text (WET): its lines."""
    return [Block(line) for line in map(clean_text, _LINE.split(text)) if line]


def clean_text(text: str) -> str:
    """A paragraph with single spaces and without what cannot be seen.

    >>> clean_text(" co\\u00adoperate \\n well\\u200b ")
    'cooperate well'
    """
    return _SPACE.sub(" ", _SURROGATE.sub("\ufffd", _UNSEEN.sub("", text))).strip()


def refuse_hostile(html: str) -> None:
    """Raise a `Drop` for a page whose markup would keep a parser busy for minutes."""
    level = 0
    for number, tag in enumerate(_TAG.finditer(html)):
        closing, name, rest = tag.groups()
        if number >= MOST_TAGS or rest.count("=") > MOST_ATTRIBUTES:
            raise Drop("markup")
        if name.lower() not in _OPEN_ENDED and not rest.endswith("/"):
            level = max(0, level - 1) if closing else level + 1
        if level > MOST_LEVELS:
            raise Drop("markup")


def _load_justext() -> Extractor:
    from justext.core import ParagraphMaker, html_to_dom, preprocessor
    from lxml.etree import ParserError

    stopwords = _stopwords()

    def extract(html: str) -> list[Block]:
        try:
            paragraphs = ParagraphMaker.make_paragraphs(preprocessor(html_to_dom(html)))
        except ParserError:  # a page without any element
            return []
        found = [_measure(paragraph, stopwords) for paragraph in paragraphs]
        return [Block(clean_text(p.text), kind != "good") for p, kind in zip(found, revise_classes(found), strict=True)]

    return extract


@cache
def _stopwords() -> frozenset[str]:
    import justext

    return frozenset(justext.get_stoplist("English"))


@dataclass(frozen=True, slots=True)
class Measured:
    """A paragraph of justext with its context-free class: good, neargood, short or bad."""

    text: str
    kind: str
    is_heading: bool


def _measure(paragraph: Paragraph, stopwords: frozenset[str]) -> Measured:
    """The class that justext gives a paragraph by itself; justext makes the text anew for each question it asks."""
    text, n_linked = paragraph.text, paragraph.chars_count_in_links
    words = text.split()
    stopped = sum(word.lower() in stopwords for word in words) / len(words) if words else 0
    is_linked = bool(text) and n_linked / len(text) > LINKED
    if is_linked or "\xa9" in text or "&copy" in text or "select" in paragraph.dom_path:
        kind = "bad"
    elif len(text) < SHORT:
        kind = "bad" if n_linked else "short"
    elif stopped >= MANY_STOPWORDS:
        kind = "good" if len(text) > LONG else "neargood"
    else:
        kind = "neargood" if stopped >= SOME_STOPWORDS else "bad"
    return Measured(text, kind, _HEADING.search(paragraph.dom_path) is not None)


def revise_classes(paragraphs: Sequence[Measured]) -> list[str]:
    """The classes of justext's context-sensitive step, in linear time: justext's own takes minutes for a long list."""
    classes = [paragraph.kind for paragraph in paragraphs]
    before, after = _neighbours(classes), _neighbours(classes[::-1])[::-1]
    revised = list(classes)
    for i, kind in enumerate(classes):
        if kind == "short":
            revised[i] = _classify_short(before[i], after[i])
    last = "bad"
    following = [firm for firm, _ in _neighbours(revised[::-1])[::-1]]
    for i, kind in enumerate(revised):
        if kind == "neargood":
            revised[i] = "bad" if (last, following[i]) == ("bad", "bad") else "good"
        last = revised[i]
    # justext would raise short headings before all this too, but looks at classes that it has not set yet.
    _raise_headings(paragraphs, revised)
    return revised


def _classify_short(before: tuple[str, str], after: tuple[str, str]) -> str:
    """The class of a short paragraph by its neighbours: the first good or bad one, and the first not short."""
    if before[0] == after[0]:
        return before[0]
    is_near = any(firm == "bad" and first == "neargood" for firm, first in (before, after))
    return "good" if is_near else "bad"


def _neighbours(classes: Sequence[str]) -> list[tuple[str, str]]:
    """For each paragraph the nearest earlier class that is good or bad, and the nearest that is not short."""
    firm = first = "bad"
    found: list[tuple[str, str]] = []
    for kind in classes:
        found.append((firm, first))
        if kind != "short":
            first = kind
        if kind in ("good", "bad"):
            firm = kind
    return found


def _raise_headings(paragraphs: Sequence[Measured], classes: list[str]) -> None:
    """Headings shortly before a good paragraph are better than they look."""
    for i, paragraph in enumerate(paragraphs):
        if not paragraph.is_heading or classes[i] != "bad" or paragraph.kind == "bad":
            continue
        j, distance = i + 1, 0
        while j < len(paragraphs) and distance <= HEADING_DISTANCE:
            if classes[j] == "good":
                classes[i] = "good"
                break
            distance += len(paragraphs[j].text)
            j += 1


def _load_trafilatura() -> Extractor:
    import trafilatura

    def extract(html: str) -> list[Block]:
        text = trafilatura.extract(html, include_comments=False, include_tables=False, deduplicate=False)
        return text_blocks(text or "")

    return extract


def _load_resiliparse() -> Extractor:
    from resiliparse.extract.html2text import extract_plain_text

    options: dict[str, Any] = {"main_content": True, "alt_texts": False, "links": False, "list_bullets": False}

    def extract(html: str) -> list[Block]:
        return text_blocks(extract_plain_text(html, preserve_formatting=True, **options))

    return extract


# name → what loads it.
EXTRACTORS: dict[str, Callable[[], Extractor]] = {
    "justext": _load_justext,
    "trafilatura": _load_trafilatura,
    "resiliparse": _load_resiliparse,
}
