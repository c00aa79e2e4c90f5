"""`errata errant-compare`: the flags and the output of ERRANT 3.0.2's `errant_compare`, from errata's scoring."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import typer

from errata.cli.drop_in import FlagParser, drop_in
from errata.edits.texts import source_text
from errata.errors import AlignmentError, DataError
from errata.formats.base import get_format
from errata.formats.files import iter_sentences
from errata.metrics.edit_counts import (
    EditCounts,
    Key,
    Keys,
    choose_reference,
    collect_keys,
    compare_keys,
    merge_types,
)
from errata.metrics.edit_metric import EditOptions, is_counted
from errata.metrics.errant import Errant
from errata.metrics.items import pool_alignments
from errata.model import AnnotatedSentence, Annotation, Counts

TITLES = {
    "dt": " Token-Based Detection ",
    "ds": " Span-Based Detection ",
    "cse": " Span-Based Correction + Classification ",
    "cs": " Span-Based Correction ",
}
RULE = f"{'':-^40}"


@drop_in
def errant_compare(context: typer.Context) -> None:
    """Score M2 against M2 with ERRANT's flags and output (drop-in for errant_compare)."""
    args = parse_flags(context.args)
    mode = chosen_mode(args)
    options = EditOptions(beta=args.beta, mode=mode, single=args.single, multi=args.multi, filter=tuple(args.filt))
    typer.echo("\n".join(compare(_read(args.hyp), _read(args.ref), options, args)))


def parse_flags(arguments: Sequence[str]) -> argparse.Namespace:
    """The official flags."""
    parser = FlagParser(prog="errata errant-compare", description="F-scores for error detection and correction.")
    add_flags(parser)
    return parser.parse_args(list(arguments))


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The flags that ChERRANT's compare program has as well."""
    parser.add_argument("-hyp", required=True, help="hypothesis M2 file")
    parser.add_argument("-ref", required=True, help="reference M2 file")
    parser.add_argument("-b", "--beta", type=float, default=0.5, help="beta of the F-score (0.5)")
    parser.add_argument("-v", "--verbose", action="store_true", help="print every comparison")
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("-dt", action="store_true", help="detection of tokens")
    modes.add_argument("-ds", action="store_true", help="detection of spans")
    modes.add_argument("-cs", action="store_true", help="correction of spans (default)")
    modes.add_argument("-cse", action="store_true", help="correction of spans with their error type")
    parser.add_argument("-single", action="store_true", help="only edits of at most one token on either side")
    parser.add_argument("-multi", action="store_true", help="only edits of several tokens on some side")
    parser.add_argument("-filt", nargs="+", default=[], metavar="TYPE", help="error types to leave out")
    parser.add_argument("-cat", type=int, choices=(1, 2, 3), help="scores by operation, main type or full type")


def chosen_mode(args: argparse.Namespace) -> str:
    """The mode that the flags ask for."""
    return next((mode for mode in ("dt", "ds", "cse") if getattr(args, mode)), "cs")


def _read(path: str) -> list[AnnotatedSentence]:
    # The official program does not mind edits that reach beyond the sentence.
    sentences = list(iter_sentences(path, get_format("m2", strict=False)))
    if not sentences:
        raise DataError(f"{path}: there are no sentences to score")
    return sentences


@dataclass(frozen=True, slots=True)
class Comparison:
    """One annotator of the hypothesis against one of the reference."""

    hypothesis: tuple[str, Keys]
    reference: tuple[str, Keys]
    counts: EditCounts


def compare(
    hypotheses: Sequence[AnnotatedSentence],
    references: Sequence[AnnotatedSentence],
    options: EditOptions,
    args: argparse.Namespace,
) -> Iterator[str]:
    """The lines the official program prints."""
    if len(hypotheses) != len(references):
        raise AlignmentError(f"{args.hyp} has {len(hypotheses)} sentences, {args.ref} {len(references)}")
    chosen: list[EditCounts] = []
    so_far = Counts()
    for number, (hypothesis, reference) in enumerate(zip(hypotheses, references, strict=True)):
        pairs = [
            Comparison(hyp, ref, compare_keys(hyp[1], ref[1]))
            for hyp in _annotator_keys(hypothesis, options)
            for ref in _annotator_keys(reference, options)
        ]
        best = pairs[choose_reference([pair.counts.total for pair in pairs], so_far, options.beta)]
        if args.verbose:
            yield from _describe(number, hypothesis, pairs, best, so_far, options)
        so_far += best.counts.total
        chosen.append(best.counts)
    if args.cat:
        yield from category_block(merge_types(chosen), args.cat, options)
    yield from total_block(so_far, options)


