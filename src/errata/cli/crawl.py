"""`errata crawl`: from web pages to sentences, or to paragraphs for annotation."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from errata.cli.json_text import format_json
from errata.errors import UnknownName, UsageError

if TYPE_CHECKING:
    from errata.crawl.inputs import Input
    from errata.crawl.job import Settings
    from errata.crawl.run import Finished

LANGUAGES = ("en", "zh")
_SIZES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def crawl(
    inputs: list[str] = typer.Argument(
        None, metavar="INPUT…", help="WARC, WET or HTML: files, folders, patterns, or addresses that fsspec knows."
    ),
    output: Path = typer.Option(..., "-o", "--output", metavar="FOLDER", help="Folder for the corpus."),
    paths: str | None = typer.Option(None, "--paths", metavar="FILE", help="List of inputs, such as warc.paths.gz."),
    base: str = typer.Option("", "--base", metavar="URL", help="What stands before each path of --paths."),
    language: str = typer.Option("en", "--lang", help="en or zh."),
    extractor: str | None = typer.Option(
        None, "--extractor", help="justext (default for en), trafilatura (default for zh) or resiliparse."
    ),
    domains: str | None = typer.Option(
        None, "--domains", help="paper (default for en): no country codes; any (default for zh)."
    ),
    kind: str = typer.Option("sentences", "--write", help="sentences (shuffled), or paragraphs for annotation."),
    tokenised: bool | None = typer.Option(
        None, "--tokenised/--raw", help="Tokens separated by spaces (default for en), or text as it stands."
    ),
    min_sentences: int = typer.Option(1, "--min-sentences", min=1, help="Sentences of a paragraph, at least."),
    near: bool = typer.Option(True, "--near/--no-near", help="Drop near duplicates too."),
    sample: int | None = typer.Option(None, "--sample", min=1, help="Draw this many paragraphs of each register."),
    share: float = typer.Option(1.0, "--share", min=0.0, max=1.0, help="Draw this share of the paragraphs."),
    seed: int = typer.Option(0, "--seed", min=0, help="Same seed, same sample and order."),
    mask: list[str] = typer.Option([], "--mask", help="email, phone or names (English); may be repeated."),
    max_page: str = typer.Option("5M", "--max-page", metavar="SIZE", help="Larger pages are dropped."),
    engine: str = typer.Option("local", "--engine", help="local, ray or slurm."),
    workers: int = typer.Option(
        0, "--workers", min=0, help="Processes at once; 0 is all cores, or all that the cluster has."
    ),
    ray_address: str | None = typer.Option(None, "--ray-address", help="ray: address of a cluster that runs already."),
    memory: float = typer.Option(2.0, "--memory", min=0.1, help="ray, slurm: GB of memory for a task."),
    partition: str | None = typer.Option(None, "--slurm-partition", help="slurm: partition to run in."),
    time_limit: str = typer.Option("20:00:00", "--slurm-time", help="slurm: time limit of a task."),
    restart: bool = typer.Option(False, "--restart", help="Begin anew in a folder that has a run in it."),
    as_json: bool = typer.Option(False, "--json", help="Print the report for machines."),
) -> None:
    """Build a corpus from web pages: paragraphs of complete sentences, without duplicates, with counted reasons.

    A run that was killed goes on when the same command is given again.

    Example: [b]errata crawl CC-MAIN-*.warc.gz -o corpus --sample 1000 --mask email --mask phone[/b]
    """
    from errata.crawl.engines import ENGINES, Engine
    from errata.crawl.progress import shown_progress
    from errata.crawl.run import crawl as run

    _check_choices([("engine", engine, ENGINES)])
    settings = _settings(
        language, extractor, domains, kind, tokenised, min_sentences, near, sample, share, seed, mask, max_page
    )
    options = {"address": ray_address, "memory": memory, "partition": partition, "time": time_limit}
    if engine == "slurm" and partition is None:
        raise UsageError("--engine slurm needs --slurm-partition: the partition to run in")
    if output.is_file():
        raise UsageError(f"{output} is a file: give -o a folder")
    finished = run(
        _find_inputs(inputs or [], paths, base),
        output,
        settings,
        engine=Engine(engine, workers or (_count_cores() if engine == "local" else 0), options),
        restart=restart,
        show=shown_progress,
    )
    _tell(finished, output, as_json)


def _settings(
    language: str,
    extractor: str | None,
    domains: str | None,
    kind: str,
    tokenised: bool | None,
    min_sentences: int,
    near: bool,
    sample: int | None,
    share: float,
    seed: int,
    mask: list[str],
    max_page: str,
) -> Settings:
    from errata.crawl.domains import DOMAINS
    from errata.crawl.extractors import EXTRACTORS, get_extractor
    from errata.crawl.job import OUTPUTS, Settings
    from errata.crawl.masking import check_masks

    _check_choices([("language", language, LANGUAGES), ("output", kind, OUTPUTS)])
    is_english = language == "en"
    extractor = extractor or ("justext" if is_english else "trafilatura")
    domains = domains or ("paper" if is_english else "any")
    _check_choices([("extractor", extractor, EXTRACTORS), ("domains", domains, DOMAINS)])
    if extractor == "justext" and not is_english:
        raise UsageError("justext counts words between spaces: choose trafilatura or resiliparse for Chinese")
    get_extractor(extractor)  # whatever is missing is told before any work is done
    return Settings(
        language=language,
        extractor=extractor,
        domains=domains,
        output=kind,
        is_tokenised=is_english if tokenised is None else tokenised,
        fewest_sentences=min_sentences,
        near_duplicates=near,
        share=share,
        sample=sample,
        masks=check_masks(mask, language),
        seed=seed,
        max_page=_parse_size(max_page),
    )


def _check_choices(given: list[tuple[str, str, Any]]) -> None:
    for kind, name, choices in given:
        if name not in choices:
            raise UnknownName(kind, name, choices)


def _parse_size(text: str) -> int:
    number, unit = (text[:-1], text[-1:].lower()) if text[-1:].isalpha() else (text, "")
    if not (number.isascii() and number.isdigit()) or unit not in _SIZES or len(number) > 9 or int(number) == 0:
        raise UsageError(f"--max-page {text}: give a size such as 500K or 5M")
    return int(number) * _SIZES[unit]


def _find_inputs(names: list[str], paths: str | None, base: str) -> list[Input]:
    from errata.crawl.inputs import find_inputs, read_list

    names = [*names, *(read_list(paths, base) if paths else [])]
    if not names:
        raise UsageError("give WARC, WET or HTML files to read, or a list of them with --paths")
    return find_inputs(names)


def _count_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _tell(finished: Finished, folder: Path, as_json: bool) -> None:
    if finished.report is None:
        typer.echo(f"handed to Slurm; the last job is {finished.slurm_job}. Run the same command again when it is done")
        return
    if as_json:
        typer.echo(format_json(finished.report))
    else:
        _print_counts(finished.report)
    if finished.n_records:
        speed = f"{finished.n_records:,} records in {finished.seconds:.1f} s"
        typer.echo(f"{speed}, {finished.n_records / finished.seconds:,.0f} records/s; {folder}/report.json", err=True)
    else:
        typer.echo(f"{folder} is complete already", err=True)


def _print_counts(report: dict[str, Any]) -> None:
    from errata.crawl.reasons import REASONS

    for level, reasons in REASONS.items():
        counts = report["counts"][level]
        typer.echo(f"{level}: {counts['read']} read, {counts['kept']} kept")
        for reason, meaning in reasons.items():
            if reason in counts["dropped"]:
                typer.echo(f"  {counts['dropped'][reason]:>8} {reason}: {meaning}")
    for register, counts in report["registers"].items():
        numbers = ", ".join(f"{count} {what}" for what, count in counts.items())
        typer.echo(f"{register}: {numbers}")
