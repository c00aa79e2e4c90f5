"""The sentences of a project in a file format: M2, MuCGEC's TSV, FCGEC's JSON, RobustGEC's blocks, plain text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from sqlalchemy import Connection

from errata.edits.languages import LANGUAGES
from errata.edits.operations import apply_operations, derive_operations
from errata.errors import DataError, ErrataError, UnknownName, UsageError
from errata.formats.base import M2_DIALECTS, get_format
from errata.formats.corpora import count_sentences
from errata.model import AnnotatedSentence, Annotation, RobustCase, Sample, Sentence, Status
from errata.text.tokens import split_raw
from errata.web.workbench.gold import (
    BATCH,
    WITHDRAWN,
    GoldItem,
    annotate_gold,
    read_items,
)
from errata.web.workbench.scorer import Scorer
from errata.web.workbench.texts import same

PURPOSES = ("work", "qualify", "any")
STATES = ("done", "all")


@dataclass(slots=True)
class Wanted:
    """Which sentences are exported, and what the format could not say of them.

    `state` "done" is those whose references are golden, "all" also those that are not done: they have what the imported
    file said of them. Withdrawn ones are never there.
    """

    state: str = "done"
    purpose: str = "work"
    losses: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        if self.state not in STATES:
            raise UnknownName("choice of sentences", self.state, STATES)
        if self.purpose not in PURPOSES:
            raise UnknownName("purpose", self.purpose, PURPOSES)

    def has(self, item: GoldItem) -> bool:
        if item.state == WITHDRAWN or self.purpose not in (item.purpose, "any"):
            return False
        return self.state == "all" or item.is_judged

    def notes(self) -> list[str]:
        """A line for each thing that was lost."""
        return [f"{what}, in {count_sentences(n)}" for what, n in sorted(self.losses.items())]


def export_m2(connection: Connection, project_id: str, scorer: Scorer, wanted: Wanted) -> Iterator[str]:
    """M2 with one annotator for each golden reference; in the dialect of the imported file where there is one."""
    items = read_items(connection, project_id)
    dialect = find_dialect((item for item in items if wanted.has(item)), scorer.language)
    for batch in _batches(connection, project_id, wanted):
        yield from format_m2(zip(batch, annotate_gold(batch, scorer), strict=True), dialect)


def format_m2(sentences: Iterable[tuple[GoldItem, AnnotatedSentence]], dialect: str) -> Iterator[str]:
    """The blocks of sentences; the item is named that M2 cannot say."""
    writer = get_format(dialect)
    for item, annotated in sentences:
        with _naming(item):
            yield from writer.format([annotated])


def find_dialect(items: Iterable[GoldItem], language: str) -> str:
    """The dialect of M2 that all items were imported in, else that of the language."""
    found = {item.origin.get("format") for item in items}
    [name] = found if len(found) == 1 else [None]
    return str(name) if name in M2_DIALECTS else LANGUAGES[language].format


def export_tsv(connection: Connection, project_id: str, scorer: Scorer, wanted: Wanted) -> Iterator[str]:
    """MuCGEC's rows: id, source, references. A sentence without an id has the number of its item."""
    writer = get_format("mucgec")
    for item in _items(connection, project_id, wanted):
        annotated = as_texts(item)
        id_ = annotated.sentence.id or str(item.number)
        with _naming(item):
            yield from writer.format([replace(annotated, sentence=replace(annotated.sentence, id=id_))])


def export_fcgec(connection: Connection, project_id: str, scorer: Scorer, wanted: Wanted) -> Iterator[str]:
    """FCGEC's JSON: the operations that make each golden reference."""
    if scorer.language != "zh":
        raise UsageError("FCGEC's form is for Chinese: export English as m2, tsv or jsonl")
    yield from get_format("fcgec").format(_operated(connection, project_id, wanted))


