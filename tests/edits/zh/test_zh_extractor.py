"""The Chinese extractor: levels, strategies, marks, streaming, and parity with ChERRANT."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.edits.apply import apply_edits
from errata.edits.base import get_extractor
from errata.edits.zh import ChineseExtractor
from errata.edits.zh.words import Words, part_of_speech, segment, tag
from errata.errors import UnknownName, UsageError
from errata.formats.base import get_format
from errata.model import Edit, Status

LETTERS = "他她去先的，。 [MC]a"
texts = st.text(LETTERS, max_size=12) | st.text(max_size=8)


@pytest.mark.parametrize("strategy", ["all", "first"])
@settings(deadline=None)
@given(source=texts, targets=st.lists(texts, max_size=2))
def test_applying_the_edits_gives_the_target(strategy: str, source: str, targets: list[str]) -> None:
    annotated = next(ChineseExtractor(strategy=strategy).annotate([(source, targets)]))
    assert "".join(annotated.sentence.tokens) == "".join(source.split())
    assert [a.annotator for a in annotated.annotations if a.alignment == 0] == [str(n) for n in range(len(targets))]
    for annotation in annotated.annotations:
        target = "".join(targets[int(annotation.annotator)].split())
        assert "".join(apply_edits(annotated.sentence.tokens, annotation.edits)) == target


@settings(deadline=None)
@given(source=texts, target=texts)
def test_applying_word_edits_gives_the_target(source: str, target: str) -> None:
    annotated = next(ChineseExtractor(level="word").annotate([(source, [target])]))
    assert "".join(annotated.sentence.tokens) == "".join(source.split())
    for annotation in annotated.annotations:
        assert "".join(apply_edits(annotated.sentence.tokens, annotation.edits)) == "".join(target.split())


@settings(deadline=None)
@given(source=texts, target=texts)
def test_first_is_the_first_of_all(source: str, target: str) -> None:
    every, first = (
        next(ChineseExtractor(strategy=name).annotate([(source, [target])])).annotations for name in ("all", "first")
    )
    assert every[:1] == first
    assert len({annotation.edits for annotation in every}) == len(every)


def test_marks_say_that_nothing_is_wrong_or_nothing_can_be_said() -> None:
    annotated = next(ChineseExtractor().annotate([("他好。", ["没有错误", "无法标注", "他 好。", "他很好。"])]))
    assert [a.status for a in annotated.annotations] == [
        Status.ANNOTATED, Status.NOT_ANNOTATABLE, Status.ANNOTATED, Status.ANNOTATED,
    ]  # fmt: skip
    assert [len(a.edits) for a in annotated.annotations] == [0, 0, 0, 1]


def test_script_is_converted_only_when_asked_and_only_in_targets() -> None:
    pair = ("他們來。", ["他們来。"])
    plain, simplified = (next(ChineseExtractor(simplify=flag).annotate([pair])) for flag in (False, True))
    assert plain.annotations[0].edits == (Edit(2, 3, ("来",), "S"),)
    assert simplified.annotations[0].edits == (Edit(1, 3, ("们", "来"), "S"),)
    assert simplified.annotations[0].target == "他们来。"
    assert simplified.sentence.tokens == tuple("他們來。")


def test_several_cheapest_edit_lists_are_alignments_of_one_annotator() -> None:
    annotated = next(ChineseExtractor().annotate([("甲乙甲", ["乙甲乙", "甲"])]))
    assert [(a.annotator, a.alignment) for a in annotated.annotations] == [("0", 0), ("0", 1), ("1", 0)]


@pytest.mark.parametrize(
    ("options", "error"),
    [({"level": "syllable"}, UnknownName), ({"strategy": "best"}, UnknownName), ({"workers": 0}, UsageError)],
)
def test_wrong_options(options: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        get_extractor("zh", **options)


def test_signature_says_what_the_edits_depend_on() -> None:
    assert ChineseExtractor().signature.startswith("level:char|alignments:all|lexicon:none|pypinyin:")
    assert "|seg:jieba-" in ChineseExtractor(level="word").signature
    assert "|t2s:opencc-" in ChineseExtractor(simplify=True).signature


def test_pairs_are_read_as_they_are_needed() -> None:
    read = []

    def pairs() -> Iterator[tuple[str, list[str]]]:
        for n in range(10):
            read.append(n)
            yield "他好", ["他很好"]

    stream = ChineseExtractor().annotate(pairs())
    next(stream)
    assert read == [0]


def test_workers_keep_the_order() -> None:
    pairs = [(f"第{n}个他好", [f"第{n}个他很好"]) for n in range(700)]
    assert list(ChineseExtractor(workers=2).annotate(pairs)) == list(ChineseExtractor().annotate(pairs))


def test_a_table_of_tokens_that_grows_too_large_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.edits.zh.extractor.MAX_TOKENS", 3)
    pairs = [("甲乙丙丁", ["甲丙乙丁"]), ("戊己庚辛", ["戊庚己辛"]), ("甲乙丙丁", ["甲丙乙丁"])]
    first, _, again = ChineseExtractor().annotate(pairs)
    assert first == again


# Word level


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        pytest.param("他在学习", "他经常在学习", ["M:ADV"], id="missing-adverb"),
        pytest.param("我吃苹果了苹果", "我吃苹果了", ["R:NOUN"], id="redundant-noun"),
        pytest.param("他去学校", "他去商店", ["S:NOUN"], id="substitution"),
        pytest.param("他再学校", "他在学校", ["S:SPELL"], id="same-sound"),
        pytest.param("他好", "他好。", ["M:PUNCT"], id="punctuation"),
        pytest.param("我去学校昨天", "我昨天去学校", ["W"], id="word-order"),
        pytest.param("我们吃饭", "我们在学校吃饭", ["M:OTHER"], id="several-parts-of-speech"),
    ],
)
def test_word_types(source: str, target: str, expected: list[str]) -> None:
    annotated = next(ChineseExtractor(level="word", strategy="first").annotate([(source, [target])]))
    assert [edit.type for edit in annotated.annotations[0].edits] == expected


@given(texts)
@settings(deadline=None)
def test_segmenting_loses_nothing(text: str) -> None:
    bare = "".join(text.split())
    words = segment(bare)
    assert "".join(words.tokens) == bare
    assert len(words.tags) == len(words.tokens)


def test_placeholders_are_words() -> None:
    assert segment("他[缺失成分]去").tokens == ("他", "[缺失成分]", "去")


def test_segmented_text_keeps_its_tokens() -> None:
    extractor = ChineseExtractor(level="word", segmented=True)
    annotated = next(extractor.annotate([("我们 去 学校里", ["我们 在 学校里"])]))
    assert annotated.sentence.tokens == ("我们", "去", "学校里")
    assert annotated.annotations[0].edits == (Edit(1, 2, ("在",), "S:PREP"),)
    characters = ChineseExtractor(segmented=True).annotate([("学校 里", ["学校 外"])])
    assert next(characters).annotations[0].edits == (Edit(1, 2, ("外",), "S"),)


def test_given_words_are_tagged_by_their_last_part() -> None:
    assert tag(["学校", "美丽学校", "，"]) == Words(("学校", "美丽学校", "，"), ("NOUN", "NOUN", "PUNCT"))


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [("学校", "n", "NOUN"), ("北京", "ns", "NOUN"), ("学习", "vn", "NOUN"), ("走", "vi", "VERB"), ("的", "uj", "PART"),
     ("个", "q", "QUANT"), ("。", "x", "PUNCT"), ("+", "eng", "PUNCT"), ("abc", "eng", "OTHER"), ("？好", "", "OTHER")],
)  # fmt: skip
def test_parts_of_speech(word: str, tag: str, expected: str) -> None:
    assert part_of_speech(word, tag) == expected


def test_the_segmenter_is_quiet() -> None:
    program = "from errata.edits.zh.words import segment; print(segment('他好').tokens)"
    run = subprocess.run([sys.executable, "-W", "always", "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "('他', '好')\n"
    assert run.stderr == ""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        segment("他好")
    assert caught == []


# Parity with ChERRANT


def extract_m2(oracles: Path, name: str, lexicon: Path | None) -> str:
    rows = [line.split("\t")[1:] for line in (oracles / "cherrant" / name).read_text("utf-8").splitlines()]
    extractor = ChineseExtractor(simplify=True, lexicon=lexicon)
    return "".join(get_format("cherrant").format(extractor.annotate((source, targets) for source, *targets in rows)))


@pytest.mark.data
@pytest.mark.parametrize("lexicon", [False, True], ids=["without-lexicon", "with-lexicon"])
@pytest.mark.parametrize(
    ("name", "side"), [("MuCGEC_dev.txt", "ref"), ("example_pred_dev.txt", "hyp")], ids=["references", "predictions"]
)
def test_m2_is_cherrants_line_by_line(oracles: Path, data: Path, name: str, side: str, lexicon: bool) -> None:
    folder = data / "zh" / "lexical" / "cherrant" if lexicon else None
    official = oracles / "cherrant" / f"mucgec_dev.{side}.char{'' if lexicon else '.nolexicon'}.m2"
    assert extract_m2(oracles, name, folder).splitlines() == official.read_text("utf-8").splitlines()


@pytest.mark.data
def test_the_plain_python_kernel_gives_the_same(oracles: Path) -> None:
    program = (
        "import sys; from errata.edits.zh import ChineseExtractor, align; assert align.KERNEL == 'python';"
        "rows = [line.rstrip('\\n').split('\\t')[1:] for line in sys.stdin];"
        "from errata.formats.base import get_format;"
        "found = ChineseExtractor(simplify=True).annotate((row[0], row[1:]) for row in rows);"
        "sys.stdout.writelines(get_format('cherrant').format(found))"
    )
    n_sentences = 60
    lines = (oracles / "cherrant" / "MuCGEC_dev.txt").read_text("utf-8").splitlines(keepends=True)[:n_sentences]
    official = (oracles / "cherrant" / "mucgec_dev.ref.char.nolexicon.m2").read_text("utf-8").split("\n\n")
    run = subprocess.run(
        [sys.executable, "-c", program],
        input="".join(lines),
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "ERRATA_PURE": "1", "PYTHONUTF8": "1"},
        check=True,
    )
    assert run.stdout.split("\n\n")[:n_sentences] == official[:n_sentences]
