"""`errata data check`: evaluation sentences in training files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from errata.cli.json_text import format_json
from errata.errors import DataError, UsageError

if TYPE_CHECKING:
    from errata.datasets.contamination import Evaluation, Pair, Tally
    from errata.datasets.texts import Record

# Sets that are named when some of them are not here.
NAMED = 5


class ManyValues(TyperCommand):
    """Reads `--against A B C` after the training files as `--against A --against B --against C`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _repeat(args, "--against"))


def _repeat(args: Sequence[str], option: str) -> list[str]:
    """The arguments with the option before each of its values; as they are, if nothing stands before it.

    >>> _repeat(["train.tsv", "--against", "a.m2", "b.m2", "--fail"], "--against")
    ['train.tsv', '--against', 'a.m2', '--against', 'b.m2', '--fail']
    """
    if option not in args or args.index(option) == 0:
        return list(args)
    repeated: list[str] = []
    is_value = False
    for word in args:
        if word.startswith("-") and word != "-":
            is_value = word == option
        elif is_value:
            repeated.append(option)
        repeated.append(word)
    return [
        word for place, word in enumerate(repeated) if word != option or repeated[place + 1 : place + 2] != [option]
    ]


def check(
    train: Annotated[list[str], typer.Argument(metavar="TRAIN…", help="Training files in any format, or plain text.")],
    against: Annotated[
        list[str] | None,
        typer.Option("--against", help="Evaluation set: a file, a folder, a name of errata data list, or all."),
    ] = None,
    parallel: Annotated[
        bool, typer.Option("--parallel", help="The training files belong together, line by line.")
    ] = False,
    short: Annotated[
        bool, typer.Option("--short", help="Copies of short sentences are overlaps too, for --fail and --write-clean.")
    ] = False,
    write_clean: Annotated[
        str | None,
        typer.Option("--write-clean", metavar="OUT", help="Write the training file (of several, all: a folder) clean."),
    ] = None,
    fail: Annotated[bool, typer.Option("--fail", help="Exit with status 1 if there are overlaps.")] = False,
    show: Annotated[bool, typer.Option("--list", help="Show every record with what it is a copy of.")] = False,
    data_dir: Annotated[
        str | None, typer.Option("--data-dir", help="Folder with the corpora (else $ERRATA_DATA, else your own).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Look for evaluation sentences in training files: exact copies and near duplicates.

    A near duplicate is a sentence that stands in another one, but for one word (or Chinese character) in five.

    Example: errata data check train.tsv --against all --write-clean clean.tsv
    """
    from errata.cli.data_tables import print_overlaps, print_pair
    from errata.cli.tables import show_progress
    from errata.datasets.contamination import Evaluation, make_report
    from errata.formats.files import STANDARD

    if not against:
        raise UsageError("nothing to compare with: give --against FILE, NAME or all")
    if STANDARD in train and (parallel or train.count(STANDARD) > 1):
        raise UsageError("- is standard input, which can be read once: give the others as files")
    outputs = _choose_outputs(train, write_clean)
    _refuse_evaluation_files(outputs, against, data_dir)
    with show_progress("read the evaluation sets"):
        evaluation = Evaluation(_find_sets(against, data_dir))
    _refuse_no_sentences(evaluation)
    pairs: dict[str, list[Pair]] | None = {} if show else None
    with show_progress("compare"):
        tallies = _check_all(train, evaluation, outputs, parallel=parallel, with_short=short, pairs=pairs)
    if as_json:
        report = make_report(evaluation, tallies)
        if pairs is not None:
            report["pairs"] = [_pair_dict(name, one, evaluation) for name in pairs for one in pairs[name]]
        typer.echo(format_json(report, 2))
    else:
        print_overlaps(evaluation, tallies)
        for name, found in (pairs or {}).items():
            for one in found:
                print_pair(name, one, evaluation)
    kinds = ("exact", "near", "short") if short else ("exact", "near")
    if fail and any(tally.kinds[kind] for tally in tallies for kind in kinds):
        raise typer.Exit(1)


def _choose_outputs(train: Sequence[str], write_clean: str | None) -> list[str | None]:
    """The file to write for each training file."""
    from errata.formats.files import STANDARD, check_outputs

    if write_clean is None:
        return [None] * len(train)
    if len(train) == 1 and not Path(write_clean).is_dir():
        check_outputs([write_clean], train)
        return [write_clean]
    folder = Path(write_clean)
    if folder.is_file():
        raise UsageError(f"{write_clean} is a file: for several training files, give --write-clean a folder")
    if STANDARD in train:
        raise UsageError("what comes from standard input has no name in a folder: give --write-clean a file")
    folder.mkdir(parents=True, exist_ok=True)
    outputs = [str(folder / Path(name).name) for name in train]
    check_outputs(outputs, train)
    return list(outputs)


def _refuse_evaluation_files(outputs: Sequence[str | None], against: Sequence[str], data_dir: str | None) -> None:
    """Refuse to write over evaluation data: it would be gone."""
    from errata.datasets.finding import place_of_data

    read = [Path(name) if Path(name).exists() else place_of_data(data_dir) for name in against]
    places = {path.resolve() for path in read}
    for output in (one for one in outputs if one is not None):
        place = Path(output).resolve()
        if place.is_file() and places & {place, *place.parents}:
            raise UsageError(f"{output} is read as evaluation data: choose another file to write")


def _refuse_no_sentences(evaluation: Evaluation) -> None:
    """Refuse a set without sentences: that nothing is in it would be taken for a good result."""
    for name, n_sentences in zip(evaluation.names, evaluation.n_sentences, strict=True):
        if not n_sentences:
            raise DataError(f"{name}: there are no sentences to compare with")


def _find_sets(against: Sequence[str], data_dir: str | None) -> list[Any]:
    from functools import cache

    from errata.datasets.evaluation_sets import choose_sets
    from errata.datasets.finding import Listing, data_folder

    @cache
    def listing() -> Listing:
        return Listing(data_folder(data_dir))

    return choose_sets(against, listing, _tell_missing)


def _tell_missing(names: list[str]) -> None:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    typer.echo(
        f"errata: warning: not compared with {', '.join(names[:NAMED])}{more}, which "
        f"{'is' if len(names) == 1 else 'are'} not here: errata data get fetches them",
        err=True,
    )


def _check_all(
    train: Sequence[str],
    evaluation: Evaluation,
    outputs: Sequence[str | None],
    *,
    parallel: bool,
    with_short: bool,
    pairs: dict[str, list[Pair]] | None,
) -> list[Tally]:
    from errata.datasets.contamination import check_records
    from errata.datasets.texts import read_parallel_records, read_records
    from errata.formats.files import display_name

    names = [display_name(path) for path in train]
    groups = [list(range(len(train)))] if parallel else [[place] for place in range(len(train))]
    tallies = []
    for group in groups:
        name = " + ".join(names[place] for place in group)
        with ExitStack() as stack:
            keep = _open_outputs([outputs[place] for place in group], [train[place] for place in group], stack)
            records = read_parallel_records(train) if parallel else read_records(train[group[0]])
            tell = None if pairs is None else pairs.setdefault(name, []).append
            tallies.append(check_records(name, records, evaluation, tell=tell, keep=keep, with_short=with_short))
    return tallies


def _open_outputs(
    outputs: Sequence[str | None], inputs: Sequence[str], stack: ExitStack
) -> Callable[[Record], None] | None:
    """What writes a record to the outputs; None where nothing is written."""
    from errata.formats.files import open_for_writing

    if outputs[0] is None:
        return None
    streams = [stack.enter_context(open_for_writing(str(path), inputs=inputs)) for path in outputs]

    def keep(record: Record) -> None:
        if not record.raw:
            raise DataError(
                f"{inputs[0]} is in a format whose sentences cannot be taken out one by one: "
                "convert it to JSON lines first (errata convert IN OUT.jsonl)"
            )
        for stream, part in zip(streams, record.raw, strict=True):
            stream.write(part)

    return keep


def _pair_dict(name: str, pair: Pair, evaluation: Evaluation) -> dict[str, Any]:
    hit = pair.hit
    return {
        "file": name,
        "record": pair.record,
        "set": evaluation.names[hit.set],
        "sentence": hit.sentence,
        "kind": hit.kind,
        "edits": hit.edits if hit.kind == "near" else 0,
        "text": hit.text,
        "copied": hit.copied,
    }
