"""Whether a recipe trains on evaluation sentences: looked for before a run begins, stamped into all that comes of it.

The training files of a recipe are compared with its `data.dev` and `data.exclude`, and with the evaluation sets of the
catalogue in its language that are here. Records that `data.exclude` leaves out are not counted. The outcome lies beside
the packed data and travels with them.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.datasets.contamination import KINDS, Evaluation, EvaluationSet, Tally, make_report
from errata.datasets.evaluation_sets import find_evaluation_sets, open_file
from errata.datasets.finding import Listing, place_of_data
from errata.datasets.similar import DEFINITION
from errata.datasets.texts import read_records
from errata.errors import DataError, ErrataError
from errata.files import read_json, write_text
from errata.training.digests import key_of

if TYPE_CHECKING:
    from errata.training.settings import Recipe

log = logging.getLogger(__name__)

# Keys of `data:` whose files are trained on.
TRAINED = ("train", "text", "variants", "ratings")


def check_recipe(recipe: Recipe) -> dict[str, Any]:
    """What the training files of a recipe have in common with evaluation sets, ready for JSON; told in the log.

    Where the files are not here but the packed data are, it is what was found when they were packed.
    """
    path = _path(recipe)
    try:
        sets, n_excluded = _evaluation_sets(recipe)
        against = [[one.name, one.digest] for one in sets]
        report = _recall(path)
        if report is None or [[one["set"], one["digest"]] for one in report["against"]] != against:
            report = _check(recipe, sets, n_excluded)
            write_text(path, json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    except (ErrataError, OSError) as error:
        report = _recall(path) or {"definition": DEFINITION, "not_checked": str(error)}
    _tell(report)
    return report


def recall_check(recipe: Recipe) -> dict[str, Any] | None:
    """What `check_recipe` found; None if nothing was checked."""
    return _recall(_path(recipe))


def _path(recipe: Recipe) -> Path:
    key = key_of(DEFINITION, TRAINED, recipe.digests(), recipe.as_dict()["data"])
    return recipe.run.cache / f"contamination-{key}.json"


def _recall(path: Path) -> dict[str, Any] | None:
    report = read_json(path) if path.is_file() else None
    return report if isinstance(report, dict) and "against" in report else None


def _training_files(recipe: Recipe) -> Iterator[Path]:
    synthetic = getattr(recipe.data, "synthetic", None)
    for owner in (recipe.data, synthetic):
        for key in TRAINED:
            yield from _paths(owner, key)


def _paths(owner: Any, key: str) -> Iterator[Path]:
    """The files that a key names: none, one or several."""
    value = getattr(owner, key, None)
    for one in value if isinstance(value, tuple | list) else (value,):
        if isinstance(one, Path):
            yield one


def _evaluation_sets(recipe: Recipe) -> tuple[list[EvaluationSet], int]:
    """The sets to compare with; the first so many are the recipe's `data.exclude`."""
    if gone := [path for path in _training_files(recipe) if not path.exists()]:
        raise DataError(f"{gone[0]} is not here")
    excluded, dev = (
        [open_file(path, recipe.relative(path)) for path in _paths(recipe.data, key)] for key in ("exclude", "dev")
    )
    catalogued, _ = find_evaluation_sets(Listing(place_of_data(None)), recipe.language)
    known = {one.digest for one in (*excluded, *dev)}
    return [*excluded, *dev, *(one for one in catalogued if one.digest not in known)], len(excluded)


def _check(recipe: Recipe, sets: list[EvaluationSet], n_excluded: int) -> dict[str, Any]:
    evaluation = Evaluation(sets)
    tallies = []
    for path in _training_files(recipe):
        tally = Tally(recipe.relative(path))
        for record in read_records(path):
            hits = evaluation.find(record.texts)
            is_left_out = any(hit.set < n_excluded for hit in hits)
            tally.count([] if is_left_out else hits)
            tally.n_left_out += is_left_out
        tallies.append(tally)
    return make_report(evaluation, tallies)


def _tell(report: dict[str, Any]) -> None:
    if "not_checked" in report:
        log.warning("evaluation sentences were not looked for in the training files: %s", report["not_checked"])
        return
    for one in report["files"]:
        if any(one[kind] for kind in KINDS if kind != "short"):
            log.warning(
                "%s: evaluation sentences among %d records: exact copies %d, near duplicates %d (errata data check)",
                *(one["file"], one["records"], one["exact"], one["near"]),
            )
