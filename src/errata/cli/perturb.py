"""`errata perturb`: variants of an annotated corpus, in which words that have nothing to do with the errors change."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errata.errors import DataError, UnknownName, UsageError

if TYPE_CHECKING:
    from errata.model import AnnotatedSentence
    from errata.synth.perturb.stream import Session
    from errata.synth.perturb.variants import Tally

OUTPUT_FORMATS = ("robustgec", "jsonl")
TABLES = (".tsv", ".tab")
_IN, _MODEL, _HOW, _OUT = "Input", "Proposer", "Perturbing", "Output"


def perturb(
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="Annotated sentences in any format; - is stdin.")],
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="OUT", help="File to write; - is stdout.", rich_help_panel=_OUT)
    ] = "-",
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FMT", help="robustgec, or jsonl (else by suffix).", rich_help_panel=_OUT),
    ] = None,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="FMT", help="Format of CORPUS; else detected.", rich_help_panel=_IN)
    ] = None,
    lang: Annotated[str | None, typer.Option(help="en or zh (else detected).", rich_help_panel=_IN)] = None,
    tokenise: Annotated[
        bool, typer.Option("--tokenise", help="en: the text is raw; tokenise it.", rich_help_panel=_IN)
    ] = False,
    skip: Annotated[
        int, typer.Option(min=0, metavar="N", help="Leave out the first N sentences.", rich_help_panel=_IN)
    ] = 0,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Perturb N sentences.", rich_help_panel=_IN)
    ] = None,
    proposer: Annotated[str, typer.Option(help="words, lm or encoder.", rich_help_panel=_MODEL)] = "words",
    model: Annotated[
        str | None,
        typer.Option(help="Language model for lm or encoder: name, package:… or ./folder.", rich_help_panel=_MODEL),
    ] = None,
    words: Annotated[
        list[str] | None,
        typer.Option(help="More correct text to learn words from, a sentence a line.", rich_help_panel=_MODEL),
    ] = None,
    device: Annotated[str, typer.Option(help="cpu, cuda, cuda:1 … (lm, encoder).", rich_help_panel=_MODEL)] = "cpu",
    variants: Annotated[
        int, typer.Option(min=1, metavar="N", help="Variants of each sentence.", rich_help_panel=_HOW)
    ] = 5,
    actions: Annotated[
        str, typer.Option(help="Actions, and their shares: substitute=3,insert=1.", rich_help_panel=_HOW)
    ] = "substitute,insert,delete",
    margin: Annotated[
        int, typer.Option(min=0, metavar="N", help="Tokens between a change and an error.", rich_help_panel=_HOW)
    ] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same variants.", rich_help_panel=_HOW)] = 0,
    workers: Annotated[
        int, typer.Option(min=1, help="Processes; the result does not depend on it.", rich_help_panel=_HOW)
    ] = 1,
    complete: Annotated[
        bool, typer.Option("--complete", help="Write only sentences that have all variants.", rich_help_panel=_OUT)
    ] = False,
    sample: Annotated[
        str | None,
        typer.Option(metavar="PAGE", help="Write a page of variants to judge: .md or .tsv.", rich_help_panel=_OUT),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="The summary on stderr is JSON.", rich_help_panel=_OUT)
    ] = False,
) -> None:
    """Change words around the errors of annotated sentences; the errors stay as they are.

    Example: [b]errata perturb dev.m2 -o dev.para --sample judge.tsv[/b]
    """
    from errata.formats.base import get_format
    from errata.formats.files import check_outputs, open_for_writing
    from errata.formats.robustgec import format_cases
    from errata.synth.perturb.drawing import parse_shares
    from errata.synth.perturb.page import Collector, format_page
    from errata.synth.perturb.stream import Job
    from errata.synth.perturb.variants import PerturbOptions, Tally

    kind = _choose_format(to, output)
    check_outputs([output, sample], [corpus, *(words or ())])
    options = PerturbOptions(variants, parse_shares(actions), margin, seed, tokenise)
    start = time.perf_counter()
    with _showing(limit) as advance:
        language, sentences = _read(corpus, from_, lang)
        if tokenise and language != "en":
            raise UsageError("--tokenise is for English text; Chinese is cut into characters anyway")
        session = _begin(corpus, sentences, Job(language, proposer, model, device, options), words or [])
        total, collector, n_cases = Tally(), Collector(seed), 0
        page = open_for_writing(sample) if sample is not None else nullcontext()
        with open_for_writing(output, inputs=[corpus]) as stream, page as judged:
            for chunk, tally in session.run(skip=skip, limit=limit, workers=workers):
                total.add(tally)
                for varied in chunk:
                    if complete and len(varied.variants) < variants:
                        continue
                    n_cases += 1
                    collector.add(n_cases, varied)
                    if kind == "robustgec":
                        stream.writelines(format_cases([varied.as_case()]))
                    else:
                        stream.writelines(get_format(kind).format(varied.samples))
                advance(tally.n_sentences)
            if not total.n_sentences:
                raise DataError(f"there are no sentences after the first {skip}: --skip leaves all of them out")
            if judged is not None:
                as_table = str(sample).endswith(TABLES)
                judged.writelines(format_page(collector.rows, as_table=as_table))
    if not n_cases:
        typer.echo("errata: warning: no sentence has a variant; more --words, or --margin 0, may give some", err=True)
    _summarise(total, session, options, n_cases, time.perf_counter() - start, as_json=as_json)


def _choose_format(name: str | None, output: str) -> str:
    if name is None:
        return "jsonl" if output.removesuffix(".gz").removesuffix(".xz").endswith(".jsonl") else "robustgec"
    if name not in OUTPUT_FORMATS:
        raise UnknownName("format", name, OUTPUT_FORMATS)
    return name


def _read(corpus: str, format: str | None, lang: str | None) -> tuple[str, Iterator[AnnotatedSentence]]:
    """The language of a corpus and its sentences."""
    from itertools import chain, islice

    from errata.edits.languages import LANGUAGES
    from errata.edits.texts import source_text
    from errata.formats.files import display_name, open_sentences
    from errata.text.language import LANGUAGE_SAMPLE, find_language

    if lang is not None and lang not in LANGUAGES:
        raise UnknownName("language", lang, LANGUAGES)
    sentences = open_sentences(corpus, format)[1]
    head = list(islice(sentences, LANGUAGE_SAMPLE))
    found = lang or find_language(source_text(one.sentence) for one in head)
    if found is None and head:
        raise UsageError(
            f"{display_name(corpus)} is in neither English nor Chinese, as far as one can tell: use --lang"
        )
    return found or "en", chain(head, sentences)


def _begin(corpus: str, sentences: Iterator[AnnotatedSentence], job: Any, words: list[str]) -> Session:
    """The session that has learnt from the corpus; what is wrong with the corpus names it."""
    from errata.formats.base import clean_lines
    from errata.formats.files import display_name, read_lines
    from errata.synth.perturb.stream import NoSentences, Session

    texts = (line for path in words for line in clean_lines(read_lines(path), display_name(path)) if line.strip())
    try:
        return Session(sentences, job, texts=texts)
    except NoSentences as error:
        raise DataError(f"{display_name(corpus)}: {error}") from error


def _summarise(tally: Tally, session: Session, options: Any, n_cases: int, seconds: float, *, as_json: bool) -> None:
    from errata.cli.json_text import format_json
    from errata.synth.perturb.checks import CHECKS
    from errata.synth.perturb.texts import ACTIONS

    n_fewer = sum(count for size, count in tally.by_variants.items() if 0 < size < options.variants)
    rejected = {check: {action: tally.rejected[action, check] for action in options.shares} for check in CHECKS}
    facts = {
        "sentences": tally.n_sentences,
        "left_out": dict(tally.left_out),
        "cases": n_cases,
        "variants": {action: tally.variants[action] for action in ACTIONS if action in options.shares},
        "fewer_variants": n_fewer,
        "no_variants": tally.by_variants[0],
        "candidates": tally.n_candidates,
        "rejected": rejected,
        "thresholds": {name: round(value, 4) for name, value in session.learnt.thresholds.least.items()},
        "proposer": session.job.proposer,
        "language": session.job.language,
        "seed": options.seed,
        "seconds": round(seconds, 1),
    }
    if as_json:
        typer.echo(format_json(facts), err=True)
        return
    n_variants = tally.variants.total()
    made = ", ".join(f"{count} {action}" for action, count in facts["variants"].items())
    typer.echo(
        f"{tally.n_sentences} sentences, {n_cases} cases, {n_variants} variants ({made}) in {seconds:.1f} s; "
        f"proposer {session.job.proposer}, seed {options.seed}",
        err=True,
    )
    typer.echo(
        f"  sentences with fewer than {options.variants} variants: {n_fewer}, with none: {tally.by_variants[0]}",
        err=True,
    )
    for reason, count in tally.left_out.items():
        typer.echo(f"  left out, because {reason}: {count}", err=True)
    typer.echo(f"  rejected of {tally.n_candidates} candidates:", err=True)
    for check, counts in rejected.items():
        each = ", ".join(f"{count} {action}" for action, count in counts.items())
        typer.echo(f"    {check:<13} {sum(counts.values())} ({each})", err=True)
    unknown = [name for name in options.shares if name not in session.learnt.thresholds.least]
    if unknown:
        typer.echo(f"  too little text to learn a threshold of the score from: {', '.join(unknown)}", err=True)


@contextmanager
def _showing(total: int | None) -> Iterator[Callable[[int], object]]:
    """A progress bar on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("sentences", total=total)
        yield lambda count: bar.advance(task, count)
