"""Who guesses waits, and nobody learns who has an account."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from account_checks import ask, try_to_log_in
from hypothesis import given
from hypothesis import strategies as st
from people import PASSWORD, add_person, log_in
from sqlalchemy import Engine

from errata.web.accounts import throttle
from errata.web.accounts.throttle import FREE_BY_ADDRESS, FREE_BY_NAME, LONGEST_WAIT, WINDOW, Subject
from errata.web.database import open_database, writing
from errata.web.refusals import Refusal


@pytest.fixture
def engine(database_url: str) -> Any:
    engine = open_database(database_url)
    yield engine
    engine.dispose()


def fail(engine: Engine, subjects: list[Subject], now: float) -> int:
    """Seconds to wait; 0 where the try was let through, and failed."""
    try:
        with writing(engine) as connection:
            throttle.begin_try(connection, subjects, now)
    except Refusal as refusal:
        assert refusal.status == 429 and refusal.headers["Retry-After"] == str(refusal.retry_after)
        return refusal.retry_after or 0
    return 0


def test_each_failure_makes_the_next_try_wait_longer(engine: Engine) -> None:
    subject, now, waits = [throttle.by_name("annotator-1")], 1000.0, []
    assert [fail(engine, subject, now) for _ in range(FREE_BY_NAME)] == [0] * FREE_BY_NAME
    for _ in range(12):
        waits.append(fail(engine, subject, now))
        assert fail(engine, subject, now + waits[-1] - 0.01) == 1  # tries that were refused do not count
        now += waits[-1]
        assert fail(engine, subject, now) == 0
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, LONGEST_WAIT, LONGEST_WAIT, LONGEST_WAIT]
    assert fail(engine, subject, now + WINDOW) == 0
    assert fail(engine, subject, now + WINDOW) == 0  # an hour later they count no more


def test_a_clock_that_is_set_back_makes_nobody_wait_for_long(engine: Engine) -> None:
    subject = [throttle.by_name("annotator-1")]
    for _ in range(FREE_BY_NAME):
        fail(engine, subject, 1e9)
    assert fail(engine, subject, 1e9 - 1e6) == 1


def test_names_addresses_and_networks_are_counted_apart() -> None:
    assert throttle.by_name(" ANNOTATOR-1") == throttle.by_name("annotator-1") != throttle.by_name("annotator-2")
    assert "annotator" not in throttle.by_name("annotator-1").key
    assert throttle.by_address("::ffff:192.0.2.1") == throttle.by_address("192.0.2.1")
    assert throttle.by_address("2001:db8::1") == throttle.by_address("2001:db8::ffff:1")
    assert throttle.by_address("2001:db8::1") != throttle.by_address("2001:db8:0:1::1")
    assert throttle.by_address("192.0.2.1") != throttle.by_joining("192.0.2.1")


@given(st.text())
def test_whatever_is_counted_fits_its_column(text: str) -> None:
    subjects = (
        throttle.by_name(text),
        throttle.by_address(text),
        throttle.by_joining(text),
        throttle.by_invitation(text),
    )
    assert all(len(subject.key) <= 200 and subject.key.isascii() and "\0" not in subject.key for subject in subjects)


def test_the_password_is_not_even_tried_while_one_waits(app: Any, clock: Any, visitor: Any) -> None:
    add_person(app, "annotator-1")
    for name in ("annotator-1", "nobody-1"):
        answers = [try_to_log_in(visitor, name, "wrong").status_code for _ in range(FREE_BY_NAME + 1)]
        assert answers == [401] * FREE_BY_NAME + [429]
    refused = try_to_log_in(visitor, "Annotator-1", PASSWORD)
    assert refused.status_code == 429 and refused.headers["retry-after"] == "1"
    assert refused.json() == {"detail": "too many tries have failed; try again in 1 second"}
    clock.turn(1)
    log_in(visitor, "annotator-1")
    answers = [try_to_log_in(visitor, "annotator-1", "wrong").status_code for _ in range(FREE_BY_NAME + 1)]
    assert answers == [401] * FREE_BY_NAME + [429]  # earlier failures are forgiven


def test_one_address_cannot_try_every_name(app: Any, clock: Any, open_client: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("errata.web.accounts.throttle.FREE_BY_ADDRESS", 3)
    add_person(app, "annotator-1")
    client = open_client(address="2001:db8::1")
    answers = [try_to_log_in(client, f"nobody-{number}", "wrong").status_code for number in range(5)]
    assert answers == [401, 401, 401, 429, 429]
    assert try_to_log_in(open_client(address="2001:db8::2"), "annotator-1", PASSWORD).status_code == 429
    log_in(open_client(address="2001:db8:0:1::1"), "annotator-1")
    clock.turn(1)
    log_in(client, "annotator-1")
    # An account of one's own forgives nothing: one more failure, and the wait is longer.
    answers = [try_to_log_in(client, f"nobody-{number}", "wrong") for number in (5, 6)]
    assert [answer.headers.get("retry-after") for answer in answers] == [None, "2"]
    assert FREE_BY_ADDRESS == 100


def test_many_guesses_at_once_do_not_slip_through(app: Any, open_client: Any) -> None:
    add_person(app, "annotator-1")

    def guess(number: int) -> int:
        return int(try_to_log_in(open_client(), "annotator-1", f"wrong {number}").status_code)

    with ThreadPoolExecutor(20) as pool:
        statuses = list(pool.map(guess, range(20)))
    assert statuses.count(401) == FREE_BY_NAME and statuses.count(429) == 20 - FREE_BY_NAME


# What hashing takes does not depend on the database.
on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.mark.usefixtures("slow_passwords")
def test_fifty_people_log_in_at_once(app: Any, open_client: Any) -> None:
    names = [f"annotator-{number}" for number in range(50)]
    for name in names:
        add_person(app, name)

    def enter(name: str) -> str:
        client = open_client()
        log_in(client, name)
        return str(client.get("/accounts/me").json()["user"]["name"])

    with ThreadPoolExecutor(50) as pool:
        assert list(pool.map(enter, names)) == names
    assert ask(app, "SELECT count(*) AS n FROM sessions")[0].n == 50
    assert ask(app, "SELECT count(*) AS n FROM failed_logins")[0].n == 0


@on_sqlite
@pytest.mark.usefixtures("dear_passwords")
def test_a_name_nobody_has_takes_as_long_as_a_wrong_password(app: Any, clock: Any, visitor: Any) -> None:
    add_person(app, "annotator-1")
    seconds: dict[str, list[float]] = {"annotator-1": [], "nobody-1": []}
    for _ in range(6):
        for name, taken in seconds.items():
            clock.turn(WINDOW)
            began = time.process_time()
            assert try_to_log_in(visitor, name, "wrong").status_code == 401
            taken.append(time.process_time() - began)
    known, unknown = map(min, seconds.values())  # of a busy machine the quickest tell most
    assert 0.4 < known / unknown < 2.5  # without hashing it would be ten times as quick


def test_a_flood_of_log_ins_stops_nobody_who_is_logged_in(app: Any, open_client: Any, monkeypatch: Any) -> None:
    """The threads that hash are stuck and their queue is full: others are refused at once, and the rest goes on."""
    import threading

    from fastapi.testclient import TestClient

    from errata.web.accounts.accounts import HASH_QUEUE, HASH_THREADS

    add_person(app, "annotator-1")
    gate = threading.Event()
    with TestClient(app, base_url="http://127.0.0.1", client=("192.0.2.1", 1)) as client:
        log_in(client, "annotator-1")
        accounts = app.state.tools.accounts
        for _ in range(HASH_THREADS + HASH_QUEUE):
            assert client.portal
            client.portal.start_task_soon(accounts.hashing.run, gate.wait, 30)
        while accounts.hashing._room.acquire(blocking=False):
            accounts.hashing._room.release()
            time.sleep(0.01)
        try:
            refused = try_to_log_in(open_client(), "annotator-1", PASSWORD)
            assert refused.status_code == 503 and int(refused.headers["retry-after"]) > 0
            assert client.get("/accounts/me").status_code == 200
            assert client.post("/v1/correct", json={"text": "She go ."}).status_code == 200
        finally:
            gate.set()
