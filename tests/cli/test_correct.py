"""`errata correct` and `errata export` on a tagger trained in the test."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from command_runs import Run

from errata.systems.installed import BUNDLED, PREFERRED

SOURCE, TARGET = "She go to school every day .", "She goes to school every day ."
# What the model knows, as people write it.
TEXT, CORRECTED = "She go to school every day. I has two dog.", "She goes to school every day. I have two dogs."
PAGE = "# She go\n\nShe **go** to [school](http://go.go) every\nday. `She go`\n\n```\nI has two dog.\n```\n"


def test_every_rendering_of_one_correction(model: Path, run: Run, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_bytes(f"{SOURCE}\r\n\r\n{SOURCE}".encode())
    common = ("correct", text, "--model", model, "--tokenised")
    assert run(*common) == (0, f"{TARGET}\r\n\r\n{TARGET}", "")
    assert run(*common, "--format", "diff")[1].startswith("She [-go-]{+goes+} to school every day .\r\n")
    objects = json.loads(run(*common, "--format", "json")[1])
    assert objects == [json.loads(line) for line in run(*common, "--format", "jsonl")[1].splitlines()]
    assert [(one["line"], one["target"]) for one in objects] == [(1, TARGET), (2, ""), (3, TARGET)]
    assert {(one["file"], one["language"]) for one in objects} == {(str(text), "en")}
    (edit,) = objects[0]["edits"]
    assert 0 <= edit.pop("confidence") <= 1
    assert edit.pop("alternatives") == []
    assert edit == {"start": 4, "end": 6, "original": "go", "replacement": "goes", "type": "R:VERB:SVA"}
    m2 = run(*common, "--format", "m2")[1]
    assert m2.count("S ") >= 2 and "A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||" in m2


def test_standard_input_and_an_output_file(
    model: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SOURCE.encode())))
    assert run("correct", "--model", model, "--tokenised", "-o", tmp_path / "out.txt")[0] == 0
    assert (tmp_path / "out.txt").read_text("utf-8") == TARGET


def test_a_pipe_given_as_a_file_is_read_once(model: Path, run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=(f"{SOURCE}\n" * 2000,))
    writer.start()
    code, out, _ = run("correct", tmp_path / "pipe", "--model", model, "--tokenised")
    writer.join(timeout=10)
    assert code == 0 and out.count(TARGET) == 2000


def test_export_corrects_the_same_without_torch(model: Path, run: Run, tmp_path: Path) -> None:
    code, _, err = run("export", model, tmp_path / "small")
    assert code == 0 and "tagger" in err
    (tmp_path / "text.txt").write_text(SOURCE, "utf-8")
    assert run("correct", "text.txt", "--model", tmp_path / "small", "--tokenised") == (0, TARGET, "")


def test_export_of_a_mean(model: Path, run: Run, tmp_path: Path) -> None:
    code, _, err = run("export", model, tmp_path / "mean", "--average", model)
    assert code == 0 and "tagger" in err
    (tmp_path / "text.txt").write_text(SOURCE, "utf-8")
    assert run("correct", "text.txt", "--model", tmp_path / "mean", "--tokenised") == (0, TARGET, "")
    assert "a probability" in run("export", model, tmp_path / "none", "--exit-below", "2")[2]
    assert "train it with model.early_exit" in run("export", model, tmp_path / "none", "--exit-below", "0.1")[2]
    assert not (tmp_path / "none").exists()


def test_markdown_goes_by_the_suffix(model: Path, run: Run, tmp_path: Path) -> None:
    for name in ("page.md", "page.txt"):
        (tmp_path / name).write_bytes(PAGE.encode())
    wanted = PAGE.replace("**go**", "**goes**").replace("# She go", "# She goes")
    assert run("correct", "page.md", "--model", model)[1] == wanted
    assert run("correct", "page.txt", "--markup", "markdown", "--model", model)[1] == wanted
    plain = run("correct", "page.txt", "--model", model)[1]
    assert "I have two dogs." in plain
    assert run("correct", "page.md", "--markup", "none", "--model", model)[1] == plain


def test_several_files_and_patterns(model: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    for name in ("one.txt", "a/two.txt", "a/b/three.txt"):
        (tmp_path / name).write_text(f"{TEXT}\n", "utf-8")
    (tmp_path / "link.txt").symlink_to("one.txt")
    common = ("correct", "one.txt", "**/*.txt", "./one.txt", "--model", model)
    assert run(*common)[1] == f"{CORRECTED}\n" * 3
    assert re.findall("==> (.*) <==", run(*common, "--format", "diff")[1]) == [
        "one.txt",
        "a/b/three.txt",
        "a/two.txt",
    ]


def test_a_check_reports_and_sets_the_status(model: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.md").write_text(f"# Fine\n\n- {TEXT}\n", "utf-8")
    (tmp_path / "good.txt").write_bytes(b"\n12\n")
    code, out, err = run("correct", "bad.md", "good.txt", "--check", "--model", model)
    findings = [
        re.fullmatch(r"bad.md:3:(\d+): '(\w+)' -> '(\w+)' \(R:[A-Z:]+, [01]\.\d\d\)", s) for s in out.splitlines()
    ]
    assert code == 1 and err == "3 corrections in 1 of 2 texts\n"
    assert [found and found.groups() for found in findings] == [
        ("7", "go", "goes"),
        ("33", "has", "have"),
        ("41", "dog", "dogs"),
    ]
    assert (tmp_path / "bad.md").read_text("utf-8") == f"# Fine\n\n- {TEXT}\n"
    told = json.loads(run("correct", "bad.md", "good.txt", "--check", "--format", "json", "--model", model)[1])
    assert [(one["file"], one["line"], len(one["edits"])) for one in told] == [("bad.md", 3, 3)]
    assert run("correct", "good.txt", "--check", "--model", model) == (0, "", "0 corrections in 0 of 1 texts\n")
    explained = run("correct", "bad.md", "--check", "--explain", "--model", model)[1]
    assert "The verb may not agree with its subject" in explained


def test_a_check_goes_on_after_a_file_it_cannot_read(model: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xff\n")
    (tmp_path / "b.txt").write_bytes(b"12\n")
    code, out, err = run("correct", "*.txt", "--check", "--model", model)
    assert (code, out) == (1, "") and "a.txt:1: not UTF-8" in err and "1 could not be read" in err


@pytest.mark.parametrize("rendering", ["text", "diff", "json", "jsonl", "m2"])
def test_other_texts_are_corrected_when_one_cannot_be_read(
    rendering: str, model: Path, run: Run, tmp_path: Path
) -> None:
    for name, content in (("a.txt", TEXT.encode()), ("b.txt", f"{TEXT}\n".encode() * 9999 + b"\xff"), ("c.txt", b"12")):
        (tmp_path / name).write_bytes(content)
    code, out, err = run("correct", "*.txt", "--format", rendering, "--model", model)
    assert (
        code == 1 and err == "errata: b.txt:10000: not UTF-8: byte 0xff at column 1; convert the file to UTF-8 first\n"
    )
    (tmp_path / "b.txt").unlink()
    assert (0, out, "") == run("correct", "*.txt", "--format", rendering, "--model", model)
    assert rendering != "json" or [one["line"] for one in json.loads(out)] == [1, 1]


def test_an_output_file_stays_when_nothing_could_be_read(model: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xff\n")
    (tmp_path / "out.txt").write_bytes(b"old")
    assert run("correct", "a.txt", "-o", "out.txt", "--model", model)[:2] == (1, "")
    assert (tmp_path / "out.txt").read_bytes() == b"old"


def test_a_header_begins_a_line(model: Path, run: Run, tmp_path: Path) -> None:
    for name, content in (("a.txt", b"12"), ("b.txt", b""), ("c.txt", b"34\n"), ("d.txt", b"56")):
        (tmp_path / name).write_bytes(content)
    wanted = "==> a.txt <==\n12\n==> c.txt <==\n34\n==> d.txt <==\n56"
    assert run("correct", "*.txt", "--format", "diff", "--model", model) == (0, wanted, "")


def test_a_folder_is_its_texts(model: Path, run: Run, tmp_path: Path) -> None:
    for name in ("d/a.txt", "d/e/b.MD", "d/.git/c.txt", "d/.hidden.md", "d/code.py", "d/a.txt.bak", "empty/x.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("12\n", "utf-8")
    (tmp_path / "d" / "loop").symlink_to(".")
    assert run("correct", "d", "--format", "diff", "--model", model)[1] == "==> d/a.txt <==\n12\n==> d/e/b.MD <==\n12\n"
    code, out, err = run("correct", "empty", "--model", model)
    assert (code, out) == (1, "") and "empty: no .txt or Markdown file in this folder;" in err


def test_words_and_terms_are_left_alone(model: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(TEXT, "utf-8")
    (tmp_path / "words").write_text("# mine\ndog\n", "utf-8")
    common = ("correct", "text.txt", "--model", model)
    assert run(*common, "--dictionary", "words")[1].endswith(" two dog.")
    kept = run(*common, "--protect", "She go", "--protect-file", "words")[1]
    assert kept.startswith("She go ") and kept.endswith(" two dog.")
    assert run("words", "add", "go")[0] == 0
    assert run(*common)[1] == CORRECTED.replace("goes", "go")
    assert run(*common, "--no-user-words")[1] == CORRECTED
    (tmp_path / "text.txt").write_text(SOURCE, "utf-8")
    assert run(*common, "--tokenised")[1] == TARGET  # benchmark scores do not depend on the user


def test_each_line_has_the_model_of_its_language(
    model: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for language, name in (("en", str(model)), ("zh", "no-such-model")):
        monkeypatch.setitem(PREFERRED, language, ())
        monkeypatch.setitem(BUNDLED, language, name)
        monkeypatch.delenv(f"ERRATA_MODEL_{language.upper()}")
    (tmp_path / "en.txt").write_text(f"{TEXT}\n12\n", "utf-8")
    (tmp_path / "zh.txt").write_text(f"{TEXT}\n你好\n", "utf-8")
    assert run("correct", "en.txt") == (0, f"{CORRECTED}\n12\n", "")
    assert run("correct", "zh.txt", "--lang", "en") == (0, f"{CORRECTED}\n你好\n", "")
    code, _, err = run("correct", "zh.txt")
    assert code == 1 and "no model 'no-such-model'" in err


def test_confidence(model: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(TEXT, "utf-8")
    assert run("correct", "text.txt", "--model", model, "--min-confidence", "1")[1] == TEXT
    assert run("correct", "text.txt", "--model", model, "--preset", "balanced")[1] == CORRECTED


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--model", "nowhere"], 1, "no model 'nowhere'"),
        (["--model", "MODEL", "--beam", "3"], 2, "a tagger system has no option 'beam' (in Python it has device, "),
        (["--model", "MODEL", "--preset", "wild"], 2, "no preset 'wild'"),
        (["--model", "MODEL", "--lang", "zh"], 2, "corrects en, not zh"),
        (["absent.txt", "--model", "MODEL"], 1, "absent.txt: No such file"),
        (["*.nothing", "--model", "MODEL"], 1, "no file matches the pattern '*.nothing'"),
        (["", "--model", "MODEL"], 2, "a file has a name, not ''"),
        (["x" * 300, "--model", "MODEL"], 1, f"{'x' * 300}: File name too long"),
        (["text/x", "--model", "MODEL"], 1, "text/x: "),
        (["binary", "--model", "MODEL"], 1, "binary:2: this is no text: it has a NUL byte"),
        (["utf16", "--model", "MODEL"], 1, "utf16: this is UTF-16; convert the file to UTF-8 first"),
        (["latin", "--model", "MODEL"], 1, "latin:2: not UTF-8: byte 0xe9 at column 4"),
        (["--in-place", "--model", "MODEL"], 2, "--in-place needs plain files"),
        (["text", "-i", "--check", "--model", "MODEL"], 2, "leave one of them out"),
        (["text", "-i", "--format", "json"], 2, "leave --format and --output out"),
        (["text", "-i", "--backup", ""], 2, "--backup is empty: give it a value, or leave it out"),
        (["text", "-i", "--backup", "a/b"], 2, "--backup takes a suffix such as .bak, not 'a/b'"),
        (["text", "-i", "-o", "x"], 2, "leave --format and --output out"),
        (["text", "--check", "--format", "m2"], 2, "--check reports as text, json or jsonl, not as m2"),
        (["text", "--tokenised", "--markup", "markdown"], 2, "without markup"),
        (["text", "--dictionary", "absent"], 1, "absent: No such file"),
        (["text", "--dictionary", "/proc/self/mem"], 1, "/proc/self/mem: Input/output error"),
        (["text", "--model", ""], 2, "--model is empty"),
        (["text", "--model", "MODEL", "-o", "."], 1, ".: Is a directory"),
        (["text", "--model", "MODEL", "-o", ""], 2, "-o is empty"),
        (["text", "--model", "MODEL", "-o", "x" * 300], 1, "File name too long"),
        (["text", "--model", "MODEL", "-o", "text/x"], 1, "text/x: Not a directory"),
        (["text", "--explain"], 2, "--explain goes with --check or --format json or jsonl"),
        (["text", "--explain", "--format", "m2"], 2, "--explain goes with --check or --format json or jsonl"),
        (["text", "--backup", ".old"], 2, "--backup and --no-backup go with --in-place"),
        (["text", "--no-backup"], 2, "--backup and --no-backup go with --in-place"),
        (["text", "-i", "--no-backup", "--backup", ".old"], 2, "leave --backup or --no-backup out"),
        (["text", "--device", "nope"], 2, "no device 'nope': choose cpu, cuda, cuda:N or mps"),
    ],
)
def test_mistakes_get_one_line(
    arguments: list[str], code: int, message: str, model: Path, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "text").write_bytes(b"text\n")
    (tmp_path / "binary").write_bytes(b"a\n\xff\0b")
    (tmp_path / "utf16").write_bytes("text".encode("utf-16"))
    (tmp_path / "latin").write_bytes(b"\n...\xe9\n")
    answer, out, err = run("correct", *(str(model) if one == "MODEL" else one for one in arguments))
    assert (answer, out) == (code, "") and message in err and err.count("\n") == 1


def command(model: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "errata", "correct", "--model", str(model), "--tokenised", *arguments]


def test_a_line_is_answered_before_the_next_one_comes(exported: Path) -> None:
    with subprocess.Popen(command(exported), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        for _ in range(2):
            process.stdin.write(f"{SOURCE}\n".encode())
            process.stdin.flush()
            assert process.stdout.readline() == f"{TARGET}\n".encode()
        process.stdin.close()
        assert process.wait() == 0


def test_a_line_without_a_stop_is_answered_after_a_pause() -> None:
    plain = [sys.executable, "-m", "errata", "correct", "--lang", "en"]
    with subprocess.Popen(plain, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        for line in (b"She have alot of informations, and\n", b"that is that.\n"):
            process.stdin.write(line)
            process.stdin.flush()
            assert process.stdout.readline().endswith(line[-6:])
        process.stdin.close()
        assert process.wait() == 0


def test_wrapped_sentences_are_read_whole(run: Run, tmp_path: Path) -> None:
    text = "Permission is hereby granted, free of charge, to any person obtaining a copy\nof this software.\n"
    (tmp_path / "licence").write_text(text, "utf-8")
    assert run("correct", "licence", "--lang", "en") == (0, text, "")
    assert run("correct", "licence", "--lang", "en", "--markup", "none")[1] != text


def test_what_is_too_long_for_a_head_ends_quietly(exported: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(f"{SOURCE}\n" * 20_000, "utf-8")
    with subprocess.Popen(
        command(exported, str(tmp_path / "text.txt")), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout and process.stderr
        assert process.stdout.readline() == f"{TARGET}\n".encode()
        process.stdout.close()
        assert process.wait() == 141 and process.stderr.read() == b""


def test_a_full_disk(exported: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command(exported), input=SOURCE.encode(), stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (
        1,
        b"errata: No space left on device; make room, and give the command again\n",
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_nothing_behind(number: signal.Signals, exported: Path, tmp_path: Path) -> None:
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("the tests run under nohup, and so does what they start")
    with subprocess.Popen(command(exported, "-o", str(tmp_path / "out.txt")), stdin=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert [one.name[:9] for one in tmp_path.iterdir()] == [".out.txt."]
        process.send_signal(number)
        assert process.wait(timeout=60) == 128 + number
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("variable", "coloured"), [("", True), ("1", False)])
def test_colours_on_a_terminal(variable: str, coloured: bool, exported: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(SOURCE, "utf-8")
    ours, theirs = pty.openpty()
    subprocess.run(
        command(exported, str(tmp_path / "text.txt"), "--format", "diff"),
        stdout=theirs,
        env={**os.environ, "NO_COLOR": variable},
        check=True,
    )
    os.close(theirs)
    shown = os.read(ours, 4096).decode()
    os.close(ours)
    assert ("\x1b[31m[-go-]\x1b[0m\x1b[32m{+goes+}\x1b[0m" in shown) is coloured
