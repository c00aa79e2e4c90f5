"""What each edit adds to a score: shares add up, edits that do the same work share it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from errata.cli import app
from errata.errors import UnknownName, UsageError
from errata.metrics.attribution import EXACT, attribute_scores
from errata.metrics.base import Item, Metric
from errata.model import Annotation, Edit, Score, Sentence

WORDS = tuple("a b c d e f g h i j".split())


class Weighing(Metric[float]):
    """The sum of the weights of the words in a hypothesis; two of `pair` together count only once."""

    name = "weighing"
    needs_references = False

    def __init__(self, weights: dict[str, float], pair: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.weights, self.pair = weights, pair

    def stats(self, items: Sequence[Item]) -> list[float]:
        return [self._weigh(set(str(item.hypothesis).split())) for item in items]

    def _weigh(self, words: set[str]) -> float:
        once = max((self.weights[word] for word in words & set(self.pair)), default=0.0)
        return once + sum(self.weights.get(word, 0.0) for word in words - set(self.pair))

    def aggregate(self, stats: Sequence[float]) -> Score:
        return Score(self.name, float(np.mean(stats)), {}, self.name)


def item_of(n_edits: int) -> Item:
    edits = tuple(Edit(place, place + 1, (WORDS[place].upper(),)) for place in range(n_edits))
    return Item(Sentence(WORDS), Annotation(edits=edits))


@settings(max_examples=40, deadline=None)
@given(
    weights=st.lists(st.floats(-1, 1), min_size=1, max_size=10), method=st.sampled_from(["shapley", "leave-one-out"])
)
def test_edits_that_work_alone_get_what_they_add(weights: list[float], method: str) -> None:
    metric = Weighing({WORDS[place].upper(): weight for place, weight in enumerate(weights)})
    found = attribute_scores([item_of(len(weights))], metric, "en", method=method)[0]
    assert found.contributions == pytest.approx(weights, abs=1e-9)
    assert found.before == 0 and found.after == pytest.approx(sum(weights), abs=1e-9)


@pytest.mark.parametrize("n_edits", [2, EXACT, EXACT + 2])
def test_shapley_shares_add_up_and_twins_share(n_edits: int) -> None:
    metric = Weighing({word.upper(): 0.5 for word in WORDS}, pair=("A", "B"))
    found = attribute_scores([item_of(n_edits)], metric, "en", orders=400)[0]
    assert sum(found.contributions) == pytest.approx(found.after - found.before)
    assert found.contributions[:2] == pytest.approx([0.25, 0.25], abs=0.06 if n_edits > EXACT else 1e-9)
    alone = attribute_scores([item_of(n_edits)], metric, "en", method="leave-one-out")[0]
    assert alone.contributions[:2] == (0.0, 0.0)  # each does what the other does as well


def test_random_orders_come_from_the_seed() -> None:
    metric = Weighing({word.upper(): 0.5 for word in WORDS}, pair=("A", "B"))
    first, second, other = (
        attribute_scores([item_of(8)], metric, "en", orders=5, seed=seed)[0].contributions for seed in (1, 1, 2)
    )
    assert first == second != other


def test_edits_of_texts_are_extracted_and_sentences_without_any_stay() -> None:
    items = [Item(Sentence(("He", "go", "home")), text) for text in ("He goes home", "He go home")]
    found = attribute_scores(items, Weighing({"goes": 1.0}), "en")
    assert [len(one.edits) for one in found] == [1, 0]
    assert (found[0].edits[0].type, found[0].contributions) == ("R:VERB:SVA", (1.0,))
    assert (found[1].before, found[1].after) == (0.0, 0.0)


def test_misuse_is_told() -> None:
    with pytest.raises(UnknownName, match="unknown method"):
        attribute_scores([], Weighing({}), "en", method="shaply")
    with pytest.raises(UsageError, match="orders is at least 1"):
        attribute_scores([], Weighing({}), "en", orders=0)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    texts = {"src": "He go to school .\nShe is here .\n", "ref": "He goes to school .\nShe is here .\n"}
    texts["hyp"] = "He goes to a school .\nShe is here .\n"
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
    return [part for name in texts for part in (f"--{name}", str(tmp_path / f"{name}.txt"))]


def test_the_command_prints_text_json_and_a_page(files: list[str], tmp_path: Path) -> None:
    run = CliRunner().invoke
    answer = run(app, ["attribute", "-m", "gleu", *files])
    assert answer.exit_code == 0, answer.output
    assert "He [go → goes] to [ → a] school ." in answer.stdout and answer.stdout.startswith("1: ")
    told = json.loads(
        run(app, ["attribute", "-m", "gleu", *files, "--json", "--html", str(tmp_path / "p.html")]).stdout
    )
    assert [one["sentence"] for one in told] == [1]
    right, wrong = (edit["adds"] for edit in told[0]["edits"])
    assert right > 0 > wrong
    page = (tmp_path / "p.html").read_text("utf-8")
    assert "<ins>goes</ins>" in page and "http" not in page.partition("<body>")[2]


def test_pages_escape_what_sentences_say(tmp_path: Path) -> None:
    for name, text in (("src", "<script> a b"), ("hyp", "<script> a <b>")):
        (tmp_path / f"{name}.txt").write_text(text + "\n", "utf-8")
    paths = [part for name in ("src", "hyp") for part in (f"--{name}", str(tmp_path / f"{name}.txt"))]
    page = tmp_path / "page.html"
    answer = CliRunner().invoke(
        app, ["attribute", "-m", "gleu", "--ref", str(tmp_path / "hyp.txt"), *paths, "--html", str(page)]
    )
    assert answer.exit_code == 0, answer.output
    assert "<script>" not in page.read_text("utf-8") and "&lt;script&gt;" in page.read_text("utf-8")


@pytest.mark.parametrize("wrong", [["--method", "x"], ["--orders", "0"], ["--top", "0"], ["-m", "glue"]])
def test_wrong_usage_is_told(files: list[str], wrong: list[str]) -> None:
    answer = CliRunner().invoke(app, ["attribute", *(["-m", "gleu"] if "-m" not in wrong else []), *files, *wrong])
    assert answer.exit_code != 0
