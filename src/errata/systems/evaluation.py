"""Dev scores without spaCy: MaxMatch for English, spans over characters for Chinese."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from errata.edits.apply import apply_edits
from errata.edits.pairing import pair_edits
from errata.model import Annotation, Counts, Edit, Sentence, Tokens, count_matches
from errata.systems.base import ProposedEdit, TokenCorrector
from errata.text.sentences import cut_long
from errata.training.pairs import DevSentence


def dev_scores(
    sentences: Sequence[DevSentence], proposals: Sequence[Sequence[ProposedEdit]], language: str
) -> dict[str, float]:
    """Precision, recall and F0.5, and the share of sentences that were changed."""
    edits = [tuple(one.edit for one in proposed) for proposed in proposals]
    counts = _characters(sentences, edits) if language == "zh" else _words(sentences, edits)
    changed = sum(map(bool, edits)) / max(1, len(edits))
    return {"f0.5": counts.f(0.5), "precision": counts.precision, "recall": counts.recall, "changed": changed}


def _words(sentences: Sequence[DevSentence], edits: Sequence[tuple[Edit, ...]]) -> Counts:
    from errata.metrics.base import Item
    from errata.metrics.maxmatch import MaxMatch

    items = [
        Item(
            Sentence(one.tokens),
            Annotation(edits=proposed),
            tuple(Annotation(str(n), reference) for n, reference in enumerate(one.references)),
        )
        for one, proposed in zip(sentences, edits, strict=True)
    ]
    metric = MaxMatch()
    parts = metric.aggregate(metric.stats(items)).parts
    return Counts(int(parts["tp"]), int(parts["fp"]), int(parts["fn"]))


def _characters(sentences: Sequence[DevSentence], edits: Sequence[tuple[Edit, ...]]) -> Counts:
    """Against the reference that fits best; both sides' edits are found the same way."""
    total = Counts()
    for one, proposed in zip(sentences, edits, strict=True):
        found = pair_edits(one.tokens, apply_edits(one.tokens, proposed))
        wanted = [pair_edits(one.tokens, apply_edits(one.tokens, reference)) for reference in one.references] or [()]
        total += max((count_matches(found, gold) for gold in wanted), key=lambda c: (c.f(0.5), c.tp, -c.fp, -c.fn))
    return total


def propose_whole(model: TokenCorrector, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
    """The edits of each sentence; those beyond the model's length are corrected in segments, as they are in use."""
    ranges = [cut_long(tokens, model.max_tokens, lambda token: not token[-1:].isalnum()) for tokens in sentences]
    segments = [tokens[a:b] for tokens, spans in zip(sentences, ranges, strict=True) for a, b in spans]
    answers = iter(model.propose(segments))
    return [[_shifted(one, start) for start, _ in spans for one in next(answers)] for spans in ranges]


def _shifted(proposed: ProposedEdit, by: int) -> ProposedEdit:
    edit = proposed.edit
    return replace(proposed, edit=replace(edit, start=edit.start + by, end=edit.end + by))
