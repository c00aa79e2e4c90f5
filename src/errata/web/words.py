"""Users' words: what `/v2/words` adds, lists and deletes, and what `/v2/check` then leaves alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import Engine, bindparam, text
from sqlalchemy.exc import IntegrityError

# The dictionary of words that were added without naming one.
DEFAULT = ""


class WordStore:
    """The words of each user, in named dictionaries."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def list(
        self, username: str, dictionaries: Sequence[str] = (DEFAULT,), *, offset: int = 0, limit: int | None = None
    ) -> list[str]:
        """The words of a user in order of the alphabet; at most `limit` of them from `offset` on."""
        query = text(
            "SELECT DISTINCT word FROM words WHERE username = :username AND dictionary IN :dictionaries ORDER BY word"
        ).bindparams(bindparam("dictionaries", expanding=True))
        with self._engine.connect() as connection:
            rows = connection.execute(query, {"username": username, "dictionaries": list(dictionaries)})
            words = [str(row.word) for row in rows]
        return words[offset:] if limit is None else words[offset : offset + limit]

    def add(self, username: str, words: Iterable[str], dictionary: str = DEFAULT) -> int:
        """How many of the words were new."""
        statement = text("INSERT INTO words (username, dictionary, word) VALUES (:username, :dictionary, :word)")
        n_added = 0
        for word in words:
            try:
                with self._engine.begin() as connection:
                    connection.execute(statement, {"username": username, "dictionary": dictionary, "word": word})
                n_added += 1
            except IntegrityError:  # it is there already
                continue
        return n_added

    def delete(self, username: str, words: Iterable[str], dictionary: str = DEFAULT) -> int:
        """How many of the words were there."""
        statement = text("DELETE FROM words WHERE username = :username AND dictionary = :dictionary AND word = :word")
        with self._engine.begin() as connection:
            return sum(
                connection.execute(statement, {"username": username, "dictionary": dictionary, "word": word}).rowcount
                for word in words
            )

    def close(self) -> None:
        self._engine.dispose()
