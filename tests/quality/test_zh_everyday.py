"""Everyday Chinese prose and corrections: the cleaning rules, the readers, and files made from small repositories."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from benchmarks.models import zh_everyday
from benchmarks.models.zh_cleaning import LONGEST_DRAWN, Cleaner, fault, pair_fault, trim
from benchmarks.models.zh_everyday import (
    CORPORA,
    ROLES,
    SOURCES,
    Clones,
    Corpus,
    Files,
    Source,
    draw,
    read_corpus,
    read_source,
    write_files,
)
from benchmarks.models.zh_held_out import HeldOut
from benchmarks.models.zh_readers import (
    common_mistakes,
    decode,
    fields,
    flacgec,
    gee_pages,
    gee_prompts,
    markdown,
    plain,
    second_column,
    smile,
    split,
    tidy,
)
from benchmarks.models.zh_small import read_everyday
from hypothesis import given
from hypothesis import strategies as st

from errata.errors import DataError
from errata.formats.files import read_lines

FIRST, SECOND = "孩子们在院子里种了一棵小树。", "妈妈说明天要带我们去爬山。"
EVALUATED = "老人每天早晨都在河边的小公园里打太极拳"
HELD_OUT = HeldOut([EVALUATED])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("你好,我是小王.", "你好，我是小王。", id="ascii-marks"),
        pytest.param("你去吗?去!", "你去吗？去！", id="question"),
        pytest.param("他说:「我去『北京』」", "他说：“我去‘北京’”", id="corner-brackets"),
        pytest.param("等一等...好…", "等一等……好……", id="ellipsis"),
        pytest.param("等一等……好", "等一等……好", id="whole-ellipsis"),
        pytest.param('他说"好"。', "他说“好”。", id="straight-quotes"),
        pytest.param("　　我 用 Visual Basic 写&nbsp;程序。", "我用Visual Basic写程序。", id="blanks"),
        pytest.param("圆周率是3.14,对吗?", "圆周率是3.14,对吗？", id="figures"),
        pytest.param("", "", id="empty"),
    ],
)
def test_tidy_writes_chinese_marks(text: str, expected: str) -> None:
    assert tidy(text) == expected


def test_split_keeps_marks_and_closing_quotes_with_their_sentence() -> None:
    assert split("“走吧！”他说。我们走了……然后") == ["“走吧！”", "他说。", "我们走了……", "然后"]
    assert split("") == []


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        pytest.param(f"　　{FIRST}{SECOND}\r\n", [FIRST, SECOND], id="paragraph"),
        pytest.param(
            f"今天下午下了一场很大很大的雨，我\n们没有去。{SECOND}",
            ["今天下午下了一场很大很大的雨，我", SECOND],
            id="hard-line-break",
        ),
        pytest.param(
            f"今天下午下了一场很大很大的雨，我\n　　{SECOND}",
            ["今天下午下了一场很大很大的雨，我", SECOND],
            id="indented",
        ),
        pytest.param(
            f"今天下午下了一场很大很大的雨，我\n\n{SECOND}",
            ["今天下午下了一场很大很大的雨，我", SECOND],
            id="blank-line",
        ),
        pytest.param(f"第一章\n{FIRST}", ["第一章", FIRST], id="heading"),
        pytest.param("", [], id="empty"),
    ],
)
def test_plain_text_leaves_out_the_rest_of_a_broken_sentence(text: str, sentences: list[str]) -> None:
    assert list(plain(text)) == sentences


def test_markdown_gives_its_paragraphs() -> None:
    page = f"# 种树\n\n![图](a.png)\n> 引文很长很长。\n- [目录](b.md)\n**{FIRST}**[^1]<br>\n[{SECOND}](c.md)\n"
    assert list(markdown(page)) == [FIRST, SECOND]


def test_json_and_csv_give_the_sentences_of_a_field() -> None:
    chat = [{"messages": [{"attrs": [{"name": "不要"}], "message": FIRST}, {"message": f"{SECOND}\n{FIRST}"}]}]
    assert list(fields("message")(json.dumps(chat))) == [FIRST, SECOND, FIRST]
    assert list(second_column(f'她 在,{FIRST},"a, b"\n只有一格\n')) == [FIRST]


def test_dialogues_are_read_without_the_first_post_and_names_of_roles() -> None:
    turns = [{"content": "我自己写的。"}, {"content": f"支持者：{FIRST}{SECOND}"}, {"content": "咨询师:你好。"}]
    assert list(smile(json.dumps(turns))) == [FIRST, SECOND, "你好。"]
    assert ROLES.search("求助者说他很难过。") and not ROLES.search(FIRST)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_text_is_read_in_any_encoding(encoding: str) -> None:
    assert decode(FIRST.encode(encoding)) == (FIRST, 0)


def test_a_file_in_utf8_with_one_bad_byte_is_utf8() -> None:
    content = f"{FIRST * 4}{SECOND}".encode()
    text, n_damaged = decode(content[:-1] + b"\xff")
    assert text.startswith(FIRST) and n_damaged == text.count("\ufffd") == 2
    assert fault(text.removeprefix(FIRST * 4)) != ""


@pytest.mark.parametrize(
    ("read", "text"),
    [
        pytest.param(
            gee_prompts,
            json.dumps(
                {"messages": [{"content": "You …"}, {"content": "Sentence pair:\n错句\n对句\nlist of edits:\n…"}]}
            ),
            id="gee-prompts",
        ),
        pytest.param(
            gee_pages,
            json.dumps([{"text": "<b>Source:</b> 错句<br><b>Target:</b> 对句<br><br>…"}, {"text": "…"}]),
            id="gee-pages",
        ),
        pytest.param(common_mistakes, '0: {"wrong": "错句",\n\t"right": "对句", "meaning": ""}', id="common-mistakes"),
        pytest.param(common_mistakes, '0: {wrong: "错句", right: "对句"}', id="common-mistakes-without-quotes"),
        pytest.param(flacgec, json.dumps({"0": {"source": "错句", "target": "对句"}}), id="flacgec"),
    ],
)
def test_corrections_are_read(read, text: str) -> None:
    assert list(read(text)) == [("错句", "对句")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(FIRST, "", id="prose"),
        pytest.param("“我们回家吃饭吧。”妈妈笑着说。", "", id="quotation"),
        pytest.param("“走，走，走！”他说。", "little Chinese", id="marks"),
        pytest.param("他走了。", "short or long", id="short"),
        pytest.param("他" * 180 + "。", "short or long", id="long"),
        pytest.param("", "short or long", id="empty"),
        pytest.param("孩子们在院子里种了一棵小树，", "no end", id="goes-on"),
        pytest.param("a孩子们在院子里种了一棵小树。", "odd beginning", id="list-letter"),
        pytest.param("“孩子们在院子里种了一棵小树。", "quotes or brackets without a partner", id="quote"),
        pytest.param("他用Visual Basic 6.0写了程序。", "little Chinese", id="foreign"),
        pytest.param("孩子们在*院子*里种了一棵小树。", "odd characters", id="markup"),
        pytest.param("孩子们在院子里，，种了一棵小树。", "odd characters", id="doubled-mark"),
        pytest.param("喜欢这本书的读者请点击下面的图片。", "notice of a web site or a book", id="web-site"),
        pytest.param("他在第三章里写到了种树的孩子们。", "notice of a web site or a book", id="chapter"),
    ],
)
def test_faults_of_sentences(text: str, reason: str) -> None:
    assert fault(text) == reason


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        pytest.param("我上学在纽约。", "我在纽约上学。", "", id="correction"),
        pytest.param("我上学。", "我上学。", "unchanged", id="unchanged"),
        pytest.param("我上学在纽约。", "我在纽约上学/念书。", "a choice of corrections", id="choice"),
        pytest.param("上学", "上学。", "short or long", id="short"),
        pytest.param("went to school上学。", "我在纽约上学。", "little Chinese", id="gloss"),
    ],
)
def test_faults_of_corrections(source: str, target: str, reason: str) -> None:
    assert pair_fault(source, target) == reason


def test_a_sentence_is_given_once_in_simplified_characters() -> None:
    cleaner = Cleaner(known_prose=[f"{SECOND}\n"])
    assert cleaner.judge("”孩子們在院子裡種了一棵小樹。") == (FIRST, "")
    assert cleaner.judge(FIRST.replace("。", "！"))[1] == "seen before"
    assert cleaner.judge(SECOND)[1] == "seen before"
    assert cleaner.judge("走吧。")[1] == "short or long"


def test_a_correction_is_given_once_and_not_from_another_corpus() -> None:
    cleaner = Cleaner(known_sources=["他昨天是去。"])
    assert cleaner.judge_pair(("我 上學在紐約。", "我在紐約上學。")) == (("我上学在纽约。", "我在纽约上学。"), "")
    assert cleaner.judge_pair(("我上学在纽约。", "我在纽约上学。"))[1] == "seen before"
    assert cleaner.judge_pair(("他昨天是去。", "他昨天去了。"))[1] == "in another corpus"


@given(st.text(alphabet='他来了，。！？…“”‘’（）《》:,."「」 　a1<*', max_size=40))
def test_clean_sentences_are_not_cleaned_further(line: str) -> None:
    for sentence in split(line):
        text = trim(sentence)
        if not fault(text):
            assert trim(text) == text and split(text)[0]


def test_sentences_to_make_errors_in_are_drawn_by_chance() -> None:
    sentences = [f"{number}{FIRST}" for number in range(50)] + ["很" * LONGEST_DRAWN + "。"]
    drawn = draw(sentences, 20, random.Random(1))
    assert len(set(drawn)) == 20 and drawn == draw(sentences, 20, random.Random(1))
    assert sorted(draw(sentences, None, random.Random(1))) == sorted(sentences[:50])


def commit(folder: Path, files: dict[str, bytes]) -> None:
    """A repository with these files."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "Begin"]):
        subprocess.run(["git", "-C", str(folder), *identity, *command], check=True, env=environment)


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clones:
    """A repository of books, chats and corrections, and a table that reads it."""
    chats = {f"chats/{n}.json": [{"content": "我的帖子。"}, {"content": f"我第{n}次这样说话。"}] for n in range(6)}
    mistakes = f'{{wrong: "我上学在纽约。", right: "我在纽约上学。"}}, {{wrong: "{EVALUATED}", right: "{EVALUATED}。"}}'
    files = {
        "书/一.txt": f"{FIRST}{FIRST}他走了。\n{EVALUATED}。\n".encode("gb18030"),
        "书/二.txt": SECOND.encode(),
        "书/poem.md": "春眠不觉晓，处处闻啼鸟。".encode(),
        "mistakes.js": mistakes.encode(),
        **{path: json.dumps(turns).encode() for path, turns in chats.items()},
    }
    commit(tmp_path / "clones" / "someone+texts", files)
    chat = (Files("someone/texts", r"chats/.*", smile),)
    sources = (
        Source("books", (Files("someone/texts", r"书/.*\.txt", plain),), is_for_encoder=True),
        Source("chat", chat, part=(0, 4), most=2),
        Source("more-chat", chat, part=(4, 6)),
    )
    monkeypatch.setattr(zh_everyday, "SOURCES", sources)
    mistaken = Corpus("mistakes", (Files("someone/texts", r"mistakes\.js", common_mistakes),))
    monkeypatch.setattr(zh_everyday, "CORPORA", (mistaken,))
    return Clones(tmp_path / "clones")


