"""Answers of models that are kept on disk as they come, so that a run that was killed asks nothing twice.

A line is `["key", answer]`; the key is a digest of the model and of what it was asked.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Generic, TypeVar

from errata.edits.en.cache import cache_folder
from errata.errors import DataError, FormatError
from errata.files import read_whole_lines

log = logging.getLogger(__name__)
A = TypeVar("A")
KEY_BYTES = 12
Advance = Callable[[int, int], object]


class AnswerFile(Generic[A]):
    """The answers of one model, by what it was asked; without a folder they are kept in memory only."""

    def __init__(self, folder: Path | None, kind: str, signature: str) -> None:
        self._path = None if folder is None else folder / f"{kind}-{digest_text(signature)}.jsonl"
        self._answers: dict[str, A] = {}
        if self._path is not None and self._path.exists():
            self._read(self._path)

    def ask(
        self,
        questions: Sequence[str],
        answer: Callable[[Sequence[str]], Sequence[A]],
        batch: int,
        advance: Advance | None = None,
    ) -> list[A]:
        """The answers to all questions; `answer` is asked those that are not known, a batch at a time."""
        keys = [digest_text(one) for one in questions]
        missing = {key: one for key, one in zip(keys, questions, strict=True) if key not in self._answers}
        open_keys = list(missing)
        finished = len(keys) - len(open_keys)
        for start in range(0, len(open_keys), batch):
            chosen = open_keys[start : start + batch]
            found = answer([missing[key] for key in chosen])
            self._add(dict(zip(chosen, found, strict=True)))
            if advance:
                advance(finished + start + len(chosen), len(keys))
        return [self._answers[key] for key in keys]

    def _add(self, answers: Mapping[str, A]) -> None:
        """Keep answers; they are on the disk when the call returns."""
        self._answers |= answers
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("ab") as stream:
                for key, one in answers.items():
                    stream.write(json.dumps([key, one], ensure_ascii=False).encode() + b"\n")
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise DataError(
                f"{self._path} cannot be written: {error.strerror}; name another folder (--cache)"
            ) from error

    def _read(self, path: Path) -> None:
        lines, is_torn = read_whole_lines(path)
        for number, line in enumerate(lines, 1):
            try:
                key, one = json.loads(line)
            except ValueError as error:
                raise FormatError(str(path), number, "the line is no answer that was kept: delete the file") from error
            self._answers[key] = one
        if is_torn:
            log.warning("%s: the last line is incomplete; its answer is asked for again", path)


def digest_text(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).hexdigest()


def answers_folder(named: Path | None) -> Path | None:
    """Where answers are kept: the folder that is named, else `analysis` in errata's cache, unless that is off."""
    if named is not None:
        return named
    folder = cache_folder()
    return None if folder is None else folder / "analysis"


def stamp_files(folder: Path) -> str:
    """What tells the files below a folder from others, without reading them: names, sizes and times."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    stamps = (f"{path.relative_to(folder)} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in files)
    return digest_text("\n".join(stamps))
