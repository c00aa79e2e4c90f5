# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""TrueSkill's games, compiled; `_trueskill.py` is the readable twin.

The two follow the same steps in the same order and give the same numbers; comments are in the twin.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.math cimport M_PI, erfc, exp, sqrt


cdef inline double density(double x) noexcept nogil:
    return exp(-x * x / 2) / sqrt(2 * M_PI)


cdef inline double below(double x) noexcept nogil:
    return erfc(-x / sqrt(2.0)) / 2


cdef int choose_opponent(
    int first, double chance, int n, double* wins, double* skills, double* variances, double* weights, double spread
) noexcept nogil:
    cdef double total = 0.0, gap, target
    cdef int other, last = first
    for other in range(n):
        if other != first and wins[other] >= 0:
            gap = skills[first] - skills[other]
            total += exp(-gap * gap / (2 * (spread + variances[first] + variances[other])))
            last = other
        weights[other] = total
    target = chance * total
    for other in range(n):
        if other != first and wins[other] >= 0 and weights[other] > target:
            return other
    return last


def play_games(wins, draws, chances, double sigma, double beta, double margin, double near):
    cdef int n = len(wins), first, second, winner, loser, player
    cdef double[:, :] drawn = chances
    cdef Py_ssize_t game, n_games = drawn.shape[0]
    cdef double spread = 2 * near * near, square, scale, ahead, edge, v, w, x, between, low, high
    cdef bint is_draw
    cdef double* memory = <double*>PyMem_Malloc(sizeof(double) * (2 * n * n + 3 * n))
    if memory == NULL:
        raise MemoryError
    cdef double* won = memory
    cdef double* tied = won + n * n
    cdef double* skills = tied + n * n
    cdef double* variances = skills + n
    cdef double* weights = variances + n
    try:
        for first in range(n):
            skills[first], variances[first] = 0.0, sigma * sigma
            for second in range(n):
                won[first * n + second] = wins[first][second]
                tied[first * n + second] = draws[first][second]
        for game in range(n_games):
            first = 0
            for player in range(1, n):
                if variances[player] > variances[first]:
                    first = player
            second = choose_opponent(first, drawn[game, 0], n, won + first * n, skills, variances, weights, spread)
            winner, loser, is_draw = first, second, False
            if not drawn[game, 1] < won[first * n + second]:
                is_draw = drawn[game, 1] < won[first * n + second] + tied[first * n + second]
                if not is_draw:
                    winner, loser = second, first
            square = 2 * beta * beta + variances[winner] + variances[loser]
            scale = sqrt(square)
            ahead, edge = (skills[winner] - skills[loser]) / scale, margin / scale
            if is_draw:
                between = below(edge - ahead) - below(-edge - ahead)
                if between <= 0:
                    v, w = (edge - ahead if ahead > 0 else -edge - ahead), 1.0
                else:
                    low, high = density(-edge - ahead), density(edge - ahead)
                    v = (low - high) / between
                    w = v * v + ((edge - ahead) * high + (edge + ahead) * low) / between
            else:
                x = ahead - edge
                between = below(x)
                v = density(x) / between if between > 0 else -x
                w = v * (v + x)
            skills[winner] += variances[winner] / scale * v
            skills[loser] -= variances[loser] / scale * v
            variances[winner] *= 1 - variances[winner] / square * w
            variances[loser] *= 1 - variances[loser] / square * w
        return [skills[player] for player in range(n)], [variances[player] for player in range(n)]
    finally:
        PyMem_Free(memory)
