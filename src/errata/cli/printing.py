"""Corrected texts on standard output or in a file, and reports of what would be corrected."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import typer

from errata.cli.corrections import CorrectedLine, Corrector, correct_input
from errata.cli.inputs import Input
from errata.cli.renderings import RENDERERS, REPORTS, Style
from errata.cli.watching import tell
from errata.errors import ErrataError
from errata.formats.files import open_for_writing


@dataclass(slots=True)
class Tally:
    """What was found, and how many texts could not be read."""

    n_edits: int = 0
    n_files: int = 0
    n_failed: int = 0


def print_corrections(corrector: Corrector, inputs: Sequence[Input], output: str, rendering: str, style: Style) -> bool:
    """Write every line of every text, as soon as it is corrected; whether every text could be read."""
    tally = Tally()
    with open_for_writing(output) as stream:
        for chunk in RENDERERS[rendering](_correct_all(corrector, inputs, tally, stream.flush), style):
            stream.write(chunk)
        if tally.n_failed == len(inputs):
            raise typer.Exit(1)  # an output file stays as it was
    return not tally.n_failed


def print_findings(corrector: Corrector, inputs: Sequence[Input], output: str, rendering: str, style: Style) -> bool:
    """Whether there is nothing to correct and every text could be read."""
    tally = Tally()
    with open_for_writing(output) as stream:
        lines = (line for line in _correct_all(corrector, inputs, tally, stream.flush) if line.correction.edits)
        for chunk in REPORTS[rendering](lines, style):
            stream.write(chunk)
    found = f"{tally.n_edits} correction{'' if tally.n_edits == 1 else 's'} in {tally.n_files} of {len(inputs)} texts"
    failed = f", {tally.n_failed} could not be read" if tally.n_failed else ""
    tell(found + failed)
    return not tally.n_edits and not tally.n_failed


def _correct_all(
    corrector: Corrector, inputs: Sequence[Input], tally: Tally, before_reading: Callable[[], object]
) -> Iterator[CorrectedLine]:
    for given in inputs:
        before = tally.n_edits
        for line in correct_input(corrector, given, _read(given, tally), before_reading):
            tally.n_edits += len(line.correction.edits)
            yield line
        tally.n_files += tally.n_edits > before


def _read(given: Input, tally: Tally) -> Iterator[list[str]]:
    """The lines of a text as they arrive; why they end too soon is told, and a file with such an end gives none."""
    try:
        if given.is_file:
            deque(given.batches(), maxlen=0)
        yield from given.batches()
    except ErrataError as error:
        tell(f"errata: {error}")
        tally.n_failed += 1
