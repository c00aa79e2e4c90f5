"""Chinese sentences and corrections in files as their repositories have them: text, Markdown, JSON, CSV."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

# Characters of a line from which on a missing end means that its sentence goes on in the next line.
WRAPPED = 12
# Characters of a file in UTF-8 for each byte that is not: with fewer, the file has another encoding.
CHARACTERS_PER_FAULT = 20
DAMAGED = "\ufffd"

_SENTENCE = re.compile(r"[^。！？!?…]*[。！？!?…]+[”’」』）)\"]*|[^。！？!?…]+$")
_LINE_END = re.compile(r"[。！？!?…：:”’）)]$")
_BLANK = re.compile(r"\s+")

# One form of each mark: chats, and texts that were typed in, have ASCII marks, and corner brackets come from Taiwan.
_FORMS = str.maketrans({
    "「": "“", "」": "”", "『": "‘", "』": "’", "\u3000": " ", "\xa0": " ", "\u200b": None, "\ufeff": None,
})  # fmt: skip
_CHINESE_MARKS = (
    (re.compile(r"(?<=[\u4e00-\u9fff”）》])\s*,\s*"), "，"),
    (re.compile(r"(?<=[\u4e00-\u9fff”）》])\s*\?"), "？"),
    (re.compile(r"(?<=[\u4e00-\u9fff”）》])\s*!"), "！"),
    (re.compile(r"(?<=[\u4e00-\u9fff])\s*;\s*"), "；"),
    (re.compile(r"(?<=[\u4e00-\u9fff])\s*:\s*(?=[\u4e00-\u9fff“])"), "："),
    (re.compile(r"(?<=[\u4e00-\u9fff])(?:\.{3,6}|…(?!…))"), "……"),
    (re.compile(r"(?<=[\u4e00-\u9fff])\.(?=\s|$)"), "。"),
    (re.compile(r"(?<=[^\x00-\x7f])\s+|\s+(?=[^\x00-\x7f])"), ""),
    (re.compile(r'"([^"]{1,200})"'), r"“\1”"),
)

# Markdown: lines that are no prose, images and tags, the text of links, emphasis and notes.
_NO_PROSE = ("#", "!", ">", "|", "```", "- [", "<", "---", "* ")
_IMAGE_OR_TAG = re.compile(r"!\[[^\]]*\]\([^)]*\)|<[^>]+>")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_EMPHASIS_OR_NOTE = re.compile(r"\*\*|__|\[\^\d+\]")

# SMILE's dialogues were rewritten by a language model, which left names of the roles in some turns.
_SPEAKER = re.compile(r"^(?:支持者|求助者|来访者|(?:心理)?咨询师|用户|回答者|我|你)[:：]")
_GEE_PROMPT = re.compile(r"Sentence pair:\n(.+)\n(.+)\nlist of edits")
_GEE_PAGE = re.compile(r"Source:</b> (.*?)<br><b>Target:</b> (.*?)<br>")
_WRONG_RIGHT = re.compile(r'wrong"?: *"([^"]+)",\s*"?right"?: *"([^"]+)"')

Pair = tuple[str, str]  # source, target


def decode(content: bytes) -> tuple[str, int]:
    """The text of a file in whichever encoding it has, and how many of its characters are damaged.

    Novels are often in GB 18030, whose bytes nearly any file could be. So a file that is UTF-8 but for a few bytes is
    UTF-8. A damaged character becomes U+FFFD, which no clean sentence has.
    """
    try:
        return content.decode("utf-8-sig"), 0
    except UnicodeError:
        text = content.decode("utf-8-sig", "replace")
    n_damaged = text.count(DAMAGED)
    if sum(not character.isascii() for character in text) - n_damaged >= CHARACTERS_PER_FAULT * n_damaged:
        return text, n_damaged
    for encoding in ("gb18030", "utf-16"):
        try:
            return content.decode(encoding), 0
        except UnicodeError:
            continue
    text = content.decode("gb18030", "replace")
    return text, text.count(DAMAGED)


def tidy(text: str) -> str:
    """The text with Chinese punctuation and without blanks beside Chinese characters.

    >>> tidy("他 说:「你好,世界!」 &nbsp;我笑了...")
    '他说：“你好，世界！”我笑了……'
    """
    text = html.unescape(text).translate(_FORMS)
    for pattern, replacement in _CHINESE_MARKS:
        text = pattern.sub(replacement, text)
    return text.strip()


def split(text: str) -> list[str]:
    """The sentences of a text in one paragraph, each with its mark; a last one may have none."""
    return _SENTENCE.findall(tidy(text))


def plain(text: str) -> Iterator[str]:
    """The sentences of a plain text.

    Some books have hard line breaks. Where a line has no end and the next is not indented, the sentence across them is
    left out, since nothing tells a line break from a lost paragraph: of the second line, all but its beginning is read.
    """
    goes_on = False
    for line in text.splitlines():
        tidied = tidy(line)
        sentences = _SENTENCE.findall(tidied)
        is_indented = line[:1] in (" ", "\t", "\u3000")
        yield from sentences[1:] if goes_on and not is_indented else sentences
        goes_on = len(tidied) >= WRAPPED and not _LINE_END.search(tidied)


def markdown(text: str) -> Iterator[str]:
    """The sentences of paragraphs: no headings, lists of links, quotations, tables and code."""
    return plain("\n".join(map(without_markup, text.splitlines())))


def without_markup(line: str) -> str:
    """A line of Markdown as plain text; empty if it is no prose.

    >>> without_markup("**今天**看了[一本书](a.md)[^1]。"), without_markup("## 今天")
    ('今天看了一本书。', '')
    """
    if line.lstrip().startswith(_NO_PROSE):
        return ""
    return _EMPHASIS_OR_NOTE.sub("", _LINK.sub(r"\1", _IMAGE_OR_TAG.sub("", line)))


def fields(name: str) -> Callable[[str], Iterator[str]]:
    """A reader of JSON: the sentences of all fields with this name, however deep they are."""

    def read(text: str) -> Iterator[str]:
        for value in _values(json.loads(text), name):
            yield from split(_BLANK.sub(" ", value))

    return read


def smile(text: str) -> Iterator[str]:
    """The sentences of a dialogue after its first turn, which is somebody's unedited post, without names of roles."""
    for turn in json.loads(text)[1:]:
        for sentence in split(_BLANK.sub(" ", turn["content"])):
            yield _SPEAKER.sub("", sentence)


