"""Recipes: what is understood, and the one line each fault gives."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.errors import DataError, FormatError
from errata.training.parsing import Inputs, OutputPath, override, parse, read_nodes
from errata.training.recipe import parse_recipe, read_recipe
from errata.training.settings import OptimiserSettings


@dataclass(frozen=True)
class Inner:
    size: int
    name: str = "x"


@dataclass(frozen=True)
class Outer:
    inner: Inner | None = None
    rates: tuple[float, ...] = ()
    pair: tuple[int, str] = (0, "")
    shape: Literal["round", "square"] = "round"
    count: int | None = None
    is_on: bool = False
    sizes: dict[str, int] = field(default_factory=dict)
    path: Path | None = None
    output: OutputPath = Path("out")
    anything: Any = None
    either: int | tuple[int, ...] = 0


def read(text: str, *assignments: str) -> Outer:
    tree = override(read_nodes(text, "a.yaml"), assignments)
    return parse(Outer, tree, "", Inputs(Path("/data")))  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("inner: {size: 3}", Outer(inner=Inner(3)), id="nested"),
        pytest.param("inner: null", Outer(), id="null for optional"),
        pytest.param("rates: [1e-4, 2, .5]", Outer(rates=(1e-4, 2.0, 0.5)), id="floats as YAML 1.1 would not"),
        pytest.param("pair: [1, no]", Outer(pair=(1, "no")), id="a word that YAML 1.1 takes for false"),
        pytest.param("shape: square", Outer(shape="square"), id="literal"),
        pytest.param("count: 1_000", Outer(count=1000), id="underscores"),
        pytest.param("count: 1e5", Outer(count=100_000), id="whole number in scientific notation"),
        pytest.param("is_on: true", Outer(is_on=True), id="bool"),
        pytest.param("sizes: {a: 1, b: 2}", Outer(sizes={"a": 1, "b": 2}), id="mapping"),
        pytest.param("path: x/y.m2", Outer(path=Path("/data/x/y.m2")), id="input path"),
        pytest.param("output: x/y", Outer(output=Path("x/y")), id="output path"),
        pytest.param("anything: {a: [1, true]}", Outer(anything={"a": [1, True]}), id="anything"),
        pytest.param("either: [1, 2]", Outer(either=(1, 2)), id="union"),
    ],
)
def test_values(text: str, expected: Outer) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            "rates: []\nshap: round", "a.yaml:2: unknown key 'shap' in the recipe; did you mean 'shape'?", id="key"
        ),
        pytest.param(
            "inner:\n  sise: 1", "a.yaml:2: unknown key 'sise' in inner; did you mean 'size'?", id="nested key"
        ),
        pytest.param("inner:\n  name: y", "a.yaml:1: missing key 'size' in inner", id="missing"),
        pytest.param("inner:\n  size: big", "a.yaml:2: inner.size: 'big' is not a whole number", id="int"),
        pytest.param("count: 1.5", "a.yaml:1: count: '1.5' is not a whole number", id="fraction"),
        pytest.param("rates:\n- 1\n- fast", "a.yaml:3: rates[1]: 'fast' is not a number", id="list item"),
        pytest.param("rates: 5", "a.yaml:1: rates: a list is needed ([a, b]), not '5'", id="list"),
        pytest.param("pair: [1]", "a.yaml:1: pair: 2 values are needed, not 1", id="fixed tuple"),
        pytest.param(
            "shape: squar", "a.yaml:1: shape: 'squar' is not one of round, square; did you mean 'square'?", id="choice"
        ),
        pytest.param("is_on: 1", "a.yaml:1: is_on: '1' is not true or false", id="bool"),
        pytest.param("inner: 5", "a.yaml:1: inner: a section with keys is needed, not '5'", id="section"),
        pytest.param("count: {a: 1}", "a.yaml:1: count: a whole number is needed, not a section", id="not a scalar"),
        pytest.param("shape: round\nshape: square", "a.yaml:2: key 'shape' is given twice", id="twice"),
        pytest.param(
            "path: ${NO_SUCH}/x", "a.yaml:1: path: the environment has no NO_SUCH (in '${NO_SUCH}/x')", id="variable"
        ),
        pytest.param("a: [1", "a.yaml:1: not YAML: expected ',' or ']', but got '<stream end>'", id="not YAML"),
        pytest.param("- 1", "a.yaml: a recipe is a mapping (`system: …`, `model: …`)", id="not a mapping"),
        pytest.param("", "a.yaml: a recipe is a mapping (`system: …`, `model: …`)", id="empty"),
    ],
)
def test_faults(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text)
    assert str(caught.value) == message


def test_the_last_of_several_assignments_counts_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    assert read("count: 3", "count=4", "count=5", "count=5").count == 5
    assert caplog.messages == ["--set count=4 gives way to --set count=5"]


def test_assignments_change_values_and_are_checked_like_them() -> None:
    assert read("inner: {size: 1}", "inner.size=5", "inner.name=z", "rates=[1]") == Outer(Inner(5, "z"), rates=(1.0,))
    assert read("shape: round", "inner.size=5").inner == Inner(5)
    assert read("count: 3", "count=null").count is None
    for assignment, message in [
        ("inner.sise=5", "unknown key 'sise' in inner; did you mean 'size'?"),
        ("count=many", "count: 'many' is not a whole number"),
        ("count", "write key=value, as in optimiser.learning_rate=1e-4"),
    ]:
        with pytest.raises(FormatError) as caught:
            read("inner: {size: 1}", assignment)
        assert str(caught.value) == f"--set {assignment}: {message}"


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers())
def test_numbers_read_back_as_written(number: float, whole: int) -> None:
    read_back = read(f"rates: [{number!r}]\ncount: {whole}")
    assert (read_back.rates, read_back.count) == ((number,), whole)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("learning_rate", "lerning_rate", ":9: unknown key 'lerning_rate' in optimiser; did you mean 'learning_rate'?"),
        ("letters.txt", "leters.txt", ":7: data.train: no such file {folder}/leters.txt"),
        ("steps: 60", "steps: soon", ":16: run.steps: 'soon' is not a whole number"),
        ("steps: 60", "epochs: 0", ":15: run: steps and epochs are above 0"),
        ("language: en", "language: fr", ":2: language: 'fr' is not one of en, zh"),
        ("seed: 3", "sead: 3", ":3: unknown key 'sead' in the recipe; did you mean 'seed'?"),
        ("toy:ToyTask", "taggr", ":1: unknown system 'taggr'; did you mean 'tagger'? (choose from "),
        ("toy:ToyTask", "toy:NoTask", ":1: no task at toy:NoTask: module 'toy' has no attribute 'NoTask'"),
        ("seed: 3", "objective: {name: likelyhood}", ":3: unknown objective 'likelyhood'; did you mean 'likelihood'?"),
        ("  select: accuracy", "  patience: 3", ":12: evaluation: patience needs select"),
        ("data:\n  train: letters.txt\n", "", ":1: missing key 'train' in data"),
        ("optimiser:\n  learning_rate: 1e-2\n", "", ":1: missing key 'optimiser' in the recipe"),
    ],
)
def test_faults_of_a_recipe(recipe_file: Path, old: str, new: str, message: str) -> None:
    text = recipe_file.read_text("utf-8")
    assert old in text
    with pytest.raises(FormatError) as caught:
        parse_recipe(text.replace(old, new, 1), recipe_file)
    assert str(caught.value).startswith(f"{recipe_file}{message.format(folder=recipe_file.parent)}")


def test_a_recipe_that_is_not_there() -> None:
    with pytest.raises(DataError, match=r"cannot read the recipe nowhere\.yaml: No such file or directory"):
        read_recipe(Path("nowhere.yaml"))


def test_a_recipe_as_json_names_everything(recipe_file: Path) -> None:
    recipe = read_recipe(recipe_file)
    saved = json.loads(json.dumps(recipe.as_dict()))
    assert saved["data"] == {"train": "letters.txt", "noise": 0.1}
    assert saved["objective"] == {"name": "likelihood"}
    assert saved["optimiser"]["learning_rate"] == 0.01
    assert set(saved["optimiser"]) == set(OptimiserSettings.__dataclass_fields__)


def test_packed_data_travel_without_their_inputs(recipe_file: Path) -> None:
    recipe = read_recipe(recipe_file)
    digests = recipe.digests()
    (recipe_file.parent / "letters.txt").unlink()
    assert read_recipe(recipe_file).digests() == digests


def test_a_changed_input_has_another_digest(recipe_file: Path) -> None:
    before = read_recipe(recipe_file).digests()
    (recipe_file.parent / "letters.txt").write_text("abc", encoding="utf-8")
    assert read_recipe(recipe_file).digests() != before


def test_a_recipe_extends_another(recipe_file: Path) -> None:
    folder = recipe_file.parent
    (folder / "sub").mkdir()
    middle, last = folder / "sub" / "middle.yaml", folder / "last.yaml"
    middle.write_text(f"extends: ../{recipe_file.name}\ndata: {{noise: 0.2}}\nrun: {{steps: 9}}\n", "utf-8")
    last.write_text("extends: sub/middle.yaml\nseed: 8\nrun:\n  stepps: 10\n", "utf-8")
    with pytest.raises(FormatError, match=r"last\.yaml:4: unknown key 'stepps' in run; did you mean 'steps'\?"):
        read_recipe(last)
    last.write_text(last.read_text("utf-8").replace("stepps", "steps"), "utf-8")
    found, base = read_recipe(last).as_dict(), read_recipe(recipe_file).as_dict()
    assert found == {
        **base,
        "seed": 8,
        "data": {"train": "letters.txt", "noise": 0.2},
        "run": {**base["run"], "steps": 10},
    }
    assert read_recipe(middle).as_dict()["data"] == {"train": "../letters.txt", "noise": 0.2}


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("none.yaml", "extends: no such file {folder}/none.yaml"),
        ("[a, b]", "extends: the name or path of a recipe is needed"),
        ("back.yaml", "extends: back.yaml extends this recipe"),
    ],
)
def test_faults_of_extending(recipe_file: Path, named: str, message: str) -> None:
    other = recipe_file.with_name("other.yaml")
    recipe_file.with_name("back.yaml").write_text("extends: other.yaml\n", "utf-8")
    other.write_text(f"seed: 1\nextends: {named}\n", "utf-8")
    with pytest.raises(FormatError) as caught:
        read_recipe(other)
    told = message.format(folder=recipe_file.parent)
    assert str(caught.value).endswith(told.replace("back.yaml extends", "other.yaml extends"))
