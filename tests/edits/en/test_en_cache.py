"""The cache on disk: right answers, no model when everything is known, no harm when the file is bad."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from errata.edits.en.analysis import Analyser, Analysis
from errata.edits.en.cache import CachedAnalyser, cache_folder
from errata.edits.en.spacy_analyser import SpacyAnalyser

SENTENCES = [["The", "cats", "sat", "."], [], ["😀", "中文", "n't"], ["The", "cats", "sat", "."]]


def never() -> Analyser:
    raise AssertionError("everything should have come from the cache")


def test_second_run_needs_no_model(tmp_path: Path, analyser: Analyser) -> None:
    first = CachedAnalyser("sig", lambda: analyser, tmp_path).analyse(SENTENCES)
    again = CachedAnalyser("sig", never, tmp_path).analyse(SENTENCES)
    assert first == again == analyser.analyse(SENTENCES)


def test_raw_text_keeps_its_spaces(tmp_path: Path, spacy_analyser: SpacyAnalyser) -> None:
    texts = ["I don't know.", "", "A 😀-face!"]
    first = CachedAnalyser("sig", lambda: spacy_analyser, tmp_path).analyse_texts(texts)
    again = CachedAnalyser("sig", never, tmp_path).analyse_texts(texts)
    assert first == again == spacy_analyser.analyse_texts(texts)


def test_another_signature_is_another_entry(tmp_path: Path, analyser: Analyser) -> None:
    CachedAnalyser("old model", lambda: analyser, tmp_path).analyse([["Hi"]])
    with pytest.raises(AssertionError, match="from the cache"):
        CachedAnalyser("new model", never, tmp_path).analyse([["Hi"]])


def test_only_new_sentences_are_analysed(tmp_path: Path, analyser: Analyser) -> None:
    asked: list[list[str]] = []

    class Recorder:
        signature = "sig"

        def analyse(self, sentences: list[list[str]]) -> list[Analysis]:
            asked.extend(sentences)
            return analyser.analyse(sentences)

    cached = CachedAnalyser("sig", Recorder, tmp_path)  # type: ignore[arg-type]
    cached.analyse([["a"]])
    cached.analyse([["b"], ["a"]])
    assert asked == [["a"], ["b"]]


def test_a_damaged_file_is_reported_and_left_alone(
    tmp_path: Path, analyser: Analyser, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "analyses.sqlite").write_bytes(b"not a database" * 100)
    with caplog.at_level(logging.WARNING):
        assert CachedAnalyser("sig", lambda: analyser, tmp_path).analyse([["Hi"]]) == analyser.analyse([["Hi"]])
    assert "cannot be used as a cache" in caplog.text
    assert (tmp_path / "analyses.sqlite").read_bytes() == b"not a database" * 100


@pytest.mark.parametrize(("named", "expected"), [("off", None), ("0", None), ("/x/y", Path("/x/y"))])
def test_environment_moves_it(monkeypatch: pytest.MonkeyPatch, named: str, expected: Path | None) -> None:
    monkeypatch.setenv("ERRATA_CACHE", named)
    assert cache_folder() == expected


def test_default_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ERRATA_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/c")
    assert cache_folder() == Path("/c/errata")
