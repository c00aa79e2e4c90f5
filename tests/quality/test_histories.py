"""Corrections and prose from git histories: a small repository in which everything happens that is told apart."""

from __future__ import annotations

import lzma
import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.models.histories import __main__ as histories
from benchmarks.models.histories.corrections import Change, Judge, changed_sentences, mine, without_reverts
from benchmarks.models.histories.licences import find_licence, read_licence, read_table
from benchmarks.models.histories.markup import plain, sentences
from benchmarks.models.histories.prose import read_prose
from benchmarks.models.histories.repositories import (
    Hunk,
    Repository,
    find_repositories,
    is_prose,
    list_commits,
    read_hunks,
    snapshot,
    tier_of,
)

from errata.errors import DataError, FormatError
from errata.formats.files import read_lines

KNOWN = set(
    "we receive the file and store it in a folder that you can open with care every day this is an apple see index for"
    " more information about them they are on list of servers he saw old house by river when was young today".split()
)
MIT = "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy\n"


class Clone:
    """A repository in the making."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> None:
        identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(["git", "-C", str(self.folder), *identity, *arguments], check=True, env=environment)

    def commit(self, message: str, **files: str) -> None:
        """Write the files (`docs_index__md` is docs/index.md) and commit them."""
        for name, text in files.items():
            path = self.folder / name.replace("__", ".").replace("_", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)


@pytest.fixture(scope="module")
def clones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one clone."""
    folder = tmp_path_factory.mktemp("clones")
    clone = Clone(folder / "someone+docs")
    wrapped = "You can open the file with\ncare every day, and store\n{} in a folder.\n"
    role = "See the :ref:`{} <index>` for more information about them.\n"
    french = "We {} the file and store it.\n"
    first = {"a__md": "We recieve the file and store it.\n", "wrapped__md": wrapped.format("they"), "LICENSE": MIT}
    book = "<p>He saw {} and receive the file by the river.</p>\n"
    first["book__xhtml"] = book.format("to-day")
    clone.commit("Begin", **first, b__rst=role.format("idnex"), fr_a__md=french.format("recieve"), code__py="x = 1\n")
    clone.commit("Fix typo", a__md="We receive the file and store it.\n")
    clone.commit("Fix a typo in the French page", fr_a__md=french.format("receive"))
    clone.commit("Correct a role", b__rst=role.format("index"))
    clone.commit("Correct a variable", code__py="# We receive an apple and store it.\nx = 2\n")
    clone.commit("Reflow", wrapped__md=wrapped.format("them"))
    clone.commit("Modernise spelling", book__xhtml=book.format("today"))
    clone.commit("Add a page", c__md="They are on the list of the servers.\n")
    clone.commit("Fix grammar", c__md="They are on a list of the servers.\n")
    clone.commit('Revert "Fix grammar"', c__md="They are on the list of the servers.\n")
    return folder


@pytest.fixture
def repository(clones: Path) -> Repository:
    (found,) = find_repositories(clones)
    return found


def test_each_tier_gives_its_corrections(repository):
    changes = list(without_reverts(mine(repository, ["typo", "fix", "other"], 100, KNOWN)))
    assert {(change.tier, change.source, change.target) for change in changes} == {
        ("typo", "We recieve the file and store it.", "We receive the file and store it."),
        ("fix", "See the idnex for more information about them.", "See the index for more information about them."),
        (
            "other",
            "You can open the file with care every day, and store they in a folder.",
            "You can open the file with care every day, and store them in a folder.",
        ),
    }
    assert {change.repository for change in changes} == {"someone/docs"}


def test_a_file_that_the_clone_lacks_costs_one_commit_and_a_line(tmp_path, capsys):
    clone = Clone(tmp_path / "someone+partial")
    texts = [f"We {verb} the file and store it.\n" for verb in ("recieve", "receive", "recieve", "receives")]
    for number, text in enumerate(texts):
        clone.commit(f"Fix typo {number}", a__md=text, b__md=f"{number}\n")
    (repository,) = find_repositories(tmp_path)
    blob = repository.git("rev-parse", "HEAD~1:b.md").strip()
    (repository.folder / "objects" / blob[:2] / blob[2:]).unlink()
    changes = mine(repository, ["typo"], 100, KNOWN | {"receives"})
    assert (texts[0].strip(), texts[1].strip()) in {(change.source, change.target) for change in changes}
    assert "someone/partial: " in (told := capsys.readouterr().err) and "cannot be read whole" in told
    assert len(list(snapshot(repository))) == 2


def test_limit_takes_the_newest_commits_of_each_tier(repository):
    commits = list_commits(repository, ["typo", "fix"], 1)
    subjects = [repository.git("log", "-1", "--format=%s", commit).strip() for commit in commits]
    assert subjects == ['Revert "Fix grammar"', "Fix grammar", "Correct a variable"]


