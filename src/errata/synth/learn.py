"""Read error statistics from annotated corpora and make a noise model of them.

    learner = Learner("en")
    for sentence in iter_sentences("train.m2"):
        learner.add(sentence)
    model = learner.model()

Each edit is turned round: what the annotator put in is the correct phrase, what the writer had is the error. Errors
seen at least `min_count` times are learnt by heart; the others count for the generic noise that could have made them.
Everyday slips are counted first, against the places where they were possible (`sites`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from errata.edits.apply import apply_edits
from errata.errors import DataError
from errata.model import AnnotatedSentence, Annotation, Edit, Status, Tokens
from errata.synth.align import align
from errata.synth.attribution import TYPING_SHARE, Reversed, attribute, is_respelling, is_word_choice
from errata.synth.chinese import Chinese
from errata.synth.counts import ErrorHistogram
from errata.synth.english import INFLECTIONS, English, word_kind
from errata.synth.everyday import ANY_KEY
from errata.synth.learned import LEARNED, LEXICAL
from errata.synth.model import NoiseModel, make_language
from errata.synth.noisy import trim
from errata.synth.sampler import Change
from errata.synth.sites import RARE, SlipCounter
from errata.synth.statistics import END, Mistake, Mistakes, Statistics
from errata.synth.tables import EnglishTables, Tables
from errata.text.tokens import is_char_level, split_characters, split_tokens

# Longer phrases are rewrites, not errors that happen again.
MAX_PHRASE = {"en": 3, "zh": 5}

# These errors are made with any word: only what is made again and again with the same one is learnt by heart, so that
# text with other words gets its share of them.
PRODUCTIVE = frozenset({"inflect", "spelling", "case", "order", "split", "merge", "reorder", "sound", "word-sound"})
PRODUCTIVE_FACTOR = 5
# Inflections that a small corpus happens to lack: the default rates count for this many errors per unit.
PRIOR_WEIGHT = 0.2
# Share of all insertions before a class below which one is not made before its other words.
CLASS_TAIL = 0.005


class Learner:
    """Collects reversed edits from sentences, then makes a model of them."""

    def __init__(self, language: str, *, min_count: int = 2) -> None:
        self.language = language
        self.min_count = min_count
        self.skipped: Counter[str] = Counter()
        self.errors: Counter[Reversed] = Counter()
        self.clean_sentences: list[Tokens] = []
        self._changes: list[list[tuple[Change, Reversed]]] = []  # of each clean sentence
        self._histogram = ErrorHistogram()
        self._words: Counter[str] = Counter()

    def add(self, annotated: AnnotatedSentence) -> None:
        """Learn from every annotator's correction of a sentence; what cannot be used is counted in `skipped`."""
        if not annotated.annotations:
            self.skipped["sentence without a correction"] += 1
        for annotation in annotated.annotations:
            if annotation.status is not Status.ANNOTATED:
                self.skipped["not annotatable"] += 1
            elif annotation.alignment == 0:  # others are the same correction written differently
                self._add_annotation(annotated, annotation)

    def add_pair(self, source: str, target: str) -> None:
        """Learn from a text and its correction: tokens separated by spaces in English, plain in Chinese."""
        split = split_tokens if self.language == "en" else split_characters
        tokens, corrected = split(source), split(target)
        self._add_edits(tokens, corrected, align(tokens, corrected, split_words=self.language == "en"))

    def add_text(self, tokens: Iterable[str]) -> None:
        """Count the words of a correct text, so that more of them are known."""
        self._words.update(tokens)

    def add_frequencies(self, counts: Mapping[str, int]) -> None:
        """Add word counts from elsewhere."""
        self._words.update(counts)

    def _add_annotation(self, annotated: AnnotatedSentence, annotation: Annotation) -> None:
        sentence = annotated.sentence
        words_in_chinese = self.language == "zh" and not is_char_level(sentence.tokens)
        if annotation.target is not None and not annotation.edits:
            source = sentence.text if sentence.text is not None else " ".join(sentence.tokens)
            self.add_pair(source, annotation.target)
            return
        try:
            corrected = apply_edits(sentence.tokens, annotation.edits)
        except DataError:
            self.skipped["edits overlap or reach beyond the sentence"] += 1
            return
        if words_in_chinese:
            self.add_pair("".join(sentence.tokens), "".join(corrected))
        else:
            self._add_edits(sentence.tokens, corrected, annotation.edits)

    def _add_edits(self, source: Tokens, corrected: Tokens, edits: Iterable[Edit]) -> None:
        shift = n_errors = 0
        changes: list[tuple[Change, Reversed]] = []
        for edit in sorted(edits, key=lambda e: (e.start, e.end)):
            start, end = edit.start + shift, edit.start + shift + len(edit.replacement)
            shift += len(edit.replacement) - (edit.end - edit.start)
            written = source[edit.start : edit.end]
            if written == edit.replacement:
                self.skipped["edit without a change"] += 1
                continue
            n_errors += 1
            error = self._reverse(corrected, start, end, written, edit.type)
            if error is None:
                self.skipped["phrase too long to be learnt"] += 1
            else:
                self.errors[error] += 1
                changes.append(((start, end, written), error))
        self._changes.append(changes)
        self._histogram.add(len(corrected), n_errors)
        self.clean_sentences.append(corrected)

    def _reverse(self, clean: Tokens, start: int, end: int, written: Tokens, kind: str) -> Reversed | None:
        """The error at clean tokens [start, end), without the capital of the first word and what both sides share."""
        if start == 0 and clean[:end] and written and self.language == "en":
            clean, written = (_lower(clean[0]), *clean[1:]), (_lower(written[0]), *written[1:])
        change = trim(clean, start, end, written)
        if change is None:  # only the capital of the first word
            change = start, end, tuple(t[:1].upper() + t[1:] for t in written)
        start, end, written = change
        longest = MAX_PHRASE[self.language]
        if (
            end - start > longest
            or len(written) > longest
            or any(" " in token for token in (*clean[start:end], *written))
        ):
            return None
        left = clean[start - 1] if start else ""
        return Reversed(clean[start:end], written, kind, left, clean[end] if end < len(clean) else END)

    def model(
        self,
        *,
        misspellings: Iterable[Path] = (),
        confusables: Iterable[Path] = (),
        glyphs: Iterable[Path] = (),
        synonyms: Iterable[Path] = (),
        provenance: Mapping[str, Any] | None = None,
    ) -> NoiseModel:
        """The model of what was added, with word tables compiled from the given lists."""
        if not self.clean_sentences:
            raise DataError("nothing to learn from: no sentence with a correction")
        tables = self._tables(misspellings, confusables, glyphs, synonyms)
        statistics, shares, unmodelled = self._statistics(tables)
        model = NoiseModel(
            self.language,
            statistics,
            tables,
            self._histogram,
            shares,
            dict.fromkeys(shares, 1.0),
            {
                **(provenance or {}),
                "min_count": self.min_count,
                "sentences": len(self.clean_sentences),
                "errors": self._histogram.n_errors,
                "not_modelled": unmodelled,
                "skipped": dict(sorted(self.skipped.items())),
            },
        )
        return model.calibrated(self.clean_sentences)

    def _tables(
        self,
        misspellings: Iterable[Path],
        confusables: Iterable[Path],
        glyphs: Iterable[Path],
        synonyms: Iterable[Path],
    ) -> Tables:
        if self.language == "zh":
            from errata.synth.hanzi import compile_chinese

            counts = self._words.copy()
            counts.update(character for tokens in self.clean_sentences for character in tokens)
            return compile_chinese(counts, glyphs=glyphs, synonyms=synonyms)
        from errata.synth.lexicon import compile_english, is_common_word

        counts = Counter(
            token for tokens in self.clean_sentences for token in tokens if token.isalpha() and token.islower()
        )
        # Frequency lists often have names in lower case; what neither the corpus nor the lexicon knows is left out.
        counts.update({word: n for word, n in self._words.items() if word in counts or is_common_word(word)})
        known = EnglishTables(frequency=dict(counts))
        misspelt: Counter[tuple[str, str]] = Counter()
        for error, count in self.errors.items():
            if len(error.correct) == len(error.written) == 1 and is_respelling(
                error.correct[0], error.written[0], known
            ):
                misspelt[error.correct[0].lower(), error.written[0].lower()] += count
        return compile_english(counts, misspellings=misspellings, confusables=confusables, misspelt=misspelt)

    def _statistics(self, tables: Tables) -> tuple[Statistics, dict[str, float], int]:
        """Errors learnt by heart, the shares of all noises, and the number of errors that nothing stands for."""
        tokens = Counter(token for sentence in self.clean_sentences for token in sentence)
        everyday, slips = self._count_slips(tables)
        by_heart, lexical, shares, inflected, unmodelled = self._divide(tables, slips)
        replaced = {e: n for e, n in by_heart.items() if e.correct}
        inserted = {e: n for e, n in by_heart.items() if not e.correct}
        language = make_language(self.language, Statistics(), tables)
        word_class = language.word_class
        by_token = _grouped(((e.right,), e, n) for e, n in inserted.items() if e.right != END)
        by_class = _grouped(((word_class(e.right),), e, n) for e, n in inserted.items() if e.right != END)
        phrases = _grouped((e.correct, e, n) for e, n in replaced.items())
        rare = _grouped((e.correct, e, n) for e, n in lexical.items())
        occurrences = self._count_phrases({*phrases, *rare})
        classes = Counter({name: 0 for (name,) in by_class})
        for token, n in tokens.items():
            classes[word_class(token)] += n
        statistics = Statistics(
            {phrase: Mistakes(occurrences[phrase], found) for phrase, found in phrases.items()},
            {
                key[0]: Mistakes(tokens[key[0]], kept)
                for key, found in by_token.items()
                if (kept := self._frequent(found))
            },
            {key[0]: Mistakes(classes[key[0]], _without_tail(found)) for key, found in by_class.items()},
            {phrase: Mistakes(occurrences[phrase], found) for phrase, found in rare.items()},
            _inflection_rates(inflected, tokens, tables) if isinstance(tables, EnglishTables) else {},
            {**everyday, **self._word_rates(tables, tokens)} if isinstance(tables, EnglishTables) else {},
        )
        return statistics, shares, unmodelled

    def _count_slips(self, tables: Tables) -> tuple[dict[str, dict[str, float]], Counter[tuple[str, Reversed]]]:
        """The rates of everyday slips, and the errors that are such slips, by their noise."""
        slips: Counter[tuple[str, Reversed]] = Counter()
        if not isinstance(tables, EnglishTables):
            return {}, slips
        counter = SlipCounter(tables)
        for clean, changes in zip(self.clean_sentences, self._changes, strict=True):
            noises = counter.count(clean, [change for change, _ in changes])
            slips.update((noise, error) for noise, (_, error) in zip(noises, changes, strict=True) if noise is not None)
        return counter.rates(), slips

    def _word_rates(self, tables: EnglishTables, tokens: Counter[str]) -> dict[str, dict[str, float]]:
        """How often words are doubled and left out, by their kind."""
        kinds: Counter[str] = Counter()
        for token, n in tokens.items():
            kinds[word_kind(token)] += n
        found: dict[str, Counter[str]] = {"double": Counter(), "drop": Counter()}
        for error, n in self.errors.items():
            noise = attribute(error, tables)
            if noise in found:
                found[noise][word_kind((error.correct or error.written)[0])] += n
        return {
            noise: {
                ANY_KEY: RARE,
                **{kind: round((counts[kind] + 1) / (n + 1), 8) for kind, n in sorted(kinds.items())},
            }
            for noise, counts in found.items()
        }

    def _divide(
        self, tables: Tables, slips: Counter[tuple[str, Reversed]]
    ) -> tuple[Counter[Reversed], Counter[Reversed], dict[str, float], Counter[str], int]:
        """Errors learnt by heart, rare wrong words, shares of the noises, inflections, and the number of the rest."""
        errors = self.errors.copy()
        errors.subtract(Counter(error for _, error in slips.elements()))
        errors = +errors
        totals: Counter[tuple[Tokens, Tokens]] = Counter()
        for error, count in errors.items():
            totals[error.correct, error.written] += count
        by_heart: Counter[Reversed] = Counter()
        lexical: Counter[Reversed] = Counter()
        shares: Counter[str] = Counter(dict.fromkeys((English if self.language == "en" else Chinese).names, 0))
        inflected: Counter[str] = Counter()
        unmodelled = 0
        for (everyday, _), count in slips.items():
            shares[everyday] += count
        for error, count in errors.items():
            noise = attribute(error, tables)
            enough = self.min_count * (PRODUCTIVE_FACTOR if noise in PRODUCTIVE else 1)
            if totals[error.correct, error.written] >= enough and (error.correct or error.right != END):
                by_heart[error] = count
                shares[LEARNED] += count
                continue
            if noise is None and is_word_choice(error, tables):
                lexical[error] = count
                noise = LEXICAL
            if noise is None:
                unmodelled += count
                continue
            shares[noise] += count
            if noise == "inflect" and isinstance(tables, EnglishTables):
                inflected.update(_tag_pairs(error, tables))
        total = shares.total() or 1
        portions = {name: count / total for name, count in shares.items()}
        if "typing" in portions:
            portions["typing"] = TYPING_SHARE * portions["spelling"]
            portions["spelling"] -= portions["typing"]
        return by_heart, lexical, portions, inflected, unmodelled

    def _count_phrases(self, phrases: set[Tokens]) -> Counter[Tokens]:
        """How often each phrase occurs in the corrected text."""
        counts: Counter[Tokens] = Counter()
        lengths = sorted({len(phrase) for phrase in phrases})
        for tokens in self.clean_sentences:
            if self.language == "en" and tokens:
                tokens = (_lower(tokens[0]), *tokens[1:])
            for length in lengths:
                counts.update(
                    phrase for i in range(len(tokens) - length + 1) if (phrase := tokens[i : i + length]) in phrases
                )
        return counts

    def _frequent(self, found: list[Mistake]) -> list[Mistake]:
        return [mistake for mistake in found if mistake.count >= self.min_count]


