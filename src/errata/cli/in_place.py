"""Correct files where they are: each is wholly corrected or untouched, and its old content kept beside it."""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path

from errata.cli.corrections import CorrectedLine, Corrector, correct_input
from errata.cli.inputs import Input
from errata.cli.watching import tell
from errata.errors import DataError, ErrataError, UsageError
from errata.files import replacing


def leave_out_backups(inputs: Sequence[Input], backup: str) -> list[Input]:
    """The inputs without the copies of others among them; `UsageError` where such a copy was named."""
    targets = {Path(one.path).resolve(): one for one in inputs}
    kept: list[Input] = []
    for target, one in targets.items():
        name, _, number = target.name.rpartition(backup)
        is_copy = bool(name) and (not number or number.isdecimal())
        original = targets.get(target.with_name(name)) if is_copy else None
        if original is None:
            kept.append(one)
        elif one.is_named:
            raise UsageError(
                f"{one.name} is where the old content of {original.name} goes: "
                "leave one of them out, or give another --backup"
            )
    return kept


def correct_files(corrector: Corrector, inputs: Sequence[Input], backup: str | None) -> bool:
    """Whether every file could be corrected, or needed no correction; what happened is told on standard error."""
    n_corrected = n_failed = 0
    for given in inputs:
        try:
            batches = list(given.batches())
        except ErrataError as error:
            tell(f"errata: {error}")
            n_failed += 1
            continue
        lines = list(correct_input(corrector, given, batches, lambda: None))
        try:
            n_edits = rewrite(Path(given.path), lines, backup)
        except DataError as error:
            tell(f"errata: {error}")
            n_failed += 1
            continue
        if n_edits:
            n_corrected += 1
            tell(f"{given.name}: {n_edits} correction{'s' if n_edits > 1 else ''}")
    failed = f", {n_failed} could not be corrected" if n_failed else ""
    tell(f"{n_corrected} of {len(inputs)} files corrected{failed}")
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
        if not os.access(target, os.W_OK):
            raise PermissionError(None, "the file is read-only")
        if target.read_bytes() != "".join(line.source for line in lines).encode():
            raise DataError(f"{path}: the file changed while it was being corrected; it is left as it is now")
        with replacing(target) as beside:
            beside.write_bytes("".join(line.target for line in lines).encode())
            _make_alike(beside, target)
            if backup is not None:
                _keep_copy(target, backup)
    except OSError as error:
        raise DataError(f"{path}: {error.strerror or error}; the file is as it was") from error
    return n_edits


def _make_alike(path: Path, model: Path) -> None:
    """Give a file the permissions and, where one may, the owner of another."""
    shutil.copymode(model, path)
    owner = model.stat()
    with suppress(PermissionError):  # only root may give files away
        os.chown(path, owner.st_uid, owner.st_gid)


def _keep_copy(target: Path, suffix: str) -> None:
    """Copy the file to the first of `.bak`, `.bak1`, `.bak2` … that is free, or the same already: no copy is lost."""
    for number in count():
        copy = target.with_name(f"{target.name}{suffix}{number or ''}")
        if not copy.exists():
            with replacing(copy) as beside:
                shutil.copy2(target, beside)
            return
        if copy.is_file() and filecmp.cmp(target, copy, shallow=False):
            return
