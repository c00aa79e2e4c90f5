"""Gold and hypotheses from plain lists of texts or a corpus: what errata's verbs take in Python."""

from __future__ import annotations

from collections.abc import Sequence

from errata.errors import DataError
from errata.metrics.inputs import Gold, Hypothesis, check_same_sources, make_sentence
from errata.model import AnnotatedSentence, Annotation, Corpus
from errata.parameters import check_length, check_list, check_texts

References = Sequence[str] | Sequence[Sequence[str]] | Corpus
"""One correction per sentence, several per sentence, or a corpus, whose edits then count as they are."""


def gold_of_lists(sources: Sequence[str], references: References | None) -> Gold:
    """The sources with their references, if any; a corpus must be over the same sources."""
    check_texts("sources", sources)
    if not sources:
        raise DataError("there are no sentences to score")
    if references is None:
        return Gold("sources", tuple(AnnotatedSentence(make_sentence(source)) for source in sources))
    if isinstance(references, Corpus):
        gold = Gold(references.name, references.sentences)
        check_length("sources", len(sources), f"sentences in the corpus {references.name}", len(gold))
        check_same_sources(gold, "sources", sources)
        return gold
    check_list("references", references)
    check_length("references", len(references), "sources", len(sources))
    sentences = (
        AnnotatedSentence(make_sentence(source), tuple(_annotations(place, targets)))
        for place, (source, targets) in enumerate(zip(sources, references, strict=True))
    )
    return Gold("sources", tuple(sentences))


def _annotations(place: int, targets: str | Sequence[str]) -> list[Annotation]:
    several = [targets] if isinstance(targets, str) else targets
    check_texts(f"references[{place}]", several)
    if not several:
        raise DataError(f"references[{place}] is empty: give the source itself where nothing is wrong with it")
    return [Annotation(str(annotator), target=target) for annotator, target in enumerate(several)]


def hypotheses_of_list(name: str, texts: Sequence[str], gold: Gold) -> list[Hypothesis]:
    """One hypothesis per sentence of the gold."""
    check_texts(name, texts)
    check_length(name, len(texts), "sources", len(gold))
    return [Hypothesis(text) for text in texts]
