"""The files of judged sets: found where they are published or where people put them, read and checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from errata.errors import DataError
from errata.formats.files import display_name
from errata.meta_eval.base import PathLike
from errata.metrics.inputs import Gold, check_parallel, check_same_sources, make_sentence, read_gold, read_texts
from errata.model import AnnotatedSentence

# Where the references of CoNLL-2014 are looked for, from the folder of the set.
CONLL14 = tuple(
    f"{folder}official-2014.combined.m2{packed}"
    for folder in ("", "conll14/", "../conll14/", "original/data/")
    for packed in ("", ".xz", ".gz")
)


def find_path(root: Path, choices: Sequence[str], what: str) -> Path:
    """The first of the paths that is there; a `DataError` says where it was looked for."""
    for choice in choices:
        if (root / choice).exists():
            return root / choice
    raise DataError(f"{root} has no {what}: looked for {', '.join(choices)}; --root names the folder of the set")


def read_outputs(folder: Path, systems: Iterable[str], suffix: str = "") -> dict[str, list[str]]:
    """The corrections of each system, line by line; spaces at the ends of lines and between tokens say nothing."""
    outputs: dict[str, list[str]] = {}
    for name in systems:
        path = folder / f"{name}{suffix}"
        if not path.is_file():
            raise DataError(f"{folder} has no output of {name}, which people judged: {path.name} is missing")
        outputs[name] = [" ".join(line.split()) for line in read_texts(path)]
        first = next(iter(outputs))
        check_parallel(str(path), outputs[name], f"{first}{suffix}", len(outputs[first]))
    return outputs


def find_gold(root: Path, named: PathLike | None, choices: Sequence[str], sources: Sequence[str]) -> Gold:
    """The sources with the references of the file that is named, or else of the first that is there, or with none."""
    path = named or next((root / choice for choice in choices if (root / choice).is_file()), None)
    if path is None:
        return Gold(str(root), tuple(AnnotatedSentence(make_sentence(line)) for line in sources))
    gold = read_gold(path)
    name = f"the source under {root}"
    check_parallel(name, sources, display_name(path), len(gold))
    check_same_sources(gold, name, sources)
    return gold


def count_empty(outputs: Mapping[str, Sequence[str]]) -> list[str]:
    """A warning for each system with empty corrections."""
    warnings = []
    for name, texts in outputs.items():
        if n_empty := sum(not text for text in texts):
            told = "one empty correction, which counts" if n_empty == 1 else f"{n_empty} empty corrections, which count"
            warnings.append(f"{name}: {told} as deleting the sentence")
    return warnings
