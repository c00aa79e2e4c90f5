from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.apply import apply_edits, apply_text_edits
from errata.errors import UsageError
from errata.model import Edit, Tokens
from errata.pipeline.presets import Ladder, Preset
from errata.pipeline.sentences import SentenceCorrector
from errata.rules import load_rules
from errata.systems.base import ProposedEdit, TokenCorrector


class Replacing(TokenCorrector):
    """A token corrector that applies a table of word replacements ('' deletes, 'a b' gives two words)."""

    kind = "replacing"

    def __init__(self, table: dict[str, str], language: str = "en", max_tokens: int = 50, type_: str = "R") -> None:
        self.table, self.language, self.max_tokens, self.type = table, language, max_tokens, type_

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        assert all(len(tokens) <= self.max_tokens for tokens in sentences)
        return [
            [
                ProposedEdit(Edit(i, i + 1, tuple(self.table[token].split()), self.type), 0.9)
                for i, token in enumerate(tokens)
                if token in self.table
            ]
            for tokens in sentences
        ]


class Scribbling(TokenCorrector):
    """A token corrector that proposes random edits, for properties."""

    kind = "scribbling"

    def __init__(self, seed: int, language: str, max_tokens: int) -> None:
        self.rng, self.language, self.max_tokens = random.Random(seed), language, max_tokens
        self.seen: list[Tokens] = []
        self.answered: list[Tokens] = []

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        return [self._scribble(tokens) for tokens in sentences]

    def _scribble(self, tokens: Tokens) -> list[ProposedEdit]:
        edits: list[Edit] = []
        position = 0
        while position <= len(tokens):
            start = self.rng.randint(position, len(tokens))
            end = self.rng.randint(start, min(len(tokens), start + 2))
            edits.append(Edit(start, end, tuple(self.rng.choices(["w", ",", "'s", "("], k=self.rng.randint(0, 2)))))
            position = max(end, start + 1) + self.rng.randint(0, 2)
        self.seen.append(tokens)
        self.answered.append(apply_edits(tokens, edits))
        return [ProposedEdit(edit, 0.5) for edit in edits]


def test_neighbouring_characters_are_one_edit() -> None:
    corrector = SentenceCorrector(Replacing({"旅": "", "游": "", "门": "们", "在": "再", "的": ""}, "zh"), name="test")
    (answer,) = corrector.correct(["我门在去旅游旅的。"])
    assert [(edit.start, edit.end, edit.replacement, edit.type) for edit in answer.edits] == [
        (1, 3, "们再", "S:SPELL"),
        (4, 8, "", "R"),
    ]


@pytest.mark.parametrize(
    ("text", "table", "corrected"),
    [
        ("He go home.", {"go": "goes"}, "He goes home."),
        ("He  go\thome .\r\n", {"go": "goes"}, "He  goes\thome .\r\n"),
        ("He very like it.", {"very": ""}, "He like it."),
        ("Very good. The the end.", {"the": ""}, "Very good. The end."),
        ("I do not , know.", {"not": "n't", ",": ""}, "I don't know."),
        ("I don't.", {"n't": "not"}, "I do not."),
        ("well-known", {"-": ""}, "well known"),
        ("(he go)", {"go": "goes"}, "(he goes)"),
        ("He said so", {"so": "so ."}, "He said so."),
        ("a b", {"a": "", "b": ""}, ""),
        ("", {}, ""),
        (" \n", {}, " \n"),
    ],
)
def test_edits_are_written_into_the_text(text: str, table: dict[str, str], corrected: str) -> None:
    (answer,) = SentenceCorrector(Replacing(table), name="test").correct([text])
    assert answer.target == corrected
    assert apply_text_edits(text, answer.edits) == corrected


def test_chinese_keeps_its_spaces_and_newlines() -> None:
    model = Replacing({"地": "的"}, language="zh")
    (answer,) = SentenceCorrector(model, name="test").correct(["我 地书。\n你地\r\n"])
    assert answer.target == "我 的书。\n你的\r\n"


def test_tokenised_lines_stay_tokenised() -> None:
    model = Replacing({"go": "goes", "very": "", "end": "end ."})
    (answer,) = SentenceCorrector(model, name="test", tokenised=True).correct(["very he go , very end"])
    assert answer.target == "he goes , end ."


def test_order_and_progress() -> None:
    seen: list[int] = []
    texts = [f"line {i} go" for i in range(5000)]
    answers = SentenceCorrector(Replacing({"go": "went"}), name="test").correct(texts, progress=seen.append)
    assert [a.target for a in answers] == [t.replace("go", "went") for t in texts]
    assert sum(seen) == sum(map(len, texts)) and len(seen) > 1


