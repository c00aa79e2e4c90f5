"""The prompts that ask for ratings, and how answers are read.

They ask for what Kobayashi et al. (2024) ask for, in other words: a rating from 1 to 5 for each of up to five
corrections of a source, which are shown as sentences (their LLM-S) or with their edits marked (LLM-E). Answers are one
line of numbers, because endpoints for plain completions stop at the end of a line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from errata.model import Edit, Tokens
from errata.systems.prompted.template import SLOT, Template
from errata.text.tokens import join_tokens

# Raise it whenever a text below changes: signatures tell it, and ratings of other versions are asked for again.
VERSION = 1
LOWEST, HIGHEST = 1, 5
_RATINGS = re.compile(rf"\s*[{LOWEST}-{HIGHEST}](?:[ \t]+[{LOWEST}-{HIGHEST}])*\s*")
# Corrections in one prompt, as in the paper.
MOST = 5

VIEWS = ("sentences", "edits")
# What a rating is about, by what is shown; "overall" is everything.
ASPECTS = {
    "sentences": ("overall", "grammaticality", "fluency", "meaning"),
    "edits": ("overall", "difficulty", "impact"),
}

_TASK = {
    "en": f"""You rate corrections of a sentence. For each numbered correction of the source below, give a rating from \
{LOWEST} (worst) to {HIGHEST} (best) for the quality of the corrected sentence. Several corrections may have the same \
rating.{{about}}""",
    "zh": f"""请为句子的改正结果评分。下面给出原句和若干编号的改正结果，请按改正后句子的质量为每个结果打分，\
从 {LOWEST}（最差）到 {HIGHEST}（最好），不同结果可以同分。{{about}}""",
}
_ABOUT = {
    "en": {
        "overall": "",
        "grammaticality": " Look at grammaticality: how free of grammatical errors is the sentence?",
        "fluency": " Look at fluency: how natural does the sentence sound?",
        "meaning": " Look at meaning: how well does the correction keep what the source says?",
        "difficulty": " Look at the difficulty of the edits: the harder the errors that are corrected, the better.",
        "impact": " Look at the impact of the edits: the more they improve the sentence, the better.",
    },
    "zh": {
        "overall": "",
        "grammaticality": "请着重看语法：句子里还有没有语法错误？",
        "fluency": "请着重看流畅度：句子读起来是否自然？",
        "meaning": "请着重看语义：改正结果是否保留了原句的意思？",
        "difficulty": "请着重看修改的难度：改正的错误越难越好。",
        "impact": "请着重看修改的作用：对句子的改善越大越好。",
    },
}
_EDITS = {
    "en": """ Edits are marked in brackets: [→the] inserts "the", [the→] deletes it, [the→a] replaces "the" by "a". \
A correction without edits gets {highest} if the source has no error, and {lowest} if it has one.""",
    "zh": """修改写在方括号里：[→的] 表示插入“的”，[的→] 表示删除“的”，[的→地] 表示把“的”改成“地”。\
没有修改的结果：原句没有错误得 {highest} 分，有错误得 {lowest} 分。""",
}
_SOURCE = {"en": "Source", "zh": "原句"}
_ANSWER = {
    "en": (
        "Answer with the rating alone: one whole number.",
        "Answer with the {n} ratings alone, in order, on one line, separated by spaces.",
    ),
    "zh": ("只回答评分，一个整数。", "只回答这 {n} 个评分，按顺序写在一行，用空格隔开。"),
}


class Question(NamedTuple):
    """A source with the corrections to rate, as they are shown."""

    source: str
    corrections: tuple[str, ...]


def make_template(language: str, view: str, aspect: str) -> Template:
    """What stands before every question."""
    about = _ABOUT[language][aspect]
    if view == "edits":
        about += _EDITS[language].format(lowest=LOWEST, highest=HIGHEST)
    return Template(user=f"{_TASK[language].format(about=about)}\n\n{SLOT}")


def write_question(question: Question, language: str) -> str:
    """The question as text; answers are asked for at the end, where models follow best."""
    one, several = _ANSWER[language]
    n = len(question.corrections)
    lines = [f"{_SOURCE[language]}: {question.source}", ""]
    lines += [f"{number}. {text}" for number, text in enumerate(question.corrections, 1)]
    return "\n".join([*lines, "", one if n == 1 else several.format(n=n)])


def read_ratings(answer: str, n: int) -> tuple[int, ...] | None:
    """The ratings in an answer, which has `n` whole numbers from 1 to 5 and nothing else; None if it has not.

    >>> read_ratings("4 2 5", 3), read_ratings("4", 1), read_ratings("4/5", 1), read_ratings("Rating: 4", 1)
    ((4, 2, 5), (4,), None, None)
    """
    if not _RATINGS.fullmatch(answer):
        return None
    ratings = tuple(map(int, answer.split()))
    return ratings if len(ratings) == n else None


def mark_edits(tokens: Tokens, edits: Sequence[Edit]) -> str:
    """The source with edits in brackets: `He [go→goes] home .`"""
    shown: list[str] = []
    position = 0
    for edit in edits:
        shown += tokens[position : edit.start]
        old, new = (join_tokens(one, like=tokens) for one in (tokens[edit.start : edit.end], edit.replacement))
        shown.append(f"[{old}→{new}]")
        position = edit.end
    return join_tokens((*shown, *tokens[position:]), like=tokens)
