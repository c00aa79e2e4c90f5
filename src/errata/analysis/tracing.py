"""From corpora and systems to curves of density: correct, score each sentence once, and trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from errata.analysis.corpora import CorpusFiles, peek_language
from errata.analysis.density import Curve, make_pool, score_whole, trace_points
from errata.analysis.references import spell_out
from errata.edits.languages import LANGUAGES
from errata.edits.texts import source_text, target_text
from errata.errors import AlignmentError, DataError, ErrataError, UsageError
from errata.metrics.base import Item, get_metric
from errata.metrics.edit_counts import EditCounts
from errata.metrics.edit_metric import EditMetric
from errata.metrics.inputs import Gold, Hypothesis, make_items, make_sentence
from errata.model import AnnotatedSentence, Annotation, Counts, Status
from errata.text.tokens import join_tokens

Progress = Callable[[str, int, int], object]


class System(Protocol):
    """Something that corrects the sentences of a corpus, and the corrected versions of them."""

    name: str

    def correct(self, corpus: DensityCorpus, progress: Progress | None) -> list[str]:
        """One correction for each source."""
        ...

    def correct_corrected(self, corpus: DensityCorpus, progress: Progress | None) -> list[str] | None:
        """One correction for each corrected version; None where that is not known."""
        ...


@dataclass(frozen=True, slots=True)
class DensityCorpus:
    """A corpus with its sources as texts, and every corrected version of them once."""

    name: str
    place: int
    language: str
    gold: Gold
    sources: tuple[str, ...]
    corrected: tuple[str, ...]
    n_left_out: int
    digest: str


def load_corpus(files: CorpusFiles, place: int, limit: int | None = None) -> DensityCorpus:
    """Read a corpus and make the corrected versions of its sentences."""
    _, stream = files.open()
    language, stream = peek_language(stream)
    if language is None:
        raise UsageError(f"{files.name} is neither English nor Chinese, as far as one can tell")
    sentences = tuple(sentence for sentence, _ in zip(stream, range(limit or 1 << 60), strict=False))
    if not any(one.annotations for one in sentences):
        raise DataError(f"{files.name} has no references: density needs to know which sentences are erroneous")
    corrected: dict[str, None] = {}
    n_left_out = 0
    for sentence in sentences:
        for annotation in sentence.annotations:
            text = correct_text(sentence, annotation)
            n_left_out += text is None
            if text and text != _text(sentence):
                corrected[text] = None
    return DensityCorpus(
        files.name,
        place,
        language,
        Gold(files.name, sentences),
        tuple(map(_text, sentences)),
        tuple(corrected),
        n_left_out,
        files.digest,
    )


def _text(sentence: AnnotatedSentence) -> str:
    """The source as a system reads it: in English tokens that spaces separate."""
    return join_tokens(sentence.sentence.tokens)


def correct_text(sentence: AnnotatedSentence, annotation: Annotation) -> str | None:
    """The corrected version of a sentence; None where edits cannot be applied."""
    if annotation.status is not Status.ANNOTATED or annotation.alignment:
        return ""
    try:
        target = target_text(sentence.sentence, spell_out(sentence.sentence, annotation)[0])
    except ErrataError:
        return None
    return _text(sentence) if target == source_text(sentence.sentence) else target


def trace_curve(
    corpus: DensityCorpus,
    system: System,
    shares: Sequence[float],
    n_draws: int,
    seed: int,
    progress: Progress | None = None,
) -> Curve:
    """The curve of a system on a corpus."""
    metric = get_metric(LANGUAGES[corpus.language].metric)
    assert isinstance(metric, EditMetric)
    answers = system.correct(corpus, progress)
    _check_length(answers, corpus.sources, f"{system.name} on {corpus.name}")
    items = make_items(corpus.gold, [Hypothesis(one) for one in answers])
    all_columns = metric.by_annotator(metric.stats(items))
    columns = _keep_whole(all_columns)
    again = system.correct_corrected(corpus, progress)
    wrong = _count_wrong(metric, corpus, again, system.name)
    pools = [make_pool(column, _corrected_counts(corpus, name, column, wrong)) for name, column in columns.items()]
    pools = [one for one in pools if len(one.erroneous)]
    if not pools:
        raise DataError(f"{corpus.name}: no sentence is erroneous, so there is no share to vary")
    notes = []
    if again is None:
        notes.append("no outputs for corrected sentences: below the corpus' own share, erroneous sentences are removed")
    if len(columns) < len(all_columns):
        notes.append(f"{len(all_columns) - len(columns)} references that not every sentence has are left out")
    if corpus.n_left_out:
        notes.append(f"{corpus.n_left_out} corrected versions left out: their edits overlap")
    return Curve(
        system.name,
        corpus.name,
        len(corpus.sources),
        len(pools),
        sum(one.share for one in pools) / len(pools),
        score_whole(pools),
        trace_points(pools, shares, n_draws, seed),
        f"density|{metric.signature}|{metric.compared(items)}|average:annotators|draws:{n_draws}|seed:{seed}"
        + (f"|file:{corpus.digest}" if corpus.digest else ""),
        tuple(notes),
    )


def _keep_whole(columns: Mapping[str, list[EditCounts | None]]) -> dict[str, list[EditCounts | None]]:
    """The references that most sentences have: in columns of text, a second one is of erroneous sentences only."""
    sizes = {name: sum(one is not None for one in column) for name, column in columns.items()}
    return {name: column for name, column in columns.items() if sizes[name] == max(sizes.values())}


def _check_length(answers: Sequence[str], texts: Sequence[str], what: str) -> None:
    if len(answers) != len(texts):
        raise AlignmentError(f"{what}: {len(answers)} lines for {len(texts)} sentences: they must be parallel")


def _count_wrong(
    metric: EditMetric[Any], corpus: DensityCorpus, answers: Sequence[str] | None, name: str
) -> dict[str, Counts]:
    """The counts of each corrected version: whatever a system changes there is wrong."""
    if answers is None:
        return {}
    _check_length(answers, corpus.corrected, f"{name} on the corrected sentences of {corpus.name}")
    items = [
        Item(make_sentence(text), answer, (Annotation(),))
        for text, answer in zip(corpus.corrected, answers, strict=True)
    ]
    return {text: one.references[0].total for text, one in zip(corpus.corrected, metric.stats(items), strict=True)}


def _corrected_counts(
    corpus: DensityCorpus, annotator: str, column: Sequence[EditCounts | None], wrong: Mapping[str, Counts]
) -> list[Counts]:
    """The counts of the versions of one annotator, of the sentences that this annotator finds erroneous."""
    found = []
    for sentence, counts in zip(corpus.gold.sentences, column, strict=True):
        if counts is not None and counts.total.tp + counts.total.fn:
            named = {one.annotator: one for one in reversed(sentence.annotations)}
            annotation = named.get(counts.annotator) or named.get(annotator)
            text = correct_text(sentence, annotation) if annotation else None
            if text is not None and text in wrong:
                found.append(wrong[text])
    return found
