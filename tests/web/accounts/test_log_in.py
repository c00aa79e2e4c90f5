"""Logging in and out: who gets a session, what the cookie is like, when it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from account_checks import ask, try_to_log_in
from people import PASSWORD, add_person, log_in
from sqlalchemy import text

from errata.web.accounts.accounts import COOKIE, CSRF_HEADER
from errata.web.accounts.logins import Logins
from errata.web.accounts.passwords import Passwords
from errata.web.accounts.sessions import IDLE, LONGEST, SEEN_EVERY
from errata.web.accounts.tokens import digest
from errata.web.database import open_database, reading, writing
from errata.web.refusals import Refusal


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


@pytest.mark.usefixtures("dear_passwords")
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


def test_a_closed_account_has_no_session(app: Any, visitor: Any) -> None:
    add_person(app, "annotator-1")
    log_in(visitor, "annotator-1")
    with app.state.tools.engine.begin() as connection:
        connection.execute(text("UPDATE users SET closed_at = 1"))
    assert visitor.get("/accounts/me").status_code == 401


class Interrupted(Passwords):
    """Finds passwords right, but something is done while they are compared."""

    def __init__(self, meanwhile: Callable[[], None]) -> None:
        super().__init__(memory_kib=8)
        self._meanwhile = meanwhile

    def verify(self, kept: str | None, password: str) -> bool:
        is_right = super().verify(kept, password)
        self._meanwhile()
        return is_right


@pytest.mark.parametrize("change", ["closed_at = 1", "password = 'x'", "name = name"])
def test_what_changes_while_a_password_is_compared_counts(app: Any, clock: Any, change: str) -> None:
    """Sessions that were ended meanwhile must not be followed by a new one with the old password."""
    add_person(app, "annotator-1")
    engine = app.state.tools.engine

    def meanwhile() -> None:
        with writing(engine) as connection:
            connection.execute(text(f"UPDATE users SET {change}"))

    logins = Logins(engine, Interrupted(meanwhile), clock)
    if change == "name = name":
        assert logins.log_in("annotator-1", PASSWORD, "", "").person.name == "annotator-1"
    else:
        with pytest.raises(Refusal, match="the name or the password is wrong"):
            logins.log_in("annotator-1", PASSWORD, "", "")
    n_sessions = ask(app, "SELECT count(*) AS n FROM sessions")[0].n
    assert n_sessions == (change == "name = name")


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


def test_a_server_may_do_without_accounts() -> None:
    from fastapi.testclient import TestClient
    from table_corrector import load_table

    from errata.web.app import create_app
    from errata.web.parts import choose_parts
    from errata.web.settings import Settings

    app = create_app(Settings(models={"en": "en"}), load_table, choose_parts(without=["accounts"]))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert [client.get(path).status_code for path in ("/accounts/me", "/v1/info")] == [404, 200]


def test_behind_a_proxy_cookies_are_secure_and_addresses_those_of_clients(tmp_path: Any) -> None:
    """A real server, asked from its own machine as a proxy would ask it."""
    import httpx
    from table_server import table_server

    url = f"sqlite:///{tmp_path / 'server.db'}"
    with (
        table_server(database=url, access_log=False) as server,
        httpx.Client(base_url=server.address, timeout=60) as client,
    ):
        engine = open_database(url)
        add_person(engine, "annotator-1")
        engine.dispose()
        forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "2001:db8::1"}
        body = {"name": "annotator-1", "password": PASSWORD}
        plain, safe = (client.post("/accounts/login", json=body, headers=headers) for headers in ({}, forwarded))
        assert [("; Secure" in answer.headers["set-cookie"]) for answer in (plain, safe)] == [False, True]
        assert plain.headers["cache-control"] == safe.headers["cache-control"] == "no-store"
        client.post("/accounts/login", json={**body, "password": "wrong"}, headers=forwarded)
    engine = open_database(url)
    with reading(engine) as connection:
        subjects = set(connection.execute(text("SELECT subject FROM failed_logins")).scalars())
    engine.dispose()
    assert "address:2001:db8::/64" in subjects
