"""FCGEC's JSON: one object, record id → sentence with error types and correcting operations.

    {"3afc…": {"sentence": "…", "error_flag": 1, "error_type": "IWC;CM", "version": "FCGEC EMNLP 2022",
               "operation": [{"Modify": [{"pos": 42, "tag": "MOD_2", "label": ["缩小", "减小"]}]}]}}

`operation` is a list of corrections, as JSON text or as JSON itself; each becomes an `Annotation` with `Operations`.
Records of the test file have neither error type nor operation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from errata.edits.texts import source_text
from errata.errors import DataError, FormatError
from errata.formats import strict_json
from errata.formats.base import clean_lines
from errata.formats.strict_json import expect, expect_all, get, refuse_others
from errata.model import AnnotatedSentence, Annotation, Insertion, Modification, Operations, Sentence, Status
from errata.text.tokens import split_characters

_CORRECT = "*"
_OWN_KEYS = frozenset({"sentence", "error_flag", "error_type", "operation"})
_OPERATION_KEYS = frozenset({"Switch", "Delete", "Insert", "Modify"})
_ITEM_KEYS = frozenset({"pos", "tag", "label"})
_HEAD = re.compile(r'\s*\{\s*"[^"]*"\s*:\s*\{\s*"')
_MODIFY_TAG = re.compile(r"MOD_(\d{1,9})(?:\+(?:INS|DEL)_\d+)?", re.ASCII)


class FCGEC:
    """Tokens are characters without spaces; operations count all characters of the text, spaces too."""

    name: ClassVar[str] = "fcgec"
    suffixes: ClassVar[tuple[str, ...]] = (".json",)
    keeps: ClassVar[frozenset[str]] = frozenset({"ids", "text", "operations", "labels", "meta"})

    def sniff(self, head: str) -> bool:
        return _HEAD.match(head) is not None and '"sentence"' in head

    def parse(self, lines: Iterable[str], *, origin: str = "<input>") -> Iterator[AnnotatedSentence]:
        """The records in file order; the whole text is read first, because it is one JSON object."""
        text = "\n".join(clean_lines(lines, origin))
        try:
            records = expect(strict_json.loads(text), "the file", dict)
        except json.JSONDecodeError as error:
            raise FormatError(origin, error.lineno, f"not JSON: {error.msg}") from None
        except ValueError as error:
            raise FormatError(origin, 1, f"not FCGEC: {error}") from None
        for id_, record in records.items():
            try:
                yield _parse_record(id_, expect(record, "record", dict))
            except ValueError as error:
                raise FormatError(origin, _find_line(text, id_), f"record {id_}: {error}") from None

    def format(self, sentences: Iterable[AnnotatedSentence]) -> Iterator[str]:
        """The object, one record at a time; a sentence without an id gets its running number."""
        seen: set[str] = set()
        for number, annotated in enumerate(sentences):
            id_ = str(number) if annotated.sentence.id is None else annotated.sentence.id
            if id_ in seen:
                raise DataError(f"two sentences have the id {id_!r}")
            seen.add(id_)
            try:
                record = strict_json.dumps({id_: _format_record(annotated)}, indent=4)
            except (TypeError, ValueError) as error:
                raise DataError(f"a field of {id_!r} has no JSON form: {error}") from error
            yield ("{\n" if number == 0 else ",\n") + record.removeprefix("{\n").removesuffix("\n}")
        yield "\n}" if seen else "{}"


def _parse_record(id_: str, record: Mapping[str, Any]) -> AnnotatedSentence:
    text = get(record, "sentence", str)
    meta = {key: value for key, value in record.items() if key not in _OWN_KEYS}
    labels = _parse_labels(get(record, "error_type", str)) if "error_type" in record else None
    if "error_flag" in record and record["error_flag"] != _flag(labels):
        meta["error_flag"] = record["error_flag"]  # at odds with error_type: keep what the file says
    operations = _parse_operations(record["operation"], len(text)) if "operation" in record else None
    annotations = [Annotation(str(n), operations=item) for n, item in enumerate(operations or [])]
    is_correct = not labels if operations == [] else labels == ()
    if is_correct and not annotations:
        annotations = [Annotation()]
    return AnnotatedSentence(Sentence(split_characters(text), text, id_), tuple(annotations), labels, meta)


def _parse_labels(error_type: str) -> tuple[str, ...]:
    return () if error_type == _CORRECT else tuple(error_type.split(";"))


def _flag(labels: tuple[str, ...] | None) -> int | None:
    return None if labels is None else int(bool(labels))


def _parse_operations(value: Any, length: int) -> list[Operations]:
    if isinstance(value, str):
        value = strict_json.loads(value)
    return [_parse_operation(item, length) for item in expect_all(value, "operation", dict)]


def _parse_operation(record: dict[str, Any], length: int) -> Operations:
    refuse_others(record, _OPERATION_KEYS)
    switch = None
    if "Switch" in record:
        switch = _parse_indices(record["Switch"], "Switch", length)
        if len(set(switch)) != len(switch):
            raise ValueError("Switch uses a character twice")
    delete = _parse_indices(record.get("Delete", []), "Delete", length)
    insert = [_parse_insertion(item, length) for item in expect_all(record.get("Insert", []), "Insert", dict)]
    modify = []
    for item in expect_all(record.get("Modify", []), "Modify", dict):
        if get(item, "tag", str).startswith("INS_"):  # filed under Modify in the official data, but nothing is replaced
            insert.append(_parse_insertion(item, length))
        else:
            modify.append(_parse_modification(item, length))
    return Operations(switch, delete, tuple(insert), tuple(modify))


def _parse_indices(values: Any, what: str, length: int) -> tuple[int, ...]:
    indices = expect_all(values, what, int)
    if indices and not 0 <= min(indices) <= max(indices) < length:
        raise ValueError(f"{what} goes beyond the {length} characters of the sentence")
    return indices


def _parse_insertion(record: dict[str, Any], length: int) -> Insertion:
    """An insertion; its tag (`INS_n`) only counts characters of the label and is not looked at.

    The official data has tags such as `INS_人员`.
    """
    refuse_others(record, _ITEM_KEYS)
    position = get(record, "pos", int)
    if not get(record, "tag", str).startswith("INS_"):
        raise ValueError(f"tag {record['tag']!r} of Insert is not INS_n")
    if not -1 <= position < length:
        raise ValueError(f"Insert at {position} goes beyond the {length} characters of the sentence")
    return Insertion(position, _parse_texts(record))


def _parse_modification(record: dict[str, Any], length: int) -> Modification:
    """A modification; only the number after MOD_ matters, the rest of the tag follows from the label."""
    refuse_others(record, _ITEM_KEYS)
    position = get(record, "pos", int)
    tag = _MODIFY_TAG.fullmatch(get(record, "tag", str))
    if tag is None:
        raise ValueError(f"tag {record['tag']!r} of Modify is not MOD_n, MOD_n+INS_m or MOD_n+DEL_m")
    n_replaced = int(tag[1])
    if position < 0 or position + n_replaced > length:
        raise ValueError(f"Modify at {position} goes beyond the {length} characters of the sentence")
    return Modification(position, n_replaced, _parse_texts(record))


def _parse_texts(record: Mapping[str, Any]) -> tuple[str, ...]:
    label = record.get("label")
    texts = (label,) if isinstance(label, str) else expect_all(label, "label", str)
    if not texts:
        raise ValueError("a label is empty")
    return texts


def _format_record(annotated: AnnotatedSentence) -> dict[str, Any]:
    meta = dict(annotated.meta)
    record: dict[str, Any] = {"sentence": source_text(annotated.sentence)}
    labels = annotated.labels
    flag = meta.pop("error_flag", _flag(labels))
    if flag is not None:
        record["error_flag"] = flag
    if labels is not None:
        record["error_type"] = _format_labels(labels)
    annotations = [item for item in annotated.annotations if item.status is Status.ANNOTATED]
    if labels is not None or annotations:
        operations = [item for annotation in annotations for item in _list_operations(annotation)]
        record["operation"] = strict_json.dumps(operations)
    if not meta.keys().isdisjoint(_OWN_KEYS):
        raise DataError(f"an additional field has a name of FCGEC's own: {sorted(meta.keys() & _OWN_KEYS)[0]!r}")
    return record | meta


def _format_labels(labels: tuple[str, ...]) -> str:
    text = ";".join(labels) if labels else _CORRECT
    if _parse_labels(text) != labels:
        raise DataError(f"FCGEC cannot say the error types {labels!r}")
    return text


def _list_operations(annotation: Annotation) -> list[dict[str, Any]]:
    if annotation.operations is not None:
        return [_format_operations(annotation.operations)]
    if annotation.edits or annotation.target is not None:
        raise DataError("FCGEC says corrections as operations, and this one has none")
    return []


def _format_operations(operations: Operations) -> dict[str, Any]:
    record: dict[str, Any] = {}
    if operations.switch is not None:
        record["Switch"] = list(operations.switch)
    if operations.delete:
        record["Delete"] = list(operations.delete)
    if operations.insert:
        record["Insert"] = [_format_item(i.position, f"INS_{len(i.texts[0])}", i.texts) for i in operations.insert]
    if operations.modify:
        record["Modify"] = [_format_item(m.position, _modify_tag(m), m.texts) for m in operations.modify]
    return record


def _format_item(position: int, tag: str, texts: tuple[str, ...]) -> dict[str, Any]:
    return {"pos": position, "tag": tag, "label": texts[0] if len(texts) == 1 else list(texts)}


def _modify_tag(modification: Modification) -> str:
    """`MOD_2`, `MOD_1+INS_3` (the label is three longer) or `MOD_3+DEL_1` (one shorter)."""
    surplus = len(modification.texts[0]) - modification.length
    change = "" if surplus == 0 else f"+INS_{surplus}" if surplus > 0 else f"+DEL_{-surplus}"
    return f"MOD_{modification.length}{change}"


def _find_line(text: str, id_: str) -> int:
    """The line where a record begins (the first place its id is quoted)."""
    place = text.find(strict_json.dumps(id_))
    return text.count("\n", 0, max(place, 0)) + 1
