"""A project's history as JSON lines: read into a new project, the same lines come out again."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from bench import Bench, add_user, open_bench
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from played import CHINESE, ENGLISH, play, swap_characters, swap_words
from sqlalchemy import text

from errata.errors import FormatError
from errata.web.database import reading, writing
from errata.web.workbench import events
from errata.web.workbench.exports.history import write_history
from errata.web.workbench.exports.reading import is_history, read_history

NAMES = ("annotator-1", "annotator-2", "annotator-3", "annotator-4")
# What could be mistaken for something else: references, ids, JSON, ends of lines, other scripts.
ODD = ("@{item 1}", "@@{person 2} @", "0000xsnjg0b16xrkhs9shzw993", '{"a": [1]}', "[", "a\nb\tc", "😀 é", "", "\\u0041")


def make(url: str, language: str = "en", kind: str = "rewrite", seed: int = 1, n: int = 6) -> Bench:
    bench = open_bench(url, language=language, kind=kind, settings={"qualification": {"n": 2, "share": 0.0}})
    bench.begin([], *NAMES, "reviewer-1", "reviewer-2")
    sentences, rewrite = (CHINESE, swap_characters) if language == "zh" else (ENGLISH, swap_words)
    bench.bring("\n\n".join((sentences * n)[:n]))
    bench.bring("1\t我\t你\n" if language == "zh" else "I\tyou\nwe\tus\n", name="q.tsv", purpose="qualify")
    for name in (*NAMES, "reviewer-1", "reviewer-2"):
        while (claim := bench.claim(name, "qualify")).task_id:
            bench.submit(name, bench.view(name, claim.task_id), status="error_free")
    return play(bench, NAMES, rewrite, seed)


def dump(bench: Bench, project_id: str | None = None, **options: Any) -> list[str]:
    with reading(bench.engine) as connection:
        return list(write_history(connection, project_id or bench.project_id, **options))


def bring_back(bench: Bench, lines: list[str], **options: Any) -> str:
    with writing(bench.engine) as connection:
        return read_history(connection, lines, bench.people["owner"], 2e9, **options)


@pytest.mark.parametrize("names", [False, True])
@pytest.mark.parametrize(("language", "kind"), [("en", "minimal"), ("zh", "rewrite")])
def test_comes_back(database_url: str, language: str, kind: str, names: bool) -> None:
    bench = make(database_url, language, kind)
    lines = dump(bench, names=names)
    new = bring_back(bench, lines)
    assert new != bench.project_id
    assert dump(bench, new, names=names) == lines
    assert dump(bench, names=names) == lines  # the old one is as it was
    bench.engine.dispose()


def test_from_one_kind_of_database_to_the_other(new_postgres: Callable[[], str]) -> None:
    here, there = make("sqlite://"), open_bench(new_postgres())
    with writing(there.engine) as connection:
        there.people["owner"] = add_user(connection, "owner", 1.0)
    lines = dump(here, names=True)
    assert dump(there, bring_back(there, lines), names=True) == lines
    here.engine.dispose()
    there.engine.dispose()


WRITTEN = st.sampled_from(ODD) | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2), said=st.lists(WRITTEN, min_size=9, max_size=9))
def test_comes_back_whatever_people_wrote(seed: int, said: list[str]) -> None:
    bench = played(seed)
    words = iter(said)
    with writing(bench.engine) as connection:
        for table, column in (
            ("projects", "guidelines"),
            ("submissions", "comment"),
            ("verdicts", "comment"),
            ("complaints", "reason"),
            ("tasks", "draft"),
            ("golden", "origin"),
            ("passages", "label"),
        ):
            connection.execute(text(f"UPDATE {table} SET {column} = :value"), {"value": next(words)})
        facts = {"said": next(words), "by": bench.people["annotator-1"], "of": bench.project_id}
        events.add(connection, bench.project_id, "note.made", 3.3, **facts)
        connection.execute(
            text("UPDATE tasks SET draft = :draft WHERE kind = 'study'"), {"draft": json.dumps([next(words)])}
        )
    lines = dump(bench)
    assert dump(bench, bring_back(bench, lines)) == lines


@cache
def played(seed: int) -> Bench:
    """Projects that several examples share: making one takes a second."""
    return make("sqlite://", ("en", "zh", "en")[seed], ("minimal", "rewrite", "rewrite")[seed], seed, n=3)


def test_says_what_happened_and_not_who(database_url: str) -> None:
    bench = make(database_url, seed=4, n=12)
    lines = dump(bench)
    whole = "".join(lines)
    assert "annotator-1" not in whole
    ids = [row.id for name in ("items", "tasks", "users", "complaints") for row in bench.rows(f"SELECT id FROM {name}")]
    assert not [id_ for id_ in ids if id_ in whole]
    records = [json.loads(line) for line in lines]
    judged = [one for one in records if one["record"] == "item" and '"judge"' in json.dumps(one)]
    done = judged[0]
    number = [one for one in records if one["record"] == "item"].index(done) + 1
    [judge, *_] = [task for task in done["tasks"] if task["kind"] == "judge"]
    assert judge["about"].startswith(f"@{{complaint {number}.")
    given = [one for one in done["submissions"] if done["tasks"][one["task"] - 1]["kind"] == "annotate"]
    assert all(one["answers"] or one["status"] == "not_annotatable" for one in given)
    assert "".join(dump(bench, names=True)).count("annotator-1") >= 1
    bench.engine.dispose()


def test_work_goes_on_in_the_new_project(database_url: str) -> None:
    """The one who made it owns it; others are closed accounts; what was open can be done by new people."""
    bench = open_bench(database_url).begin(ENGLISH, "annotator-1", "annotator-2", "reviewer-1")
    bench.answer("annotator-1", "Hello .")
    new = bring_back(bench, dump(bench, names=True), name="Again")
    closed = bench.rows(
        "SELECT name, folded_name, closed_at FROM users WHERE folded_name LIKE 'imported/%' ORDER BY name"
    )
    assert [row.name for row in closed] == ["annotator-1", "annotator-2", "reviewer-1"]
    assert all(row.closed_at for row in closed)
    bench.project_id = new
    bench.add("annotator-7")
    bench.answer("annotator-7", "Hello again .")
    assert bench.rows("SELECT name FROM projects WHERE id = :id", id=new)[0].name == "Again"
    bench.engine.dispose()


def cut(lines: list[str]) -> list[str]:
    return lines[:-1]


def drop(lines: list[str]) -> list[str]:
    return [line for line in lines if '"record": "event"' not in line]


def say(old: str, new: str) -> Callable[[list[str]], list[str]]:
    return lambda lines: [line.replace(old, new) for line in lines]


FAULTS = {
    "cut": (cut, "not complete"),
    "lines gone": (drop, "n_events is"),
    "goes on": (lambda lines: [*lines, lines[1]], "after the end"),
    "empty": (lambda lines: [], "not complete"),
    "no JSON": (lambda lines: [lines[0], "{\n"], "no line of a project's history"),
    "no object": (lambda lines: [lines[0], "[]\n"], "not an object"),
    "another record": (say('"record": "person"', '"record": "cat"'), "no record 'cat'"),
    "no project": (lambda lines: lines[1:], "comes first"),
    "two projects": (lambda lines: [lines[0], *lines], "comes first, and once"),
    "later version": (say('"errata-project", "version": 1', '"errata-project", "version": 2'), "of version 1"),
    "no such person": (say('"person": 2', '"person": 99'), "there is no person 99"),
    "no such task": (say('"task": 1', '"task": 77'), "there is no task 1.77"),
    "no such reference": (say("@{task 1.1}", "@{task 99.1}"), "there is no task 99.1"),
    "other state": (say('"state": "done"', '"state": "boiled"'), "'state' is one of"),
    "a column too many": (say('"purpose":', '"colour": 1, "purpose":'), "have no 'colour'"),
    "an id": (say('"purpose":', '"id": "x", "purpose":'), "have no 'id'"),
    "a column too few": (say('"purpose": "work", ', ""), "'purpose' is missing"),
    "text for a number": (say('"n_wanted": 3', '"n_wanted": "3"'), "'n_wanted' is not a number"),
    "true for a number": (say('"n_wanted": 3', '"n_wanted": true'), "'n_wanted' is not a number"),
    "a number for text": (say('"purpose": "work"', '"purpose": 1'), "'purpose' is not a string"),
    "too large": (say('"n_wanted": 3', '"n_wanted": 99999999999'), "'n_wanted' is too large"),
    "a line break": (say("He go to", "He\\ngo to"), "'source' has a line break"),
    "a long sentence": (
        say("He go to", "He go to" + " x" * 2500),
        "'source' has 50\\d\\d characters; 5000 is the most",
    ),
    "a long comment": (say('"comment": ""', f'"comment": "{"x" * 5001}"'), "'comment' has 5001 characters"),
    "a long answer": (say('"target": "', f'"target": "{"x" * 900}'), "9\\d\\d characters; \\d+ is the most for this"),
    "many answers": (
        say('"answers": ["', f'"answers": [{chr(34)}x", {", ".join(["1"] * 20)}, "'),
        "more than 20 answers",
    ),
    "too many annotators": (say('"n_wanted": 3', '"n_wanted": 21'), "'n_wanted' is a number from 0 to 20"),
    "no such k": (say('"k": 3', '"k": 99'), "k is a whole number from 1 to 20"),
    "too long": (say('"kind": "rewrite"', f'"kind": "{"r" * 21}"'), "too long"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_refuses_what_is_no_history(fault: str) -> None:
    bench = make("sqlite://")
    change, message = FAULTS[fault]
    before = dump(bench)
    lines = change(before)
    assert lines != before
    counted = "SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM items) AS n"
    n_before = bench.rows(counted)[0].n
    with pytest.raises(FormatError, match=message) as error:
        bring_back(bench, lines, origin="old.jsonl")
    assert str(error.value).startswith("old.jsonl")
    assert bench.rows(counted)[0].n == n_before
    bench.engine.dispose()


def test_a_row_that_the_database_refuses() -> None:
    """Two rows of one place in a table that has room for one: told with the line, and nothing is kept."""
    bench = make("sqlite://")
    lines = dump(bench)
    place = next(n for n, line in enumerate(lines) if '"record": "item"' in line and '"kind": "study"' in line)
    item = json.loads(lines[place])
    item["tasks"].append(item["tasks"][0])
    with pytest.raises(FormatError, match=r"h:\d+: this line, or one before it, does not fit the database: UNIQUE"):
        bring_back(bench, [*lines[:place], json.dumps(item) + "\n", *lines[place + 1 :]], origin="h")
    assert len(bench.rows("SELECT id FROM projects")) == 1
    bench.engine.dispose()


def test_knows_its_own_files() -> None:
    bench = open_bench("sqlite://").begin(["Hello."])
    assert is_history("".join(dump(bench)))
    assert not is_history('{"tokens": ["a"]}\n')
    bench.engine.dispose()
