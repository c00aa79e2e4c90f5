"""Sentences with the labels a classifier learns, from whatever files a recipe names."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from errata.edits.operations import operation_kinds
from errata.edits.texts import source_text
from errata.errors import DataError
from errata.formats.files import iter_sentences
from errata.model import AnnotatedSentence, Annotation, Status, Tokens
from errata.systems.classifier.settings import LABELS
from errata.training.pairs import split_text

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence with the labels it has."""

    tokens: Tokens
    labels: tuple[str, ...]


def read_labelled(paths: Iterable[Path], task: str, language: str, *, tokenise: bool = False) -> Iterator[Labelled]:
    """Every sentence that somebody judged."""
    unjudged = 0
    for path in paths:
        for number, sentence in enumerate(iter_sentences(path), 1):
            labels = _labels(sentence, task, path, number)
            if labels is None:
                unjudged += 1
            else:
                yield Labelled(split_text(source_text(sentence.sentence), language, tokenise), labels)
    if unjudged:
        log.warning("%d sentences left out: nobody judged them", unjudged)


def _labels(sentence: AnnotatedSentence, task: str, path: Path, number: int) -> tuple[str, ...] | None:
    if task == "identification":
        if sentence.labels is None:
            raise DataError(f"{path}: sentence {number} has no error types, which identification learns (FCGEC's JSON)")
        unknown = [label for label in sentence.labels if label not in LABELS[task]]
        if unknown:
            raise DataError(f"{path}: sentence {number} has the error type {unknown[0]!r}, which is none of FCGEC's")
        return sentence.labels
    if sentence.labels is not None:
        return LABELS[task] if sentence.labels else ()
    judged = [one for one in sentence.annotations if one.status is Status.ANNOTATED]
    if not judged:
        return None
    return LABELS[task] if any(_changes(sentence, one) for one in judged) else ()


def _changes(sentence: AnnotatedSentence, annotation: Annotation) -> bool:
    if annotation.operations is not None:
        return bool(operation_kinds(annotation.operations))
    if annotation.target is not None:
        return annotation.target.split() != source_text(sentence.sentence).split()
    return bool(annotation.edits)


def write_labelled(sentences: Sequence[Labelled], path: Path) -> None:
    """Keep the dev set beside the packed data: it travels with them."""
    rows = (json.dumps([one.tokens, one.labels], ensure_ascii=False) + "\n" for one in sentences)
    path.write_text("".join(rows), encoding="utf-8")


def load_labelled(path: Path) -> list[Labelled]:
    """What `write_labelled` wrote."""
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read: {error}") from error
    return [Labelled(tuple(tokens), tuple(labels)) for tokens, labels in rows]