def _grouped(errors: Iterable[tuple[Tokens, Reversed, int]]) -> dict[Tokens, list[Mistake]]:
    """Mistakes by key, the most frequent first; the type is the one most annotators gave."""
    counts: dict[Tokens, dict[Tokens, Counter[str]]] = {}
    for key, error, count in errors:
        counts.setdefault(key, {}).setdefault(error.written, Counter())[error.type] += count
    return {
        key: sorted(
            (Mistake(written, kind, n) for written, kinds in found.items() for kind, n in kinds.items()),
            key=lambda m: (-m.count, m.written, m.type),
        )
        for key, found in counts.items()
    }


def _without_tail(found: list[Mistake]) -> list[Mistake]:
    """Without what is seldom inserted before a class: that belongs to single words, not to all of the class."""
    floor = CLASS_TAIL * sum(mistake.count for mistake in found)
    return [mistake for mistake in found if mistake.count >= floor]


def _inflection_rates(inflected: Counter[str], tokens: Counter[str], tables: EnglishTables) -> dict[str, float]:
    """How often a form is put for another, for each word that can have the first one's tag."""
    with_tag: Counter[str] = Counter()
    for token, count in tokens.items():
        for tag in filter(None, tables.tags(token.lower()).split("/")):
            with_tag[tag] += count
    pairs = {pair: inflected[pair] + PRIOR_WEIGHT * INFLECTIONS.get(pair, 0.0) for pair in {*inflected, *INFLECTIONS}}
    return {pair: round(n / max(with_tag[pair.partition(">")[0]], 1), 8) for pair, n in sorted(pairs.items())}


def _tag_pairs(error: Reversed, tables: EnglishTables) -> list[str]:
    correct, written = error.correct[0].lower(), error.written[0].lower()
    return [f"{source}>{target}" for source, target, form in tables.forms(correct) if form == written][:1]


def _lower(word: str) -> str:
    """The first word of a sentence without its capital; `I` and abbreviations keep theirs."""
    return word.lower() if word != "I" and word[:1].isupper() and (word[1:].islower() or len(word) == 1) else word
