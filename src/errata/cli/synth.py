"""`errata synth`: learn how people err, and corrupt clean text the same way."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from errata.cli import engines
from errata.cli.json_text import format_json
from errata.errors import FormatError, UnknownName, UsageError
from errata.text.arguments import printable

if TYPE_CHECKING:
    from errata.synth.learn import Learner
    from errata.synth.model import NoiseModel

synth = typer.Typer(
    add_completion=False,
    help="Pseudo errors: learn error statistics from corrected text, corrupt clean text with them.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_LIST_HELP = "may be repeated"
OUTPUT_FORMATS = ("parallel", "m2", "jsonl")


@synth.command("learn")
def learn(
    corpora: list[str] = typer.Argument(..., metavar="CORPUS…", help="Corrected text in any format errata reads."),
    output: str = typer.Option(..., "-o", "--output", metavar="MODEL", help="Model to write; .gz and .xz are packed."),
    language: str = typer.Option("en", "--lang", help="en or zh."),
    from_: str | None = typer.Option(None, "--from", metavar="FMT", help="Format of the corpora; else detected."),
    columns: str | None = typer.Option(
        None, "--columns", metavar="S,T", help="Read tables: columns of source and target, counted from 1."
    ),
    min_count: int = typer.Option(2, "--min-count", min=1, help="Errors seen this often are learnt by heart."),
    words: list[Path] = typer.Option([], "--words", help=f"Word frequencies, `word count` a line; {_LIST_HELP}."),
    text: list[str] = typer.Option([], "--text", help=f"Correct text to count words in; {_LIST_HELP}."),
    misspellings: list[Path] = typer.Option([], "--misspellings", help=f"en: `wrong->right` a line; {_LIST_HELP}."),
    confusables: list[Path] = typer.Option([], "--confusables", help=f"en: `word; word` a line; {_LIST_HELP}."),
    glyphs: list[Path] = typer.Option([], "--glyphs", help=f"zh: characters that look alike; {_LIST_HELP}."),
    synonyms: list[Path] = typer.Option([], "--synonyms", help=f"zh: groups of synonyms (Cilin); {_LIST_HELP}."),
) -> None:
    """Read error statistics from corrected text.

    Example: [b]errata synth learn train.m2 --misspellings typos.txt -o errors.json.xz[/b]
    """
    from errata.edits.languages import LANGUAGES
    from errata.synth.learn import Learner

    if language not in LANGUAGES:
        raise UnknownName("language", language, LANGUAGES)
    learner = Learner(language, min_count=min_count)
    sources = [_learn_from(learner, corpus, from_, columns) for corpus in corpora]
    _count_words(learner, words, text)
    model = learner.model(
        misspellings=misspellings,
        confusables=confusables,
        glyphs=glyphs,
        synonyms=synonyms,
        provenance=_provenance(sources, [*words, *misspellings, *confusables, *glyphs, *synonyms], text),
    )
    model.save(output)
    _describe(model, err=True)


@synth.command("corrupt")
def corrupt(
    texts: list[str] = typer.Argument(..., metavar="TEXT…", help="Clean text, one sentence per line; - is stdin."),
    model: str = typer.Option(..., "--model", "-m", metavar="MODEL", help="Model from `errata synth learn`."),
    output: str = typer.Option("-", "-o", "--output", metavar="OUT", help="File to write; - is standard output."),
    format: str = typer.Option("parallel", "--format", help="parallel (noisy, clean), m2 or jsonl."),
    rate: float | None = typer.Option(None, "--rate", help="Errors per token; else as in the corpus."),
    clean: float | None = typer.Option(None, "--clean", help="Share of unchanged sentences; else as in the corpus."),
    mix: list[str] = typer.Option([], "--mix", metavar="NOISE=SHARE", help=f"Share of a noise; {_LIST_HELP}."),
    seed: int = typer.Option(0, "--seed", min=0, help="Same seed, same errors."),
    copies: int = typer.Option(1, "--copies", min=1, help="Corrupt each sentence this many times."),
    workers: int = typer.Option(1, "--workers", min=1, help="Processes; the result does not depend on it."),
    tokenised: bool = typer.Option(False, "--tokenised", help="English tokens are separated by spaces already."),
    engine: engines.EngineName = None,
    address: engines.Address = None,
    shards: engines.Shards = None,
) -> None:
    """Corrupt clean text; every sentence comes with the edits that undo it.

    Example: [b]errata synth corrupt prose.txt --model errors.json.xz --format m2 -o pseudo.m2[/b]
    """
    from errata.cli.sharded import corrupt_shards
    from errata.formats.files import open_for_writing
    from errata.synth.model import NoiseModel
    from errata.synth.stream import Job, Tally, corrupt_text

    if format not in OUTPUT_FORMATS:
        raise UnknownName("format", format, OUTPUT_FORMATS)
    noise = NoiseModel.load(model).with_options(rate=rate, clean=clean, mix=_parse_mix(mix))
    job = Job(noise, seed, copies, format, tokenised)
    total, start = Tally(), time.perf_counter()
    if scaling := engines.choose_scaling(engine, address, shards):
        engines.refuse_workers(workers if workers > 1 else None)
        total = corrupt_shards(scaling, texts, output, job, lambda: _lines(texts))
    else:
        with open_for_writing(output, inputs=texts) as stream:
            for chunk, tally in corrupt_text(_lines(texts), job, workers=workers):
                stream.write(chunk)
                total.add(tally)
    seconds = time.perf_counter() - start
    typer.echo(
        f"{total.n_sentences} sentences, {total.n_changed} changed, {total.n_errors} errors "
        f"({total.n_errors / max(total.n_tokens, 1):.3f} per token) in {seconds:.1f} s; "
        f"model {noise.digest}, seed {seed}",
        err=True,
    )


@synth.command("show")
def show(
    model: str = typer.Argument(..., metavar="MODEL", help="Model from `errata synth learn`."),
    as_json: bool = typer.Option(False, "--json", help="For machines."),
) -> None:
    """Print what a model was learnt from and its mixture of noises.

    Example: [b]errata synth show errors.json.xz[/b]
    """
    from errata.synth.model import NoiseModel

    _describe(NoiseModel.load(model), as_json=as_json)


def _lines(texts: Iterable[str]) -> Iterator[str]:
    from errata.formats.base import clean_lines
    from errata.formats.files import display_name, read_lines

    for text in texts:
        yield from clean_lines(read_lines(text), display_name(text))


def _learn_from(learner: Learner, corpus: str, format: str | None, columns: str | None) -> dict[str, Any]:
    """Add a corpus to the learner; what it was, for the model's provenance."""
    from errata.formats import iter_sentences

    count = 0
    if columns is None:
        for sentence in iter_sentences(corpus, format):
            learner.add(sentence)
            count += 1
    else:
        for source, target in _read_columns(corpus, columns):
            learner.add_pair(source, target)
            count += 1
    return {"name": printable(Path(corpus).name), "sentences": count, "path": corpus}


