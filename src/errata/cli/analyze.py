"""`errata analyze`: what makes a corpus easy or hard for correctors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from errata.errors import UsageError
from errata.stats.resampling import DEFAULT_SEED

if TYPE_CHECKING:
    from errata.analysis.tracing import DensityCorpus

_IN, _MODEL, _HOW, _OUT = "Input", "Model", "Analysis", "Output"
# Each is kept until the ranges are known: more would fill the memory and say nothing new.
MOST_DRAWS = 100_000

app = typer.Typer(
    name="analyze",
    help="What makes a corpus easy or hard: its error density, and what its edits change.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


Corpora = Annotated[
    list[str],
    typer.Argument(metavar="CORPUS", help="FILE in any format, NAME=FILE, or NAME=SOURCE,REFERENCE,… line by line."),
]
Lenient = Annotated[
    bool, typer.Option("--lenient", help="Keep M2 edits that reach beyond their sentence.", rich_help_panel=_IN)
]
Limit = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Only the first N sentences of each corpus.", rich_help_panel=_IN)
]
Cache = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Folder for what models answered (else in errata's cache).", rich_help_panel=_MODEL
    ),
]
Report = Annotated[Path | None, typer.Option(metavar="PAGE", help="Write a page with plots too.", rich_help_panel=_OUT)]
Format = Annotated[str, typer.Option("--format", help="text, markdown, latex, csv or json.", rich_help_panel=_OUT)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.", rich_help_panel=_OUT)]


@app.command("density")
def density(
    corpora: Corpora,
    model: Annotated[
        list[str] | None,
        typer.Option(help="Correct with this installed model, or folder (./mine); repeat.", rich_help_panel=_MODEL),
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="careful, balanced or eager.", rich_help_panel=_MODEL, show_default=False)
    ] = None,
    rules: Annotated[
        bool, typer.Option("--rules/--no-rules", help="Correct everyday slips by rule too.", rich_help_panel=_MODEL)
    ] = True,
    cache: Cache = None,
    hyp: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SYSTEM=FILE,…", help="Outputs of a system, a file for each corpus; repeat.", rich_help_panel=_IN
        ),
    ] = None,
    corrected: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SYSTEM=FILE,…", help="Its outputs for what --write-corrected wrote.", rich_help_panel=_IN
        ),
    ] = None,
    write_corrected: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write the corrected sentences of each corpus for other systems, and stop.",
            rich_help_panel=_OUT,
        ),
    ] = None,
    lenient: Lenient = False,
    limit: Limit = None,
    shares: Annotated[
        str | None,
        typer.Option(
            metavar="P,…", help="Shares of erroneous sentences in per cent (5,10,20 … 100).", rich_help_panel=_HOW
        ),
    ] = None,
    draws: Annotated[
        int,
        typer.Option(
            min=1, max=MOST_DRAWS, metavar="N", help="Random choices of sentences at each share.", rich_help_panel=_HOW
        ),
    ] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Seed of these choices.", rich_help_panel=_HOW)] = DEFAULT_SEED,
    report: Report = None,
    format: Format = "text",
    as_json: AsJson = False,
) -> None:
    """Measure precision and recall as the share of erroneous sentences varies.

    Example: errata analyze density CWEB-G=CWEB-G.test.m2 FCE=fce.test.m2 --model en-small --report density.html
    """
    from errata.analysis.corpora import find_corpora
    from errata.analysis.density import SHARES, check_shares
    from errata.analysis.density_tables import KIND, list_notes, make_tables
    from errata.analysis.report import Result, make_report
    from errata.analysis.systems import ModelSystem, make_file_systems, read_named_files
    from errata.analysis.tracing import System, load_corpus, trace_curve
    from errata.cli.model_names import given_with
    from errata.cli.printed_tables import choose_format, print_tables
    from errata.cli.progress import show_bar
    from errata.formats.files import check_outputs, open_for_writing

    format = choose_format(format, as_json)
    wanted = check_shares(SHARES if shares is None else _read_shares(shares))
    files = find_corpora(corpora, lenient=lenient)
    check_outputs([report], [path for one in files for path in one.paths])
    outputs = read_named_files(hyp or (), "--hyp", len(files))
    again = read_named_files(corrected or (), "--corrected", len(files))
    with given_with("--model"):
        systems: list[System] = [
            ModelSystem(name, cache, preset=preset, rules=None if rules else False) for name in model or ()
        ]
    systems += make_file_systems(outputs, again)
    if not systems and write_corrected is None:
        raise UsageError("no system: give --model NAME, or --hyp SYSTEM=FILE")
    loaded = [load_corpus(one, place, limit) for place, one in enumerate(files)]
    if write_corrected is not None:
        _write_corrected(loaded, write_corrected)
        return
    with show_bar() as progress:
        traced = [trace_curve(one, system, wanted, draws, seed, progress) for one in loaded for system in systems]
    curves = [one.as_dict() for one in traced]
    result = {"kind": KIND, "curves": curves}
    if report is not None:
        with open_for_writing(report) as stream:
            stream.write(make_report([Result(KIND, result)], "Error density"))
    print_tables(result, make_tables(curves), list_notes(curves), format)


def _read_shares(written: str) -> list[float]:
    try:
        return [float(one) / 100 for one in written.split(",")]
    except ValueError:
        raise UsageError(f"--shares {written}: write per cents separated by commas, such as 5,25,50") from None


def _write_corrected(corpora: list[DensityCorpus], folder: Path) -> None:
    """A file of corrected sentences for each corpus."""
    from errata.formats.files import open_for_writing

    for one in corpora:
        if Path(one.name).name != one.name:
            raise UsageError(f"{one.name!r} is no name for a file in {folder}: give the corpus a NAME=FILE without /")
    if folder.is_file():
        raise UsageError(f"{folder} is a file: give --write-corrected a folder")
    folder.mkdir(parents=True, exist_ok=True)
    for one in corpora:
        path = folder / f"{one.name}.corrected.txt"
        with open_for_writing(path) as stream:
            stream.write("".join(f"{text}\n" for text in one.corrected))
        typer.echo(f"{path}: {len(one.corrected)} sentences", err=True)


@app.command("edits")
def edits(
    corpora: Corpora,
    encoder: Annotated[
        str | None,
        typer.Option(help="Sentence encoder: package:NAME, folder or Hugging Face name.", rich_help_panel=_MODEL),
    ] = None,
    lm: Annotated[
        str | None,
        typer.Option(help="Causal language model, named in the same way (else SmolLM2).", rich_help_panel=_MODEL),
    ] = None,
    device: Annotated[str, typer.Option(help="cpu, cuda, cuda:1 …", rich_help_panel=_MODEL)] = "cpu",
    cache: Cache = None,
    lenient: Lenient = False,
    limit: Limit = None,
    sample: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Draw N single edits of each corpus.", rich_help_panel=_IN),
    ] = None,
    min_edits: Annotated[
        int,
        typer.Option(
            min=1, metavar="N", help="Compare types with N edits or more in both corpora.", rich_help_panel=_HOW
        ),
    ] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Seed of --sample.", rich_help_panel=_HOW)] = DEFAULT_SEED,
    report: Report = None,
    format: Format = "text",
    as_json: AsJson = False,
) -> None:
    """Measure how much single edits change the meaning of sentences, and how much a language model likes them.

    Example: errata analyze edits CWEB-S=CWEB-S.test.m2 FCE=fce.test.m2 --sample 500 --report edits.html
    """
    from errata.analysis.corpora import find_corpora
    from errata.analysis.edit_impact import find_differences
    from errata.analysis.edit_judge import ModelJudge, measure_corpora
    from errata.analysis.edit_tables import KIND, list_notes, make_tables
    from errata.analysis.report import Result, make_report
    from errata.cli.printed_tables import choose_format, print_tables
    from errata.cli.progress import show_bar
    from errata.formats.files import check_outputs, open_for_writing

    format = choose_format(format, as_json)
    files = find_corpora(corpora, lenient=lenient)
    check_outputs([report], [path for one in files for path in one.paths])
    named = {name: value for name, value in (("encoder", encoder), ("lm", lm)) if value is not None}
    judge = ModelJudge(device=device, cache=cache, **named)
    with show_bar() as progress:
        found = measure_corpora(files, judge, limit=limit, sample=sample, seed=seed, progress=progress)
    result = {
        "kind": KIND,
        "corpora": [one.as_dict() for one in found],
        "differences": [one.as_dict() for one in find_differences(found, min_edits)],
        "notes": [f"types with fewer than {min_edits} edits in a corpus are not compared"],
        "signature": judge.signature + (f"|sample:{sample}|seed:{seed}" if sample else ""),
    }
    if report is not None:
        with open_for_writing(report) as stream:
            stream.write(make_report([Result(KIND, result)], "Impact of edits"))
    print_tables(result, make_tables(result), list_notes(result), format)
