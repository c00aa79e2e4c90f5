"""What was measured of models that were taught web text: rows that agree with each other, and with the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.adaptation import BOTH, MEAN, PAPER, PARTS, Row, make_tables, read_rows

ROOT = Path(__file__).resolve().parents[2]


def make_row(model: str, part: str, against: str, f: float, **others: object) -> Row:
    return Row(model, "1a2b", "careful", part, against, 50.0, 20.0, f, "errant|F0.5", **others)  # type: ignore[arg-type]


def test_tables() -> None:
    types = {"PUNCT": {"tp": 3.0, "fp": 1.0, "fn": 9.0, "precision": 75.0, "recall": 25.0, "f0.5": 53.57}}
    rows = [
        *(make_row("en-small", part, MEAN, 30.0 + n) for n, part in enumerate(("G", "S"))),
        make_row("en-small", "G+S", MEAN, 31.0, by_type=types),
        make_row("en-small", "CoNLL-14 test", "maxmatch", 51.0),
    ]
    text = "\n".join(make_tables({row.key: row for row in rows}))
    assert "| the paper's system, after fine-tuning | mean | 42.1 / 16.6 / **32.0** | 35.9 / 13.0 / **26.5** |" in text
    assert "| `en-small`, careful | mean | 50.0 / 20.0 / **30.0** | 50.0 / 20.0 / **31.0** |" in text
    assert "| PUNCT | 12 | 75.0 / 25.0 / **53.6** |" in text
    assert "| `en-small`, careful | 50.0 / 20.0 / **51.0** |" in text


def test_the_mean_is_that_of_the_annotators() -> None:
    rows = read_rows()
    means = [row for row in rows.values() if row.against == MEAN]
    assert {row.set for row in means} == set(PARTS) and (("after", BOTH) in PAPER)
    for mean in means:
        alone = [rows[f"{mean.model}/{mean.preset}/{mean.set}/annotator {n}"] for n in range(2)]
        for share in range(3):
            assert sum(one.shares[share] for one in alone) / 2 == pytest.approx(mean.shares[share], abs=0.011)
        assert rows[f"{mean.model}/{mean.preset}/{mean.set}/{BOTH}"].f > mean.f


def test_the_page_has_the_tables() -> None:
    page = (ROOT / "docs" / "adaptation.md").read_text("utf-8")
    missing = [line for line in make_tables(read_rows()) if line not in page]
    assert not missing, "python -m benchmarks.adaptation --write puts them there"
