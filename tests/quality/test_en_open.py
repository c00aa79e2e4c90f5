"""Which sources of `en-open` are under an open licence."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.models import en_open
from benchmarks.models.en_open import from_histories, is_grammar, is_open, open_repositories

from errata.formats.files import open_for_writing

KNOWN = set("the they has have left list lists is are in on a house".split())


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


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("They has left .", "They have left .", True),
        ("They left house .", "They left the house .", True),
        ("The the list is left .", "The list is left .", True),
        ("They has left the hosue .", "They have left the house .", False),
        ("They left the hosue .", "They left the house .", False),
        ("They left the house", "They left the house .", False),
        ("A left hand list .", "A left - hand list .", False),
        ("they left .", "They left .", False),
    ],
)
def test_what_is_a_correction_of_grammar(source: str, target: str, expected: bool) -> None:
    assert is_grammar((tuple(source.split()), tuple(target.split())), KNOWN) is expected


def test_the_second_stage_has_few_corrections_of_spelling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(en_open, "OTHERS", 1)
    files = {"doc-edits": ["They has left\tThey have left", "a lsit\ta list"], "doc-edits-open": ["a hosue\ta house"]}
    for name, lines in files.items():
        with open_for_writing(tmp_path / f"{name}.tsv.xz") as out:
            out.writelines(f"{line}\n" for line in lines)
    first, *others = from_histories(tmp_path, KNOWN)
    assert first == (("They", "has", "left"), ("They", "have", "left"))
    assert others.count("spelling or punctuation") == 1 and len(others) == 2
