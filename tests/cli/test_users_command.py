"""`errata users`: what whoever runs a server does with its accounts."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_runs import Run
from sqlalchemy import text

from errata.web.accounts.passwords import Passwords
from errata.web.accounts.people import find_account
from errata.web.database import open_database, reading, writing

PASSWORD = "correct horse battery"


@pytest.fixture
def users(run: Run, tmp_path: Path, cheap_passwords: None) -> Run:
    """The command over the database in the folder `data`, with a password in the file `secret`."""
    (tmp_path / "secret").write_text(f"{PASSWORD}\n")

    def call(verb: str, *arguments: str) -> tuple[int, str, str]:
        return run("users", verb, *arguments, "--data", "data")

    return call


def kept_password(folder: Path, name: str) -> str | None:
    engine = open_database(f"sqlite:///{folder / 'data' / 'server.db'}")
    with reading(engine) as connection:
        account = find_account(connection, name)
    engine.dispose()
    return account.password if account and account.closed_at is None else None


def test_add_list_password_close(users: Run, tmp_path: Path) -> None:
    code, out, err = users("list")
    assert (code, out) == (1, "") and "there is no database in data: errata users add NAME --owner makes one" in err
    assert not (tmp_path / "data").exists()
    open_database(f"sqlite:///{tmp_path / 'server.db'}").dispose()
    listed = users("list", "--db", f"sqlite:///{tmp_path / 'server.db'}")
    assert listed == (0, "", "nobody has an account: errata users add NAME --owner\n")
    added = users("add", " Owner 1", "--owner", "--password-file", "secret")
    assert added == (0, "", "Owner 1 can log in now\n")
    assert users("add", "annotator-1", "--password-file", "secret")[0] == 0
    assert Passwords().verify(kept_password(tmp_path, "owner 1"), PASSWORD)
    (tmp_path / "secret").write_text("quite another one\r\n")
    changed = users("password", "ANNOTATOR-1", "--password-file", "secret")
    assert changed == (0, "", "annotator-1 has a new password\n")
    assert Passwords().verify(kept_password(tmp_path, "annotator-1"), "quite another one")
    assert users("close", "annotator-1") == (0, "", "annotator-1 cannot log in any more\n")
    assert kept_password(tmp_path, "annotator-1") is None
    code, out, _ = users("list")
    lines = [line.split(maxsplit=1)[1].split() for line in out.splitlines()]
    assert code == 0 and lines == [["closed", "annotator-1"], ["owner", "Owner", "1"]]
    listed = json.loads(users("list", "--json")[1])
    assert [(one["name"], one["is_owner"], one["closed_at"] is None) for one in listed] == [
        ("annotator-1", False, False),
        ("Owner 1", True, True),
    ]
    assert listed[0].keys() == {"id", "name", "is_owner", "language", "made_at", "closed_at"}


@pytest.mark.parametrize("verb", ["password", "close"])
def test_sessions_end(users: Run, tmp_path: Path, verb: str) -> None:
    for name in ("annotator-1", "annotator-2"):
        users("add", name, "--password-file", "secret")
    engine = open_database(f"sqlite:///{tmp_path / 'data' / 'server.db'}")
    with writing(engine) as connection:
        row = "INSERT INTO sessions SELECT name, id, 'c', 1, 1, 9e9 FROM users"
        connection.execute(text(row))
    assert users(verb, "annotator-1", *(("--password-file", "secret") if verb == "password" else ()))[0] == 0
    with reading(engine) as connection:
        assert list(connection.execute(text("SELECT digest FROM sessions")).scalars()) == ["annotator-2"]
    engine.dispose()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("add", "ANNOTATOR-1", "--password-file", "secret"), 1, "name: ANNOTATOR-1 is taken; choose another"),
        (("add", " ", "--password-file", "secret"), 2, "name: give 1 to 100 characters"),
        (("add", "a\x1b[31m", "--password-file", "secret"), 2, "name: use letters, digits, spaces and punctuation"),
        (("add", "annotator-2", "--password-file", "short"), 2, "password: give 10 to 200 characters"),
        (("add", "annotator-2", "--password-file", "two"), 1, "two has 2 lines: put the password on the only one"),
        (("add", "annotator-2", "--password-file", "nothing"), 1, "nothing has 0 lines"),
        (("add", "annotator-2", "--password-file", "latin"), 1, "latin: the password is not UTF-8"),
        (("add", "annotator-2", "--password-file", "absent"), 1, "absent: No such file or directory"),
        (("add", "annotator-2"), 2, "there is no terminal to ask for the password: give --password-file FILE"),
        (("close", "anotator-1"), 1, "nobody is called 'anotator-1'; did you mean annotator-1?"),
        (("password", "x"), 1, "nobody is called 'x'; see errata users list"),
        (("close", "gone-1"), 1, "the account of gone-1 is closed"),
        (("password", "gone-1", "--password-file", "secret"), 1, "the account of gone-1 is closed"),
        (("add", "gone-1", "--password-file", "secret"), 1, "name: gone-1 is taken"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(
    users: Run, tmp_path: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    for name, content in {"short": b"x\n", "two": b"x\ny\n", "nothing": b"", "latin": b"caf\xe9 au lait\n"}.items():
        (tmp_path / name).write_bytes(content)
    users("add", "annotator-1", "--password-file", "secret")
    users("add", "gone-1", "--password-file", "secret")
    users("close", "gone-1")
    before = users("list")
    got, out, err = users(*arguments)
    assert (got, out) == (code, "") and err.startswith(f"errata: {message}") and err.count("\n") == 1
    assert users("list") == before


def test_the_password_may_come_on_standard_input(users: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = SimpleNamespace(buffer=io.BytesIO("密码太短也要十个字才行\n".encode()))
    monkeypatch.setattr(sys, "stdin", pipe)
    assert users("add", "annotator-1", "--password-file", "-")[0] == 0
    assert Passwords().verify(kept_password(tmp_path, "annotator-1"), "密码太短也要十个字才行")


@pytest.mark.parametrize("answers", [[PASSWORD] * 2, ["a slip of the hand", PASSWORD, PASSWORD, PASSWORD]], ids=len)
def test_the_password_is_asked_twice_and_not_shown(tmp_path: Path, answers: list[str]) -> None:
    controller, terminal = os.openpty()
    command = [sys.executable, "-m", "errata", "users", "add", "annotator-1", "--data", str(tmp_path / "data")]
    process = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True)
    os.close(terminal)
    shown = asked = b""
    waiting = list(answers)
    with suppress(OSError):  # the command has ended
        while chunk := os.read(controller, 1000):
            shown, asked = shown + chunk, asked + chunk
            if asked.endswith(b": ") and waiting:  # the space comes once nothing is shown any more
                os.write(controller, f"{waiting.pop(0)}\n".encode())
                asked = b""
    os.close(controller)
    assert process.wait(60) == 0 and not waiting
    assert PASSWORD.encode() not in shown and shown.endswith(b"annotator-1 can log in now\r\n")
    assert Passwords().verify(kept_password(tmp_path, "annotator-1"), PASSWORD)


def test_another_database(run: Run, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(PASSWORD)
    url = f"sqlite:///{tmp_path / 'other.db'}"
    assert run("users", "add", "owner-1", "--owner", "--password-file", "secret", "--db", url)[0] == 0
    assert run("users", "list", "--db", url)[1].endswith("owner-1\n")
    code, _, err = run("users", "list", "--db", "nonsense")
    assert code == 2 and "no database URL" in err
