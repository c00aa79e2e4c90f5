"""`errata attribute`: which edits raised or lowered the score of a sentence."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errata.cli import scoring
from errata.errors import UsageError
from errata.stats.resampling import DEFAULT_SEED

if TYPE_CHECKING:
    from errata.metrics.attribution import Attribution

_RED, _GREEN, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[0m"


def attribute(
    metrics: Annotated[
        list[str], typer.Option("--metric", "-m", metavar="NAME", help="Metric, such as impara or errant.")
    ],
    hyps: Annotated[list[str], typer.Option("--hyp", metavar="HYP", help="Hypotheses, one line for each sentence.")],
    gold: scoring.GoldPath = None,
    m2: scoring.M2Path = None,
    src: scoring.SourcePath = None,
    ref: scoring.ReferencePaths = None,
    data_dir: scoring.DataFolder = None,
    lang: scoring.Language = None,
    method: Annotated[
        str, typer.Option(help="shapley shares the whole gain; leave-one-out takes each edit away.")
    ] = "shapley",
    orders: Annotated[int, typer.Option(min=1, metavar="N", help="Orders drawn for sentences with many edits.")] = 24,
    top: Annotated[
        int | None, typer.Option("--top", min=1, metavar="N", help="Only the N sentences whose score changes most.")
    ] = None,
    allow_network: scoring.AllowNetwork = False,
    settings: scoring.Settings = None,
    html: Annotated[Path | None, typer.Option(metavar="PAGE", help="Write a page too.")] = None,
    seed: scoring.Seed = DEFAULT_SEED,
    as_json: scoring.AsJson = False,
) -> None:
    """Show what each edit adds to the score of its sentence.

    Example: errata attribute --metric impara --src src.txt --hyp system.txt --top 20
    """
    from errata.cli.json_text import format_json
    from errata.cli.tables import show_progress
    from errata.edits.texts import source_text
    from errata.formats.files import check_outputs, open_for_writing
    from errata.metrics.attribution import METHODS, attribute_scores
    from errata.text.language import find_language

    name, hyp = _take_one("--metric", metrics), _take_one("--hyp", hyps)
    if method not in METHODS:
        raise UsageError(f"no method {method!r}: choose {' or '.join(METHODS)}")
    check_outputs([html], [hyp, *(one for one in (gold, m2, src, *(ref or ())) if one)])
    set_name, settings = scoring.split_settings(settings)
    given = {"allow_network": allow_network or None}
    (metric,) = scoring.choose_metrics([name], None, given, settings, lang=lang, seed=seed)
    test_set = scoring.choose_set(set_name)
    inputs = scoring.Inputs(gold, m2, src, ref or (), test_set=test_set, data_dir=data_dir)
    corpus = scoring.load_gold(inputs, [metric])
    scoring.check_languages(corpus, [metric], lang)
    answers = scoring.load_answers(hyp, corpus, range(len(corpus)), scoring.Selection(), scoring.Reading(), [metric])
    language = lang or metric.language or find_language(source_text(one.sentence) for one in corpus.sentences) or "en"
    with show_progress(f"{name}: {answers.name}"):
        found = attribute_scores(answers.items, metric, language, method=method, orders=orders, seed=seed)
    edited = rows = [(number, one) for number, one in enumerate(found, 1) if one.edits]
    if top is not None:
        rows = sorted(rows, key=lambda row: -abs(row[1].after - row[1].before))[:top]
    if html is not None:
        from errata.metrics.attribution_page import format_page

        with open_for_writing(html) as stream:
            stream.write(format_page(f"{name}: {answers.name}", rows, f"{metric.signature}|method:{method}"))
    if as_json:
        typer.echo(format_json([_as_dict(number, one) for number, one in rows], 2))
    else:
        for line in _print(rows, coloured=sys.stdout.isatty()):
            typer.echo(line)
        if len(rows) < len(edited):
            typer.echo(f"{len(rows)} of {len(edited)} sentences with edits are shown", err=True)


def _take_one(flag: str, values: Sequence[str]) -> str:
    """The value of an option that `score` takes several times, and this command once."""
    different = list(dict.fromkeys(values))
    if len(different) > 1:
        raise UsageError(f"attribute takes one {flag}, not {' and '.join(different)}: run it once for each")
    return different[0]


def _as_dict(number: int, one: Attribution) -> dict[str, Any]:
    return {
        "sentence": number,
        "before": one.before,
        "after": one.after,
        "tokens": list(one.tokens),
        "edits": [
            {
                "start": edit.start,
                "end": edit.end,
                "replacement": list(edit.replacement),
                "type": edit.type,
                "adds": share,
            }
            for edit, share in zip(one.edits, one.contributions, strict=True)
        ],
    }


def _print(rows: Sequence[tuple[int, Attribution]], *, coloured: bool) -> Iterator[str]:
    for number, one in rows:
        yield f"{number}: {one.before:.4f} → {one.after:.4f}"
        yield "  " + " ".join(_mark(one, coloured))
        for edit, share in zip(one.edits, one.contributions, strict=True):
            old, new = " ".join(one.tokens[edit.start : edit.end]), " ".join(edit.replacement)
            yield f"  {share:+.4f}  {old or '∅'} → {new or '∅'}  {edit.type or ''}".rstrip()


def _mark(one: Attribution, coloured: bool) -> Iterator[str]:
    """The words of a sentence; edits that raise the score are green, those that lower it red."""
    position = 0
    for edit, share in zip(one.edits, one.contributions, strict=True):
        yield from one.tokens[position : edit.start]
        old, new = " ".join(one.tokens[edit.start : edit.end]), " ".join(edit.replacement)
        marked = f"[{old} → {new}]"
        yield f"{_GREEN if share > 0 else _RED}{marked}{_PLAIN}" if coloured and share else marked
        position = edit.end
    yield from one.tokens[position:]
