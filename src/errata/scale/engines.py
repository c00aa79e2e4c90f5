"""Where shards run: in this process, or on a Ray cluster that gives a lost machine's shards to another one.

Ray's tasks are used and not Ray Data: a shard that is done must be on disk before the next one is, whatever its place,
and Ray Data does not tell which rows a block came from.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol

import errata
from errata.errors import DataError, ErrataError
from errata.scale.cluster import joined_cluster, silenced
from errata.scale.shards import Shard, Work

_log = logging.getLogger(__name__)

# How often Ray tries a shard again when its process or machine is lost. A shard that takes too much memory is lost
# every time, so there is an end.
RETRIES = 10
# Shards handed to the cluster for each of its cores: enough to keep it busy, few enough to keep memory flat.
AHEAD = 2

_MISSING = re.compile(r"No module named '([\w.]+)'")

Result = tuple[int, bytes]  # number of a shard, and what came of it


class Engine(Protocol):
    """What runs shards; results come when they are there, in any order."""

    @property
    def name(self) -> str: ...

    def run(self, work: Work, shards: Iterable[Shard]) -> Iterator[Result]: ...


@dataclass(frozen=True, slots=True)
class LocalEngine:
    """One shard after the other, in this process."""

    name: str = "local"

    def run(self, work: Work, shards: Iterable[Shard]) -> Iterator[Result]:
        for shard in shards:
            yield shard.number, work(shard.first, shard.rows)


@dataclass(frozen=True, slots=True)
class RayEngine:
    """Each shard on one core of any machine of a cluster: the one at `address`, or one on this machine for the run."""

    address: str | None = None
    name: str = "ray"

    def run(self, work: Work, shards: Iterable[Shard]) -> Iterator[Result]:
        stream = iter(shards)
        first = next(stream, None)
        if first is not None:  # a cluster takes seconds to start
            with silenced(), joined_cluster(self.address):
                yield from _run_on_ray(work, chain([first], stream))


ENGINES: dict[str, Callable[..., Engine]] = {"local": LocalEngine, "ray": RayEngine}


def _run_on_ray(work: Work, shards: Iterable[Shard]) -> Iterator[Result]:
    import ray

    attempt = ray.remote(num_cpus=1, max_retries=RETRIES)(_attempt)
    shared = ray.put(work)
    pending: dict[Any, Shard] = {}
    watch = _Watch()
    for shard in shards:
        pending[attempt.remote(shared, shard.first, shard.rows)] = Shard(shard.number, shard.first, [])
        while len(pending) >= AHEAD * _count_cores():
            yield _collect(pending)
            watch.look()
    while pending:
        yield _collect(pending)
        watch.look()


class _Watch:
    """Tells when a machine of the cluster is lost."""

    def __init__(self) -> None:
        self._n_alive = _count_machines()

    def look(self) -> None:
        before, self._n_alive = self._n_alive, _count_machines()
        if self._n_alive < before:
            _log.warning("a machine of the cluster is lost; its shards run on the others (%d left)", self._n_alive)


def _count_machines() -> int:
    import ray

    return sum(bool(node["Alive"]) for node in ray.nodes())  # type: ignore[no-untyped-call]


def _count_cores() -> int:
    import ray

    return max(1, int(ray.cluster_resources().get("CPU", 1)))  # type: ignore[no-untyped-call]


def _collect(pending: dict[Any, Shard]) -> Result:
    """The next result that is there."""
    import ray

    (reference,), _ = ray.wait(list(pending), num_returns=1)
    shard = pending.pop(reference)
    with _explaining(shard):
        outcome: _Outcome = ray.get(reference)
    if outcome.error is not None:
        raise outcome.error
    if outcome.version != errata.__version__:
        raise DataError(
            f"a machine of the cluster has errata {outcome.version}, this one {errata.__version__}: "
            "install the same version on all"
        )
    assert outcome.content is not None
    return shard.number, outcome.content


@dataclass(frozen=True, slots=True)
class _Outcome:
    version: str
    content: bytes | None = None
    error: ErrataError | None = None


def _attempt(work: Work, first: int, rows: list[Any]) -> _Outcome:
    """What came of a shard. Our own errors are results: Ray would wrap them in its own."""
    try:
        return _Outcome(errata.__version__, work(first, rows))
    except ErrataError as error:
        return _Outcome(errata.__version__, error=error)


@contextmanager
def _explaining(shard: Shard) -> Iterator[None]:
    """What Ray says of a shard that is lost for good, as one line."""
    import ray.exceptions as lost

    try:
        yield
    except lost.RayTaskError as error:
        # Ray keeps no more than the words of what happens before the function is called.
        if missing := _MISSING.search(str(error)):
            raise DataError(
                f"a machine of the cluster has no package {missing[1]}: install errata there as it is here"
            ) from error
        raise
    except lost.RayError as error:
        raise DataError(
            f"the shard that begins at row {shard.first + 1} was lost {RETRIES + 1} times (is there enough memory?): "
            "run the same command again to go on, or give more --shards"
        ) from error
