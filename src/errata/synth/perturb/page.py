"""A page of variants for people to judge: what was changed, where the errors are, and room for a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from errata.model import AnnotatedSentence, Edit, Tokens
from errata.synth.perturb.variants import Varied

# Variants on a page: an hour's work.
SIZE = 60
COLUMNS = ("case", "sample", "action", "original", "variant", "is it correct?", "is the error the same?")


@dataclass(frozen=True, slots=True)
class Row:
    """A variant beside its original; errors are `[old → new]`, changed words stand in braces."""

    case: int
    sample: str
    action: str
    original: str
    variant: str


class Collector:
    """Keeps a random sample of the variants that pass by, each as likely as any other."""

    def __init__(self, seed: int, size: int = SIZE) -> None:
        self._rng, self._size, self._n_seen = Random(f"{seed} sample"), size, 0
        self._kept: list[Row] = []

    def add(self, case: int, varied: Varied) -> None:
        """Look at the variants of a case."""
        for number, (variant, candidate) in enumerate(zip(varied.variants, varied.candidates, strict=True), 1):
            self._n_seen += 1
            place = len(self._kept) if len(self._kept) < self._size else self._rng.randrange(self._n_seen)
            if place >= self._size:
                continue
            change = candidate.perturbation
            row = Row(
                case,
                f"A{number}",
                change.action,
                _show(varied.original, change.start, change.end),
                _show(variant, change.start, change.start + len(change.words)),
            )
            self._kept[place : place + 1] = [row]

    @property
    def rows(self) -> list[Row]:
        """The sample, in the order of the corpus."""
        return sorted(self._kept, key=lambda row: (row.case, int(row.sample[1:])))


def format_page(rows: Sequence[Row], *, as_table: bool) -> Iterator[str]:
    """The lines of the page: tab-separated with `as_table`, else Markdown."""
    cells: Iterable[tuple[str, ...]] = [
        (str(row.case), row.sample, row.action, row.original, row.variant, "", "") for row in rows
    ]
    if as_table:
        yield "\t".join(COLUMNS) + "\n"
        for line in cells:
            yield "\t".join(line) + "\n"
        return
    yield "Errors are written [old → new], and braces stand around what was changed.\n\n"
    yield f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}\n"
    for line in cells:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n"


def _show(sample: AnnotatedSentence, start: int, end: int) -> str:
    """The source with the edits of the first annotator, and braces around tokens [start, end)."""
    tokens, edits = sample.sentence.tokens, sample.annotations[0].edits
    marks: dict[int, list[str]] = {}
    for edit in edits:
        marks.setdefault(edit.start, []).append(_show_edit(tokens, edit))
    inside = {place for edit in edits for place in range(edit.start, edit.end)}
    shown: list[str] = []
    for place in range(len(tokens) + 1):
        if place == end and start < end:
            shown.append("}")
        shown += ["{"] if place == start < end else ["{}"] if place == start == end else []
        shown += marks.get(place, [])
        if place < len(tokens) and place not in inside:
            shown.append(tokens[place])
    return " ".join(shown).replace("{ ", "{").replace(" }", "}")


def _show_edit(tokens: Tokens, edit: Edit) -> str:
    return f"[{' '.join(tokens[edit.start : edit.end])} → {' '.join(edit.replacement)}]"
