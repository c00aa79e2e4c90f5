"""A whole run: cut, skip what is kept, run the rest, and hand over all results in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errata.files import replacing
from errata.scale.engines import Engine
from errata.scale.keeping import kept_in
from errata.scale.progress import Progress
from errata.scale.shards import Shard, Work, choose_size, cut


@dataclass(frozen=True, slots=True)
class Plan:
    """How an input is run: where finished shards are kept, and what their results depend on beside the rows (`key`)."""

    folder: Path
    key: str
    n_rows: int
    n_shards: int | None = None

    @property
    def size(self) -> int:
        return choose_size(self.n_rows, self.n_shards)


@contextmanager
def finished_shards(work: Work, rows: Iterable[Any], plan: Plan, engine: Engine) -> Iterator[list[Path]]:
    """The files with the results of all shards, in order, for the block; they go when it ends well.

    A shard whose result is there is not run again. A result is written beside and renamed, so a file that is there is
    whole, however the run before ended.
    """
    progress = Progress(engine.name, plan.n_rows, plan.size)
    paths: list[Path] = []

    def missing() -> Iterator[Shard]:
        for shard in cut(rows, plan.size):
            path = plan.folder / shard.name(plan.key)
            paths.append(path)
            if path.exists():
                progress.keep()
            else:
                yield shard

    with kept_in(plan.folder):
        for number, content in engine.run(work, missing()):
            with replacing(paths[number]) as beside:
                beside.write_bytes(content)
            progress.finish()
        progress.end()
        yield paths
