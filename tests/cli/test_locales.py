"""Names and arguments that are no UTF-8, and the POSIX locale: one clear line at most, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_runs import Run

from errata.pipeline.dictionary import add_words, read_user_words, read_words, user_words_path

LATIN, UTF8 = b"caf\xe9", "café".encode()
POSIX = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
M2 = "S He go .\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n\n"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with files whose names are no ASCII, and one that is no UTF-8."""
    for name in (LATIN, UTF8):
        for suffix, text in (
            (b".txt", "She have alot of informations .\n"),
            (b".m2", M2),
            (b".tsv", "He go\tHe goes\n"),
            (b".hyp", "He goes .\n"),
        ):
            (tmp_path / os.fsdecode(name + suffix)).write_text(text)
    return tmp_path


def run(folder: Path, *arguments: bytes, **environment: str) -> tuple[int, str, str]:
    """The command in the POSIX locale: exit status, what it printed, what it told."""
    kept = {name: value for name, value in os.environ.items() if name not in ("LANG", "HOME", "XDG_CONFIG_HOME")}
    done = subprocess.run(
        [os.fsencode(sys.executable), b"-P", b"-c", b"from errata.cli import main; main()", *arguments],
        cwd=folder,
        env={**kept, **POSIX, "ERRATA_WORDS": str(folder / "own" / "words.txt"), **environment},
        capture_output=True,
        timeout=120,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_words_are_added_listed_and_removed(here: Path) -> None:
    code, out, err = run(here, b"words", b"add", UTF8, "数据湖".encode())
    assert (code, out) == (0, "") and "2 added" in err
    assert read_words(here / "own" / "words.txt") == ["café", "数据湖"]
    assert run(here, b"words", b"list")[:2] == (0, "café\n数据湖\n")
    assert run(here, b"words", b"remove", UTF8, "没有".encode())[::2] == (
        1,
        f"{here}/own/words.txt: 1 removed\nerrata: {here}/own/words.txt does not have '没有'\n",
    )


@pytest.mark.parametrize("verb", [b"add", b"remove"])
def test_a_word_that_is_no_utf8_is_told(here: Path, verb: bytes) -> None:
    code, out, err = run(here, b"words", verb, LATIN)
    assert (code, out) == (2, "") and err == "errata: the argument 'caf\\\\xe9' is not UTF-8\n"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("words add x --file NAME.words", 0),
        ("correct --check NAME.txt", 1),
        ("correct --protect NAME NAME.txt", None),
        ("correct NAME.absent", 1),
        ("correct --model ./NAME NAME.txt", 1),
        ("correct --help", 0),
        ("score --metric maxmatch --gold NAME.m2 --hyp NAME.hyp", 0),
        ("score --metric maxmatch --gold NAME.m2 --hyp NAME.hyp --csv", 0),
        ("convert NAME.m2 NAME.jsonl", 0),
        ("recipes show NAME", 2),
        ("recipes copy zh-small NAME.yaml", 0),
        ("export ./NAME out", 1),
        ("tune --model ./NAME.lm --lm ./NAME", 0),
        ("NAME", 2),
    ],
)
@pytest.mark.parametrize("name", [LATIN, UTF8], ids=["latin", "utf8"])
def test_names_are_taken_as_they_are(here: Path, name: bytes, arguments: str, code: int | None) -> None:
    given = [part.encode().replace(b"NAME", name) for part in arguments.split()]
    found, _, err = run(here, *given)
    assert found == code or code is None
    if code:
        assert err.strip()


# Of those that take seconds to load what they need, only the harder name.
@pytest.mark.parametrize(("arguments", "code"), [("train NAME", 2), ("synth learn NAME.tsv -o NAME.noise", 0)])
def test_names_that_are_no_utf8_are_taken_by_slow_commands(here: Path, arguments: str, code: int) -> None:
    test_names_are_taken_as_they_are(here, LATIN, arguments, code)


def _first_compared(told: Any) -> str:
    return str(told["comparisons"][0]["first"]["hypothesis"])


SCORED = "--metric maxmatch --gold NAME.m2 --hyp NAME.hyp"
IN_JSON: dict[str, tuple[str, Callable[[Any], str]]] = {
    "findings": ("correct --check --format json NAME.txt", lambda told: told[0]["file"]),
    "scores": (f"score {SCORED} --json", lambda told: told[0]["hypothesis"]),
    "comparisons": (
        f"compare {SCORED} --hyp NAME.hyp --json",
        lambda told: told["comparisons"][0]["first"]["hypothesis"],
    ),
    "manifest": ("tune --model ./NAME.lm --lm ./NAME --dry-run", lambda told: told["settings"]["model"]),
}


@pytest.mark.parametrize("name", [LATIN, UTF8], ids=["latin", "utf8"])
@pytest.mark.parametrize(("arguments", "find"), IN_JSON.values(), ids=IN_JSON)
def test_json_is_utf8_whatever_a_file_is_called(
    here: Path, name: bytes, arguments: str, find: Callable[[Any], str]
) -> None:
    _, out, _ = run(here, *(part.encode().replace(b"NAME", name) for part in arguments.split()))
    assert os.fsencode(Path(find(json.loads(out))).stem) in (name, b"caf\\xe9")


def test_a_folder_where_the_dictionary_should_be(run_here: Run, tmp_path: Path) -> None:
    (tmp_path / "own" / "words.txt").mkdir(parents=True)
    for arguments in (("list",), ("add", "x"), ("list", "--file", "own"), ("add", "x", "--file", "own")):
        code, out, err = run_here("words", *arguments)
        assert (code, out) == (1, "") and "Is a directory" in err and err.count("\n") == 1


def test_a_file_where_a_folder_should_be(run_here: Run, tmp_path: Path) -> None:
    (tmp_path / "own").touch()
    code, out, err = run_here("words", "add", "x")
    assert (code, out) == (1, "") and err.startswith("errata: ") and err.count("\n") == 1


@pytest.fixture
def run_here(run: Run) -> Run:
    return run


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user whose home folder nobody knows, as in some containers."""

    def unknown(number: int) -> None:
        raise KeyError(number)

    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "ERRATA_WORDS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)


def test_no_home_folder(run_here: Run, homeless: None, tmp_path: Path) -> None:
    code, out, err = run_here("words", "add", "x")
    assert (code, out) == (1, "") and "set HOME, or ERRATA_WORDS" in err and err.count("\n") == 1
    assert read_user_words() == []
    code, _, err = run_here("serve", "--port", "0")
    assert code == 1 and "give --data FOLDER" in err and err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_settings_are_never_looked_for_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.delenv("ERRATA_WORDS", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", "settings")
    assert user_words_path() == Path("/home/somebody/.config/errata/words.txt")
    monkeypatch.setenv("ERRATA_WORDS", "~/words.txt")
    assert user_words_path() == Path("/home/somebody/words.txt")
    monkeypatch.setenv("ERRATA_WORDS", "words.txt")
    (tmp_path / "words.txt").write_text("hostile\n")
    with pytest.raises(Exception, match=r"ERRATA_WORDS=words.txt is no path: write the whole path, or \./words.txt"):
        read_user_words()


def test_half_a_character_is_no_word(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="is not UTF-8"):
        add_words(tmp_path / "words.txt", ["\ud800"])
    assert not (tmp_path / "words.txt").exists()
