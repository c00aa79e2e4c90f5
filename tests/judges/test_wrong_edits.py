"""Wrong edits among the pairs IMPARA learns from: which edits are wrong, and that they only make a sentence worse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_supervision import EDITS, TOKENS, letters

from errata.edits.apply import apply_edits
from errata.errors import DataError, ErrataError
from errata.judges.impara.preparation import prepare
from errata.judges.impara.supervision import RankedPair, draw_subsets, measure_impacts, rank_pairs
from errata.judges.impara.wrong_edits import collect_wrong, conflict, find_wrong, read_proposals, refuse_strangers
from errata.judges.vectors import cosines
from errata.model import Edit, Tokens
from errata.training.pairs import Example
from errata.training.recipe import read_recipe
from errata.training.shipped import FOLDER as RECIPES

# An alternative to a gold edit, one that conflicts with nothing, and one that inserts.
WRONG = (Edit(1, 2, ("goes",)), Edit(2, 3, ("at",)), Edit(5, 5, ("buzz",)))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param(Edit(1, 2, ("a",)), Edit(1, 2, ("b",)), True, id="same span"),
        pytest.param(Edit(1, 3, ("a",)), Edit(2, 4, ("b",)), True, id="overlap"),
        pytest.param(Edit(1, 2, ("a",)), Edit(2, 3, ("b",)), False, id="neighbours"),
        pytest.param(Edit(2, 2, ("a",)), Edit(2, 2, ("b",)), True, id="inserted at one place"),
        pytest.param(Edit(2, 2, ("a",)), Edit(2, 3, ("b",)), True, id="inserted before"),
        pytest.param(Edit(1, 2, ("a",)), Edit(2, 2, ("b",)), True, id="inserted behind"),
        pytest.param(Edit(1, 1, ("a",)), Edit(2, 3, ("b",)), False, id="inserted elsewhere"),
    ],
)
def test_edits_conflict_where_only_one_can_be_applied(first: Edit, second: Edit, expected: bool) -> None:
    assert conflict(first, second) is conflict(second, first) is expected


GOLD = [(Edit(1, 2, ("has", "gone")), Edit(3, 4, ()))]


@pytest.mark.parametrize(
    ("proposed", "golds", "expected"),
    [
        pytest.param(EDITS, [EDITS], (), id="all gold"),
        pytest.param((), [EDITS], (), id="nothing proposed"),
        pytest.param(WRONG, [()], WRONG, id="no gold edits"),
        pytest.param(WRONG, [EDITS], WRONG, id="another replacement"),
        pytest.param(WRONG, [EDITS, WRONG[1:]], WRONG[:1], id="another annotator's"),
        pytest.param((Edit(1, 1, ("has",)), Edit(1, 2, ("gone",))), GOLD, (), id="the same in two edits"),
        pytest.param((Edit(1, 2, ("has",)),), GOLD, (Edit(1, 2, ("has",)),), id="half of it"),
        pytest.param((Edit(3, 4, ()), Edit(4, 5, ("x",))), GOLD, (Edit(4, 5, ("x",)),), id="beside a gold one"),
        pytest.param(
            (Edit(1, 1, ("has",)), Edit(1, 2, ("gone",))),
            [(Edit(1, 2, ("has", "gone")), Edit(2, 3, ("Y",)))],
            (),
            id="in two edits, a neighbour not proposed",
        ),
        pytest.param(
            (Edit(1, 2, ()), Edit(3, 3, ("x",))),
            [(Edit(1, 3, (TOKENS[2], "x")), Edit(4, 5, ("y",)))],
            (),
            id="apart inside one gold edit",
        ),
    ],
)
def test_wrong_is_what_no_annotator_made(
    proposed: tuple[Edit, ...], golds: list[tuple[Edit, ...]], expected: tuple[Edit, ...]
) -> None:
    assert find_wrong(TOKENS, proposed, golds) == expected


def test_a_word_put_in_before_or_after_its_like_is_the_same_edit() -> None:
    tokens = ("very", "nice")
    assert find_wrong(tokens, [Edit(0, 0, ("very",))], [[Edit(1, 1, ("very",)), Edit(1, 2, ("good",))]]) == ()


@given(st.sets(st.integers(0, len(EDITS) - 1)))
def test_no_part_of_an_annotation_is_wrong(chosen: set[int]) -> None:
    assert find_wrong(TOKENS, [EDITS[n] for n in sorted(chosen)], [EDITS]) == ()


def values() -> dict[Edit, float]:
    """What each edit adds to the value of a subset, computed the obvious way."""
    target = apply_edits(TOKENS, EDITS)
    found = dict(zip(EDITS, measure_impacts([(TOKENS, EDITS)], letters)[0].tolist(), strict=True))
    for edit in WRONG:
        spoilt = apply_edits(TOKENS, [*(one for one in EDITS if not conflict(one, edit)), edit])
        found[edit] = -(1 - float(cosines(letters([target]), letters([spoilt]))[0]))
    return found


def subsets(edits: tuple[Edit, ...]) -> Iterator[tuple[Edit, ...]]:
    """All subsets whose edits fit together."""
    for size in range(len(edits) + 1):
        for chosen in combinations(edits, size):
            if not any(conflict(*two) for two in combinations(chosen, 2)):
                yield chosen


@given(seed=st.integers(0, 50), share=st.floats(0.05, 0.95))
def test_wrong_edits_have_their_share_of_the_pairs(seed: int, share: float) -> None:
    gold = {apply_edits(TOKENS, chosen) for chosen in subsets(EDITS)}
    options = {"limit": None, "each": 200, "seed": seed, "wrong": {TOKENS: WRONG[2:]}}
    drawn = rank_pairs([(TOKENS, EDITS)], letters, **options)  # type: ignore[arg-type]
    kept = rank_pairs([(TOKENS, EDITS)], letters, wrong_share=share, **options)  # type: ignore[arg-type]
    assert set(kept) <= set(drawn) and len(set(kept)) == len(kept)
    n_wrong = sum((pair.better in gold) != (pair.worse in gold) for pair in kept)
    assert n_wrong == pytest.approx(share * len(kept), abs=1)
    # Only one kind is made fewer.
    of_kind = sum((pair.better in gold) != (pair.worse in gold) for pair in drawn)
    assert n_wrong == of_kind or len(kept) - n_wrong == len(drawn) - of_kind


def test_a_share_that_cannot_be_kept_is_told(caplog: pytest.LogCaptureFixture) -> None:
    pairs = rank_pairs([(TOKENS, EDITS)], letters, limit=None, each=9, seed=1, wrong_share=0.5)
    assert pairs and "none of 7 pairs differ in wrong edits: wrong_share is not kept" in caplog.text


@pytest.mark.parametrize(
    ("assignments", "message"),
    [
        (["data.wrong_share=0.5"], "wrong_share needs hypotheses"),
        (["data.wrong_share=1", "data.hypotheses=[a.tsv]"], "wrong_share is between 0 and 1"),
    ],
)
def test_shares_are_checked(assignments: list[str], message: str) -> None:
    with pytest.raises(ErrataError, match=message):
        read_recipe(RECIPES / "impara-tiny.yaml", assignments)


@settings(max_examples=50)
@given(seed=st.integers(0, 200), limit=st.one_of(st.none(), st.integers(1, 20)), each=st.integers(1, 30))
def test_a_pair_has_the_sign_of_its_summed_impacts(seed: int, limit: int | None, each: int) -> None:
    adds = values()
    sums = {apply_edits(TOKENS, chosen): sum(adds[edit] for edit in chosen) for chosen in subsets(EDITS + WRONG)}
    options = {"limit": limit, "each": each, "seed": seed, "wrong": {TOKENS: WRONG}}
    pairs = rank_pairs([(TOKENS, EDITS)], letters, **options)  # type: ignore[arg-type]
    assert len(pairs) <= min(each, limit or each)
    assert all(sums[pair.better] > sums[pair.worse] for pair in pairs)  # so every sentence is a subset that fits
    assert pairs == rank_pairs([(TOKENS, EDITS)], letters, **options)  # type: ignore[arg-type]


@given(seed=st.integers(0, 200))
def test_wrong_edits_alone_never_raise(seed: int) -> None:
    assert all(values()[edit] < 0 for edit in WRONG)
    pairs = rank_pairs([(TOKENS, ())], letters, limit=None, each=30, seed=seed, wrong={TOKENS: WRONG[:1]})
    assert pairs == [RankedPair(TOKENS, apply_edits(TOKENS, WRONG[:1]))]  # a source without errors beats its change


@given(n_edits=st.integers(2, 8), seed=st.integers(0, 99), data=st.data())
def test_subsets_hold_no_conflict(n_edits: int, seed: int, data: st.DataObject) -> None:
    places = st.integers(0, n_edits - 1)
    two = data.draw(st.lists(st.tuples(places, places).filter(lambda pair: pair[0] != pair[1]), max_size=6))
    conflicts: dict[int, set[int]] = {}
    for first, second in two:
        conflicts.setdefault(first, set()).add(second)
        conflicts.setdefault(second, set()).add(first)
    drawn = draw_subsets(n_edits, 30, np.random.default_rng(seed), conflicts)
    assert all(one != other for one, other in drawn)
    assert not any(conflicts.get(place, set()) & side for pair in drawn for side in pair for place in side)


def test_a_gold_edit_meets_its_wrong_alternative() -> None:
    gold, wrong = EDITS[:1], WRONG[:1]
    pairs = rank_pairs([(TOKENS, gold)], letters, limit=None, each=30, seed=0, wrong={TOKENS: wrong})
    assert RankedPair(apply_edits(TOKENS, gold), apply_edits(TOKENS, wrong)) in pairs


def paper_pairs(examples: Iterable[Example], *, limit: int | None, each: int, seed: int) -> list[RankedPair]:
    """The paper's pairs without wrong edits, as errata made them before it knew any."""
    rng = np.random.default_rng(seed)
    drawn: list[tuple[Tokens, tuple[Edit, ...], list[int], list[int]]] = []
    for tokens, edits in examples:
        own: dict[frozenset[frozenset[int]], tuple[list[int], list[int]]] = {}
        for _ in range(each if edits else 0):
            size = int(rng.integers(1, len(edits) + 1))
            first = set(rng.choice(len(edits), size, replace=False).tolist())
            toggled = set(np.flatnonzero(rng.random(len(edits)) < 1 / len(edits)).tolist())
            if toggled:
                second = first ^ toggled
                own.setdefault(frozenset(map(frozenset, (first, second))), (sorted(first), sorted(second)))
        drawn += [(tokens, edits, *pair) for pair in own.values()]
    if limit is not None and len(drawn) > limit:
        drawn = [drawn[place] for place in np.sort(rng.choice(len(drawn), limit, replace=False))]
    pairs = []
    for tokens, edits, first_places, second_places in drawn:
        impacts = measure_impacts([(tokens, edits)], letters)[0]
        gain = impacts[first_places].sum() - impacts[second_places].sum()
        sides = [apply_edits(tokens, [edits[place] for place in side]) for side in (first_places, second_places)]
        better, worse = sides if gain > 0 else sides[::-1]
        if gain and better and worse and better != worse:
            pairs.append(RankedPair(better, worse))
    return pairs


