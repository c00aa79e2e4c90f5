"""What the commands that run on shards share: `--engine`, `--ray-address`, `--shards`, and the way to the output."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errata.errors import DataError, UnknownName, UsageError
from errata.formats.files import STANDARD, content_digest, is_file, open_for_writing

if TYPE_CHECKING:
    from errata.scale.shards import Work

_PANEL = "Large inputs"

EngineName = Annotated[
    str | None,
    typer.Option(
        "--engine",
        help="Cut the input into shards that survive a kill: local (this process) or ray (a cluster).",
        rich_help_panel=_PANEL,
        show_default=False,
    ),
]
Address = Annotated[
    str | None,
    typer.Option(
        "--ray-address",
        help="ray: a cluster that runs already; else one is started here for the run.",
        rich_help_panel=_PANEL,
        show_default=False,
    ),
]
Shards = Annotated[
    int | None,
    typer.Option(
        "--shards",
        min=1,
        metavar="N",
        help="Number of shards; else 2,000 rows each.",
        rich_help_panel=_PANEL,
        show_default=False,
    ),
]


@dataclass(frozen=True, slots=True)
class Scaling:
    """How a command is to run on shards."""

    engine: str
    address: str | None = None
    n_shards: int | None = None

    def finished(
        self, work: Work, rows: Callable[[], Iterable[Any]], folder: Path, key: dict[str, Any]
    ) -> AbstractContextManager[list[Path]]:
        """The files with the results of all shards; `rows` gives the input from its beginning, and is called twice."""
        from errata.scale.engines import ENGINES
        from errata.scale.run import Plan, finished_shards

        engine = ENGINES[self.engine](**({"address": self.address} if self.engine == "ray" else {}))
        n_rows = sum(1 for _ in rows())
        plan = Plan(folder, json.dumps(key, sort_keys=True, default=str), n_rows, self.n_shards)
        return finished_shards(work, rows(), plan, engine)


def choose_scaling(engine: str | None, address: str | None, n_shards: int | None) -> Scaling | None:
    """How to run on shards; None where that was not asked for."""
    if engine is None:
        for option, value in (("--ray-address", address), ("--shards", n_shards)):
            if value is not None:
                raise UsageError(f"{option} goes with --engine ray" + (" or local" if option == "--shards" else ""))
        return None
    from errata.scale.engines import ENGINES

    if engine not in ENGINES:
        raise UnknownName("engine", engine, ENGINES)
    if address is not None and engine != "ray":
        raise UsageError("--ray-address is where a Ray cluster runs: give --engine ray")
    return Scaling(engine, address, n_shards)


def shards_folder(output: str, inputs: Sequence[str]) -> Path:
    """Where finished shards are kept, beside the output; refuses what cannot be read twice or has no place."""
    from errata.scale.keeping import folder_beside

    if output == STANDARD:
        raise UsageError("--engine keeps finished shards beside the output: give -o FILE")
    path = Path(output)
    if path.exists() and not path.is_file():
        raise UsageError(f"--engine keeps finished shards beside the output: {output} is no file")
    if not path.resolve().parent.is_dir():
        raise DataError(f"{output} cannot be written: there is no folder {path.resolve().parent}")
    for one in inputs:
        refuse_stream(one)
    return folder_beside(path.resolve())


def refuse_stream(path: str) -> None:
    """Refuse what can be read only once: the input is counted before it is cut."""
    if not is_file(path):
        name = "standard input" if path == STANDARD else path
        raise UsageError(f"--engine reads its input twice, which {name} does not allow: give a file")


def refuse_workers(workers: int | None) -> None:
    """Refuse processes beside an engine, which has its own."""
    if workers is not None:
        raise UsageError("--workers is for one machine without shards: leave --workers or --engine out")


def join_texts(paths: Iterable[Path], output: str, inputs: Sequence[str]) -> None:
    """Write the results of all shards to the output, which is whole or not there."""
    with open_for_writing(output, inputs=inputs) as stream:
        for path in paths:
            with path.open(encoding="utf-8", newline="") as content:
                shutil.copyfileobj(content, stream)


def digest_files(paths: Iterable[Path | str]) -> list[str]:
    """What some files have in them, for the key of a run."""
    return [content_digest(path) for path in paths]


def stamp_folder(folder: Path | None) -> list[list[Any]]:
    """What changes when a folder does: names, sizes and times of its files. Models are too large to read for that."""
    if folder is None:
        return []
    return [[str(path.relative_to(folder)), *_stamp(path)] for path in sorted(folder.rglob("*")) if path.is_file()]


def _stamp(path: Path) -> Iterator[int]:
    found = path.stat()
    yield from (found.st_size, found.st_mtime_ns)
