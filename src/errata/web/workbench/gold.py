"""The golden references of items as annotated sentences: what is exported, and what people are scored against."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, text

from errata.edits.operations import apply_operations
from errata.edits.texts import source_text, target_text
from errata.errors import DataError
from errata.formats.features import needs_extraction
from errata.formats.jsonl import JsonLines
from errata.formats.robustgec import PREDICTION
from errata.metrics.items import pool_alignments
from errata.model import AnnotatedSentence, Annotation, Sentence, Status
from errata.web.workbench.scorer import Pair, Scorer
from errata.web.workbench.texts import same

# Items read from the database, and given to the extractor, at once.
BATCH = 256
DONE, WITHDRAWN, QUALIFY = "done", "withdrawn", "qualify"

_SELECT = """SELECT i.id, i.position, i.purpose, i.source, i.origin, i.state, g.target
    FROM items i LEFT JOIN golden g ON g.item_id = i.id
    WHERE i.project_id = :project_id ORDER BY i.purpose DESC, i.position, i.id, g.position"""


@dataclass(frozen=True, slots=True)
class GoldItem:
    """An item with its golden references in order; `number` counts the items of its purpose from 1."""

    id: str
    number: int
    purpose: str
    source: str
    origin: dict[str, Any]
    state: str
    golden: tuple[str, ...]

    @property
    def is_tokenised(self) -> bool:
        """Whether the source is tokens with spaces between them."""
        return bool(self.origin.get("is_tokenised", False))

    @property
    def is_judged(self) -> bool:
        """Whether it is known how the sentence should read, or that nobody can tell.

        References of a file are judged in the review like any other answer; before, they are golden only where people
        qualify with them.
        """
        return self.state == DONE or (self.purpose == QUALIFY and bool(self.golden))

    @property
    def imported(self) -> AnnotatedSentence | None:
        """The sentence as the imported file had it."""
        record = self.origin.get("record")
        if not record:
            return None
        return next(JsonLines().parse([json.dumps(record)], origin=f"item {self.number}"))

    @property
    def references(self) -> tuple[str, ...]:
        """The golden references, or those of the file as long as nobody judged the item."""
        if self.is_judged:
            return self.golden
        return () if self.imported is None else tuple(find_targets(self.imported))

    def pair(self, *more: str) -> Pair:
        """What to extract: the references, then `more` corrections, each once."""
        return Pair(self.source, tuple(dict.fromkeys((*self.references, *more))), self.is_tokenised)


def read_items(connection: Connection, project_id: str) -> Iterator[GoldItem]:
    """The items of a project in order, streaming."""
    options = {"stream_results": True, "yield_per": BATCH}
    rows = connection.execute(text(_SELECT), {"project_id": project_id}, execution_options=options)
    current: list[Any] = []
    for row in rows:
        if current and current[0].id != row.id:
            yield _make_item(current)
            current = []
        current.append(row)
    if current:
        yield _make_item(current)


def _make_item(rows: Sequence[Any]) -> GoldItem:
    row = rows[0]
    golden = tuple(row.target for row in rows if row.target is not None)
    origin = json.loads(row.origin) if row.origin else {}
    return GoldItem(row.id, row.position + 1, row.purpose, row.source, origin, row.state, golden)


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
    """The sentence as the file had it, where it has edits and the references are still those of the file."""
    imported = item.imported
    if imported is None or needs_extraction(imported):
        return None
    if not item.is_judged:
        return imported
    if not item.golden:
        return imported if _is_not_annotatable(imported) else None
    try:
        targets = find_targets(imported)
    except DataError:  # edits that cannot be applied are nobody's reference
        return None
    return imported if set(map(same, targets)) == set(map(same, item.golden)) else None


def find_targets(annotated: AnnotatedSentence) -> list[str]:
    """The corrections that annotators gave, each once, in order; what a system predicted is none."""
    targets: dict[str, str] = {}
    for annotation in annotated.annotations:
        if annotation.status is Status.ANNOTATED and annotation.annotator != PREDICTION:
            target = _target(annotated.sentence, annotation)
            targets.setdefault(same(target), target)
    return list(targets.values())


def _target(sentence: Sentence, annotation: Annotation) -> str:
    if annotation.operations is not None and annotation.target is None:
        return apply_operations(source_text(sentence), annotation.operations)
    return target_text(sentence, annotation)


def _is_not_annotatable(annotated: AnnotatedSentence) -> bool:
    statuses = {annotation.status for annotation in annotated.annotations}
    return statuses == {Status.NOT_ANNOTATABLE}


def pool_references(annotated: AnnotatedSentence) -> tuple[Annotation, ...]:
    """What an answer is scored against: one annotation for each golden reference."""
    return tuple(pool_alignments(annotated.annotations))
