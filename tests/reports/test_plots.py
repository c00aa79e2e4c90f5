"""Plots and pages: where points lie, what a gap is, and that nothing sticks out of a phone's screen."""

from __future__ import annotations

import os
import re
import shutil
from math import nan
from pathlib import Path

import pytest

from errata.reports.page import make_page, make_table
from errata.reports.plots import HEIGHT, PLOT_STYLE, WIDTH, Axis, draw_figure, draw_lines, draw_points, make_axis

CHROMIUM = os.environ.get("ERRATA_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0, 1, [0, 0.5, 1]), (-1.05, 1.05, [-1, 0, 1]), (0.55, 0.6, [0.56, 0.58, 0.6]), (0.5, 9.5, [5])],
)
def test_ticks_are_round_numbers(low: float, high: float, ticks: list[float]) -> None:
    assert Axis(low, high, 0, 100).ticks() == pytest.approx(ticks)


@pytest.mark.parametrize("values", [[1, 2, 3], [0.0], [5, 5], [-1e-9, 1e9], [], [nan, 2]])
def test_every_value_has_a_place(values: list[float]) -> None:
    axis = make_axis(values, 10, 90)
    assert all(10 <= axis.place(value) <= 90 for value in values if value == value)
    assert axis.ticks() is not None


def test_points_have_names_and_no_number_is_no_point() -> None:
    drawn = "".join(draw_points({"a<b": (1, 2), "late": (3, 4), "none": (nan, 1)}, "metric", "people"))
    assert drawn.count("<circle") == 2 and "a&lt;b" in drawn and ">none<" not in drawn
    places = [float(one) for one in re.findall(r'c[xy]="([\d.]+)"', drawn)]
    assert all(0 <= one <= max(WIDTH, HEIGHT) for one in places)


def test_a_gap_breaks_a_line() -> None:
    drawn = "".join(draw_lines({"r": [0.1, nan, 0.2, 0.3], "ρ": [nan, nan]}, "window", "correlation"))
    assert drawn.count("<polyline") == 2


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not here: install it, or name it in ERRATA_CHROMIUM")
def test_nothing_sticks_out_of_a_phone(tmp_path: Path) -> None:
    """A long signature, a wide table and a plot on a screen of 390 pixels."""
    from playwright.sync_api import sync_playwright

    plot = draw_figure("plot", draw_points({"a": (1, 2), "b": (2, 3)}, "metric", "people"), label="points")
    table = make_table(["a long heading"] * 9, [["1.000<br><small>0.900 to 1.100</small>"] * 9])
    signature = f"<p><small>{'errant|F0.5|v:0.1.0|mode:cs|' * 9}</small></p>"
    page = make_page("A page", [table, f'<div class="plots">{plot}</div>', signature], PLOT_STYLE)
    (tmp_path / "page.html").write_text(page, "utf-8")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        shown = browser.new_page(viewport={"width": 390, "height": 800})
        shown.goto((tmp_path / "page.html").as_uri())
        assert shown.evaluate("document.documentElement.scrollWidth") == 390
        browser.close()
