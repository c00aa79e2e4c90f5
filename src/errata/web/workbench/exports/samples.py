"""The two files that a person's score can be checked with: their answers, and the gold beside them.

    errata score --m2 gold.m2 --hyp answers.m2 --metric errant

Every answer is one sentence of both files, so a sentence with two answers is there twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from errata.edits.languages import LANGUAGES
from errata.errors import DataError, UsageError
from errata.web.workbench.exports.corpora import format_m2
from errata.web.workbench.figures.people import Edits
from errata.web.workbench.figures.record import Record, Sample, find_samples
from errata.web.workbench.scorer import Scorer

SIDES = ("gold", "answers")
STAGES = ("before", "after")


@dataclass(frozen=True, slots=True)
class Sampled:
    """Whose answers, before or after self-study, and which of the two files."""

    user_id: str
    side: str
    stage: str = "before"


def export_samples(record: Record, scorer: Scorer, sampled: Sampled, form: str) -> Iterator[str]:
    """The gold of a person's answers as M2, or the answers as M2 or text, a line each."""
    samples = find_samples(record, after_study=sampled.stage == "after").get(sampled.user_id, [])
    if not samples:
        raise DataError("this person has no answers to sentences that are reviewed: there is nothing to score")
    if form == "text" and sampled.side == "answers":
        yield from (f"{sample.target}\n" for sample in samples)
    elif form == "m2":
        yield from _format(samples, Edits(record, scorer), sampled.side, scorer.language)
    else:
        raise UsageError(f"what people are scored by is exported as m2 (answers also as text), not as {form}")


def _format(samples: list[Sample], edits: Edits, side: str, language: str) -> Iterator[str]:
    show = edits.answer if side == "answers" else lambda sample: edits.gold(sample.item.id)
    return format_m2(((sample.item, show(sample)) for sample in samples), LANGUAGES[language].format)
