from __future__ import annotations

import io
import sys
from collections.abc import Sequence

import pytest

from errata.cli.watching import LONG, tell, watching
from errata.model import Correction
from errata.pipeline.sentences import Progress


class Echo:
    name, language = "echo", "en"

    def correct(self, sentences: Sequence[str], *, progress: Progress | None = None) -> list[Correction]:
        return [Correction(text) for text in sentences]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def open_terminal(patch: pytest.MonkeyPatch) -> Terminal:
    """Standard error from now on (no fixture: pytest puts its own there before the test)."""
    terminal = Terminal()
    patch.setattr(sys, "stderr", terminal)
    patch.setenv("TERM", "xterm")
    patch.setenv("COLUMNS", "60")
    return terminal


@pytest.mark.parametrize(
    ("sizes", "n_lines", "is_shown"),
    [([None], 1, False), ([None], LONG, True), ([1, None], 1, False), ([10, 20], 1, False), ([9, LONG], 1, True)],
)
def test_only_long_texts_have_a_bar(
    sizes: list[int | None], n_lines: int, is_shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = open_terminal(monkeypatch)
    with watching(sizes, is_wanted=True) as watch:
        watch(Echo()).correct(["a"] * n_lines)
    assert ("━" in terminal.getvalue()) is is_shown


def test_messages_stand_above_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    with watching([LONG], is_wanted=True) as watch:
        watch(Echo()).correct(["a"])
        tell("a.txt: 1 correction")
        watch(Echo()).correct(["a"])
    above, below = terminal.getvalue().split("a.txt: 1 correction")
    assert above.endswith("\x1b[2K") and below.startswith("\n") and "━" in above and "━" in below
