"""What manifests say under "card": read strictly, written back, and true of the bundled models."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from benchmarks.quality.__main__ import read_pins
from benchmarks.quality.correctors import weights_digest
from benchmarks.quality.sets import SETS
from hypothesis import given
from hypothesis import strategies as st

from errata.errors import DataError
from errata.systems.cards import CardScore, Facts, read_card, read_facts, without_measurements
from errata.systems.installed import BUNDLED, JUDGES, bundled_folder, bundled_models
from errata.systems.manifest import read_manifest

ROOT = Path(__file__).resolve().parents[2]
PINS = read_pins()
# The manifests of correctors that lie in the repository, by name; tests/judges has the judges.
MODELS = {
    path.parent.name: path.parent
    for pattern in ("src/errata/bundled/*/errata.json", "models/*/src/*/*/errata.json")
    for path in ROOT.glob(pattern)
    if path.parent.name not in JUDGES
}
SCORE = {"set": "a", "metric": "F0.5", "preset": "eager", "score": 51.2}
JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@pytest.fixture(autouse=True)
def bundled() -> None:
    if bundled_models() != BUNDLED:
        pytest.skip("the bundled models are not here")


@pytest.mark.parametrize("name", MODELS)
def test_scores_are_the_pinned_ones_and_those_of_the_card(name: str) -> None:
    folder = MODELS[name]
    card = read_card(folder)
    scores = {score.set: score for score in read_facts(folder, read_manifest(folder)).scores}
    pinned = {SETS[pin["set"]].about: pin for pin in PINS.values() if pin["model"] == name}
    assert sorted(scores) == sorted(pinned) != []
    for about, pin in pinned.items():
        score = scores[about]
        assert (score.score, score.preset) == (round(100 * pin["value"], 2), pin["preset"])
        row = rf"\| {re.escape(about)}[^|]* \| {re.escape(score.metric)}[^|]* \| {score.preset} \| {score.score:.2f} "
        assert re.search(row, card), f"the card of {name} has no row for {about}"


@pytest.mark.parametrize("name", MODELS)
def test_the_digest_of_a_model_is_not_of_its_card(name: str) -> None:
    assert {pin["weights"] for pin in PINS.values() if pin["model"] == name} == {weights_digest(MODELS[name])}


@pytest.mark.parametrize("name", MODELS)
def test_licence_and_speed_are_those_of_the_pages(name: str) -> None:
    facts = read_facts(MODELS[name], read_manifest(MODELS[name]))
    assert facts.licence and facts.sentences_per_second
    page = (ROOT / "MODELS.md").read_text("utf-8")
    assert re.search(rf"`{name}`[^`]*?\b{facts.sentences_per_second:g}\b", page)
    assert facts.commercial_use is not ("do not use this model in a" in " ".join(read_card(MODELS[name]).split()))


def test_every_bundled_model_is_checked() -> None:
    assert set(MODELS) >= set(BUNDLED.values())


@given(
    st.builds(
        Facts,
        licence=st.sampled_from(["", "MIT", "research, non-commercial", "CC BY-SA 4.0 (数据)"]),
        commercial_use=st.booleans(),
        scores=st.lists(st.builds(CardScore, *[st.sampled_from(["a", "W&I dev A+B+C"])] * 3, st.floats(0, 100))).map(
            tuple
        ),
        sentences_per_second=st.none() | st.floats(0, 1e6),
    )
)
def test_what_is_written_is_read(facts: Facts) -> None:
    assert read_facts(Path("m"), json.loads(json.dumps({"card": facts.as_dict()}))) == facts


@given(
    st.dictionaries(st.sampled_from(["licence", "commercial_use", "scores", "sentences_per_second", "x"]), JSON) | JSON
)
def test_anything_else_is_one_line(section: Any) -> None:
    try:
        read_facts(Path("m"), {"card": section})
    except DataError as error:
        assert str(error).startswith('m/errata.json: "card"') and str(error).isprintable()


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ([], "is [], not a mapping"),
        ({"license": "MIT"}, 'has "license", which is none of licence, commercial_use, scores, sentences_per_second'),
        ({"licence": None}, "licence is null, not a phrase"),
        ({"licence": "\x1b[2J"}, r'licence is "\u001b[2J", not a phrase'),
        ({"licence": "x" * 121}, "not a phrase of at most 120 characters"),
        ({"commercial_use": "no"}, 'commercial_use is "no", not true or false'),
        ({"commercial_use": 1}, "commercial_use is 1, not true or false"),
        ({"scores": SCORE}, "not a list"),
        ({"scores": [SCORE, 3]}, "score 2 is 3, not a mapping of set, metric, preset, score"),
        ({"scores": [{**SCORE, "score": True}]}, "score 1: score is true, not a number of 0 or more"),
        ({"scores": [{**SCORE, "score": float("nan")}]}, "score is NaN, not a number"),
        ({"scores": [{**SCORE, "set": "a\nb"}]}, r'score 1: set is "a\nb", not a phrase'),
        ({"sentences_per_second": -1}, "sentences_per_second is -1, not a number of 0 or more"),
    ],
)
def test_mistakes_are_named(section: Any, message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        read_facts(Path("m"), {"card": section})


def test_nothing_is_allowed_that_nothing_allows() -> None:
    assert read_facts(Path("m"), {}) == Facts(commercial_use=False)


def test_a_changed_model_keeps_its_licence_alone() -> None:
    manifest = read_manifest(bundled_folder("en-small"))
    changed = without_measurements(manifest)
    assert changed["card"] == {"licence": "research, non-commercial", "commercial_use": False}
    assert {**changed, "card": manifest["card"]} == manifest
    assert without_measurements({"system": "tagger"}) == {"system": "tagger"}


@pytest.mark.parametrize(
    ("content", "message"), [(None, "has no card"), (b" \n", "is empty"), (b"\xff\xfe", "cannot be read")]
)
def test_a_card_is_text(tmp_path: Path, content: bytes | None, message: str) -> None:
    if content is not None:
        (tmp_path / "README.md").write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_card(tmp_path)
