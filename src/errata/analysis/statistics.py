"""The figures of a corpus that papers report: size, variety, errors, references, agreement, types.

They follow the tables of CWEB (Flachs et al. 2020), MuCGEC (Zhang et al. 2022) and FCGEC (Xu et al. 2022);
docs/commands/stats.md says how each is computed, and where it differs from the paper.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations, islice
from math import isnan
from typing import Any

import numpy as np

from errata.analysis.corpora import CorpusFiles, find_corpora, peek_language
from errata.analysis.counting import CorpusCounts
from errata.analysis.entities import count_entities, finder_signature
from errata.analysis.references import UNKNOWN, Reference, extract_edits
from errata.analysis.variety import WINDOW
from errata.errors import DataError, UsageError
from errata.formats.files import PathLike
from errata.metrics.edit_metric import type_at_level
from errata.metrics.signature import make_signature
from errata.model import AnnotatedSentence, Corpus
from errata.parameters import check_type
from errata.stats.agreement import cohen_kappa, mean_defined
from errata.stats.resampling import DEFAULT_SEED

PER = 10_000  # tokens to which numbers of errors are related
JSONL = "jsonl"  # the format of a corpus in memory: its annotators are people, and a missing one did not look
Progress = Callable[[str, int, int], object]


@dataclass(frozen=True, slots=True)
class StatsOptions:
    """`extract` finds the edits of corrected texts, `entities` counts named entities (English)."""

    extract: bool = False
    entities: bool = False
    limit: int | None = None
    seed: int = DEFAULT_SEED

    @property
    def signature(self) -> str:
        return make_signature(
            "stats",
            window=WINDOW,
            seed=self.seed,
            edits="extracted" if self.extract else "given",
            limit=self.limit,
            entities=finder_signature().replace("|", ",") if self.entities else None,
        )


@dataclass(frozen=True, slots=True)
class CorpusStats:
    """The figures of a corpus; None is what is not known or not defined, shares are fractions.

    `erroneous` is the share of sentences that any reference changes, `erroneous_by_annotator` that of each person.
    `distribution` says how many erroneous sentences have so many different references. `per_10k` is by main error type.
    """

    name: str
    format: str
    language: str | None
    level: str
    digest: str
    n_sentences: int
    n_tokens: int
    n_characters: int
    lengths: Mapping[str, float]
    type_token: float | None
    type_token_shuffled: float | None
    n_erroneous: int | None
    erroneous: float | None
    erroneous_by_annotator: Mapping[str, float]
    n_annotators: int | None
    kappa: float | None
    kappas: Mapping[str, float | None]
    n_not_annotatable: int
    n_references: int
    references_per_sentence: float
    distribution: Mapping[int, int]
    n_edits: int | None
    edits_per_reference: float | None
    edits_per_erroneous_reference: float | None
    errors_per_10k: float | None
    per_10k: Mapping[str, float]
    types: Mapping[str, int]
    operations: Mapping[str, int]
    labels: Mapping[str, int]
    entities_per_sentence: float | None
    signature: str
    notes: tuple[str, ...] = field(default=())

    @property
    def erroneous_mean(self) -> float | None:
        """The mean share of erroneous sentences over annotators, where they are known."""
        shares = self.erroneous_by_annotator
        return sum(shares.values()) / len(shares) if shares else self.erroneous

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self) | {"erroneous_mean": self.erroneous_mean, "notes": list(self.notes)}


def corpus_stats(
    corpus: Corpus | PathLike, *, extract: bool = False, entities: bool = False, limit: int | None = None
) -> CorpusStats:
    """The figures of a corpus: a `Corpus`, or the path of a file in any format.

    `extract` finds the edits of corrected texts, which takes time; `entities` counts named entities in English.

    >>> import errata
    >>> stats = errata.corpus_stats("examples/scoring/gold.m2")
    >>> stats.n_sentences, stats.n_edits, round(stats.erroneous, 2)
    (3, 7, 0.67)
    """
    check_type("extract", extract, bool)
    check_type("entities", entities, bool)
    check_type("limit", limit, int | None)
    options = StatsOptions(extract, entities, limit)
    if isinstance(corpus, Corpus):
        return measure_sentences(corpus.name, JSONL, iter(corpus.sentences), options)
    check_type("corpus", corpus, str | PathLike)
    return measure_corpus(find_corpora([str(corpus)])[0], options)


def measure_corpus(files: CorpusFiles, options: StatsOptions) -> CorpusStats:
    """The figures of a corpus on disk."""
    format, sentences = files.open()
    return measure_sentences(files.name, format, sentences, options, files.digest)


def measure_sentences(
    name: str, format: str, sentences: Iterator[AnnotatedSentence], options: StatsOptions, digest: str = ""
) -> CorpusStats:
    """The figures of sentences, which are read once."""
    language, sentences = peek_language(islice(sentences, options.limit))
    if options.extract:
        if language is None:
            raise UsageError(f"{name} is neither English nor Chinese, as far as one can tell: leave --extract out")
        sentences = extract_edits(sentences, language)
    counts = CorpusCounts(format)
    entities: list[int] | None = None
    tallied = _tally(sentences, counts)
    if options.entities and language == "en":
        entities = list(count_entities(tallied))
    else:
        deque(tallied, maxlen=0)
    if not counts.lengths:
        raise DataError(f"{name}: there are no sentences")
    return _make_stats(name, language, counts, options, digest, entities)


def _tally(sentences: Iterable[AnnotatedSentence], counts: CorpusCounts) -> Iterator[Sequence[str]]:
    """The tokens of each sentence, once it is counted."""
    for sentence in sentences:
        counts.add(sentence)
        yield sentence.sentence.tokens


def _make_stats(
    name: str,
    language: str | None,
    counts: CorpusCounts,
    options: StatsOptions,
    digest: str,
    entities: Sequence[int] | None,
) -> CorpusStats:
    references, annotators = counts.complete(), counts.find_annotators()
    n_sentences, n_references = len(references), sum(map(len, references))
    changed = [any(one.is_changed for one in own) for own in references]
    n_erroneous = counts.n_labelled_erroneous if counts.n_labelled else sum(changed)  # labels decide, as in scoring
    is_annotated = bool(n_references or counts.n_labelled)
    kappas = _find_kappas(references, annotators or ())
    edits = _Edits(references, counts.lengths)
    return CorpusStats(
        name,
        counts.format,
        language,
        "char" if 2 * counts.n_char_level > n_sentences else "word",
        digest,
        n_sentences,
        sum(counts.lengths),
        counts.n_characters,
        _describe_lengths(counts.lengths),
        counts.tokens.ratio(),
        counts.tokens.shuffled_ratio(options.seed),
        n_erroneous if is_annotated else None,
        n_erroneous / n_sentences if is_annotated else None,
        _shares_by_annotator(references, annotators or ()),
        len(annotators) if annotators else None,
        _defined(mean_defined(kappas.values())),
        {pair: _defined(value) for pair, value in kappas.items()},
        counts.n_not_annotatable,
        n_references,
        n_references / n_sentences,
        _distribute(references),
        edits.count if n_references else None,
        edits.per_reference,
        edits.per_changed_reference,
        edits.rate,
        edits.rates,
        edits.types,
        dict(counts.operations),
        dict(counts.labels.most_common()),
        sum(entities) / n_sentences if entities is not None else None,
        options.signature + (f"|digest:{digest}" if digest else ""),
        tuple(_list_notes(counts, edits, options, language)),
    )


def _list_notes(counts: CorpusCounts, edits: _Edits, options: StatsOptions, language: str | None) -> Iterator[str]:
    """What the reader of the figures should know."""
    if edits.n_unknown:
        yield f"{edits.n_unknown} corrections are texts: their edits are counted with --extract"
    if edits.n_unclear:
        yield f"{edits.n_unclear} edits without a correction (UNK) do not count in errors per {PER:,} tokens"
    if counts.n_not_annotatable:
        yield f"{counts.n_not_annotatable} sentences could not be annotated"
    if options.entities and language != "en":
        yield "named entities are found in English only"


def _describe_lengths(lengths: Sequence[int]) -> dict[str, float]:
    found = np.array(lengths)
    return {
        "mean": float(found.mean()),
        "median": float(np.median(found)),
        "min": int(found.min()),
        "max": int(found.max()),
        "p95": float(np.percentile(found, 95)),
    }


def _defined(value: float) -> float | None:
    return None if isnan(value) else value


def _verdicts(references: Sequence[Sequence[Reference]], annotator: str) -> dict[int, bool]:
    """Whether an annotator changed each sentence that they looked at."""
    found: dict[int, bool] = {}
    for place, own in enumerate(references):
        for one in own:
            if one.annotator == annotator:
                found[place] = found.get(place, False) or one.is_changed
    return found


def _shares_by_annotator(references: Sequence[Sequence[Reference]], annotators: Iterable[str]) -> dict[str, float]:
    verdicts = {name: _verdicts(references, name) for name in annotators}
    return {name: sum(own.values()) / len(own) for name, own in verdicts.items() if own}


def _find_kappas(references: Sequence[Sequence[Reference]], annotators: Sequence[str]) -> dict[str, float]:
    """Cohen's κ of every two annotators about which of the sentences they both saw are erroneous."""
    verdicts = {name: _verdicts(references, name) for name in annotators}
    found = {}
    for one, other in combinations(annotators, 2):
        both = sorted(verdicts[one].keys() & verdicts[other].keys())
        if both:
            found[f"{one}–{other}"] = cohen_kappa(*([verdicts[name][place] for place in both] for name in (one, other)))
    return found


