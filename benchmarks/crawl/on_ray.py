"""A run on a Ray cluster of two nodes, both on this machine: `python -m benchmarks.crawl.on_ray ARCHIVES FOLDER`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.clusters import start_cluster
from benchmarks.crawl.runs import crawl_archives

from errata.crawl.engines import Engine, LocalRunner


def _refuse_many(run: Callable[..., None]) -> Callable[..., None]:
    """Let only single tasks run in this process: the others are to run on the cluster."""

    def call(self: LocalRunner, stage: str, tasks: Sequence[int]) -> None:
        assert len(tasks) <= 1, f"{stage} runs here"
        run(self, stage, tasks)

    return call


def main(archives: str, folder: str) -> None:
    import ray

    LocalRunner.__call__ = _refuse_many(LocalRunner.__call__)  # type: ignore[method-assign]
    cluster = start_cluster()
    try:
        options = {"address": cluster.address, "memory": 0.2}
        crawl_archives(Path(archives), Path(folder), engine=Engine("ray", 0, options))
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        print(f"{sum(one['Alive'] for one in ray.nodes())} nodes")
    finally:
        ray.shutdown()
        cluster.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
