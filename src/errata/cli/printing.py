"""Corrected texts on standard output or in a file, and reports of what would be corrected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import typer

from errata.cli.corrections import CorrectedLine, correct_input
from errata.cli.inputs import Input
from errata.cli.renderings import RENDERERS, REPORTS, Style
from errata.errors import ErrataError
from errata.formats.files import open_for_writing
from errata.systems.base import Corrector


@dataclass(slots=True)
class Tally:
    """What a check found."""

    n_edits: int = 0
    n_files: int = 0
    n_failed: int = 0


def print_corrections(corrector: Corrector, inputs: Sequence[Input], output: str, rendering: str, style: Style) -> None:
    """Write every line of every text, as soon as it is corrected."""
    with open_for_writing(output) as stream:
        lines = (line for given in inputs for line in correct_input(corrector, given, given.batches(), stream.flush))
        for chunk in RENDERERS[rendering](lines, style):
            stream.write(chunk)


def print_findings(corrector: Corrector, inputs: Sequence[Input], output: str, rendering: str, style: Style) -> bool:
    """Whether there is nothing to correct and every text could be read; a text that cannot be is told and skipped."""
    tally = Tally()
    with open_for_writing(output) as stream:
        for chunk in REPORTS[rendering](_lines_to_correct(corrector, inputs, tally), style):
            stream.write(chunk)
    found = f"{tally.n_edits} correction{'' if tally.n_edits == 1 else 's'} in {tally.n_files} of {len(inputs)} texts"
    failed = f", {tally.n_failed} could not be read" if tally.n_failed else ""
    typer.echo(found + failed, err=True)
    return not tally.n_edits and not tally.n_failed


def _lines_to_correct(corrector: Corrector, inputs: Sequence[Input], tally: Tally) -> Iterator[CorrectedLine]:
    for given in inputs:
        try:
            batches = list(given.batches())
        except ErrataError as error:
            typer.echo(f"errata: {error}", err=True)
            tally.n_failed += 1
            continue
        before = tally.n_edits
        for line in correct_input(corrector, given, batches, lambda: None):
            if line.correction.edits:
                tally.n_edits += len(line.correction.edits)
                yield line
        tally.n_files += tally.n_edits > before