def test_unconfident_edits_are_left_out() -> None:
    corrector = SentenceCorrector(Replacing({"go": "goes"}), name="test", min_confidence=0.95)
    assert corrector.correct(["he go"])[0].target == "he go"


def test_spellings_of_another_english_are_no_corrections() -> None:
    model = Replacing({"colour": "color", "organize": "organise", "freind": "friend"})
    text = "We organize the colour of a freind."
    assert SentenceCorrector(model, name="test").correct([text])[0].target == "We organize the colour of a friend."


def test_half_a_compound_is_no_correction() -> None:
    model = Replacing({"rideshare": "share", "accomodation": "accommodation"}, type_="R:SPELL")
    corrector = SentenceCorrector(model, name="test")
    assert corrector.correct(["my rideshare accomodation"])[0].target == "my rideshare accommodation"


def test_the_serial_comma_is_no_correction() -> None:
    corrector = SentenceCorrector(Replacing({"pears": "pears ,", "go": "go ,"}), name="test")
    assert corrector.correct(["apples, pears and plums"])[0].target == "apples, pears and plums"
    assert corrector.correct(["Hi Tom, how are you? We go and go"])[0].target == "Hi Tom, how are you? We go, and go,"
    assert corrector.correct(["we go and apples, pears but"])[0].target == "we go, and apples, pears, but"


def test_sentences_in_capitals_stay_so() -> None:
    corrector = SentenceCorrector(Replacing({"GO": "goes", "USA": "The USA"}), name="test")
    texts = ["SHE GO HOME NOW! USA.", "GO USA!", "SHE GO home now."]
    told = [one.target for one in corrector.correct(texts)]
    assert told == ["SHE GOES HOME NOW! The USA.", "goes The USA!", "SHE goes home now."]


class Proposing(TokenCorrector):
    """A token corrector that proposes the same edits for every sentence."""

    kind, language, max_tokens = "proposing", "en", 50

    def __init__(self, *edits: tuple[int, int, str, float]) -> None:
        self.edits = [ProposedEdit(Edit(start, end, tuple(new.split())), trust) for start, end, new, trust in edits]

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        return [self.edits for _ in sentences]


@pytest.mark.parametrize(
    ("text", "edits", "corrected"),
    [
        ("I read you're letter", [(2, 3, "your", 0.9), (3, 4, "", 0.1)], "I read your letter"),
        ("an e-mail came", [(1, 2, "email", 0.9), (2, 3, "", 0.2), (3, 4, "", 0.1)], "an email came"),
        ("I,m fine", [(1, 2, "", 0.2), (2, 3, "'m", 0.9)], "I'm fine"),
        ("my freind-Pat", [(1, 2, "friend", 0.9), (2, 3, "", 0.1)], "my friend-Pat"),
        ("he go very home", [(1, 2, "goes", 0.9), (2, 3, "", 0.1)], "he goes very home"),
        ("he say 'yes", [(1, 2, "says", 0.1), (2, 3, '"', 0.9)], 'he say "yes'),
        ("an adult's idea", [(1, 2, "adults", 0.9), (2, 3, "'", 0.1)], "an adult's idea"),
    ],
)
def test_parts_of_a_word_stand_or_fall_together(
    text: str, edits: list[tuple[int, int, str, float]], corrected: str
) -> None:
    corrector = SentenceCorrector(Proposing(*edits), name="test", min_confidence=0.5)
    assert corrector.correct([text])[0].target == corrected


@pytest.mark.parametrize(
    ("text", "edits", "corrected"),
    [
        pytest.param("It was late we left", [(3, 3, ".", 0.9)], "It was late. We left", id="put in"),
        pytest.param("It was late, we left", [(3, 4, ".", 0.9)], "It was late. We left", id="for a comma"),
        pytest.param("It was late We left", [(3, 3, ".", 0.9)], "It was late. We left", id="has one"),
        pytest.param("I saw Mr smith", [(3, 3, ".", 0.9)], "I saw Mr. smith", id="abbreviation"),
        pytest.param("It was late eBay left", [(3, 3, ".", 0.9)], "It was late. eBay left", id="name"),
        pytest.param("It was late. we left", [(2, 2, "very", 0.9)], "It was very late. we left", id="was there"),
        pytest.param("late\n\nwe left", [(1, 1, ".", 0.9)], "late.\n\nwe. Left", id="end of a sentence"),
    ],
)
def test_a_full_stop_brings_a_capital(text: str, edits: list[tuple[int, int, str, float]], corrected: str) -> None:
    assert SentenceCorrector(Proposing(*edits), name="test").correct([text])[0].target == corrected


