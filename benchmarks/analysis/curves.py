"""Curves of density for models and Harper, as `errata analyze density` makes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.analysis.corpora import list_arguments
from benchmarks.quality.correctors import DISTRIBUTIONS, PeerCorrector

from errata.analysis.corpora import find_corpora
from errata.analysis.density import DRAWS, SHARES
from errata.analysis.density_tables import KIND
from errata.analysis.systems import ModelSystem
from errata.analysis.tracing import DensityCorpus, Progress, load_corpus, trace_curve
from errata.metrics.inputs import make_sentence
from errata.model import AnnotatedSentence
from errata.stats.resampling import DEFAULT_SEED

CORPORA = ("CWEB-G test", "FCE test", "CoNLL-14")


class PeerSystem:
    """Harper or lingotweaker; its answers are not kept."""

    def __init__(self, name: str) -> None:
        self.name, self._peer = name, PeerCorrector(name)

    def correct(self, corpus: DensityCorpus, progress: Progress | None) -> list[str]:
        return self._correct(corpus.gold.sentences)

    def correct_corrected(self, corpus: DensityCorpus, progress: Progress | None) -> list[str]:
        return self._correct([AnnotatedSentence(make_sentence(text)) for text in corpus.corrected])

    def _correct(self, sentences: Sequence[AnnotatedSentence]) -> list[str]:
        chosen: Any = None  # peers read every set alike
        return self._peer.correct(chosen, sentences)


def trace(data: Path, systems: Sequence[str], limit: int | None, say: Callable[[str], object]) -> dict[str, Any]:
    """What `errata analyze density --json` would print."""
    files = find_corpora(list_arguments(data, CORPORA), lenient=True)
    corpora = [load_corpus(one, place, limit) for place, one in enumerate(files)]
    curves = []
    for name in systems:
        system = PeerSystem(name) if name in DISTRIBUTIONS else ModelSystem(name)
        for corpus in corpora:
            say(f"{name}: {corpus.name}, {len(corpus.sources)} sentences and {len(corpus.corrected)} corrected ones")
            curves.append(trace_curve(corpus, system, SHARES, DRAWS, DEFAULT_SEED).as_dict())
    return {"kind": KIND, "curves": curves}
