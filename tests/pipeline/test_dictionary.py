from __future__ import annotations

from pathlib import Path

import pytest

from errata.errors import UsageError
from errata.pipeline.dictionary import add_words, read_user_words, read_words, remove_words, user_words_path


def test_comments_order_and_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeff# mine\r\nFoo\r\n\r\n  data lake \r\n词语".encode())
    assert read_words(path) == ["Foo", "data lake", "词语"]


def test_add_and_remove(tmp_path: Path) -> None:
    path = tmp_path / "new" / "words.txt"
    assert add_words(path, ["Foo", "bar baz", "Foo"]) == ["Foo", "bar baz"]
    assert add_words(path, [" Foo ", "qux"]) == ["qux"]
    assert remove_words(path, ["bar baz", "none"]) == ["bar baz"]
    assert path.read_text("utf-8") == "Foo\nqux\n"
    assert remove_words(tmp_path / "absent.txt", ["x"]) == []


@pytest.mark.parametrize("word", ["", "  ", "# x", "a\nb"])
def test_what_cannot_be_a_word(word: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be in a dictionary"):
        add_words(tmp_path / "words.txt", [word])


def test_where_the_users_words_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ERRATA_WORDS", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert user_words_path() == tmp_path / "errata" / "words.txt"
    assert read_user_words() == []
    add_words(user_words_path(), ["Foo"])
    assert read_user_words() == ["Foo"]
    monkeypatch.setenv("ERRATA_WORDS", str(tmp_path / "other.txt"))
    assert read_user_words() == []