def second_column(text: str) -> Iterator[str]:
    """The sentences in the second cells of a CSV file; the first cells have them with blanks between words."""
    for cells in csv.reader(io.StringIO(text)):
        if len(cells) > 1:
            yield from split(cells[1])


def _values(node: Any, name: str) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == name and isinstance(value, str):
                yield value
            else:
                yield from _values(value, name)
    elif isinstance(node, list):
        for value in node:
            yield from _values(value, name)


def gee_prompts(text: str) -> Iterator[Pair]:
    """The pairs in the prompts that a model was fine-tuned with."""
    for line in text.splitlines():
        for message in json.loads(line)["messages"]:
            if match := _GEE_PROMPT.search(message["content"]):
                yield match[1], match[2]


def gee_pages(text: str) -> Iterator[Pair]:
    """The pairs on the pages that annotators judged."""
    for page in json.loads(text):
        if match := _GEE_PAGE.search(page["text"]):
            yield match[1], match[2]


def common_mistakes(text: str) -> Iterator[Pair]:
    """The pairs in a JavaScript object, which has them once in Traditional and once in Simplified characters."""
    for match in _WRONG_RIGHT.finditer(text):
        yield match[1], match[2]


def flacgec(text: str) -> Iterator[Pair]:
    for entry in json.loads(text).values():
        yield entry["source"], entry["target"]
