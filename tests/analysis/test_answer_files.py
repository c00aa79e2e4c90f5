"""Answers on disk: asked once, whole after a kill, apart for different models."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import pytest

from errata.analysis.journal import AnswerFile
from errata.errors import DataError, FormatError


class Model:
    """Counts what it is asked; may be killed after some batches."""

    def __init__(self, lives: int = 99) -> None:
        self.asked: list[str] = []
        self.lives = lives

    def __call__(self, questions: Sequence[str]) -> list[int]:
        if not self.lives:
            raise KeyboardInterrupt
        self.lives -= 1
        self.asked += questions
        return [len(one) for one in questions]


QUESTIONS = ["a", "bb", "ccc", "bb", "dddd"]


def test_every_question_is_asked_once(tmp_path: Path) -> None:
    model = Model()
    answers: AnswerFile[int] = AnswerFile(tmp_path, "length", "v1")
    assert answers.ask(QUESTIONS, model, 2) == [1, 2, 3, 2, 4]
    assert sorted(model.asked) == ["a", "bb", "ccc", "dddd"]
    again = Model()
    assert AnswerFile[int](tmp_path, "length", "v1").ask(QUESTIONS, again, 2) == [1, 2, 3, 2, 4]
    assert again.asked == []
    assert AnswerFile[int](tmp_path, "length", "v2").ask(["a"], again, 2) == [1] and again.asked == ["a"]


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        AnswerFile[int](tmp_path, "length", "v1").ask(QUESTIONS, Model(lives=1), 2)
    model = Model()
    assert AnswerFile[int](tmp_path, "length", "v1").ask(QUESTIONS, model, 2) == [1, 2, 3, 2, 4]
    assert model.asked == ["ccc", "dddd"]


def test_a_line_that_was_not_finished_is_asked_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    AnswerFile[int](tmp_path, "length", "v1").ask(QUESTIONS, Model(), 9)
    [path] = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-3])
    model = Model()
    with caplog.at_level(logging.WARNING):
        assert AnswerFile[int](tmp_path, "length", "v1").ask(QUESTIONS, model, 9) == [1, 2, 3, 2, 4]
    assert model.asked == ["dddd"] and "incomplete" in caplog.text


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    AnswerFile[int](tmp_path, "length", "v1").ask(["a"], Model(), 9)
    [path] = tmp_path.iterdir()
    path.write_text("garbage\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"jsonl:1: .*delete the file"):
        AnswerFile[int](tmp_path, "length", "v1")


def test_without_a_folder_answers_stay_in_memory() -> None:
    assert AnswerFile[int](None, "length", "v1").ask(QUESTIONS, Model(), 2) == [1, 2, 3, 2, 4]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(DataError, match="cannot be written"):
        AnswerFile[int](tmp_path / "file", "length", "v1").ask(["a"], Model(), 2)


def test_progress_counts_what_was_known(tmp_path: Path) -> None:
    AnswerFile[int](tmp_path, "length", "v1").ask(["a", "bb"], Model(), 9)
    told: list[tuple[int, int]] = []
    AnswerFile[int](tmp_path, "length", "v1").ask(QUESTIONS, Model(), 1, lambda n, total: told.append((n, total)))
    assert told[-1] == (5, 5) and len(told) == 2
