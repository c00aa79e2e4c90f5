"""`errata cherrant`: the flags and the output of ChERRANT's two programs, from errata's extraction and scoring.

`parallel` stands for parallel_to_m2.py and is here, `compare` for compare_m2_for_evaluation.py and is in
`cherrant_compare`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import typer

from errata.cli.drop_in import FlagParser, drop_in
from errata.edits.base import Extractor, get_extractor
from errata.edits.texts import source_text
from errata.formats.files import iter_sentences, write_sentences
from errata.model import AnnotatedSentence, Annotation, Sentence, Status
from errata.text.tokens import NO_ERROR, NOT_ANNOTATABLE


@drop_in
def cherrant(context: typer.Context) -> None:
    """Extract Chinese edits or score them with ChERRANT's flags and output (drop-in for its two programs)."""
    parser = FlagParser(
        prog="errata cherrant", description="ChERRANT's two programs; -h after the name shows its flags."
    )
    parser.add_argument("program", choices=("parallel", "compare"), help="parallel_to_m2, compare_m2_for_evaluation")
    program = parser.parse_args(context.args[:1]).program
    if program == "parallel":
        extract(context.args[1:])
        return
    from errata.cli.cherrant_compare import compare_files  # scoring needs numpy, extracting does not

    typer.echo("\n".join(compare_files(context.args[1:])))


def extract(arguments: Sequence[str]) -> None:
    """Write the M2 file that the official flags ask for."""
    parser = FlagParser(prog="errata cherrant parallel", description="Parallel text to M2.")
    parser.add_argument("-f", "--file", required=True, help="parallel text: id, source and targets between tabs")
    parser.add_argument("-o", "--output", required=True, help="M2 file to write")
    parser.add_argument("-g", "--granularity", default="char", choices=("char", "word"), help="tokens (char)")
    parser.add_argument("-s", "--multi_cheapest_strategy", default="all", choices=("first", "all"), help="(all)")
    parser.add_argument("-w", "--worker_num", type=int, default=1, help="processes (1)")
    parser.add_argument("--segmented", action="store_true", help="spaces separate the tokens")
    parser.add_argument("--no_simplified", action="store_true", help="leave traditional characters as they are")
    parser.add_argument("--lexicon", type=Path, metavar="DIR", help="folder with cilin.txt and confusion_dict.txt")
    for flags in (("-b", "--batch_size"), ("-d", "--device")):
        parser.add_argument(*flags, help="taken for compatibility; nothing depends on it")
    parser.add_argument("-m", "--merge", action="store_true", help="taken for compatibility; edits are always merged")
    args = parser.parse_args(list(arguments))
    extractor = get_extractor(
        "zh",
        level=args.granularity,
        strategy=args.multi_cheapest_strategy,
        simplify=not args.no_simplified,
        lexicon=args.lexicon,
        segmented=args.segmented,
        workers=args.worker_num,
    )
    rows = annotate_rows(iter_sentences(args.file, "mucgec"), extractor)
    write_sentences(rows, args.output, "cherrant", inputs=[args.file])


def annotate_rows(rows: Iterable[AnnotatedSentence], extractor: Extractor) -> Iterator[AnnotatedSentence]:
    """The rows of a MuCGEC file with edits; the annotator is the column."""
    pairs = ((source_text(row.sentence), [*map(_target, row.annotations)]) for row in rows)
    for annotated in extractor.annotate(pairs):
        # The official program writes tokens, whatever white space the text had between them.
        yield replace(annotated, sentence=Sentence(annotated.sentence.tokens))


def _target(annotation: Annotation) -> str:
    if annotation.status is Status.NOT_ANNOTATABLE:
        return NOT_ANNOTATABLE
    return NO_ERROR if annotation.target is None else annotation.target
