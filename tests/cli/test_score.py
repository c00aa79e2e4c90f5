"""`errata score`: what it prints for people and machines, and one line for everything that is wrong."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from scoring_files import Shell, run_process, write_files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write_files(tmp_path))
    return tmp_path


@pytest.fixture
def errata(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capfd)


def scores(errata: Shell, *arguments: str) -> list[dict[str, Any]]:
    code, out, err = errata("score", *arguments, "--json")
    assert (code, err) == (0, "")
    told: list[dict[str, Any]] = json.loads(out)
    return told


ERRANT = ("--metric", "errant", "--m2", "gold.m2")


@pytest.mark.usefixtures("folder")
def test_json_is_the_contract(errata: Shell) -> None:
    (told,) = scores(errata, *ERRANT, "--hyp", "bad.m2")
    assert {"metric", "hypothesis", "value", "parts", "by_type", "interval", "signature"} <= set(told)
    assert (told["metric"], told["hypothesis"], told["by_type"], told["interval"]) == ("errant", "bad.m2", None, None)
    assert {name: told["parts"][name] for name in ("tp", "fp", "fn")} == {"tp": 1, "fp": 2, "fn": 1}
    assert told["value"] == told["parts"]["f0.5"] == pytest.approx(1.25 * (1 / 3) * 0.5 / (0.25 / 3 + 0.5))
    assert told["signature"].startswith("errant|F0.5|v:")


@pytest.mark.usefixtures("folder")
def test_one_object_per_hypothesis_and_metric(errata: Shell) -> None:
    told = scores(errata, *ERRANT, "-m", "exact-match", "--hyp", "good.m2", "--hyp", "bad.m2")
    assert [(one["metric"], one["hypothesis"]) for one in told] == [
        ("errant", "good.m2"),
        ("errant", "bad.m2"),
        ("exact-match", "good.m2"),
        ("exact-match", "bad.m2"),
    ]
    assert told[0]["value"] == 1.0


@pytest.mark.usefixtures("folder")
def test_the_table_has_the_signature_under_it(errata: Shell) -> None:
    code, out, err = errata("score", *ERRANT, "--hyp", "good.m2", "--bootstrap", "50", "--by-type")
    assert (code, err) == (0, "")
    assert "good.m2" in out and "100.00" in out and "R:VERB:SVA" in out and "95 % interval" in out
    assert out.rstrip().splitlines()[-1].startswith("errant|F0.5|v:")
    assert out.rstrip().endswith("bootstrap:50|seed:12345 = 100.00")


@pytest.mark.usefixtures("folder")
def test_csv(errata: Shell) -> None:
    code, out, _ = errata("score", *ERRANT, "--hyp", "bad.m2", "--by-type", "--sentences", "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert rows[0]["scope"] == "corpus" and rows[0]["tp"] == "1"
    assert [row["name"] for row in rows if row["scope"] == "type"] == ["R:NOUN:NUM", "R:OTHER", "R:VERB:SVA"]
    assert [row["value"] for row in rows if row["scope"] == "sentence"] == ["0.0", "1.0", "0.0"]


@pytest.mark.usefixtures("folder")
def test_options(errata: Shell) -> None:
    (told,) = scores(errata, *ERRANT, "--hyp", "bad.m2", "--mode", "ds", "--beta", "1", "--type-level", "main")
    assert "f1" in told["parts"] and "mode:ds" in told["signature"]
    assert set(told["by_type"]) == {"NOUN:NUM", "OTHER", "VERB:SVA"}
    (told,) = scores(errata, *ERRANT, "--hyp", "bad.m2", "--per-annotator")
    assert {"f0.5[0]", "f0.5[1]"} <= set(told["parts"])
    (told,) = scores(errata, *ERRANT, "--hyp", "bad.m2", "--max-refs", "1")
    assert "max-refs:1" in told["signature"]
    (told,) = scores(errata, *ERRANT, "--hyp", "bad.m2", "--set", "filter=R:OTHER,R:NOUN:NUM")
    assert (told["parts"]["tp"], told["parts"]["fp"]) == (0, 0)


@pytest.mark.usefixtures("folder")
def test_intervals_and_sentences(errata: Shell) -> None:
    (told,) = scores(errata, *ERRANT, "--hyp", "bad.m2", "--bootstrap", "200", "--seed", "7", "--sentences")
    low, high = told["interval"]
    assert low <= told["value"] <= high
    assert told["signature"].endswith("bootstrap:200|seed:7")
    assert [one["sentence"] for one in told["sentences"]] == [1, 2, 3]


@pytest.mark.usefixtures("folder")
def test_texts_on_every_side(errata: Shell) -> None:
    files = ("--src", "src.txt", "--ref", "ref0.txt", "--ref", "ref1.txt", "--hyp", "hyp.txt")
    (told,) = scores(errata, "--metric", "errant", *files)
    assert told["value"] == 1.0
    assert "spacy:" in told["signature"] and told["signature"].endswith("refs:2")


FCGEC = {
    "s1": {"sentence": "大约三个左右。", "error_flag": 1, "error_type": "CR", "operation": [{"Delete": [0, 1]}]},
    "s2": {"sentence": "天气很好。", "error_flag": 0, "error_type": "*", "operation": []},
    "s3": {
        "sentence": "他去校",
        "error_flag": 1,
        "error_type": "CM",
        "operation": [{"Insert": [{"pos": 1, "tag": "INS_1", "label": "学"}]}],
    },
}


def _write_fcgec(folder: Path) -> None:
    (folder / "gold.json").write_text(json.dumps(FCGEC, ensure_ascii=False), encoding="utf-8")


def test_fcgec_profile(errata: Shell, folder: Path) -> None:
    _write_fcgec(folder)
    (folder / "zh.txt").write_text("三个，左右\n天气真好。\n他去校\n", encoding="utf-8")
    exact, edits = scores(errata, "--profile", "fcgec", "--gold", "gold.json", "--hyp", "zh.txt")
    assert (exact["metric"], exact["value"], exact["n_sentences"]) == ("exact-match", 0.5, 2)
    assert (edits["parts"]["tp"], edits["parts"]["fp"], edits["parts"]["fn"]) == (1, 0, 1)
    assert edits["groups"]["error-type"]["CR"]["value"] == 1.0
    assert edits["groups"]["operation"]["Insert"] == {
        "n_sentences": 1,
        "value": 0.0,
        "parts": {"precision": 1.0, "recall": 0.0, "f0.5": 0.0, "tp": 0, "fp": 0, "fn": 1},
    }
    assert edits["signature"].endswith("stripped:punctuation|select:erroneous")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("labels.txt", "CR\nSC\n*\n"),
        (
            "pred.json",
            json.dumps({"s3": {"error_type": "*"}, "s1": {"error_type": "CR"}, "s2": {"error_type": "SC"}}),
        ),
    ],
)
def test_labels_from_lines_or_predictions(errata: Shell, folder: Path, name: str, text: str) -> None:
    _write_fcgec(folder)
    (folder / name).write_text(text, encoding="utf-8")
    metrics = ("-m", "detection", "-m", "identification", "--by-type")
    detection, types = scores(errata, *metrics, "--gold", "gold.json", "--hyp", name)
    assert detection["parts"]["accuracy"] == types["parts"]["accuracy"] == pytest.approx(1 / 3)
    assert set(types["by_type"]) == {"CM", "CR", "SC"}


def _write_bytes(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)


PAST_THE_END = b"S a b\nA 1 4|||R:NOUN|||c|||REQUIRED|||-NONE-|||0\n"
BACKWARDS = b"S a b c\nA 2 1|||R:NOUN|||c|||REQUIRED|||-NONE-|||0\n"

# extra files, arguments after `score`, exit code, what the line says
MISTAKES: dict[str, tuple[dict[str, bytes], tuple[str, ...], int, str]] = {
    "one line short": (
        {"short.txt": b"This is a sentence .\n\n"},
        (*ERRANT, "--hyp", "short.txt"),
        1,
        "short.txt has 2 lines, gold.m2 3: files must be parallel; first empty line in short.txt is 2",
    ),
    "reference short": (
        {"short.txt": b"x\n"},
        ("-m", "errant", "--src", "src.txt", "--ref", "short.txt", "--hyp", "hyp.txt"),
        1,
        "short.txt has 1 lines, src.txt 3: files must be parallel; no line in short.txt is empty",
    ),
    "unknown metric": ({}, ("-m", "erant", "--m2", "gold.m2", "--hyp", "good.m2"), 2, "did you mean 'errant'"),
    "sources differ": (
        {"other.txt": b"This are a sentence .\nI like dogs .\nAll is well .\n"},
        (*ERRANT, "--src", "other.txt", "--hyp", "good.m2"),
        1,
        "other.txt:2: differs from the source in gold.m2: 'I like dogs .', not 'I like cat .'",
    ),
    "sources of the hypothesis differ": (
        {"other.m2": b"S a\nA 0 1|||R:X|||b|||REQUIRED|||-NONE-|||0\n\nS b\n\nS c\n"},
        (*ERRANT, "--hyp", "other.m2"),
        1,
        "other.m2: sentence 1 is not that of gold.m2: 'a'",
    ),
    "not UTF-8": ({"latin.txt": b"caf\xe9\n"}, (*ERRANT, "--hyp", "latin.txt"), 1, "latin.txt:1: not UTF-8"),
    "edit past the end": (
        {"long.m2": PAST_THE_END},
        ("-m", "errant", "--m2", "long.m2", "--hyp", "good.m2"),
        1,
        "long.m2:2: edit span 1:4 ends after the last of 2 tokens (A 1 4|||R:NOUN|||c); --lenient keeps such edits",
    ),
    "reversed span": (
        {"back.m2": BACKWARDS},
        ("-m", "errant", "--m2", "back.m2", "--hyp", "good.m2"),
        1,
        "back.m2:2: edit span 2:1 runs backwards",
    ),
    "empty corpus": ({"empty.m2": b""}, ("-m", "errant", "--m2", "empty.m2", "--hyp", "good.m2"), 1, "no sentences"),
    "no such file": ({}, (*ERRANT, "--hyp", "nowhere.txt"), 1, "nowhere.txt: No such file"),
    "two hypotheses in one": ({}, (*ERRANT, "--hyp", "gold.m2"), 1, "has several hypotheses (annotators 0, 1)"),
    "hypothesis as M2": (
        {},
        ("-m", "errant", "--m2", "hyp.txt", "--hyp", "good.m2"),
        1,
        "hyp.txt:1: a line of M2 begins with 'S ' or 'A ', this one does not (This is a sentence .); "
        "--m2 takes gold: give a system's output with --hyp, and gold in another format with --gold",
    ),
    "hypothesis as M2 of a dialect": (
        {},
        ("-m", "maxmatch", "--m2", "hyp.txt", "--hyp", "hyp.txt"),
        1,
        "--m2 takes gold: give a system's output with --hyp",
    ),
    "lenient hypothesis as M2 without a suffix": (
        {"system": b"This is a sentence .\n"},
        ("-m", "errant", "--m2", "system", "--hyp", "good.m2", "--lenient"),
        1,
        "system:1: a line of M2 begins with 'S '",
    ),
    "hypothesis as gold": (
        {},
        ("-m", "errant", "--gold", "hyp.txt", "--hyp", "good.m2"),
        1,
        "hyp.txt has text, but no corrections: if it is a system's output, give it with --hyp",
    ),
    "M2 as source": (
        {},
        ("-m", "errant", "--src", "gold.m2", "--ref", "ref0.txt", "--hyp", "hyp.txt"),
        1,
        "gold.m2 is M2, and plain text is wanted here: M2 is a source with its references",
    ),
    "M2 as a text hypothesis": (
        {},
        (*ERRANT, "--hyp", "good.m2", "--hyp-format", "text"),
        1,
        "good.m2 has 8 lines, gold.m2 3: files must be parallel; good.m2 is M2, and plain text is wanted here",
    ),
    "gold as hypothesis": (
        {},
        ("-m", "errant", "--src", "src.txt", "--ref", "ref0.txt", "--hyp", "gold.m2"),
        1,
        "has several hypotheses (annotators 0, 1): keep one, or give the file as gold if that is what it is",
    ),
    "no hypothesis": ({}, ERRANT, 2, "no hypothesis: give --hyp FILE"),
    "no gold": ({}, ("-m", "errant", "--hyp", "good.m2"), 2, "no gold corpus"),
    "two golds": ({}, (*ERRANT, "--gold", "gold.m2", "--hyp", "good.m2"), 2, "both name the gold corpus"),
    "no metric": ({}, ("--m2", "gold.m2", "--hyp", "good.m2"), 2, "no metric: give --metric NAME"),
    "an option nobody knows": (
        {},
        ("-m", "exact-match", "--m2", "gold.m2", "--hyp", "good.m2", "--beta", "1"),
        2,
        "--beta means nothing to exact-match",
    ),
    "a setting nobody knows": ({}, (*ERRANT, "--hyp", "good.m2", "--set", "bata=1"), 2, "did you mean beta? it takes"),
    "a setting without a value": (
        {},
        (*ERRANT, "--hyp", "good.m2", "--set", "beta"),
        2,
        "metric's option is name=value",
    ),
    "a setting with two values": (
        {},
        (*ERRANT, "--hyp", "good.m2", "--set", "beta=1", "--set", "beta=2"),
        2,
        "beta has two values, 1 and 2: give one of them",
    ),
    "a setting and its flag": (
        {},
        (*ERRANT, "--hyp", "good.m2", "--set", "per-annotator=no", "--per-annotator"),
        2,
        "--set per-annotator and --per-annotator are the same option: give one of them",
    ),
    "a setting of the wrong type": ({}, (*ERRANT, "--hyp", "good.m2", "--set", "beta=much"), 2, "must be a number"),
    "wrong language": ({}, (*ERRANT, "--hyp", "good.m2", "--lang", "zh"), 2, "--lang zh: errant is for en"),
    "unknown profile": ({}, ("--profile", "conll", "--m2", "gold.m2", "--hyp", "good.m2"), 2, "did you mean 'conll14'"),
    "unknown grouping": ({}, (*ERRANT, "--hyp", "good.m2", "--group-by", "mood"), 2, "unknown grouping 'mood' (choose"),
    "unknown language": ({}, ("-m", "gleu", "--m2", "gold.m2", "--hyp", "hyp.txt", "--lang", "cn"), 2, "language 'cn'"),
    "Chinese for errant": (
        {"zh.m2": "S 他 去 校\nA 2 2|||M|||学|||REQUIRED|||-NONE-|||0\n".encode(), "zh.txt": "他去学校\n".encode()},
        ("-m", "errant", "--m2", "zh.m2", "--hyp", "zh.txt"),
        2,
        "zh.m2 is Chinese, errant is for English: use --metric cherrant",
    ),
    "English for cherrant": (
        {},
        ("-m", "cherrant", "--max-refs", "1", "--m2", "gold.m2", "--hyp", "good.m2"),
        2,
        "gold.m2 is English, cherrant is for Chinese: use --metric errant",
    ),
    "English for Chinese extraction": (
        {},
        ("-m", "maxmatch", "--set", "extract=zh", "--src", "src.txt", "--ref", "ref0.txt", "--hyp", "hyp.txt"),
        2,
        "src.txt is English, extract=zh is for Chinese: set extract=en",
    ),
    "json and csv": ({}, (*ERRANT, "--hyp", "good.m2", "--json", "--csv"), 2, "exclude each other"),
    "labels wanted": ({}, ("-m", "identification", "--m2", "gold.m2", "--hyp", "good.m2"), 1, "has no error types"),
}


@pytest.mark.parametrize(("files", "arguments", "code", "message"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_one_line(
    errata: Shell, folder: Path, files: dict[str, bytes], arguments: tuple[str, ...], code: int, message: str
) -> None:
    for name, content in files.items():
        _write_bytes(folder, name, content)
    got, out, err = errata("score", *arguments)
    assert (got, out) == (code, "")
    assert err.startswith("errata: ") and err.count("\n") == 1
    assert message in err


def test_the_shell_sees_the_same(folder: Path) -> None:
    good = run_process("score", *ERRANT, "--hyp", "good.m2", "--json", cwd=folder)
    assert (good.returncode, good.stderr) == (0, "")
    assert json.loads(good.stdout)[0]["value"] == 1.0
    wrong = run_process("score", *ERRANT, "--hyp", "nowhere.txt", cwd=folder)
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert wrong.stderr == "errata: nowhere.txt: No such file or directory\n"


def test_word_level_against_operations_and_correct_sentences(errata: Shell, folder: Path) -> None:
    """A sentence without errors has no edits whose tokens could disagree with the extractor's words."""
    records = {
        "a": {"sentence": "他昨天去校。", "error_flag": 1, "error_type": "CM", "operation": [{"Delete": [0]}]},
        "b": {"sentence": "今天天气很好。", "error_flag": 0, "error_type": "*", "operation": []},
    }
    (folder / "fcgec.json").write_text(json.dumps(records), encoding="utf-8")
    (folder / "zh.txt").write_text("昨天去校。\n今天天气很好。\n", encoding="utf-8")
    told = scores(errata, "--metric", "cherrant", "--level", "word", "--gold", "fcgec.json", "--hyp", "zh.txt")
    assert told[0]["value"] == 1.0


