"""Text to pretrain a Chinese encoder on: whole paragraphs of prose, without evaluation sentences."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from benchmarks.models.zh_held_out import HeldOut
from benchmarks.models.zh_text import Cleaner, Output, bodies, clean_month, fault, is_simplified, prose
from hypothesis import given
from hypothesis import strategies as st

PARAGRAPH = "今年春天，村里修了一条新路，孩子们上学不用再绕过那座山了。"
SENTENCE = "老人每天早晨都在河边的小公园里打太极拳"
HELD_OUT = HeldOut([SENTENCE, "今天天气很好"])
MONTH = f"""### 村里修路
王明
1998-05-01
第2版(要闻)
专栏：来信

　　村里修路
　　本报讯　记者王明报道：{PARAGRAPH}
　　{PARAGRAPH}（王明）
　　{SENTENCE}，风雨无阻，从不间断。
### 没有正文
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(f"新华社北京5月1日电　（记者王明、李红）{PARAGRAPH}", PARAGRAPH, id="dateline"),
        pytest.param(f"本报讯　记者王明报道：{PARAGRAPH}", PARAGRAPH, id="reporter"),
        pytest.param(f"{PARAGRAPH}　　（王明）", PARAGRAPH, id="byline"),
        pytest.param(f"{PARAGRAPH}　新华社记者　王明摄", PARAGRAPH, id="photographer"),
        pytest.param(f"▲{PARAGRAPH}", PARAGRAPH, id="bullet"),
        pytest.param("产量增长３．５％。", "产量增长3.5%。", id="figures"),
        pytest.param("二○○三年  的 春天。", "二〇〇三年的春天。", id="zeros-and-blanks"),
        pytest.param("他用　Visual　Basic　写程序。", "他用Visual Basic写程序。", id="blanks-between-words"),
        pytest.param("“他来了。”她说。", "“他来了。”她说。", id="nothing-to-do"),
        pytest.param("新华社是一家通讯社。", "新华社是一家通讯社。", id="no-dateline"),
    ],
)
def test_prose_is_what_the_newspaper_says(line: str, expected: str) -> None:
    assert prose(line) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(PARAGRAPH, "", id="prose"),
        pytest.param("村里修了一条新路。", "short", id="short"),
        pytest.param("一条新路从村里通到山外的小镇上，孩子们高兴地走在路上", "no whole sentences", id="heading"),
        pytest.param(f"{PARAGRAPH}他说：", "no whole sentences", id="goes-on"),
        pytest.param("北京100，上海200，天津300，重庆400，广州500，深圳600。", "figures or foreign text", id="table"),
        pytest.param("参加会议的还有：王明、李红、张强、刘洋、陈静、杨帆、赵军、黄海。", "table or list", id="names"),
        pytest.param(f"“{PARAGRAPH}", "quotes or brackets without a partner", id="quote"),
        pytest.param(f"气温降到6k7度。{PARAGRAPH}", "odd characters", id="lost-character"),
        pytest.param(f"□{PARAGRAPH}", "odd characters", id="box"),
    ],
)
def test_faults(text: str, reason: str) -> None:
    assert fault(text) == reason


def test_columns_and_traditional_text_are_left_out_and_a_paragraph_is_given_once() -> None:
    cleaner = Cleaner({"學"})
    assert cleaner.judge("王明　李红　张强　刘洋　陈静　杨帆　赵军　黄海　周杰　吴敏")[1] == "table or list"
    assert cleaner.judge(PARAGRAPH.replace("学", "學"))[1] == "traditional characters"
    assert cleaner.judge(f"　　{PARAGRAPH}") == (PARAGRAPH, "")
    assert cleaner.judge(f"    {PARAGRAPH}")[1] == "seen before"
    assert [is_simplified(character) for character in "学乾學"] == [True, True, False]


@given(st.text(alphabet="他来了，。“”（）　 ３．％○▲abc新华社电记者", max_size=60))
def test_clean_paragraphs_are_not_cleaned_further(line: str) -> None:
    text, reason = Cleaner({"學"}).judge(line)
    if not reason:
        assert Cleaner({"學"}).judge(text) == (text, "")


def test_a_month_without_headers_doubles_and_evaluation_sentences() -> None:
    assert len(list(bodies(MONTH))) == 1
    tally: Counter[str] = Counter()
    assert clean_month(MONTH, Cleaner({"學"}), HELD_OUT, tally) == [PARAGRAPH]
    assert tally == {"kept": 1, "short": 1, "seen before": 1, "evaluation sentences": 1}


@pytest.mark.parametrize(
    ("paragraph", "overlaps"),
    [
        pytest.param(f"他说，{SENTENCE}。{PARAGRAPH}", True, id="whole-sentence"),
        pytest.param(f"他说，{SENTENCE.replace('老人', '他')}。{PARAGRAPH}", True, id="nearly-a-sentence"),
        pytest.param(f"{PARAGRAPH}每天早晨，都在河边的小公园里。", True, id="a-part-as-sentence"),
        pytest.param(f"{PARAGRAPH}有些人每天早晨，都在河边的小公园里散步。", False, id="a-part-inside-another"),
        pytest.param(f"{PARAGRAPH}今天天气很好！我们去爬山。", True, id="short-sentence"),
        pytest.param(f"{PARAGRAPH}今天天气很好，我们去爬山。", False, id="short-sentence-inside-another"),
        pytest.param(PARAGRAPH, False, id="other-text"),
        pytest.param("", False, id="empty"),
    ],
)
def test_overlap(paragraph: str, overlaps: bool) -> None:
    assert HELD_OUT.find([PARAGRAPH, paragraph]) == ({1} if overlaps else set())


def test_output_counts_what_it_writes(tmp_path: Path) -> None:
    output = Output(tmp_path / "text")
    assert output.write("rmrb-1998", [PARAGRAPH, PARAGRAPH], {"kept": 2}) == 2 * len(PARAGRAPH)
    with gzip.open(tmp_path / "text" / "rmrb-1998.txt.gz", "rt", encoding="utf-8") as lines:
        assert list(lines) == [f"{PARAGRAPH}\n"] * 2
    counts = json.loads((tmp_path / "text" / "counts.json").read_text("utf-8"))
    assert counts == {"rmrb-1998": {"characters": 2 * len(PARAGRAPH), "kept": 2}}
