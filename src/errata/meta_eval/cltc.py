"""CLTC-2022, track 5: quality estimation for Chinese. Ten candidate corrections of a sentence, each with its F0.5.

The values are not ratings: they say how well a candidate agrees with what people wrote. So a metric that reads the same
references agrees by construction; the track is for metrics that read none.
"""

from __future__ import annotations

import json
import re
from math import isfinite
from pathlib import Path
from typing import Any

from errata.errors import DataError, FormatError
from errata.formats.files import display_name
from errata.meta_eval.base import JudgedSet, Rated, Track
from errata.meta_eval.files import find_gold
from errata.metrics.inputs import read_texts

PATTERN = re.compile(r"(?:track5-qe\.)?(.*)\.jsonl(?:\.xz|\.gz)?")
VALUE = "f05"


class Cltc(JudgedSet):
    """Every `*.jsonl` with values under the folder is a track; references are the `.para` files of track 3."""

    name = "cltc"

    def load(self, root: Path) -> list[Track]:
        tracks = []
        unlabelled = []
        for path in sorted(root.glob("*.jsonl*")):
            matched = PATTERN.fullmatch(path.name)
            if matched is None:
                continue
            name = matched[1]
            sources, rated = read_candidates(path)
            if not rated:
                unlabelled.append(path.name)
                continue
            gold = find_gold(root, self.options.gold, (f"track3.{name}.para",), sources)
            tracks.append(Track(name, gold, rated=rated, order="within sentence", is_choice=True))
        if not tracks:
            told = f"; {', '.join(unlabelled)} have no values" if unlabelled else ""
            raise DataError(f"{root} has no candidates with values: looked for *.jsonl{told}")
        return tracks


def read_candidates(path: Path) -> tuple[list[str], list[Rated]]:
    """The sources and the rated candidates; none are rated where the file has no values, as that of a test."""
    origin = display_name(path)
    sources: list[str] = []
    rated: list[Rated] = []
    for number, line in enumerate(read_texts(path), 1):
        source, texts, values = _parse(line, origin, number)
        if values:
            rated.append(Rated(len(sources), texts, values, tuple(map(str, range(len(texts))))))
        elif rated:
            raise FormatError(origin, number, f"a candidate has no {VALUE}, though others have")
        sources.append(source)
    return sources, rated if len(rated) == len(sources) else []


def _parse(line: str, origin: str, number: int) -> tuple[str, tuple[str, ...], tuple[float, ...]]:
    try:
        entry: Any = json.loads(line)
        source, candidates = entry["src"], entry["hyps"]
        texts = tuple(one["text"] for one in candidates)
        values = tuple(float(one[VALUE]) for one in candidates if VALUE in one)
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(origin, number, f"not a sentence with candidates: {error!r}") from None
    if not (isinstance(source, str) and texts and all(isinstance(text, str) for text in texts)):
        raise FormatError(origin, number, "a source is a text, and a candidate has a text")
    if len(values) not in (0, len(texts)) or not all(map(isfinite, values)):
        raise FormatError(origin, number, f"{len(texts)} candidates have {len(values)} values")
    return source, texts, values
