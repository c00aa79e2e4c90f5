"""The count of false alarms: every corrector is loaded once and reads every group."""

from __future__ import annotations

import json

import pytest
from benchmarks import alarms
from benchmarks.stability.__main__ import Group

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
    monkeypatch.setattr(alarms, "groups", lambda number: iter(GROUPS))
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
