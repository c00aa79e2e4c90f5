"""Whatever is not corrected comes back byte for byte: `python -m benchmarks.fidelity --documents 10000`.

Random documents (`documents.py`), raw and Markdown by turns, are corrected and every correction is checked
(`checks.py`). Then some of them are written to files and corrected by the command in place, and the bytes compared.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.fidelity.checks import correct_documents, faults
from benchmarks.fidelity.documents import MEGABYTE, Document, make_document

from errata.cli import main as errata
from errata.cli.corrections import BOM
from errata.edits.apply import apply_text_edits
from errata.model import TextEdit
from errata.pipeline.load import load_corrector

AT_ONCE = 1000


def documents(count: int, long_lines: int, seed: int) -> Iterator[Document]:
    """The documents, those with a megabyte on one line first."""
    for i in range(count):
        yield make_document(seed + i, size=MEGABYTE if i < long_lines else 0)


def call(*arguments: str) -> str:
    """What the command prints; a status of 1 is no failure, `--check` gives it when it finds something."""
    told = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    sys.argv = ["errata", *arguments]
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(io.StringIO()):
        try:
            errata()
        except SystemExit as stop:
            if stop.code not in (0, 1, None):
                raise
    return told.buffer.getvalue().decode("utf-8") if isinstance(told.buffer, io.BytesIO) else ""


def file_faults(folder: Path, chosen: Sequence[Document], model: Sequence[str]) -> list[str]:
    """What is wrong with files after the command reported on them and corrected them."""
    paths = [folder / f"{i:04}{'.md' if one.markup == 'markdown' else '.txt'}" for i, one in enumerate(chosen)]
    for path, one in zip(paths, chosen, strict=True):
        path.write_bytes(one.text.encode())
    report = json.loads(call("correct", *map(str, paths), *model, "--check", "--format", "json"))
    call("correct", *map(str, paths), *model, "--in-place", "--backup", ".old")
    found: list[str] = []
    for path, one in zip(paths, chosen, strict=True):
        lines = re.split(rb"(\r\n|\r|\n)", one.text.encode())  # line, its end, next line …
        for told in (told for told in report if told["file"] == str(path)):
            at = 2 * (told["line"] - 1)
            lines[at] = edited(lines[at], told)
        if path.read_bytes() != b"".join(lines):
            found.append(f"{path.name}: the file is not its old content with the reported edits")
        old = path.with_name(path.name + ".old")
        if old.exists() != (path.read_bytes() != one.text.encode()):
            found.append(f"{path.name}: a copy is kept if and only if the file changed")
        if old.exists() and old.read_bytes() != one.text.encode():
            found.append(f"{path.name}: the copy is not the old content")
    return found


def edited(line: bytes, told: dict[str, Any]) -> bytes:
    """A line of a file after the edits that were reported for it; its columns begin after a byte order mark."""
    text = line.decode()
    mark = BOM if told["line"] == 1 and text.startswith(BOM) else ""
    edits = [TextEdit(edit["start"], edit["end"], edit["replacement"]) for edit in told["edits"]]
    return (mark + apply_text_edits(text.removeprefix(mark), edits)).encode()


def main() -> None:
    """Make, correct, check, print; exit 1 at the first batch with a fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="folder or bundled name; without it the bundled models, by language")
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--long-lines", type=int, default=4, help="how many of them are a megabyte on one line")
    parser.add_argument("--files", type=int, default=200, help="how many are corrected as files, by the command")
    parser.add_argument("--preset", help="careful, balanced or eager")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    corrector = load_corrector(options.model, preset=options.preset)
    began = time.perf_counter()
    made = documents(options.documents, options.long_lines, options.seed)
    n_done = n_edits = n_edited = n_bytes = 0
    while batch := [one for _, one in zip(range(AT_ONCE), made, strict=False)]:
        for document, correction in zip(batch, correct_documents(corrector, batch), strict=True):
            if wrong := faults(document, correction):
                sys.exit(f"document {options.seed + n_done} ({document.markup}): " + "; ".join(wrong))
            n_done += 1
            n_edits += len(correction.edits)
            n_edited += bool(correction.edits)
            n_bytes += len(document.text.encode())
        print(f"{n_done} documents, {n_edits} edits, {time.perf_counter() - began:.0f} s", file=sys.stderr)
    model = [*(["--model", options.model] if options.model else []), "--no-user-words"]
    if options.preset:
        model += ["--preset", options.preset]
    chosen = [make_document(options.seed + options.documents + i) for i in range(options.files)]
    chosen = [one for one in chosen if "\0" not in one.text]
    with tempfile.TemporaryDirectory() as folder:
        if wrong := file_faults(Path(folder), chosen, model):
            sys.exit("\n".join(wrong))
    print(
        f"{n_done} documents ({n_bytes / 1e6:.1f} MB), {n_edits} edits in {n_edited} of them, and {len(chosen)} files: "
        f"no fault; {time.perf_counter() - began:.0f} s"
    )


if __name__ == "__main__":
    main()