@pytest.mark.parametrize(
    ("message", "tier"),
    [
        ("Fix typos in the guide", "typo"),
        ("docs: spelling", "typo"),
        ("Fix the build", "fix"),
        ("Release notes (#12)\n\n* fix typo\n* add a page", "fix"),
        ("Add a page", "other"),
        ('Revert "Fix typo"', "revert"),
    ],
)
def test_tiers(message, tier):
    assert tier_of(message) == tier


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("docs/how-to-do-it.md", True),
        ("docs/i18n/index.rst", True),
        ("content/zh-cn/index.md", False),
        ("_ja/tour.md", False),
        ("README.pt_BR.md", False),
        ("tests/notes.txt", False),
        ("setup.py", False),
    ],
)
def test_paths_of_english_prose(path, expected):
    assert is_prose(path) == expected


def test_lines_that_look_like_headers_belong_to_their_hunk():
    diff = ["diff --git a/x.md b/x.md", "--- a/x.md", "+++ b/x.md", "@@ -7 +7 @@", "--- a list", "+++ a list", " "]
    commit = "0" * 40
    assert list(read_hunks([commit, *diff, "\\ No newline at end of file"])) == [
        Hunk(commit, "x.md", 7, ["--- a list", "+++ a list", " "])
    ]


def test_a_hunk_may_begin_and_end_within_a_sentence():
    lines = [" store it in the folder. He", "-saw a old house. We", "+saw an old house. We", " receive them"]
    assert list(changed_sentences(Hunk("", "a.md", 9, lines))) == [("He saw a old house.", "He saw an old house.")]


def test_a_change_is_kept_in_the_direction_in_which_it_was_made_more_often():
    there, back = Change("A b.", "A c.", "r", "other"), Change("A c.", "A b.", "r", "fix")
    assert list(without_reverts([there, back])) == []
    assert list(without_reverts([there, back, back])) == [back]


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        ("We recieve the file .", "We receive the file .", None),
        ("We saw the Index there .", "We saw the index there .", "house style"),
        ("See files , folders and apples .", "See files , folders , and apples .", "house style"),
        ("We saw Mary there .", "We saw Maria there .", "a name"),
        ("We see the colour here .", "We see the color here .", "British or American"),
        ("We receive the files .", "We receive the filez .", "an unknown word is put in"),
        ("We ` open it .", "We ` opened it .", "broken code"),
        ("See it .", "Sees it .", "too short or too long"),
    ],
)
def test_reasons(source, target, reason):
    judge = Judge(KNOWN | {"color", "opened"}, {("colour", "color")})
    assert judge((tuple(source.split()), tuple(target.split()))) == reason


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Bold** and _thin_ [links](https://a.example).", "Bold and thin links."),
        ("[![image](a.png)](b.md) text", "image text"),
        ("Read :doc:`the guide <guide>` and ``code``.", "Read the guide and `code`."),
        ("Read `the guide <guide.html>`__.", "Read the guide."),
        ("Read xref:guide.adoc[the guide].", "Read the guide."),
        ("<p>He said “no” &amp; left\u2060—once.</p>", 'He said "no" & left—once.'),
        ("Write &lt;b&gt; here", "Write <b> here"),
    ],
)
def test_plain(text, expected):
    assert plain(text) == expected


def test_sentences_of_lists_headings_and_wrapped_lines():
    lines = [
        "# A heading.",
        "* First item, Mr. A. A second one.",
        "1. Wrapped",
        "   item. `x` is left out.",
        "| cell. |",
    ]
    assert sentences(lines) == ["First item, Mr. A. A second one.", "Wrapped item."] or sentences(lines) == [
        "First item, Mr. A.",
        "A second one.",
        "Wrapped item.",
    ]


def test_prose_of_the_newest_files(tmp_path):
    clone = Clone(tmp_path / "someone+book")
    sentence = "He saw the old house by the river when he was young."
    clone.commit(
        "Begin",
        page__md="# See it\n\nThis is an apple. We receive the file and store\nit in a folder every day.\n",
        book__xhtml=f"<body>\n\t\t<p>{sentence} This is <i>the</i> list of servers that we open with care.</p>",
        copy__md=f"{sentence}\n\nWe recieve the file and store it in a folder.\n\nWe open `x` and store it here.\n",
        code__md="    He saw the list of servers in a house.\n\n```\nThey are on the list of servers today.\n```",
    )
    (repository,) = find_repositories(tmp_path)
    seen: set[str] = set()
    expected = {
        sentence,
        "This is the list of servers that we open with care.",
        "We receive the file and store it in a folder every day.",
    }
    assert sorted(read_prose(repository, KNOWN, seen, 10)) == sorted(expected)
    assert list(read_prose(repository, KNOWN, seen, 10)) == []
    assert len(list(read_prose(repository, KNOWN, set(), 2))) == 2


