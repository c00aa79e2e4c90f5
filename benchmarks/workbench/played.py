"""A project worked through by scripts: import, annotate, review, study, figures, export; and the score checked.

    python -m benchmarks.workbench.played --sentences 1000 --annotators 5 --k 3
    python -m benchmarks.workbench.played --http

Without `--http` the scripts call the domain's functions, with it a real server on a free port. Printed are the seconds
of each step, as JSON. The exported files are scored with `errata score`, which must find what the figures say.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Protocol

from benchmarks.workbench.thread_server import serve

WORDS = "the a he she they goes went to school every day in house of my friend is was good book reads very".split()
PASSWORD = "correct horse battery"


class Door(Protocol):
    """What scripts do in a project; people go by number, the last one reviews."""

    def bring(self, content: str) -> None: ...
    def take(self, person: int, kind: str) -> dict[str, Any] | None: ...
    def submit(self, person: int, task: dict[str, Any], **given: Any) -> None: ...
    def figures(self) -> dict[str, Any]: ...
    def export(self, path: Path, **query: str) -> None: ...


class DomainDoor:
    """The domain's functions, in this process."""

    def __init__(self, database_url: str, n_people: int, k: int) -> None:
        from errata.web.accounts.people import add_person
        from errata.web.database import open_database, writing
        from errata.web.workbench import members, projects
        from errata.web.workbench.scorer import Scorers

        self.engine, self.rng, self.scorers, self.keys = open_database(database_url), Random(1), Scorers(), count()
        with writing(self.engine) as connection:
            owner = add_person(connection, "owner", "!", time.time(), is_owner=True).id
            made = projects.make_project(
                connection,
                owner,
                time.time(),
                name="Benchmark",
                kind="rewrite",
                language="en",
                settings={"k": k, "qualification": {"n": 0}},
            )
            self.project = projects.change_project(connection, made, owner, time.time(), version=1, state="running")
            self.owner = owner
            self.people = [add_person(connection, f"annotator-{n}", "!", time.time()).id for n in range(n_people)]
            for place, user_id in enumerate(self.people):
                role = "reviewer" if place == n_people - 1 else "annotator"
                members.join(connection, self.project.id, user_id, role, time.time())

    def bring(self, content: str) -> None:
        from errata.web.database import writing
        from errata.web.workbench import imports

        parsed = imports.parse_file(content.encode(), name="a.tsv", language="en", format="parallel")
        with writing(self.engine) as connection:
            imports.store(connection, self.project, self.owner, parsed, time.time(), self.rng)

    def take(self, person: int, kind: str) -> dict[str, Any] | None:
        from errata.web.database import writing
        from errata.web.workbench import permissions, tasks, views

        with writing(self.engine) as connection:
            member = permissions.require(connection, self.people[person], self.project.id, "work")
            claim = tasks.claim(connection, self.project, member, [kind], time.time(), self.rng)
            if claim.task_id is None:
                return None
            return views.view_task(connection, tasks.get_task(connection, claim.task_id, member.user_id)).content

    def submit(self, person: int, task: dict[str, Any], **given: Any) -> None:
        from errata.web.database import writing
        from errata.web.workbench import review, submissions

        if "verdicts" in given:
            given["verdicts"] = [review.Verdict(**verdict) for verdict in given["verdicts"]]
        sent = submissions.Submission(task["version"], f"key-{next(self.keys)}", **given)
        with writing(self.engine) as connection:
            submissions.submit(connection, task["id"], self.people[person], sent, time.time())

    def figures(self) -> dict[str, Any]:
        from errata.web.workbench.figures import compute_figures
        from errata.web.workbench.figures.record import read_record

        return compute_figures(read_record(self.engine, self.project.id), self.scorers["en"])

    def export(self, path: Path, **query: str) -> None:
        from starlette.datastructures import QueryParams

        from errata.web.workbench.exports.files import write_export
        from errata.web.workbench.owner import read_order

        with path.open("w", encoding="utf-8", newline="\n") as stream:
            write_export(self.engine, self.project.id, read_order(QueryParams(query)), self.scorers, stream)


