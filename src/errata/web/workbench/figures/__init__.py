"""What the owner of a project sees: progress, throughput, scores, agreement, mistakes, references, time."""

from __future__ import annotations

from typing import Any

from errata.web.workbench.figures.agreement import measure_agreement
from errata.web.workbench.figures.mistakes import measure_mistakes
from errata.web.workbench.figures.people import Edits, score_people
from errata.web.workbench.figures.progress import (
    measure_progress,
    measure_references,
    measure_suggestions,
    measure_throughput,
    measure_time,
)
from errata.web.workbench.figures.record import Record
from errata.web.workbench.scorer import Scorer


def compute_figures(record: Record, scorer: Scorer) -> dict[str, Any]:
    """All figures of a project, as JSON."""
    edits = Edits(record, scorer)
    return {
        "project_id": record.project_id,
        "language": record.language,
        "newest_event": record.newest,
        "progress": measure_progress(record),
        "throughput": measure_throughput(record),
        "scores": score_people(record, edits),
        "agreement": measure_agreement(record, edits),
        "mistakes": measure_mistakes(record, edits),
        "references": measure_references(record),
        "time": measure_time(record),
        "suggestions": measure_suggestions(record),
    }
