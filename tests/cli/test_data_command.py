"""`errata data`: list, get, check."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from scoring_files import Shell

from errata.datasets.catalogue import NamedSet, SetFile, read_catalogue

EVALUATION = b"She goes home every day at five o'clock .\nThank you .\n"
DIGEST = hashlib.sha256(EVALUATION).hexdigest()
OWN = NamedSet(
    *("own", "our sentences", "en", "", "table", 2, "https://example.org", "free"),
    files=(SetFile("own.txt", len(EVALUATION), DIGEST),),
    citation="Somebody 2026, Sentences",
)
TRAIN = (
    "She go home every day at five o'clock .\tShe goes home every day at five o'clock .\n"
    "Birds sing .\tBirds sing .\n"
    "Thank you\tThank you !\n"
)


@pytest.fixture
def errata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ERRATA_DATA", str(tmp_path / "data"))
    monkeypatch.setitem(cast(dict[str, NamedSet], read_catalogue()), "own", OWN)
    (tmp_path / "copies").mkdir()
    (tmp_path / "copies" / "mine.txt").write_bytes(EVALUATION)
    (tmp_path / "train.tsv").write_text(TRAIN, "utf-8")
    return Shell(monkeypatch, capfd)


def test_get_then_list_then_check(errata: Shell, tmp_path: Path) -> None:
    code, out, err = errata("data", "get", "own", "--from", "copies")
    assert (code, out) == (0, f"{tmp_path}/data/own/own.txt\n")
    assert err == "own: 1 file, verified\nlicence: free; cite Somebody 2026, Sentences\n"
    listed = json.loads(errata("data", "list", "own", "nucle", "--json")[1])
    assert [(one["name"], one["is_here"], one["digest"]) for one in listed] == [
        ("own", True, DIGEST[:8]),
        ("nucle", False, None),
    ]
    code, out, err = errata("data", "check", "train.tsv", "--against", "all", "--json")
    assert code == 0 and "errata: warning: not compared with conll14, conll14-alt" in err and "and" in err
    assert json.loads(out)["files"] == [
        {
            "file": "train.tsv",
            "records": 3,
            "exact": 1,
            "near": 0,
            "short": 1,
            "sets": {"own": {"exact": 1, "near": 0, "short": 1, "sentences": 2}},
        }
    ]


def test_list(errata: Shell) -> None:
    code, out, err = errata("data", "list", "--lang", "zh", "--use", "train")
    assert (code, err) == (0, "")
    assert "sighan15-train" in out and "jfleg" not in out and "nacgec-test" not in out
    assert errata("data", "list", "--here", "--json")[1] == "[]\n"
    row = next(line for line in errata("data", "list", "nucle")[1].splitlines() if "nucle" in line)
    assert "form" in row and "?" in row


def test_list_of_a_folder_that_is_not_there(errata: Shell) -> None:
    told = "errata: nosuch is no folder: --data-dir names the one in which corpora are looked for\n"
    assert errata("data", "list", "--data-dir", "nosuch") == (1, "", told)
    assert errata("data", "list", "--data-dir", "nosuch", "--json") == (1, "", told)
    assert errata("data", "list", "--data-dir", "train.tsv")[0] == 1
    assert errata("data", "list", "--data-dir", "copies", "own")[0] == 0


def test_pairs_are_listed_and_clean_files_written(errata: Shell, tmp_path: Path) -> None:
    (tmp_path / "eval.txt").write_bytes(EVALUATION)
    arguments = ("data", "check", "train.tsv", "--against", "eval.txt")
    code, out, err = errata(*arguments, "--list", "--fail", "--write-clean", "clean.tsv")
    assert (code, err) == (1, "")
    assert out.endswith(
        "train.tsv:1  eval.txt:1  exact\n"
        "  She goes home every day at five o'clock .\n"
        "  She goes home every day at five o'clock .\n"
        "train.tsv:3  eval.txt:2  short\n"
        "  Thank you\n"
        "  Thank you .\n"
    )
    assert (tmp_path / "clean.tsv").read_text("utf-8") == "".join(TRAIN.splitlines(True)[1:])
    arguments = ("data", "check", "clean.tsv", "--against", "eval.txt", "--fail")
    assert errata(*arguments)[0] == 0
    assert errata(*arguments, "--short", "--write-clean", "cleaner.tsv")[0] == 1
    assert (tmp_path / "cleaner.tsv").read_text("utf-8") == TRAIN.splitlines(True)[1]
    assert json.loads(errata(*arguments, "--list", "--json")[1])["pairs"][0]["kind"] == "short"


def test_several_sets_after_against(errata: Shell, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Birds sing .\n", "utf-8")
    (tmp_path / "b.txt").write_text("Birds sing !\n", "utf-8")
    code, out, _ = errata("data", "check", "train.tsv", "--against", "a.txt", "b.txt", "--json")
    assert code == 0 and list(json.loads(out)["files"][0]["sets"]) == ["a.txt", "b.txt"]
    code, again, _ = errata("data", "check", "--against", "a.txt", "--against", "b.txt", "--json", "train.tsv")
    assert code == 0 and again == out


def test_parallel_files_lose_the_same_lines(errata: Shell, tmp_path: Path) -> None:
    (tmp_path / "t.src").write_text("She go home .\nFine .\n", "utf-8")
    (tmp_path / "t.tgt").write_text("She goes home every day at five !\nFine .\n", "utf-8")
    (tmp_path / "eval.txt").write_text("Then she goes home every day at five .\n", "utf-8")
    (tmp_path / "u.txt").write_text("x\n", "utf-8")
    (tmp_path / "eval.txt").write_bytes(EVALUATION)
    (tmp_path / "t.tgt").write_text("She goes home each day at five o'clock !\nFine .\n", "utf-8")
    command = ("data", "check", "t.src", "t.tgt", "--parallel", "--against", "eval.txt", "--write-clean", "out")
    code, out, err = errata(*command, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["files"][0]["file"] == "t.src + t.tgt"
    assert json.loads(out)["files"][0]["near"] == 1
    assert [(tmp_path / "out" / name).read_text("utf-8") for name in ("t.src", "t.tgt")] == ["Fine .\n"] * 2


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("check", "train.tsv"), 2, "nothing to compare with: give --against FILE, NAME or all"),
        (("check", "nowhere.tsv", "--against", "train.tsv"), 1, "nowhere.tsv: No such file or directory"),
        (("check", "train.tsv", "--against", "nowhere.txt"), 1, "nowhere.txt: no such file or folder"),
        (("check", "train.tsv", "--against", "own"), 1, "own is not in"),
        (
            ("check", "train.tsv", "--against", "conl14"),
            2,
            "unknown evaluation set 'conl14', and no such file; did you",
        ),
        (("check", "train.tsv", "--against", "all"), 1, "no evaluation set of the catalogue is in"),
        (
            ("check", "train.tsv", "--against", "train.tsv", "--write-clean", "train.tsv"),
            2,
            "train.tsv is read as well",
        ),
        (("get", "jfleg-tset"), 2, "unknown corpus 'jfleg-tset'; did you mean jfleg-test?"),
        (("get", "own", "--from", "data"), 1, "own is not in data: no file has the content of own.txt"),
        (("get", "own", "--from", "nowhere"), 1, "nowhere is no folder"),
        (("get", "nucle"), 1, "nucle is not fetched: its owners give it on request. First sign the licence agreement"),
        (("get", "c4-200m"), 1, "c4-200m is not fetched: no address of its files is known. First get it from https"),
        (("list", "--lang", "de"), 2, "unknown language 'de'"),
        (("list", "nothing"), 2, "unknown corpus 'nothing'; errata data list shows all"),
    ],
)
def test_mistakes_get_one_line(
    errata: Shell, tmp_path: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    (tmp_path / "data").mkdir()
    found, out, err = errata("data", *arguments)
    assert (found, out) == (code, "")
    assert err.startswith(f"errata: {message}") and err.count("\n") == 1


def test_a_format_that_cannot_be_cut(errata: Shell, tmp_path: Path) -> None:
    entry = {"sentence": "他非常十分高兴。", "error_flag": 1, "error_type": "CR", "operation": '[{"Delete": [1, 2]}]'}
    (tmp_path / "a.json").write_text(json.dumps({"1": entry | {"version": "FCGEC EMNLP 2022"}}), "utf-8")
    arguments = ("data", "check", "a.json", "--against", "train.tsv", "--write-clean", "b.json")
    assert errata(*arguments)[2].startswith("errata: a.json is in a format whose sentences cannot be taken out")
    assert not (tmp_path / "b.json").exists()


def test_a_corpus_without_digest_says_so(errata: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = replace(OWN, files=(SetFile("mine.txt", 0, ""),))
    monkeypatch.setitem(cast(dict[str, NamedSet], read_catalogue()), "own", unknown)
    code, _, err = errata("data", "get", "own", "--from", "copies")
    assert code == 0 and err.startswith("own: 1 file, not verified, its digest is not known\n")


@pytest.mark.parametrize("against", ["eval.txt", ".", "data/own/own.txt", "own", "all"])
def test_evaluation_data_is_never_written_over(errata: Shell, tmp_path: Path, against: str) -> None:
    (tmp_path / "eval.txt").write_bytes(EVALUATION)
    assert errata("data", "get", "own", "--from", "copies")[0] == 0
    out = "eval.txt" if against in ("eval.txt", ".") else "data/own/own.txt"
    code, _, err = errata("data", "check", "train.tsv", "--against", against, "--write-clean", out)
    assert (code, err) == (2, f"errata: {out} is read as evaluation data: choose another file to write\n")
    assert (tmp_path / out).read_bytes() == EVALUATION


@pytest.mark.parametrize("against", ["empty.txt", "hollow"])
def test_a_set_without_sentences_is_no_good_news(errata: Shell, tmp_path: Path, against: str) -> None:
    (tmp_path / "empty.txt").touch()
    (tmp_path / "hollow").mkdir()
    code, out, err = errata("data", "check", "train.tsv", "--against", against, "--fail")
    assert (code, out, err) == (1, "", f"errata: {against}: there are no sentences to compare with\n")


def test_several_clean_files_need_a_folder(errata: Shell, tmp_path: Path) -> None:
    (tmp_path / "more.tsv").write_text(TRAIN, "utf-8")
    arguments = ("train.tsv", "more.tsv", "--against", "copies/mine.txt", "--write-clean", "more.tsv")
    code, _, err = errata("data", "check", *arguments)
    assert code == 2 and err == (
        "errata: more.tsv is a file: for several training files, give --write-clean a folder\n"
    )
