"""Passwords and names: what is taken, how it is kept."""

from __future__ import annotations

from typing import Any

import pytest
from account_checks import ask, try_to_log_in
from hypothesis import given
from hypothesis import strategies as st
from people import PASSWORD, add_person, log_in

from errata.web.accounts.accounts import COOKIE
from errata.web.accounts.names import MAX_FOLDED, MAX_LENGTH, check_name, fold_name, is_name
from errata.web.accounts.passwords import COMMON, MIN_LENGTH, Passwords, check_password
from errata.web.refusals import Refusal


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("short one", "10 to 200 characters"),
        ("x" * 201, "10 to 200 characters"),
        ("password123", "many people use"),
        ("PassWord123", "many people use"),
        ("ｐａｓｓｗｏｒｄ123", "many people use"),
        ("\N{GRINNING FACE}" * 10, "many people use"),
        ("Annotator 12", "it is the name"),
    ],
)
def test_passwords_that_are_guessed_first_are_refused(password: str, reason: str) -> None:
    with pytest.raises(Refusal, match=f"^password: .*{reason}"):
        check_password(password, "annotator  12")


@pytest.mark.parametrize(
    "password", ["a b c d e f", "correct horse", "密码太短也要十个字才行", "ab" * 100, "\0\n\t hello you"]
)
def test_any_characters_make_a_password(password: str) -> None:
    assert check_password(password, "annotator-1") == password
    cheap = Passwords(memory_kib=8)
    assert cheap.verify(cheap.hash(password), password)
    assert not cheap.verify(cheap.hash(password), password + " ")


def test_the_list_of_common_ones_is_of_possible_ones() -> None:
    assert all(fold_name(password) == password for password in COMMON)
    assert sum(len(password) >= MIN_LENGTH for password in COMMON) == len(COMMON)


def test_a_password_is_the_same_from_every_keyboard() -> None:
    cheap = Passwords(memory_kib=8)
    assert cheap.verify(cheap.hash("cafe\u0301 au lait"), "caf\u00e9 au lait")


def test_what_is_no_hash_lets_nobody_in() -> None:
    cheap = Passwords(memory_kib=8)
    assert not any(cheap.verify(kept, "") for kept in (None, "", "nonsense", "$argon2id$v=19$m=8,t=1,p=1$x$y"))


@pytest.mark.usefixtures("dear_passwords")
def test_a_password_hashed_in_an_older_way_is_hashed_anew_at_log_in(app: Any, visitor: Any) -> None:
    add_person(app, "annotator-1")
    older = Passwords(memory_kib=64).hash(PASSWORD)
    with app.state.tools.engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE users SET password = '{older}'")
    assert try_to_log_in(visitor, "annotator-1", "wrong").status_code == 401
    assert ask(app, "SELECT password FROM users")[0].password == older
    log_in(visitor, "annotator-1")
    renewed = ask(app, "SELECT password FROM users")[0].password
    assert renewed.startswith("$argon2id$v=19$m=47104,t=1,p=1$")
    log_in(visitor, "annotator-1")
    assert ask(app, "SELECT password FROM users")[0].password == renewed


def test_a_new_password_ends_the_other_sessions(app: Any, open_client: Any) -> None:
    add_person(app, "annotator-1")
    add_person(app, "annotator-2")
    here, there, others = open_client(), open_client(), open_client()
    headers = log_in(here, "annotator-1")
    log_in(there, "annotator-1")
    log_in(others, "annotator-2")
    new = "quite another one"
    for body, status, reason in (
        ({"old": "wrong", "new": new}, 403, "old: the password is wrong"),
        ({"old": PASSWORD, "new": "short"}, 422, "password: give 10 to 200 characters"),
        ({"old": PASSWORD}, 422, "new: it is missing"),
    ):
        refused = here.post("/accounts/password", json=body, headers=headers)
        assert (refused.status_code, refused.json()["detail"]) == (status, reason)
    assert here.post("/accounts/password", json={"old": PASSWORD, "new": new}, headers=headers).status_code == 200
    assert [client.get("/accounts/me").status_code for client in (here, there, others)] == [200, 401, 200]
    assert try_to_log_in(there, "annotator-1", PASSWORD).status_code == 401
    assert try_to_log_in(there, "annotator-1", new).status_code == 200


def test_guessing_the_old_password_waits_too(app: Any, visitor: Any) -> None:
    add_person(app, "annotator-1")
    headers, body = log_in(visitor, "annotator-1"), {"old": "wrong", "new": "quite another one"}
    statuses = [visitor.post("/accounts/password", json=body, headers=headers).status_code for _ in range(6)]
    assert statuses == [403] * 5 + [429]
    assert COOKIE in visitor.cookies and visitor.get("/accounts/me").status_code == 200


@pytest.mark.parametrize(
    "name", ["a", "李雷", "O'Neil-Smith (2)", "<b>x</b>", "'; DROP TABLE users; --", "é" * MAX_LENGTH]
)
def test_people_may_be_called(name: str) -> None:
    assert check_name(f"  {name} ") == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "\u200b",
        "a\0b",
        "a\x1b[31m",
        "a\u2028b",
        "\u202eflipped",
        "a" * 101,
        "\ufdfa" * 12,
        "\ud800",
        "\ue000",
    ],
    ids=ascii,
)
def test_nobody_is_called(name: str) -> None:
    with pytest.raises(Refusal, match=r"^name: "):
        check_name(name)


def test_names_that_look_the_same_are_the_same() -> None:
    same = ["Ann Otator", "ann  otator", "ＡＮＮ ＯＴＡＴＯＲ", "ann\u00a0otator", "ann\u200b otator", "ANN OTATOR"]
    assert len(set(map(fold_name, same))) == 1
    assert fold_name("STRASSE") == fold_name("straße") and fold_name("ann") != fold_name("anne")


@given(st.text())
def test_folding_twice_is_folding_once(name: str) -> None:
    folded = fold_name(name)
    assert fold_name(folded) == folded == fold_name(name.upper().lower()) or name.upper().lower() != name


@given(st.text(max_size=2 * MAX_LENGTH))
def test_a_name_that_is_taken_is_found_again(name: str) -> None:
    try:
        shown = check_name(name)
    except Refusal:
        return
    assert is_name(shown) and check_name(shown) == shown
    assert fold_name(shown) == fold_name(name) and 1 <= len(fold_name(shown)) <= MAX_FOLDED and len(shown) <= MAX_LENGTH
