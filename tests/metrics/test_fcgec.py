"""The FCGEC profile: punctuation, erroneous sentences, groups by error type and operation."""

from __future__ import annotations

from pathlib import Path

import pytest

from errata.errors import UnknownName
from errata.metrics.base import METRICS
from errata.metrics.inputs import Gold, Hypothesis, make_items, read_gold
from errata.metrics.options import make_metrics
from errata.metrics.profiles import PROFILES, get_profile
from errata.metrics.selection import group_sentences, strip_punctuation, without_punctuation
from errata.model import AnnotatedSentence, Annotation, Insertion, Operations, Sentence


def labelled(text: str, labels: tuple[str, ...], *operations: Operations) -> AnnotatedSentence:
    annotations = tuple(Annotation(str(place), operations=one) for place, one in enumerate(operations))
    return AnnotatedSentence(Sentence(tuple(text), text), annotations, labels)


SENTENCES = [
    labelled("大约三个左右。", ("CR",), Operations(delete=(0, 1))),
    labelled("我吃，饭在家。", ("IWO", "CM"), Operations(switch=(0, 4, 5, 1, 2, 3, 6)), Operations(delete=(4, 5))),
    labelled("他去校", ("CM",), Operations(insert=(Insertion(1, ("学", "高")),))),
    AnnotatedSentence(Sentence(tuple("很好。"), "很好。"), (Annotation(),), ()),
]


def test_groups() -> None:
    assert group_sentences(SENTENCES, "error-type") == {"CM": [1, 2], "CR": [0], "IWO": [1], "correct": [3]}
    assert group_sentences(SENTENCES, "operation") == {"Delete": [0], "Insert": [2], "mixed": [1], "none": [3]}


def test_operations_are_derived_where_only_the_corrected_text_is_known() -> None:
    sentence = AnnotatedSentence(Sentence(tuple("他去校"), "他去校"), (Annotation(target="他去学校"),))
    assert group_sentences([sentence], "operation") == {"Insert": [0]}
    assert group_sentences([sentence], "error-type") == {"unlabelled": [0]}


@pytest.mark.parametrize(
    ("text", "bare"), [("不，行。", "不行"), ("“a b”…《书》", "ab书"), ("", ""), ("3.5％和＋", "35和＋")]
)
def test_punctuation_is_stripped(text: str, bare: str) -> None:
    assert strip_punctuation(text) == bare


def test_every_alternative_text_is_a_reference() -> None:
    items = make_items(Gold("gold", tuple(SENTENCES)), [Hypothesis("他去高校。")] * len(SENTENCES))
    assert items[2].references == ("他去学校", "他去高校")
    bare = without_punctuation(items[1])
    assert bare.source.tokens == tuple("我吃饭在家")
    assert bare.hypothesis == "他去高校"
    assert bare.references == ("我在家吃饭", "我吃饭")


def test_every_profile_can_be_made() -> None:
    for name in PROFILES:
        metrics = make_metrics(get_profile(name).metrics, {})
        assert metrics and all(metric.name in METRICS for metric in metrics)
    with pytest.raises(UnknownName, match="did you mean 'fcgec'"):
        get_profile("fcgc")


@pytest.mark.data
def test_groups_cover_the_validation_set(data: Path) -> None:
    gold = read_gold(data / "zh" / "fcgec" / "FCGEC_valid.json")
    erroneous = [one for one in gold.sentences if one.labels]
    groups = group_sentences(erroneous, "operation")
    assert sum(map(len, groups.values())) == len(erroneous)
    assert set(groups) == {"Delete", "Insert", "Modify", "Switch", "mixed"}
    assert set(group_sentences(erroneous, "error-type")) == {"AM", "CM", "CR", "ILL", "IWC", "IWO", "SC"}
