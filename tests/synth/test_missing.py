"""What native writers leave out: each omission where the sentence needs the word, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from errata.model import Tokens
from errata.synth.missing import bare_head, frame, head, subject, verb
from errata.synth.sampler import Change
from errata.synth.tables import ChineseTables

WORDS = (
    "我们", "他们", "问题", "工作", "困难", "能力", "学习", "提高", "提供", "服务", "改善", "环境", "随着", "社会",
    "发展", "这些", "这一", "做法", "政策", "此外", "公司", "会议", "来说", "解决", "停车", "噪声", "污染", "经过",
)  # fmt: skip
TABLES = ChineseTables(frequency=dict.fromkeys(WORDS, 5))


def bounds(tokens: Tokens) -> list[int]:
    return TABLES.segment("".join(tokens))


def outcomes(omission: Callable[..., Change | None], text: str, at: str) -> set[str]:
    """The texts that a hundred tries at the first `at` make of `text`."""
    tokens = tuple(text)
    made = [omission(tokens, text.index(at), Random(seed), bounds) for seed in range(100)]
    return {"".join((*tokens[:start], *new, *tokens[end:])) for start, end, new in filter(None, made)}


@pytest.mark.parametrize(
    ("omission", "text", "at", "expected"),
    [
        pytest.param(head, "他要培养学习的能力，来了。", "的", {"他要培养学习，来了。"}, id="head-with-de"),
        pytest.param(head, "我的书。", "的", set(), id="head-nothing-before"),
        pytest.param(head, "他来的很早。", "的", set(), id="head-is-no-word"),
        pytest.param(head, "他有很好的学习成绩单子。", "的", set(), id="head-too-long"),
        pytest.param(bare_head, "我们要解决停车问题。", "问", {"我们要解决停车。"}, id="head-without-de"),
        pytest.param(
            bare_head,
            "我们解决噪声、污染等问题。",
            "问",
            {"我们解决噪声、污染等。", "我们解决噪声、污染。"},
            id="head-with-etc",
        ),
        pytest.param(bare_head, "我们努力工作。", "工", set(), id="head-is-the-verb"),
        pytest.param(bare_head, "我们要解决问题吗？", "问", set(), id="head-not-last"),
        pytest.param(bare_head, "这是他的问题。", "问", set(), id="head-after-de"),
        pytest.param(subject, "随着社会发展，我们变富了。", "，", {"随着社会发展，变富了。"}, id="subject-pronoun"),
        pytest.param(subject, "他病了，这使我难过。", "，", {"他病了，使我难过。"}, id="subject-this"),
        pytest.param(subject, "政策变了，这一做法很受欢迎。", "，", {"政策变了，很受欢迎。"}, id="subject-this-noun"),
        pytest.param(subject, "在公司里，政策不能没有他。", "，", set(), id="subject-nobody-can-guess"),
        pytest.param(subject, "随着社会发展，我们的公司变了。", "，", set(), id="subject-is-longer"),
        pytest.param(subject, "在公司里，此外还有别人。", "，", set(), id="subject-is-none"),
        pytest.param(subject, "他来了，", "，", set(), id="subject-nothing-follows"),
        pytest.param(verb, "改善环境和提供服务。", "和", {"改善环境和服务。"}, id="verb"),
        pytest.param(verb, "改善环境以及提供服务。", "及", {"改善环境以及服务。"}, id="verb-as-well-as"),
        pytest.param(verb, "要提高和改善环境。", "和", set(), id="verb-shares-its-object"),
        pytest.param(verb, "改善环境和提供的服务。", "和", set(), id="verb-is-attribute"),
        pytest.param(verb, "他会学习和提高。", "和", set(), id="verb-without-object"),
        pytest.param(verb, "环境和服务都好。", "和", set(), id="verb-is-noun"),
        pytest.param(frame, "他在会议上说了。", "在", {"他会议上说了。", "他在会议说了。"}, id="frame-either-end"),
        pytest.param(frame, "在会议上，他说了。", "在", {"在会议，他说了。"}, id="frame-may-lack-its-start"),
        pytest.param(frame, "对我来说，很难。", "对", {"我来说，很难。", "对我，很难。"}, id="frame-for-me"),
        pytest.param(frame, "随着社会发展，他变了。", "随", {"社会发展，他变了。"}, id="preposition-alone"),
        pytest.param(frame, "他在学习。", "在", set(), id="frame-is-adverb"),
        pytest.param(frame, "汽车从这里经过。", "经", set(), id="preposition-is-verb"),
        pytest.param(frame, "他以前来过。", "以", set(), id="frame-without-end"),
    ],
)
def test_omissions(omission: Callable[..., Change | None], text: str, at: str, expected: set[str]) -> None:
    assert outcomes(omission, text, at) == expected
