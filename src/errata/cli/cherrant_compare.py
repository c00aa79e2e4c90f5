"""`errata cherrant compare`: the flags and the output of ChERRANT's compare_m2_for_evaluation.py."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from errata.cli.drop_in import FlagParser
from errata.cli.errant_compare import RULE, add_flags, category_block, chosen_mode, rounded_scores, total_block
from errata.errors import AlignmentError, DataError
from errata.formats.base import get_format
from errata.formats.files import display_name, read_lines
from errata.metrics.cherrant import Cherrant
from errata.metrics.edit_counts import EditCounts, Keys, choose_reference, collect_keys, compare_keys, merge_types
from errata.metrics.edit_metric import EditOptions
from errata.metrics.items import pool_alignments
from errata.model import AnnotatedSentence, Annotation, Counts, Edit, Status


def compare_files(arguments: Sequence[str]) -> Iterator[str]:
    """The lines the official program prints for these flags."""
    args = parse_flags(arguments)
    return compare(_read(args.hyp), _read(args.ref), args)


def parse_flags(arguments: Sequence[str]) -> argparse.Namespace:
    """The official flags."""
    parser = FlagParser(prog="errata cherrant compare", description="F-scores for error detection and correction.")
    add_flags(parser)
    parser.add_argument("--start", type=int, help="first sentence to score, counted from 0; only with --end")
    parser.add_argument("--end", type=int, help="sentence to stop before; only with --start")
    parser.add_argument("--max_answer_num", type=int, help="leave out annotators from this number on")
    parser.add_argument("--reference_num", type=int, help="only sentences with exactly this many references")
    for flag in ("-multi_hyp_avg", "-multi_hyp_max"):
        parser.add_argument(flag, action="store_true", help="taken for compatibility; the best hypothesis counts")
    return parser.parse_args(list(arguments))


class _Side(NamedTuple):
    """What one annotator says about a sentence."""

    annotator: str
    keys: Keys


def _read(path: str) -> list[AnnotatedSentence]:
    lines = list(read_lines(path))
    # The official program only looks at S and A lines: it takes files without T lines as well.
    dialect = get_format("cherrant" if any(line.startswith("T") for line in lines) else "m2", strict=False)
    sentences = list(dialect.parse(lines, origin=display_name(path)))
    if not sentences:
        raise DataError(f"{path}: there are no sentences to score")
    return sentences


def compare(
    hypotheses: Sequence[AnnotatedSentence], references: Sequence[AnnotatedSentence], args: argparse.Namespace
) -> Iterator[str]:
    """The lines the official program prints."""
    if len(hypotheses) != len(references):
        raise AlignmentError(f"{args.hyp} has {len(hypotheses)} sentences, {args.ref} {len(references)}")
    options = EditOptions(beta=args.beta, mode=chosen_mode(args))
    window = slice(args.start, args.end) if None not in (args.start, args.end) else slice(None)
    pairs = list(zip(hypotheses, references, strict=True))[window]
    chosen: list[EditCounts] = []
    so_far = Counts()
    for number, (hypothesis, reference) in enumerate(pairs):
        sides = _sides(hypothesis, args), _sides(reference, args)
        if args.reference_num not in (None, len(sides[1])) or _is_not_annotatable(sides[1]):
            continue
        tried = [(hyp, ref, compare_keys(hyp.keys, ref.keys)) for hyp in sides[0] for ref in sides[1]]
        best = tried[choose_reference([counts.total for _, _, counts in tried], so_far, options.beta)]
        if args.verbose:
            yield from _describe(number, hypothesis, tried, best, so_far, options.beta)
        so_far += best[2].total
        chosen.append(best[2])
    if args.cat:
        yield from category_block(merge_types(chosen), args.cat, options)
    yield from total_block(so_far, options)


def _sides(sentence: AnnotatedSentence, args: argparse.Namespace) -> list[_Side]:
    annotations = pool_alignments(sentence.annotations)
    if args.max_answer_num is not None:
        annotations = [one for one in annotations if int(one.annotator) < args.max_answer_num]
    return [_Side(one.annotator, _keys(one, args)) for one in annotations or [Annotation()]]


def _keys(annotation: Annotation, args: argparse.Namespace) -> Keys:
    mode = chosen_mode(args)
    if annotation.status is Status.NOT_ANNOTATABLE:
        # Beside other references the official program takes the mark NA for an edit that nobody finds.
        key = {"cs": (-1, -1, ""), "cse": (-1, -1, "NA", "")}.get(mode, (-1, -1))
        return {} if args.multi or "NA" in args.filt else {key: ["NA"]}
    return collect_keys((edit for edit in annotation.edits if _is_counted(edit, mode, args)), Cherrant.modes[mode])


def _is_counted(edit: Edit, mode: str, args: argparse.Namespace) -> bool:
    if edit.type in args.filt or (edit.type == "UNK" and mode in ("cs", "cse")):
        return False
    # The official program has taken the spaces out of the correction: only the source side can have several tokens.
    is_single = edit.end - edit.start < 2
    return not (args.single and not is_single) and not (args.multi and is_single)


def _is_not_annotatable(references: Sequence[_Side]) -> bool:
    return len(references) == 1 and [*references[0].keys.values()] == [["NA"]]


def _describe(
    number: int,
    sentence: AnnotatedSentence,
    tried: Sequence[tuple[_Side, _Side, EditCounts]],
    best: tuple[_Side, _Side, EditCounts],
    so_far: Counts,
    beta: float,
) -> Iterator[str]:
    """The verbose output of one sentence."""
    for hyp, ref, counts in tried:
        yield RULE
        yield f"SENTENCE {number} {' '.join(sentence.sentence.tokens)}"
        yield RULE
        yield f"SENTENCE {number} - HYP {hyp.annotator} - REF {ref.annotator}"
        yield f"HYPOTHESIS EDITS : {_edit_list(hyp.keys)}"
        yield f"REFERENCE EDITS  : {_edit_list(ref.keys)}"
        for name, shown in (("Local", counts.total), ("Global", so_far + counts.total)):
            yield f"{name + ' TP/FP/FN':<17}: {shown.tp} {shown.fp} {shown.fn}"
            yield f"{name} P/R/F{beta}  : {' '.join(map(str, rounded_scores(shown, beta)))}"
    yield RULE
    yield f"^^ HYP {best[0].annotator}, REF {best[1].annotator} chosen for sentence {number}"


def _edit_list(keys: Keys) -> list[tuple[int | str, ...]]:
    shown = sorted(tuple("-NONE-" if part == "" else part for part in key) for key in keys)
    return [] if shown and shown[0][0] == -1 else shown
