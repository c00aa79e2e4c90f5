"""The quality benchmark: its sets can be read, and what is pinned still holds."""

from __future__ import annotations

import json

import pytest
from benchmarks.quality import __main__ as quality
from benchmarks.quality.correctors import ModelCorrector
from benchmarks.quality.results import Result
from benchmarks.quality.sets import SETS

from errata.errors import DataError
from errata.metrics.inputs import Gold
from errata.systems.installed import find_model

PINS = quality.read_pins()
PINNED = sorted(PINS)
# A hundred sentences, on another processor than the one that pinned them: a few close calls may differ.
PART_TOLERANCE = 0.02


def result(value: float, floor: float | None = None) -> Result:
    return Result(
        set="conll14", model="m", preset="balanced", metric="maxmatch", value=value, parts={"precision": value},
        sentences=3, signature="maxmatch|F0.5", gold="0123", weights="4567", floor=floor,
    )  # fmt: skip


def test_floors_and_table():
    assert result(0.5, 46).is_reached and result(0.5).is_reached and not result(0.4, 46).is_reached
    shown = quality.table([result(0.4, 46), result(0.5, 46)])
    assert "40.00!" in shown and "50.00 " in shown and "maxmatch|F0.5" in shown


def test_a_pin_is_not_lowered_by_accident(tmp_path, monkeypatch):
    monkeypatch.setattr(quality, "PINS", tmp_path / "pins.json")
    quality.pin([result(0.5)], lower=False)
    with pytest.raises(DataError, match=r"40.00 is below the pinned 50.00; --lower pins it"):
        quality.pin([result(0.4)], lower=False)
    quality.pin([result(0.4)], lower=True)
    assert json.loads((tmp_path / "pins.json").read_text())["m/conll14"]["value"] == 0.4


@pytest.mark.data
@pytest.mark.parametrize("name", SETS)
def test_sets_can_be_read(name, data):
    chosen = SETS[name]
    missing = [path for path in chosen.paths(data) if not path.is_file()]
    assert not missing
    sentences = chosen.read(chosen.paths(data)).sentences
    assert any(one.annotations for one in sentences[:50])
    assert chosen.text_of(sentences[0])


@pytest.mark.parametrize("key", PINNED)
def test_pins_reach_their_floors(key):
    floor = SETS[PINS[key]["set"]].floors.get(PINS[key]["model"])
    assert floor is None or 100 * PINS[key]["value"] >= floor


@pytest.mark.data
@pytest.mark.parametrize("key", PINNED)
def test_pins_say_which_gold_was_scored(key, data):
    """`python -m benchmarks.quality --sign` refreshes signatures; versions of other packages may differ."""
    chosen = SETS[PINS[key]["set"]]
    signature = quality.signature_of(chosen, chosen.read(chosen.paths(data)))
    pinned = PINS[key]["signature"]
    assert pinned.partition("|gold:")[2] == signature.partition("|gold:")[2] != ""


@pytest.mark.data
def test_signing_leaves_scores_alone(data, tmp_path, monkeypatch):
    pinned = {"en-small/jfleg": {**PINS["en-small/jfleg"], "signature": "old"}}
    (tmp_path / "pins.json").write_text(json.dumps(pinned))
    monkeypatch.setattr(quality, "PINS", tmp_path / "pins.json")
    quality.sign(["jfleg", "conll14"], data)
    (signed,) = quality.read_pins().values()
    assert signed["signature"].endswith("|refs:4")
    assert {**signed, "signature": "old"} == pinned["en-small/jfleg"]
    pinned["en-small/jfleg"]["gold"] = "other"
    (tmp_path / "pins.json").write_text(json.dumps(pinned))
    with pytest.raises(DataError, match="score them with --pin"):
        quality.sign(["jfleg"], data)


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("key", PINNED)
def test_pins_still_hold(key, data):
    """The first hundred sentences of each set; all of them: `python -m benchmarks.quality`."""
    pinned = PINS[key]
    chosen, model = SETS[pinned["set"]], pinned["model"]
    try:
        find_model(model)
    except DataError:
        pytest.skip(f"{model} is not installed")
    assert chosen.digest(data) == pinned["gold"], "the gold files are others than those that were scored"
    gold = chosen.read(chosen.paths(data))
    part = Gold(gold.name, gold.sentences[: quality.PART])
    targets = ModelCorrector(model, find_model(model)).correct(chosen, part.sentences)
    value, _, _ = quality.score(targets, chosen, part)
    assert value >= pinned["part"] - PART_TOLERANCE


def test_the_benchmark_refuses_unknown_sets(capsys):
    for arguments in (["conll15"], ["--only", "conll15"]):
        with pytest.raises(SystemExit):
            quality.main(arguments)
        assert "no set 'conll15'" in capsys.readouterr().err
    assert quality.main(["conll14", "--model", "nowhere"]) == 1
    assert "no model 'nowhere'" in capsys.readouterr().err
