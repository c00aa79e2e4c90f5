"""What native writers get wrong: each rewrite at the character it looks for, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from errata.model import Tokens
from errata.synth.native import approximate, causative, connective, negation, purpose, result, source, whether
from errata.synth.sampler import Change
from errata.synth.tables import ChineseTables

TABLES = ChineseTables(frequency=dict.fromkeys(("我们", "小时", "环境", "污染", "污染环境", "发展", "社会", "命令"), 5))


def bounds(tokens: Tokens) -> list[int]:
    return TABLES.segment("".join(tokens))


def outcomes(rewrite: Callable[..., Change | None], text: str, at: str) -> set[str]:
    """The texts that a hundred tries at the character `at` make of `text`."""
    tokens = tuple(text)
    made = [rewrite(tokens, text.index(at), Random(seed), bounds) for seed in range(100)]
    return {"".join((*tokens[:start], *new, *tokens[end:])) for start, end, new in filter(None, made)}


@pytest.mark.parametrize(
    ("rewrite", "text", "at", "expected"),
    [
        (approximate, "路程为30小时。", "3", set()),
        (approximate, "路程约为30小时。", "3", {"路程约为30小时左右。"}),
        (approximate, "路程约30小时。", "0", {"路程约30小时左右。", "路程约30小时以上。"}),
        (approximate, "来了三十人左右。", "十", {"来了约三十人左右。", "来了大约三十人左右。"}),
        (causative, "随着社会发展，我们变了。", "，", {"随着社会发展，使我们变了。", "随着社会发展，让我们变了。"}),
        (causative, "我们走了，他来了。", "，", set()),
        (causative, "社会的发展使我们变了。", "使", {"随着社会的发展使我们变了。", "通过社会的发展使我们变了。"}),
        (causative, "他写的命令行很短。", "令", set()),
        (negation, "要防止污染环境。", "防", {"要防止不污染环境。", "要防止不再污染环境。"}),
        (result, "原因是污染。", "。", {"原因是污染造成的。", "原因是污染所致。"}),
        (result, "我们来了。", "。", set()),
        (result, "他说：“坚持最重要”。", "。", set()),
        (connective, "我们不仅要学。", "不", {"不仅我们要学。"}),
        (connective, "不仅我们要学。", "不", {"我们不仅要学。", "我们要不仅学。"}),
        (whether, "能否坚持是成功的关键。", "否", {"能坚持是成功的关键。", "坚持是成功的关键。"}),
        (whether, "成绩取决于是否努力。", "否", {"成绩取决于努力。"}),
        (whether, "他能否来？", "否", set()),
        (source, "调查显示，他来了。", "显", {"根据调查显示，他来了。", "据调查显示，他来了。"}),
        (source, "据统计，他来了。", "据", {"据统计显示，他来了。"}),
        (source, "他的脸上显示出来。", "显", set()),
        (source, "根据调查显示，他来了。", "显", set()),
        (purpose, "以环境为主题的会。", "以", {"围绕环境为主题的会。"}),
        (purpose, "旨在污染环境。", "旨", {"旨在污染环境为目的。"}),
        (purpose, "以后他来。", "以", set()),
    ],
)
def test_rewrites(rewrite: Callable[..., Change | None], text: str, at: str, expected: set[str]) -> None:
    found = outcomes(rewrite, text, at)
    assert expected <= found if expected else not found


def test_siblings_share_a_character() -> None:
    tables = ChineseTables(frequency={"规则": 5, "规定": 9, "原则": 3, "发展": 4, "提": 2})
    found = {tables.draw_sibling("规则", Random(seed)) for seed in range(60)}
    assert found == {None, "规定", "原则"}
    assert {tables.draw_sibling("天空", Random(seed)) for seed in range(9)} == {None}