LADDER = {"careful": Preset(min_confidence=0.9), "balanced": Preset(min_confidence=0.5), "eager": Preset()}


@pytest.mark.parametrize(
    ("edits", "balanced", "eager"),
    [
        ([(4, 5, "It 's", 0.7)], "I like it, it's good", "I like it, it's good"),
        ([(3, 4, ".", 0.7), (4, 5, "It 's", 0.7)], "I like it. It's good", "I like it. It's good"),
        ([(3, 4, ".", 0.7), (4, 5, "It 's", 0.2)], "I like it. its good", "I like it. It's good"),
        ([(4, 5, "Its", 0.7)], "I like it, its good", "I like it, its good"),
        ([(3, 4, ".", 0.2), (4, 5, "Its", 0.7)], "I like it, its good", "I like it. Its good"),
        ([(4, 5, "I", 0.7)], "I like it, I good", "I like it, I good"),
    ],
)
def test_a_capital_goes_with_the_full_stop_before_it(
    edits: list[tuple[int, int, str, float]], balanced: str, eager: str
) -> None:
    corrector = SentenceCorrector(Proposing(*edits), name="test", presets=LADDER, ladder=Ladder.of(LADDER))
    text = "I like it, its good"
    assert corrector.correct([text])[0].target == balanced
    assert corrector.with_preset("eager").correct([text])[0].target == eager


STRICT = {"balanced": Preset(min_confidence=0.4, wording_odds=2.0), "eager": Preset(min_confidence=0.2)}


@pytest.mark.parametrize(
    ("edits", "corrected"),
    [
        pytest.param([(3, 4, "in", 0.5)], "we was late at the wedding", id="not sure"),
        pytest.param([(3, 4, "in", 0.6)], "we was late in the wedding", id="sure"),
        pytest.param([(1, 2, "were", 0.5)], "we were late at the wedding", id="agreement is no wording"),
        pytest.param([(0, 1, "We", 0.9), (3, 4, "in", 0.5)], "We was late at the wedding", id="beside a capital"),
        pytest.param([(1, 2, "were", 0.6), (3, 4, "in", 0.5)], "we were late at the wedding", id="beside a sure one"),
    ],
)
def test_an_edit_of_wording_needs_more_in_talk(edits: list[tuple[int, int, str, float]], corrected: str) -> None:
    text = "we was late at the wedding"
    corrector = SentenceCorrector(Proposing(*edits), name="test", presets=STRICT)
    tokenised = SentenceCorrector(Proposing(*edits), name="test", presets=STRICT, tokenised=True)
    assert corrector.correct([text])[0].target == tokenised.correct([text])[0].target == corrected


def test_what_a_rule_mends_is_a_slip() -> None:
    model = Proposing((4, 5, "in", 0.5))
    corrector = SentenceCorrector(model, name="test", presets=STRICT, rules=load_rules("en"))
    assert corrector.correct(["i have went there at summer"])[0].target == "I have gone there at summer"


@pytest.mark.parametrize(
    ("text", "edits", "corrected"),
    [
        ("He stopped to smoke", [(2, 4, "smoking", 0.9)], "He stopped to smoke"),
        ("He stopped to smoke", [(2, 3, "", 0.9), (3, 4, "smoking", 0.9)], "He stopped to smoke"),
        ("He is neither tall nor short", [(4, 5, "or", 0.9)], "He is neither tall nor short"),
        ("The sun rised at six", [(2, 3, "raised", 0.9)], "The sun rised at six"),
        ("You should of not gone", [(2, 3, "", 0.9)], "You should have not gone"),
    ],
)
def test_verbs_and_nor_keep_their_meaning(text: str, edits: list[tuple[int, int, str, float]], corrected: str) -> None:
    assert SentenceCorrector(Proposing(*edits), name="test").correct([text])[0].target == corrected


