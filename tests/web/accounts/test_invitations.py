"""Invitations: who makes them, who may follow them, how often and until when."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from account_checks import add_project, ask, id_of, set_member, try_to_log_in
from people import PASSWORD, add_person, log_in

from errata.web.accounts.accounts import COOKIE, CSRF_HEADER
from errata.web.accounts.sessions import DAY
from errata.web.accounts.throttle import FREE_BY_JOINING
from errata.web.accounts.tokens import digest


@pytest.fixture
def project(app: Any) -> str:
    add_person(app, "owner-1")
    return add_project(app, "owner-1")


@pytest.fixture
def owner(app: Any, project: str, open_client: Any) -> Any:
    client = open_client()
    client.headers.update(log_in(client, "owner-1"))
    return client


def invite(client: Any, project_id: str, role: str = "annotator", **more: int) -> str:
    """The token of a new link."""
    response = client.post(f"/workbench/api/projects/{project_id}/invitations", json={"role": role, **more})
    assert response.status_code == 200, response.text
    link, _, token = response.json()["link"].partition("#")
    assert link == "/workbench/join" and len(token) == 43
    return str(token)


def list_invitations(client: Any, project_id: str) -> Any:
    return client.get(f"/workbench/api/projects/{project_id}/invitations").json()


def join(client: Any, token: str, name: str | None = None, password: str = PASSWORD) -> Any:
    account = {} if name is None else {"name": name, "password": password}
    return client.post("/accounts/join", json={"token": token, **account})


def roles(app: Any, project_id: str) -> dict[str, str]:
    query = "SELECT u.name, m.role FROM members m JOIN users u ON u.id = m.user_id WHERE m.project_id = :project_id"
    return {row.name: row.role for row in ask(app, query, project_id=project_id)}


def test_a_guest_makes_an_account_and_is_in(app: Any, project: str, owner: Any, visitor: Any) -> None:
    token = invite(owner, project, "reviewer", n_uses=2, days=7)
    looked = visitor.post("/accounts/invitation", json={"token": token}).json()
    assert looked == {
        "project": {"id": project, "name": "Essays"},
        "role": "reviewer",
        "expires_at": 1_800_000_000.0 + 7 * DAY,
        "is_known": False,
        "is_member": False,
    }
    joined = join(visitor, token, "reviewer-1")
    answer = joined.json()
    assert answer["project_id"] == project and answer["user"]["name"] == "reviewer-1"
    assert answer["user"]["is_owner"] is False  # owners of projects are no owners of the site
    assert {"httponly", "samesite=strict"} <= {flag.strip().lower() for flag in joined.headers["set-cookie"].split(";")}
    me = visitor.get("/accounts/me").json()
    assert me == {"user": answer["user"], "csrf": answer["csrf"]}
    assert roles(app, project) == {"owner-1": "owner", "reviewer-1": "reviewer"}
    visitor.headers[CSRF_HEADER] = answer["csrf"]
    looked = visitor.post("/accounts/invitation", json={"token": token}).json()
    assert (looked["is_known"], looked["is_member"]) == (True, True)
    [listed] = list_invitations(owner, project)
    assert (listed["n_uses"], listed["n_left"], listed["state"], listed["made_by"]) == (2, 1, "open", "owner-1")
    log_in(visitor, "reviewer-1")


def test_of_a_token_only_the_digest_is_kept(app: Any, project: str, owner: Any) -> None:
    token = invite(owner, project)
    [row] = ask(app, "SELECT * FROM invitations")
    assert row.digest == digest(token) and token not in map(str, row)
    assert all(token not in row.facts for row in ask(app, "SELECT facts FROM events"))
    assert token not in str(list_invitations(owner, project))


def test_somebody_with_an_account_joins_once(app: Any, project: str, owner: Any, visitor: Any) -> None:
    add_person(app, "annotator-1")
    token = invite(owner, project, n_uses=5)
    assert join(visitor, token).status_code == 401
    visitor.headers.update(log_in(visitor, "annotator-1"))
    for _ in range(2):
        joined = join(visitor, token)
        assert joined.json()["project_id"] == project and "set-cookie" not in joined.headers
    assert roles(app, project)["annotator-1"] == "annotator"
    assert list_invitations(owner, project)[0]["n_left"] == 4


def test_a_link_gives_more_rights_and_never_fewer(app: Any, project: str, owner: Any, visitor: Any) -> None:
    add_person(app, "annotator-1")
    visitor.headers.update(log_in(visitor, "annotator-1"))
    for role, is_role in (("annotator", "annotator"), ("reviewer", "reviewer"), ("annotator", "reviewer")):
        assert join(visitor, invite(owner, project, role)).status_code == 200
        assert roles(app, project)["annotator-1"] == is_role
    assert sorted(one["state"] for one in list_invitations(owner, project)) == ["open", "used", "used"]
    assert join(owner, invite(owner, project)).status_code == 200 and roles(app, project)["owner-1"] == "owner"


def test_who_was_taken_out_does_not_come_back_by_a_link(app: Any, project: str, owner: Any, visitor: Any) -> None:
    add_person(app, "annotator-1")
    token = invite(owner, project, n_uses=5)
    set_member(app, project, "annotator-1", role="annotator", state="removed")
    visitor.headers.update(log_in(visitor, "annotator-1"))
    assert visitor.post("/accounts/invitation", json={"token": token}).json()["is_member"] is False
    refused = join(visitor, token)
    assert refused.status_code == 403 and "taken you out" in refused.json()["detail"]
    assert list_invitations(owner, project)[0]["n_left"] == 5


def test_what_no_longer_lets_in_says_why(app: Any, clock: Any, project: str, owner: Any, visitor: Any) -> None:
    used, expired, revoked, late = (invite(owner, project, days=2 if n == 3 else 1) for n in range(4))
    assert join(visitor, used, "annotator-1").status_code == 200
    visitor.cookies.clear()
    [row] = ask(app, "SELECT id FROM invitations WHERE digest = :digest", digest=digest(revoked))
    address = f"/workbench/api/projects/{project}/invitations"
    assert owner.delete(f"{address}/{row.id}").status_code == 200
    assert owner.delete(f"{address}/{row.id}").status_code == 200  # once more changes nothing
    clock.turn(DAY)
    for token, status, reason in (
        (used, 410, "this invitation has been used up: ask for a new one"),
        (expired, 410, "this invitation has expired: ask for a new one"),
        (revoked, 410, "this invitation has been withdrawn: ask for a new one"),
        ("made-up", 404, "there is no such invitation: open the whole link that you were sent"),
    ):
        for answer in (
            visitor.post("/accounts/invitation", json={"token": token}),
            join(visitor, token, "annotator-2"),
        ):
            assert (answer.status_code, answer.json()) == (status, {"detail": reason})
    assert ask(app, "SELECT count(*) AS n FROM users")[0].n == 2
    clock.turn(DAY - 0.001)
    assert join(visitor, late, "annotator-2").status_code == 200
    states = {one["state"] for one in list_invitations(owner, project)}
    assert states == {"used", "expired", "revoked"}


def test_only_owners_of_a_project_invite(app: Any, project: str, owner: Any, open_client: Any) -> None:
    token = invite(owner, project)
    [invitation] = list_invitations(owner, project)
    add_person(app, "owner-2", is_owner=True)  # an owner of the site, and of another project
    other = add_project(app, "owner-2", "Letters")
    expected = {"reviewer-1": 403, "annotator-1": 403, "removed-1": 404, "owner-2": 404, "": 401}
    for name in ("reviewer-1", "annotator-1", "removed-1"):
        add_person(app, name)
        role = "owner" if name == "removed-1" else name.partition("-")[0]
        set_member(app, project, name, role=role, state="removed" if name == "removed-1" else "active")
    address = f"/workbench/api/projects/{project}/invitations"
    for name, status in expected.items():
        client = open_client()
        if name:
            client.headers.update(log_in(client, name))
        answers = (
            client.post(address, json={"role": "owner"}),
            client.get(address),
            client.delete(f"{address}/{invitation['id']}"),
        )
        assert [answer.status_code for answer in answers] == [status] * 3, name
    second = open_client()
    second.headers.update(log_in(second, "owner-2"))
    of_other = second.delete(f"/workbench/api/projects/{other}/invitations/{invitation['id']}")
    assert of_other.status_code == 404
    nowhere = [owner.get(address.replace(project, wrong)) for wrong in ("0" * 26, "x%00y", "..%2F", "'%20OR%201=1--")]
    assert all(answer.status_code in (400, 404) for answer in nowhere)
    assert owner.delete(f"{address}/%00").status_code in (400, 404)
    assert list_invitations(owner, project) == [invitation] and join(second, token).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"role": "king"},
        {"role": "owner", "n_uses": 0},
        {"role": "owner", "n_uses": 1001},
        {"role": "owner", "n_uses": 1.5},
        {"role": "owner", "days": 0},
        {"role": "owner", "days": 366},
        {"role": "owner", "days": None},
        {"role": "owner", "project_id": "x"},
        [],
    ],
    ids=str,
)
def test_what_makes_no_sense_is_told_in_one_line(owner: Any, project: str, body: Any) -> None:
    answer = owner.post(f"/workbench/api/projects/{project}/invitations", json=body)
    assert answer.status_code == 422 and "\n" not in answer.json()["detail"]
    assert list_invitations(owner, project) == []


def test_two_who_join_at_once_share_no_last_place(app: Any, project: str, owner: Any, open_client: Any) -> None:
    """Some join with a new account, some with the one they have: so many as there are places get in."""
    token = invite(owner, project, n_uses=3)
    known = []
    for number in range(5):
        add_person(app, f"known-{number}")
        client = open_client()
        client.headers.update(log_in(client, f"known-{number}"))
        known.append(client)
    barrier = threading.Barrier(10)

    def try_to_join(number: int) -> int:
        client = known[number] if number < 5 else open_client()
        barrier.wait(30)
        return int(join(client, token, None if number < 5 else f"new-{number}").status_code)

    with ThreadPoolExecutor(10) as pool:
        statuses = sorted(pool.map(try_to_join, range(10)))
    assert statuses == [200] * 3 + [410] * 7
    assert len(roles(app, project)) == 4 and list_invitations(owner, project)[0]["n_left"] == 0
    new = ask(app, "SELECT name FROM users WHERE name LIKE 'new-%'")
    assert {row.name for row in new} <= roles(app, project).keys()  # who did not get in has no account either


def test_two_who_choose_one_name_at_once(app: Any, project: str, owner: Any, open_client: Any) -> None:
    token = invite(owner, project, n_uses=10)
    barrier = threading.Barrier(6)

    def try_to_join(number: int) -> int:
        client = open_client()
        barrier.wait(30)
        return int(join(client, token, ("Annotator-1", "ANNOTATOR-1")[number % 2]).status_code)

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(try_to_join, range(6))) == [200] + [409] * 5
    assert list_invitations(owner, project)[0]["n_left"] == 9


def test_a_taken_name_is_told_to_invited_people_only(
    app: Any, clock: Any, project: str, owner: Any, visitor: Any
) -> None:
    token = invite(owner, project, n_uses=10)
    uninvited = [join(visitor, "made-up", name) for name in ("owner-1", "nobody-1")]
    assert len({(answer.status_code, answer.text) for answer in uninvited}) == 1
    taken = join(visitor, token, "OWNER-1")
    assert (taken.status_code, taken.json()["detail"]) == (409, "name: OWNER-1 is taken; choose another")
    for _ in range(FREE_BY_JOINING - 3):
        assert join(visitor, "made-up", "nobody-1").status_code == 404
    refused = join(visitor, token, "annotator-1")
    assert refused.status_code == 429 and refused.headers["retry-after"] == "1"
    clock.turn(1)
    assert join(visitor, token, "annotator-1").status_code == 200


def test_one_link_does_not_tell_all_names(
    app: Any, project: str, owner: Any, open_client: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr("errata.web.accounts.throttle.FREE_BY_INVITATION", 3)
    token = invite(owner, project, n_uses=10)
    statuses = [join(open_client(address=f"192.0.2.{n}"), token, "owner-1").status_code for n in range(5)]
    assert statuses == [409, 409, 409, 429, 429]


def test_a_guest_who_gives_half_an_account_is_told(project: str, owner: Any, visitor: Any) -> None:
    token = invite(owner, project)
    for body in ({"name": "annotator-1"}, {"password": PASSWORD}):
        answer = visitor.post("/accounts/join", json={"token": token, **body})
        assert answer.status_code == 422 and "a name and a password" in answer.json()["detail"]
    for name, password, reason in (("", PASSWORD, "name: "), ("annotator-1", "short", "password: ")):
        answer = join(visitor, token, name, password)
        assert answer.status_code == 422 and answer.json()["detail"].startswith(reason)


def test_a_new_account_ends_the_session_that_was_there(app: Any, project: str, owner: Any, visitor: Any) -> None:
    add_person(app, "annotator-1")
    visitor.headers.update(log_in(visitor, "annotator-1"))
    planted = visitor.cookies[COOKIE]
    assert join(visitor, invite(owner, project), "annotator-2").json()["user"]["name"] == "annotator-2"
    assert visitor.cookies[COOKIE] != planted
    assert ask(app, "SELECT count(*) AS n FROM sessions WHERE user_id = :id", id=id_of(app, "annotator-1"))[0].n == 0


HOSTILE = {
    "quote": "o'neil",
    "sql": "x'; DROP TABLE users; --",
    "or": '" OR ""="',
    "tag": "<script>alert(1)</script>",
    "bind": ":name %s %(name)s ? {name} ${name}",
    "like": "%_",
    "backslash": "\\x00\\'",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_sql_and_html_are_only_text(app: Any, project: str, owner: Any, visitor: Any, text: str) -> None:
    token = invite(owner, project, n_uses=5)
    for path, body in (
        ("login", {"name": text, "password": text}),
        ("invitation", {"token": text}),
        ("join", {"token": text, "name": text, "password": f"{text} as a password"}),
        ("join", {"token": text, "name": "annotator-1", "password": PASSWORD}),
    ):
        assert visitor.post(f"/accounts/{path}", json=body).status_code in (401, 404)
    password = f"{text} as a password"
    joined = join(visitor, token, text, password)
    assert joined.headers["content-type"] == "application/json" and joined.json()["user"]["name"] == text
    visitor.headers[CSRF_HEADER] = joined.json()["csrf"]
    visitor.cookies.clear()
    visitor.cookies.set(COOKIE, "".join(c if c.isalnum() else "." for c in text))
    assert visitor.get("/accounts/me").status_code == 401
    assert try_to_log_in(visitor, text.upper(), password).json()["user"]["name"] == text
    assert ask(app, "SELECT count(*) AS n FROM users")[0].n == 2


@pytest.mark.parametrize(
    "body", ["[]", "null", "{", '{"name": "\\ud800", "password": "x"}', '{"name": 1, "password": []}']
)
def test_a_body_that_is_no_login_is_told_in_one_line(visitor: Any, body: str) -> None:
    answer = visitor.post("/accounts/login", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422) and "\n" not in answer.json()["detail"]
