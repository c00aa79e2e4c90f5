"""Plans: from pairs, edits and operations, to tags and to edits; whatever the way, the target comes out."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.apply import apply_edits
from errata.edits.operations import apply_operations, derive_operations
from errata.formats.files import iter_sentences
from errata.model import Edit, Insertion, Modification, Operations
from errata.systems.stg.data import read_examples
from errata.systems.stg.plan import Plan, Tag, plan_edits, plan_operations, plan_pair
from errata.text.tokens import split_characters

SENTENCES = st.lists(st.sampled_from("甲乙丙丁，a。😀"), min_size=1, max_size=14).map(tuple)


def letters(plan: Plan, tokens: str) -> str:
    """The tags, one letter a slot, with the number of insertions."""
    return " ".join(f"{'KDIMB'[tag]}{count or ''}" for tag, count in plan.tags(tokens))


@pytest.mark.parametrize(
    ("source", "target", "order", "tags"),
    [
        pytest.param("今天很好", "今天很好", "0123", "K K K K K", id="nothing"),
        pytest.param("他他好", "他好", "012", "K D K K", id="delete"),
        pytest.param("我医生", "我是医生", "012", "K I1 K K", id="insert"),
        pytest.param("去学校", "我们去学校", "012", "I2 K K K", id="insert-first"),
        pytest.param("在学小", "在学校", "012", "K K K M", id="modify"),
        pytest.param("在学小", "在学校里面", "012", "K K K B2", id="modify-and-insert"),
        pytest.param("的目的话", "的目标", "0123", "K K K M D", id="shorter"),
        pytest.param("书三本", "三本书", "120", "K K K K", id="switch"),
        pytest.param("天气今很好了", "今天气很好", "201345", "K K K K K K D", id="switch-and-delete"),
        pytest.param("甲乙", "", "01", "K D D", id="all-gone"),
    ],
)
def test_pairs_become_an_order_and_tags(source: str, target: str, order: str, tags: str) -> None:
    plan = plan_pair(source, target)
    assert "".join(map(str, plan.order)) == order
    assert letters(plan, source) == tags
    assert "".join(plan.target()) == target


@given(SENTENCES, SENTENCES)
def test_a_pair_plan_gives_the_target(source: tuple[str, ...], target: tuple[str, ...]) -> None:
    plan = plan_pair(source, target)
    assert plan.target() == target
    assert sorted(plan.order) == list(range(len(source)))
    assert apply_edits(source, plan.edits(source)) == target


@given(st.data())
def test_any_order_and_outputs_give_edits_that_do_the_same(data: st.DataObject) -> None:
    source = data.draw(SENTENCES)
    order = data.draw(st.permutations(range(len(source))))
    new = st.lists(st.sampled_from((*source, "新", "字")), max_size=3).map(tuple)
    outputs = [data.draw(new)]
    for index in order:
        outputs.append(data.draw(st.one_of(st.just((source[index],)), new)))
    plan = Plan(tuple(order), tuple(outputs))
    edits = plan.edits(source)
    assert apply_edits(source, edits) == plan.target()
    assert all(a.end <= b.start for a, b in pairwise(edits))


@given(SENTENCES)
def test_the_slots_that_follow_walk_the_order(source: tuple[str, ...]) -> None:
    plan = plan_pair(source, source[::-1])
    following, slot, walked = plan.next_slots(), 0, []
    while (slot := following[slot]) != 0:
        walked.append(slot - 1)
    assert tuple(walked) == plan.order


@given(SENTENCES, SENTENCES)
def test_operations_of_fcgec_are_planned_as_they_apply(source: tuple[str, ...], target: tuple[str, ...]) -> None:
    text = "".join(source)
    operations = derive_operations(text, "".join(target))
    assert "".join(plan_operations(tuple(text), operations).target()) == apply_operations(text, operations)


def test_operations_that_meet_on_one_character() -> None:
    """A character deleted and followed by an insertion is one that is modified."""
    operations = Operations(
        delete=(1,), insert=(Insertion(1, ("丁",)), Insertion(-1, ("前",))), modify=(Modification(2, 1, ("戊己", "x")),)
    )
    plan = plan_operations("甲乙丙", operations)
    assert plan.tags("甲乙丙") == [(Tag.INSERT, 1), (Tag.KEEP, 0), (Tag.MODIFY, 0), (Tag.MODIFY_INSERT, 1)]
    assert "".join(plan.target()) == apply_operations("甲乙丙", operations) == "前甲丁戊己"


def test_edits_that_reorder_are_switches_beside_other_edits() -> None:
    tokens = tuple("书三本很好了")
    plan = plan_edits(tokens, [Edit(0, 3, tuple("三本书")), Edit(5, 6, ())])
    assert plan.order == (1, 2, 0, 3, 4, 5)
    assert "".join(plan.target()) == "三本书很好"


def test_words_are_planned_as_characters_are() -> None:
    source, target = ("very", "I", "like", "it"), ("I", "like", "it", "very", "much")
    plan = plan_pair(source, target)
    assert plan.target() == target
    assert apply_edits(source, plan.edits(source)) == target


def test_a_moved_stretch_is_one_small_edit() -> None:
    edits = plan_pair("昨天我看了书三本。", "昨天我看了三本书。").edits("昨天我看了书三本。")
    assert [(edit.start, edit.end, "".join(edit.replacement), edit.type) for edit in edits] == [(5, 8, "三本书", "W")]


@pytest.mark.data
def test_every_operation_of_fcgec_has_its_plan(data: Path) -> None:
    """Read from FCGEC's file, plans and their edits give the corrections that the operations give."""
    path = data / "zh" / "fcgec" / "FCGEC_valid.json"
    examples = list(read_examples([path], "zh"))
    annotations = [(one, item) for one in iter_sentences(path) for item in one.annotations]
    assert len(examples) == len(annotations) > 2000
    for example, (sentence, annotation) in zip(examples, annotations, strict=True):
        text = sentence.sentence.text or ""
        target = apply_operations(text, annotation.operations or Operations())
        assert example.plan.target() == split_characters(target)
        assert apply_edits(example.tokens, example.plan.edits(example.tokens)) == example.plan.target()
    assert sum(example.plan.is_switched for example in examples) > 250
