"""Raw text around a token model: segment, tokenise, propose, and put the edits back.

Texts of any length go in whole: they are split into sentences, over-long sentences at punctuation, and rejoined, so
nothing is cut off. Sentences wrapped over several lines are read as one, Traditional characters as Simplified ones.
Edits come back as character ranges of the original text; everything outside them is untouched.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import reduce

from errata.edits.agreement import leave_out_clashes, makes_broken_contraction
from errata.edits.apply import apply_edits
from errata.edits.capitals import begins_list_item, bring_capitals, comma_before_capital, without_capital
from errata.edits.explain import classify
from errata.edits.marks import find_slips
from errata.edits.negation import join_moves, keeps_negation, mend_contraction
from errata.edits.pairs import Pair, find_pairs
from errata.edits.rare_words import mistakes_rare_word
from errata.edits.sentence_ends import spoils_end
from errata.edits.typography import drops_symbol, keep_quotes
from errata.edits.verbs import changes_verb, mend_of
from errata.edits.word_parts import breaks_number, drops_prefix
from errata.errors import UsageError
from errata.model import Correction, Edit, TextEdit, Tokens
from errata.pipeline.guards import cuts_word, is_optional_comma, leaves_too_little
from errata.pipeline.joining import join_edits, join_neighbours, join_word_parts
from errata.pipeline.meeting import first_clash, meet, touch
from errata.pipeline.presets import BALANCED, Calibration, Ladder, Preset, edit_kind, is_wording
from errata.pipeline.talk import is_shouted, is_talk
from errata.rules import RuleBook, RuleEdit
from errata.rules.book import SURE
from errata.systems.base import ProposedEdit, TokenCorrector
from errata.text.script import simplify_traditional, write_traditional
from errata.text.sentences import cut_long, prose_spans, sentence_spans
from errata.text.spacing import LAYOUTS, Layout
from errata.text.utf16 import replace_lone_surrogates
from errata.text.variants import is_variant
from errata.text.words import Span
from errata.text.wrapping import keep_line_ends, unwrap

# Languages whose tokens are characters: side by side they are a word, and half a correction of a word helps nobody.
# As one edit, trusted as little as its least sure part, they gain zh-small 0.2: F0.5 0.5 on MuCGEC dev, 1.3 on NaCGEC.
OVER_CHARACTERS = frozenset({"zh"})

# How often an edit of a model is right if the words around it speak for the same word (errata.rules.confusables).
SECONDED = 0.9

# Called with how many characters are finished since the last call.
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a document the model sees at once: how it is written, its bounds, the range of each token."""

    layout: Layout
    bounds: Span
    spans: tuple[Span, ...]
    is_shouted: bool = False  # in capitals

    def tokens(self, text: str) -> Tokens:
        return tuple([text[a:b] for a, b in self.spans])


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text, what a model reads in the place of each of its characters, and the pieces it reads."""

    text: str
    read: str
    segments: Sequence[Segment]

    def tokens(self) -> Iterator[Tokens]:
        return (segment.tokens(self.read) for segment in self.segments)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An edit that some preset makes: the number of the most careful one that does, and how sure each one is.

    The edit's own confidence is that of the preset in use.
    """

    edit: TextEdit
    rank: int
    confidences: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Placed:
    """A token edit where it stands in the text, how sure every preset is of it, and the first that makes it."""

    proposed: ProposedEdit
    edit: TextEdit
    confidences: tuple[float, ...]
    rank: int = 0
    around: Span | None = None  # of a rule's edit: the tokens that make it a slip