class HttpDoor:
    """A real server, asked over HTTP by people who have logged in."""

    def __init__(self, address: str, engine: Any, n_people: int, k: int) -> None:
        import httpx

        from errata.web.accounts.passwords import Passwords
        from errata.web.accounts.people import add_person
        from errata.web.database import writing
        from errata.web.workbench import members

        self.keys, hashed = count(), Passwords().hash(PASSWORD)
        self.clients = [httpx.Client(base_url=f"{address}", timeout=120) for _ in range(n_people + 1)]
        ids = []
        for number, client in enumerate(self.clients):
            with writing(engine) as connection:
                ids.append(add_person(connection, f"person-{number}", hashed, time.time(), is_owner=number == 0).id)
            answer = client.post("/accounts/login", json={"name": f"person-{number}", "password": PASSWORD}).json()
            client.headers["X-Errata-CSRF"] = answer["csrf"]
        settings = {"k": k, "qualification": {"n": 0}}
        body = {"name": "Benchmark", "kind": "rewrite", "language": "en", "settings": settings}
        made = self._ask(0, "POST", "/projects", json=body)
        self.project_id = made["id"]
        self._ask(0, "PATCH", f"/projects/{made['id']}", json={"version": made["version"], "state": "running"})
        for number, user_id in enumerate(ids[1:], 1):
            with writing(engine) as connection:
                role = "reviewer" if number == n_people else "annotator"
                members.join(connection, self.project_id, user_id, role, time.time())

    def _ask(self, person: int, method: str, path: str, **options: Any) -> Any:
        response = self.clients[person].request(method, f"/workbench/api{path}", **options)
        assert response.status_code == 200, response.text
        return response.json()

    def bring(self, content: str) -> None:
        path = f"/projects/{self.project_id}/import?format=parallel&name=a.tsv"
        self._ask(0, "POST", path, content=content.encode())

    def take(self, person: int, kind: str) -> dict[str, Any] | None:
        found = self._ask(person + 1, "POST", f"/projects/{self.project_id}/tasks/next", json={"kind": kind})["task"]
        return None if found is None else dict(found)

    def submit(self, person: int, task: dict[str, Any], **given: Any) -> None:
        body = {"version": task["version"], "key": f"key-{next(self.keys)}", **given}
        self._ask(person + 1, "POST", f"/tasks/{task['id']}/submit", json=body)

    def figures(self) -> dict[str, Any]:
        return dict(self._ask(0, "GET", f"/projects/{self.project_id}/figures"))

    def export(self, path: Path, **query: str) -> None:
        response = self.clients[0].get(f"/workbench/api/projects/{self.project_id}/export", params=query)
        assert response.status_code == 200, response.text
        path.write_bytes(response.content)


@contextmanager
def open_door(over_http: bool, database_url: str, n_people: int, k: int) -> Iterator[Door]:
    """The way to a fresh project."""
    if not over_http:
        domain = DomainDoor(database_url, n_people, k)
        yield domain
        domain.engine.dispose()
        return
    from errata.web.app import create_app
    from errata.web.settings import Settings

    app = create_app(Settings(models=_models(), database=database_url, access_log=False))
    with serve(app) as address:
        door = HttpDoor(address, app.state.tools.engine, n_people, k)
        yield door
        for client in door.clients:
            client.close()


def _models() -> dict[str, str]:
    from errata.systems.installed import default_models

    return dict(default_models())


def make_sentence(rng: Random) -> str:
    return " ".join([*(rng.choice(WORDS) for _ in range(rng.randint(8, 20))), "."])


def rewrite(sentence: str, rng: Random) -> str:
    """The sentence with one or two words changed."""
    words = sentence.split()
    for _ in range(rng.randint(1, 2)):
        words[rng.randrange(len(words) - 1)] = rng.choice(WORDS)
    return " ".join(words)


def annotate(door: Door, person: int) -> int:
    rng, n_done = Random(person), 0
    while task := door.take(person, "annotate"):
        source = task["item"]["source"]
        # Seeded by the sentence: people often, but not always, find the same correction.
        target = rewrite(source, Random(hash_of(source) + rng.randint(0, 1)))
        door.submit(person, task, status="corrected", answers=[target], seconds=12.0)
        n_done += 1
    return n_done


