"""Logging in and out: who gets a session, what the cookie is like, when it ends."""

from __future__ import annotations

from typing import Any

import pytest
from account_checks import ask, try_to_log_in
from people import PASSWORD, add_person, log_in
from sqlalchemy import text

from errata.web.accounts.accounts import COOKIE, CSRF_HEADER
from errata.web.accounts.sessions import IDLE, LONGEST, SEEN_EVERY
from errata.web.accounts.tokens import digest


def test_who_logs_in_is_known_until_they_log_out(app: Any, visitor: Any) -> None:
    add_person(app, "Annotator 1", is_owner=True)
    assert visitor.get("/accounts/me").json() == {"detail": "log in first"}
    headers = log_in(visitor, "ＡＮＮＯＴＡＴＯＲ  1")
    answer = visitor.get("/accounts/me").json()
    user = answer["user"]
    assert (user["name"], user["is_owner"], user["language"]) == ("Annotator 1", True, "")
    assert answer["csrf"] == headers[CSRF_HEADER]
    token = visitor.cookies[COOKIE]
    response = visitor.post("/accounts/logout", headers=headers)
    assert response.status_code == 200 and COOKIE not in visitor.cookies
    visitor.cookies.set(COOKIE, token)
    assert visitor.get("/accounts/me").status_code == 401


def test_only_digests_of_tokens_are_kept(app: Any, visitor: Any) -> None:
    add_person(app, "annotator-1")
    log_in(visitor, "annotator-1")
    [session] = ask(app, "SELECT * FROM sessions")
    assert session.digest == digest(visitor.cookies[COOKIE])
    assert visitor.cookies[COOKIE] not in map(str, session)
    [user] = ask(app, "SELECT password FROM users")
    assert user.password.startswith("$argon2id$v=19$m=47104,t=1,p=1$") and PASSWORD not in user.password


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_no_script_and_no_other_site_gets_the_cookie(app: Any, open_client: Any, scheme: str) -> None:
    add_person(app, "annotator-1")
    client = open_client(f"{scheme}://127.0.0.1")
    response = try_to_log_in(client, "annotator-1", PASSWORD)
    flags = {flag.strip().lower() for flag in response.headers["set-cookie"].split(";")[1:]}
    assert {"httponly", "samesite=strict", "path=/", f"max-age={int(LONGEST)}"} <= flags
    assert ("secure" in flags) == (scheme == "https") and not any(flag.startswith("domain") for flag in flags)
    headers = {CSRF_HEADER: response.json()["csrf"]}
    gone = client.post("/accounts/logout", headers=headers).headers["set-cookie"].lower()
    assert "max-age=0" in gone and ("secure" in gone) == (scheme == "https")


def test_a_token_that_somebody_planted_is_never_used(app: Any, visitor: Any) -> None:
    """Fixation: an attacker gives the victim a token they know, one that is made up or one of their own."""
    add_person(app, "attacker-1")
    add_person(app, "annotator-1")
    log_in(visitor, "attacker-1")
    for planted in ("made-up", visitor.cookies[COOKIE]):
        visitor.cookies.clear()
        visitor.cookies.set(COOKIE, planted)
        entered = try_to_log_in(visitor, "annotator-1", PASSWORD)
        assert entered.cookies[COOKIE] != planted
        visitor.cookies.clear()
        visitor.cookies.set(COOKIE, planted)
        assert visitor.get("/accounts/me").status_code == 401  # and the attacker's own session has ended


def test_each_log_in_has_its_own_tokens(app: Any, open_client: Any) -> None:
    add_person(app, "annotator-1")
    first, second = open_client(), open_client()
    tokens = [log_in(client, "annotator-1")[CSRF_HEADER] for client in (first, second)]
    assert len({*tokens, first.cookies[COOKIE], second.cookies[COOKIE]}) == 4


def test_unknown_wrong_and_closed_get_the_same_answer(app: Any, visitor: Any) -> None:
    add_person(app, "annotator-1")
    add_person(app, "annotator-2")
    with app.state.tools.engine.begin() as connection:
        connection.execute(text("UPDATE users SET closed_at = 1 WHERE name = 'annotator-2'"))
    tries = [
        ("annotator-1", "wrong"),
        ("annotator-2", PASSWORD),
        ("annotator-3", PASSWORD),
        ("", ""),
        ("\0\u202e", "x"),
    ]
    answers = [try_to_log_in(visitor, *one) for one in tries]
    assert {(answer.status_code, answer.text) for answer in answers} == {
        (401, '{"detail":"the name or the password is wrong"}')
    }
    assert all("set-cookie" not in answer.headers for answer in answers)


def test_a_session_ends_when_nobody_comes(app: Any, clock: Any, visitor: Any) -> None:
    add_person(app, "annotator-1")
    log_in(visitor, "annotator-1")
    clock.turn(IDLE - 1)
    assert visitor.get("/accounts/me").status_code == 200
    clock.turn(IDLE - 1)
    assert visitor.get("/accounts/me").status_code == 200
    clock.turn(IDLE)
    assert visitor.get("/accounts/me").status_code == 401


def test_a_session_ends_after_its_longest_time(app: Any, clock: Any, visitor: Any) -> None:
    add_person(app, "annotator-1")
    log_in(visitor, "annotator-1")
    for _ in range(int(LONGEST / IDLE)):
        clock.turn(IDLE - 1)
        assert visitor.get("/accounts/me").status_code == 200
    clock.turn(IDLE - 1)
    assert visitor.get("/accounts/me").status_code == 401
    log_in(visitor, "annotator-1")
    assert ask(app, "SELECT count(*) AS n FROM sessions")[0].n == 1  # the old one is gone


def test_being_here_is_written_once_a_minute(app: Any, clock: Any, visitor: Any) -> None:
    add_person(app, "annotator-1")
    log_in(visitor, "annotator-1")
    began = clock.now
    for turned, seen in ((SEEN_EVERY - 1, began), (1, began + SEEN_EVERY), (59, began + SEEN_EVERY)):
        clock.turn(turned)
        assert visitor.get("/accounts/me").status_code == 200
        assert [row.seen_at for row in ask(app, "SELECT seen_at FROM sessions")] == [seen]


def test_the_oldest_of_too_many_sessions_ends(
    app: Any, clock: Any, open_client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("errata.web.accounts.sessions.MAX_SESSIONS", 3)
    add_person(app, "annotator-1")
    clients = [open_client() for _ in range(4)]
    for client in clients:
        clock.turn(1)
        log_in(client, "annotator-1")
    assert [client.get("/accounts/me").status_code for client in clients] == [401, 200, 200, 200]


@pytest.mark.parametrize("language", ["zh", "en", ""])
def test_the_language_of_the_pages_is_kept(app: Any, visitor: Any, language: str) -> None:
    add_person(app, "annotator-1")
    headers = log_in(visitor, "annotator-1")
    assert visitor.post("/accounts/language", json={"language": language}, headers=headers).status_code == 200
    assert visitor.get("/accounts/me").json()["user"]["language"] == language
    assert visitor.post("/accounts/language", json={"language": "fr"}, headers=headers).status_code == 422