def _read_columns(corpus: str, columns: str) -> Iterator[tuple[str, str]]:
    try:
        source, target = (int(column) - 1 for column in columns.split(","))
    except ValueError:
        raise UsageError(f"--columns {columns}: give two numbers such as 2,3") from None
    for number, line in enumerate(_lines([corpus]), 1):
        cells = line.split("\t")
        if len(cells) <= max(source, target):
            raise FormatError(corpus, number, f"has {len(cells)} columns, {max(source, target) + 1} needed")
        yield cells[source], cells[target]


def _count_words(learner: Learner, words: Iterable[Path], texts: Iterable[str]) -> None:
    from errata.synth.lexicon import read_frequencies
    from errata.text.words import tokenise_words

    for path in words:
        learner.add_frequencies(read_frequencies(path))
    if learner.language == "zh" and texts:
        import jieba

        jieba.setLogLevel("WARNING")
        split = jieba.lcut
    else:
        split = tokenise_words
    for line in _lines(texts):
        learner.add_text(split(line))


def _provenance(sources: Iterable[dict[str, Any]], lists: Iterable[Path], texts: Iterable[str]) -> dict[str, Any]:
    from errata import __version__
    from errata.synth.model import file_digest

    def digest(path: str) -> str | None:
        return file_digest(Path(path)) if path != "-" else None

    return {
        "errata": __version__,
        "corpora": [{"name": s["name"], "sentences": s["sentences"], "digest": digest(s["path"])} for s in sources],
        "lists": [{"name": printable(path.name), "digest": digest(str(path))} for path in lists],
        "texts": [{"name": printable(Path(text).name), "digest": digest(text)} for text in texts],
    }


def _parse_mix(entries: Iterable[str]) -> dict[str, float]:
    mix: dict[str, float] = {}
    for entry in entries:
        name, _, share = entry.partition("=")
        try:
            mix[name] = float(share)
        except ValueError:
            raise UsageError(f"--mix {entry}: give a noise and its share, such as typing=0.1") from None
    return mix


def _describe(model: NoiseModel, *, as_json: bool = False, err: bool = False) -> None:
    facts = {
        "digest": model.digest,
        "language": model.language,
        "rate": model.histogram.rate if model.rate is None else model.rate,
        "clean": model.histogram.clean_share if model.clean is None else model.clean,
        "phrases": len(model.statistics.replaced),
        "shares": {name: round(share, 4) for name, share in model.shares.items()},
        "provenance": dict(model.provenance),
    }
    if as_json:
        typer.echo(format_json(facts))
        return
    typer.echo(
        f"noise model {facts['digest']} ({model.language}): {facts['rate']:.3f} errors per token, "
        f"{facts['clean']:.1%} of sentences clean, {facts['phrases']} phrases by heart",
        err=err,
    )
    for name, share in sorted(model.shares.items(), key=lambda item: -item[1]):
        typer.echo(f"  {name:<12} {share:6.1%}", err=err)
    for key, value in model.provenance.items():
        typer.echo(f"  {key}: {value}", err=err)
