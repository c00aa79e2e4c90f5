"""`errata m2scorer`: the flags and the output of the official M2 scorer 3.2 (NUS), from errata's MaxMatch."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

import typer

from errata.cli.drop_in import FlagParser, drop_in
from errata.cli.lenient import suggest_lenient
from errata.cli.swapped import suggest_hypothesis
from errata.edits.texts import source_text
from errata.metrics._lattice import DELETION, DIAGONAL, INSERTION, build_lattice
from errata.metrics.base import Item
from errata.metrics.inputs import Hypothesis, check_parallel, make_items, read_gold, read_texts
from errata.metrics.items import scored_references
from errata.metrics.maxmatch import (
    AnnotatorCounts,
    Matches,
    MaxMatch,
    MaxMatchOptions,
    choose_annotators,
    find_matches,
)
from errata.metrics.texts import split_like
from errata.model import Annotation, Counts, Edit, Tokens

RULE = "-" * 43
# Start, end, original and corrected words: how the official program shows an edit.
Shown = tuple[int, int, str, str]


@drop_in
def m2scorer(context: typer.Context) -> None:
    """Score a hypothesis with the M2 scorer's flags and output (drop-in for m2scorer)."""
    args = parse_flags(context.args)
    options = MaxMatchOptions(args.beta, args.max_unchanged_words, args.ignore_whitespace_casing)
    with suggest_lenient(), suggest_hypothesis("gold is the second argument, a system's output the first"):
        gold = read_gold(args.gold, "m2scorer", lenient=args.lenient)
    lines = read_texts(args.hypothesis)
    check_parallel(args.hypothesis, lines, gold.name, len(gold))
    items = make_items(gold, [Hypothesis(line.strip()) for line in lines])
    typer.echo("\n".join(score(items, options, verbose=args.verbose, very_verbose=args.very_verbose)))


def parse_flags(arguments: Sequence[str]) -> argparse.Namespace:
    """The official flags, and `--lenient`, which the official program always is."""
    parser = FlagParser(prog="errata m2scorer", description="MaxMatch scores of a system's output.")
    parser.add_argument("hypothesis", help="system output, one sentence per line")
    parser.add_argument("gold", help="source sentences with gold edits (M2)")
    parser.add_argument("-v", "--verbose", action="store_true", help="print every sentence's edits")
    parser.add_argument("--very_verbose", action="store_true", help="print the edit lattices")
    parser.add_argument(
        "--max_unchanged_words", type=int, default=2, metavar="N", help="unchanged words an edit may contain (2)"
    )
    parser.add_argument("--beta", type=float, default=0.5, metavar="B", help="beta of the F-score (0.5)")
    parser.add_argument(
        "--ignore_whitespace_casing", action="store_true", help="ignore edits of white space and case only"
    )
    parser.add_argument("--lenient", action="store_true", help="keep gold edits that reach beyond their sentence")
    return parser.parse_args(list(arguments))


def score(
    items: Sequence[Item], options: MaxMatchOptions, *, verbose: bool = False, very_verbose: bool = False
) -> Iterator[str]:
    """The lines the official program prints."""
    metric = MaxMatch(options)
    stats = metric.stats(items)
    if verbose or very_verbose:
        yield from _describe_all(items, stats, options, verbose, very_verbose)
    parts = metric.aggregate(stats).parts
    f = parts[f"f{options.beta:g}"]
    if verbose:
        yield f"CORRECT EDITS  : {parts['tp']}"
        yield f"PROPOSED EDITS : {parts['tp'] + parts['fp']}"
        yield f"GOLD EDITS     : {parts['tp'] + parts['fn']}"
        yield f"P = {parts['precision']}"
        yield f"R = {parts['recall']}"
        yield f"F_{options.beta:.1f} = {f}"
    yield f"Precision   : {parts['precision']:.4f}"
    yield f"Recall      : {parts['recall']:.4f}"
    yield f"F_{options.beta:.1f}       : {f:.4f}"


def _describe_all(
    items: Sequence[Item],
    stats: Sequence[Sequence[AnnotatorCounts]],
    options: MaxMatchOptions,
    verbose: bool,
    very_verbose: bool,
) -> Iterator[str]:
    scored = [(number, item, own) for number, (item, own) in enumerate(zip(items, stats, strict=True), 1) if own]
    chosen = choose_annotators([tuple(own) for _, _, own in scored], options.beta)
    so_far = Counts()
    for (number, item, own), best in zip(scored, chosen, strict=True):
        assert isinstance(item.hypothesis, str)
        source, hypothesis = item.source.tokens, split_like(item.source, item.hypothesis)
        if very_verbose:
            yield f"edits (w/o transitive arcs): {_show_lattice(source, hypothesis)}"
        references = scored_references(item)
        found = find_matches(source, hypothesis, [one.edits for one in references], options)
        for reference, counts, matches in zip(references, own, found, strict=True):
            shown = [_show(source, edit) for edit in matches.proposed]
            if very_verbose:
                yield f"viterbi path = {shown[::-1]}"
            if verbose:
                yield from _describe(item, reference, matches, so_far + counts.counts, options.beta)
        if verbose:
            yield f">> Chosen Annotator for line {number} : {best.annotator}"
            yield ""
        so_far += best.counts


