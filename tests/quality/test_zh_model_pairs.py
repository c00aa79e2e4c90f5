"""The training files of zh-small: evaluation sentences stay out, long pairs are cut where both sides agree."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.models.zh_held_out import HeldOut, texts
from benchmarks.models.zh_small import cut


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for folder in ("lexical/opencc", "mucgec", "nlpcc18", "cged", "csc-lemon"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "lexical/opencc/TSCharacters.txt").write_text("# table\n學\t学\n書\t书 書\n", "utf-8")
    (tmp_path / "mucgec/dev.para").write_text("1\t我昨天去了图书馆看书。\t没有错误\n", "utf-8")
    (tmp_path / "mucgec/example_pred_dev.txt").write_text("1\t春天来了，花园里开满了花。\n", "utf-8")
    (tmp_path / "nlpcc18/gold.m2").write_text(
        "S 他 每天 在 公园 里 跑步 。\nT0-A0 他 跑步 。\nA 0 0|||W|||x|||-|||-|||0\n", "utf-8"
    )
    (tmp_path / "cged/cged.Test.sgml").write_text("<SENTENCE id='1'>同學們都在教室裡看書</SENTENCE>\n", "utf-8")
    (tmp_path / "csc-lemon/a.json").write_text('{"s": "\\u4eca\\u5929\\u5929\\u6c14\\u5f88\\u597d"}\n', "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("sentence", "is_allowed"),
    [
        ("我昨天去了图书馆看书！", False),
        ("他每天在公园里跑步", False),
        ("同学們都在教室裡看书。", False),
        ("今天天气很好。", False),
        ("又，我昨天去了图书馆看书。", False),
        ("春天来了，花园里开满了花。", True),
        ("明天我们去爬山。", True),
    ],
)
def test_evaluation_sentences_are_held_out(data: Path, sentence: str, is_allowed: bool) -> None:
    held_out = HeldOut.of(data)
    assert held_out.allows("prose", sentence) is is_allowed
    assert held_out.allows("pairs", "明天我们去爬山。", sentence) is is_allowed
    assert sum(held_out.report()["pairs"].values()) == 1


def test_m2_gives_sources_and_targets(data: Path) -> None:
    assert list(texts(data / "nlpcc18/gold.m2")) == ["他每天在公园里跑步。", "他跑步。"]


def test_long_pairs_are_cut_at_sentences() -> None:
    first, second = "我" * 60 + "。", "你" * 60 + "。"
    assert cut(first + second, first + "很" + second) == [(first, first), (second, "很" + second)]
    assert cut(first + second, first[:-1] + second) == [(first + second, first[:-1] + second)]
    assert cut("短。句。", "短。句！") == [("短。句。", "短。句！")]
