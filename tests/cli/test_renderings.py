from __future__ import annotations

from collections.abc import Sequence

import pytest

from errata.cli.corrections import CorrectedLine
from errata.cli.renderings import Style, render_m2
from errata.errors import DataError
from errata.formats import get_format
from errata.model import AnnotatedSentence, Correction, TextEdit


def m2(texts: Sequence[str], language: str = "auto", tokenised: bool = False) -> str:
    """Lines in M2; 的 is corrected to 得, go to goes."""
    lines = []
    for number, text in enumerate(texts, 1):
        edits = [TextEdit(i, i + 1, "得") for i, c in enumerate(text) if c == "的"]
        edits += [TextEdit(i, i + 2, "goes") for i in range(len(text)) if text[i : i + 2] == "go"]
        lines.append(CorrectedLine("x.txt", number, Correction(text, tuple(edits)), "\n"))
    return "".join(render_m2(lines, Style(language, tokenised)))


def read(text: str, dialect: str) -> list[AnnotatedSentence]:
    return list(get_format(dialect).parse(text.splitlines(keepends=True)))


@pytest.mark.parametrize(
    ("texts", "language", "dialect"),
    [
        (["", "12", "他来的晚。", "", "¡!"], "auto", "cherrant"),
        (["", "12", "She go.", " ", "¡!"], "auto", "m2"),
        (["", "12"], "auto", "m2"),
        (["", "12"], "zh", "cherrant"),
        (["He go.", "他来的晚。"], "zh", "cherrant"),
        (["He go.", "他来的晚。"], "en", "m2"),
        ([], "auto", "m2"),
    ],
)
def test_one_dialect_of_m2(texts: list[str], language: str, dialect: str) -> None:
    assert len(read(m2(texts, language), dialect)) == len(texts)


@pytest.mark.parametrize(
    ("text", "tokenised"),
    [("他们在 Python 中工作。", False), ("我 昨 天 去 了 学 校 。", True), ("我 昨天 去 了 学校 。", True)],
)
def test_chinese_with_spaces(text: str, tokenised: bool) -> None:
    ((annotation,),) = (sentence.annotations for sentence in read(m2([text], tokenised=tokenised), "cherrant"))
    assert annotation.edits == ()


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["", "他来了。", "", "He go."], "x.txt:4: this line is en, those before are zh"),
        (["He go.", "12", "他来了。"], "x.txt:3: this line is zh, those before are en"),
    ],
)
def test_two_languages_in_m2(texts: list[str], message: str) -> None:
    with pytest.raises(DataError, match=f"{message}: give --lang, or correct the languages apart"):
        m2(texts)