def hash_of(text: str) -> int:
    return sum(ord(character) * place for place, character in enumerate(text, 1))


def review(door: Door, person: int) -> int:
    rng, n_done = Random(99), 0
    while task := door.take(person, "review"):
        targets = [answer["target"] for answer in task["answers"] if answer["status"] != "not_annotatable"]
        accepted = {target for target in targets if rng.random() < 0.7} or {targets[0]}
        verdicts = [{"target": target, "is_accepted": target in accepted, "comment": ""} for target in targets]
        door.submit(person, task, status="corrected", verdicts=verdicts, seconds=5.0)
        n_done += 1
    return n_done


def study(door: Door, person: int) -> int:
    n_done = 0
    while task := door.take(person, "study"):
        door.submit(person, task, answers=[task["golden"][0]["target"]], seconds=3.0)
        n_done += 1
    return n_done


def together(work: Callable[[Door, int], int], door: Door, n_annotators: int) -> int:
    """Everybody at once; how many tasks were done."""
    with ThreadPoolExecutor(n_annotators) as pool:
        return sum(pool.map(lambda person: work(door, person), range(n_annotators)))


def score(gold: Path, answers: Path) -> dict[str, Any]:
    """What `errata score` says."""
    command = [sys.executable, "-m", "errata", "score", "--metric", "errant", "--json"]
    run = subprocess.run([*command, "--m2", gold, "--hyp", answers], capture_output=True, text=True, check=True)
    parts: dict[str, Any] = json.loads(run.stdout)[0]["parts"]
    return parts


def play(door: Door, n_sentences: int, n_annotators: int, k: int, folder: Path) -> dict[str, Any]:
    """The seconds of every step; an assertion fails where a number is not right."""
    rng, steps = Random(0), dict[str, Any]()

    def timed(name: str, work: Callable[[], Any]) -> Any:
        started = time.perf_counter()
        found = work()
        steps[name] = round(time.perf_counter() - started, 2)
        return found

    content = "".join(f"{make_sentence(rng)}\tx .\n" for _ in range(n_sentences))
    timed("import", lambda: door.bring(content))
    n_annotated = timed("annotate", lambda: together(annotate, door, n_annotators))
    n_reviewed = timed("review", lambda: review(door, n_annotators))
    n_studied = timed("study", lambda: together(study, door, n_annotators))
    assert (n_annotated, n_reviewed) == (n_sentences * k, n_sentences)
    figures = timed("figures", door.figures)
    timed("figures again", door.figures)
    for form in ("m2", "tsv", "para", "text", "jsonl"):
        timed(f"export {form}", lambda form=form: door.export(folder / f"all.{form}", format=form))
    assert (folder / "all.text").read_text("utf-8").count("\n") == n_sentences
    for row in figures["scores"]["annotators"]:
        for stage in ("before", "after"):
            gold, answers = folder / "gold.m2", folder / "answers.m2"
            door.export(gold, format="m2", gold_for=row["id"], stage=stage)
            door.export(answers, format="m2", answers_of=row["id"], stage=stage)
            if row is figures["scores"]["annotators"][0]:  # a second of its own for each
                assert score(gold, answers) == row[stage], (row["name"], stage)
    return {"n_annotated": n_annotated, "n_reviewed": n_reviewed, "n_studied": n_studied, "seconds": steps}


def run(n_sentences: int, n_annotators: int, k: int, *, over_http: bool, database_url: str = "") -> dict[str, Any]:
    """Play a project in a fresh database."""
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = database_url or f"sqlite:///{folder / 'server.db'}"
        with open_door(over_http, url, n_annotators + 1, k) as door:
            told = play(door, n_sentences, n_annotators, k, folder)
    return {**told, "seconds_in_all": round(time.perf_counter() - started, 2)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--annotators", type=int, default=5)
    parser.add_argument("--k", type=int, default=3, help="annotators for each sentence")
    parser.add_argument("--http", action="store_true")
    parser.add_argument("--db", default="", help="an empty database; a new SQLite file by default")
    given = parser.parse_args()
    told = run(given.sentences, given.annotators, given.k, over_http=given.http, database_url=given.db)
    print(json.dumps(told, indent=2))
