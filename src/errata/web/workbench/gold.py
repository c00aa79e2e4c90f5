"""The golden references of items as annotated sentences: what is exported, and what people are scored against."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, text

from errata.edits.operations import apply_all_operations
from errata.edits.texts import source_text, target_text
from errata.errors import DataError
from errata.formats.jsonl import JsonLines
from errata.metrics.items import pool_alignments
from errata.model import AnnotatedSentence, Annotation, Sentence, Status
from errata.web.workbench.scorer import Pair, Scorer
from errata.web.workbench.texts import same

# Items read from the database, and given to the extractor, at once.
BATCH = 256
DONE, WITHDRAWN, NOT_ANNOTATABLE = "done", "withdrawn", "not_annotatable"

_SELECT = """SELECT i.id, i.position, i.purpose, i.source, i.origin, i.state, i.outcome, i.passage_id, g.target
    FROM items i LEFT JOIN golden g ON g.item_id = i.id
    WHERE i.project_id = :project_id ORDER BY i.position, i.id, g.position"""


@dataclass(frozen=True, slots=True)
class GoldItem:
    """An item with its golden references in order; `number` counts the items of a project from 1."""

    id: str
    number: int
    purpose: str
    source: str
    origin: dict[str, Any]
    state: str
    outcome: str
    passage_id: str | None
    golden: tuple[str, ...]

    @property
    def is_tokenised(self) -> bool:
        """Whether the source is tokens with spaces between them."""
        return bool(self.origin.get("is_tokenised", False))

    @property
    def is_judged(self) -> bool:
        """Whether it is known how the sentence should read, or that nobody can tell."""
        return bool(self.golden) or self.state == DONE

    @property
    def imported(self) -> AnnotatedSentence | None:
        """The sentence as the imported file had it."""
        record = self.origin.get("record")
        if not record:
            return None
        return next(JsonLines().parse([json.dumps(record)], origin=f"item {self.number}"))

    def pair(self, *more: str) -> Pair:
        """What to extract: the golden references, then `more` corrections, each once."""
        return Pair(self.source, tuple(dict.fromkeys((*self.golden, *more))), self.is_tokenised)


def read_items(connection: Connection, project_id: str) -> Iterator[GoldItem]:
    """The items of a project in order, streaming."""
    options = {"stream_results": True, "yield_per": BATCH}
    rows = connection.execute(text(_SELECT), {"project_id": project_id}, execution_options=options)
    current: list[Any] = []
    number = 0
    for row in rows:
        if current and current[0].id != row.id:
            number += 1
            yield _make_item(current, number)
            current = []
        current.append(row)
    if current:
        yield _make_item(current, number + 1)


def _make_item(rows: Sequence[Any], number: int) -> GoldItem:
    row = rows[0]
    golden = tuple(row.target for row in rows if row.target is not None)
    origin = json.loads(row.origin) if row.origin else {}
    return GoldItem(
        row.id, number, row.purpose, row.source, origin, row.state, row.outcome, row.passage_id, golden
    )  # fmt: skip


def annotate_gold(items: Sequence[GoldItem], scorer: Scorer) -> list[AnnotatedSentence]:
    """The sentences with one annotator for each golden reference, in order.

    Where the references are those of the imported file, so are edits, types and annotators. An item that nobody judged
    yet has what the file said of it.
    """
    kept = [find_untouched(item) for item in items]
    found = iter(scorer.annotate([item.pair() for item, one in zip(items, kept, strict=True) if one is None]))
    return [finish(item, next(found)) if one is None else one for item, one in zip(items, kept, strict=True)]


def finish(item: GoldItem, found: AnnotatedSentence) -> AnnotatedSentence:
    """A sentence as it was extracted, with its id, labels and other fields, and the mark of one nobody can annotate."""
    imported = item.imported
    id_ = None if imported is None else imported.sentence.id
    sentence = replace(found.sentence, id=id_)
    annotations = found.annotations
    if item.is_judged and not item.golden:
        annotations = (Annotation(status=Status.NOT_ANNOTATABLE),)
    return AnnotatedSentence(sentence, annotations, meta={} if imported is None else imported.meta)


def find_untouched(item: GoldItem) -> AnnotatedSentence | None:
    """The sentence as the file had it, where nobody has changed what it says."""
    imported = item.imported
    if imported is None:
        return None
    if not item.is_judged:
        return imported
    try:
        targets = find_targets(imported)
    except DataError:  # edits that cannot be applied are nobody's reference
        return None
    is_same = list(map(same, targets)) == list(map(same, item.golden))
    return imported if is_same and (item.golden or _is_not_annotatable(imported)) else None


def find_targets(annotated: AnnotatedSentence) -> list[str]:
    """The corrections that annotators gave, each once, in order."""
    targets: dict[str, str] = {}
    for annotation in annotated.annotations:
        if annotation.status is Status.ANNOTATED:
            for target in _targets(annotated.sentence, annotation):
                targets.setdefault(same(target), target)
    return list(targets.values())


def _targets(sentence: Sentence, annotation: Annotation) -> list[str]:
    if annotation.operations is not None and annotation.target is None:
        return apply_all_operations(source_text(sentence), annotation.operations)
    return [target_text(sentence, annotation)]


def _is_not_annotatable(annotated: AnnotatedSentence) -> bool:
    statuses = {annotation.status for annotation in annotated.annotations}
    return statuses == {Status.NOT_ANNOTATABLE}


def references(annotated: AnnotatedSentence) -> tuple[Annotation, ...]:
    """What an answer is scored against: one annotation for each golden reference."""
    return tuple(pool_alignments(annotated.annotations))