def _annotator_keys(sentence: AnnotatedSentence, options: EditOptions) -> list[tuple[str, Keys]]:
    annotations = pool_alignments(sentence.annotations) or [Annotation()]
    key = Errant.modes[options.mode]
    return [
        (one.annotator, collect_keys((edit for edit in one.edits if is_counted(edit, options)), key))
        for one in annotations
    ]


def rounded_scores(counts: Counts, beta: float) -> tuple[float, float, float]:
    """Precision, recall and F as the official programs print them."""
    return round(counts.precision, 4), round(counts.recall, 4), round(counts.f(beta), 4)


def total_block(total: Counts, options: EditOptions) -> Iterator[str]:
    """The block with the corpus score."""
    yield ""
    yield f"{TITLES[options.mode]:=^46}"
    yield "\t".join(["TP", "FP", "FN", "Prec", "Rec", f"F{options.beta}"])
    yield "\t".join(map(str, (total.tp, total.fp, total.fn, *rounded_scores(total, options.beta))))
    yield f"{'':=^46}"
    yield ""


def category_block(by_type: dict[str, Counts], level: int, options: EditOptions) -> Iterator[str]:
    """The block with the scores of each error type."""
    merged: dict[str, Counts] = {}
    for name, counts in by_type.items():
        label = _category(name, level)
        merged[label] = merged.get(label, Counts()) + counts
    yield ""
    yield f"{TITLES[options.mode]:=^66}"
    yield _columns("Category", "TP", "FP", "FN", "P", "R", f"F{options.beta}")
    for label, counts in sorted(merged.items()):
        yield _columns(label, counts.tp, counts.fp, counts.fn, *rounded_scores(counts, options.beta))


def _category(name: str, level: int) -> str:
    """The type at a level as the official program cuts it, without looking for the colon."""
    if name == "UNK" or level == 3:
        return name
    return name[0] if level == 1 else name[2:]


def _columns(name: object, *values: object) -> str:
    *padded, last = values
    return " ".join([str(name).ljust(14), *(str(value).ljust(8) for value in padded), str(last)])


def _describe(
    number: int,
    sentence: AnnotatedSentence,
    pairs: Sequence[Comparison],
    best: Comparison,
    so_far: Counts,
    options: EditOptions,
) -> Iterator[str]:
    """The verbose output of one sentence."""
    yield RULE
    yield f"Original sentence {number}: {source_text(sentence.sentence)}"
    for pair in pairs:
        local, overall = pair.counts.total, so_far + pair.counts.total
        yield RULE
        yield f"SENTENCE {number} - HYP {pair.hypothesis[0]} - REF {pair.reference[0]}"
        yield f"HYPOTHESIS EDITS : {_edit_list(pair.hypothesis[1])}"
        yield f"REFERENCE EDITS  : {_edit_list(pair.reference[1])}"
        for name, counts in (("Local", local), ("Global", overall)):
            yield f"{name + ' TP/FP/FN':<17}: {counts.tp} {counts.fp} {counts.fn}"
            # The official program pads for a beta of three characters and lets others stick out.
            yield f"{name} P/R/F{options.beta}  : {' '.join(map(str, rounded_scores(counts, options.beta)))}"
    yield RULE
    yield f"^^ HYP {best.hypothesis[0]}, REF {best.reference[0]} chosen for sentence {number}"
    yield "Local results:"
    rows = [("Category", "TP", "FP", "FN")]
    rows += [(name, str(c.tp), str(c.fp), str(c.fn)) for name, c in best.counts.by_type.items()]
    widths = [max(map(len, column)) + 3 for column in zip(*rows, strict=True)]
    for row in rows:
        yield "".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))


def _edit_list(keys: Keys) -> list[Key]:
    """Keys with the first of their types, in order."""
    return [(*key, keys[key][0]) for key in sorted(keys)]
