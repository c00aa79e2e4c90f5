"""Sentences with plans and error types, from whatever files a recipe names."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from errata.edits.apply import apply_edits
from errata.edits.operations import apply_all_operations, apply_operations
from errata.edits.pairing import pair_edits
from errata.edits.texts import source_text, target_text
from errata.errors import DataError
from errata.formats.files import iter_sentences
from errata.model import AnnotatedSentence, Annotation, Status, Tokens
from errata.systems.stg.plan import Plan, plan_edits, plan_operations, plan_pair
from errata.text.tokens import is_char_level
from errata.training.pairs import DevSentence, split_text

log = logging.getLogger(__name__)

# FCGEC's seven error types.
TYPES = ("IWO", "IWC", "CM", "CR", "SC", "ILL", "AM")


@dataclass(frozen=True, slots=True)
class Example:
    """A source with its plan, and its error types where the data has them."""

    tokens: Tokens
    plan: Plan
    types: tuple[str, ...] | None = None


def read_examples(paths: Iterable[Path], language: str, *, tokenise: bool = False) -> Iterator[Example]:
    """An example for every annotation of every sentence."""
    skipped: Counter[str] = Counter()
    for path in paths:
        for number, sentence in enumerate(iter_sentences(path), 1):
            _check_types(sentence, path, number)
            if not sentence.annotations:
                skipped["without annotation"] += 1
            for annotation in sentence.annotations:
                if annotation.status is not Status.ANNOTATED:
                    skipped["not annotatable"] += 1
                elif not sentence.sentence.tokens:
                    skipped["empty"] += 1
                else:
                    yield _example(sentence, annotation, language, tokenise)
    for reason, count in skipped.items():
        log.warning("%d sentences left out: %s", count, reason)


def read_tokens(paths: Iterable[Path], language: str, *, tokenise: bool = False) -> Iterator[Tokens]:
    """All sources and corrected sentences, without a look at what was changed."""
    for path in paths:
        for sentence in iter_sentences(path):
            yield split_text(source_text(sentence.sentence), language, tokenise)
            for annotation in sentence.annotations:
                if annotation.status is Status.ANNOTATED:
                    for target in _targets(sentence, annotation):
                        yield split_text(target, language, tokenise)


def read_dev(paths: Iterable[Path], language: str, *, tokenise: bool = False) -> list[DevSentence]:
    """Every sentence with all its references, alternatives of FCGEC's included."""
    found = []
    for path in paths:
        for sentence in iter_sentences(path):
            usable = [one for one in sentence.annotations if one.status is Status.ANNOTATED and not one.alignment]
            tokens = split_text(source_text(sentence.sentence), language, tokenise)
            targets = [split_text(target, language, tokenise) for one in usable for target in _targets(sentence, one)]
            found.append(DevSentence(tokens, tuple(pair_edits(tokens, target) for target in targets)))
    return found


def _targets(sentence: AnnotatedSentence, annotation: Annotation) -> list[str]:
    if annotation.operations is not None:
        return apply_all_operations(source_text(sentence.sentence), annotation.operations)
    return [target_text(sentence.sentence, annotation)]


def _example(sentence: AnnotatedSentence, annotation: Annotation, language: str, tokenise: bool) -> Example:
    tokens, text, operations = sentence.sentence.tokens, source_text(sentence.sentence), annotation.operations
    if operations is not None:
        target = apply_operations(text, operations)
        # Operations count characters; where text or target has others than tokens (spaces), the pair is aligned anew.
        is_same = language == "zh" and tuple(text) == tokens and tuple(target) == split_text(target, language, tokenise)
        if is_same and (operations.switch is None or len(operations.switch) == len(tokens)):
            return Example(tokens, plan_operations(tokens, operations), sentence.labels)
    elif annotation.target is None and (is_char_level(tokens) if language == "zh" else not tokenise):
        apply_edits(tokens, annotation.edits)  # raises when they overlap
        return Example(tokens, plan_edits(tokens, annotation.edits), sentence.labels)
    else:
        target = target_text(sentence.sentence, annotation)
    source = split_text(text, language, tokenise)
    return Example(source, plan_pair(source, split_text(target, language, tokenise)), sentence.labels)


def _check_types(sentence: AnnotatedSentence, path: Path, number: int) -> None:
    unknown = [label for label in sentence.labels or () if label not in TYPES]
    if unknown:
        raise DataError(f"{path}: sentence {number} has the error type {unknown[0]!r}, which is none of FCGEC's")
