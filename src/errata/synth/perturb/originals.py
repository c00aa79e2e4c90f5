"""Annotated sentences made ready: analysed, with their edits, and with the places that may be perturbed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from errata.edits.carrying import carry_edit
from errata.edits.texts import source_text, target_text
from errata.errors import DataError
from errata.formats.adapt import adapt
from errata.formats.jsonl import JsonLines
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence, Status, Tokens
from errata.synth.perturb.texts import ACTIONS, Perturbation, Site, Text, Tongue
from errata.text.tokens import join_tokens

# Where a sentence is too long for anybody to judge, and for a parser.
MAX_TOKENS = 200


@dataclass(frozen=True, slots=True)
class Original:
    """A sentence, its targets (one of each annotator), and the edits to each of them.

    `index` counts the sentences of the corpus. `gold` are the edits that the corpus itself gives, over the same tokens.
    """

    index: int
    annotated: AnnotatedSentence
    source: Text
    targets: tuple[Text, ...]
    edits: tuple[tuple[Edit, ...], ...]

    @property
    def gold(self) -> list[Edit]:
        return [edit for annotation in self.annotated.annotations for edit in annotation.edits]

    def find_sites(self, tongue: Tongue, margin: int, actions: Iterable[str] = ACTIONS) -> list[Site]:
        """The sites of the first target that are `margin` tokens away from every edit, and depend on none."""
        target, edits = self.targets[0], self.edits[0]
        sites = tongue.find_sites(target, tongue.find_related(target, _edited_words(target, edits), _types(self)))
        wanted = set(actions)
        everything = [*self.gold, *(edit for some in self.edits for edit in some)]
        return [
            site
            for site in sites
            if site.action in wanted
            and (span := self.source_span(site)) is not None
            and not any(_is_near(span, edit, margin) for edit in everything)
        ]

    def source_span(self, site: Site) -> tuple[int, int] | None:
        """The tokens of the source that a site of the first target is; None where an edit put them there."""
        n_source = len(self.source.tokens)
        return _source_span(site, _source_places(n_source, self.edits[0]), n_source)

    def perturb(self, perturbation: Perturbation) -> tuple[Tokens, tuple[Tokens, ...]]:
        """The source and the targets after a perturbation of the source."""
        targets = (
            perturbation.carry(edits).apply(target.tokens)
            for edits, target in zip(self.edits, self.targets, strict=True)
        )
        return perturbation.apply(self.source.tokens), tuple(targets)

    def carry(self, edits: Sequence[Edit], perturbation: Perturbation) -> tuple[Edit, ...]:
        """Edits of the source over the tokens of the perturbed source."""
        carried = [carry_edit(edit, [perturbation.change]) for edit in edits]
        return tuple(edit for edit in carried if edit is not None)


def prepare(
    sentences: Sequence[tuple[int, AnnotatedSentence]], tongue: Tongue, *, tokenise: bool = False
) -> list[Original | str]:
    """Each sentence made ready, or the reason why it cannot be perturbed; `tokenise` cuts raw English text."""
    drafts = [_normalise(index, annotated, tongue, tokenise) for index, annotated in sentences]
    wanted = dict.fromkeys(tokens for draft in drafts if not isinstance(draft, str) for tokens in (draft[0], *draft[1]))
    texts = dict(zip(wanted, tongue.analyse(list(wanted)), strict=True))
    found: list[Original | str] = []
    for (index, _), draft in zip(sentences, drafts, strict=True):
        if isinstance(draft, str):
            found.append(draft)
            continue
        source, targets, annotated = draft
        edits = tuple(tongue.edits(texts[source], texts[target]) for target in targets)
        annotated = _with_edits(annotated, edits)
        found.append(Original(index, annotated, texts[source], tuple(texts[target] for target in targets), edits))
    return found


def _with_edits(annotated: AnnotatedSentence, extracted: Sequence[tuple[Edit, ...]]) -> AnnotatedSentence:
    """The sentence with the edits that were extracted where the corpus gives none."""
    pairs = zip(annotated.annotations, extracted, strict=True)
    return replace(annotated, annotations=tuple(replace(one, edits=one.edits or edits) for one, edits in pairs))


NOT_CORRECTED, EMPTY, TOO_LONG = "nobody has corrected it", "it has no tokens", f"it has more than {MAX_TOKENS} tokens"


def _normalise(
    index: int, annotated: AnnotatedSentence, tongue: Tongue, tokenise: bool
) -> tuple[Tokens, tuple[Tokens, ...], AnnotatedSentence] | str:
    """The tokens of source and targets, and the sentence over these tokens; or why it is left out."""

    def split(text: str) -> Tokens:
        return tongue.split_raw(text) if tokenise else tongue.split(text)

    annotated = adapt(annotated, JsonLines())
    sentence = annotated.sentence
    tokens = split(source_text(sentence))
    chosen: dict[str, Annotation] = {}
    for annotation in annotated.annotations:
        if annotation.status is Status.ANNOTATED:
            chosen.setdefault(annotation.annotator, annotation)  # of several alignments the first
    if not chosen or not tokens:
        return EMPTY if not tokens else NOT_CORRECTED
    try:
        targets = [split(target_text(sentence, annotation)) for annotation in chosen.values()]
    except DataError as error:
        raise DataError(f"sentence {index + 1}: {error}") from error
    if not all(targets):
        return EMPTY
    if max(map(len, (tokens, *targets))) > MAX_TOKENS:
        return TOO_LONG
    is_same = tokens == sentence.tokens
    annotations = tuple(
        Annotation(one.annotator, one.edits if is_same else (), target=join_tokens(target, like=tokens))
        for one, target in zip(chosen.values(), targets, strict=True)
    )
    plain = replace(annotated, sentence=Sentence(tokens, id=sentence.id), annotations=annotations)
    return tokens, tuple(targets), plain


def _source_span(site: Site, places: Sequence[int | None], n_source: int) -> tuple[int, int] | None:
    """The tokens of the source that a site of the target is; None where an edit made them, or stands between them."""
    if site.start < site.end:
        span = places[site.start : site.end]
        first, last = span[0], span[-1]
        return None if first is None or last is None or last - first != site.end - site.start - 1 else (first, last + 1)
    before = places[site.start - 1] if site.start else -1
    after = places[site.start] if site.start < len(places) else n_source
    return None if before is None or after != before + 1 else (after, after)


def _source_places(n_source: int, edits: Sequence[Edit]) -> list[int | None]:
    """For each token of the target the token of the source that it is; None where an edit put it in."""
    places: list[int | None] = []
    position = 0
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        places += range(position, edit.start)
        places += [None] * len(edit.replacement)
        position = edit.end
    return [*places, *range(position, n_source)]


def _is_near(span: tuple[int, int], edit: Edit, margin: int) -> bool:
    """Whether fewer than `margin` tokens stand between a span and an edit; an insertion beside an edit always is."""
    start, end = span
    apart = max(edit.start - end, start - edit.end)
    return apart < (max(margin, 1) if start == end else margin)


def _edited_words(target: Text, edits: Sequence[Edit]) -> list[int]:
    """The words of the target that edits put in; where tokens were deleted, those on both sides."""
    spans = []
    shift = 0
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        start, size = edit.start + shift, len(edit.replacement)
        spans.append((start, start + size) if size else (start - 1, start + 1))
        shift += size - (edit.end - edit.start)
    return [
        number
        for number, word in enumerate(target.words)
        if any(start < word.end and word.start < end for start, end in spans)
    ]


def _types(original: Original) -> set[str]:
    return {edit.type for edit in (*original.gold, *(edit for some in original.edits for edit in some))}