@pytest.mark.parametrize(
    ("text", "edit", "corrected"),
    [
        ("a long term plan", (2, 2, "-", 0.9), "a long-term plan"),
        ("a long term plan", (2, 3, "- term", 0.9), "a long-term plan"),
        ("a long term plan", (1, 2, "long -", 0.9), "a long-term plan"),
        ("she said yes )", (2, 2, "(", 0.9), "she said (yes )"),
        ("this city - is nice", (3, 3, "it", 0.9), "this city - it is nice"),
        ("- dog is big", (0, 0, "The", 0.9), "The - dog is big"),
        ("well-man", (2, 2, "known", 0.9), "well-known man"),
        ("tea , but", (1, 2, "-", 0.9), "tea - but"),
        ("tea-coffee", (1, 2, "and", 0.9), "tea and coffee"),
        ("tea/coffee", (1, 2, "or", 0.9), "tea or coffee"),
    ],
)
def test_hyphens_join(text: str, edit: tuple[int, int, str, float], corrected: str) -> None:
    corrector = SentenceCorrector(Proposing(edit), name="test")
    assert corrector.correct([text])[0].target == corrected


def test_wrapped_sentences_are_read_whole() -> None:
    model = Scribbling(1, "en", 50)
    text = "Permission is hereby granted, free of charge, to any person obtaining\na copy of this software.\n\nA title"
    SentenceCorrector(model, name="test").correct([text])
    assert [tokens[-1] for tokens in model.seen] == [".", "title"]


def test_traditional_characters_stay() -> None:
    corrector = SentenceCorrector(Replacing({"个": "", "题": "体 们", "问": "问"}, "zh"), name="test")
    assert corrector.correct(["這個問題。"])[0].target == "這問體們。"
    assert corrector.correct(["这个问题。"])[0].target == "这问体们。"


def test_what_is_no_list_of_texts() -> None:
    corrector = SentenceCorrector(Replacing({"go": "goes"}), name="test")
    with pytest.raises(TypeError, match="a list of texts"):
        corrector.correct("he go")
    assert corrector.correct(["\ud800 he go \udc00"])[0].target == "\ud800 he goes \udc00"
    with pytest.raises(UsageError, match="between 0 and 1"):
        SentenceCorrector(Replacing({}), name="test", min_confidence=5)


# Without what is kept whatever a model says: emoji, curly quotation marks, and capitals, which names are written with.
documents = st.text(alphabet=st.sampled_from("ab' \n\t.,!?()-我。！é𠮷\r"), max_size=120)


def test_quotation_marks_and_emoji_stay_as_they_are() -> None:
    corrector = SentenceCorrector(Replacing({"“": '"', "”": '"', "🤗": "", "go": "goes"}), name="test")
    assert corrector.correct(["“he go 🤗” ."])[0].target == "“he goes 🤗” ."


def test_rare_words_stay_as_they_are() -> None:
    corrector = SentenceCorrector(Replacing({"anyio": "any", "recieves": "receives"}), name="test")
    assert corrector.correct(["He recieves anyio."])[0].target == "He receives anyio."


@given(documents, st.sampled_from(["en", "zh"]), st.integers(1, 20), st.integers(), st.booleans())
def test_whatever_is_proposed_lands_in_the_text(
    text: str, language: str, max_tokens: int, seed: int, tokenised: bool
) -> None:
    model: Any = Scribbling(seed, language, max_tokens)
    (answer,) = SentenceCorrector(model, name="test", tokenised=tokenised).correct([text])
    assert apply_text_edits(text, answer.edits) == answer.target
    wanted = "".join("".join(tokens) for tokens in model.answered)
    assert "".join(answer.target.split()) == "".join(wanted.split())
    assert "".join("".join(tokens) for tokens in model.seen) == "".join(text.split())


def test_chinese_lines_need_no_spaces_to_be_tokenised():
    corrector = SentenceCorrector(Replacing({"的": "得"}, "zh"), name="stub", tokenised=True)
    lines = ["我觉的很好。他来了。", "我 觉 的 很 好 。", ""]
    assert [one.target for one in corrector.correct(lines)] == ["我觉得很好。他来了。", "我 觉 得 很 好 。", ""]


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ('"I like it" she said.', '"I like it," she said.'),
        ("“I like it” she said.", "“I like it,” she said."),
        ('I like it "so" much.', 'I like it, "so" much.'),
    ],
)
def test_a_comma_before_a_quotation_mark_gets_no_space(text: str, corrected: str) -> None:
    class Adding(TokenCorrector):
        kind, language, max_tokens = "adding", "en", 50

        def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
            return [
                [ProposedEdit(Edit(tokens.index("it") + 1, tokens.index("it") + 1, (",",)), 0.9)]
                for tokens in sentences
            ]

    assert SentenceCorrector(Adding(), name="test").correct([text])[0].target == corrected
