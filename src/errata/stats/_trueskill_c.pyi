from collections.abc import Iterable, Sequence

from errata.stats._trueskill import Shares

def play_games(
    wins: Shares,
    draws: Shares,
    chances: Iterable[Sequence[float]],
    sigma: float,
    beta: float,
    margin: float,
    near: float,
) -> tuple[list[float], list[float]]: ...
