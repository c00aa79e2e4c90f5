"""Several corpora at once, each in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from errata.analysis.corpora import CorpusFiles
from errata.analysis.statistics import CorpusStats, Progress, StatsOptions, measure_corpus
from errata.formats.files import is_file


def measure_all(
    corpora: Sequence[CorpusFiles], options: StatsOptions, workers: int = 1, progress: Progress | None = None
) -> list[CorpusStats]:
    """The figures of the corpora in their order; `progress` is told how many of them are counted."""
    if workers == 1 or len(corpora) < 2 or not all(is_file(path) for one in corpora for path in one.paths):
        found = []
        for number, corpus in enumerate(corpora, 1):
            found.append(measure_corpus(corpus, options))
            _tell(progress, number, len(corpora))
        return found
    with ProcessPoolExecutor(min(workers, len(corpora)), get_context("spawn")) as pool:
        futures: list[Future[CorpusStats]] = [pool.submit(measure_corpus, corpus, options) for corpus in corpora]
        try:
            for number, future in enumerate(as_completed(futures), 1):
                future.result()
                _tell(progress, number, len(corpora))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return [future.result() for future in futures]


def _tell(progress: Progress | None, finished: int, total: int) -> None:
    if progress:
        progress("corpora", finished, total)
