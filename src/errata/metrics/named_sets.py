"""The gold of a named test set, from the files that were found for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from errata.datasets.catalogue import PARALLEL, NamedSet
from errata.metrics.inputs import Gold, read_gold, read_parallel


def read_set(named: NamedSet, paths: Sequence[Path]) -> Gold:
    """The sentences of all files; `paths` are in the order of the set's files."""
    if named.format == PARALLEL:
        return Gold(named.name, read_parallel(paths[0], paths[1:]).sentences)
    corpora = (read_gold(path, named.format, lenient=named.is_lenient) for path in paths)
    return Gold(named.name, tuple(sentence for corpus in corpora for sentence in corpus.sentences))
