"""Items with every text turned into edits: what metrics over edits compare."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from errata.edits.base import Extractor
from errata.edits.texts import source_text
from errata.errors import DataError
from errata.metrics.base import Item
from errata.model import Annotation, Status, Tokens


def pool_alignments(annotations: Iterable[Annotation]) -> list[Annotation]:
    """One annotation per annotator; the edits of its equally cheap alignments stand one after the other."""
    pooled: dict[str, Annotation] = {}
    for one in annotations:
        first = pooled.get(one.annotator)
        pooled[one.annotator] = one if first is None else replace(first, edits=first.edits + one.edits)
    return list(pooled.values())


def annotate_items(items: Sequence[Item], make_extractor: Callable[[], Extractor]) -> list[Item]:
    """The items with annotations instead of texts, one per reference; the extractor is made only if there is a text.

    A reference given as text gets its place among the references as annotator. Where everything was text, the source
    has the extractor's tokens; where a file gave edits, the extractor must make the same tokens (`DataError`).
    """
    texts = [[side for side in (item.hypothesis, *item.references) if isinstance(side, str)] for item in items]
    pairs = ((source_text(item.source), targets) for item, targets in zip(items, texts, strict=True) if targets)
    extracted = make_extractor().annotate(pairs) if any(texts) else iter(())
    annotated = []
    for number, (item, targets) in enumerate(zip(items, texts, strict=True), 1):
        if targets:
            found = next(extracted)
            sides = (item.hypothesis, *item.references)
            if any(isinstance(side, Annotation) and side.edits for side in sides):
                _check_tokens(number, item.source.tokens, found.sentence.tokens)
            item = replace(_fill_in(item, pool_alignments(found.annotations)), source=found.sentence)
        annotated.append(replace(item, references=tuple(pool_alignments(_annotations(item)))))
    return annotated


def _check_tokens(number: int, given: Tokens, made: Tokens) -> None:
    """Refuse to compare edits over different tokens: spans would match or not by accident."""
    if given != made:
        raise DataError(
            f"sentence {number}: the edits given are over {len(given)} tokens, the extractor makes {len(made)}; "
            "score texts against texts, or use the tokenisation and level of the file"
        )


def _annotations(item: Item) -> list[Annotation]:
    return [one for one in item.references if isinstance(one, Annotation)]


def _fill_in(item: Item, found: list[Annotation]) -> Item:
    """The item with its texts replaced by what was found for them, in order."""
    answers = iter(found)
    hypothesis = next(answers) if isinstance(item.hypothesis, str) else item.hypothesis
    references = tuple(
        replace(next(answers), annotator=str(place)) if isinstance(side, str) else side
        for place, side in enumerate(item.references)
    )
    return replace(item, hypothesis=hypothesis, references=references)


def reference_names(item: Item, *, distinct: bool = True) -> list[str]:
    """The annotator of each reference, texts by their place; alignments of one reference share a name."""
    names = [str(place) if isinstance(one, str) else one.annotator for place, one in enumerate(item.references)]
    return list(dict.fromkeys(names)) if distinct else names


def scored_references(item: Item) -> list[Annotation]:
    """The annotations to score against: none if nobody could annotate the sentence, no edits if nobody wrote any."""
    annotations = _annotations(item)
    usable = [one for one in annotations if one.status is Status.ANNOTATED]
    return usable if annotations else [Annotation()]
