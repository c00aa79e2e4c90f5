"""Users' words: what `/v2/words` adds, lists and deletes, and what `/v2/check` then leaves alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, Engine, bindparam, text

from errata.web.database import reading, writing
from errata.web.refusals import Refusal

# The dictionary of words that were added without naming one.
DEFAULT = ""
# More words than this in one request are better sent in several: others wait for the database meanwhile.
MAX_BATCH = 1_000

_LIST = text(
    "SELECT DISTINCT word FROM words WHERE username = :username AND dictionary IN :dictionaries"
    " ORDER BY word LIMIT :limit OFFSET :offset"
).bindparams(bindparam("dictionaries", expanding=True))
_ADD = text(
    "INSERT INTO words (username, dictionary, word) VALUES (:username, :dictionary, :word) ON CONFLICT DO NOTHING"
)
_DELETE = text("DELETE FROM words WHERE username = :username AND dictionary = :dictionary AND word = :word")
_COUNT_WORDS = text("SELECT count(*) FROM (SELECT 1 FROM words WHERE username = :username LIMIT :limit) AS own")
# One look at the index for each user, where DISTINCT would read every word.
_COUNT_USERS = text(
    "WITH RECURSIVE users (username) AS ("
    " SELECT min(username) FROM words UNION ALL"
    " SELECT (SELECT min(username) FROM words WHERE words.username > users.username)"
    " FROM users WHERE users.username IS NOT NULL"
    ") SELECT count(username) FROM users"
)


class WordStore:
    """The words of each user, in named dictionaries."""

    def __init__(self, engine: Engine, *, max_words: int, max_users: int | None = None) -> None:
        """A user may have `max_words` in all dictionaries together; None is any number of users."""
        self._engine, self._max_words, self._max_users = engine, max_words, max_users

    def list(
        self, username: str, dictionaries: Sequence[str] = (DEFAULT,), *, offset: int = 0, limit: int | None = None
    ) -> list[str]:
        """The words of a user in order of the alphabet, from `offset` on; never more than a user may have."""
        n_words = self._max_words if limit is None else min(limit, self._max_words)
        wanted = {"username": username, "dictionaries": list(dictionaries), "offset": offset, "limit": n_words}
        with reading(self._engine) as connection:
            return [str(row.word) for row in connection.execute(_LIST, wanted)]

    def add(self, username: str, words: Collection[str], dictionary: str = DEFAULT) -> int:
        """How many of the words were new; all are added, or none where there is no room for them."""
        rows = _rows(username, words, dictionary)
        with writing(self._engine) as connection:  # what is counted stays so
            is_new_user = not self._count_words(connection, username, 1)
            n_added = connection.execute(_ADD, rows).rowcount
            if n_added and self._count_words(connection, username, self._max_words + 1) > self._max_words:
                raise Refusal(403, f"a user may have {self._max_words} words here: delete some first")
            if is_new_user and self._max_users is not None:
                self._check_users(connection, self._max_users)
        return n_added

    def delete(self, username: str, words: Collection[str], dictionary: str = DEFAULT) -> int:
        """How many of the words were there."""
        with writing(self._engine) as connection:
            return connection.execute(_DELETE, _rows(username, words, dictionary)).rowcount

    def _count_words(self, connection: Connection, username: str, limit: int) -> int:
        """How many words a user has, counted up to `limit`."""
        return int(connection.execute(_COUNT_WORDS, {"username": username, "limit": limit}).scalar_one())

    def _check_users(self, connection: Connection, max_users: int) -> None:
        if connection.execute(_COUNT_USERS).scalar_one() > max_users:
            raise Refusal(403, f"words of {max_users} users are kept here, and of no more: ask for an account")


def _rows(username: str, words: Collection[str], dictionary: str) -> list[dict[str, str]]:
    return [{"username": username, "dictionary": dictionary, "word": word} for word in words]
