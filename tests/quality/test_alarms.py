"""The count of false alarms: every corrector is loaded once and reads every group."""

from __future__ import annotations

import json

import pytest
from benchmarks import alarms
from benchmarks.alarms import JudgedEdit, Rate
from benchmarks.stability.__main__ import Group

from errata.errors import FormatError
from errata.model import TextEdit

GROUPS = [
    Group("prose", "text", ("It depends of the weather.", "All is well.")),
    Group("READMEs", "markdown", ("# It depends of *us*",)),
]


def test_a_model_is_loaded_once_for_each_preset(monkeypatch, capsys):
    loaded = []

    def load(model, *, preset):
        loaded.append((model, preset))
        return load_corrector(model, preset=preset)

    load_corrector = alarms.load_corrector
    monkeypatch.setattr(alarms, "load_corrector", load)
    monkeypatch.setattr(alarms, "groups", lambda number, n_skipped: iter(GROUPS))
    monkeypatch.setattr("sys.argv", ["alarms", "--preset", "balanced", "eager", "--peers", "--json"])
    assert alarms.main() == 0
    assert loaded == [("en-small", "balanced"), ("en-small", "eager")]
    results = json.loads(capsys.readouterr().out)
    assert [(one["corrector"], one["group"], one["n_words"]) for one in results] == [
        (f"en-small {preset}", group, n_words)
        for preset in ("balanced", "eager")
        for group, n_words in (("prose", 8), ("READMEs", 4))
    ]
    assert results[0]["n_edits"] == 1


@pytest.mark.parametrize("texts", [["one two three"], ["a b", "c"]])
def test_changes_of_peers_are_runs_of_words(texts):
    assert alarms.count_changes(list, texts) == 0
    assert alarms.count_changes(lambda some: [f"new {text} end" for text in some], texts) == 2 * len(texts)


def edits(number: int) -> list[JudgedEdit]:
    return [JudgedEdit("prose", "A ", str(n), "dog", " barks.") for n in range(number)]


def test_words_of_code_are_not_counted() -> None:
    assert alarms.count_words(Group("READMEs", "markdown", ("It is:\n\n```\npip install it now\n```\n",))) == 2


def test_a_table_of_edits_comes_back() -> None:
    text = 'He said\t"it\nare" late.'
    edit = JudgedEdit.of("prose", text, TextEdit(text.index("are"), text.index("are") + 3, "is"))
    assert (edit.before, edit.old, edit.new, edit.after) == ('He said "it ', "are", "is", '" late.')
    judged = JudgedEdit(*edit.key, verdict="right")
    lines = [*alarms.format_table([judged, *edits(2), judged])]
    assert len(lines) == 4
    assert [*alarms.parse_table(lines)] == [judged, *edits(2)]


def test_an_unknown_verdict_is_named() -> None:
    lines = [*alarms.format_table([JudgedEdit("prose", "", "a", "b", "", verdict="maybe")])]
    with pytest.raises(FormatError, match=r"my\.tsv:2: 'maybe' is no verdict"):
        list(alarms.parse_table(lines, origin="my.tsv"))


def test_a_sample_of_many_edits_stays() -> None:
    many = edits(alarms.MOST_JUDGED + 50)
    assert alarms.choose_to_judge(many[:10]) == many[:10]
    sample = alarms.choose_to_judge(many)
    assert len(set(sample)) == alarms.SAMPLE
    assert sample == alarms.choose_to_judge(many[::-1])
    fewer = alarms.choose_to_judge([edit for edit in many if edit not in sample[:20]])
    assert set(sample[20:]) < set(fewer)


@pytest.mark.parametrize(
    ("count", "low", "high"),
    # The exact limits: half the 2.5th and 97.5th percentiles of the chi-squared distribution.
    [(0, 0.0, 3.689), (1, 0.025, 5.572), (10, 4.795, 18.390), (100, 81.364, 121.627)],
)
def test_intervals_are_those_of_poisson_counts(count: int, low: float, high: float) -> None:
    assert alarms.poisson_interval(count) == pytest.approx((low, high), abs=0.06)


def test_rates_of_a_sample_stand_for_all_edits() -> None:
    assert Rate.of(10, 1000, 0.5).value == 20.0


def test_verdicts_are_read_back_into_the_table(monkeypatch, capsys, tmp_path) -> None:
    table = tmp_path / "edits.tsv"
    monkeypatch.setattr(alarms, "groups", lambda number, n_skipped: iter(GROUPS))
    command = ["alarms", "--preset", "balanced", "--peers"]
    monkeypatch.setattr("sys.argv", [*command, "--judge", str(table)])
    assert alarms.main() == 0
    header, first, *rest = table.read_text("utf-8").splitlines()
    table.write_text("\n".join([header, f"wrong{first}", *rest, ""]), "utf-8")
    capsys.readouterr()
    again = tmp_path / "again.tsv"
    monkeypatch.setattr("sys.argv", [*command, "--verdicts", str(table), "--judge", str(again)])
    assert alarms.main() == 0
    assert "1 of 1      0         0      1  125.00 (" in capsys.readouterr().out
    assert again.read_text("utf-8") == table.read_text("utf-8")
