"""Presets and calibration: what a model carries, and how a corrector takes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.errors import DataError, UsageError
from errata.model import Edit, Tokens
from errata.pipeline.load import load_model
from errata.pipeline.presets import Calibration, Ladder, Preset, read_presets
from errata.pipeline.sentences import SentenceCorrector
from errata.systems.base import SYSTEMS, ProposedEdit, TokenCorrector

CAREFUL = Preset({"keep_bias": 0.4}, Calibration(0.5, -1.0, {"R:VERB:SVA": 2.0, "M": -3.0}), 0.5)


class Speaks(TokenCorrector):
    """Says `go → goes` with a confidence of 0.8, unless its bias forbids."""

    kind, language, max_tokens = "stub", "en", 50

    def __init__(self, keep_bias: float = 0.0) -> None:
        self.keep_bias = keep_bias

    def with_decoding(self, **options: Any) -> Speaks:
        return Speaks(**options)

    def propose(self, sentences: Sequence[Tokens], *, progress: object = None) -> list[list[ProposedEdit]]:
        return [
            [
                ProposedEdit(Edit(i, i + 1, ("goes",)), 0.8)
                for i, t in enumerate(s)
                if t == "go" and self.keep_bias < 0.9
            ]
            for s in sentences
        ]


def test_what_is_written_is_read_again():
    assert read_presets({"settings": {"presets": {"careful": CAREFUL.as_dict()}}}) == {"careful": CAREFUL}


def test_what_wording_needs_is_written_and_read_again():
    strict = replace(CAREFUL, wording_odds=1.5)
    assert read_presets({"settings": {"presets": {"careful": strict.as_dict()}}}) == {"careful": strict}
    assert "wording_odds" not in CAREFUL.as_dict()


@pytest.mark.parametrize(
    ("least", "odds", "needed"),
    [(0.0, 3.0, 0.0), (0.4, 1.0, 0.4), (0.4, 1.5, 0.5), (0.5, 3.0, 0.75), (1.0, 2.0, 1.0)],
)
def test_wording_needs_so_many_times_the_odds(least, odds, needed):
    assert Preset(min_confidence=least, wording_odds=odds).min_wording == pytest.approx(needed)


RELUCTANT = {
    "careful": Preset(min_confidence=0.5, wording_odds=3.0),
    "balanced": Preset(min_confidence=0.4, wording_odds=1.5),
    "eager": Preset(min_confidence=0.2),
}


@pytest.mark.parametrize(
    ("confidences", "wordings", "ranks"),
    [
        pytest.param([0.45], (), [1], id="no wording"),
        pytest.param([0.45], (0,), [2], id="not sure"),
        pytest.param([0.55], (0,), [1], id="sure for balanced"),
        pytest.param([0.75], (0,), [0], id="sure for careful"),
        pytest.param([0.45, 0.95], (0,), [2, 0], id="beside a sure slip"),
        pytest.param([0.45, 0.45], (0, 1), [2, 2], id="beside another that is not sure"),
        pytest.param([0.45, 0.55], (0, 1), [2, 1], id="beside another that is sure"),
        pytest.param([0.1], (0,), [None], id="none makes it"),
    ],
)
def test_an_edit_of_wording_needs_more(confidences, wordings, ranks):
    ladder = Ladder.of(RELUCTANT)
    assert ladder.ranks([(sure,) * 3 for sure in confidences], wordings) == ranks


@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=5),
    st.lists(st.tuples(st.floats(0, 1), st.floats(1, 4)), min_size=3, max_size=3),
)
def test_a_bar_for_wording_lets_no_edit_of_wording_in(edits, settings):
    presets = {
        name: Preset(min_confidence=least, wording_odds=odds)
        for name, (least, odds) in zip(("careful", "balanced", "eager"), sorted(settings, reverse=True), strict=True)
    }
    without = {name: replace(preset, wording_odds=1.0) for name, preset in presets.items()}
    confidences = [(sure,) * 3 for sure, _ in edits]
    wordings = [number for number, (_, is_wording) in enumerate(edits) if is_wording]
    before = Ladder.of(without).ranks(confidences, wordings)
    after = Ladder.of(presets).ranks(confidences, wordings)
    made = {number for number, rank in enumerate(after) if rank is not None}
    assert made <= {number for number, rank in enumerate(before) if rank is not None}


def test_a_least_confidence_of_the_users_is_all_that_wording_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(SYSTEMS, "stub", f"{__name__}:Folder")
    settings = {"presets": {name: preset.as_dict() for name, preset in RELUCTANT.items()}}
    manifest = {"system": "stub", "language": "en", "settings": settings}
    (tmp_path / "errata.json").write_text(json.dumps(manifest), encoding="utf-8")
    ladder = load_model(tmp_path, min_confidence=0.45).ladder
    assert {preset.min_wording for preset in ladder.presets} == {0.45}


def test_a_model_without_presets_is_balanced():
    assert read_presets({}) == {"balanced": Preset()}
    with pytest.raises(UsageError, match="no preset 'eager' \\(it has balanced\\)"):
        Ladder.of(read_presets({}), "eager")


def test_damaged_presets_are_told():
    with pytest.raises(DataError, match="presets cannot be read"):
        read_presets({"settings": {"presets": {"careful": {"calibration": {"slop": 1}}}}})


@given(st.floats(0, 1), st.floats(0, 1), st.sampled_from(["R:NOUN", "R:VERB:SVA", "M:DET", "U"]))
def test_calibration_keeps_the_order_within_a_type(a, b, type_):
    low, high = sorted((CAREFUL.calibration(a, type_), CAREFUL.calibration(b, type_)))
    assert 0 <= low <= high <= 1
    assert (CAREFUL.calibration(min(a, b), type_), CAREFUL.calibration(max(a, b), type_)) == (low, high)


def test_a_type_falls_back_to_its_operation():
    assert CAREFUL.calibration(0.5, "M:DET") == CAREFUL.calibration(0.5, "M") < CAREFUL.calibration(0.5, "U:DET")


def test_presets_share_the_model_and_decide():
    presets = {
        "balanced": Preset(),
        "careful": CAREFUL,
        "never": Preset({"keep_bias": 1.0}),
        "strict": Preset({}, min_confidence=0.9),
    }
    balanced = SentenceCorrector(Speaks(), name="stub", presets=presets)
    text = "She go home."
    [edit] = balanced.correct([text])[0].edits
    assert (edit.type, edit.confidence) == ("R:VERB:SVA", pytest.approx(0.8))
    [careful] = balanced.with_preset("careful").correct([text])[0].edits
    assert careful.confidence == pytest.approx(CAREFUL.calibration(0.8, "R:VERB:SVA"))
    assert balanced.with_preset("strict").model is balanced.model
    for name in ("never", "strict"):
        assert balanced.with_preset(name).correct([text])[0].edits == ()


class Folder(Speaks):
    """The same from a folder: what it decodes with is its own, what was asked for, and what a preset says."""

    def __init__(self, **decoding: float) -> None:
        super().__init__(decoding.get("keep_bias", 0.0))
        self.decoding = decoding

    @classmethod
    def load(
        cls, folder: Path, manifest: Any = None, *, keep_bias: float | None = None, passes: int | None = None
    ) -> Folder:
        given = {"keep_bias": keep_bias, "passes": passes}
        return cls(**{"keep_bias": 0.1, **{name: value for name, value in given.items() if value is not None}})

    def with_decoding(self, **options: Any) -> Folder:
        return Folder(**{**self.decoding, **options})


@pytest.mark.parametrize("options", [{}, {"keep_bias": 0.7}], ids=["its own", "asked for"])
def test_a_preset_decodes_as_if_it_were_loaded_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, float]
) -> None:
    monkeypatch.setitem(SYSTEMS, "stub", f"{__name__}:Folder")
    presets = {
        "careful": {"decoding": {"keep_bias": 0.5, "passes": 3}},
        "balanced": {"decoding": {"passes": 2}},
        "mine": {},
    }
    manifest = {"system": "stub", "language": "en", "settings": {"presets": presets}}
    (tmp_path / "errata.json").write_text(json.dumps(manifest), encoding="utf-8")
    fresh = {name: load_model(tmp_path, preset=name, **options).model.decoding for name in presets}
    assert fresh["mine"] == {"keep_bias": options.get("keep_bias", 0.1)}
    corrector = load_model(tmp_path, preset="careful", **options)
    for name in ("balanced", "mine", "careful", "mine", "balanced"):
        corrector = corrector.with_preset(name)
        assert corrector.model.decoding == fresh[name]


def test_a_system_without_decoding_options_takes_no_preset_with_them():
    class Plain(TokenCorrector):
        kind, language, max_tokens = "plain", "en", 50

        def propose(self, sentences):
            return [[] for _ in sentences]

    with pytest.raises(UsageError, match="plain systems have no decoding options"):
        SentenceCorrector(Plain(), name="plain", presets={"balanced": Preset({"keep_bias": 0.5})})


@pytest.mark.parametrize(
    "calibration",
    [{"slope": "x"}, {"slope": None}, {"offset": [1]}, {"types": "x"}, {"types": [1]}, {"types": {"R": "x"}}],
)
def test_a_damaged_calibration_is_told(calibration):
    with pytest.raises(DataError, match="presets cannot be read"):
        read_presets({"settings": {"presets": {"balanced": {"calibration": calibration}}}})
