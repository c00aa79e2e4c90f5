"""Records of training files, in any format, and what they have in common with evaluation sets."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.datasets.catalogue import NamedSet, SetFile
from errata.datasets.contamination import Evaluation, EvaluationSet, check_records, make_report
from errata.datasets.evaluation_sets import choose_sets, digest_path
from errata.datasets.finding import Listing
from errata.datasets.texts import Record, read_file_texts, read_parallel_records, read_records, read_set_texts
from errata.errors import AlignmentError, DataError, FormatError, UsageError

LONG = "She goes home every day at five o'clock ."
OTHER = "Nobody in this town has ever seen such a thing ."
M2 = """\
S She go home every day at five o'clock .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Fine .

S Last one .
"""


def _evaluation(*sets: list[tuple[str, ...]]) -> Evaluation:
    return Evaluation([EvaluationSet(f"set{number}", "d", one) for number, one in enumerate(sets)])


@pytest.mark.parametrize(
    ("name", "content", "texts"),
    [
        ("a.txt", "One .\nTwo .", [("One .",), ("Two .",)]),
        ("a.txt", "\ufeffOne .\r\n\r\n", [("One .",), ("",)]),
        ("a.tsv", "She go .\tShe goes .\t17\nFine .\tFine .\t4\n", [("She go .", "She goes ."), ("Fine .", "Fine .")]),
        ("a.para", "1\t他去学校。\t没有错误\n2\t我门走\t我们走\n", [("他去学校。",), ("我门走", "我们走")]),
        ("a.m2", M2, [("She go home every day at five o'clock .", LONG), ("Fine .",), ("Last one .",)]),
        ("a.m2", "", []),
    ],
)
def test_records_are_cut_as_they_are_written(
    tmp_path: Path, name: str, content: str, texts: list[tuple[str, ...]]
) -> None:
    path = tmp_path / f"{name}.gz"
    path.write_bytes(gzip.compress(content.encode()))
    records = list(read_records(path))
    assert [record.texts for record in records] == texts
    assert "".join(part for record in records for part in record.raw) == content


def test_rows_of_a_csv_file_are_records(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('source,output,ave_g\nHe go .,"He goes, now .",3.4\n', "utf-8")
    texts = [record.texts for record in read_records(tmp_path / "a.csv")]
    assert texts == [("source", "output", "ave_g"), ("He go .", "He goes, now .")]
    (tmp_path / "a.csv").write_text(f'a,b\n"{"x" * 200_000},b\n', "utf-8")
    with pytest.raises(FormatError, match=r"a\.csv:2: field larger than field limit"):
        list(read_records(tmp_path / "a.csv"))


def test_a_format_that_is_not_written_by_the_sentence_has_no_parts(tmp_path: Path) -> None:
    entry = {"sentence": "他非常十分高兴。", "error_flag": 1, "error_type": "CR", "operation": '[{"Delete": [1, 2]}]'}
    (tmp_path / "a.json").write_text(json.dumps({"1": entry | {"version": "FCGEC EMNLP 2022"}}), "utf-8")
    assert list(read_records(tmp_path / "a.json")) == [Record(("他非常十分高兴。", "他十分高兴。"), ())]


@pytest.mark.parametrize(
    "content",
    [
        '[{"id": "12", "source": "我昨天去学校了", "edits": [{"correct": ["我昨天去了学校"]}]}]',
        '{"12": {"source": "我昨天去学校了", "deep": {"target": "我昨天去了学校", "n": 3}}}',
        '{"about": {"n": 2}, "all": [["我昨天去学校了", "我昨天去了学校"], ["我昨天去学校了", "我昨天去了学校"]]}',
        '{"source": "我昨天去学校了", "targets": ["我昨天去了学校"]}\n',
    ],
    ids=["list", "mapping", "list in a mapping", "lines"],
)
def test_strings_are_those_of_each_item(tmp_path: Path, content: str) -> None:
    if content.endswith("\n"):
        content += content
    (tmp_path / "a.json").write_text(content, "utf-8")
    texts = [record.texts for record in read_records(tmp_path / "a.json", "strings")]
    assert set(texts) == {("我昨天去学校了", "我昨天去了学校")}


def test_strings_of_what_is_no_json(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": 1}\nno\n', "utf-8")
    with pytest.raises(FormatError, match=r"a\.json:2: not JSON"):
        list(read_records(tmp_path / "a.json", "strings"))


def test_parallel_files_are_one(tmp_path: Path) -> None:
    source, target = tmp_path / "a.src", tmp_path / "a.tgt"
    source.write_text("She go .\nFine .\n", "utf-8")
    target.write_text("She goes .\nFine .", "utf-8")
    records = list(read_parallel_records([source, target]))
    assert records == [
        Record(("She go .", "She goes ."), ("She go .\n", "She goes .\n")),
        Record(("Fine .", "Fine ."), ("Fine .\n", "Fine .")),
    ]
    target.write_text("She goes .\n", "utf-8")
    with pytest.raises(AlignmentError, match=r"a\.tgt has 1 lines, .*a\.src has more"):
        list(read_parallel_records([source, target]))


def test_a_record_is_counted_once_as_the_gravest_kind() -> None:
    evaluation = _evaluation([(LONG,), ("Thank you .",)], [(LONG.replace("five", "six"), OTHER)])
    records = [
        Record(("Thank you !", LONG), ("1\n",)),
        Record((LONG.replace("home", "back"),), ("2\n",)),
        Record(("Thank you",), ("3\n",)),
        Record(("Something else .",), ("4\n",)),
    ]
    kept: list[str] = []
    tally = check_records("train", records, evaluation, keep=lambda record: kept.extend(record.raw))
    assert tally.as_dict(evaluation.names) == {
        "file": "train",
        "records": 4,
        "exact": 1,
        "near": 1,
        "short": 1,
        "sets": {
            "set0": {"exact": 1, "near": 1, "short": 1, "sentences": 2},
            "set1": {"exact": 0, "near": 1, "short": 0, "sentences": 1},
        },
    }
    assert kept == ["3\n", "4\n"]
    kept.clear()
    check_records("train", records, evaluation, keep=lambda record: kept.extend(record.raw), with_short=True)
    assert kept == ["4\n"]
    report = make_report(evaluation, [tally])
    assert report["against"] == [
        {"set": "set0", "digest": "d", "sentences": 2},
        {"set": "set1", "digest": "d", "sentences": 1},
    ]


sentences = st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=14).map(" ".join)


@given(st.lists(sentences, min_size=1, max_size=6), st.lists(sentences, max_size=6))
def test_what_is_kept_has_nothing_in_common(known: list[str], trained: list[str]) -> None:
    evaluation = _evaluation([(text,) for text in known])
    kept: list[Record] = []
    records = [Record((text,), (text,)) for text in (*trained, *known)]
    tally = check_records("train", records, evaluation, keep=kept.append, with_short=True)
    assert tally.n_records == len(kept) + tally.kinds.total()
    assert check_records("clean", kept, evaluation).kinds.total() == 0
    assert not {record.raw[0] for record in kept} & set(known)


def _set(name: str, format: str, *files: str, use: str = "test") -> NamedSet:
    parts = tuple(SetFile(file, 0, "") for file in files)
    return NamedSet(name, "a set", "en", "", format, 1, "https://example.org", "free", parts, use=use)


def test_the_files_of_a_set(tmp_path: Path) -> None:
    (tmp_path / "src").write_text("She go .\nFine .\n", "utf-8")
    (tmp_path / "ref").write_text("She goes .\nFine .\n", "utf-8")
    paths = [tmp_path / "src", tmp_path / "ref"]
    assert list(read_set_texts(_set("a", "parallel", "src", "ref"), paths)) == [
        ("She go .", "She goes ."),
        ("Fine .", "Fine ."),
    ]
    assert list(read_set_texts(_set("a", "table", "src", "ref"), paths))[2] == ("She goes .",)
    assert list(read_file_texts(tmp_path)) == [("She goes .",), ("Fine .",), ("She go .",), ("Fine .",)]


def test_sets_are_chosen_by_name_or_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = {one.name: one for one in (_set("here", "table", "h.txt"), _set("away", "table", "a.txt"))}
    catalogue["pairs"] = _set("pairs", "table", "h.txt", use="train")
    monkeypatch.setattr("errata.datasets.evaluation_sets.read_catalogue", lambda: catalogue)
    monkeypatch.setattr("errata.datasets.evaluation_sets.get_corpus", catalogue.__getitem__)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "h.txt").write_text("One .\n", "utf-8")
    (tmp_path / "mine.txt").write_text("Two .\n", "utf-8")
    missing: list[str] = []

    def choose(*names: str) -> list[str]:
        return [one.name for one in choose_sets(names, lambda: Listing(tmp_path / "data"), missing.extend)]

    assert choose("all") == ["here"] and missing == ["away"]
    assert choose("mine.txt", "here", "all", "pairs") == ["mine.txt", "here", "pairs"]
    with pytest.raises(DataError, match=r"away is not in .*: no file is called a\.txt"):
        choose("away")
    with pytest.raises(DataError, match=r"other\.txt: no such file or folder"):
        choose("other.txt")
    with pytest.raises(UsageError, match="unknown evaluation set 'her', and no such file"):
        choose("her")
    (tmp_path / "here").mkdir()
    with pytest.raises(UsageError, match=r"'here' is a catalogued set, and a file here: write \./here"):
        choose("here")
    assert choose("./here") == ["./here"]


def test_the_digest_is_that_of_the_content(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.txt").write_bytes(b"One .\n")
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"One .\n"))
    assert digest_path(tmp_path / "a" / "x.txt") == digest_path(tmp_path / "x.gz") != digest_path(tmp_path / "a")