@pytest.mark.parametrize(
    ("text", "names", "commercial"),
    [
        (MIT, "MIT", "yes"),
        ("Attribution-ShareAlike 4.0 International", "CC-BY-SA-4.0", "yes"),
        ("See https://creativecommons.org/licenses/by/4.0/ and the\nMIT\nlicense.", "CC-BY-4.0 MIT", "yes"),
        ("Creative Commons Attribution-NonCommercial-NoDerivs 3.0", "CC-BY-NC-ND-3.0", "no"),
        ("CC BY-NC-SA 4.0", "CC-BY-NC-SA-4.0", "no"),
        ("1st edition: CC BY-SA 4.0. 3rd edition: CC-BY-NC-ND, CC-BY-SA after a year.", "CC-BY-SA-4.0", "no"),
        ("MIT license. Photographs: Creative Commons Attribution Non-Commercial.", "MIT", "no"),
        ("                 GNU GENERAL PUBLIC LICENSE", "GPL", "check"),
        ("# For all content except the /contents/ folder\nDo not copy.\n# For /contents/\n" + MIT, "MIT", "check"),
        ("Copyright. All rights reserved.", "", "check"),
        ("", "", "check"),
    ],
)
def test_licences(text, names, commercial):
    licence = read_licence(text)
    assert (" ".join(licence.names), licence.commercial) == (names, commercial)


def test_licence_of_a_repository_and_of_a_table(repository, tmp_path):
    licence = find_licence(repository, {})
    assert (licence.names, licence.first_line, licence.commercial) == (("MIT",), "MIT License", "yes")
    path = tmp_path / "licences.tsv"
    path.write_text("someone/docs\tCC-BY-NC-4.0\tREADME.md\n", encoding="utf-8")
    licence = find_licence(repository, read_table(path))
    assert (licence.first_line, licence.commercial) == ("README.md", "no")
    path.write_text("someone/docs CC-BY-4.0\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"licences\.tsv:1: expected three columns"):
        read_table(path)


def test_table_of_licences_can_be_read():
    table = read_table(Path(histories.__file__).with_name("licences.tsv"))
    assert table["scala/docs.scala-lang"].commercial == "yes"
    assert table["qgis/QGIS-Documentation"].commercial == "check"


def test_folder_without_clones(tmp_path):
    assert find_repositories(tmp_path) == []
    with pytest.raises(DataError, match="is no folder"):
        find_repositories(tmp_path / "none")


@pytest.fixture
def command(clones: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Runs the command with small word lists; gives its exit status."""
    lexicons = tmp_path / "data" / "en" / "lexicons"
    lexicons.mkdir(parents=True)
    for name, text in {
        "opensubtitles-freq-en_50k.txt.xz": "".join(f"{word} 1\n" for word in sorted(KNOWN)),
        "agid-infl.txt.xz": "",
        "varcon.txt.xz": "A: color / B: colour\n",
    }.items():
        (lexicons / name).write_bytes(lzma.compress(text.encode()))
    monkeypatch.setenv("ERRATA_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["histories", str(clones), *arguments])
        return histories.main()

    return run


def test_files_and_their_sources(command, repository, capsys):
    assert command("--open") == 0
    data = Path("runs/data/en")
    assert [line.rstrip() for line in read_lines(data / "doc-edits-open.tsv.xz")] == [
        "We recieve the file and store it .\tWe receive the file and store it .",
        "See the idnex for more information about them .\tSee the index for more information about them .",
    ]
    assert "See the index for more information about them.\n" in read_lines(data / "prose-open.txt.xz")
    head, row = (data / "doc-edits-open.sources.tsv").read_text(encoding="utf-8").splitlines()
    assert head.split("\t")[:4] == ["repository", "commit", "typo", "fix"]
    assert row.split("\t") == ["someone/docs", repository.head, "1", "1", "MIT", "MIT License", "yes"]
    assert (data / "prose-open.sources.tsv").is_file()
    assert "2 kept" in capsys.readouterr().out


def test_open_leaves_other_licences_out(command, tmp_path):
    (tmp_path / "licences.tsv").write_text("someone/docs\tCC-BY-NC-4.0\tREADME.md\n", encoding="utf-8")
    assert command("corrections", "--open", "--licences", "licences.tsv", "--corrections", "some.tsv") == 0
    assert Path("some.tsv").read_text(encoding="utf-8") == ""
    assert len(Path("some.sources.tsv").read_text(encoding="utf-8").splitlines()) == 1


def test_unknown_repository(command, capsys):
    assert command("--only", "someone/dogs") == 2
    assert "unknown repository 'someone/dogs'; did you mean 'someone/docs'?" in capsys.readouterr().err
