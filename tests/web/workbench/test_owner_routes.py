"""Figures and exports over HTTP: who may ask, what comes, and that asking again is cheap."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import unquote

import pytest
from visitors import API, Visitors

from errata.web.workbench import owner
from errata.web.workbench.figures import compute_figures


@pytest.fixture
def visitors(database_url: str) -> Iterator[Visitors]:
    with Visitors(database_url) as visitors:
        yield visitors


@pytest.fixture
def project(visitors: Visitors) -> str:
    """A project with one sentence that is done, and one that is not."""
    settings = {"k": 1, "qualification": {"n": 0}}
    project_id = visitors.make_project(
        "owner-1", "annotator-1", "reviewer-1", language="zh", name="学习 / “1”", settings=settings
    )
    own = visitors.visit("owner-1")
    own.bring(project_id, "我爱你门。\n他很高。\n", "name=a.txt")
    version = own.get(f"/projects/{project_id}")["version"]
    own.patch(f"/projects/{project_id}", {"version": version, "state": "running"})
    annotator, reviewer = visitors.visit("annotator-1"), visitors.visit("reviewer-1")
    task = annotator.post(f"/projects/{project_id}/tasks/next")["task"]
    target = task["item"]["source"].replace("门", "们").replace("很", "真")
    given = {"version": task["version"], "key": "1", "seconds": 9, "status": "corrected", "answers": [target]}
    annotator.post(f"/tasks/{task['id']}/submit", given)
    task = reviewer.post(f"/projects/{project_id}/tasks/next", {"kind": "review"})["task"]
    verdicts = [{"target": target, "is_accepted": True, "comment": ""}]
    given = {"version": task["version"], "key": "2", "seconds": 1, "status": "corrected", "verdicts": verdicts}
    reviewer.post(f"/tasks/{task['id']}/submit", given)
    return project_id


def fetch(visitors: Visitors, name: str, path: str) -> Any:
    visitor = visitors.visit(name)
    return visitor.client.get(API + path, headers=visitor.headers)


def test_figures(visitors: Visitors, project: str) -> None:
    found = visitors.visit("owner-1").get(f"/projects/{project}/figures")
    assert found["progress"]["items"] == {"annotating": 1, "done": 1}
    assert found["scores"]["annotators"][0]["before"]["f0.5"] == 1


@pytest.mark.parametrize("what", ["figures", "export?format=jsonl"])
@pytest.mark.parametrize(
    ("name", "status"), [("annotator-1", 403), ("reviewer-1", 403), ("owner-2", 404), ("owner-1", 200)]
)
def test_only_the_owner_may(visitors: Visitors, project: str, what: str, name: str, status: int) -> None:
    assert fetch(visitors, name, f"/projects/{project}/{what}").status_code == status


@pytest.mark.parametrize("what", ["figures", "export"])
def test_strangers_and_other_addresses(visitors: Visitors, project: str, what: str) -> None:
    from fastapi.testclient import TestClient

    stranger = TestClient(visitors.app, base_url="http://127.0.0.1")
    assert stranger.get(f"{API}/projects/{project}/{what}").status_code == 401
    assert fetch(visitors, "owner-1", f"/projects/{'0' * 26}/{what}").status_code == 404
    assert fetch(visitors, "owner-1", f"/projects/x%00/{what}").status_code == 400


def test_asking_again_is_cheap(visitors: Visitors, project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is computed while nothing happens, and once for many who ask at the same time."""
    n_computed = 0

    def count(*arguments: Any) -> Any:
        nonlocal n_computed
        n_computed += 1
        return compute_figures(*arguments)

    monkeypatch.setattr(owner, "compute_figures", count)
    own = visitors.visit("owner-1")
    with ThreadPoolExecutor(8) as pool:
        path = f"/projects/{project}/figures"
        answers = list(pool.map(lambda _: json.dumps(own.get(path)), range(8)))
    assert len(set(answers)) == 1
    own.get(f"/projects/{project}/figures")
    assert n_computed == 1
    version = own.get(f"/projects/{project}")["version"]
    own.patch(f"/projects/{project}", {"version": version, "name": "Another"})
    assert own.get(f"/projects/{project}/figures")["newest_event"] > json.loads(answers[0])["newest_event"]
    assert n_computed == 2


