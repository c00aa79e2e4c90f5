"""`errata annotate`: projects from files, files from projects, and one file for everything."""

from __future__ import annotations

import json
import shlex
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_runs import Run
from sqlalchemy import Engine, text

from doc_examples import check_commands
from errata.cli.serve import database_in
from errata.web.accounts import invitations
from errata.web.accounts.people import add_person
from errata.web.database import open_database, reading, writing

ROOT = Path(__file__).resolve().parents[2]
M2 = "S This are a sentence .\nA 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0\n\nS Fine .\n\n"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """The database in the folder `data`, with an owner."""
    (tmp_path / "data").mkdir()
    engine = open_database(f"sqlite:///{tmp_path / 'data' / 'server.db'}")
    with writing(engine) as connection:
        add_person(connection, "owner-1", "!", 1.0, is_owner=True)
        add_person(connection, "annotator-1", "!", 1.0)
    yield engine
    engine.dispose()


@pytest.fixture
def call(run: Run, engine: Engine) -> Run:
    """The command over that database."""

    def annotate(verb: str, *arguments: Any) -> tuple[int, str, str]:
        return run("annotate", verb, *arguments, "--data", "data")

    return annotate


@pytest.fixture
def made(call: Run, tmp_path: Path) -> str:
    """A project of an M2 file; its id."""
    (tmp_path / "a.m2").write_text(M2, "utf-8")
    code, out, err = call(
        "new", "Essays", "--kind", "rewrite", "--language", "en", "--import", "a.m2", "--run", "--json"
    )
    assert code == 0, err
    told = json.loads(out)
    assert (told["name"], told["n_items"]) == ("Essays", 2)
    assert told["files"] == [{"file": "a.m2", "format": "m2", "n_items": 2, "n_known": 0, "n_passages": 0}]
    return str(told["id"])


def finish(engine: Engine) -> None:
    """The first sentence is reviewed."""
    with writing(engine) as connection:
        connection.execute(text("UPDATE items SET state = 'done' WHERE position = 0"))
        connection.execute(
            text(
                "INSERT INTO golden (id, item_id, position, target, origin)"
                " SELECT 'g', id, 0, 'This is a sentence .', 'review' FROM items WHERE position = 0"
            )
        )


def test_list_and_status(call: Run, made: str, engine: Engine) -> None:
    finish(engine)
    code, out, _ = call("list", "--json")
    assert code == 0
    [project] = json.loads(out)
    assert (project["id"], project["state"], project["done"], project["sentences"]) == (made, "running", 1, 2)
    assert "Essays" in call("list")[1]
    code, out, _ = call("status", "Essays")
    assert (code, out.splitlines()[:3]) == (
        0,
        ["Essays (running)", "sentences: 2 (1 annotating, 1 done)", "annotations: 0 of 6"],
    )
    assert json.loads(call("status", made, "--json")[1])["progress"]["n_items"] == 2


