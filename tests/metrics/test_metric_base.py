"""A metric needs `stats` and `aggregate`; the rest comes from the base, and wrappers hand everything on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.errors import PluginError, UnknownName
from errata.metrics import METRICS, Item, Metric, get_metric, score
from errata.metrics.base import metric_class
from errata.metrics.references import limit_references
from errata.model import Score, Sentence
from plugin_packages import install

# What metrics need before they can score texts with nothing installed.
OPTIONS: dict[str, dict[str, Any]] = {
    "maxmatch": {"extract": "en"},
    "pt-errant": {"model": "en-small"},
    "pt-m2": {"extract": "en", "model": "en-small"},
}


@dataclass(frozen=True, slots=True)
class LengthOptions:
    limit: int = 3


class Length(Metric[int]):
    """How many words the hypotheses have on average, up to a limit: all that a new metric must say."""

    name = "length"
    Options = LengthOptions
    options: LengthOptions

    def stats(self, items: Sequence[Item]) -> list[int]:
        return [min(self.options.limit, len(str(item.hypothesis).split())) for item in items]

    def aggregate(self, stats: Sequence[int]) -> Score:
        return Score(self.name, float(np.mean(stats)), {}, self.signature)


def item(text: str, *references: str) -> Item:
    return Item(Sentence(tuple(text.split()), text), text, references or (text,))


def test_stats_and_aggregate_are_enough() -> None:
    metric = Length()
    items = [item("a"), item("a b"), item("a b c d")]
    stats = metric.stats(items)
    assert metric.resample(stats, np.array([[0, 1], [2, 2]])).tolist() == [1.5, 3.0]
    assert metric.sentence_scores(stats).tolist() == [1.0, 2.0, 3.0]
    assert (metric.language, metric.m2_dialect, metric.reads_raw_text, metric.unlimited) == (None, None, False, metric)
    assert metric.prepare(items) is items and metric.type_doubt(items) is None
    assert score(items, metric).signature.startswith("length|v:")
    assert "|limit:3|gold:texts|digest:" in score(items, metric).signature


@given(st.lists(st.integers(0, 3), min_size=1, max_size=5), st.integers(1, 4), st.data())
def test_resampling_is_aggregating_the_rows(stats: list[int], rows: int, data: st.DataObject) -> None:
    place = st.integers(0, len(stats) - 1)
    indices = np.array(data.draw(st.lists(st.lists(place, min_size=2, max_size=2), min_size=rows, max_size=rows)))
    expected = [np.mean([stats[one] for one in row]) for row in indices]
    assert Length().resample(stats, indices).tolist() == expected


@pytest.mark.parametrize("name", [name for name in METRICS if metric_class(name).needs_references])
def test_the_fast_way_to_resample_agrees_with_the_plain_one(name: str) -> None:
    language = "zh" if name == "cherrant" else "en"
    texts = {"en": ["I go", "I went home", "we go home"], "zh": ["我走", "我回家", "我们回家"]}[language]
    items = [
        Item(
            Sentence(tuple(text.split()) if language == "en" else tuple(text), text),
            text,
            tuple(texts),
            ("A",),
            ("B",),
            tuple(texts),
        )
        for text in texts
    ]
    metric = get_metric(name, **OPTIONS.get(name, {}))
    stats = metric.stats(items)
    indices = np.array([[0, 1, 2], [2, 2, 0], [1, 1, 1]])
    assert metric.resample(stats, indices) == pytest.approx(Metric.resample(metric, stats, indices))


@pytest.mark.parametrize(
    ("name", "options"),
    [("errant", {"tokenise": True}), ("cherrant", {"segmented": True}), ("maxmatch", {"extract": "zh"}), ("gleu", {})],
)
def test_a_limit_on_references_changes_nothing_else(name: str, options: dict[str, Any]) -> None:
    metric = get_metric(name, **options)
    limited = limit_references(metric, 1)
    for member in ("name", "options", "language", "m2_dialect", "reads_raw_text", "unlimited"):
        assert getattr(limited, member) == getattr(metric, member)
    assert limited.setting_for("en") == metric.setting_for("en")


def test_sentence_scores_of_gleu_are_smoothed_under_a_limit_too() -> None:
    items = [item("she sees a cat", "she sees the cat", "she saw a cat")]
    metric = get_metric("gleu")
    alone = [metric.sentence_scores(metric.stats([item("she sees a cat", one)]))[0] for one in items[0].references]
    limited = limit_references(metric, 1)
    assert limited.sentence_scores(limited.stats(items)).tolist() == pytest.approx([np.mean(alone)])


def test_an_unknown_option_is_one_line() -> None:
    with pytest.raises(UnknownName, match=r"unknown option of errant 'betta'; did you mean 'beta'\?"):
        get_metric("errant", betta=1)


def test_what_another_package_brings_must_be_a_metric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "no_metric", "errata.metrics", "nothing = no_metric:Nothing", "class Nothing: pass")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PluginError, match="which is no class derived from"):
        get_metric("nothing")