class SentenceCorrector:
    """A `Corrector` made from a `TokenCorrector`.

    `tokenised` takes sentences whose tokens are separated by spaces and gives them back the same way. `presets` are
    what `with_preset` offers, and `ladder` is where among them this one stands. Without presets, `calibration` makes
    confidences of what the model says, and edits below `min_confidence` are left out.

    `base` is the model without the decoding of any preset, and `model` the same with that of the preset in use, but for
    the options in `fixed`, which the caller has chosen. `rules` add their own edits to those of the model.
    """

    def __init__(
        self,
        model: TokenCorrector,
        *,
        name: str,
        tokenised: bool = False,
        min_confidence: float = 0.0,
        calibration: Calibration | None = None,
        presets: Mapping[str, Preset] | None = None,
        ladder: Ladder | None = None,
        fixed: Collection[str] = (),
        rules: RuleBook | None = None,
    ) -> None:
        own = Preset(calibration=calibration or Calibration(), min_confidence=min_confidence)
        self.base, self.name, self.language, self.tokenised = model, name, model.language, tokenised
        self.presets = presets or {BALANCED: own}
        self._last_read = "", ""
        self.ladder = ladder or Ladder.of(self.presets)
        self._fixed = frozenset(fixed)
        self._rules = rules
        self.model = self._decode(self.ladder.decoding)
        for preset in self.ladder.presets:
            if not 0 <= preset.min_confidence <= 1:
                raise UsageError(f"min_confidence is between 0 and 1, not {preset.min_confidence}")

    def with_preset(self, name: str) -> SentenceCorrector:
        """The same model as careful or eager as one of its presets; it is not loaded again."""
        other = copy(self)
        other.ladder = Ladder.of(self.presets, name)
        other.model = self._decode(other.ladder.decoding)
        return other

    def around(self, model: TokenCorrector, name: str) -> SentenceCorrector:
        """The same presets and rules with another model, such as one that asks this one's several times."""
        other = copy(self)
        other.base, other.name = model, name
        other.model = other._decode(self.ladder.decoding)
        return other

    def _decode(self, decoding: Mapping[str, float]) -> TokenCorrector:
        chosen = {name: value for name, value in decoding.items() if name not in self._fixed}
        return self.base.with_decoding(**chosen) if chosen else self.base

    def correct(self, sentences: Sequence[str], *, progress: Progress | None = None) -> list[Correction]:
        """One correction per text, in order."""
        if isinstance(sentences, str):
            raise TypeError("correct takes a list of texts: correct([text])")
        return self._correct(map(self._read, sentences), progress)

    def look(self, sentences: Sequence[tuple[str, Segment | None]]) -> list[tuple[Candidate, ...]]:
        """What every preset would change in each sentence, or in one of its `segments` where that is given.

        A sentence is one the caller has split off: it is not split again.
        """
        return list(self.look_each(sentences))

    def look_each(self, sentences: Iterable[tuple[str, Segment | None]]) -> Iterator[tuple[Candidate, ...]]:
        """The same, in order and as soon as it is known."""
        readings = (self._read_sentence(text, segment) for text, segment in sentences)
        return (tuple(self._carry_each_back(reading, found)) for reading, found in self._candidates(readings))

    def _carry_each_back(self, reading: ReadText, candidates: list[Candidate]) -> list[Candidate]:
        if not candidates or self.language != "zh" or reading.read == replace_lone_surrogates(reading.text):
            return candidates
        written = {(edit.start, edit.end): edit for edit in self._carry_back(reading, [one.edit for one in candidates])}
        places = ((one.edit.start, one.edit.end) for one in candidates)
        return [
            replace(one, edit=written[place]) for one, place in zip(candidates, places, strict=True) if place in written
        ]

    def _read_sentence(self, text: str, segment: Segment | None) -> ReadText:
        read = self._read_once(text)
        return ReadText(text, read, self._cut(read) if segment is None else [segment])

    def _read_once(self, text: str) -> str:
        """What is read of a text; the pieces of a long sentence come one after the other, and it is read once."""
        last = self._last_read
        if last[0] is not text:
            last = self._last_read = text, self._as_read(text)
        return last[1]

    def cut(self, sentence: str) -> list[Segment]:
        """The pieces of one sentence that the model sees."""
        return self._cut(self._as_read(sentence))

    def _cut(self, read: str) -> list[Segment]:
        return list(self._segments_of(read, (0, len(read))))

    def _correct(self, readings: Iterable[ReadText], progress: Progress | None = None) -> list[Correction]:
        corrections: list[Correction] = []
        for reading, candidates in self._candidates(readings):
            edits = [candidate.edit for candidate in candidates if candidate.rank <= self.ladder.rank]
            corrections.append(Correction(reading.text, tuple(self._carry_back(reading, edits))))
            if progress:
                progress(len(reading.text))
        return corrections

    def _candidates(self, readings: Iterable[ReadText]) -> Iterator[tuple[ReadText, list[Candidate]]]:
        """Every text with its candidates, in order; the model is at work while the next texts are read."""
        waiting: deque[ReadText] = deque()

        def read() -> Iterator[Tokens]:
            for reading in readings:
                waiting.append(reading)
                yield from reading.tokens()

        proposed: list[list[ProposedEdit]] = []
        for one in self.model.propose_each(read()):
            proposed.append(one)
            while waiting and len(waiting[0].segments) <= len(proposed):
                reading = waiting.popleft()
                yield self._place_text(reading, proposed[: len(reading.segments)])
                del proposed[: len(reading.segments)]
        yield from (self._place_text(reading, ()) for reading in waiting)  # without a token

    def _read(self, text: str) -> ReadText:
        is_wrapped = self.language == "en" and not self.tokenised
        read = self._as_read(unwrap(text) if is_wrapped else text)
        return ReadText(text, read, self.segments(read))

    def _as_read(self, text: str) -> str:
        """What the model reads in the place of a text, character by character."""
        text = replace_lone_surrogates(text)
        return simplify_traditional(text) if self.language == "zh" else text

    def segments(self, text: str) -> list[Segment]:
        """The pieces of `text` that the model sees, in order; together they hold every token."""
        sentences = [(0, len(text))] if self.tokenised else sentence_spans(text, self.language)
        return [piece for sentence in sentences for piece in self._segments_of(text, sentence)]

    def _layout(self, text: str) -> Layout:
        """How the text is written; Chinese that is not cut into characters has no tokens to keep apart."""
        if self.tokenised and self.language == "zh":
            is_cut = all(len(token) == 1 or token.isascii() for token in text.split())
            return LAYOUTS["tokenised" if is_cut else "zh"]
        return LAYOUTS["tokenised" if self.tokenised else self.language]

    def _segments_of(self, text: str, sentence: Span) -> Iterator[Segment]:
        """The pieces of a sentence that the model sees, without what is no prose: a thousand letters and no space."""
        layout = self._layout(text)
        for start, end in [sentence] if self.tokenised else prose_spans(text, sentence, self.language):
            spans = [(start + a, start + b) for a, b in layout.spans(text[start:end])]
            tokens = [text[a:b] for a, b in spans]
            in_capitals = is_shouted(text[start:end])
            for first, last in cut_long(tokens, self.model.max_tokens, lambda token: not token[-1:].isalnum()):
                if first < last:
                    begin = start if first == 0 else spans[first][0]
                    bounds = begin, end if last == len(spans) else spans[last - 1][1]
                    yield Segment(layout, bounds, tuple(spans[first:last]), in_capitals)

    def _place_text(
        self, reading: ReadText, proposed: Sequence[Sequence[ProposedEdit]]
    ) -> tuple[ReadText, list[Candidate]]:
        pairs = zip(reading.segments, proposed, strict=True)
        return reading, [one for segment, some in pairs for one in self._place_all(reading.read, segment, some)]

    def _carry_back(self, reading: ReadText, edits: list[TextEdit]) -> list[TextEdit]:
        """Edits of what was read as they stand in the text itself: in its characters, and with its line ends."""
        whole = replace_lone_surrogates(reading.text)
        if not edits or reading.read == whole:
            return edits
        write = write_traditional if self.language == "zh" else keep_line_ends
        return write(whole, edits)

    def _place_all(self, text: str, segment: Segment, proposed: Sequence[ProposedEdit]) -> list[Candidate]:
        ruled, hints = self._rule(text, segment) if self._rules else ([], [])
        slips = self._slips(text, segment) if self._rules and self.language == "en" else []
        if leaves_too_little(proposed, len(segment.spans)):
            proposed = ()
        if not proposed and not ruled:
            return slips
        if self.language in OVER_CHARACTERS:
            proposed = join_neighbours(proposed)
        elif self.language == "en" and len(proposed) > 1:
            proposed = join_word_parts(proposed, segment.tokens(text))
        found = [self._place(text, segment, one) for one in proposed]
        if hints:
            found = [_second(one, hints) for one in found]
        placed = self._trusted(text, segment, self._with_rules(text, segment, found, ruled) if ruled else found)
        if self._rules:
            placed = self._without_slips(segment.tokens(text), placed)
        while (at := first_clash([one.edit for one in placed])) is not None:
            placed[at : at + 2] = [self._reconcile(text, segment, placed[at], placed[at + 1])]
        kept = [one for one in placed if self._corrects(text, one.edit) and not self._spoils(text, one.edit, segment)]
        sound = self._sound(text, [Candidate(one.edit, one.rank, one.confidences) for one in kept], segment)
        return _beside(sound, slips) if slips else sound

    def _spoils(self, text: str, edit: TextEdit, segment: Segment) -> bool:
        """Whether the edit takes something for a sentence that is none."""
        return spoils_end(text, edit, segment.bounds) or begins_list_item(text, edit, segment.bounds)

    def _slips(self, text: str, segment: Segment) -> list[Candidate]:
        """Slips of punctuation, of which every preset is sure; a tokenised text has spaces of its own."""
        if self.tokenised:
            return []
        confidences = (SURE,) * len(self.ladder.presets)
        return [Candidate(replace(edit, confidence=SURE), 0, confidences) for edit in find_slips(text, segment.bounds)]

    def _rule(self, text: str, segment: Segment) -> tuple[list[_Placed], list[Edit]]:
        """The edits of the rules, of which every preset is as sure as the rule is, and hints for those of the model."""
        assert self._rules is not None
        ruled: list[_Placed] = []
        hints: list[Edit] = []
        for one in self._rules.propose_all(segment.tokens(text)):
            if one.is_hint:
                hints.append(one.edit)
                continue
            placed = self._place(text, segment, ProposedEdit(one.edit, one.rule.sure))
            edit = replace(placed.edit, confidence=one.rule.sure, about=one.rule.about)
            confidences = (one.rule.sure,) * len(placed.confidences)
            ruled.append(replace(placed, edit=edit, confidences=confidences, around=one.around))
        return ruled, hints

    def _with_rules(
        self, text: str, segment: Segment, found: Sequence[_Placed], ruled: Sequence[_Placed]
    ) -> list[_Placed]:
        """The edits of a model and of rules in order; where two meet, the surer one, or the rule's if both are as sure.

        A larger edit of the model wins if it does away with the slip (`an good advice` → `good advice`). A less sure
        deletion beside the edit of a rule meets it too: the model made it for the text with the slip (`your the best` →
        `your best`). So do edits beside one that the rule replaces. They are looked for again in the corrected text.
        What does away with the slip in another way meets the rule's edit wherever it stands.
        """
        kept = list(found)
        for rule in ruled:
            place, sure = rule.proposed.edit, rule.edit.confidence or 0.0
            met = [one for one in kept if meet(one.proposed.edit, place)]
            if any(self._covers(text, segment, one, rule) for one in met):
                continue
            met += [one for one in kept if one not in met and self._mends(text, segment, one, rule)]
            if all((one.edit.confidence or 0.0) <= sure for one in met):
                replaced = [one.proposed.edit for one in met if one.proposed.edit != place]
                beside = [one for one in kept if any(touch(one.proposed.edit, edit) for edit in replaced)]
                kept = [one for one in kept if one not in met and one not in beside] + [rule]
        return sorted(kept, key=lambda one: (one.proposed.edit.start, one.proposed.edit.end))

    def _mends(self, text: str, segment: Segment, model: _Placed, rule: _Placed) -> bool:
        """Whether an edit of the model does away with a slip in another way: cuts 大约 where the rule cuts 左右.

        Both together would leave too little. That the rule's edit stays gains zh-small 0.1 on NaCGEC dev and 0.6 on
        FCGEC valid, first half, over the other way round.
        """
        edit = model.proposed.edit
        if rule.around is None or model.around is not None:
            return False
        if not (rule.around[0] <= edit.start and edit.end <= rule.around[1]):
            return False
        assert self._rules is not None
        tokens = segment.tokens(text)
        return all(one.rule.about != rule.edit.about for one in self._rules.propose(apply_edits(tokens, [edit])))

    def _covers(self, text: str, segment: Segment, model: _Placed, rule: _Placed) -> bool:
        """Whether an edit of the model contains that of a rule, can be relied on, and leaves the rule nothing to do.

        A tokenised text is looked at once, for the preset in use. In other texts the edits of the careful preset are
        made first, and the rule's is one of them.
        """
        outer, inner = model.proposed.edit, rule.proposed.edit
        is_inside = outer.start <= inner.start and inner.end <= outer.end
        if not is_inside or outer.end - outer.start == inner.end - inner.start:
            return False
        asked = self.ladder.rank if self.tokenised else 0
        if model.confidences[asked] < self.ladder.presets[asked].min_confidence:
            return False
        return not self._slips_after(segment.tokens(text), outer)

    def _without_slips(self, tokens: Tokens, placed: Sequence[_Placed]) -> list[_Placed]:
        """The edits without those of the model that bring in what a rule would take out: `of principle` → `principal`.

        An edit may make sense only beside others, so it must do so alone and with them.
        """
        edits = [one.proposed.edit for one in placed]
        slipping = [number for number, edit in enumerate(edits) if self._slips_after(tokens, edit)]
        if not slipping:
            return list(placed)
        assert self._rules is not None
        known = {one.rule.name for one in self._rules.propose(tokens)}
        found = self._rules.propose(apply_edits(tokens, edits))
        slips = [(one.edit.start, one.edit.end) for one in found if one.rule.name not in known]
        left_out, shift = set(), 0
        for number, edit in enumerate(edits):
            start, end = edit.start + shift, edit.start + shift + len(edit.replacement)
            if number in slipping and any(first < end and start < last for first, last in slips):
                left_out.add(number)
            shift += len(edit.replacement) - (edit.end - edit.start)
        return [one for number, one in enumerate(placed) if number not in left_out]

    def _slips_after(self, tokens: Tokens, edit: Edit) -> list[RuleEdit]:
        """What rules would do to the replacement of an edit."""
        assert self._rules is not None
        end = edit.start + len(edit.replacement)
        found = self._rules.propose((*tokens[: edit.start], *edit.replacement, *tokens[edit.end :]))
        return [one for one in found if one.edit.start < end and edit.start < one.edit.end]

    def _trusted(self, text: str, segment: Segment, placed: Sequence[_Placed]) -> list[_Placed]:
        """The edits that some preset makes, with its number; two that belong together are one."""
        wordings = self._wordings(text, segment, placed)
        ranks = self.ladder.ranks([one.confidences for one in placed], wordings)
        ranked = [
            replace(one, rank=rank) if rank is not None else None for one, rank in zip(placed, ranks, strict=True)
        ]
        if len(placed) > 1:
            for pair in self._pairs(text, segment, placed, ranked):
                joined = self._join_pair(text, segment, placed, ranked, pair)
                ranked[pair.left : pair.right + 1] = [joined, *[None] * (pair.right - pair.left)]
        return [one for one in ranked if one is not None]

    def _wordings(self, text: str, segment: Segment, placed: Sequence[_Placed]) -> list[int]:
        """The numbers of the model's edits of wording, if the segment sounds like talk."""
        found = [number for number, one in enumerate(placed) if not one.edit.about and is_wording(one.edit)]
        if not found or self.language != "en":
            return []
        mended = [one.proposed.edit.replacement for one in placed if one.edit.about]
        return found if is_talk(segment.tokens(text), mended) else []

    def _pairs(
        self, text: str, segment: Segment, placed: Sequence[_Placed], ranked: Sequence[_Placed | None]
    ) -> list[Pair]:
        tokens = segment.tokens(text)
        edits = [one.proposed.edit for one in placed]
        found = find_pairs(tokens, edits, [one.edit.type for one in placed], self.language)
        # A new form of a verb may do without an auxiliary that nobody trusts; one that stays decides on the form.
        return [one for one in found if one.is_move or ranked[one.left] or not edits[one.left].replacement]

    def _join_pair(
        self, text: str, segment: Segment, placed: Sequence[_Placed], ranked: Sequence[_Placed | None], pair: Pair
    ) -> _Placed | None:
        """A pair as one edit, with the edits between its halves that the same preset makes; None if no preset makes it.

        A move is trusted as much as its surer half: on W&I dev, both halves of 16 in 17 moves were right. An auxiliary
        and its verb are trusted as little as the less sure half: of 14 that differ, 7 were right.
        """
        halves = [one for one in (ranked[pair.left], ranked[pair.right]) if one is not None]
        if not halves or (len(halves) < 2 and not pair.is_move):
            return None
        surer, choose = (min, max) if pair.is_move else (max, min)
        rank = surer(one.rank for one in halves)
        left, right = placed[pair.left], placed[pair.right]
        confidences = tuple(map(choose, left.confidences, right.confidences))
        between = [one.proposed for one in ranked[pair.left + 1 : pair.right] if one is not None and one.rank <= rank]
        chain = [left.proposed, *between, right.proposed]
        merged = self._place(text, segment, reduce(lambda one, other: _merge(one, other, segment, text), chain))
        edit = replace(merged.edit, confidence=confidences[self.ladder.rank])
        return replace(merged, edit=edit, confidences=confidences, rank=rank)

    def _reconcile(self, text: str, segment: Segment, left: _Placed, right: _Placed) -> _Placed:
        """Two neighbours that want the same space: as one edit, or the one that more presets make."""
        if left.rank != right.rank:
            return min(left, right, key=lambda one: one.rank)
        merged = self._place(text, segment, _merge(left.proposed, right.proposed, segment, text))
        return replace(merged, rank=left.rank)

    def _sound(self, text: str, candidates: Sequence[Candidate], segment: Segment) -> list[Candidate]:
        """The candidates that agree with each other and leave the meaning alone."""
        if not candidates:
            return []
        moved = self._join_moves(text, candidates)
        sane = [mended for one in moved if (mended := self._mend(text, one)) is not None]
        if self.language != "en":
            return sane
        sane = self._with_capitals(text, self._without_capitals(text, sane), segment)
        if len(sane) < 2:
            return sane
        doubts = [one.rank - one.confidences[-1] for one in sane]
        return [sane[number] for number in leave_out_clashes(text, [one.edit for one in sane], doubts)]

    def _without_capitals(self, text: str, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates without capitals after a comma, where the preset that makes them leaves the comma."""
        kept: list[Candidate] = []
        for one in candidates:
            comma = comma_before_capital(text, one.edit)
            if comma is None:
                kept.append(one)
                continue
            stops = [other.rank for other in candidates if other.edit.start <= comma < other.edit.end]
            small = without_capital(one.edit)
            if any(rank <= one.rank for rank in stops):
                kept.append(one)
            elif small.replacement != text[small.start : small.end]:
                kept.append(replace(one, edit=small))
            elif stops:  # the capital goes with the full stop
                kept.append(replace(one, rank=min(stops)))
        return kept

    def _with_capitals(self, text: str, candidates: Sequence[Candidate], segment: Segment) -> list[Candidate]:
        """The candidates, each full stop with the capital that it brings."""
        edits = bring_capitals(text, [one.edit for one in candidates], segment.bounds)
        return [
            one if edit is one.edit else replace(one, edit=replace(edit, type=classify(text, edit, self.language)))
            for one, edit in zip(candidates, edits, strict=True)
        ]

    def _mend(self, text: str, candidate: Candidate) -> Candidate | None:
        """The candidate, if it leaves the meaning alone and breaks no contraction, or can be mended."""
        if self.language == "en" and (kept := keep_quotes(text, candidate.edit)) is not candidate.edit:
            if kept.replacement == text[kept.start : kept.end]:
                return None
            candidate = replace(candidate, edit=kept)
        if self.language == "en" and (edit := mend_of(text, candidate.edit)) is not candidate.edit:
            return replace(candidate, edit=replace(edit, type=classify(text, edit, self.language)))
        if self._is_sane(text, candidate.edit):
            return candidate
        edit = mend_contraction(text, candidate.edit) if self.language == "en" else candidate.edit
        if edit is candidate.edit or not self._is_sane(text, edit):
            return None
        return replace(candidate, edit=edit)

    def _is_sane(self, text: str, edit: TextEdit) -> bool:
        # A Chinese rule that takes out a negation means it: 防止不再发生.
        is_meant = self.language == "zh" and bool(edit.about)
        if drops_symbol(text, edit) or not (is_meant or keeps_negation(text, edit)):
            return False
        if self.language != "en":
            return True
        doubts = (makes_broken_contraction, changes_verb, mistakes_rare_word, drops_prefix, breaks_number)
        return not any(is_doubtful(text, edit) for is_doubtful in doubts)

    def _join_moves(self, text: str, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates, two that move a negation as one, which needs the trust in both."""
        rest = deque(candidates)
        found: list[Candidate] = []
        for edit, n_edits in join_moves(text, [one.edit for one in candidates]):
            members = [rest.popleft() for _ in range(n_edits)]
            if n_edits == 1:
                found.append(members[0])
                continue
            confidences = tuple(map(min, *(one.confidences for one in members)))
            typed = replace(edit, type=classify(text, edit, self.language))
            found.append(Candidate(typed, max(one.rank for one in members), confidences))
        return found

    def _corrects(self, text: str, edit: TextEdit) -> bool:
        """Whether this is a correction at all: matters of style are none, nor is half a compound."""
        old = text[edit.start : edit.end]
        if old == edit.replacement:
            return False
        is_style = is_variant(old, edit.replacement) or is_optional_comma(text, edit)
        return self.language != "en" or not (is_style or cuts_word(old, edit))

    def _place(self, text: str, segment: Segment, proposed: ProposedEdit) -> _Placed:
        """The edit where it stands in the text."""
        edit = proposed.edit
        start, end, replacement = self._written(text, segment, edit, edit.replacement)
        others = (self._written(text, segment, edit, words) for words in proposed.alternatives)
        alternatives = tuple(other for first, last, other in others if (first, last) == (start, end))
        placed = TextEdit(start, end, replacement, edit.type, alternatives=alternatives)
        if placed.type == "UNK":
            placed = replace(placed, type=classify(text, placed, self.language))
        kind, tokens = edit_kind(text, placed), segment.tokens(text)
        confidences = self.ladder.confidences(proposed.confidence, kind, tokens)
        return _Placed(proposed, replace(placed, confidence=confidences[self.ladder.rank]), confidences)

    def _written(self, text: str, segment: Segment, edit: Edit, words: Tokens) -> tuple[int, int, str]:
        """The character range of a token edit, and the words for it as they are written there."""
        if segment.is_shouted:
            words = tuple(word.upper() for word in words)
        return segment.layout.place(text, segment.spans, edit.start, edit.end, words, segment.bounds)


def _beside(candidates: Sequence[Candidate], slips: Sequence[Candidate]) -> list[Candidate]:
    """The candidates and those slips that none of them touches, in order."""
    free = [
        one for one in slips
        if all(one.edit.end < other.edit.start or other.edit.end < one.edit.start for other in candidates)
    ]  # fmt: skip
    return sorted([*candidates, *free], key=lambda one: (one.edit.start, one.edit.end))


def _second(placed: _Placed, hints: Sequence[Edit]) -> _Placed:
    """An edit of the model, as sure as SECONDED at least if a hint says the same."""
    edit = placed.proposed.edit
    if not any((edit.start, edit.end, edit.replacement) == (one.start, one.end, one.replacement) for one in hints):
        return placed
    confidences = tuple(max(sure, SECONDED) for sure in placed.confidences)
    return replace(
        placed,
        edit=replace(placed.edit, confidence=max(placed.edit.confidence or 0.0, SECONDED)),
        confidences=confidences,
    )


def _merge(left: ProposedEdit, right: ProposedEdit, segment: Segment, text: str) -> ProposedEdit:
    return join_edits(left, right, tuple(text[a:b] for a, b in segment.spans[left.edit.end : right.edit.start]))
