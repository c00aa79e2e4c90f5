"""The impact of edits as tables, from what `errata analyze edits --json` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from errata.reports.tables import ABSENT, Table, show_number, show_percent

KIND = "edits"
N_TYPES = 15


def make_tables(result: Mapping[str, Any]) -> list[Table]:
    """Corpora, types in each corpus, and differences between corpora."""
    return [_corpora_table(result["corpora"]), _type_table(result["corpora"]), *_difference_tables(result)]


def _corpora_table(corpora: Sequence[Mapping[str, Any]]) -> Table:
    columns = ("single edits", "measured", "similarity", "±", "perplexity ratio", "±", "median", "< 1 (%)")
    rows = tuple(
        (
            one["name"],
            (
                show_number(one["n_single"], 0),
                show_number(one["n_edits"], 0),
                show_number(one["similarity"], 4),
                show_number(one["similarity_error"], 4),
                show_number(one["ratio"], 3),
                show_number(one["ratio_error"], 3),
                show_number(one["median_ratio"], 3),
                show_percent(one["preferred"]),
            ),
        )
        for one in corpora
    )
    return Table("sentences with one edit, before and after it", "corpus", columns, rows)


def list_types(corpora: Sequence[Mapping[str, Any]]) -> list[str]:
    """The types with the most edits in all corpora together."""
    totals: dict[str, int] = {}
    for one in corpora:
        for name, means in one["by_type"].items():
            totals[name] = totals.get(name, 0) + means["n_edits"]
    return sorted(totals, key=lambda name: (-totals[name], name))[:N_TYPES]


def _type_table(corpora: Sequence[Mapping[str, Any]]) -> Table:
    columns = tuple(f"{one['name']}{part}" for one in corpora for part in ("", " similarity", " ratio"))
    rows = []
    for name in list_types(corpora):
        cells: list[str] = []
        for one in corpora:
            means = one["by_type"].get(name)
            cells += [
                ABSENT if means is None else show_number(means[key], digits)
                for key, digits in (("n_edits", 0), ("similarity", 4), ("ratio", 3))
            ]
        rows.append((name, tuple(cells)))
    return Table("error types: edits, mean similarity, mean perplexity ratio", "type", columns, tuple(rows))


def _difference_tables(result: Mapping[str, Any]) -> Iterator[Table]:
    for first, second in list_pairs(result):
        rows = tuple(
            (
                one["type"],
                (
                    str(one["n_first"]),
                    str(one["n_second"]),
                    f"{one['similarity']:+.4f}",
                    f"{one['ratio']:+.3f}",
                ),
            )
            for one in result["differences"]
            if (one["first"], one["second"]) == (first, second)
        )
        yield Table(f"{first} − {second}", "type", (first, second, "Δ similarity", "Δ ratio"), rows)


def list_pairs(result: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The pairs of corpora that have types in common."""
    return list(dict.fromkeys((one["first"], one["second"]) for one in result["differences"]))


def list_notes(result: Mapping[str, Any]) -> list[str]:
    """What should be known, then the signature."""
    pairs = [f"{one['name']}: {one['digest']}" for one in result["corpora"] if one["digest"]]
    digests = f"|{', '.join(pairs)}" if pairs else ""
    return [*result["notes"], f"{result['signature']}{digests}"]
