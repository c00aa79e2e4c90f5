"""A robustness report as one HTML page that needs nothing else: tables, bars as SVG, flips side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from errata.model import Counts
from errata.reports.page import make_page, make_table
from errata.robustness.bounds import BETA
from errata.robustness.flips import Flip, FlipSide, Piece
from errata.robustness.groups import GroupRow
from errata.robustness.report import RobustReport, SubsetReport
from errata.robustness.scores import RobustScores
from errata.text.tokens import join_tokens

# Two bars of a group must be told apart without colours: one is hollow.
STYLE = """
.flips td { text-align: left; }
del { color: var(--del); } ins { color: var(--ins); text-decoration: none; font-weight: 600; }
mark { background: var(--mark); color: inherit; border-radius: 3px; padding: 0 .15em; }
.official { fill: var(--accent); } .consistent { fill: none; stroke: var(--accent); stroke-width: 1.5; }
"""
# Pixels of a bar chart: of its names, of the bars at 100 %, of the numbers behind them, and of one bar.
NAMES, FULL, NUMBERS, BAR = 150, 520, 130, 14
DEFINED = {
    "official": "official: what the script published with RobustGEC computes",
    "consistent": "consistent: the same corrections, carried across the perturbation",
}


def format_page(report: RobustReport) -> str:
    """The whole page."""
    parts = [
        f'<p class="quiet">{_describe(report.total)}</p>',
        *(f"<p>Warning: {escape(warning)}</p>" for warning in report.warnings),
        *(part for name in report.signatures for part in _show_definition(name, report)),
        *(part for name, rows in report.groups.items() for part in _show_groups(name, rows)),
        *_show_flips(report),
    ]
    return make_page(f"Robustness of {report.hypothesis}", parts, STYLE)


def _describe(total: SubsetReport) -> str:
    changed = f", {total.n_changed} of them with another error than their original" if total.n_changed else ""
    return f"{total.n_cases} cases with {total.n_variants} variants{changed}"


def _show_definition(name: str, report: RobustReport) -> Iterable[str]:
    head = ["cases", *(f"{bound} {part}" for bound in ("O", "U", "L") for part in ("P", "R", "F0.5")), "ΔF0.5"]
    rows = [(one.name, _score_cells(one.n_cases, one.scores[name])) for one in report.rows]
    yield f"<h2>{escape(DEFINED[name])}</h2>"
    yield make_table(["", *head, "CRS", "P-CRS"], [[escape(label), *cells] for label, cells in rows])
    yield '<p class="quiet">O: the original samples; U and L: upper and lower bound; small: 95 % intervals.<br>'
    yield f"<small>{escape(report.signatures[name])}</small></p>"


def _score_cells(n_cases: int, scores: RobustScores) -> list[str]:
    cells = [str(n_cases)]
    for bound, counts in (("original", scores.original), ("upper", scores.upper), ("lower", scores.lower)):
        cells += [_percent(counts.precision), _percent(counts.recall), _with_interval(bound, counts.f(BETA), scores)]
    named = (("delta", scores.delta), ("crs", scores.crs), ("p_crs", scores.p_crs))
    return cells + [_with_interval(name, value, scores) for name, value in named]


def _with_interval(name: str, value: float, scores: RobustScores) -> str:
    interval = scores.intervals.get(name)
    if interval is None:
        return _percent(value)
    return f"{_percent(value)}<br><small>{_percent(interval[0])}–{_percent(interval[1])}</small>"


def _percent(value: float) -> str:
    return f"{100 * value:.2f}"


def _show_groups(name: str, rows: Mapping[str, GroupRow]) -> Iterable[str]:
    yield f"<h2>P-CRS by {escape(name)}</h2>"
    yield _chart(rows)
    yield '<p class="quiet">Filled: official; outlined: consistent. In brackets: the number of variants.</p>'


def _chart(rows: Mapping[str, GroupRow]) -> str:
    step = 2 * BAR + 14
    parts = []
    for place, (label, row) in enumerate(rows.items()):
        top = 8 + place * step
        parts.append(f'<text x="{NAMES - 8}" y="{top + BAR + 4}" text-anchor="end">{escape(label)}</text>')
        parts.append(_bar("official", top, row.official))
        if row.consistent is not None:
            parts.append(_bar("consistent", top + BAR + 2, row.consistent))
        numbers = "–" if row.consistent is None else _percent(row.consistent)
        told = f"{_percent(row.official)} · {numbers} ({row.n_variants})"
        parts.append(f'<text x="{NAMES + FULL + 8}" y="{top + BAR + 4}">{told}</text>')
    height = 8 + len(rows) * step
    lines = "".join(
        f'<line class="axis" x1="{NAMES + FULL * tenth // 10}" x2="{NAMES + FULL * tenth // 10}" y1="0" y2="{height}"/>'
        for tenth in range(0, 11, 2)
    )
    box = f"0 0 {NAMES + FULL + NUMBERS + 40} {height}"
    return f'<svg viewBox="{box}" role="img" aria-label="bars of P-CRS">{lines}{"".join(parts)}</svg>'


def _bar(kind: str, top: int, value: float) -> str:
    return f'<rect class="{kind}" x="{NAMES}" y="{top}" width="{FULL * value:.1f}" height="{BAR}"/>'


def _show_flips(report: RobustReport) -> Iterable[str]:
    if report.flips:
        yield f"<h2>{len(report.flips)} of {report.n_flips} flips</h2>"
        yield '<div class="flips">' + make_table(["", "original", "variant"], map(_flip_row, report.flips)) + "</div>"
        yield '<p class="quiet">Marked: what the perturbation changed. Below: right and wrong edits, and misses.</p>'


def _flip_row(flip: Flip) -> list[str]:
    where = f"{escape(flip.origin)}:{flip.line}<br><small>case {flip.case}, {escape(flip.sample)}</small>"
    return [where, *(_flip_side(side) for side in (flip.original, flip.variant))]


def _flip_side(side: FlipSide) -> str:
    like = [token for piece in side.pieces for token in piece.source]
    shown = [_show_piece(piece, like) for piece in side.pieces if piece.source or piece.target]
    return f"{join_tokens(shown, like=like)}<br><small>{_describe_counts(side.counts)}</small>"


def _describe_counts(counts: Counts) -> str:
    return f"{counts.tp} right, {counts.fp} wrong, {counts.fn} missed"


def _show_piece(piece: Piece, like: Sequence[str]) -> str:
    before, after = (escape(join_tokens(tokens, like=like)) for tokens in (piece.source, piece.target))
    shown = before
    if piece.is_corrected:
        shown = " ".join([*([f"<del>{before}</del>"] if before else []), *([f"<ins>{after}</ins>"] if after else [])])
    return f"<mark>{shown}</mark>" if piece.is_perturbed else shown
