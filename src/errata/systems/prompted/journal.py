"""The answers of a model, each appended to a file when it arrives, so a run that was killed asks nothing twice.

A line is `{"key": …, "text": …, "is_complete": …, "n_prompt": …, "n_answer": …}`. The key is a digest of the model, the
prompt and the sentence; neither the sentence nor the API key is written.
"""

from __future__ import annotations

import json
import logging
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from errata.errors import FormatError
from errata.files import read_whole_lines

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a model: whether it is complete or refused, and how many subwords were read and written.

    APIs and their prices call subwords tokens.
    """

    text: str
    is_complete: bool = True
    n_prompt: int = 0
    n_answer: int = 0
    is_refused: bool = False


class Journal:
    """The answers in a file, by key; without a path they are kept in memory only."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._answers: dict[str, Answer] = {}
        self._stream: IO[bytes] | None = None
        if path is not None and path.exists():
            self._read(path)

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, key: str) -> Answer | None:
        return self._answers.get(key)

    def add(self, key: str, answer: Answer) -> None:
        """Keep an answer; it is on the disk when the call returns."""
        self._answers[key] = answer
        if self.path is None:
            return
        if self._stream is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._stream = self.path.open("ab")
        line = json.dumps({"key": key, **asdict(answer)}, ensure_ascii=False) + "\n"
        self._stream.write(line.encode())
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def _read(self, path: Path) -> None:
        lines, is_torn = read_whole_lines(path)
        for number, line in enumerate(lines, 1):
            try:
                given = json.loads(line)
                key = given.pop("key")
                self._answers[key] = Answer(**given)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise FormatError(str(path), number, f"the line is no answer of a journal: {error}") from error
        if is_torn:
            # The run was killed while writing, so this answer is asked for again.
            log.warning("%s: the last line is incomplete; its answer is asked for again", path)
