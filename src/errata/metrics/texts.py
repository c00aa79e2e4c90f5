"""The texts and tokens of an item's sides, for metrics that compare texts."""

from __future__ import annotations

from errata.edits.texts import source_text, target_text
from errata.errors import UnknownName
from errata.metrics.base import Item
from errata.model import Annotation, Sentence, Status, Tokens
from errata.text.tokens import is_char_level, split_characters, split_tokens

LEVELS = ("word", "char")
# The longest n-grams that metrics count: longer ones are shared by nothing but equal sentences.
MAX_ORDER = 16


def check_level(level: str | None) -> None:
    """Refuse a level of tokens that there is not; None is that of the source."""
    if level is not None and level not in LEVELS:
        raise UnknownName("level", level, LEVELS)


def side_text(source: Sentence, side: str | Annotation) -> str:
    """The corrected text of a hypothesis or reference; edits are applied to the source."""
    return side if isinstance(side, str) else target_text(source, side)


def split_like(source: Sentence, text: str) -> Tokens:
    """The tokens of a text in the source's kind of tokens: characters, or what white space separates."""
    if is_char_level(source.tokens):
        return split_characters(text)
    # spaCy makes superfluous spaces tokens; only where the source has such tokens do they count in the text.
    return split_tokens(text) if any(map(str.isspace, source.tokens)) else tuple(text.split())


def is_usable(reference: str | Annotation) -> bool:
    """Whether the annotator could correct the sentence."""
    return isinstance(reference, str) or reference.status is not Status.NOT_ANNOTATABLE


def reference_texts(item: Item) -> list[str]:
    """The corrected texts to compare with; the source if nobody wrote any, none if nobody could."""
    references = item.references or (Annotation(),)
    return [side_text(item.source, one) for one in references if is_usable(one)]


def split_at_level(source: Sentence, text: str, level: str | None) -> Tokens:
    """The tokens of a text at a level: characters, or what white space separates; without one, like the source."""
    if level is None:
        return split_like(source, text)
    return split_characters(text) if level == "char" else tuple(text.split())


def item_tokens(item: Item, level: str | None) -> tuple[Tokens, Tokens, list[Tokens]]:
    """The tokens of the source, the hypothesis and every reference at a level."""
    source = item.source.tokens if level is None else split_at_level(item.source, source_text(item.source), level)
    hypothesis = split_at_level(item.source, side_text(item.source, item.hypothesis), level)
    return source, hypothesis, [split_at_level(item.source, text, level) for text in reference_texts(item)]
