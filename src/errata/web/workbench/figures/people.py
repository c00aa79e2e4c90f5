"""How well people do: F0.5 of each annotator's answers against the golden references, before and after self-study.

This is Figure 2 of MuCGEC (Zhang et al. 2022): every answer is a sample, and the metric is the one that `errata score`
uses for the language. The files that `errata annotate export --gold-for` and `--answers-of` write give the same score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from errata.metrics.base import Item
from errata.model import AnnotatedSentence, Annotation
from errata.web.workbench.figures.record import Record, Sample, find_samples
from errata.web.workbench.gold import GoldItem, find_untouched, pool_references
from errata.web.workbench.scorer import Scorer


class Edits:
    """The edits of every golden reference and answer of a project, extracted once."""

    def __init__(self, record: Record, scorer: Scorer) -> None:
        self.scorer = scorer
        targets: dict[str, dict[str, None]] = {}
        for one in record.submissions:
            targets.setdefault(one.item_id, {}).update(dict.fromkeys(one.answers))
        items = [item for item in record.items if item.id in targets]
        pairs = [item.pair(*targets[item.id]) for item in items]
        self._found = {
            item.id: _by_target(pair.targets, found)
            for item, pair, found in zip(items, pairs, scorer.annotate(pairs), strict=True)
        }
        self._gold = {item.id: self._find_gold(item) for item in items if item.is_judged and item.golden}

    def sentence(self, item_id: str) -> AnnotatedSentence:
        """The sentence of an item, without annotations."""
        return self._found[item_id][0]

    def of(self, item_id: str, target: str) -> tuple[Annotation, ...]:
        """The edits of a correction: several lists where they are equally cheap."""
        return self._found[item_id][1][target]

    def gold(self, item_id: str) -> AnnotatedSentence:
        """The sentence with its golden references."""
        return self._gold[item_id]

    def answer(self, sample: Sample) -> AnnotatedSentence:
        """The sentence with an answer as its only annotation."""
        found = self.of(sample.item.id, sample.target)
        return AnnotatedSentence(self.sentence(sample.item.id).sentence, _named(found, "0"))

    def scored(self, sample: Sample) -> Item:
        """The answer beside the golden references."""
        return self.compared(sample.item.id, sample.target, self.gold(sample.item.id).annotations)

    def compared(self, item_id: str, target: str, against: Sequence[Annotation]) -> Item:
        [hypothesis] = pool_references(AnnotatedSentence(self.sentence(item_id).sentence, self.of(item_id, target)))
        pooled = pool_references(AnnotatedSentence(self.sentence(item_id).sentence, tuple(against)))
        return Item(self.sentence(item_id).sentence, hypothesis, pooled)

    def between(self, item_id: str, target: str, others: Sequence[str]) -> Item:
        """An answer beside those of another person."""
        named = [one for number, other in enumerate(others) for one in _named(self.of(item_id, other), str(number))]
        return self.compared(item_id, target, named)

    def _find_gold(self, item: GoldItem) -> AnnotatedSentence:
        sentence = self.sentence(item.id).sentence
        untouched = find_untouched(item)
        # Edits of a file that counts by other tokens (Chinese words) cannot be compared with those of answers.
        if untouched is not None and untouched.sentence.tokens == sentence.tokens:
            return untouched
        named = [
            one for number, target in enumerate(item.golden) for one in _named(self.of(item.id, target), str(number))
        ]
        return AnnotatedSentence(sentence, tuple(named))


def _by_target(
    targets: Sequence[str], found: AnnotatedSentence
) -> tuple[AnnotatedSentence, Mapping[str, tuple[Annotation, ...]]]:
    own: dict[str, list[Annotation]] = {target: [] for target in targets}
    for annotation in found.annotations:
        own[targets[int(annotation.annotator)]].append(annotation)
    return AnnotatedSentence(found.sentence), {target: tuple(annotations) for target, annotations in own.items()}


def _named(annotations: Sequence[Annotation], annotator: str) -> tuple[Annotation, ...]:
    return tuple(
        Annotation(annotator, one.edits, one.status, one.target, one.alignment, one.operations) for one in annotations
    )


def score_people(record: Record, edits: Edits) -> dict[str, Any]:
    """The scores of all annotators, those who annotated most sentences first, and of all answers together."""
    before, after = (find_samples(record, after_study=after_study) for after_study in (False, True))
    rows = [
        {
            "id": user_id,
            "name": record.names[user_id],
            "n_items": len({one.item.id for one in before[user_id]}),
            "n_answers": len(before[user_id]),
            "n_accepted": sum(one.is_golden for one in before[user_id]),
            "before": score_samples(before[user_id], edits),
            "after": score_samples(after[user_id], edits),
        }
        for user_id in before
    ]
    return {
        "annotators": sorted(rows, key=lambda row: (-row["n_items"], row["name"])),
        "all": {name: score_samples(pool(samples), edits) for name, samples in (("before", before), ("after", after))},
        "metric": edits.scorer.metric.name,
        "signature": edits.scorer.signature,
    }


def pool(samples: Mapping[str, Sequence[Sample]]) -> list[Sample]:
    """The samples of all people in the order of the items."""
    everything = [one for own in samples.values() for one in own]
    return sorted(everything, key=lambda one: one.item.number)


def score_samples(samples: Sequence[Sample], edits: Edits) -> dict[str, float] | None:
    """Precision, recall, F0.5 and counts of answers; nothing where there are none."""
    if not samples:
        return None
    metric = edits.scorer.metric
    return dict(metric.aggregate(metric.stats([edits.scored(one) for one in samples])).parts)
