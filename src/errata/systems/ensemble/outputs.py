"""Ensembles of output files: the same source corrected by several systems, one line a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from errata.edits.apply import apply_edits, apply_text_edits
from errata.errors import UsageError
from errata.formats.files import plain_stem
from errata.formats.parallel import zip_lines
from errata.metrics.inputs import check_sources, read_gold
from errata.model import Edit, Status, TextEdit, Tokens
from errata.systems.base import ProposedEdit
from errata.systems.ensemble.ballots import BallotBox
from errata.systems.ensemble.learnt import PENALTY, LearntVoting, learn_votes
from errata.systems.ensemble.voting import Electorate, Voting
from errata.text.spacing import LAYOUTS
from errata.text.tokens import join_tokens


def system_names(paths: Sequence[str]) -> list[str]:
    """What the systems are called: the files' names without suffixes, numbered where two are the same."""
    stems = [plain_stem(path) for path in paths]
    return [stem if stems.count(stem) == 1 else f"{stem}-{number}" for number, stem in enumerate(stems, 1)]


def combine_outputs(
    source: str, hypotheses: Sequence[str], language: str, electorate: Electorate | None = None, *, workers: int = 1
) -> Iterator[tuple[str, list[ProposedEdit]]]:
    """The combined line and its edits, for every line of `source`; `electorate` is a majority unless given."""
    chosen = electorate or Voting(len(hypotheses))
    order = list(range(len(hypotheses)))
    if isinstance(chosen, LearntVoting):
        order = chosen.order(system_names(hypotheses))
    rows = list(zip_lines([source, *(hypotheses[number] for number in order)]))
    ballots = BallotBox(language, workers=workers).hold((line, outputs) for line, *outputs in rows)
    for (line, *_), ballot in zip(rows, ballots, strict=True):
        edits = chosen.elect(ballot)
        yield corrected_line(line, ballot.tokens, [one.edit for one in edits], language), edits


def corrected_line(line: str, tokens: Tokens, edits: Sequence[Edit], language: str) -> str:
    """The line with the edits made; without edits, the line as it is."""
    if not edits:
        return line
    layout = LAYOUTS[language]
    spans = layout.spans(line)
    if language == "zh" and tuple(line[a:b] for a, b in spans) == tokens:
        placed = [layout.place(line, spans, edit.start, edit.end, edit.replacement, None) for edit in edits]
        return apply_text_edits(line, [TextEdit(*place) for place in placed])
    return join_tokens(apply_edits(tokens, edits), like=tokens)


def learn_from_outputs(
    source: str,
    hypotheses: Sequence[str],
    language: str,
    *,
    references: Sequence[str] = (),
    gold: str | None = None,
    penalty: float = PENALTY,
    beta: float = 0.5,
    workers: int = 1,
) -> LearntVoting:
    """Weights learnt from output files and either reference texts or annotated sentences (M2 …) of the same source."""
    if bool(references) == (gold is not None):
        raise UsageError("give reference texts or a file with gold edits, one of them")
    rows = list(zip_lines([source, *hypotheses]))
    box = BallotBox(language, workers=workers)
    ballots = list(box.hold((line, outputs) for line, *outputs in rows))
    if gold is not None:
        wanted = gold_edits(gold, source)
    else:
        wanted = box.references((line, targets) for line, *targets in zip_lines([source, *references]))
    return learn_votes(ballots, wanted, system_names(hypotheses), language, penalty=penalty, beta=beta)


def gold_edits(path: str, source: str) -> list[list[tuple[Edit, ...]]]:
    """The edits of every annotator of every sentence; the sources must be the lines of `source`."""
    gold = read_gold(path)
    check_sources(gold, Path(source))
    return [
        [one.edits for one in sentence.annotations if one.status is Status.ANNOTATED and not one.alignment]
        for sentence in gold.sentences
    ]
