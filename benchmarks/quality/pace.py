"""How many sentences a second a corrector takes on all cores, once it is loaded and warm.

English is timed on CoNLL-2014's sentences, Chinese on the first of MuCGEC's test set: the best of three runs, as other
programs only ever make one longer. A slow corrector gets as many sentences as it can do in about `SECONDS`.
"""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.quality.correctors import Check, Corrector
from benchmarks.quality.results import Measured
from benchmarks.quality.sets import SETS
from benchmarks.speed.history import best_time, describe_machine

# Language → the set whose sentences are timed, and how many of them at most.
TIMED = {"en": ("conll14", 1312), "zh": ("mucgec", 600)}
WARM, SECONDS, RUNS = 8, 20.0, 3


def describe(corrector: Corrector) -> Measured:
    """What is known of a corrector before it runs."""
    return Measured(corrector.name, corrector.language, corrector.digest, corrector.size)


def measure(corrector: Corrector, data: Path) -> Measured:
    """The corrector with its speed."""
    name, most = TIMED[corrector.language]
    chosen = SETS[name]
    check, texts = corrector.prepare(chosen, chosen.read(chosen.paths(data)).sentences[:most])
    n_sentences, per_second = time_texts(check, texts)
    return replace(
        describe(corrector),
        per_second=round(per_second, 1),
        sentences=n_sentences,
        date=datetime.now(UTC).strftime("%Y-%m-%d"),
        machine=describe_machine(),
    )


def time_texts(check: Check, texts: list[str]) -> tuple[int, float]:
    """How many sentences were timed, and how many of them a second takes."""
    sample = texts[:: max(1, len(texts) // WARM)][:WARM]  # a set may begin with its shortest sentences
    check(sample)
    started = time.perf_counter()
    check(sample)
    affordable = int(len(sample) * SECONDS / max(time.perf_counter() - started, 1e-6))
    timed = texts[: max(WARM, affordable)]
    return len(timed), len(timed) / best_time(lambda: check(timed), clock=time.perf_counter, runs=RUNS)
