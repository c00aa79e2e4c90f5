"""Named entities, as spaCy's small English model finds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

from errata.edits.en.spacy_analyser import find_model, model_signature

CHUNK = 1024  # sentences that are read together
# What finds entities; the tagger, the parser and the lemmatiser take most of the time and do not matter to them.
UNUSED = ("tagger", "parser", "attribute_ruler", "lemmatizer")


@cache
def load_finder() -> Any:
    """The model without what is not needed."""
    import spacy

    return spacy.load(find_model(), disable=list(UNUSED))


def finder_signature() -> str:
    """Which model it is."""
    return model_signature(find_model())


def count_entities(sentences: Iterable[Sequence[str]]) -> Iterator[int]:
    """The number of named entities in each sentence, which is given as tokens.

    >>> list(count_entities([["Barack", "Obama", "lives", "in", "Paris", "."], ["It", "rains", "."]]))
    [2, 0]
    """
    from spacy.tokens import Doc

    finder, stream = load_finder(), iter(sentences)
    while chunk := list(islice(stream, CHUNK)):
        for document in finder.pipe(Doc(finder.vocab, list(tokens)) for tokens in chunk):
            yield len(document.ents)
