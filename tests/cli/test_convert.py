"""`errata convert` as people run it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command_runs import Run

M2 = (
    "S This are it .\nA 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0\nA 0 1|||R|||These|||REQUIRED|||-NONE-|||1\n\n"
    "S Fine .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\nS Nobody looked .\n\n"
)


def run(*arguments: str, cwd: Path, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [sys.executable, "-m", "errata", "convert", *arguments], cwd=cwd, input=data, capture_output=True
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_m2_to_parallel_applies_edits_and_counts_what_is_lost(tmp_path: Path) -> None:
    (tmp_path / "dev.m2").write_text(M2, encoding="utf-8")
    done = run("dev.m2", "dev.tsv", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "dev.tsv").read_text(encoding="utf-8") == (
        "This are it .\tThis is it .\tThese are it .\nFine .\tFine .\nNobody looked .\n"
    )
    assert done.stderr.splitlines() == [
        "3 sentences: m2 → parallel",
        "  parallel cannot say: edits (applied; only the corrected text is left), in 1 sentence",
        "  parallel cannot say: edit types, in 1 sentence",
        "  without any annotation: 1 sentence",
    ]


def test_standard_streams_and_detection(tmp_path: Path) -> None:
    there = run("-", "-", "--to", "jsonl", cwd=tmp_path, stdin=M2)
    assert there.returncode == 0 and json.loads(there.stdout.splitlines()[0])["tokens"] == ["This", "are", "it", "."]
    back = run("-", "-", "--to", "m2", cwd=tmp_path, stdin=there.stdout)
    assert (back.returncode, back.stdout) == (0, M2)


def test_line_parallel_files(tmp_path: Path) -> None:
    for name, text in {"a.src": "a\nb\n", "a.ref": "c\n\n", "a.ref2": "d\ne"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = run("a.src", "a.tsv", "--ref", "a.ref", "--ref", "a.ref2", cwd=tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "a.tsv").read_text(encoding="utf-8") == "a\tc\td\nb\t\te\n"


def test_operations_become_references_and_references_operations(tmp_path: Path) -> None:
    operations = [{"Insert": [{"pos": 0, "tag": "INS_1", "label": ["很", "真"]}]}]
    (tmp_path / "a.json").write_text(
        json.dumps({"r1": {"sentence": "他好", "operation": operations}}), encoding="utf-8"
    )
    assert run("a.json", "a.para", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a.para").read_text(encoding="utf-8") == "r1\t他好\t他很好\t他真好\n"
    assert run("a.para", "b.json", cwd=tmp_path).returncode == 0
    assert json.loads(json.loads((tmp_path / "b.json").read_text(encoding="utf-8"))["r1"]["operation"]) == [
        {"Insert": [{"pos": 0, "tag": "INS_1", "label": "很"}]},
        {"Insert": [{"pos": 0, "tag": "INS_1", "label": "真"}]},
    ]


GOOD_A = "A 0 1|||R|||x|||REQUIRED|||-NONE-|||0"


@pytest.mark.parametrize(
    ("arguments", "content", "code", "message"),
    [
        (
            ["dev.m2", "o.tsv"],
            f"S a\n{GOOD_A.replace('0 1', '7 5')}\n",
            1,
            "dev.m2:2: edit span 7:5 runs backwards (A 7 5",
        ),
        (
            ["dev.m2", "o.tsv"],
            f"S a\n{GOOD_A.replace('0 1', '0 2')}\n",
            1,
            "ends after the last of 1 tokens (A 0 2|||R|||x); --lenient keeps such edits, as the official scorers do",
        ),
        (["dev.m2", "o.tsv"], b"S a\n\nS \xff\n", 1, "dev.m2:3: not UTF-8: byte 0xff at column 3"),
        (["dev.m2", "o.tsv"], f"S a\n{GOOD_A}\n{GOOD_A.replace('x', 'y')}\n", 1, "o.tsv: sentence 1 cannot be written"),
        (["dev.m2", "o.m2", "--from", "parallel"], "a\tb\n", 1, "find them with errata extract"),
        (["dev.m2", "o.doc"], f"S a\n{GOOD_A}\n", 2, "names no format; name it with --to"),
        (["dev.m2", "-"], f"S a\n{GOOD_A}\n", 2, "names no format; name it with --to"),
        (["dev.m2", "o.m2", "--from", "m3"], "", 2, "unknown format 'm3' (choose from cherrant, fcgec"),
        (["dev.m2", "o.m2", "--from", "jsonl", "--lenient"], "", 2, "format 'jsonl' has no option 'strict'"),
        (["dev.m2", "o.m2", "--ref", "dev.m2", "--lenient"], "", 2, "--ref reads plain text"),
        (["missing.m2", "o.m2"], "", 1, "missing.m2: No such file or directory"),
        (["dev.m2", "missing/o.m2"], f"S a\n{GOOD_A}\n", 1, "missing/o.m2: No such file or directory"),
    ],
)
def test_errors_are_one_line(
    run: Run, tmp_path: Path, arguments: list[str], content: str | bytes, code: int, message: str
) -> None:
    (tmp_path / "dev.m2").write_bytes(content if isinstance(content, bytes) else content.encode())
    got, _, err = run("convert", *arguments)
    assert got == code
    assert message in err and err.startswith("errata: ") and err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["dev.m2"]


def test_a_short_file_names_both_files(tmp_path: Path) -> None:
    (tmp_path / "source.txt").write_text("a\nb\nc\n", encoding="utf-8")
    (tmp_path / "hyp.txt").write_text("a\n\n", encoding="utf-8")
    done = run("source.txt", "o.tsv", "--ref", "hyp.txt", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        1,
        "errata: hyp.txt has 2 lines, source.txt 3: files must be parallel; first empty line in hyp.txt is 2\n",
    )


def test_content_that_fits_nothing(tmp_path: Path) -> None:
    done = run("-", "o.m2", cwd=tmp_path, stdin="plain text\n")
    assert done.returncode == 2 and "<stdin> fits no known format; name it with --from" in done.stderr


def test_lenient_keeps_edits_beyond_the_end(tmp_path: Path) -> None:
    text = f"S a\n{GOOD_A.replace('0 1', '0 9')}\n\n"
    (tmp_path / "dev.m2").write_text(text, encoding="utf-8")
    assert run("dev.m2", "o.m2", "--lenient", cwd=tmp_path).returncode == 0
    assert (tmp_path / "o.m2").read_text(encoding="utf-8") == text