def _distribute(references: Sequence[Sequence[Reference]]) -> dict[int, int]:
    """How many erroneous sentences have so many different references."""
    sizes = Counter(len({one.key for one in own}) for own in references if any(one.is_changed for one in own))
    return dict(sorted(sizes.items()))


class _Edits:
    """Numbers of edits: in all, by reference, and by type."""

    def __init__(self, references: Sequence[Sequence[Reference]], lengths: Sequence[int]) -> None:
        types: Counter[str] = Counter()
        changed = known = self.n_unknown = tokens = 0
        for own, length in zip(references, lengths, strict=True):
            for one in own:
                if one.edits is None:
                    self.n_unknown += 1
                    continue
                known, tokens = known + 1, tokens + length
                changed += bool(one.edits)
                types.update(edit.type for edit in one.edits)
        is_known = known > 0 and not self.n_unknown
        self.n_unclear = types[UNKNOWN]
        self.types = dict(types.most_common()) if is_known else {}
        self.count = types.total() if is_known else None
        self.per_reference = types.total() / known if is_known else None
        self.per_changed_reference = types.total() / changed if is_known and changed else None
        self.rate = PER * (types.total() - self.n_unclear) / tokens if is_known and tokens else None
        self.rates = (
            {name: PER * count / tokens for name, count in count_main_types(self.types).items()} if tokens else {}
        )


def count_main_types(types: Mapping[str, int]) -> dict[str, int]:
    """Numbers of edits by the first part of their type, whatever they do: `R:VERB:SVA` is `VERB`.

    >>> count_main_types({"R:VERB:SVA": 2, "M:VERB": 1, "R:NOUN:NUM": 1, "Wci": 1})
    {'VERB': 3, 'NOUN': 1, 'Wci': 1}
    """
    found: Counter[str] = Counter()
    for name, count in types.items():
        found[type_at_level(name, "main").partition(":")[0] or name] += count
    return dict(found.most_common())