def _operated(connection: Connection, project_id: str, wanted: Wanted) -> Iterator[AnnotatedSentence]:
    seen: set[str] = set()
    for item in _items(connection, project_id, wanted):
        annotated = as_texts(item)
        if any(one.status is Status.NOT_ANNOTATABLE for one in annotated.annotations):
            wanted.losses["left out because fcgec cannot say “not annotatable”"] += 1
            continue
        id_ = annotated.sentence.id
        if id_ is None or id_ in seen:
            id_ = f"item-{item.number}"
        seen.add(id_)
        with _naming(item):
            annotations = tuple(_operate(item.source, one) for one in annotated.annotations)
        flag = {"error_flag": int(any(one.operations for one in annotations))} if annotations else {}
        yield AnnotatedSentence(replace(annotated.sentence, id=id_), annotations, meta=flag)


def _operate(source: str, annotation: Annotation) -> Annotation:
    if annotation.target is None:
        return annotation
    operations = derive_operations(source, annotation.target)
    if apply_operations(source, operations) != annotation.target:
        raise DataError(f"FCGEC's operations cannot make {annotation.target[:60]!r}")
    return replace(annotation, target=None, operations=operations)


def export_para(connection: Connection, project_id: str, scorer: Scorer, wanted: Wanted) -> Iterator[str]:
    """RobustGEC's blocks: each sentence as an original without variants, with its first golden reference."""
    from errata.formats.robustgec import format_cases

    for item in _items(connection, project_id, wanted):
        annotated = as_texts(item)
        usable = [one for one in annotated.annotations if one.status is Status.ANNOTATED]
        if not usable:
            wanted.losses["left out because robustgec needs a reference"] += 1
            continue
        if len(usable) > 1:
            wanted.losses["robustgec cannot say: further references (the first is kept)"] += 1
        target = item.source if usable[0].target is None else usable[0].target
        with _naming(item):
            yield from format_cases([RobustCase(Sample(item.source, target), ())])


def export_text(connection: Connection, project_id: str, scorer: Scorer, wanted: Wanted) -> Iterator[str]:
    """The corrected sentences, one on each line: the first golden reference, or the source where there is none."""
    for item in _items(connection, project_id, wanted):
        references = item.references
        if len(references) > 1:
            wanted.losses["text cannot say: further references (the first is kept)"] += 1
        yield (references[0] if references else item.source) + "\n"


def as_texts(item: GoldItem) -> AnnotatedSentence:
    """The item with corrected texts for formats that have no edits; no text where nothing is wrong."""
    imported = item.imported
    id_ = None if imported is None else imported.sentence.id
    sentence = Sentence(split_raw(item.source), item.source, id_)
    if item.is_judged and not item.golden:
        return AnnotatedSentence(sentence, (Annotation(status=Status.NOT_ANNOTATABLE),))
    annotations = [
        Annotation(str(place), target=None if same(target) == same(item.source) else target)
        for place, target in enumerate(item.references)
    ]
    return AnnotatedSentence(sentence, tuple(annotations))


# format → what writes it, the suffix of its files and their media type.
Writer = Callable[[Connection, str, Scorer, Wanted], Iterator[str]]
CORPORA: dict[str, tuple[Writer, str, str]] = {
    "m2": (export_m2, ".m2", "text/plain"),
    "tsv": (export_tsv, ".tsv", "text/tab-separated-values"),
    "fcgec": (export_fcgec, ".json", "application/json"),
    "para": (export_para, ".para", "text/plain"),
    "text": (export_text, ".txt", "text/plain"),
}


def _items(connection: Connection, project_id: str, wanted: Wanted) -> Iterator[GoldItem]:
    return (item for item in read_items(connection, project_id) if wanted.has(item))


def _batches(connection: Connection, project_id: str, wanted: Wanted) -> Iterator[list[GoldItem]]:
    items = _items(connection, project_id, wanted)
    while batch := list(islice(items, BATCH)):
        yield batch


class _naming:
    """In the block, what cannot be said of an item is told with its number."""

    def __init__(self, item: GoldItem) -> None:
        self._item = item

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ErrataError):
            raise DataError(f"item {self._item.number} cannot be exported this way: {error}") from error