def test_import_is_all_or_nothing(call: Run, made: str, tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("One is here.\n", "utf-8")
    (tmp_path / "bad.m2").write_text("S a\nA 5 4|||X|||b|||REQUIRED|||-NONE-|||0\n", "utf-8")
    code, _, err = call("import", "Essays", "good.txt", "bad.m2")
    assert code == 1
    assert "bad.m2:2: edit span 5:4 runs backwards" in err
    assert "nothing was imported" in err
    assert json.loads(call("list", "--json")[1])[0]["sentences"] == 2
    assert call("import", "Essays", "good.txt")[0] == 0
    assert json.loads(call("list", "--json")[1])[0]["sentences"] == 3


def test_export(call: Run, made: str, engine: Engine, tmp_path: Path) -> None:
    finish(engine)
    code, out, _ = call("export", "Essays")
    assert (code, out) == (0, M2.split("\n\n")[0] + "\n\n")
    assert call("export", made, "all.m2", "--state", "all")[0] == 0
    assert (tmp_path / "all.m2").read_text("utf-8") == M2
    code, out, _ = call("export", "Essays", "e.tsv", "--format", "tsv", "--json")
    assert json.loads(out) == {"id": made, "name": "Essays", "file": "e.tsv", "format": "tsv", "notes": []}


def test_history_becomes_the_same_project(call: Run, made: str, engine: Engine, tmp_path: Path) -> None:
    finish(engine)
    assert call("export", "Essays", "old.jsonl", "--format", "jsonl", "--names")[0] == 0
    code, out, err = call("new", "Essays", "--import", "old.jsonl", "--json", "--again")
    assert code == 0, err
    new = json.loads(out)["id"]
    assert new != made
    assert call("export", new, "new.jsonl", "--format", "jsonl", "--names")[0] == 0
    assert (tmp_path / "new.jsonl").read_bytes() == (tmp_path / "old.jsonl").read_bytes()
    code, _, err = call("export", "Essays")
    assert (code, "2 projects are called Essays: give the id" in err) == (2, True)


@pytest.mark.parametrize("name", ["b.backup", "b.backup.gz"])
def test_backup_and_restore(call: Run, run: Run, made: str, tmp_path: Path, name: str) -> None:
    code, out, _ = call("backup", name, "--json")
    assert (code, json.loads(out)["tables"]["items"]) == (0, 2)
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    code, _, err = call("restore", name)
    assert (code, "the database is not empty" in err) == (1, True)
    code, out, _ = run("annotate", "restore", name, "--data", "other", "--json")
    assert (code, json.loads(out)["tables"]["projects"]) == (0, 1)
    assert json.loads(run("annotate", "list", "--data", "other", "--json")[1])[0]["id"] == made
    assert call("restore", name, "--replace")[0] == 0


WRONG = {
    "no project": (("status", "None"), 1, "there is no project 'None'"),
    "no kind": (("new", "X"), 2, "--kind"),
    "another kind": (("new", "X", "--kind", "cat", "--language", "en"), 2, "kinds rewrite, minimal"),
    "another language": (("new", "X", "--kind", "rewrite", "--language", "fr"), 2, "languages en, zh"),
    "no file": (("new", "X", "--kind", "rewrite", "--language", "en", "--import", "none.txt"), 1, "none.txt: No such"),
    "another format": (("export", "Essays", "--format", "doc"), 2, "unknown format 'doc'"),
    "another state": (("export", "Essays", "--state", "new"), 2, "choice of sentences"),
    "names of sentences": (("export", "Essays", "--names"), 2, "only jsonl has names"),
    "two files": (("export", "Essays", "--gold-for", "a", "--answers-of", "a"), 2, "call it twice"),
    "study of nobody": (("export", "Essays", "--after-study"), 2, "--after-study goes with"),
    "somebody else": (("export", "Essays", "--gold-for", "owner-9"), 1, "0 people called 'owner-9'"),
    "json to stdout": (("export", "Essays", "--json"), 2, "give OUT"),
    "no folder": (("export", "Essays", "no/such.m2"), 2, "there is no folder"),
    "no backup": (("restore", "a.m2"), 1, "a.m2:1: this is no line of a backup"),
    "nothing to restore": (("restore", "none"), 2, "there is no file none"),
    "no owner": (("new", "X", "--kind", "rewrite", "--language", "en", "--owner", "nobody"), 1, "no account 'nobody'"),
    "archived twice": (("archive", "Essays", "--undo"), 2, "Essays is not archived"),
    "deleted at once": (("delete", "Essays", "--name", "Essays"), 1, "archive it first"),
    "deleted without a word": (("delete", "Essays"), 2, "--name 'Essays'"),
    "another role": (("invite", "Essays", "--role", "boss"), 2, "--role is annotator, reviewer or owner"),
    "too many uses": (("invite", "Essays", "--uses", "0"), 2, "--uses is 0: give a whole number from 1 to 1000"),
    "no address": (("invite", "Essays", "--address", "myhost"), 2, "--address is where"),
    "no host": (("invite", "Essays", "--address", "http://"), 2, "--address is where"),
    "no link": (("invite", "Essays", "--address", "http://my host"), 2, "--address is where"),
    "a page": (("invite", "Essays", "--address", "http://host/#top"), 2, "--address is where"),
    "there already": (("new", "essays", "--kind", "rewrite", "--language", "en"), 1, "called Essays already: choose"),
    "imported already": (("import", "Essays", "a.m2"), 1, "has all its sentences already; nothing was imported (--ag"),
    "purpose": (("import", "Essays", "a.m2", "--purpose", "fun"), 2, "--purpose is"),
    "references": (("import", "Essays", "a.m2", "--references", "some"), 2, "--references is"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_usage_gets_a_line(call: Run, made: str, case: str) -> None:
    arguments, code, message = WRONG[case]
    found, _, err = call(*arguments)
    assert (found, message in err) == (code, True), err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("arguments", [("import", "Essays", "b.txt"), ("invite", "Essays")])
def test_an_archived_project_takes_nothing(call: Run, made: str, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "b.txt").write_text("A new sentence .\n", "utf-8")
    assert call("archive", "Essays")[0] == 0
    told = "errata: Essays is archived: bring it back first (errata annotate archive Essays --undo)\n"
    assert call(*arguments) == (1, "", told)
    assert call("archive", "Essays", "--undo")[0] == 0
    assert call(*arguments)[0] == 0


def test_nothing_is_kept_of_a_project_that_fails(call: Run, made: str, engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text("No reference.\n", "utf-8")
    code, _, err = call("new", "Q", "--kind", "rewrite", "--language", "en", "--qualify", "q.txt")
    assert (code, "needs a reference" in err) == (1, True)
    assert len(json.loads(call("list", "--json")[1])) == 1


def test_the_owner_must_be_clear(call: Run, engine: Engine) -> None:
    with writing(engine) as connection:
        add_person(connection, "owner-2", "!", 1.0, is_owner=True)
    code, _, err = call("new", "X", "--kind", "rewrite", "--language", "en")
    assert (code, "--owner owner-1 or owner-2" in err) == (2, True)
    assert call("new", "X", "--kind", "rewrite", "--language", "en", "--owner", "Owner-2")[0] == 0
    with reading(engine) as connection:
        made_by = connection.execute(text("SELECT u.name FROM projects p JOIN users u ON u.id = p.made_by")).scalar()
    assert made_by == "owner-2"


def test_ids_are_listed_where_names_do_not_tell_projects_apart(call: Run, made: str) -> None:
    out = call("list")[1]
    assert made not in out and max(map(len, out.splitlines())) <= 80
    call("new", "Essays", "--kind", "rewrite", "--language", "en", "--again")
    assert made in call("list")[1]


def test_a_link_lets_people_in(call: Run, made: str, engine: Engine) -> None:
    code, out, err = call("invite", "Essays", "--role", "reviewer", "--uses", "2", "--days", "3", "--json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert told["link"].startswith("http://127.0.0.1:8081/workbench/join#") and told["n_uses"] == 2
    with reading(engine) as connection:
        found = invitations.find(connection, told["link"].partition("#")[2], time.time())
    assert (found.role, found.n_left, found.project_name) == ("reviewer", 2, "Essays")
    code, out, err = call("invite", "Essays", "--address", "https://errata.example/")
    assert (code, out.count("\n")) == (0, 1) and out.startswith("https://errata.example/workbench/join#")
    assert "lets in 1 person as annotator" in err and "this computer alone" not in err


def test_a_project_is_put_away_and_deleted(call: Run, made: str) -> None:
    assert call("archive", "Essays") == (0, "", "Essays is archived now\n")
    assert json.loads(call("list", "--json")[1])[0]["state"] == "archived"
    assert call("archive", "Essays", "--undo", "--json")[0] == 0
    assert call("archive", "Essays")[0] == 0
    code, _, err = call("delete", "Essays", "--name", "Essay")
    assert (code, "nothing was deleted" in err) == (2, True)
    code, out, _ = call("delete", made, "--name", "Essays", "--json")
    assert (code, json.loads(out)) == (0, {"id": made, "name": "Essays", "n_items": 2})
    assert json.loads(call("list", "--json")[1]) == []


def test_the_same_file_is_imported_again_only_if_told(call: Run, made: str, tmp_path: Path) -> None:
    code, out, _ = call("import", "Essays", "a.m2", "--again", "--json")
    assert (code, json.loads(out)["n_known"], json.loads(out)["n_items"]) == (0, 2, 2)
    twice = ("new", "Twice", "--kind", "rewrite", "--language", "en", "--import", "a.m2", "--import", "a.m2")
    code, _, err = call(*twice)
    assert (code, "a.m2: the project has all its sentences already" in err) == (1, True)
    assert call(*twice, "--again")[0] == 0


def test_a_history_is_no_file_of_sentences(call: Run, made: str) -> None:
    call("export", "Essays", "old.jsonl", "--format", "jsonl")
    code, _, err = call("import", "Essays", "old.jsonl")
    assert (code, "errata annotate new NAME --import old.jsonl" in err) == (1, True)


def test_a_damaged_history_is_told_by_line(call: Run, made: str, tmp_path: Path) -> None:
    call("export", "Essays", "old.jsonl", "--format", "jsonl")
    lines = (tmp_path / "old.jsonl").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "old.jsonl").write_text("".join(lines[:-1]), "utf-8")
    code, _, err = call("new", "Again", "--import", "old.jsonl")
    assert (code, "the file is not complete" in err) == (1, True)
    code, _, err = call("new", "Again", "--import", "old.jsonl", "--kind", "rewrite")
    assert (code, "has all of it" in err) == (2, True)


def test_the_examples_run(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine whose server has its first owner."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "essays.m2").write_text(M2, "utf-8")
    engine = open_database(database_in(None))
    with writing(engine) as connection:
        add_person(connection, "owner-1", "!", 1.0, is_owner=True)
    engine.dispose()
    page = ROOT / "docs" / "commands" / "annotate.md"
    check_commands(page, lambda command, _: run(*shlex.split(command))[1], "annotate")
