"""The set of everyday errors: its format, and what its README promises of it."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from benchmarks.everyday.outcomes import find_edits, split_tokens
from benchmarks.everyday.sentences import CORRECT, FOLDER, HALVES, KINDS, parse_sentences, read_half
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from errata.errors import FormatError
from errata.formats.base import get_format

SENTENCES = {half: read_half(half) for half in HALVES}
ALL = [sentence for half in HALVES for sentence in SENTENCES[half]]
WRONG = [sentence for sentence in ALL if not sentence.is_correct]
# Sentences of each kind in each half.
MIN_WRONG, MIN_CORRECT = 15, 5
# Share of wrong sentences with two errors.
TWO_ERRORS = (0.10, 0.20)
# A correction changes few characters: the largest number, which swapping the subjects of "Me and my brother" needs.
MAX_DISTANCE = 17
# Sentences of the two halves that are more alike than this (per cent) would be paraphrases.
MAX_ALIKE = 75


def test_numbers():
    n_wrong, n_correct = len(WRONG), len(ALL) - len(WRONG)
    assert n_wrong >= 600 and n_correct >= 150
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert f"{n_wrong} sentences with errors and {n_correct} correct ones" in readme


@pytest.mark.parametrize("half", HALVES)
def test_every_kind_is_in_every_half(half):
    wrong = Counter(sentence.kind for sentence in SENTENCES[half] if not sentence.is_correct)
    correct = Counter(sentence.kind for sentence in SENTENCES[half] if sentence.is_correct)
    assert set(wrong) == set(correct) == set(KINDS)
    assert min(wrong.values()) >= MIN_WRONG and min(correct.values()) >= MIN_CORRECT


def test_points_are_spread_evenly():
    dev, test = (Counter((one.kind, one.point) for one in SENTENCES[half]) for half in HALVES)
    assert not [point for point in dev | test if abs(dev[point] - test[point]) > 1]
    assert not [point for point in dev | test if not dev[point] or not test[point]]


def test_ids_and_texts_are_unique():
    assert max(Counter(sentence.id for sentence in ALL).values()) == 1
    assert max(Counter(sentence.source.lower() for sentence in ALL).values()) == 1
    repeated = [one.id for one in ALL if len(set(one.accepted)) < len(one.accepted)]
    assert not repeated
    sources = {sentence.source for sentence in ALL}
    assert not [one.id for one in WRONG if sources & set(one.accepted)]


def test_correct_sentences_are_those_of_that_name():
    assert [one.id for one in ALL if one.is_correct != (one.point == CORRECT)] == []


def test_no_accepted_correction_is_its_wrong_source():
    assert [one.id for one in WRONG if one.source in one.accepted] == []


def test_corrections_are_close():
    far = [
        (one.id, text)
        for one in WRONG
        for text in one.accepted
        if Levenshtein.distance(one.source, text) > MAX_DISTANCE
    ]
    assert far == []


def test_some_sentences_have_two_errors():
    """Counted as the fewest edits that lead to an accepted correction."""
    numbers = [
        min(len(find_edits(split_tokens(one.source), split_tokens(text))) for text in one.accepted) for one in WRONG
    ]
    assert min(numbers) == 1
    share = sum(number > 1 for number in numbers) / len(numbers)
    assert TWO_ERRORS[0] <= share <= TWO_ERRORS[1]


def test_halves_have_no_paraphrases():
    dev, test = ([one.source for one in SENTENCES[half]] for half in HALVES)
    alike = [(left, right) for left in dev for right in test if fuzz.token_sort_ratio(left, right) > MAX_ALIKE]
    assert alike == []


@pytest.mark.parametrize("half", HALVES)
def test_formats_of_errata_keep_the_set(half):
    """Sentences and references survive errata's own table of ids, sources and references."""
    table = get_format("mucgec")
    sentences = [sentence.annotated() for sentence in SENTENCES[half]]
    lines = io.StringIO("".join(table.format(sentences)), newline="\n")
    read = list(table.parse(lines))
    assert [one.sentence.text for one in read] == [one.sentence.text for one in sentences]
    assert [[a.target for a in one.annotations] for one in read] == [
        [a.target for a in one.annotations] for one in sentences
    ]


def test_the_test_half_says_that_nobody_tunes_on_it():
    assert "NEVER tune" in (FOLDER / "test.tsv").read_text(encoding="utf-8").split("\n")[0]


HEAD = "id\tkind\tsentence\taccepted\n"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "<everyday>:1: the first line after the comments names the columns"),
        (["# a\n", "a\tb\n"], "<everyday>:2: the first line after the comments names the columns"),
        ([HEAD, "adverb.x.1\tadverb\tHe did good.\n"], "<everyday>:2: 3 columns, not 4"),
        ([HEAD, "adverb.x.1\tverbs\tA.\tB.\n"], "<everyday>:2: no kind 'verbs'"),
        ([HEAD, "adverb-1\tadverb\tA.\tB.\n"], "<everyday>:2: an id is kind.point.number, not 'adverb-1'"),
        ([HEAD, "adverb.x.1\tadverb\tA.\tB. ||| \n"], "<everyday>:2: an empty text"),
        ([HEAD, "adverb.x.1\tadverb\tA. \tB.\n"], "<everyday>:2: an empty text, or spaces around one"),
    ],
)
def test_lines_of_another_form_are_refused(lines, message):
    with pytest.raises(FormatError) as refused:
        list(parse_sentences(lines))
    assert message in str(refused.value)


def test_a_line_is_read():
    line = "confusion.lose-loose.1\tconfusion\tWe loose.\tWe lose. ||| We lost.\n"
    [sentence] = parse_sentences(["# comment\n", HEAD, line])
    assert (sentence.point, sentence.source, sentence.accepted) == ("lose-loose", "We loose.", ("We lose.", "We lost."))
    assert not sentence.is_correct