@settings(max_examples=30)
@given(seed=st.integers(0, 200), limit=st.one_of(st.none(), st.integers(1, 20)), each=st.integers(1, 30))
def test_without_wrong_edits_pairs_are_the_papers(seed: int, limit: int | None, each: int) -> None:
    examples = [(TOKENS, EDITS), (TOKENS, ()), (TOKENS[:5], EDITS[:2])]
    expected = paper_pairs(examples, limit=limit, each=each, seed=seed)
    assert rank_pairs(examples, letters, limit=limit, each=each, seed=seed) == expected
    others = {("another", "sentence"): WRONG}
    assert rank_pairs(examples, letters, limit=limit, each=each, seed=seed, wrong=others) == expected


def test_wrong_edits_are_collected_by_source(caplog: pytest.LogCaptureFixture) -> None:
    proposals = {TOKENS: [(EDITS[0], WRONG[1]), (WRONG[1], WRONG[2])], ("strange",): [WRONG[:1]]}
    assert collect_wrong([(TOKENS, EDITS), (("a",), ())], proposals, 20) == {TOKENS: WRONG[1:]}
    assert collect_wrong([(TOKENS, EDITS), (TOKENS, WRONG[2:])], proposals, 20) == {TOKENS: WRONG[1:2]}
    assert "left out" not in caplog.text
    assert collect_wrong([(TOKENS, EDITS)], proposals, 7) == {}  # with both it may have eight tokens
    assert "hypotheses of 1 sentences left out: more than 7 tokens with their wrong edits" in caplog.text


