"""TrueSkill's games, one after the other: the readable twin of `_trueskill_c.pyx`.

Herbrich, Minka and Graepel (2006) for the update after a win or a draw; Sakaguchi, Post and Van Durme (2014) for who
plays next: the system whose skill is least certain, against one that is probably as good.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import erfc, exp, pi, sqrt

Shares = Sequence[Sequence[float]]


def play_games(
    wins: Shares,
    draws: Shares,
    chances: Iterable[Sequence[float]],
    sigma: float,
    beta: float,
    margin: float,
    near: float,
) -> tuple[list[float], list[float]]:
    """The skill of each player and its variance after a game for each pair of `chances` in [0, 1).

    `wins[i][j]` and `draws[i][j]` are the shares of games between the two that the first player wins, and that nobody
    wins; a share of -1 says that the two never play. The first chance chooses the opponent, the second the outcome.
    `beta` is how much a performance varies and `margin` the difference that is still a draw; an opponent is the
    likelier, the nearer its skill, with `near` in the place of `beta`.
    """
    n = len(wins)
    skills, variances = [0.0] * n, [sigma * sigma] * n
    for opponent_chance, outcome_chance in chances:
        first = max(range(n), key=variances.__getitem__)
        second = _choose_opponent(first, opponent_chance, wins[first], skills, variances, 2 * near * near)
        if outcome_chance < wins[first][second]:
            winner, loser, is_draw = first, second, False
        elif outcome_chance < wins[first][second] + draws[first][second]:
            winner, loser, is_draw = first, second, True
        else:
            winner, loser, is_draw = second, first, False
        square = 2 * beta * beta + variances[winner] + variances[loser]
        scale = sqrt(square)
        ahead, edge = (skills[winner] - skills[loser]) / scale, margin / scale
        v, w = _draw_update(ahead, edge) if is_draw else _win_update(ahead - edge)
        skills[winner] += variances[winner] / scale * v
        skills[loser] -= variances[loser] / scale * v
        variances[winner] *= 1 - variances[winner] / square * w
        variances[loser] *= 1 - variances[loser] / square * w
    return skills, variances


def _choose_opponent(
    first: int, chance: float, wins: Sequence[float], skills: Sequence[float], variances: Sequence[float], spread: float
) -> int:
    weights = []
    total = 0.0
    for other in range(len(skills)):
        if other != first and wins[other] >= 0:
            gap = skills[first] - skills[other]
            total += exp(-gap * gap / (2 * (spread + variances[first] + variances[other])))
            weights.append((total, other))
    target = chance * total
    for reached, other in weights:
        if reached > target:
            return other
    return weights[-1][1]


def _density(x: float) -> float:
    return exp(-x * x / 2) / sqrt(2 * pi)


def _below(x: float) -> float:
    return erfc(-x / sqrt(2)) / 2


def _win_update(x: float) -> tuple[float, float]:
    below = _below(x)
    v = _density(x) / below if below > 0 else -x
    return v, v * (v + x)


def _draw_update(ahead: float, edge: float) -> tuple[float, float]:
    between = _below(edge - ahead) - _below(-edge - ahead)
    if between <= 0:
        return (edge - ahead if ahead > 0 else -edge - ahead), 1.0
    low, high = _density(-edge - ahead), _density(edge - ahead)
    v = (low - high) / between
    return v, v * v + ((edge - ahead) * high + (edge + ahead) * low) / between
