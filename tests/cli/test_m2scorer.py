"""`errata m2scorer`: the official program's flags and blocks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from errata.cli import app
from errata.errors import AlignmentError, ErrataError, FormatError, UsageError

GOLD = """\
S We walk home in rain .
A 3 4|||Prep|||through|||REQUIRED|||-NONE-|||0
A 4 4|||ArtOrDet|||the||a|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S My sister .
A 1 2|||NN|||sisters|||REQUIRED|||-NONE-|||0

S Tea was too too hot .
A 2 3|||Rloc-|||-NONE-|||REQUIRED|||-NONE-|||0

S Every of them speak two language .

"""
HYPOTHESIS = """\
They walk home through the rain .
My sister .
Tea was too hot .
Each of these speak two language .
"""

VERBOSE_FIRST = """\
>> Annotator: 0
SOURCE        : We walk home in rain .
HYPOTHESIS    : They walk home through the rain .
EDIT SEQ      : [(0, 1, 'We', 'They'), (3, 4, 'in', 'through'), (4, 4, '', 'the')]
GOLD EDITS    : [(3, 4, 'in', ['through']), (4, 4, '', ['the', 'a'])]
CORRECT EDITS : [(3, 4, 'in', 'through'), (4, 4, '', 'the')]
# correct     : 2
# proposed    : 3
# gold        : 2
precision     : 0.6666666666666666
recall        : 1.0
f_0.5         : 0.7142857142857143
-------------------------------------------
>> Annotator: 1
SOURCE        : We walk home in rain .
HYPOTHESIS    : They walk home through the rain .
EDIT SEQ      : [(0, 4, 'We walk home in', 'They walk home through the')]
GOLD EDITS    : []
CORRECT EDITS : []
# correct     : 0
# proposed    : 1
# gold        : 0
precision     : 0.0
recall        : 1.0
f_0.5         : 0.0
-------------------------------------------
>> Chosen Annotator for line 1 : 0

"""
VERBOSE_TOTAL = """\
CORRECT EDITS  : 3
PROPOSED EDITS : 5
GOLD EDITS     : 4
P = 0.6
R = 0.75
F_0.5 = 0.625
"""
BLOCK = """\
Precision   : 0.6000
Recall      : 0.7500
F_0.5       : 0.6250
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    gold, hypothesis = tmp_path / "gold.m2", tmp_path / "hyp.txt"
    gold.write_text(GOLD, "utf-8")
    hypothesis.write_text(HYPOTHESIS, "utf-8")
    return [str(hypothesis), str(gold)]


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["m2scorer", *arguments])
    if isinstance(result.exception, ErrataError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_block(files: list[str]) -> None:
    assert run(*files) == BLOCK


@pytest.mark.parametrize("flag", ["-v", "--verbose"])
def test_verbose(files: list[str], flag: str) -> None:
    output = run(flag, *files)
    assert output.startswith(VERBOSE_FIRST)
    assert output.endswith(VERBOSE_TOTAL + BLOCK)


def test_very_verbose_shows_lattice_and_path(files: list[str]) -> None:
    output = run("--very_verbose", *files)
    for arc in (
        "((0, 0), (1, 1)): ('sub', 0, 1, 'We', 'They', 0)",
        "((1, 1), (2, 2)): ('noop', 1, 2, 'walk', 'walk', 1)",
    ):
        assert arc in output
    assert "viterbi path = [(4, 4, '', 'the'), (3, 4, 'in', 'through'), (0, 1, 'We', 'They')]\n" in output
    assert output.endswith(BLOCK)


@pytest.mark.parametrize(
    ("flags", "block"),
    [
        pytest.param(["--beta", "1"], ["0.6000", "0.7500", "F_1.0       : 0.6667"], id="beta"),
        pytest.param(["--max_unchanged_words", "0"], ["0.5000", "0.7500", "0.5357"], id="unchanged words"),
        pytest.param(["--max_unchanged_words=0"], ["0.5000", "0.7500", "0.5357"], id="with equals sign"),
        pytest.param(["--ignore_whitespace_casing"], ["0.6000", "0.7500", "0.6250"], id="white space and case"),
    ],
)
def test_flags(files: list[str], flags: list[str], block: list[str]) -> None:
    for line, wanted in zip(run(*flags, *files).splitlines(), block, strict=True):
        assert line.endswith(wanted)


def test_neighbours_are_marked(tmp_path: Path) -> None:
    gold, hypothesis = tmp_path / "gold.m2", tmp_path / "hyp.txt"
    lines = ["S a b c", "A 1 2|||X||||||REQUIRED|||-NONE-|||0", "A 2 2|||X|||z|||REQUIRED|||-NONE-|||0", ""]
    gold.write_text("\n".join(lines), "utf-8")
    hypothesis.write_text("a z c\n", "utf-8")
    assert "! (1, 2, 'b', '')\n! (2, 2, '', 'z')\nSOURCE" in run("-v", str(hypothesis), str(gold))
    gold.write_text("\n".join(lines[:2]), "utf-8")
    assert "& (1, 2, 'b', '')\nSOURCE" in run("-v", str(hypothesis), str(gold))
    gold.write_text("\n".join([lines[0], lines[2]]), "utf-8")
    assert "* (2, 2, '', 'z')\nSOURCE" in run("-v", str(hypothesis), str(gold))


def test_a_hypothesis_one_line_short_is_refused(files: list[str]) -> None:
    Path(files[0]).write_text(HYPOTHESIS.rsplit("\n", 2)[0] + "\n", "utf-8")
    with pytest.raises(AlignmentError, match=r"hyp\.txt has 3 lines, .*gold\.m2 4"):
        run(*files)


def test_exchanged_arguments_are_told(files: list[str]) -> None:
    with pytest.raises(FormatError, match=r"hyp\.txt:1: .* gold is the second argument, a system's output the first"):
        run(*reversed(files))


def test_an_edit_past_the_end_names_file_and_line(files: list[str]) -> None:
    Path(files[1]).write_text(GOLD.replace("A 1 2|||NN", "A 1 9|||NN"), "utf-8")
    with pytest.raises(FormatError, match=r"gold\.m2:7: edit span 1:9"):
        run(*files)


@pytest.mark.parametrize("arguments", [[], ["x"], ["--beta", "x", "y", "z"], ["--nonsense", "x", "y"]])
def test_wrong_usage_is_one_line(arguments: list[str]) -> None:
    with pytest.raises(UsageError, match="see errata m2scorer -h"):
        run(*arguments)


@pytest.mark.data
def test_official_block(oracles: Path) -> None:
    wanted = json.loads((oracles / "maxmatch" / "scores.json").read_text("utf-8"))["CAMB"]
    output = run(str(oracles / "errant" / "CAMB.hyp.txt"), str(oracles / "errant" / "conll14.gold.m2"))
    block = f"Precision   : {wanted['precision']:.4f}\nRecall      : {wanted['recall']:.4f}\n"
    assert output == f"{block}F_0.5       : {wanted['f05']:.4f}\n"