@pytest.mark.parametrize(
    ("form", "media_type", "suffix"),
    [
        ("m2", "text/plain", ".m2"),
        ("tsv", "text/tab-separated-values", ".tsv"),
        ("fcgec", "application/json", ".json"),
        ("para", "text/plain", ".para"),
        ("text", "text/plain", ".txt"),
        ("jsonl", "application/x-ndjson", ".jsonl"),
    ],
)
def test_export(visitors: Visitors, project: str, form: str, media_type: str, suffix: str) -> None:
    response = fetch(visitors, "owner-1", f"/projects/{project}/export?format={form}")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith(media_type)
    shown = response.headers["content-disposition"]
    assert f'filename="1{suffix}"' in shown
    assert unquote(shown.split("''")[1]) == f"学习 / “1”{suffix}"
    assert (
        any(target in response.text for target in ("我爱你们。", "我 爱 你 们 。", "他真高。", "他 真 高 。"))
        or form == "fcgec"
    )
    assert response.content == fetch(visitors, "owner-1", f"/projects/{project}/export?format={form}").content
    assert "no-store" in response.headers["cache-control"]


def test_names_only_where_they_are_asked_for(visitors: Visitors, project: str) -> None:
    without = fetch(visitors, "owner-1", f"/projects/{project}/export?format=jsonl").text
    with_names = fetch(visitors, "owner-1", f"/projects/{project}/export?format=jsonl&names=yes").text
    assert "annotator-1" not in without
    assert "annotator-1" in with_names


def test_all_sentences(visitors: Visitors, project: str) -> None:
    done = fetch(visitors, "owner-1", f"/projects/{project}/export?format=tsv")
    everything = fetch(visitors, "owner-1", f"/projects/{project}/export?format=tsv&state=all")
    assert (done.text.count("\n"), everything.text.count("\n")) == (1, 2)


def test_the_files_of_a_score(visitors: Visitors, project: str) -> None:
    person = visitors.visit("owner-1").get(f"/projects/{project}/figures")["scores"]["annotators"][0]["id"]
    gold = fetch(visitors, "owner-1", f"/projects/{project}/export?gold_for={person}")
    answers = fetch(visitors, "owner-1", f"/projects/{project}/export?answers_of={person}&stage=after")
    assert gold.text == answers.text
    assert gold.text.startswith("S ")


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("format=doc", "format is one of m2, tsv, fcgec, para, text, jsonl"),
        ("state=some", "state is one of"),
        ("purpose=fun", "purpose is one of"),
        ("names=yes", "only jsonl has names"),
        (f"answers_of={'0' * 26}", "nothing to score"),
        (f"answers_of={'0' * 26}&stage=never", "stage is one of"),
    ],
)
def test_what_makes_no_sense_is_told(visitors: Visitors, project: str, query: str, message: str) -> None:
    response = fetch(visitors, "owner-1", f"/projects/{project}/export?{query}")
    assert response.status_code == 422
    assert message in response.json()["detail"]


def test_an_id_that_is_none(visitors: Visitors, project: str) -> None:
    assert fetch(visitors, "owner-1", f"/projects/{project}/export?gold_for=x").status_code == 404


def test_notes_say_what_was_left_out(visitors: Visitors) -> None:
    project_id = visitors.make_project("owner-1", language="zh")
    visitors.visit("owner-1").bring(project_id, "1\t我爱你门。\t我爱你们。\t我爱他们。\n", "name=a.tsv")
    response = fetch(visitors, "owner-1", f"/projects/{project_id}/export?format=para&state=all")
    assert unquote(response.headers["x-errata-notes"]) == (
        "robustgec cannot say: further references (the first is kept), in 1 sentence"
    )
