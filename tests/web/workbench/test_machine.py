"""Random annotators, reviewers and jumps of the clock: what must hold, holds after every step."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import count
from random import Random
from typing import Any

from bench import Bench
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import Engine

from errata.web.database import open_database, writing
from errata.web.refusals import Refusal
from errata.web.workbench import items, projects, slots, tasks, texts
from errata.web.workbench.review import Verdict

ANNOTATORS = tuple(f"annotator-{n}" for n in range(1, 5))
REVIEWERS = ("reviewer-1", "reviewer-2")
EVERYBODY = (*ANNOTATORS, *REVIEWERS, "owner")
LEASE = 30 * 60
MAX_K = 3
NUMBERS = count()


class Workflow(RuleBasedStateMachine):
    """People who do whatever they may; `acknowledged` is what they were told is done."""

    engine: Engine

    @initialize(seed=st.integers(0, 2**16), k=st.integers(1, MAX_K))
    def begin(self, seed: int, k: int) -> None:
        self.bench = Bench(self.engine, settings={"k": k}, rng=Random(seed))
        self.bench.prefix = f"{next(NUMBERS)}-"
        self.bench.begin([f"He go home {n} times." for n in range(2)], *ANNOTATORS, *REVIEWERS)
        self.acknowledged: dict[str, tuple[str, str]] = {}
        self.tasks: dict[str, dict[str, Any]] = {}
        self.most_wanted: dict[str, int] = defaultdict(lambda: k)

    @rule(names=st.lists(st.sampled_from(EVERYBODY), min_size=1, max_size=4))
    def claim(self, names: list[str]) -> None:
        """Some people take a task each, and keep it."""
        for name in names:
            if (claim := self.bench.claim(name)).task_id:
                self.tasks[claim.task_id] = {"name": name, **self.bench.view(name, claim.task_id)}

    @rule(name=st.sampled_from(EVERYBODY), others=st.permutations(EVERYBODY), choice=st.integers(0, 3))
    def come_back_late(self, name: str, others: list[str], choice: int) -> None:
        """Somebody submits after the lease was over, and others had the time to take a task, perhaps the same."""
        if (claim := self.bench.claim(name)).task_id is None:
            return
        task = {"name": name, **self.bench.view(name, claim.task_id)}
        self.bench.now += LEASE + 1
        self.claim([other for other in others[:3] if other != name])
        self.finish(task, choice)

    @rule(names=st.lists(st.sampled_from(EVERYBODY), min_size=1, max_size=8), choice=st.integers(0, 7))
    def work(self, names: list[str], choice: int) -> None:
        """Some people take a task each, and do it."""
        for number, name in enumerate(names):
            if (claim := self.bench.claim(name)).task_id:
                self.finish({"name": name, **self.bench.view(name, claim.task_id)}, (choice + number) % 4)

    @rule(data=st.data(), choice=st.integers(0, 3))
    def submit(self, data: st.DataObject, choice: int) -> None:
        """Somebody submits a task they were given, however long ago that was."""
        if not self.tasks:
            return
        task = self.tasks[data.draw(st.sampled_from(sorted(self.tasks)))]
        self.finish(task, choice)

    def finish(self, task: dict[str, Any], choice: int) -> None:
        key = f"key-{next(self.bench.keys)}"
        try:
            outcome = self.bench.submit(task["name"], task, key=key, **self.fill_in(task, choice))
        except Refusal as refusal:
            # Done already, changed in between, or what was golden is not what the person saw.
            assert refusal.status in (409, 422), refusal.message
            return
        if outcome.is_lost:
            assert self.bench.view(task["name"], task["id"])["draft"] == outcome.reply["draft"]
        else:
            self.acknowledged[key] = (task["id"], task["name"])
            again = self.bench.submit(task["name"], task, key=key, **self.fill_in(task, choice))
            assert again == outcome
        self.tasks[task["id"]] = {"name": task["name"], **self.bench.view(task["name"], task["id"])}

    def fill_in(self, task: dict[str, Any], choice: int) -> dict[str, Any]:
        if task["kind"] == "annotate":
            if choice == 3:
                return {"status": "not_annotatable"}
            targets = [[f"answer {task['name'][-1]}"], ["answer", "other  answer"], ["answer"]][choice]
            return {"status": "corrected", "answers": targets}
        if task["kind"] == "review":
            judged = [answer["target"] for answer in task["answers"] if answer["target"]]
            verdicts = [Verdict(target, (n + choice) % 2 == 0) for n, target in enumerate(judged)]
            return {"status": "corrected", "verdicts": verdicts, "added": ["added"]}
        if task["kind"] == "judge":
            return {"is_upheld": choice % 2 == 0}
        wrong = [mine for mine in task["mine"] if not mine["is_accepted"] and "complaint" not in mine]
        if choice == 0 and wrong:
            return {"complaint": "I insist.", "target": wrong[0]["target"]}
        return {"answers": [task["golden"][0]["target"]]}

    @rule(data=st.data())
    def skip(self, data: st.DataObject) -> None:
        held = sorted(id_ for id_, task in self.tasks.items() if task["kind"] == "annotate")
        if held:
            task = self.tasks[data.draw(st.sampled_from(held))]
            try:
                self.bench.submit(task["name"], task, status="skipped", comment="not mine")
            except Refusal as refusal:
                assert refusal.status == 409

    @rule(data=st.data())
    def write_and_release(self, data: st.DataObject) -> None:
        if not self.tasks:
            return
        task = self.tasks[data.draw(st.sampled_from(sorted(self.tasks)))]
        with writing(self.engine) as connection:
            slots.expire(connection, self.bench.now)
            own = tasks.get_task(connection, task["id"], self.bench.people[task["name"]])
            if own.state in ("held", "open"):
                project = projects.get_project(connection, self.bench.project_id)
                tasks.save_draft(connection, own, project, own.version, {"answers": ["draft"]}, self.bench.now)
                own = tasks.get_task(connection, own.id, own.user_id)
                tasks.release(connection, own, self.bench.now)

    @rule(data=st.data(), choice=st.integers(0, 3), is_kept=st.booleans())
    def take_back(self, data: st.DataObject, choice: int, is_kept: bool) -> None:
        """Somebody takes an answer back, and hands in another one or leaves it."""
        name = data.draw(st.sampled_from(EVERYBODY))
        listed = [one for one in self.bench.own_answers(name) if one["status"] != "skipped"]
        if not listed:
            return
        chosen = data.draw(st.sampled_from(sorted(listed, key=lambda one: str(one["task_id"]))))
        try:
            task = {"name": name, **self.bench.take_back(name, chosen["task_id"])}
        except Refusal as refusal:
            # A reviewer has it, or the person has taken another one back already.
            assert refusal.status == 409 and (not chosen["can_take_back"] or "hand it in first" in refusal.message)
            return
        assert chosen["can_take_back"] and task["draft"]["answers"] == chosen["answers"]
        self.tasks[task["id"]] = task
        if not is_kept:
            self.finish(task, choice)

    @rule(data=st.data())
    def take_away(self, data: st.DataObject) -> None:
        """The owner ends what somebody holds."""
        held = self.rows("SELECT id, item_id, kind FROM tasks WHERE project_id = :id AND state = 'held' ORDER BY id")
        if held:
            task = data.draw(st.sampled_from(held))
            try:
                self.bench.take_away(task.item_id, task.id)
            except Refusal as refusal:  # only the person can do it, or its lease is over
                assert refusal.status == (422 if task.kind == "study" else 409)

    @rule(data=st.data(), name=st.sampled_from(EVERYBODY))
    def assign(self, data: st.DataObject, name: str) -> None:
        """The owner gives a sentence to somebody."""
        item = data.draw(st.sampled_from(self.bench.items()))
        try:
            self.bench.assign(item["id"], name)
        except Refusal as refusal:
            assert refusal.status in (409, 422)
            return
        held = self.rows("SELECT item_id, user_id FROM tasks WHERE project_id = :id AND state = 'held'")
        assert (item["id"], self.bench.people[name]) in {(row.item_id, row.user_id) for row in held}

    @rule(seconds=st.sampled_from([60, LEASE - 1, LEASE + 1, 10 * LEASE]))
    def wait(self, seconds: float) -> None:
        self.bench.now += seconds

    @rule(k=st.integers(1, MAX_K))
    def change_k(self, k: int) -> None:
        before = {item["id"]: item["n_wanted"] for item in self.bench.items()}
        self.bench.change(settings={"k": k})
        for item_id, n_wanted in before.items():
            self.most_wanted[item_id] = max(self.most_wanted[item_id], n_wanted, k)

    @invariant()
    def slots_are_kept(self) -> None:
        if not hasattr(self, "bench"):
            return
        found = self.rows("SELECT item_id, kind, about, user_id, state FROM tasks t WHERE project_id = :id")
        taken = [row for row in found if row.state in ("held", "done")]
        n_annotating = Counter(row.item_id for row in taken if row.kind == "annotate")
        for item in self.bench.items():
            assert n_annotating[item["id"]] <= self.most_wanted[item["id"]]
            if item["state"] == "annotating":
                assert item["n_free"] == max(0, item["n_wanted"] - n_annotating[item["id"]])
        one_at_a_time = Counter((row.item_id, row.kind, row.about) for row in taken if row.kind in ("review", "judge"))
        assert set(one_at_a_time.values()) <= {1}
        annotated = {(row.item_id, row.user_id) for row in taken if row.kind == "annotate" and row.state == "done"}
        reviewed = {(row.item_id, row.user_id) for row in taken if row.kind == "review"}
        assert not annotated & reviewed

    @invariant()
    def nothing_acknowledged_is_lost(self) -> None:
        if not hasattr(self, "bench"):
            return
        found = {
            row.request_key: (row.task_id, row.user_id)
            for row in self.rows(
                "SELECT s.request_key, s.task_id, s.user_id FROM submissions s JOIN items t ON t.id = s.item_id"
                " WHERE t.project_id = :id"
            )
        }
        for key, (task_id, name) in self.acknowledged.items():
            assert found[key] == (task_id, self.bench.people[name])

    @invariant()
    def golden_is_what_verdicts_say(self) -> None:
        if not hasattr(self, "bench"):
            return
        said: dict[str, set[str]] = defaultdict(set)
        for row in self.rows(
            "SELECT v.item_id, v.target, v.is_accepted FROM verdicts v JOIN items t ON t.id = v.item_id"
            " WHERE t.project_id = :id ORDER BY v.made_at"
        ):
            (said[row.item_id].add if row.is_accepted else said[row.item_id].discard)(texts.same(row.target))
        for item in self.bench.items():
            golden = self.bench.golden(item["id"])
            assert set(map(texts.same, golden)) == said[item["id"]]
            assert bool(golden) == (item["state"] == "done")

    def rows(self, statement: str) -> list[Any]:
        return self.bench.rows(statement, id=self.bench.project_id)

    def teardown(self) -> None:
        """When everybody works on, every item ends `done`, and nobody has anything left to study."""
        if not hasattr(self, "bench"):
            return
        # Somebody who skipped everything, or from whom the owner took it, cannot help: others can.
        more = ("annotator-8", "annotator-9", "annotator-7", "reviewer-9")
        names = [*EVERYBODY, *more]
        for name in more:
            self.bench.add(name)
        for _ in range(40):
            self.bench.now += LEASE + 1
            for name in names:
                if (claim := self.bench.claim(name)).task_id:
                    self.finish(
                        {"name": name, **self.bench.view(name, claim.task_id)}, self.bench.rng.choice([0, 1, 2])
                    )
            left = self.rows(
                "SELECT t.id FROM tasks t WHERE project_id = :id AND kind = 'study' AND state IN ('open', 'held')"
                " UNION SELECT c.id FROM complaints c JOIN items i ON i.id = c.item_id"
                " WHERE i.project_id = :id AND c.state = 'open'"
            )
            if {item["state"] for item in self.bench.items()} == {"done"} and not left:
                self.check_studies()
                return
        raise AssertionError([(item["state"], item["n_free"]) for item in self.bench.items()])

    def check_studies(self) -> None:
        """Whoever gave an answer that is not golden has made it a golden one."""
        studied = {
            (row.item_id, row.user_id)
            for row in self.rows(
                "SELECT s.item_id, s.user_id FROM submissions s JOIN tasks t ON t.id = s.task_id AND t.kind = 'study'"
                " WHERE t.project_id = :id AND s.status = 'corrected'"
            )
        }
        for row in self.rows(
            "SELECT a.item_id, s.user_id, a.target FROM answers a JOIN submissions s ON s.id = a.submission_id"
            f" JOIN tasks t ON t.id = s.task_id AND t.kind = 'annotate' AND {items.COUNTS} WHERE t.project_id = :id"
        ):
            golden = map(texts.same, self.bench.golden(row.item_id))
            assert texts.same(row.target) in golden or (row.item_id, row.user_id) in studied


def test_any_order_of_work(database_url: str) -> None:
    engine = open_database(database_url)
    machine = type("Machine", (Workflow,), {"engine": engine})
    examples = 15 if engine.dialect.name == "sqlite" else 5
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
    engine.dispose()
