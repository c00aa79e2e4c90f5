"""The functions of errata that read a user's text, each as a function of the text alone.

Where a function takes edits too, they are all over the text: words replaced, taken away and put in.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from benchmarks.linear.growth import Run

from errata.cli.corrections import split_correction
from errata.crawl.extractors import clean_text, text_blocks
from errata.crawl.filters import find_no_prose, judge_paragraph
from errata.crawl.fingerprints import exact_key, near_keys
from errata.crawl.masking import find_emails, find_phones
from errata.edits.en.stem import stem
from errata.edits.explain import explain
from errata.model import Correction, Edit, TextEdit, Tokens
from errata.networks.subwords import Subwords
from errata.pipeline.corrector import Pipeline
from errata.pipeline.documents import Options
from errata.pipeline.markup import Markup
from errata.pipeline.protection import Protection
from errata.pipeline.sentences import SentenceCorrector
from errata.rules import load_rules
from errata.systems.base import ProposedEdit, TokenCorrector
from errata.systems.installed import find_model
from errata.systems.prompted.answers import clean
from errata.systems.tagger.inventory import Lexicon, get_inventory
from errata.systems.tagger.spelling import Speller
from errata.systems.tagger.tags import TagVocabulary
from errata.text.language import han_share, identify_language, language_sentences
from errata.text.literals import literal_spans
from errata.text.markdown import parts
from errata.text.morphology import Inflections
from errata.text.projection import Projection, trim_edit
from errata.text.script import simplify_traditional, write_traditional
from errata.text.sentences import clause_spans, cut_long, prose_spans, sentence_spans
from errata.text.spacing import join_words
from errata.text.tokens import is_char_level, split_characters, split_raw, split_tokens
from errata.text.utf16 import Utf16Offsets, replace_lone_surrogates
from errata.text.variants import american_spelling, is_variant
from errata.text.words import character_spans, piece_spans, word_spans
from errata.text.wrapping import keep_line_ends, unwrap
from errata.web.languagetool.widen import widen_edits

MAX_TOKENS = 80


class EveryWord(TokenCorrector):
    """A token corrector that changes every third token, by turns: another word, none, one more."""

    kind = "every word"
    max_tokens = MAX_TOKENS

    def __init__(self, language: str) -> None:
        self.language = language

    def propose(self, sentences: Sequence[Tokens], *, progress: object = None) -> list[list[ProposedEdit]]:
        return [[self._edit(place) for place in range(0, len(tokens), 3)] for tokens in sentences]

    def _edit(self, place: int) -> ProposedEdit:
        edit = (Edit(place, place + 1, ("word",)), Edit(place, place + 1, ()), Edit(place, place, ("a",)))[
            place % 9 // 3
        ]
        return ProposedEdit(edit, 0.9)


def edits_of(text: str) -> list[TextEdit]:
    """Edits all over a text that cross no line end, by turns: another word, none, a letter more."""
    spans = [(start, min(start + 3, len(text))) for start in range(0, len(text), 12)]
    return [
        TextEdit(start, end, ("another", "", text[start:end] + "s")[number % 3])
        for number, (start, end) in enumerate(spans)
        if len(text[start:end].splitlines()) < 2 and not text[start:end].endswith(("\r", "\n"))
    ]


def side_by_side(text: str) -> list[TextEdit]:
    """Edits without anything between them: all of the text taken away, piece by piece."""
    return [TextEdit(start, min(start + 8, len(text)), "") for start in range(0, len(text), 8)]


def _whole(text: str) -> TextEdit:
    return TextEdit(0, len(text), text[: len(text) // 2] + "x" + text[len(text) // 2 :])


def _cut(text: str) -> object:
    return cut_long(text.split(" "), MAX_TOKENS, lambda token: not token[-1:].isalnum())


def _split(text: str) -> object:
    return list(split_correction(Correction(text, tuple(edits_of(text))), "text"))


def _protect(text: str) -> object:
    words = [text[start : start + 5] for start in range(0, min(len(text), 5000), 5)]
    return Protection(words).keep(text, edits_of(text))


def _place(text: str) -> object:
    view = Projection.of(parts(text))
    return view.place(edits_of(view.text)), view.place(side_by_side(view.text))


def _carry_back(text: str) -> object:
    markup = Markup("markdown")
    view = markup.read(text)
    return markup.carry_back(view, [edit for edit in edits_of(view.text) if edit.replacement])


@cache
def _subwords(language: str) -> Subwords:
    return Subwords.load(find_model(f"{language}-small"), 512)


def _pieces(text: str) -> object:
    subwords = Subwords(_subwords("en").tokenizer, 512)  # it remembers words
    words = text.split()
    return [subwords.encode(words[start : start + MAX_TOKENS]) for start in range(0, len(words), MAX_TOKENS)]


@cache
def _lexicon() -> tuple[Inflections, tuple[str, ...], TagVocabulary]:
    folder = find_model("en-small")
    words = Speller.load(folder / "words.txt.gz").words
    return Inflections.load(folder / "inflections.tsv.gz"), words, TagVocabulary.load(folder / "tags.json")


def _realise(text: str) -> object:
    inflections, words, tags = _lexicon()
    inventory = get_inventory("gector", Lexicon(inflections, _speller(words)))
    ways = {tag.op: tag for tag in tags}.values()
    return [inventory.realise(tag, text, text) for tag in ways]


@cache
def _speller(words: tuple[str, ...]) -> Speller:
    return Speller(words)


def _correct(language: str) -> Run:
    return lambda text: SentenceCorrector(EveryWord(language), name="every word").correct([text])


def _correct_parts(text: str) -> object:
    corrector = SentenceCorrector(EveryWord("en"), name="every word")
    return corrector.look([(text, segment) for segment in corrector.cut(text)])


def _pipeline(**options: bool) -> Pipeline:
    given = Options(frozenset({"en", "zh"}), **options)  # type: ignore[arg-type]
    return Pipeline("", lambda language: SentenceCorrector(EveryWord(language), name=""), given)


def _correct_document(text: str) -> object:
    return _pipeline().correct([text])


def _correct_markdown(text: str) -> object:
    return _pipeline(is_stable=False).correct([text], markup="markdown")


FUNCTIONS: dict[str, Run] = {
    "judge_paragraph en": lambda text: judge_paragraph(text, "en"),
    "judge_paragraph zh": lambda text: judge_paragraph(text, "zh"),
    "find_no_prose": lambda text: find_no_prose(text, "en"),
    "find_emails": find_emails,
    "find_phones": find_phones,
    "near_keys en": lambda text: near_keys(text, "en"),
    "near_keys zh": lambda text: near_keys(text, "zh"),
    "exact_key": exact_key,
    "clean_text": clean_text,
    "text_blocks": text_blocks,
    "identify_language": identify_language,
    "language_sentences": lambda text: list(language_sentences(text)),
    "han_share": han_share,
    "unwrap": unwrap,
    "keep_line_ends": lambda text: keep_line_ends(text, edits_of(text)),
    "sentence_spans en": lambda text: sentence_spans(text, "en"),
    "sentence_spans zh": lambda text: sentence_spans(text, "zh"),
    "prose_spans en": lambda text: prose_spans(text, (0, len(text)), "en"),
    "prose_spans zh": lambda text: prose_spans(text, (0, len(text)), "zh"),
    "word_spans": word_spans,
    "character_spans": character_spans,
    "piece_spans": piece_spans,
    "split_tokens": split_tokens,
    "split_characters": split_characters,
    "split_raw": split_raw,
    "is_char_level": lambda text: is_char_level(list(text)),
    "literal_spans": literal_spans,
    "replace_lone_surrogates": replace_lone_surrogates,
    "Chinese rules": lambda text: load_rules("zh").propose(tuple(text)),
    "Utf16Offsets": lambda text: [Utf16Offsets(text)[len(text)]],
    "simplify_traditional": simplify_traditional,
    "write_traditional": lambda text: write_traditional(text, edits_of(text)),
    "markdown parts": parts,
    "Projection": _place,
    "Markup.carry_back": _carry_back,
    "is_variant": lambda text: is_variant(text, text + "s"),
    "american_spelling": american_spelling.__wrapped__,
    "stem": stem.__wrapped__,
    "widen_edits": lambda text: (widen_edits(text, edits_of(text)), widen_edits(text, side_by_side(text))),
    "explain en": lambda text: explain(text, _whole(text), "en"),
    "explain zh": lambda text: explain(text, _whole(text), "zh"),
    "explain every edit": lambda text: [explain(text, edit, "en") for edit in edits_of(text)],
    "trim_edit": lambda text: trim_edit(text, _whole(text)),
    "Correction.target": lambda text: Correction(text, tuple(edits_of(text))).target,
    "Protection.keep": _protect,
    "cut_long": _cut,
    "clause_spans": lambda text: [clause_spans(text, (0, len(text)), language) for language in ("en", "zh")],
    "join_words": lambda text: join_words(text.split(" ")),
    "Subwords.encode": _pieces,
    "inventory": _realise,
    "split_correction": _split,
    "clean an answer": lambda text: clean("He go.", text),
    "correct en": _correct("en"),
    "correct zh": _correct("zh"),
    "correct segments": _correct_parts,
    "correct a document": _correct_document,
    "correct Markdown": _correct_markdown,
}