def test_sources_and_corpora_count_what_they_leave_out(clones: Clones) -> None:
    tally: Counter[str] = Counter()
    assert read_source(zh_everyday.SOURCES[0], clones, Cleaner(), HELD_OUT, tally) == [FIRST, SECOND]
    assert tally == {"kept": 2, "seen before": 1, "short or long": 1, "evaluation sentences": 1}
    tally.clear()
    assert read_corpus(zh_everyday.CORPORA[0], clones, Cleaner(), HELD_OUT, tally) == [
        ("我上学在纽约。", "我在纽约上学。")
    ]
    assert tally == {"kept": 1, "evaluation sentences": 1}


def test_files_of_a_small_repository(clones: Clones, tmp_path: Path) -> None:
    out = tmp_path / "zh"
    write_files(clones, Cleaner(), HELD_OUT, out)
    pairs, prose = read_everyday(out)
    assert pairs == [("mistakes", "我上学在纽约。", "我在纽约上学。")]
    assert {FIRST, SECOND} < set(prose) and len(set(prose)) == len(prose) == 2 + 2 + 2
    assert list(read_lines(out / "text" / "extra-books.txt.gz")) == [f"{FIRST}\n", f"{SECOND}\n"]
    assert [path.name for path in (out / "text").iterdir()] == ["extra-books.txt.gz"]
    report = json.loads((out / "everyday.json").read_text("utf-8"))
    assert list(report) == ["mistakes", "books", "chat", "more-chat"]
    assert report["chat"]["kept"] == 4 and report["chat"]["drawn"] == 2
    assert len(report["books"]["commits"]["someone/texts"]) == 40
    before = {path: path.read_bytes() for path in out.rglob("*.xz")}
    write_files(clones, Cleaner(), HELD_OUT, out)
    assert {path: path.read_bytes() for path in out.rglob("*.xz")} == before


def test_a_missing_clone_or_file_is_told(clones: Clones, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="has no files nothing"):
        list(clones.read(Files("someone/texts", "nothing", plain)))
    with pytest.raises(DataError, match=r"mistakes\.js has another format"):
        list(clones.read(Files("someone/texts", r"mistakes\.js", flacgec)))
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="lacks someone/texts; clone"):
        Clones(tmp_path / "empty")


def test_names_of_the_tables_are_distinct() -> None:
    names = [kind.name for kind in (*SOURCES, *CORPORA)]
    assert len(set(names)) == len(names)
