"""Analyses kept on disk between runs, so that a sentence is parsed once in its life.

One SQLite file under the user's cache folder. `ERRATA_CACHE` names another folder, or is `off`. Entries are found by
everything they depend on: model, spaCy, this module's format, and the sentence. Several processes may use the file at
once. Losing it costs time, nothing else, so a file that cannot be used is reported and left alone.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from errata.edits.en.analysis import Analyser, Analysis

_log = logging.getLogger(__name__)

FORMAT = 1  # raise when what is stored, or how analyses come about, changes
MAX_BYTES = 2 << 30  # about three million sentences; a full cache is read but no longer written
MAX_VARIABLES = 500  # placeholders in one query; SQLite used to allow no more than 999
_TEXT = "text\n"  # begins the key of raw texts, which are other than tokenised ones


def cache_folder() -> Path | None:
    """Where the cache is; None when it is switched off."""
    named = os.environ.get("ERRATA_CACHE")
    if named is not None:
        return None if named.lower() in {"", "0", "off", "no"} else Path(named)
    cache = Path(os.environ.get("XDG_CACHE_HOME", ""))
    try:
        return (cache if cache.is_absolute() else Path.home() / ".cache") / "errata"  # as the XDG specification says
    except RuntimeError:  # no home folder
        return None


class CachedAnalyser:
    """Answers from the cache and asks another analyser, which is made only when needed, for the rest."""

    def __init__(self, signature: str, make: Callable[[], Analyser], folder: Path) -> None:
        self.signature = signature
        self._make = make
        self._folder = folder

    @cached_property
    def _analyser(self) -> Analyser:
        return self._make()

    @cached_property
    def _database(self) -> sqlite3.Connection | None:
        path = self._folder / "analyses.sqlite"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(path, timeout=30)
            database.execute("PRAGMA journal_mode=WAL")  # readers and a writer do not wait for each other
            database.execute("PRAGMA synchronous=NORMAL")
            database.execute("CREATE TABLE IF NOT EXISTS analyses (key BLOB PRIMARY KEY, value TEXT) WITHOUT ROWID")
        except (OSError, sqlite3.Error) as error:
            _log.warning("%s cannot be used as a cache: %s", path, error)
            return None
        return database

    def analyse(self, sentences: Sequence[Sequence[str]]) -> list[Analysis]:
        texts = [" ".join(words) for words in sentences]
        found = self._load(texts)
        missing = [i for i, text in enumerate(texts) if text not in found]
        if missing:
            new = self._analyser.analyse([sentences[i] for i in missing])
            entries = {texts[i]: analysis for i, analysis in zip(missing, new, strict=True)}
            self._store({text: _encode(analysis) for text, analysis in entries.items()})
        else:
            entries = {}
        return [
            entries[text] if text in entries else _decode(list(words), found[text])
            for words, text in zip(sentences, texts, strict=True)
        ]

    def analyse_texts(self, texts: Sequence[str]) -> list[Analysis]:
        found = self._load([_TEXT + text for text in texts])
        missing = [text for text in texts if _TEXT + text not in found]
        if missing:
            new = zip(missing, self._analyser.analyse_texts(missing), strict=True)
            encoded = {_TEXT + text: _encode_text(analysis) for text, analysis in new}
            self._store(encoded)
            found |= encoded
        return [_decode_text(found[_TEXT + text]) for text in texts]

    def tokenise(self, texts: Sequence[str]) -> list[list[str]]:
        return self._analyser.tokenise(texts)

    def _key(self, text: str) -> bytes:
        return blake2b(f"{FORMAT}\n{self.signature}\n{text}".encode(), digest_size=16).digest()

    def _load(self, texts: Sequence[str]) -> dict[str, str]:
        """The stored values of those texts that have one."""
        if self._database is None:
            return {}
        text_of = {self._key(text): text for text in texts}
        keys = list(text_of)
        found: dict[str, str] = {}
        try:
            for start in range(0, len(keys), MAX_VARIABLES):
                some = keys[start : start + MAX_VARIABLES]
                query = f"SELECT key, value FROM analyses WHERE key IN ({','.join('?' * len(some))})"
                found |= {text_of[key]: value for key, value in self._database.execute(query, some)}
        except sqlite3.Error as error:
            self._give_up(error)
        return found

    def _store(self, values: dict[str, str]) -> None:
        if self._database is None:
            return
        try:
            [(pages,)], [(page_size,)] = (
                self._database.execute(f"PRAGMA {name}").fetchall() for name in ("page_count", "page_size")
            )
            if pages * page_size < MAX_BYTES:
                with self._database:
                    rows = [(self._key(text), value) for text, value in values.items()]
                    self._database.executemany("INSERT OR IGNORE INTO analyses VALUES (?, ?)", rows)
        except sqlite3.Error as error:
            self._give_up(error)

    def _give_up(self, error: sqlite3.Error) -> None:
        _log.warning("%s is no longer used as a cache: %s", self._folder / "analyses.sqlite", error)
        self.__dict__["_database"] = None


# Words never contain white space, so tabs and line ends can separate them.
def _encode(analysis: Analysis) -> str:
    columns = analysis.tags, analysis.pos, analysis.lemmas, analysis.deps, map(str, analysis.heads)
    return "\n".join("\t".join(column) for column in columns)


def _decode(words: list[str], value: str) -> Analysis:
    if not words:
        return Analysis([], [], [], [], [], [], [])
    tags, pos, lemmas, deps, heads = (line.split("\t") for line in value.split("\n"))
    return Analysis(words, tags, pos, lemmas, deps, list(map(int, heads)), [word.lower() for word in words])


def _encode_text(analysis: Analysis) -> str:
    spaces = "".join(" " if space else "." for space in analysis.spaces or ())
    return "\n".join(["\t".join(analysis.words), spaces, _encode(analysis)])


def _decode_text(value: str) -> Analysis:
    words, spaces, rest = value.split("\n", 2)
    analysis = _decode(words.split("\t") if words else [], rest)
    analysis.spaces = [mark == " " for mark in spaces]
    return analysis
