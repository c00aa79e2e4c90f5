"""The texts of an annotated sentence: as they were given, else made from tokens and edits."""

from __future__ import annotations

from errata.edits.apply import apply_edits
from errata.errors import DataError
from errata.model import Annotation, Sentence, Tokens, correction
from errata.text.tokens import join_tokens


def source_text(sentence: Sentence) -> str:
    """The text as it was given, else the tokens joined."""
    return join_tokens(sentence.tokens) if sentence.text is None else sentence.text


def target_text(sentence: Sentence, annotation: Annotation) -> str:
    """The corrected text: as it was given, else the edits applied to the tokens and joined like the source.

    An annotation that says nothing is wrong has the source as its target. An edit that repeats another one is applied
    once, unless it inserts. `DataError` when edits overlap or reach beyond the sentence, or when the correction is
    known as operations only.
    """
    if annotation.target is not None:
        return annotation.target
    if annotation.operations is not None:
        raise DataError("the correction is known as operations only, they have to be applied first")
    if not annotation.edits:
        return source_text(sentence)
    seen: set[tuple[int, int, Tokens]] = set()
    edits = []
    for edit in annotation.edits:
        if edit.start == edit.end or correction(edit) not in seen:
            edits.append(edit)
            seen.add(correction(edit))
    return join_tokens(apply_edits(sentence.tokens, edits), like=sentence.tokens)
