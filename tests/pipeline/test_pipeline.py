"""The way from a document to its correction, with models that show what it does."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.edits.apply import apply_text_edits
from errata.errors import UsageError
from errata.model import Edit, Tokens
from errata.pipeline.corrector import Pipeline
from errata.pipeline.documents import Options
from errata.pipeline.load import load_corrector
from errata.pipeline.presets import ORDER, Preset
from errata.pipeline.protection import Protection
from errata.pipeline.sentences import SentenceCorrector
from errata.systems.base import ProposedEdit, TokenCorrector
from errata.text.sentences import LONGEST_RUN

WORDS = (*"a the cat go goes went , . ; ! very Paris his it's well-known 3 我 的 得 不 home**".split(), "\n")
PRESETS = {
    "careful": Preset(min_confidence=0.7),
    "balanced": Preset(min_confidence=0.4),
    "eager": Preset(min_confidence=0.2),
}


class Restless(TokenCorrector):
    """Changes every sentence in its own way, and most results again: what settles does so by chance."""

    kind = "restless"

    def __init__(self, language: str, density: float) -> None:
        self.language, self.max_tokens, self.density = language, 40, density

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        return [self._propose(tokens) for tokens in sentences]

    def _propose(self, tokens: Tokens) -> list[ProposedEdit]:
        rng = random.Random(repr(tokens))
        found: list[ProposedEdit] = []
        position = 0
        while position < len(tokens):
            if rng.random() < self.density:
                end = position + rng.choice((0, 1, 1, 2))
                new = tuple(rng.choices(("x", "went", ",", ".", "的"), k=rng.choice((0, 1, 1, 2))))
                if new != tokens[position:end] and end <= len(tokens):
                    found.append(ProposedEdit(Edit(position, end, new), rng.random()))
                    position = end
            position += 1
        return found


class Flipping(TokenCorrector):
    """Puts in a comma where there is none, and takes it out where there is one."""

    kind, language, max_tokens = "flipping", "en", 50

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        return [
            [ProposedEdit(Edit(1, 2, ()) if tokens[1:2] == (",",) else Edit(1, 1, (",",)), 0.9)]
            + [
                ProposedEdit(Edit(i, i + 1, ("goes",)), 0.9)
                for i, token in enumerate(tokens)
                if token == "go" and i > 2
            ]
            for tokens in sentences
        ]


class Slowly(TokenCorrector):
    """Finds one error at a time: a, then b when a is gone, then c."""

    kind, language, max_tokens = "slowly", "en", 50

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        return [[self._first(tokens)] if set(tokens) & {"a", "b", "c"} else [] for tokens in sentences]

    def _first(self, tokens: Tokens) -> ProposedEdit:
        letter = min(set(tokens) & {"a", "b", "c"})
        return ProposedEdit(Edit(tokens.index(letter), tokens.index(letter) + 1, (letter * 2,)), 0.9)


def make(density: float, preset: str = "balanced", **options: object) -> Pipeline:
    def load(language: str) -> SentenceCorrector:
        return SentenceCorrector(Restless(language, density), name="restless", presets=PRESETS)

    given = Options(frozenset({"en", "zh"}), preset=preset, **options)  # type: ignore[arg-type]
    return Pipeline("restless", load, given)


def alone(model: object, **options: object) -> Pipeline:
    corrector = SentenceCorrector(model, name="test")  # type: ignore[arg-type]
    given = Options(frozenset({"en"}), "en", **options)  # type: ignore[arg-type]
    return Pipeline("test", lambda _: corrector, given)


texts = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)
documents = st.one_of(texts, st.tuples(texts, texts, texts).map("\n\n".join), texts.map(lambda text: f"# {text}"))


@settings(max_examples=100)
@given(
    documents,
    st.sampled_from([0.02, 0.1, 0.3]),
    st.sampled_from(ORDER),
    st.sampled_from(["none", "text", "markdown"]),
    st.sampled_from([0.0, 0.5]),
)
def test_a_second_run_finds_nothing(text: str, density: float, preset: str, markup: str, least: float) -> None:
    pipeline = make(density, preset, protection=Protection(["Paris"], ["the cat"]), min_confidence=least)
    (correction,) = pipeline.correct([text], markup=markup)
    assert apply_text_edits(text, correction.edits) == correction.target
    assert pipeline.correct([correction.target], markup=markup)[0].edits == ()


@settings(max_examples=100)
@given(texts, st.sampled_from([0.02, 0.1, 0.3]), st.sampled_from(ORDER))
def test_a_second_run_finds_nothing_in_the_clauses_of_a_long_sentence(text: str, density: float, preset: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("errata.text.sentences.LONGEST_SENTENCE", 30)
        patch.setattr("errata.text.sentences.CLAUSE_TOKENS", {"en": 6, "zh": 8})
        pipeline = make(density, preset)
        (correction,) = pipeline.correct([text])
        assert apply_text_edits(text, correction.edits) == correction.target
        assert pipeline.correct([correction.target])[0].edits == ()


class Finishing(TokenCorrector):
    """Takes what it reads for a sentence: a capital at the beginning, a full stop at the end, and `goes` for `go`."""

    kind, language, max_tokens = "finishing", "en", 200

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        return [
            [
                ProposedEdit(Edit(i, i + 1, (new,)), 0.9)
                for i, token in enumerate(tokens)
                if (new := self._of(tokens, i)) != token
            ]
            for tokens in sentences
        ]

    def _of(self, tokens: Tokens, i: int) -> str:
        word = {"go": "goes"}.get(tokens[i], tokens[i])
        word = word.capitalize() if i == 0 else word
        return f"{word}." if i == len(tokens) - 1 and not word.endswith(".") else word


def test_chinese_without_any_mark_is_corrected() -> None:
    phrases = ["今天早上下了一场大雨", "我和弟弟没有带伞", "后来公共汽车来了", "司机看见我们冷得发抖", "他说的很好"]
    text = "".join(f"第{number}天{phrase}" for number in range(25) for phrase in phrases)
    assert len(text) > LONGEST_RUN
    found = load_corrector("zh-small").correct([text])[0].target
    assert found.count("他说得很好") > 20


def test_a_long_sentence_gets_no_full_stop_where_it_is_cut() -> None:
    text = "we go where they go which is far " * 100
    (correction,) = alone(Finishing()).correct([text.strip()])
    wanted = text.replace("go", "goes").strip() + "."
    assert correction.target == wanted.replace("we", "We", 1)


class Counting(Slowly):
    """The same, and counts the tokens that it is asked about."""

    n_tokens = 0

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        self.n_tokens += sum(map(len, sentences))
        return super().propose(sentences)


def test_pages_without_a_full_stop_are_corrected_and_looked_at_about_once() -> None:
    model = Counting()
    words = [f"word{n}" for n in range(10_000)]
    words[5000:5000] = ["a", "b", "c"]
    (correction,) = alone(model).correct([" ".join(words)])
    assert [edit.replacement for edit in correction.edits] == ["aa", "bb", "cc"]
    assert len(words) <= model.n_tokens < 1.1 * len(words)


@settings(max_examples=100)
@given(texts, st.sampled_from([0.02, 0.1, 0.3]))
def test_one_look_of_a_careful_preset_is_part_of_a_look_of_an_eager_one(text: str, density: float) -> None:
    found = [set(make(density, preset, is_stable=False).correct([text])[0].edits) for preset in ORDER]
    bare = [{(edit.start, edit.end, edit.replacement) for edit in edits} for edits in found]
    assert bare[0] <= bare[1] <= bare[2]


@given(texts)
def test_what_may_not_be_trusted_is_left_out(text: str) -> None:
    edits = make(0.3, "eager", min_confidence=0.6).correct([text])[0].edits
    assert all((edit.confidence or 0) >= 0.6 for edit in edits)


@given(st.lists(documents, max_size=3))
def test_progress_adds_up_to_the_texts(given_texts: list[str]) -> None:
    seen: list[int] = []
    make(0.1).correct(given_texts, progress=seen.append)
    assert sum(seen) == sum(map(len, given_texts)) and all(n > 0 for n in seen)


def test_progress_is_reported_sentence_by_sentence() -> None:
    seen: list[int] = []
    text = " ".join(f"Sentence {n} of many." for n in range(100))
    alone(Slowly()).correct([text], progress=seen.append)
    assert len(seen) >= 100 and max(seen) < 0.1 * len(text)


def test_a_comma_that_comes_and_goes_is_left_alone() -> None:
    (correction,) = alone(Flipping()).correct(["Well he often go home. We go"])
    assert correction.target == "Well he often goes home. We go"  # the rest is corrected
    assert alone(Flipping(), is_stable=False).correct(["Well he go."])[0].target == "Well, he go."


def test_what_is_found_later_is_corrected_too() -> None:
    (correction,) = alone(Slowly()).correct(["a b c d"])
    assert correction.target == "aa bb cc d"
    assert [edit.replacement for edit in correction.edits] == ["aa", "bb", "cc"]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("She go home. 他跑地快。", "She goes home. 他跑得快。"),
        ("他跑地快。She go home.", "他跑得快。She goes home."),
        ("Il ne va pas go. 他跑地快。", "Il ne va pas go. 他跑得快。"),
        ("会議を行いますので地。", "会議を行いますので地。"),
    ],
)
def test_every_sentence_is_corrected_in_its_language(text: str, target: str) -> None:
    class Table(TokenCorrector):
        kind, max_tokens = "table", 50

        def __init__(self, language: str) -> None:
            self.language = language

        def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
            table = {"en": {"go": "goes"}, "zh": {"地": "得"}}[self.language]
            return [
                [ProposedEdit(Edit(i, i + 1, (table[t],)), 0.9) for i, t in enumerate(tokens) if t in table]
                for tokens in sentences
            ]

    def load(language: str) -> SentenceCorrector:
        return SentenceCorrector(Table(language), name=language)

    (correction,) = Pipeline("auto", load, Options(frozenset({"en", "zh"}))).correct([text])
    assert correction.target == target


SPELLINGS = {"teh": ("the", "R:DET"), "definately": ("definitely", "R:ADV"), "this": ("these", "R:DET")}


class Spelling(TokenCorrector):
    """Knows how two words are spelt, but takes one for a determiner, the other for an adverb."""

    kind, language, max_tokens = "spelling", "en", 50

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        return [
            [
                ProposedEdit(Edit(i, i + 1, (SPELLINGS[token][0],), SPELLINGS[token][1]), 0.9)
                for i, token in enumerate(tokens)
                if token in SPELLINGS
            ]
            for tokens in sentences
        ]


def test_a_misspelt_word_is_a_spelling_error_whatever_the_model_calls_it() -> None:
    (correction,) = alone(Spelling()).correct(["I saw teh dog and definately this dogs."])
    assert [edit.type for edit in correction.edits] == ["R:SPELL", "R:SPELL", "R:DET"]


@pytest.mark.parametrize("least", [float("nan"), float("inf"), -0.1, 1.5])
def test_a_confidence_out_of_range_is_refused(least: float) -> None:
    with pytest.raises(UsageError, match="min_confidence is between 0 and 1"):
        load_corrector(min_confidence=least)


def test_any_iterable_of_texts_is_corrected() -> None:
    corrector = load_corrector("en-small")
    (correction,) = corrector.correct(text for text in ["He go to school."])
    assert correction.target == "He goes to school."
    with pytest.raises(TypeError, match=r"sentences\[0\] is of type NoneType: give a str"):
        corrector.correct([None])  # type: ignore[list-item]


def test_options_that_no_model_has_are_refused_at_once() -> None:
    with pytest.raises(UsageError, match="no option 'markup'"):
        load_corrector(markup="markdown")
    with pytest.raises(TypeError, match="words is of type str: give a list of words"):
        load_corrector(words="go")


@pytest.mark.parametrize(
    "text", ["测试" * 50, "好" * 50, "加油" * 20, "我爱你" * 20], ids=["word", "one", "cheer", "love"]
)
def test_words_said_again_and_again_are_not_deleted(text: str) -> None:
    assert load_corrector("zh-small").correct([text])[0].target == text