def test_a_line_may_have_several_hypotheses(tmp_path: Path) -> None:
    path = tmp_path / "hypotheses.tsv"
    path.write_text("He go home .\tHe goes home .\tHe go homes .\nFine .\tFine .\n", "utf-8")
    assert read_proposals([path], "en") == {
        ("He", "go", "home", "."): [(Edit(1, 2, ("goes",)),), (Edit(2, 3, ("homes",)),)],
        ("Fine", "."): [()],
    }


def test_hypotheses_of_other_sentences_are_refused(caplog: pytest.LogCaptureFixture) -> None:
    examples = [(TOKENS, EDITS)]
    with pytest.raises(DataError, match=r"other\.tsv: no source is among the training sentences"):
        refuse_strangers({("a",): [()]}, examples, [Path("there/other.tsv")])
    refuse_strangers({("a",): [()], TOKENS: [()]}, examples, [Path("other.tsv")])
    assert "1 of 2 sources with hypotheses are not in the training data" in caplog.text


def test_a_recipe_names_hypotheses(tmp_path: Path) -> None:
    lines = (RECIPES / "data" / "tagger-pairs.en.tsv").read_text("utf-8").splitlines()
    sources = [line.split("\t")[0] for line in lines]
    path = tmp_path / "hypotheses.tsv"
    path.write_text("".join(f"{source}\tWell , {source}\n" for source in sources), "utf-8")
    tiny = RECIPES / "impara-tiny.yaml"
    places = [f"run.folder={tmp_path / 'run'}", f"run.cache={tmp_path / 'cache'}", "data.pairs=null"]
    plain, taught = (
        prepare(recipe, recipe.run.cache)
        for recipe in (read_recipe(tiny, places), read_recipe(tiny, [*places, f"data.hypotheses=['{path}']"]))
    )
    assert len(taught.train) > len(plain.train) > 0
