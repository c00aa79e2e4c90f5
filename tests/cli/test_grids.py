"""Tables on screens of any width: names and digits are never cut."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from scoring_files import write_files

from errata.cli.grids import Grid, Row, print_grid

LONG = "runs/2026-11-15/english/large-tagger-with-teacher/predictions/conll14.test.hyp.txt"
COLUMNS = ("Precision", "Recall", "F0.5", "TP", "95 % interval")
CELLS = ("100.00", "33.33", "72.46", "1234", "70.11–74.80")


def show(grid: Grid, width: int) -> list[str]:
    out = io.StringIO()
    print_grid(Console(file=out, width=width, highlight=False), grid)
    return out.getvalue().splitlines()


def files(*names: str) -> Grid:
    rows = [row for name in names for row in (Row(name, CELLS), Row("annotator 0", CELLS, is_part=True))]
    return Grid("errant (3 sentences)", "hypothesis", COLUMNS, tuple(rows), are_files=True)


def test_a_wide_screen_shows_a_table_with_rules() -> None:
    lines = show(files("old.txt", LONG), 200)
    assert lines[0] == "errant (3 sentences)" and lines[1].startswith("┏")
    assert any(LONG in line and "70.11–74.80" in line for line in lines)


def test_rules_go_first() -> None:
    lines = show(files("old.txt", "new.txt"), 66)
    assert lines[1].split() == ["hypothesis", "Precision", "Recall", "F0.5", "TP", "95", "%", "interval"]
    assert lines[2].split() == ["old.txt", *CELLS]


def test_then_numbers_stand_for_files() -> None:
    lines = show(files("old.txt", LONG), 80)
    assert lines[1:3] == ["1 = old.txt", f"2 = {LONG}"]
    assert lines[3].startswith("┏") and "│ 2 " in lines[8]


def test_a_narrow_screen_shows_blocks() -> None:
    assert show(files("old.txt"), 40)[1:7] == [
        "old.txt",
        "  Precision           100.00",
        "  Recall               33.33",
        "  F0.5                 72.46",
        "  TP                    1234",
        "  95 % interval  70.11–74.80",
    ]


def test_names_that_are_no_files_stay() -> None:
    grid = Grid("type: a.txt", "type", COLUMNS, (Row("R:VERB:TENSE", CELLS),))
    for width in (30, 50, 60, 80):
        assert any("R:VERB:TENSE" in line for line in show(grid, width))


def test_cells_that_are_empty_make_no_line_of_a_block() -> None:
    rows = Row("careful", ("dev", "1.00")), Row("", ("rare", ""))
    grid = Grid("", "preset", ("set", "F"), rows, texts=frozenset({"set"}))
    assert show(grid, 10) == ["careful", "  set  dev", "  F    1.00", "  set  rare"]


words = st.text(st.characters(categories=("L", "Nd"), include_characters="/._-:"), min_size=1, max_size=60)
numbers = st.from_regex(r"[0-9]{1,3}\.[0-9]{2}", fullmatch=True)


@given(st.lists(words, min_size=1, max_size=4), st.lists(numbers, min_size=3, max_size=3), st.integers(30, 200))
def test_nothing_is_ever_cut(names: list[str], cells: list[str], width: int) -> None:
    rows = tuple(Row(name, tuple(cells)) for name in names)
    for are_files in (True, False):
        lines = show(Grid("title", "hypothesis", ("Precision", "Recall", "F0.5"), rows, are_files=are_files), width)
        for text in (*names, *cells):
            assert any(text in line for line in lines)
        assert not any("…" in line for line in lines)


def _on_screen(folder: Path, columns: int, *arguments: str) -> list[str]:
    """What the command prints on a terminal with so many columns, without colours."""
    main, screen = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm"}
    with subprocess.Popen(
        [sys.executable, "-m", "errata", *arguments], stdout=screen, cwd=folder, env=environment
    ) as process:
        os.close(screen)
        printed = b""
        try:
            while piece := os.read(main, 1 << 16):
                printed += piece
        except OSError:  # the other end is closed
            pass
    os.close(main)
    assert process.returncode == 0
    return re.sub(r"\x1b\[[\d;]*m", "", printed.decode()).replace("\r\n", "\n").splitlines()


COMPARE = ("compare", "-m", "errant", "--m2", "gold.m2", "--hyp", "good.m2", "--hyp", "bad.m2", "--per-annotator")


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_the_commands_fit_the_screen(tmp_path: Path, columns: int) -> None:
    lines = _on_screen(write_files(tmp_path), columns, *COMPARE, "--edits", "0")
    tables = [line for line in lines if "|" not in line]  # signatures stay whole, to be copied
    assert all(len(line.rstrip()) <= columns for line in tables)
    whole = "\n".join(tables)
    for text in ("good.m2", "bad.m2", "annotator 1", "approximate-randomisation", "95 % interval", "100.00", "33.33"):
        assert text in whole


@pytest.mark.parametrize("columns", [None, "", "0", "wide"])
def test_a_pipe_has_no_width(tmp_path: Path, columns: str | None) -> None:
    folder, name = write_files(tmp_path), "a" * 200 + ".m2"
    assert f"│ {name} │     33.33 │  50.00 │ 35.71 │  1 │  2 │  1 │" in _through_pipe(folder, name, columns)


def test_a_pipe_is_as_wide_as_columns_says(tmp_path: Path) -> None:
    lines = _through_pipe(write_files(tmp_path), "long-name.m2", "40").splitlines()
    assert "  Precision  33.33" in lines and "long-name.m2" in lines
    assert all(len(line) <= 40 for line in lines if "|" not in line)


def _through_pipe(folder: Path, name: str, columns: str | None) -> str:
    (folder / name).write_text((folder / "bad.m2").read_text(), encoding="utf-8")
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    done = subprocess.run(
        [sys.executable, "-m", "errata", "score", "-m", "errant", "--m2", "gold.m2", "--hyp", name, "--by-type"],
        cwd=folder, env=environment | ({} if columns is None else {"COLUMNS": columns}),
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return done.stdout
