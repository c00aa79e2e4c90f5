"""Reading judged sets: what each gives, and one clear line for whatever is wrong with its files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from judged_files import M2, OUTPUTS, RANKS, SOURCES, make_xml, write_cltc, write_gjg15, write_gmeg, write_seeda

from errata.errors import AlignmentError, DataError, ErrataError, FormatError, UnknownName, UsageError
from errata.meta_eval.appraise import parse_rankings
from errata.meta_eval.base import JUDGED_SETS, Judgement, get_judged_set
from errata.meta_eval.evaluation import MetaOptions, rank_systems


def test_gjg15(tmp_path: Path) -> None:
    [track] = get_judged_set("gjg15").load(write_gjg15(tmp_path))
    assert list(track.outputs) == ["GOOD", "HALF", "INPUT", "WORSE"]
    assert track.outputs["INPUT"] == SOURCES  # spaces at the ends of lines are gone
    assert track.has_references and len(track.judgements) == 3 * 6
    assert Counter(one.outcome for one in track.judgements if one.sentence == 0) == {1: 5, 0: 1}
    assert Judgement(1, "HALF", "WORSE", 0) in track.judgements


def test_seeda_counts_from_one_and_scores_what_was_judged(tmp_path: Path) -> None:
    edit, sent = get_judged_set("seeda").load(write_seeda(tmp_path))
    assert (edit.name, sent.name) == ("edit", "sent") and sent.outputs is edit.outputs
    assert edit.outputs["INPUT"] == [SOURCES[0], SOURCES[1], SOURCES[3]]
    assert edit.groups == {
        "base": ["GOOD", "HALF", "WORSE"],
        "fluency": ["GOOD", "HALF", "REF-F", "WORSE"],
        "all": ["GOOD", "HALF", "INPUT", "REF-F", "WORSE"],
    }


def test_gmeg(tmp_path: Path) -> None:
    [track] = get_judged_set("gmeg").load(write_gmeg(tmp_path))
    assert track.name == "test/fce" and list(track.outputs) == ["GOOD", "HALF", "INPUT", "WORSE"]
    assert track.scores["mean"] == {"GOOD": 91, "HALF": 77.25, "INPUT": 62.25, "WORSE": 25}
    assert track.rated[1].systems == ("GOOD", "HALF", "INPUT")  # an empty cell is no rating
    assert any("column ref" in one for one in track.warnings) and any("yahoo" in one for one in track.warnings)


def test_cltc(tmp_path: Path) -> None:
    [track] = get_judged_set("cltc").load(write_cltc(tmp_path))
    assert track.is_choice and not track.outputs and track.has_references
    assert track.rated[1].texts == ("我爱你门。", "我爱他们。", "我爱你们。")
    assert track.rated[1].values == (0.0, 0.5, 1.0)


def test_maege_makes_corrections_of_any_corpus(tmp_path: Path) -> None:
    corpus = tmp_path / "gold.m2"
    corpus.write_text(M2, "utf-8")
    [track] = get_judged_set("maege").load(corpus)
    assert track.outputs["0 %"] == SOURCES and track.scores["share"]["0 %"] == 0
    assert track.scores["share"]["100 %"] == 1
    assert track.outputs["100 %"][3] == "She has a dog ."
    chains = [row for row in track.rated if row.sentence == 3]
    assert [len(row.texts) for row in track.rated] == [2, 2, 2, 2, 3]
    assert chains[0].texts[0] == SOURCES[3] and chains[0].texts[-1] == "She has a dog ."
    assert chains[0].values == (-2, -1, 0)
    assert get_judged_set("maege").load(corpus)[0] == track
    assert get_judged_set("maege", seed=1).load(corpus)[0].outputs != track.outputs


def test_maege_finds_the_edits_of_chinese_texts(tmp_path: Path) -> None:
    corpus = tmp_path / "gold.para"
    corpus.write_text("1\t他跑的很快，我爱你门。\t他跑得很快，我爱你们。\n2\t我爱你。\t没有错误\n", "utf-8")
    [track] = get_judged_set("maege").load(corpus)
    [chain] = track.rated
    assert (chain.texts[0], chain.texts[-1]) == ("他跑的很快，我爱你门。", "他跑得很快，我爱你们。")
    assert chain.values == (-2, -1, 0) and chain.texts[1] in ("他跑得很快，我爱你门。", "他跑的很快，我爱你们。")


def test_maege_draws_sentences(tmp_path: Path) -> None:
    corpus = tmp_path / "gold.m2"
    corpus.write_text(M2, "utf-8")
    assert len(get_judged_set("maege", sentences=2).load(corpus)[0].gold) == 2
    with pytest.raises(UsageError, match="none can be drawn"):
        get_judged_set("gjg15", sentences=2)


def test_without_references_there_are_none(tmp_path: Path) -> None:
    [track] = get_judged_set("gjg15").load(write_gjg15(tmp_path, with_gold=False))
    assert not track.has_references


def _write(name: str, text: str) -> Callable[[Path], object]:
    return lambda root: (root / name).write_text(text, "utf-8")


SUBMISSIONS = "original/official_submissions"
FAULTS: dict[str, tuple[Callable[[Path], object], type[ErrataError], str]] = {
    "no folder": (lambda root: (root / "judgments.xml").unlink(), DataError, "has no judgements: looked for"),
    "no output": (lambda root: (root / SUBMISSIONS / "HALF").unlink(), DataError, "no output of HALF, which people"),
    "short": (_write(f"{SUBMISSIONS}/HALF", "He goes home .\n"), AlignmentError, "HALF has 1 lines, INPUT 4"),
    "unknown system": (
        _write("judgments.xml", make_xml({**RANKS, 2: [("NOBODY", 1), ("GOOD", 2)]})),
        DataError,
        "no output of NOBODY",
    ),
    "no such sentence": (
        _write("judgments.xml", make_xml({**RANKS, 7: [("HALF", 1), ("GOOD", 2)]})),
        FormatError,
        r"judgments.xml:6: there is no sentence 7",
    ),
    "other outputs": (
        _write("judgments.xml", make_xml({**RANKS, 3: [("HALF GOOD", 1)]})),
        FormatError,
        r"judgments.xml:5: HALF and GOOD are ranked as one correction, but their outputs differ in sentence 3",
    ),
    "broken": (
        _write("judgments.xml", "<results>\n<result>\n</results>"),
        FormatError,
        r"xml:3: not XML: mismatched tag",
    ),
    "empty": (_write("judgments.xml", "<results/>"), FormatError, "there are no judgements"),
    "gold": (
        _write("official-2014.combined.m2", M2.replace("He go home", "He go house")),
        AlignmentError,
        "differs from the source",
    ),
}


@pytest.mark.parametrize(("damage", "kind", "message"), FAULTS.values(), ids=FAULTS)
def test_faults_are_one_line(
    damage: Callable[[Path], object], kind: type[ErrataError], message: str, tmp_path: Path
) -> None:
    root = write_gjg15(tmp_path)
    damage(root)
    with pytest.raises(kind, match=message) as caught:
        get_judged_set("gjg15").load(root)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        ('<a>\n<ranking-item src-id="x"/></a>', "<j>:2: src-id is a whole number, not 'x'"),
        ("<a>\n<ranking-item/></a>", "<j>:2: <ranking-item> has no src-id"),
        (
            '<a><ranking-item src-id="1">\n<translation system="A"/></ranking-item></a>',
            "<j>:2: <translation> has no rank",
        ),
        ('<a><ranking-item src-id="1">\n<translation rank="1"/></ranking-item></a>', "<j>:2: <translation> names no"),
        ('<a>\n<translation rank="1" system="A"/></a>', "<j>:2: <translation> stands outside"),
        (make_xml({1: [("A B", 1), ("A", 2)]}), "<j>:3: A is ranked twice"),
    ],
)
def test_bad_rankings(xml: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_rankings(xml, "<j>")
    assert str(caught.value).startswith(message)


def test_an_item_without_choices_says_nothing() -> None:
    assert parse_rankings('<a><ranking-item src-id="1"/></a>')[0].groups == ()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("test/fce-segment-scores.csv", "GOOD\n1\n2\n3\n", "rates 3 sentences"),
        ("test/fce-segment-scores.csv", "GOOD\n1\nx\n3\n4\n", "csv:3: a rating is a number, not 'x'"),
        ("test/fce-segment-scores.csv", "GOOD,HALF\n1\n", "csv:2: 1 cells, 2 systems"),
        ("test/fce-segment-scores.csv", "GOOD,GOOD\n1,1\n", "csv:1: a system has two columns"),
        ("test/fce-segment-scores.csv", "GOOD,HALF\n1,\n1,\n", "nobody rated HALF"),
        ("test/fce-segment-scores.csv", "", "there are no ratings"),
    ],
)
def test_bad_ratings(name: str, text: str, message: str, tmp_path: Path) -> None:
    root = write_gmeg(tmp_path)
    (root / name).write_text(text, "utf-8")
    with pytest.raises(ErrataError, match=message):
        get_judged_set("gmeg").load(root)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "jsonl:1: not a sentence with candidates"),
        ('{"src": "a"}', "jsonl:1: not a sentence with candidates"),
        ('{"src": 1, "hyps": [{"text": "a", "f05": 1}]}', "jsonl:1: a source is a text"),
        ('{"src": "a", "hyps": [{"text": "a", "f05": 1}, {"text": "b"}]}', "jsonl:1: 2 candidates have 1 values"),
        ('{"src": "a", "hyps": [{"text": "a", "f05": NaN}]}', "jsonl:1: 1 candidates have 1 values"),
    ],
)
def test_bad_candidates(line: str, message: str, tmp_path: Path) -> None:
    root = write_cltc(tmp_path)
    (root / "track5-qe.yaclc-minimal_dev.jsonl").write_text(line + "\n", "utf-8")
    with pytest.raises(FormatError, match=message):
        get_judged_set("cltc").load(root)


def test_candidates_of_a_test_have_no_values(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no candidates with values.*minimal_dev\.jsonl have no values"):
        get_judged_set("cltc").load(write_cltc(tmp_path, with_values=False))


def test_unknown_names() -> None:
    with pytest.raises(UnknownName, match="unknown judged set 'gjg'; did you mean 'gjg15'"):
        get_judged_set("gjg")
    with pytest.raises(UnknownName, match="option of a judged set"):
        get_judged_set("gjg15", golden="x")
    assert all(get_judged_set(name).name == name for name in JUDGED_SETS)


def test_the_ranking_follows_the_judgements(tmp_path: Path) -> None:
    [track] = get_judged_set("gjg15").load(write_gjg15(tmp_path))
    rankings = rank_systems(track, MetaOptions(runs=5))
    assert list(rankings) == ["EW", "TS"]
    assert list(rankings["EW"].scores) == ["GOOD", "HALF", "INPUT", "WORSE"]
    # HALF beats INPUT twice of two, WORSE twice, and loses to GOOD twice.
    assert rankings["EW"].scores["HALF"] == pytest.approx((0 + 1 + 1) / 3)


def test_an_output_that_nobody_judged_is_left_alone(tmp_path: Path) -> None:
    root = write_gjg15(tmp_path)
    (root / SUBMISSIONS / "REF0").write_text("one line\n", "utf-8")
    assert set(get_judged_set("gjg15").load(root)[0].outputs) == set(OUTPUTS)


def test_an_empty_correction_is_told(tmp_path: Path) -> None:
    root = write_gjg15(tmp_path)
    (root / SUBMISSIONS / "WORSE").write_text("\nI like a cat .\nIt rain .\nShe have dogs .\n", "utf-8")
    [track] = get_judged_set("gjg15").load(root)
    assert track.outputs["WORSE"][0] == ""
    assert track.warnings == ["WORSE: one empty correction, which counts as deleting the sentence"]


def test_maege_takes_no_other_gold(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="leave --gold out"):
        get_judged_set("maege", gold="other.m2").load(tmp_path)
