"""Chinese sentences before and after a commit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from benchmarks.models.histories.repositories import Hunk, Repository, changed_hunks
from benchmarks.models.zh_readers import tidy
from rapidfuzz import fuzz

# Longer hunks are rewritten pages. Sentences that are less alike (0 to 100) are others, not corrected ones.
LONGEST_HUNK = 400
LEAST_ALIKE = 70
# Share of Chinese characters of a line, and of a sentence: the rest is names, code and marks.
LEAST_HAN_LINE, LEAST_HAN = 0.4, 0.6
SHORTEST, LONGEST = 8, 150  # characters of a sentence

_REVERT = re.compile(r"revert\b|回滚|撤销", re.I)
_HAN = re.compile(r"[\u4e00-\u9fff]")
_NO_PROSE = re.compile(r"\s*(?:\||```|~~~|!\[|<!--|\[[^\]]+\]:|:::|\{[%{]|---|===|\$ |via:|作者|译者|校对|来源|原文)")
_INDENTED = re.compile(r" {4,}(?![-*+\d>])|\t(?![-*+\d>])")
_MARKER = re.compile(r"^\s*(?:#{1,6}\s*|[-*+•]\s+|\d+[.)、]\s*|>+\s?)+")
# Markup goes, and what it hides: the English under a Chinese term (ruby), images, addresses, numbers of notes.
_HIDDEN = re.compile(r"<rt>.*?</rt>|<rp>.*?</rp>|!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])|<!--.*?-->|\{#[^}]*\}")
_LINK = re.compile(r"\[([^\[\]]*)\](?:\([^()]*\)|\[[^\]]*\])")
_NOTE = re.compile(r"\[\^?\d+\]")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_EMPHASIS = re.compile(r"\*{1,3}|__|`+|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
# Brackets and dashes as Chinese has them, since editors change those of others.
_FORMS = (
    (re.compile(r"(?<=[\u4e00-\u9fff“”，。])\s*\("), "（"),
    (re.compile(r"\((?=[\u4e00-\u9fff])"), "（"),
    (re.compile(r"\)\s*(?=[\u4e00-\u9fff，。；：？！、])|(?<=[\u4e00-\u9fff])\)"), "）"),
    (re.compile(r"-{2,}|—+"), "——"),
    (re.compile(r"[“”‘’]"), '"'),
    (re.compile(r'"'), ""),
)
_SENTENCE = re.compile(r"[^。！？；]*[。！？；]+|[^。！？；]+$")
_EDGE = "，、：:— -·"


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence before and after a commit."""

    source: str
    target: str
    repository: str
    path: str


def mine(repository: Repository) -> Iterator[Change]:
    """The Chinese sentences that the commits of a history change a little, the newest first, without reverts."""
    log = repository.git("log", "--no-merges", "--format=%H %s", "HEAD").splitlines()
    commits = [entry[0] for line in log if (entry := line.partition(" ")) and not _REVERT.match(entry[2])]
    for hunk in changed_hunks(repository, commits, is_wanted=may_be_chinese, context=0, renames=True):
        for source, target in changed_sentences(hunk):
            yield Change(source, target, repository.name, hunk.path)


def may_be_chinese(path: str) -> bool:
    return path.endswith((".md", ".mdx", ".markdown", ".rst", ".txt"))


def changed_sentences(hunk: Hunk) -> Iterator[tuple[str, str]]:
    """Old and new form of the sentences that a hunk changes a little: each is the other's nearest."""
    if len(hunk.lines) >= LONGEST_HUNK:
        return
    old = list(sentences(line[1:] for line in hunk.lines if line[0] == "-"))
    new = list(sentences(line[1:] for line in hunk.lines if line[0] == "+"))
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "replace":
            yield from _nearest(old[i:j], new[k:m])


def _nearest(old: list[str], new: list[str]) -> Iterator[tuple[str, str]]:
    scores = [[fuzz.ratio(source, target, score_cutoff=LEAST_ALIKE) for target in new] for source in old]
    for i, row in enumerate(scores):
        best = max(range(len(new)), key=row.__getitem__)
        if row[best] and row[best] == max(other[best] for other in scores):
            yield old[i], new[best]


def sentences(lines: Iterable[str]) -> Iterator[str]:
    """The Chinese sentences of lines of Markdown, in plain text."""
    for line in lines:
        text = plain(line)
        for sentence in _SENTENCE.findall(text):
            sentence = sentence.strip(_EDGE)
            if SHORTEST <= len(sentence) <= LONGEST and is_chinese(sentence, LEAST_HAN):
                yield sentence


def plain(line: str) -> str:
    """A line of Markdown as plain text with one form of each mark; empty if it is no Chinese prose.

    Quotation marks are left out: editors put them around terms, or take them off.

    >>> plain('- 运行 **`ls`** 命令(它很<ruby>简单<rt>simple</rt></ruby>), 看看“[手册][3]”.')
    '运行ls命令（它很简单），看看手册。'
    >>> plain("| 表格 | 内容 |"), plain("This is English.")
    ('', '')
    """
    if not _HAN.search(line) or _NO_PROSE.match(line) or _INDENTED.match(line):
        return ""
    text = _HIDDEN.sub("", _MARKER.sub("", line))
    text = _NOTE.sub("", _LINK.sub(r"\1", _LINK.sub(r"\1", text)))
    text = _EMPHASIS.sub("", _TAG.sub("", text))
    text = tidy(text)
    for pattern, form in _FORMS:
        text = pattern.sub(form, text)
    text = tidy(text)
    return text if is_chinese(text, LEAST_HAN_LINE) else ""


def is_chinese(text: str, share: float) -> bool:
    return len(_HAN.findall(text)) >= share * len(text)
