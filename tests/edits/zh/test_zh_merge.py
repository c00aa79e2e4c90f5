"""From alignment to edits, rule by rule, seen through the extractor."""

from __future__ import annotations

import pytest

from errata.edits.zh import ChineseExtractor
from errata.edits.zh.align import Item
from errata.edits.zh.merge import merge


def kinds(source: str, target: str) -> list[str]:
    """The first edit list: `S 0:1 好`."""
    annotated = next(ChineseExtractor(strategy="first").annotate([(source, [target])]))
    return [f"{e.type} {e.start}:{e.end} {''.join(e.replacement)}".rstrip() for e in annotated.annotations[0].edits]


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        pytest.param("今天好", "今天好", [], id="equal"),
        pytest.param("今天好", "今天很好", ["M 2:2 很"], id="missing"),
        pytest.param("今天天好", "今天好", ["R 1:2"], id="redundant-the-first-of-two"),
        pytest.param("今天号", "今天好", ["S 2:3 好"], id="substitution"),
        pytest.param("我去先", "我先去", ["W 1:3 先去"], id="transposition"),
        pytest.param("我加固并建造", "我建造并加固", ["W 1:6 建造并加固"], id="swap-around-a-match"),
        pytest.param("昨天我去了学校", "我昨天去了学校", ["W 0:3 我昨天"], id="moved-over-a-match"),
        pytest.param("，我去了", "我去了，", ["R 0:1", "M 4:4 ，"], id="punctuation-does-not-move"),
        pytest.param("不[MC]好", "不太好", ["S 1:2 太"], id="placeholder-is-one-token"),
        pytest.param("他[缺失成分]好", "他好", ["R 1:2"], id="long-placeholder"),
        pytest.param("", "好", ["M 0:0 好"], id="empty-source"),
        pytest.param("好", "", ["R 0:1"], id="empty-target"),
    ],
)
def test_edits(source: str, target: str, expected: list[str]) -> None:
    assert kinds(source, target) == expected


def items(*runs: tuple[str, int, int]) -> list[Item]:
    """Items from (kind, source tokens, target tokens)."""
    out: list[Item] = []
    i = j = 0
    for kind, n, m in runs:
        out.append(Item(kind, i, i + n, j, j + m))
        i, j = i + n, j + m
    return out


@pytest.mark.parametrize(
    ("source", "target", "runs", "expected"),
    [
        pytest.param("AxB", "BxA", [("S", 1, 1), ("=", 1, 1), ("S", 1, 1)], ["W"], id="swap-of-single-tokens"),
        pytest.param("AxB", "BxC", [("S", 1, 1), ("=", 1, 1), ("S", 1, 1)], ["S", "S"], id="no-swap"),
        pytest.param("ABxCD", "CDxAE", [("S", 2, 2), ("=", 1, 1), ("S", 2, 2)], ["W"], id="swap-but-for-one-character"),
        pytest.param("ABxCD", "CDxFE", [("S", 2, 2), ("=", 1, 1), ("S", 2, 2)], ["S", "S"], id="too-different"),
        pytest.param("AxyB", "BxyA", [("S", 1, 1), ("T", 2, 2), ("S", 1, 1)], ["S", "S"], id="swap-needs-a-match"),
        pytest.param("ABx", "xAB", [("R", 2, 0), ("=", 1, 1), ("M", 0, 2)], ["W"], id="moved-right"),
        pytest.param("xAB", "ABx", [("M", 0, 2), ("=", 1, 1), ("R", 2, 0)], ["W"], id="moved-left"),
        pytest.param("ABxy", "yxAB", [("R", 2, 0), ("T", 2, 2), ("M", 0, 2)], ["W"], id="moved-over-a-transposition"),
        pytest.param("ABx", "xBA", [("R", 2, 0), ("=", 1, 1), ("M", 0, 2)], ["W"], id="rotated"),
        pytest.param("ABCx", "xBCA", [("R", 3, 0), ("=", 1, 1), ("M", 0, 3)], ["W"], id="rotated-by-one"),
        pytest.param("ABCx", "xAB", [("R", 3, 0), ("=", 1, 1), ("M", 0, 2)], ["W"], id="one-shorter"),
        pytest.param("ABx", "xA", [("R", 2, 0), ("=", 1, 1), ("M", 0, 1)], ["R", "M"], id="single-must-be-equal"),
        pytest.param("ABCDx", "xAB", [("R", 4, 0), ("=", 1, 1), ("M", 0, 2)], ["R", "M"], id="two-shorter"),
        pytest.param("：；x", "x：；", [("R", 2, 0), ("=", 1, 1), ("M", 0, 2)], ["R", "M"], id="punctuation-in-order"),
        pytest.param(
            "；：x", "x；：", [("R", 2, 0), ("=", 1, 1), ("M", 0, 2)], ["W"], id="not-a-substring-of-the-list"
        ),
        pytest.param("ABC", "AXC", [("S", 3, 3)], ["S"], id="trimmed"),
        pytest.param("AC", "ABC", [("S", 2, 3)], ["M"], id="trimmed-to-an-insertion"),
        pytest.param("ABC", "AC", [("S", 3, 2)], ["R"], id="trimmed-to-a-deletion"),
        pytest.param("AxBxA", "BxAxB", [("S", 1, 1), ("=", 1, 1)] * 2 + [("S", 1, 1)], ["W", "S"], id="left-to-right"),
    ],
)
def test_rules(source: str, target: str, runs: list[tuple[str, int, int]], expected: list[str]) -> None:
    assert [item.kind for item in merge(items(*runs), source, target)] == expected


def test_sides_that_read_the_same_are_no_edit() -> None:
    assert merge(items(("S", 2, 1)), ["学", "校"], ["学校"]) == []
