"""Which sources of `en-open` are under an open licence."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.models.en_open import is_open, open_repositories


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("CC BY 4.0", True),
        ("CC BY-SA 2.5 (prose; see LICENSE.md)", True),
        ("content CC BY-SA 4.0 / code Apache-2.0", True),
        ("see LICENSE.md (CC BY 4.0 text)", True),
        ("CC0", True),
        ("MIT", True),
        ("MIT/Apache-2.0", True),
        ("BSD-style", True),
        ("CC BY-NC-SA 4.0", False),
        ("CC BY-ND 4.0", False),
        ("MIT/GPL-3.0", False),
        ("GPL-2.0", False),
        ("see repo", False),
        ("not stated", False),
        ("", False),
    ],
)
def test_a_note_on_a_licence(note: str, expected: bool) -> None:
    assert is_open(note) is expected


def test_only_open_repositories_are_taken(tmp_path: Path) -> None:
    table = tmp_path / "sources.tsv"
    lines = ["repository\tgrammar\tlicence", "a/docs\t3\tMIT", "b/docs\t4\tnot stated", "c/docs\t5\tCC BY-NC 4.0"]
    lines.append("freeCodeCamp/freeCodeCamp\t6\tBSD-3-Clause")  # its lessons are not under the BSD licence
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert open_repositories(table) == {"a/docs": "MIT"}
