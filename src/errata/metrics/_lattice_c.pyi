from collections.abc import Sequence

from errata.metrics._lattice import Gold, PathEdit

def best_paths(
    source: Sequence[int], hypothesis: Sequence[int], golds: Sequence[Sequence[Gold]], max_unchanged: int
) -> list[list[PathEdit]]: ...
