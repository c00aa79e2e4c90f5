"""GMEG: Napoles, Nădejde and Tetreault (2019), corrections of three domains, each rated from 0 to 100."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from math import isfinite, nan
from pathlib import Path

import numpy as np

from errata.errors import AlignmentError, DataError, FormatError
from errata.meta_eval.base import ALL, JudgedSet, Rated, Track
from errata.meta_eval.files import count_empty, find_gold, read_outputs
from errata.metrics.inputs import read_parallel, read_texts

SOURCE, REFERENCE = "source", "ref"
SCORES = "-segment-scores.csv"


class Gmeg(JudgedSet):
    """Folders of outputs such as `test/fce`, beside `test/fce-segment-scores.csv`; each is a track.

    Ratings of a domain whose text is not distributed (Yahoo) are left out with a warning, as is the column `ref`: the
    file does not say which reference was rated.
    """

    name = "gmeg"

    def load(self, root: Path) -> list[Track]:
        tables = sorted(root.rglob(f"*{SCORES}"))
        if not tables:
            raise DataError(f"{root} has no ratings: looked for *{SCORES}; --root names the folder of the set")
        with_text = [path for path in tables if _folder(path).is_dir()]
        missing = [path.relative_to(root).as_posix() for path in tables if path not in with_text]
        if not with_text:
            raise DataError(f"{root}: no folder of outputs stands beside {tables[0].name}")
        tracks = [self._load_track(root, path) for path in with_text]
        if missing:
            warning = f"no text for {', '.join(missing)}: left out"
            tracks[0] = replace(tracks[0], warnings=[*tracks[0].warnings, warning])
        return tracks

    def _load_track(self, root: Path, path: Path) -> Track:
        folder = _folder(path)
        ratings = read_ratings(path)
        systems = [name for name in ratings if name != REFERENCE]
        outputs = read_outputs(folder, systems)
        references = sorted(folder.glob("ref[0-9]*"))
        source = folder / SOURCE
        if references and self.options.gold is None:
            gold = read_parallel(source, references)
        else:
            gold = find_gold(folder, self.options.gold, (), [" ".join(line.split()) for line in read_texts(source)])
        n_rated = len(next(iter(ratings.values())))
        if n_rated != len(gold):
            raise AlignmentError(f"{path} rates {n_rated} sentences, {source} has {len(gold)}")
        warnings = count_empty(outputs)
        if REFERENCE in ratings:
            warnings.append(f"{path.name}: the column {REFERENCE} does not say which reference was rated: left out")
        return Track(
            folder.relative_to(root).as_posix() if folder != root else folder.name,
            gold,
            outputs,
            rated=_rate(ratings, outputs),
            scores={"mean": {name: float(np.nanmean(ratings[name])) for name in systems}},
            groups={ALL: systems},
            warnings=warnings,
        )


def _folder(path: Path) -> Path:
    return path.with_name(path.name.removesuffix(SCORES))


def _rate(ratings: Mapping[str, list[float]], outputs: Mapping[str, list[str]]) -> list[Rated]:
    """The ratings of each sentence; a cell without a number is no rating."""
    rows = []
    for place in range(len(next(iter(outputs.values())))):
        rated = [name for name in outputs if isfinite(ratings[name][place])]
        texts = tuple(outputs[name][place] for name in rated)
        rows.append(Rated(place, texts, tuple(ratings[name][place] for name in rated), tuple(rated)))
    return rows


def read_ratings(path: Path) -> dict[str, list[float]]:
    """The column of each system; an empty cell is `nan`."""
    lines = read_texts(path)
    rows = list(csv.reader(lines))
    if not rows or len(rows) < 2:
        raise FormatError(str(path), None, "there are no ratings")
    head = [cell.strip() for cell in rows[0]]
    columns: dict[str, list[float]] = {name: [] for name in head}
    if len(columns) != len(head):
        raise FormatError(str(path), 1, "a system has two columns")
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(head):
            raise FormatError(str(path), number, f"{len(row)} cells, {len(head)} systems are named")
        for name, cell in zip(head, row, strict=True):
            try:
                columns[name].append(float(cell) if cell.strip() else nan)
            except ValueError:
                raise FormatError(str(path), number, f"a rating is a number, not {cell!r}") from None
    if empty := next((name for name, values in columns.items() if not any(map(isfinite, values))), None):
        raise FormatError(str(path), None, f"nobody rated {empty}")
    return columns
