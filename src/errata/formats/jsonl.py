"""errata's own JSON lines: one object per sentence, lossless for everything the model can say.

`docs/formats/jsonl.md` is the schema. Fields that say nothing (no id, no labels, no meta …) are left out. Each edit
has its token span and, for people and programs that look at the text, the characters it covers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from errata.edits.texts import source_text
from errata.errors import DataError, FormatError
from errata.formats import strict_json
from errata.formats.base import clean_lines
from errata.formats.features import FEATURES
from errata.formats.strict_json import expect, expect_all, get, refuse_others
from errata.model import AnnotatedSentence, Annotation, Edit, Insertion, Modification, Operations, Sentence, Status

_SENTENCE_KEYS = frozenset({"id", "text", "is_joined", "tokens", "labels", "annotations", "meta"})
_ANNOTATION_KEYS = frozenset({"annotator", "status", "target", "alignment", "edits", "operations"})
_EDIT_KEYS = frozenset(
    {"start", "end", "chars", "replacement", "type", "alternatives", "is_required", "comment", "severity"}
)
_OPERATION_KEYS = frozenset({"switch", "delete", "insert", "modify"})
_INSERTION_KEYS = frozenset({"position", "texts"})
_MODIFICATION_KEYS = frozenset({"position", "length", "texts"})


class JsonLines:
    """One JSON object per line; unknown fields are refused, additional ones belong into `meta`."""

    name: ClassVar[str] = "jsonl"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl",)
    keeps: ClassVar[frozenset[str]] = frozenset(FEATURES)

    def sniff(self, head: str) -> bool:
        first = head.lstrip().split("\n", 1)[0]
        return first.startswith("{") and '"tokens"' in first

    def parse(self, lines: Iterable[str], *, origin: str = "<input>") -> Iterator[AnnotatedSentence]:
        for number, line in enumerate(clean_lines(lines, origin), 1):
            try:
                yield _parse_sentence(expect(strict_json.loads(line), "the line", dict))
            except json.JSONDecodeError as error:
                raise FormatError(origin, number, f"not JSON: {error.msg} at column {error.colno}") from None
            except ValueError as error:
                raise FormatError(origin, number, str(error)) from None

    def format(self, sentences: Iterable[AnnotatedSentence]) -> Iterator[str]:
        for annotated in sentences:
            try:
                yield strict_json.dumps(_format_sentence(annotated)) + "\n"
            except (TypeError, ValueError) as error:
                raise DataError(f"a field has no JSON form: {error}") from error


def locate_tokens(text: str, tokens: Sequence[str]) -> list[tuple[int, int]] | None:
    """Where each token stands in the text, or None when the text does not contain them all in order."""
    spans = []
    position = 0
    for token in tokens:
        start = text.find(token, position)
        if start < 0:
            return None
        position = start + len(token)
        spans.append((start, position))
    return spans


def _cover(spans: list[tuple[int, int]] | None, edit: Edit, text: str) -> list[int] | None:
    """The characters of an edit: from its first to its last token; an insertion stands before the next token."""
    if spans is None:
        return None
    if edit.start == edit.end:
        point = spans[edit.start][0] if edit.start < len(spans) else len(text)
        return [point, point]
    return [spans[edit.start][0], spans[edit.end - 1][1]]


def _format_sentence(annotated: AnnotatedSentence) -> dict[str, Any]:
    sentence = annotated.sentence
    text = source_text(sentence)
    record: dict[str, Any] = {} if sentence.id is None else {"id": sentence.id}
    record["text"] = text
    if sentence.text is None:
        record["is_joined"] = True
    record["tokens"] = list(sentence.tokens)
    if annotated.labels is not None:
        record["labels"] = list(annotated.labels)
    has_edits = any(annotation.edits for annotation in annotated.annotations)
    spans = locate_tokens(text, sentence.tokens) if has_edits else None
    for edit in (edit for annotation in annotated.annotations for edit in annotation.edits):
        if edit.end > len(sentence.tokens):
            raise DataError(f"edit span {edit.start}:{edit.end} ends after token {len(sentence.tokens)}")
    record["annotations"] = [_format_annotation(item, spans, text) for item in annotated.annotations]
    if annotated.meta:
        record["meta"] = dict(annotated.meta)
    return record


def _format_annotation(annotation: Annotation, spans: list[tuple[int, int]] | None, text: str) -> dict[str, Any]:
    record: dict[str, Any] = {"annotator": annotation.annotator}
    if annotation.status is not Status.ANNOTATED:
        record["status"] = annotation.status.value
    if annotation.target is not None:
        record["target"] = annotation.target
    if annotation.alignment:
        record["alignment"] = annotation.alignment
    record["edits"] = [_format_edit(edit, _cover(spans, edit, text)) for edit in annotation.edits]
    if annotation.operations is not None:
        record["operations"] = _format_operations(annotation.operations)
    return record


def _format_edit(edit: Edit, chars: list[int] | None) -> dict[str, Any]:
    record: dict[str, Any] = {
        "start": edit.start,
        "end": edit.end,
        "chars": chars,
        "replacement": list(edit.replacement),
        "type": edit.type,
    }
    if edit.alternatives:
        record["alternatives"] = [list(tokens) for tokens in edit.alternatives]
    if not edit.is_required:
        record["is_required"] = False
    if edit.comment:
        record["comment"] = edit.comment
    if edit.severity:
        record["severity"] = edit.severity
    return record


def _format_operations(operations: Operations) -> dict[str, Any]:
    return {
        "switch": None if operations.switch is None else list(operations.switch),
        "delete": list(operations.delete),
        "insert": [{"position": i.position, "texts": list(i.texts)} for i in operations.insert],
        "modify": [{"position": m.position, "length": m.length, "texts": list(m.texts)} for m in operations.modify],
    }


def _parse_sentence(record: Mapping[str, Any]) -> AnnotatedSentence:
    refuse_others(record, _SENTENCE_KEYS)
    tokens = expect_all(get(record, "tokens", list), "tokens", str)
    id_ = None if record.get("id") is None else get(record, "id", str)
    text = None if record.get("text") is None else get(record, "text", str)
    if expect(record.get("is_joined", False), "is_joined", bool):
        if text is not None and text != source_text(Sentence(tokens)):
            raise ValueError("'is_joined' is true, but 'text' is not the tokens joined")
        text = None
    sentence = Sentence(tokens, text, id_)
    shown = source_text(sentence)
    spans = locate_tokens(shown, tokens)
    items = expect_all(record.get("annotations", []), "annotations", dict)
    annotations = tuple(_parse_annotation(item, len(tokens), spans, shown) for item in items)
    labels = None if record.get("labels") is None else expect_all(record["labels"], "labels", str)
    return AnnotatedSentence(sentence, annotations, labels, expect(record.get("meta", {}), "meta", dict))


def _parse_annotation(
    record: Mapping[str, Any], n_tokens: int, spans: list[tuple[int, int]] | None, text: str
) -> Annotation:
    refuse_others(record, _ANNOTATION_KEYS)
    edits = []
    for item in expect_all(record.get("edits", []), "edits", dict):
        edit = _parse_edit(item, n_tokens)
        if item.get("chars") is not None and list(expect_all(item["chars"], "chars", int)) != _cover(spans, edit, text):
            raise ValueError(f"'chars' {item['chars']} are not the characters of tokens {edit.start}:{edit.end}")
        edits.append(edit)
    return Annotation(
        expect(record.get("annotator", "0"), "annotator", str),
        tuple(edits),
        Status(expect(record.get("status", Status.ANNOTATED.value), "status", str)),
        None if record.get("target") is None else get(record, "target", str),
        expect(record.get("alignment", 0), "alignment", int),
        None if record.get("operations") is None else _parse_operations(get(record, "operations", dict)),
    )


def _parse_edit(record: Mapping[str, Any], n_tokens: int) -> Edit:
    refuse_others(record, _EDIT_KEYS)
    start, end = get(record, "start", int), get(record, "end", int)
    if start > end:
        raise ValueError(f"edit span {start}:{end} runs backwards")
    if start < 0 or end > n_tokens:
        raise ValueError(f"edit span {start}:{end} goes beyond the {n_tokens} tokens")
    return Edit(
        start,
        end,
        expect_all(get(record, "replacement", list), "replacement", str),
        expect(record.get("type", "UNK"), "type", str),
        tuple(
            expect_all(item, "alternatives", str)
            for item in expect(record.get("alternatives", []), "alternatives", list)
        ),
        expect(record.get("is_required", True), "is_required", bool),
        expect(record.get("comment", ""), "comment", str),
        expect(record.get("severity", ""), "severity", str),
    )


def _parse_operations(record: dict[str, Any]) -> Operations:
    refuse_others(record, _OPERATION_KEYS)
    insert, modify = [], []
    for item in expect_all(record.get("insert", []), "insert", dict):
        refuse_others(item, _INSERTION_KEYS)
        insert.append(Insertion(get(item, "position", int), expect_all(item.get("texts"), "texts", str)))
    for item in expect_all(record.get("modify", []), "modify", dict):
        refuse_others(item, _MODIFICATION_KEYS)
        texts = expect_all(item.get("texts"), "texts", str)
        modify.append(Modification(get(item, "position", int), get(item, "length", int), texts))
    return Operations(
        None if record.get("switch") is None else expect_all(record["switch"], "switch", int),
        expect_all(record.get("delete", []), "delete", int),
        tuple(insert),
        tuple(modify),
    )
