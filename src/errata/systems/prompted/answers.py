"""The correction in the answer of a chat model, without the words around it.

An answer that is no correction has a `Reason`. Reasons are counted, and the sentence stays as it was.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from errata.text.han import HAN_CHARACTER

# Corrections in CoNLL-14, CWEB and MuCGEC change far less. An answer that is less similar is another text.
MIN_SIMILARITY = 0.5
# A short sentence may change by this many characters, however similar: "He go" → "He goes".
ALWAYS_ALLOWED = 8
MAX_GROWTH = 2.0

_THINKS, _SPEAKS = "<think>", "</think>"
_FENCE = re.compile(r"^```[\w-]*\n(.*?)\n?```\s*$", re.S)
_LEAD = re.compile(
    r"^(?:sure|certainly|of course|okay|ok)\b[^\n:]{0,80}[:!.]\s*\n+"
    r"|^(?:(?:sure|certainly|of course|okay|ok)[,!.]?\s+)?"
    r"(?:here(?:'s| is| are)|the|your|my)?\s*(?:the\s+)?"
    r"(?:corrected|correct|revised|fixed|improved)\s*(?:sentence|version|text|answer)?[^\n:]{0,40}:\s*"
    r"|^(?:sentence|answer|output|correction|response)\s*:\s*"
    r"|^(?:好的[，,。!！]?\s*)?(?:(?:以下是|这是)?(?:改正|修改|更正|纠正|校对)后?的?(?:句子|文本|结果)?(?:是|为|如下)?|句子|答案|回答)\s*[：:]\s*",
    re.I,
)
_REFUSAL = re.compile(
    r"^(?:i'?m sorry|sorry|i apologi[sz]e|i can(?:'|no)t|i cannot|i am (?:unable|not able)|i'm (?:unable|not able)|"
    r"as an ai|as a language model|抱歉|对不起|很抱歉|我无法|我不能|作为(?:一个)?(?:ai|人工智能|语言模型))",
    re.I,
)
_NO_CHANGE = re.compile(
    r"^(?:(?:the|this|your) sentence (?:is|looks|appears)(?: already| grammatically)* (?:correct|fine|good)|"
    r"(?:there are )?no (?:errors|mistakes|corrections?)|(?:no )?correction (?:is )?not needed|"
    r"(?:该|这个)?句子?(?:没有|无)(?:语法)?(?:错误|问题)|没有错误|无错误|无需(?:修改|改正))",
    re.I,
)
_QUOTES = (('"', '"'), ("'", "'"), ("“", "”"), ("‘", "’"), ("「", "」"), ("`", "`"), ("**", "**"))
_LATIN = re.compile(r"[A-Za-z]")


class Reason(StrEnum):
    """Why an answer is no correction."""

    EMPTY = "empty"
    REFUSAL = "refusal"
    LANGUAGE = "other language"
    TOO_LONG = "too long"
    TOO_DIFFERENT = "too different"
    CUT_OFF = "cut off"


@dataclass(frozen=True, slots=True)
class Judged:
    """The corrected sentence, or why there is none."""

    text: str
    reason: Reason | None = None


def judge(source: str, answer: str, *, is_complete: bool = True) -> Judged:
    """The correction in an answer; the source with a reason when there is none.

    >>> judge("He go home.", 'Here is the corrected sentence:\\n"He goes home."\\n\\nI changed "go".').text
    'He goes home.'
    """
    if not is_complete:
        return Judged(source, Reason.CUT_OFF)
    text = clean(source, answer)
    if not text:
        return Judged(source, Reason.EMPTY)
    if _NO_CHANGE.match(text) and not _NO_CHANGE.match(source):
        return Judged(source)
    reason = _fault(source, text)
    return Judged(source, reason) if reason else Judged(text)


def clean(source: str, answer: str) -> str:
    """The sentence in an answer, without code fence, introduction, added quotation marks or explanation."""
    text = _without_thinking(answer).strip()
    if fenced := _FENCE.match(text):
        text = fenced[1].strip()
    if not _LEAD.match(source):
        for _ in range(2):  # "Sure!" and "Corrected sentence:" come together
            text = _LEAD.sub("", text, count=1).strip()
    if fenced := _FENCE.match(text):
        text = fenced[1].strip()
    text = text.splitlines()[0].strip() if text else ""
    for opening, closing in _QUOTES:
        is_quoted = len(text) > len(opening) + len(closing) and text.startswith(opening) and text.endswith(closing)
        if is_quoted and not (source.startswith(opening) and source.endswith(closing)):
            text = text[len(opening) : -len(closing)].strip()
    return " ".join(text.split())


def _without_thinking(answer: str) -> str:
    """The answer without the thoughts of the model; thoughts without an end mark stay."""
    spoken: list[str] = []
    position = 0
    while (start := answer.find(_THINKS, position)) >= 0 and (end := answer.find(_SPEAKS, start)) >= 0:
        spoken.append(answer[position:start])
        position = end + len(_SPEAKS)
    return "".join([*spoken, answer[position:]])


def _fault(source: str, text: str) -> Reason | None:
    if _REFUSAL.match(text) and not _REFUSAL.match(source):
        return Reason.REFUSAL
    if _script(source) != _script(text) and {_script(source), _script(text)} == {"han", "latin"}:
        return Reason.LANGUAGE
    if len(text) > MAX_GROWTH * len(source) + ALWAYS_ALLOWED:
        return Reason.TOO_LONG
    # A moved word is a small change that an alignment counts twice, so letters are compared without order as well.
    in_order, as_bag = _common(source, text), sum((Counter(source) & Counter(text)).values())
    both = len(source) + len(text)
    alike = 2 * max(in_order, 0.9 * as_bag) / both
    return None if both - 2 * in_order <= ALWAYS_ALLOWED or alike >= MIN_SIMILARITY else Reason.TOO_DIFFERENT


def _common(a: str, b: str) -> int:
    """How many characters two texts have in common, in order."""
    return sum(block.size for block in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks())


def _script(text: str) -> str:
    han, latin = len(HAN_CHARACTER.findall(text)), len(_LATIN.findall(text))
    return "" if not han and not latin else "han" if 3 * han >= latin else "latin"
