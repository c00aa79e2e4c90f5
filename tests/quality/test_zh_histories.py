"""Corrections by Chinese editors from git histories, with a small repository and a small model of our own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.models.histories.repositories import Hunk, Repository
from benchmarks.models.zh_held_out import HeldOut
from benchmarks.models.zh_histories import __main__ as histories
from benchmarks.models.zh_histories.changes import Change, changed_sentences, mine, plain
from benchmarks.models.zh_histories.corrections import Cutter, Judged, Shapes, judge, kind_of, without_reverts
from benchmarks.models.zh_histories.ngrams import NGrams, window

from errata.errors import DataError
from errata.formats.files import read_lines

SHAPES = Shapes({"己": "已巳"})
# Twice: what comes once counts as unseen.
EDITED = [
    "他已经认真地看完了这本书。",
    "我们可以用这个命令打开文件。",
    "这本书的内容很有意思。",
    "你可以登录这台机器。",
] * 2


def commit(folder: Path, message: str, *, moved: tuple[str, str] | None = None, **files: str) -> None:
    """Write the files (`a` is a.md), move one, and commit."""
    if not folder.exists():
        folder.mkdir(parents=True)
        git(folder, "init", "-q", "-b", "main")
    if moved:
        git(folder, "mv", *moved)
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, env=environment)


@pytest.fixture
def clones(tmp_path: Path) -> Path:
    """A clone: a translation of an English line, its proofreading in a file that moves, and a revert."""
    folder = tmp_path / "clones" / "LCTT+TranslateProject"
    rest = "".join(f"第{n}段说明这个命令还有什么别的用处。\n\n" for n in range(20))
    commit(folder, "选题", a="He has read this book with care.\n\n" + rest)
    commit(folder, "translated", a="他己经认真的看完了这本书。\n\n" + rest)
    commit(folder, "PRF", moved=("a.md", "b.md"), b="他已经认真地看完了这本书。\n\n" + rest)
    commit(folder, "Revert PRF", b="他己经认真的看完了这本书。\n\n" + rest)
    return tmp_path / "clones"


def change(source: str, target: str, path: str = "a.md") -> Change:
    return Change(source, target, "LCTT/TranslateProject", path)


def judge_one(source: str, target: str) -> Judged:
    (judged,) = judge([change(source, target)], NGrams(EDITED), SHAPES)
    return judged


def test_only_chinese_changes_are_mined_also_where_a_file_moves(clones: Path) -> None:
    repository = Repository("LCTT/TranslateProject", clones / "LCTT+TranslateProject" / ".git")
    assert list(mine(repository)) == [change("他己经认真的看完了这本书。", "他已经认真地看完了这本书。", "b.md")]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("## 使用 **Git** 管理文件", "使用Git管理文件"),
        ("1. 看 [手册](a.md) 和「说明」, 再运行 `ls` 命令.", "看手册和说明，再运行ls命令。"),
        ("```", ""),
        ("    这是一行代码里的说明", ""),
        ("via: 这是原文的地址", ""),
        ("![一张图片](a.png)", ""),
    ],
)
def test_markup_is_taken_off(line: str, text: str) -> None:
    assert plain(line) == text


def test_a_sentence_goes_with_its_nearest() -> None:
    lines = [
        "-我们可以用这个命令打开文件。今天天气很好。",
        "+我们能够用这个命令打开文件。",
        "+完全不同的一个句子在这里。",
    ]
    assert list(changed_sentences(Hunk("c", "a.md", 1, lines))) == [
        ("我们可以用这个命令打开文件。", "我们能够用这个命令打开文件。")
    ]


@pytest.mark.parametrize(
    ("source", "target", "kind"),
    [
        ("他认真的看书。", "他认真地看书。", "particle"),
        ("你可以登陆机器。", "你可以登录机器。", "sound"),
        ("他己经走了。", "他已经走了。", "shape"),
        ("这本书的的内容。", "这本书的内容。", "doubled"),
        ("他放书在桌上。", "他把书放在桌上。", "word"),
        ("这是他书。", "这是他的书。", "function"),
        ("他在北京昨天到了。", "他昨天在北京到了。", "order"),
        ("请看其它文件。", "请看其他文件。", "style"),
        ("文件和目录。", "文件或目录。", "style"),
        ("他会来。", "他不会来。", "style"),
        ("打开Word文件。", "打开PDF文件。", "style"),
        ("打开，文件。", "打开文件。", "style"),
        ("我要吃苹果。", "我要吃香蕉。", "style"),
    ],
)
def test_kinds_of_edits(source: str, target: str, kind: str) -> None:
    kinds = {kind_of(edit, SHAPES) for edit in Cutter().edits(source, target)}
    assert kind in kinds


def test_what_does_not_correct_is_made_in_the_source_too() -> None:
    judged = judge_one("他己经认真的看完了这本书，其它没看。", "他已经认真地看完了这本书，其他没看。")
    assert (judged.source, judged.reason) == ("他己经认真的看完了这本书，其他没看。", "")
    assert judged.is_strict and set(judged.kinds) == {"shape", "particle"}


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        ("我们可以用这个命令打开其它文件。", "我们可以用这个命令打开其他文件。", "style alone"),
        ("他已经认真地看完了这本书。", "他己经认真地看完了这本书。", "no likelier: shape"),
        ("今天的天气非常好，我们去公园。", "今天的天气糟透了，大家都留在家里。", "rewritten"),
    ],
)
def test_reasons_to_leave_a_pair_out(source: str, target: str, reason: str) -> None:
    assert judge_one(source, target).reason == reason


def test_a_word_that_many_articles_replace_is_terminology() -> None:
    lines = [f"第{n}步请在窗口点击按键来打开文件。" for n in "一二三四五六七八九十"]
    changes = [change(line, line.replace("按键", "按钮"), f"{n}.md") for n, line in enumerate(lines)]
    assert {one.reason for one in judge(changes, NGrams(EDITED), SHAPES)} == {"terminology"}


def test_a_change_that_is_taken_back_is_none() -> None:
    there, back = change("甲", "乙"), change("乙", "甲")
    assert list(without_reverts([there, back])) == []
    assert list(without_reverts([there, there, back])) == [there]


def test_likelier_text_has_been_seen() -> None:
    seen, unseen = NGrams(EDITED).log_probabilities(
        [window("他", "已", "经认真地看"), window("他", "己", "经认真地看")]
    )
    assert seen > unseen


def test_an_evaluation_sentence_is_left_out() -> None:
    target = "他已经认真地看完了这本书。"
    selection = histories.Selection(HeldOut([target]))
    selection.add(Judged(change("", target), "他己经认真地看完了这本书。", ("shape",)))
    assert not selection.strict
    assert selection.tally["LCTT/TranslateProject"] == {"evaluation sentences": 1}


def test_files(clones: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "shared" / "data" / "zh"
    (data / "prose").mkdir(parents=True)
    (data / "lexical" / "confusion").mkdir(parents=True)
    monkeypatch.setattr(
        histories, "edited_text", lambda repositories, data: iter([*EDITED, *(f"{t} " for t in EDITED)])
    )
    monkeypatch.setattr(histories, "read_shapes", lambda data: SHAPES)
    monkeypatch.setattr(histories, "shared_folder", lambda: tmp_path / "shared")
    out = tmp_path / "out"
    options = ["--only", "LCTT/TranslateProject", "--out", str(out)]
    monkeypatch.setattr(sys, "argv", ["zh_histories", str(clones), *options])
    assert histories.main() == 0
    assert list(read_lines(out / "pairs-proofread-strict.tsv.xz")) == [
        "lctt-proofread\t他己经认真的看完了这本书。\t他已经认真地看完了这本书。\n"
    ]
    (counts,) = json.loads((out / "proofread.json").read_text("utf-8")).values()
    assert (counts["changed sentences"], counts["strict"], counts["licence"]) == (1, 1, "none found")


def test_a_missing_clone_is_named(clones: Path) -> None:
    with pytest.raises(DataError, match="lacks xitu/gold-miner; clone"):
        histories.find_clones(clones, ["xitu/gold-miner"])
