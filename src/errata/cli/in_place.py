"""Correct files where they are: each is wholly corrected or untouched, and its old content kept beside it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import typer

from errata.cli.corrections import CorrectedLine, correct_input
from errata.cli.inputs import Input
from errata.errors import DataError, ErrataError
from errata.systems.base import Corrector
from errata.train.files import replacing


def correct_files(corrector: Corrector, inputs: Sequence[Input], backup: str | None) -> bool:
    """Whether every file could be corrected, or needed no correction; what happened is told on standard error."""
    n_corrected = n_failed = 0
    for given in inputs:
        try:
            batches = list(given.batches())
        except ErrataError as error:
            typer.echo(f"errata: {error}", err=True)
            n_failed += 1
            continue
        lines = list(correct_input(corrector, given, batches, lambda: None))
        try:
            n_edits = rewrite(Path(given.path), lines, backup)
        except DataError as error:
            typer.echo(f"errata: {error}", err=True)
            n_failed += 1
            continue
        if n_edits:
            n_corrected += 1
            typer.echo(f"{given.name}: {n_edits} correction{'s' if n_edits > 1 else ''}", err=True)
    failed = f", {n_failed} could not be corrected" if n_failed else ""
    typer.echo(f"{n_corrected} of {len(inputs)} files corrected{failed}", err=True)
    return not n_failed


def rewrite(path: Path, lines: Sequence[CorrectedLine], backup: str | None) -> int:
    """Put the corrected lines in the place of the file they came from; the number of edits, 0 when it needs none.

    Permissions stay, a link goes on leading to the file, and `backup` is the suffix of the copy with the old content.
    """
    n_edits = sum(len(line.correction.edits) for line in lines)
    if not n_edits:
        return 0
    target = path.resolve()
    try:
        if target.read_bytes() != "".join(line.source for line in lines).encode():
            raise DataError(f"{path}: the file changed while it was being corrected; it is left as it is now")
        if backup is not None:
            _keep_copy(target, target.with_name(target.name + backup))
        _replace(target, "".join(line.target for line in lines).encode())
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or error}; the file is as it was") from error
    return n_edits


def _keep_copy(target: Path, copy: Path) -> None:
    with replacing(copy) as beside:
        shutil.copy2(target, beside)


def _replace(target: Path, content: bytes) -> None:
    if not os.access(target, os.W_OK):
        raise PermissionError(None, "the file is read-only")
    with replacing(target) as beside:
        beside.write_bytes(content)
        shutil.copymode(target, beside)
        owner = target.stat()
        with suppress(PermissionError):  # only root may give files away
            os.chown(beside, owner.st_uid, owner.st_gid)
