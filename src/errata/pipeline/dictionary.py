"""The user's dictionary: a text file of words and phrases that are right as they are, one on a line.

Lines that begin with `#` are comments. The user's own file is `words.txt` in the platform's folder for settings.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from errata.errors import DataError, UsageError
from errata.formats.files import open_for_writing, read_lines
from errata.places import as_path, is_path
from errata.text.arguments import as_text

COMMENT = "#"


def user_words_path() -> Path:
    """The user's own dictionary: ERRATA_WORDS, or `words.txt` where this platform keeps settings."""
    named = os.environ.get("ERRATA_WORDS")
    if not named:
        return _settings_folder() / "errata" / "words.txt"
    if not is_path(named):  # it would be another file in every folder
        raise UsageError(f"ERRATA_WORDS={named} is no path: write the whole path, or ./{named}")
    return as_path(named)


def _settings_folder() -> Path:
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Application Support"
        named = Path(os.environ.get("XDG_CONFIG_HOME", ""))
        return named if named.is_absolute() else Path.home() / ".config"  # as the XDG specification says
    except RuntimeError as error:
        raise DataError("nobody knows where your home folder is: set HOME, or ERRATA_WORDS to a file") from error


def read_words(path: Path) -> list[str]:
    """The words and phrases of a dictionary file, in its order."""
    lines = (line.removeprefix("\ufeff").strip() for line in read_lines(path))
    return [line for line in lines if line and not line.startswith(COMMENT)]


def read_user_words() -> list[str]:
    """The user's own dictionary; none where there is no such file, or in a folder nobody may look into."""
    try:
        path = user_words_path()
    except DataError:  # no home folder, and so no dictionary in it
        return []
    try:
        is_there = path.is_file() or path.is_dir()
    except PermissionError:
        is_there = False
    return read_words(path) if is_there else []  # a folder is told of


def add_words(path: Path, words: Iterable[str]) -> list[str]:
    """Those of the words that were not there yet; comments and order are kept, the file is made if missing."""
    lines = [line.rstrip("\r\n") for line in read_lines(path)] if path.is_file() else []
    known = {line.strip() for line in lines}
    new = [word for word in dict.fromkeys(map(_checked, words)) if word not in known]
    if new:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, [*lines, *new])
    return new


def remove_words(path: Path, words: Iterable[str]) -> list[str]:
    """Those of the words that were there and now are not."""
    lines = [line.rstrip("\r\n") for line in read_lines(path)] if path.is_file() else []
    known = {line.strip() for line in lines}
    gone = [word for word in dict.fromkeys(map(_checked, words)) if word in known]
    if gone:
        _write(path, [line for line in lines if line.strip() not in gone])
    return gone


def _checked(word: str) -> str:
    bare = as_text(word).strip()
    if not bare or bare.startswith(COMMENT) or len(bare.splitlines()) > 1:
        raise UsageError(f"{word!r} cannot be in a dictionary: give a word or phrase on one line, not beginning with #")
    return bare


def _write(path: Path, lines: Iterable[str]) -> None:
    with open_for_writing(path) as stream:
        stream.writelines(f"{line}\n" for line in lines)
