"""How far a project is, how fast it goes, and how long people take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from statistics import quantiles
from typing import Any

from errata.web.workbench.figures.record import ANNOTATE, SKIPPED, WORK, Record, Submission, count_states
from errata.web.workbench.gold import DONE, WITHDRAWN

# Days and weeks that are shown at most, the latest ones: a picture has no room for more.
MAX_DAYS, MAX_WEEKS = 90, 104


def measure_progress(record: Record) -> dict[str, Any]:
    """Items by state, tasks by kind and state, and the part of the annotations that is done."""
    items = count_states(record.items, WORK)
    n_items = sum(items.values()) - items.get(WITHDRAWN, 0)
    n_annotations = record.tasks.get(ANNOTATE, {}).get("done", 0)
    return {
        "items": items,
        "n_items": n_items,
        "share_done": items.get(DONE, 0) / n_items if n_items else None,
        "qualification_items": sum(count_states(record.items, "qualify").values()),
        "annotations": {"n_done": n_annotations, "n_wanted": record.n_wanted},
        "tasks": record.tasks,
        "lacking": record.lacking,
    }


def measure_throughput(record: Record) -> dict[str, Any]:
    """Submissions a day and a week (from Monday on), by kind of task; days are those of UTC."""
    return {
        "n_submissions": len(record.submissions),
        "days": _count_by(record.submissions, _day, timedelta(days=1), "day")[-MAX_DAYS:],
        "weeks": _count_by(record.submissions, _week, timedelta(weeks=1), "week")[-MAX_WEEKS:],
    }


def _day(at: float) -> date:
    return datetime.fromtimestamp(at, UTC).date()


def _week(at: float) -> date:
    day = _day(at)
    return day - timedelta(days=day.weekday())


def _count_by(
    submissions: Sequence[Submission], place: Callable[[float], date], step: timedelta, name: str
) -> list[dict[str, Any]]:
    """A row for each place from the first to the last, also where nothing was submitted."""
    counts: dict[date, Counter[str]] = {}
    for one in submissions:
        counts.setdefault(place(one.made_at), Counter())[one.kind] += 1
    if not counts:
        return []
    n_places = (max(counts) - min(counts)) // step + 1
    places = [min(counts) + number * step for number in range(n_places)]
    found = ((day, counts.get(day, Counter[str]())) for day in places)
    return [{name: day.isoformat(), "n": row.total(), "kinds": dict(sorted(row.items()))} for day, row in found]


def measure_time(record: Record) -> dict[str, Any]:
    """The seconds people took for a task: quartiles by kind, and of each annotator."""
    kinds = sorted({one.kind for one in record.submissions})
    own: dict[str, list[float]] = {}
    for one in record.latest(ANNOTATE):
        own.setdefault(one.user_id, []).append(one.seconds)
    return {
        "kinds": {
            kind: find_quartiles(one.seconds for one in record.submissions if one.kind == kind) for kind in kinds
        },
        "annotators": [
            {"id": user_id, "name": record.names[user_id], **find_quartiles(seconds)}
            for user_id, seconds in sorted(own.items(), key=lambda pair: record.names[pair[0]])
        ],
    }


def find_quartiles(seconds: Iterable[float]) -> dict[str, Any]:
    """Number, quartiles and median of times; a time of nothing is one that nobody measured.

    >>> find_quartiles([1.0, 2.0, 3.0, 4.0, 5.0, 0.0])
    {'n': 5, 'q1': 2.0, 'median': 3.0, 'q3': 4.0}
    """
    known = sorted(one for one in seconds if one > 0)
    if len(known) < 2:
        first, median, third = [known[0] if known else None] * 3
    else:
        first, median, third = quantiles(known, n=4, method="inclusive")
    return {"n": len(known), "q1": first, "median": median, "q3": third}


def measure_suggestions(record: Record) -> dict[str, Any]:
    """How many annotations were made with a suggestion of a corrector in sight."""
    found = [one for one in record.latest(ANNOTATE) if one.status != SKIPPED]
    n_suggested = sum(one.is_suggested for one in found)
    return {"n": n_suggested, "n_submissions": len(found), "share": n_suggested / len(found) if found else None}


def measure_references(record: Record) -> dict[str, Any]:
    """How many golden references sentences have (MuCGEC's Figure 1): of those that are done, and of those with errors.

    A sentence that nobody can annotate has none.
    """
    done = [item for item in record.items if item.purpose == WORK and item.state == DONE]
    wrong = [item for item in done if any(target != item.source for target in item.golden)]
    return {
        "distribution": _distribution([len(item.golden) for item in done]),
        "mean": _mean([len(item.golden) for item in done if item.golden]),
        "with_errors": {
            "n": len(wrong),
            "distribution": _distribution([len(item.golden) for item in wrong]),
            "mean": _mean([len(item.golden) for item in wrong]),
        },
    }


def _distribution(numbers: Sequence[int]) -> list[dict[str, int]]:
    return [{"n_references": number, "n": n} for number, n in sorted(Counter(numbers).items())]


def _mean(numbers: Sequence[int]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
