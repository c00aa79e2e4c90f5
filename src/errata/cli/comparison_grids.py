"""The tables of `errata compare`: scores, the tests of two systems, ranks, and a matrix of tests of more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from errata.cli.grids import Grid, Row
from errata.cli.tables import score_grid
from errata.metrics.evaluation import Evaluation
from errata.metrics.standings import ComparedSystems, Outcome, Procedure
from errata.stats.pairwise import Pair

_CORRECTIONS = {"holm": "Holm", "bh": "Benjamini-Hochberg", "none": "no"}


def comparison_grids(compared: ComparedSystems) -> list[Grid]:
    """What is shown of systems under one metric: two are put side by side, more are ranked."""
    if len(compared.evaluations) == 2:
        return [score_grid(compared.evaluations), _test_grid(compared.outcomes)]
    return [_rank_grid(compared), *(_matrix_grid(compared, one) for one in compared.outcomes)]


def shown_order(compared: ComparedSystems) -> list[Evaluation]:
    """The evaluations in the order of the tables: two as they were given, more from best to worst."""
    if len(compared.evaluations) == 2:
        return list(compared.evaluations)
    return [compared.evaluations[one.system] for one in compared.outcomes[0].ranking]


def _test_grid(outcomes: Sequence[Outcome]) -> Grid:
    """The tests of two systems, a row for each method."""
    rows = []
    for one in outcomes:
        [pair] = one.pairs.values()
        test = pair.test
        interval = "{:+.2f} … {:+.2f}".format(*(100 * bound for bound in test.interval)) if test.interval else ""
        wins = "" if test.wins is None else f"{100 * test.wins:.1f} %"
        rows.append(Row(test.method, (f"{100 * test.difference:+.2f}", interval, wins, f"{test.p_value:.4f}")))
    columns = ("difference", "95 % interval", "second ahead", "p")
    return Grid("difference (second − first)", "test", columns, tuple(rows))


def _rank_grid(compared: ComparedSystems) -> Grid:
    """The scores from best to worst, with the rank of each system and its groups by the first method."""
    outcome = compared.outcomes[0]
    grid = score_grid(shown_order(compared))
    standings = iter(outcome.ranking)
    rows = []
    for row in grid.rows:
        one = None if row.is_part else next(standings)
        rows.append(replace(row, cells=(*row.cells, *((str(one.rank), " ".join(one.groups)) if one else ("", "")))))
    title = f"{grid.title}; groups by {outcome.method}, {_describe(compared.procedure)}"
    return replace(
        grid, title=title, columns=(*grid.columns, "rank", "groups"), rows=tuple(rows), texts=frozenset({"groups"})
    )


def _matrix_grid(compared: ComparedSystems, outcome: Outcome) -> Grid:
    """The tests of every pair, best system first: p-values above the diagonal, differences in points below it."""
    order = [one.system for one in outcome.ranking]
    rows = []
    for place, system in enumerate(order):
        cells = []
        for column, other in enumerate(order):
            pair: Pair = (min(system, other), max(system, other))
            if column == place:
                cells.append("–")
            elif column > place:
                p_value = outcome.pairs[pair].p_value
                cells.append(f"{p_value:.4f}{'*' if p_value < compared.procedure.level else ' '}")
            else:
                values = (compared.evaluations[one].score.value for one in (system, other))
                first, second = values
                cells.append(f"{100 * (first - second):+.2f}")
        rows.append(Row(compared.evaluations[system].hypothesis, tuple(cells)))
    title = f"{outcome.method}, {_describe(compared.procedure)}: p above the diagonal, row − column below"
    return Grid(
        title, "hypothesis", tuple(str(number + 1) for number in range(len(order))), tuple(rows), are_files=True
    )


def _describe(procedure: Procedure) -> str:
    return f"{_CORRECTIONS[procedure.correction]} correction, * p < {procedure.level:g}"
