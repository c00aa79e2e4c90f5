"""The section about `errata compare`: scores, tests, ranks, and the sentences that differ most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from errata.analysis.sections.scores import show_metric, show_signatures
from errata.reports.page import make_table
from errata.reports.tables import Table, show_number, show_tables
from errata.text.tokens import join_tokens

SHOWN = 20  # sentences that differ


def show(result: Any) -> Iterator[str]:
    """Each metric, then the edits."""
    for one in result["comparisons"]:
        yield from show_metric(one["metric"], one["systems"])
        yield from show_tables(_test_tables(one))
        yield from show_signatures(one["systems"])
    names = [one["hypothesis"] for one in result["comparisons"][0]["systems"]]
    yield from _show_differences(result["edits"], names)


def _test_tables(one: Mapping[str, Any]) -> Iterator[Table]:
    for outcome in one["pairwise"]:
        rows = tuple(
            (
                f"{pair['first']} → {pair['second']}",
                (
                    f"{100 * pair['difference']:+.2f}",
                    show_number(pair["p_value"], 4),
                    show_number(pair["adjusted_p_value"], 4),
                ),
            )
            for pair in outcome["pairs"]
        )
        title = f"{one['metric']}: {outcome['method']}, correction {one['correction']}, α {one['alpha']:g}"
        yield Table(title, "systems", ("difference", "p", "p corrected"), rows)
        ranks = tuple(
            (row["hypothesis"], (str(row["rank"]), " ".join(map(str, row["groups"])))) for row in outcome["ranking"]
        )
        yield Table(f"{one['metric']}: ranks", "system", ("rank", "groups"), ranks)


def _show_differences(edits: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Iterator[str]:
    if not edits:
        yield '<p class="quiet">No sentences that differ: errata compare lists them for two systems (--edits N).</p>'
        return
    shown = sorted(edits, key=lambda one: (-abs(_weigh(one)), one["sentence"]))[:SHOWN]
    rows = [[str(one["sentence"]), _show_edits(one)] for one in sorted(shown, key=lambda one: one["sentence"])]
    yield f"<h3>{len(shown)} of {len(edits)} sentences that differ</h3>"
    told = f"1: {escape(names[0])}, 2: {escape(names[1])}; <ins>green</ins>: right, <del>red</del>: wrong."
    yield f'<p class="quiet">{told}</p>'
    yield f'<div class="examples">{make_table(["sentence", "edits of one system only"], rows)}</div>'


def _weigh(one: Mapping[str, Any]) -> int:
    """Right minus wrong edits, second system minus first."""
    first, second = (sum(1 if edit["right"] else -1 for edit in one[side]) for side in ("first", "second"))
    return second - first


def _show_edits(one: Mapping[str, Any]) -> str:
    tokens = one["source"]
    lines = [escape(join_tokens(tokens))]
    for number, side in enumerate(("first", "second"), 1):
        for edit in one[side]:
            before = join_tokens(tokens[edit["start"] : edit["end"]], like=tokens) or "∅"
            tag = "ins" if edit["right"] else "del"
            told = escape(f"{before} → {edit['replacement'] or '∅'}")
            lines.append(f"<small>{number}: <{tag}>{told}</{tag}> {escape(edit['type'])}</small>")
    return "<br>".join(lines)