def _describe(item: Item, reference: Annotation, matches: Matches, total: Counts, beta: float) -> Iterator[str]:
    """One annotator of one sentence; the numbers are those of the corpus up to here."""
    source = item.source.tokens
    correct, proposed, gold = total.tp, total.tp + total.fp, total.tp + total.fn
    weight = beta * beta
    f = (1 + weight) * correct / (weight * gold + proposed) if gold + proposed else 1.0
    yield f">> Annotator: {reference.annotator}"
    yield from _mark_neighbours(source, matches, reference.edits)
    yield f"SOURCE        : {source_text(item.source)}"
    yield f"HYPOTHESIS    : {item.hypothesis}"
    yield f"EDIT SEQ      : {[_shrink(_show(source, edit)) for edit in matches.proposed]}"
    yield f"GOLD EDITS    : {[_show_gold(source, edit) for edit in reference.edits]}"
    yield f"CORRECT EDITS : {[_show(source, edit) for edit in matches.correct]}"
    yield f"# correct     : {correct}"
    yield f"# proposed    : {proposed}"
    yield f"# gold        : {gold}"
    yield f"precision     : {total.precision}"
    yield f"recall        : {total.recall}"
    yield f"f_{beta:.1f}         : {f}"
    yield RULE


def _show(source: Tokens, edit: Edit) -> Shown:
    return edit.start, edit.end, " ".join(source[edit.start : edit.end]), " ".join(edit.replacement)


def _show_gold(source: Tokens, edit: Edit) -> tuple[int, int, str, list[str]]:
    return (*_show(source, edit)[:3], [" ".join(one) for one in edit.replacements])


def _shrink(shown: Shown) -> Shown:
    """The edit without equal words at its beginning and end."""
    start, end, original, correction = shown
    old, new = original.split(), correction.split()
    while old and new and old[0] == new[0]:
        old, new, start = old[1:], new[1:], start + 1
    while old and new and old[-1] == new[-1]:
        old, new, end = old[:-1], new[:-1], end - 1
    return start, end, " ".join(old), " ".join(new)


def _mark_neighbours(source: Tokens, matches: Matches, gold: Sequence[Edit]) -> Iterator[str]:
    """Correct deletions with an insertion beside them (`&`), insertions beside a deletion (`*`), `!` if that is right.

    Such pairs might also be one substitution, which is why the official program points them out.
    """
    wanted = {(edit.start, edit.end, " ".join(one)) for edit in gold for one in edit.replacements}
    for edit in matches.correct:
        is_insertion = edit.start == edit.end
        if not is_insertion and edit.replacement:
            continue
        beside = [one for one in matches.proposed if one.start == edit.end or one.end == edit.start]
        shrunk = [_shrink(_show(source, one)) for one in beside]
        if is_insertion:
            shrunk = [one for one in shrunk if one[0] < one[1] and not one[3]]
        else:
            shrunk = [one for one in shrunk if one[0] == one[1]]
        if shrunk:
            is_right = any((start, end, correction) in wanted for start, end, _, correction in shrunk)
            yield f"{'!' if is_right else '*' if is_insertion else '&'} {_show(source, edit)}"


def _show_lattice(
    source: Tokens, hypothesis: Tokens
) -> dict[tuple[tuple[int, int], tuple[int, int]], tuple[object, ...]]:
    """The steps of the lattice as the official program names them: type, span, words, unchanged words."""
    numbers = {word: number for number, word in enumerate(dict.fromkeys(source + hypothesis))}
    lattice = build_lattice([numbers[word] for word in source], [numbers[word] for word in hypothesis])
    arcs: dict[tuple[tuple[int, int], tuple[int, int]], tuple[object, ...]] = {}
    for cell, flags in lattice.steps.items():
        i, j = divmod(cell, lattice.width)
        if flags & DIAGONAL:
            kind = "noop" if source[i - 1] == hypothesis[j - 1] else "sub"
            arcs[(i - 1, j - 1), (i, j)] = kind, i - 1, i, source[i - 1], hypothesis[j - 1], int(kind == "noop")
        if flags & DELETION:
            arcs[(i - 1, j), (i, j)] = "del", i - 1, i, source[i - 1], "", 0
        if flags & INSERTION:
            arcs[(i, j - 1), (i, j)] = "ins", i, i, "", hypothesis[j - 1], 0
    return arcs
