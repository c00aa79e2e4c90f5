"""Which paragraphs are prose."""

from __future__ import annotations

from itertools import pairwise

import pytest
from benchmarks.crawl.prose import FRENCH, Prose
from hypothesis import given
from hypothesis import strategies as st

from errata.crawl.filters import judge_paragraph
from errata.crawl.reasons import PARAGRAPHS, REASONS

GOOD = "The children were playing in the garden when it began to rain. Their mother called them into the house."
LONG = Prose(2).paragraph(12).replace(".", ",").removesuffix(",") + "."
ZH = "今天天气很好，我们一起去公园散步。然后我们回家吃饭，聊了很久。"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (GOOD, None),
        (
            "“You can't do that!” she said to him in the end. (He did it.) It cost $5, or 4.50 for members.",
            None,
        ),
        ("iPhones are sold here and there by people who have too many of them. 3 of them were mine.", "incomplete"),
        ("3 of them were mine, and I had to give them back to the people who owned them.", None),
        ("Read the news.", "short"),
        ("", "short"),
        ("the children were playing in the garden when it began to rain.", "incomplete"),
        ("The children were playing in the garden when it began to rain", "incomplete"),
        ("The children were playing in the garden when it began to...", "incomplete"),
        (f"{GOOD} And then it was over, but for the…", "incomplete"),
        (f"{GOOD} Things that you can do at home: read more.", "incomplete"),
        (f"{GOOD} {FRENCH}", "language"),
        ("Les enfants sont dans la maison avec une amie, et nous ne savons pas où ils sont.", "language"),
        ("Дети играли в саду, когда начался дождь. Мама позвала их в дом.", "language"),
        (f"{GOOD} Дети играли в саду, когда начался дождь. Мама позвала их в дом, и они пришли.", "language"),
        ("Kovacs Molnar Szabo Toth Nagy Kiss Farkas Balogh Papp Takacs Juhasz Lakatos.", "language"),
        (f"{GOOD} It\ufffds not here.", "broken-characters"),
        (f"{GOOD} It’s in the cafÃ© there.", "broken-characters"),
        (GOOD.upper(), "many-capitals"),
        ("The numbers of the year are 1234 5678 9012 3456 and 7890 1234 for the house in the city.", "many-digits"),
        (
            "The way to do it -- *** ### !!! *** ### !!! *** ### !!! *** ### !!! -- is that you do it now.",
            "few-letters",
        ),
        ("If you do it then {x} = y | z is what you have to write in the file of the user.", "code"),
        (f"{GOOD} It was a{'a' * 60}.", "long-word"),
        (f"{GOOD} See http://example.com/{'a' * 60}.", None),
        (
            "You can see it at http://a.com, at http://b.com, at www.c.com and at http://d.com if you will.",
            "many-addresses",
        ),
        ("It is what it is and that is that. " * 12, "repetitive"),
        (f"Lorem ipsum dolor sit amet. {GOOD}", "placeholder"),
        (LONG, "long-sentence"),
    ],
)
def test_english(text: str, reason: str | None) -> None:
    assert judge_paragraph(text.strip(), "en").reason == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (ZH, None),
        (f"“{ZH}”", None),
        (ZH.removesuffix("。"), "incomplete"),
        (ZH + "然后……", "incomplete"),
        ("太好了！", "short"),
        (GOOD, "short"),
        ("今日は天気がいいので、公園へ散歩に行きました。それから家に帰りました。", "language"),
        ("我们" * 60 + "。", "repetitive"),
    ],
)
def test_chinese(text: str, reason: str | None) -> None:
    assert judge_paragraph(text, "zh").reason == reason


def test_too_few_sentences() -> None:
    assert judge_paragraph(GOOD, "en", 2).reason is None
    assert judge_paragraph(GOOD, "en", 3).reason == "short"


@given(st.one_of(st.text(), st.lists(st.sampled_from([GOOD, FRENCH, ZH, "...", "©", " ", "1"])).map("".join)))
def test_every_paragraph_is_kept_or_has_a_known_reason(text: str) -> None:
    for language in ("en", "zh"):
        judged = judge_paragraph(text, language)
        if judged.reason is None:
            spans = judged.spans
            assert spans and all(start < end <= len(text) for start, end in spans)
            assert all(one[1] <= two[0] for one, two in pairwise(spans))
            assert "".join(text[start:end] for start, end in spans).split() or not text.split()
        else:
            assert judged.reason in REASONS[PARAGRAPHS] and not judged.spans


def test_prose_without_sense_is_prose() -> None:
    prose = Prose(1)
    assert all(judge_paragraph(prose.paragraph(), "en").reason is None for _ in range(200))
