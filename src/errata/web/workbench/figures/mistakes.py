"""What annotators get wrong: the edits of answers that were not accepted, beside those of the nearest reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from errata.metrics.edit_counts import choose_reference, collect_keys, compare_keys
from errata.model import Annotation, Counts, Edit, Tokens
from errata.web.workbench.figures.people import Edits, pool
from errata.web.workbench.figures.record import Record, Sample, find_samples

# Types that are listed, and examples of each.
MAX_TYPES, MAX_EXAMPLES = 20, 3


def measure_mistakes(record: Record, edits: Edits) -> dict[str, Any]:
    """Types of edits that were made but rejected, and that were missed; and how many answers fell short in which way.

    An answer that only lacks edits is `incomplete`, one that only has wrong ones `wrong`.
    """
    rejected = [one for one in pool(find_samples(record, after_study=False)) if not one.is_golden]
    made, missed = _Types(), _Types()
    ways: Counter[str] = Counter()
    for sample in rejected:
        surplus, lacking = find_differences(sample, edits)
        made.add(sample, surplus, edits)
        missed.add(sample, lacking, edits)
        ways["both" if surplus and lacking else "wrong" if surplus else "incomplete" if lacking else "spacing"] += 1
    return {
        "n_rejected": len(rejected),
        "ways": dict(sorted(ways.items())),
        "rejected": made.rows(),
        "missed": missed.rows(),
    }


def find_differences(sample: Sample, edits: Edits) -> tuple[list[Edit], list[Edit]]:
    """The edits of an answer that the nearest golden reference does not have, and the other way round."""
    metric, item = edits.scorer.metric, edits.scored(sample)
    assert isinstance(item.hypothesis, Annotation)
    gold = [one for one in item.references if isinstance(one, Annotation)]
    own = list(metric.counted_edits(item.hypothesis))
    keys = collect_keys(own, metric.key)
    others = [list(metric.counted_edits(one)) for one in gold]
    counts = [compare_keys(keys, collect_keys(one, metric.key)).total for one in others]
    nearest = others[choose_reference(counts, Counts(), metric.options.beta)]
    return list(_without(own, nearest, metric.key)), list(_without(nearest, own, metric.key))


def _without(edits: Sequence[Edit], others: Sequence[Edit], key: Any) -> Iterator[Edit]:
    """The edits that are not among others, each once."""
    seen = {one for other in others for one in key(other)}
    for edit in edits:
        for one in key(edit):
            if one not in seen:
                seen.add(one)
                yield edit


class _Types:
    """Counts edits by type, and keeps the first of each as examples."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, list[dict[str, Any]]] = {}

    def add(self, sample: Sample, edits: Sequence[Edit], found: Edits) -> None:
        tokens = found.sentence(sample.item.id).sentence.tokens
        for edit in edits:
            self._counts[edit.type] += 1
            examples = self._examples.setdefault(edit.type, [])
            if len(examples) < MAX_EXAMPLES:
                examples.append(_show(sample, edit, tokens, found.scorer.language))

    def rows(self) -> list[dict[str, Any]]:
        ordered = sorted(self._counts.items(), key=lambda pair: (-pair[1], pair[0]))
        return [{"type": name, "n": n, "examples": self._examples[name]} for name, n in ordered[:MAX_TYPES]]


def _show(sample: Sample, edit: Edit, tokens: Tokens, language: str) -> dict[str, Any]:
    between = "" if language == "zh" else " "
    original = between.join(tokens[edit.start : edit.end])
    return {
        "item_id": sample.item.id,
        "number": sample.item.number,
        "source": sample.item.source,
        "original": original,
        "replacement": between.join(edit.replacement),
    }
