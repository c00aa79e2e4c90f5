"""`errata cherrant`: ChERRANT's flags and output."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from errata.cli import app
from errata.cli.cherrant_compare import parse_flags
from errata.errors import AlignmentError, DataError, ErrataError, FormatError, UsageError

ROWS = """\
1\t今天天汽好。\t今天天气好啊。\t今天天气好。
2\t他好。\t没有错误
3\t去我学校。\t无法标注\t我去学校。
4\t他 来 了。\t他來了吗。
"""
M2 = """\
S 今 天 天 汽 好 。
T0-A0 今 天 天 气 好 啊 。
A 3 4|||S|||气|||REQUIRED|||-NONE-|||0
A 5 5|||M|||啊|||REQUIRED|||-NONE-|||0
T1-A0 今 天 天 气 好 。
A 3 4|||S|||气|||REQUIRED|||-NONE-|||1

S 他 好 。
T0 没有错误
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S 去 我 学 校 。
T0 无法标注
A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0
T1-A0 我 去 学 校 。
A 0 2|||W|||我 去|||REQUIRED|||-NONE-|||1

S 他 来 了 。
T0-A0 他 来 了 吗 。
A 3 3|||M|||吗|||REQUIRED|||-NONE-|||0

"""
HYPOTHESES = """\
1\t今天天汽好。\t今天天气好吧。
2\t他好。\t他很好。
3\t去我学校。\t我去学校。
4\t他来了。\t他来了。
"""


def run(*arguments: str | Path) -> str:
    result = CliRunner().invoke(app, ["cherrant", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def fail(*arguments: str | Path) -> ErrataError:
    error = CliRunner().invoke(app, ["cherrant", *map(str, arguments)]).exception
    assert isinstance(error, ErrataError)
    return error


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, rows in (("ref", ROWS), ("hyp", HYPOTHESES)):
        (tmp_path / f"{name}.tsv").write_text(rows, encoding="utf-8")
        run("parallel", "-f", tmp_path / f"{name}.tsv", "-o", tmp_path / f"{name}.m2")
    return tmp_path


def test_parallel_writes_m2_with_target_lines(files: Path) -> None:
    assert (files / "ref.m2").read_text("utf-8") == M2


def test_parallel_takes_every_official_flag(files: Path) -> None:
    flags = "-b 128 -d 0 -w 2 -g char -m -s all".split()
    run("parallel", "--file", files / "ref.tsv", "--output", files / "out.m2", *flags)
    assert (files / "out.m2").read_text("utf-8") == M2


def test_no_simplified_leaves_targets_alone(files: Path) -> None:
    run("parallel", "-f", files / "ref.tsv", "-o", files / "out.m2", "--no_simplified", "-s", "first")
    assert "A 1 2|||S|||來|||REQUIRED|||-NONE-|||0" in (files / "out.m2").read_text("utf-8")


def test_word_level_and_segmented_text(files: Path) -> None:
    (files / "seg.tsv").write_text("1\t我们 去 学校\t我们 在 学校\n", encoding="utf-8")
    for flags in (["-g", "word"], ["-g", "word", "--segmented"]):
        run("parallel", "-f", files / "seg.tsv", "-o", files / "out.m2", *flags)
        assert (files / "out.m2").read_text("utf-8") == (
            "S 我们 去 学校\nT0-A0 我们 在 学校\nA 1 2|||S:PREP|||在|||REQUIRED|||-NONE-|||0\n\n"
        )


# Sentence 3 of the references: annotator 0 could not annotate, which counts as an edit nobody finds; annotator 1 fits.
@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        pytest.param([], "2\t2\t1\t0.5\t0.6667\t0.5263", id="cs"),
        pytest.param(["-cs"], "2\t2\t1\t0.5\t0.6667\t0.5263", id="cs-said"),
        pytest.param(["-ds"], "3\t1\t1\t0.75\t0.75\t0.75", id="ds"),
        pytest.param(["-dt"], "4\t1\t1\t0.8\t0.8\t0.8", id="dt"),
        pytest.param(["-cse"], "2\t2\t1\t0.5\t0.6667\t0.5263", id="cse"),
        pytest.param(["-single"], "1\t2\t1\t0.3333\t0.5\t0.3571", id="single"),
        pytest.param(["-multi"], "1\t0\t0\t1.0\t1.0\t1.0", id="multi"),
        pytest.param(["-filt", "W", "M"], "1\t0\t0\t1.0\t1.0\t1.0", id="filter"),
        pytest.param(["-b", "1"], "2\t2\t1\t0.5\t0.6667\t0.5714", id="beta"),
        pytest.param(["--start", "0", "--end", "1"], "1\t1\t0\t0.5\t1.0\t0.5556", id="window"),
        pytest.param(["--start", "1"], "2\t2\t1\t0.5\t0.6667\t0.5263", id="window-needs-both-ends"),
        pytest.param(["--max_answer_num", "1"], "1\t2\t2\t0.3333\t0.3333\t0.3333", id="first-reference-only"),
        pytest.param(["--reference_num", "2"], "2\t1\t0\t0.6667\t1.0\t0.7143", id="two-references-only"),
        pytest.param(["-multi_hyp_avg"], "2\t2\t1\t0.5\t0.6667\t0.5263", id="multi-hyp-avg"),
    ],
)
def test_compare_prints_the_official_block(files: Path, flags: list[str], expected: str) -> None:
    lines = run("compare", "-hyp", files / "hyp.m2", "-ref", files / "ref.m2", *flags).splitlines()
    assert lines[-3:] == [expected, "=" * 46, ""]
    assert lines[0] == ""
    assert lines[2].startswith("TP\tFP\tFN\tPrec\tRec\tF")


def test_compare_by_category(files: Path) -> None:
    lines = run("compare", "-hyp", files / "hyp.m2", "-ref", files / "ref.m2", "-cat", "3").splitlines()
    assert lines[1] == "===================== Span-Based Correction ======================"
    assert lines[3:6] == [
        "M              0        2        1        0.0      0.0      0.0",
        "S              1        0        0        1.0      1.0      1.0",
        "W              1        0        0        1.0      1.0      1.0",
    ]


def test_compare_verbosely(files: Path) -> None:
    lines = run("compare", "-hyp", files / "hyp.m2", "-ref", files / "ref.m2", "-v").splitlines()
    assert lines[:10] == [
        "-" * 40,
        "SENTENCE 0 今 天 天 汽 好 。",
        "-" * 40,
        "SENTENCE 0 - HYP 0 - REF 0",
        "HYPOTHESIS EDITS : [(3, 4, '气'), (5, 5, '吧')]",
        "REFERENCE EDITS  : [(3, 4, '气'), (5, 5, '啊')]",
        "Local TP/FP/FN   : 1 1 1",
        "Local P/R/F0.5  : 0.5 0.5 0.5",
        "Global TP/FP/FN  : 1 1 1",
        "Global P/R/F0.5  : 0.5 0.5 0.5",
    ]
    assert "^^ HYP 0, REF 1 chosen for sentence 0" in lines


def test_a_sentence_nobody_could_annotate_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "ref.m2").write_text("S 去 我\nA -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    (tmp_path / "hyp.m2").write_text("S 去 我\nA 0 2|||W|||我 去|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    assert "\n0\t0\t0\t1.0\t1.0\t1.0\n" in run("compare", "-hyp", tmp_path / "hyp.m2", "-ref", tmp_path / "ref.m2")


def test_mistakes_are_one_line(files: Path) -> None:
    assert isinstance(fail(), UsageError)
    assert isinstance(fail("parallel", "-f", files / "ref.tsv"), UsageError)
    assert isinstance(fail("compare", "-hyp", "a", "-ref", "b", "-dt", "-ds"), UsageError)
    assert isinstance(fail("parallel", "-f", files / "none.tsv", "-o", files / "out.m2"), DataError)
    lexicon = ["--lexicon", files]
    assert "has no cilin.txt" in str(fail("parallel", "-f", files / "ref.tsv", "-o", files / "out.m2", *lexicon))
    (files / "bad.tsv").write_text("1\t他好\t他很好\nno tabs here\n", encoding="utf-8")
    error = fail("parallel", "-f", files / "bad.tsv", "-o", files / "out.m2")
    assert isinstance(error, FormatError)
    assert "bad.tsv:2" in str(error)
    (files / "short.m2").write_text("S 他 好\n\n", encoding="utf-8")
    assert isinstance(fail("compare", "-hyp", files / "short.m2", "-ref", files / "ref.m2"), AlignmentError)


def test_compatibility_flags_are_known() -> None:
    args = parse_flags(["-hyp", "h", "-ref", "r", "-multi_hyp_max", "-multi_hyp_avg"])
    assert args.multi_hyp_max and args.multi_hyp_avg


@pytest.mark.data
@pytest.mark.parametrize(
    ("suffix", "expected"),
    [
        pytest.param("char", "1084\t1635\t3003\t0.3987\t0.2652\t0.3622", id="with-lexicon"),
        pytest.param("char.nolexicon", "1091\t1645\t3017\t0.3988\t0.2656\t0.3624", id="without-lexicon"),
    ],
)
def test_mucgec_dev(oracles: Path, data: Path, tmp_path: Path, suffix: str, expected: str) -> None:
    folder = oracles / "cherrant"
    lexicon = ["--lexicon", data / "zh" / "lexical" / "cherrant"] if suffix == "char" else []
    for side, name in (("hyp", "example_pred_dev.txt"), ("ref", "MuCGEC_dev.txt")):
        run("parallel", "-f", folder / name, "-o", tmp_path / f"{side}.m2", *lexicon)
        assert (tmp_path / f"{side}.m2").read_bytes() == (folder / f"mucgec_dev.{side}.{suffix}.m2").read_bytes()
    assert expected in run("compare", "-hyp", tmp_path / "hyp.m2", "-ref", tmp_path / "ref.m2").splitlines()
