"""`errata ensemble`: one output file from several systems', by votes or learnt weights."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from errata.errors import DataError, UsageError

if TYPE_CHECKING:
    from errata.systems.ensemble.voting import Electorate

ensemble = typer.Typer(
    help="Combine the outputs of several systems, edit by edit.",
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_SOURCE = typer.Option(None, "--src", metavar="SRC", help="The text that was corrected, one sentence per line.")
_OUTPUTS = typer.Option([], "--hyp", metavar="HYP", help="A system's output, parallel to SRC; give two or more.")
_LANGUAGE = typer.Option("en", "--lang", help="en (tokens separated by spaces) or zh.")
_WORKERS = typer.Option(1, "--workers", min=1, help="Processes that look for edits.")


@ensemble.callback(invoke_without_command=True)
def combine(
    context: typer.Context,
    source: str | None = _SOURCE,
    hypotheses: list[str] = _OUTPUTS,
    language: str = _LANGUAGE,
    threshold: float | None = typer.Option(
        None, "--threshold", metavar="T", help="Votes an edit needs (else more than half); with --weights, probability."
    ),
    types: list[str] = typer.Option(
        [], "--type", metavar="TYPE=VOTES", help="Votes an edit of this type needs, as in R:WO=1; may be repeated."
    ),
    strict: bool = typer.Option(False, "--strict", help="Word order and spelling need as many votes as the rest."),
    weights: Path | None = typer.Option(None, "--weights", metavar="W.json", help="Weights of `ensemble learn`."),
    judge: str | None = typer.Option(
        None, "--judge", metavar="METRIC", help="Take the best output by a metric without references, as impara."
    ),
    settings: list[str] = typer.Option([], "--set", metavar="NAME=VALUE", help="An option of the judge."),
    by_edits: bool = typer.Option(False, "--edits", help="With --judge: combine edits too, while the score rises."),
    margin: float = typer.Option(
        0.0,
        "--margin",
        min=0,
        help="With --judge: how far the log-odds of another output's score must exceed the first's.",
    ),
    output: str = typer.Option("-", "-o", "--output", metavar="OUT", help="File to write; - is standard output."),
    workers: int = _WORKERS,
) -> None:
    """Combine output files: an edit that more than half of the systems make is made.

    Example: [b]errata ensemble --src dev.txt --hyp a.txt --hyp b.txt --weights w.json -o combined.txt[/b]
    """
    if context.invoked_subcommand is not None:
        return
    if source is None or len(hypotheses) < 2:
        raise UsageError("give --src and at least two --hyp")
    from errata.formats.files import check_outputs, open_for_writing
    from errata.systems.ensemble.outputs import combine_outputs

    check_outputs([output], [source, *hypotheses])
    if judge is not None:
        if threshold is not None or types or strict or weights is not None:
            raise UsageError("--judge decides alone: leave --threshold, --type, --strict and --weights out")
        _judge(source, hypotheses, language, (judge, settings, by_edits, margin), output, workers)
        return
    if settings or by_edits or margin:
        raise UsageError("--set, --edits and --margin are for a judge: name it with --judge")
    electorate = _electorate(len(hypotheses), threshold, types, strict, weights, language)
    n_lines = n_edits = 0
    with open_for_writing(output, inputs=[source, *hypotheses]) as stream:
        for line, edits in combine_outputs(source, hypotheses, language, electorate, workers=workers):
            stream.write(line + "\n")
            n_lines, n_edits = n_lines + 1, n_edits + len(edits)
    typer.echo(f"{n_lines} lines, {n_edits} edits kept", err=True)


def _judge(
    source: str,
    hypotheses: list[str],
    language: str,
    how: tuple[str, list[str], bool, float],
    output: str,
    workers: int,
) -> None:
    """Write the best output for each line by a metric, and say how many came from which file."""
    from errata.cli.scoring import choose_metrics, split_settings
    from errata.formats.files import display_name, open_for_writing
    from errata.formats.parallel import zip_lines
    from errata.judges.choosing import choose_best, combine_best
    from errata.stats.resampling import DEFAULT_SEED

    name, given, by_edits, margin = how
    set_name, settings = split_settings(given)
    if set_name is not None:
        raise UsageError(f"--set takes name=value here, not {set_name!r}")
    metric = choose_metrics([name], None, {}, settings, lang=language, seed=DEFAULT_SEED)[0]
    rows = list(zip_lines([source, *hypotheses]))
    sources, *outputs = ([row[place] for row in rows] for place in range(len(hypotheses) + 1))
    if by_edits:
        chosen = combine_best(sources, outputs, metric, language, margin=margin, workers=workers)
    else:
        chosen = choose_best(sources, outputs, metric, margin=margin)
    with open_for_writing(output, inputs=[source, *hypotheses]) as stream:
        stream.writelines(choice.text + "\n" for choice in chosen)
    counts = [f"{sum(one.system == n for one in chosen)} {display_name(path)}" for n, path in enumerate(hypotheses)]
    if by_edits:
        counts.append(f"{sum(one.system is None for one in chosen)} combined")
    typer.echo(f"{len(chosen)} lines: {', '.join(counts)}", err=True)


@ensemble.command("learn")
def learn(
    source: str | None = _SOURCE,
    hypotheses: list[str] = _OUTPUTS,
    references: list[str] = typer.Option([], "--ref", metavar="REF", help="Corrected text parallel to SRC."),
    gold: str | None = typer.Option(None, "--m2", metavar="GOLD", help="Gold edits instead of --ref, any format."),
    language: str = _LANGUAGE,
    penalty: float = typer.Option(1.0, "--penalty", help="L2 penalty: higher trusts rare types less."),
    beta: float = typer.Option(0.5, "--beta", help="The F the threshold is chosen for."),
    output: Path = typer.Option(..., "-o", "--output", metavar="W.json", help="Weights to write."),
    workers: int = _WORKERS,
) -> None:
    """Learn from a development set which systems to believe about which types of edits.

    Example: [b]errata ensemble learn --src dev.txt --ref dev.ref.txt --hyp a.txt --hyp b.txt -o w.json[/b]
    """
    if source is None or not hypotheses:
        raise UsageError("give --src and the --hyp of every system")
    for option, number in (("--penalty", penalty), ("--beta", beta)):
        if number <= 0:
            raise UsageError(f"{option} is above 0, not {number:g}")
    from errata.systems.ensemble.outputs import learn_from_outputs

    learnt = learn_from_outputs(
        source,
        hypotheses,
        language,
        references=references,
        gold=gold,
        penalty=penalty,
        beta=beta,
        workers=workers,
    )
    learnt.save(output)
    said = learnt.learnt
    typer.echo(
        f"{said['edits']} edits in {said['sentences']} sentences, {said['right']} right; "
        f"F{beta:g} {100 * said['held_out_f']:.2f} on held-out sentences at threshold {learnt.threshold:.3f}",
        err=True,
    )


def _electorate(
    n_systems: int, threshold: float | None, types: list[str], strict: bool, weights: Path | None, language: str
) -> Electorate:
    from errata.systems.ensemble.learnt import LearntVoting
    from errata.systems.ensemble.voting import Voting

    if weights is None:
        with _as_usage():
            return Voting(n_systems, threshold, not strict, dict(map(_parse_type, types)))
    if types or strict:
        raise UsageError("--weights decide by type already: leave --type and --strict out")
    learnt = LearntVoting.load(weights)
    if learnt.language != language:
        raise UsageError(f"{weights} is for --lang {learnt.language}")
    with _as_usage():
        return learnt if threshold is None else replace(learnt, threshold=threshold)


@contextmanager
def _as_usage() -> Iterator[None]:
    """In the block, numbers that make no sense are wrong usage: they come from options, not from a file."""
    try:
        yield
    except DataError as error:
        raise UsageError(str(error)) from error


def _parse_type(assignment: str) -> tuple[str, float]:
    name, _, votes = assignment.rpartition("=")
    if not name or not votes.replace(".", "", 1).isdecimal():
        raise UsageError(f"--type {assignment}: write TYPE=VOTES, as in R:WO=1")
    return name, float(votes)