def test_lenient_keeps_gold_edits_beyond_the_sentence(errata: Shell, folder: Path) -> None:
    (folder / "long.m2").write_text("S a b\nA 1 9|||R|||c|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    (folder / "long.txt").write_text("a c\n", encoding="utf-8")
    arguments = ("--metric", "maxmatch", "--m2", "long.m2", "--hyp", "long.txt")
    code, _, err = errata("score", *arguments)
    assert code == 1 and err.startswith("errata: long.m2:2: edit span 1:9") and "--lenient keeps" in err
    assert scores(errata, *arguments, "--lenient")[0]["parts"]["fn"] == 1


def test_alternatives_of_a_gold_m2_count_for_maxmatch(errata: Shell, folder: Path) -> None:
    (folder / "alt.m2").write_text("S a b\nA 1 2|||R|||c||d|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    (folder / "alt.txt").write_text("a d\n", encoding="utf-8")
    assert scores(errata, "--metric", "maxmatch", "--m2", "alt.m2", "--hyp", "alt.txt")[0]["value"] == 1.0


def test_a_doubtful_hypothesis_is_scored_with_a_warning(errata: Shell, folder: Path) -> None:
    (folder / "raw.txt").write_text("This is a sentence.\nI like cats.\nAll is well.\n", encoding="utf-8")
    code, out, err = errata("score", *ERRANT, "--hyp", "raw.txt", "--hyp", "hyp.txt", "--json")
    assert code == 0
    assert err.startswith("errata: warning: raw.txt: in 100 % of its lines punctuation sticks") and err.count("\n") == 1
    raw, tokenised = json.loads(out)
    assert [err.removeprefix("errata: warning: raw.txt: ").strip()] == raw["warnings"]
    assert tokenised["warnings"] == []


def test_the_language_can_be_told_when_it_is_not_recognised(errata: Shell, folder: Path) -> None:
    (folder / "zh.m2").write_text("S 他 去 校\nA 2 2|||M|||学|||REQUIRED|||-NONE-|||0\n", encoding="utf-8")
    assert scores(errata, "-m", "errant", "--m2", "zh.m2", "--hyp", "zh.m2", "--lang", "en")[0]["value"] == 1.0


def test_types_that_the_hypothesis_cannot_have(errata: Shell, folder: Path) -> None:
    (folder / "nucle.m2").write_text((folder / "gold.m2").read_text().replace("R:VERB:SVA", "SVA"), encoding="utf-8")
    typed = ("-m", "errant", "--m2", "nucle.m2", "--hyp", "hyp.txt")
    nucle = (folder / "nucle.m2").read_text().replace("R:NOUN:NUM", "Nn").replace("U:DET", "ArtOrDet")
    (folder / "nucle.m2").write_text(nucle, encoding="utf-8")
    assert errata("score", *typed)[2] == "", "types do not matter to the score itself"
    code, out, err = errata("score", *typed, "--by-type", "--json")
    assert (code, json.loads(out)[0]["by_type"]) == (0, None)
    assert err.startswith("errata: warning: hyp.txt: the gold has error types of another kind (SVA, ")
    assert "there are no scores by type; give it ERRANT's: errata errant-m2" in err
    assert "no edit can be right in mode cse" in errata("score", *typed, "--mode", "cse")[2]
    assert "type: hyp.txt" not in errata("score", *typed, "--by-type")[1]


def test_lenient_keeps_edits_of_a_hypothesis_as_well(errata: Shell, folder: Path) -> None:
    (folder / "long.m2").write_text((folder / "good.m2").read_text().replace("A 1 2", "A 1 22"), encoding="utf-8")
    code, _, err = errata("score", *ERRANT, "--hyp", "long.m2")
    assert code == 1 and err.startswith("errata: long.m2:2: edit span 1:22") and "--lenient keeps" in err
    assert scores(errata, *ERRANT, "--hyp", "long.m2", "--lenient")[0]["parts"]["fp"] == 1


SYSTEMS = ("--src", "src.txt", "--ref", "ref0.txt")


@pytest.mark.usefixtures("folder")
def test_hypotheses_say_how_difficult_errors_are_unless_systems_are_named(errata: Shell) -> None:
    both = errata("score", "-m", "gotoscorer", *SYSTEMS, "--hyp", "src.txt", "--hyp", "hyp.txt", "--json")
    named = errata(
        "score",
        "-m",
        "gotoscorer",
        *SYSTEMS,
        "--hyp",
        "hyp.txt",
        "--system",
        "hyp.txt",
        "--system",
        "src.txt",
        "--json",
    )
    assert both[0] == named[0] == 0
    assert json.loads(both[1])[1] == json.loads(named[1])[0]
    assert "|systems:2|outputs:" in json.loads(named[1])[0]["signature"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("metric", "files", "message"),
    [
        ("gotoscorer", ["--hyp", "hyp.txt"], "gotoscorer weighs errors by how many systems correct them: give two "),
        ("gleu", ["--hyp", "hyp.txt", "--system", "src.txt"], "--system is for metrics that weigh errors by how many "),
    ],
)
def test_systems_that_are_missing_or_useless(errata: Shell, metric: str, files: list[str], message: str) -> None:
    code, out, err = errata("score", "-m", metric, *SYSTEMS, *files)
    assert (code, out) == (2, "")
    assert err.startswith(f"errata: {message}") and err.count("\n") == 1


@pytest.mark.usefixtures("folder")
def test_numbers_of_chunks_are_no_percentages(errata: Shell) -> None:
    code, out, _ = errata("score", "-m", "cleme2", "--m2", "gold.m2", "--hyp", "good.m2")
    assert code == 0
    assert "# hit" in out and "200.00" not in out
    assert re.search(r"│ good.m2 +│ 100.00 │ 100.00 │ +0.00 │ +0.00 │ +0.00 │ +2 │ +0 │ +0 │ +0 │", out)
