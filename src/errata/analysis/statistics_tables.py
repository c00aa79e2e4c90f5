"""The figures of several corpora side by side, from what `errata stats --json` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from errata.analysis.counting import OPERATIONS
from errata.reports.tables import Table, drop_empty_columns, show_number, show_percent

Figures = Mapping[str, Any]
N_TYPES = 10  # columns of error types, the most frequent ones
N_SIZES = 4  # columns of the distribution of references; the last one is "or more"
KIND = "stats"


def make_tables(corpora: Sequence[Figures]) -> list[Table]:
    """All tables; those about something that no corpus has are left out."""
    return [
        _sizes(corpora),
        *_errors(corpora),
        *_references(corpora),
        *_types(corpora),
        *_operations(corpora),
        *_labels(corpora),
    ]


def _sizes(corpora: Sequence[Figures]) -> Table:
    columns = ("sentences", "tokens", "characters", "tokens/sent.", "median", "95 %", "longest", "TTR", "TTR shuffled")
    rows = []
    for one in corpora:
        lengths = one["lengths"]
        cells = [show_number(one[key], 0) for key in ("n_sentences", "n_tokens", "n_characters")]
        cells += [show_number(lengths["mean"], 1), *(show_number(lengths[key], 0) for key in ("median", "p95", "max"))]
        cells += [show_number(one["type_token"]), show_number(one["type_token_shuffled"])]
        rows.append((_name(one), cells))
    return _table("size and variety", columns, rows)


def _name(one: Figures) -> str:
    return f"{one['name']} (characters)" if one["level"] == "char" else str(one["name"])


def _errors(corpora: Sequence[Figures]) -> Iterator[Table]:
    columns = ("erroneous", "%", "% per annotator", "annotators", "κ", "edits", "edits/err. ref.", "NEs/sent.")
    rows = []
    for one in corpora:
        if one["n_erroneous"] is None and one["entities_per_sentence"] is None:
            continue
        cells = [show_number(one["n_erroneous"], 0), show_percent(one["erroneous"])]
        cells += [show_percent(one["erroneous_mean"] if one["n_annotators"] else None)]
        cells += [show_number(one["n_annotators"], 0), show_number(one["kappa"]), show_number(one["n_edits"], 0)]
        cells += [show_number(one["edits_per_erroneous_reference"]), show_number(one["entities_per_sentence"])]
        rows.append((str(one["name"]), cells))
    if rows:
        yield _table("errors and agreement", columns, rows)


def _references(corpora: Sequence[Figures]) -> Iterator[Table]:
    sizes = [*map(str, range(1, N_SIZES)), f"≥ {N_SIZES}"]
    columns = ("references", "refs/sent.", "edits/ref.", *(f"{size} (%)" for size in sizes))
    rows = []
    for one in corpora:
        if one["n_references"]:
            cells = [show_number(one["n_references"], 0), show_number(one["references_per_sentence"])]
            cells += [show_number(one["edits_per_reference"]), *_distribution(one["distribution"])]
            rows.append((str(one["name"]), cells))
    if rows:
        title = "references, and how many erroneous sentences have 1, 2, … different ones"
        yield _table(title, columns, rows)


def _distribution(distribution: Mapping[str, int]) -> Iterator[str]:
    shares: Counter[int] = Counter()
    for written, count in distribution.items():  # JSON writes numbers that are keys as text
        shares[min(int(written), N_SIZES)] += count
    for size in range(1, N_SIZES + 1):
        yield show_percent(shares[size] / shares.total() if shares else None)


def _types(corpora: Sequence[Figures]) -> Iterator[Table]:
    """A table for each scheme of error types: they have no column in common."""
    schemes: dict[str, list[Figures]] = {}
    for one in corpora:
        if one["types"]:
            schemes.setdefault(_find_scheme(one["types"]), []).append(one)
    for scheme, members in schemes.items():
        largest: Counter[str] = Counter()
        for one in members:
            for name, rate in one["per_10k"].items():
                largest[name] = max(largest[name], rate)
        columns = [name for name, _ in largest.most_common(N_TYPES)]
        rows = [
            (
                str(one["name"]),
                [
                    *(show_number(one["per_10k"].get(name), 1) for name in columns),
                    show_number(one["errors_per_10k"], 1),
                ],
            )
            for one in members
        ]
        yield _table(f"errors per 10,000 tokens, {scheme}", (*columns, "ALL"), rows)


def _find_scheme(types: Mapping[str, int]) -> str:
    if any(name[:2] in ("M:", "R:", "U:") for name in types):
        return "ERRANT's types"
    return "ChERRANT's types" if set(types) <= {"M", "R", "S", "W", "UNK"} else "other types"


def _operations(corpora: Sequence[Figures]) -> Iterator[Table]:
    rows = [
        (str(one["name"]), [show_number(one["operations"].get(name, 0), 0) for name in OPERATIONS])
        for one in corpora
        if one["operations"]
    ]
    if rows:
        yield _table("operations, each alternative counted", OPERATIONS, rows)


def _labels(corpora: Sequence[Figures]) -> Iterator[Table]:
    columns = list(dict.fromkeys(name for one in corpora for name in one["labels"]))
    rows = [
        (str(one["name"]), [show_percent(_share(one["labels"], name), 2) for name in columns])
        for one in corpora
        if one["labels"]
    ]
    if rows:
        yield _table("error types of sentences (%)", columns, rows)


def _share(labels: Mapping[str, int], name: str) -> float:
    return labels.get(name, 0) / sum(labels.values())


def _table(title: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> Table:
    return Table(title, "corpus", *drop_empty_columns(columns, rows))


def list_notes(corpora: Sequence[Figures]) -> list[str]:
    """What should be known about the figures, then their signatures."""
    notes = [f"{one['name']}: {note}" for one in corpora for note in one["notes"]]
    return [*notes, *(f"{one['name']}: {one['signature']}" for one in corpora)]
