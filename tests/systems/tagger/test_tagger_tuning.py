"""Presets of a tagger, chosen on the sentences it knows and on sentences it does not."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from tiny_taggers import pairs
from typer.testing import CliRunner

from errata.cli import app
from errata.errors import DataError
from errata.pipeline.load import load_model
from errata.pipeline.presets import Calibration, Preset
from errata.systems.installed import bundled_folder
from errata.systems.tagger.remembering import RememberingRuntime
from errata.tuning.choosing import Trials
from errata.tuning.devsets import DevAnswers, DevSet, FoundEdit, Goal


@pytest.fixture(scope="module")
def folder(trained, tmp_path_factory) -> Path:
    copy = tmp_path_factory.mktemp("tuned") / "model"
    shutil.copytree(trained("en"), copy)
    return copy


def write_dev(path: Path, n_known: int) -> Path:
    """Known sentences with their corrections; in the others nothing is to be corrected, whatever the tagger thinks."""
    lines = [f"{source}\t{target if n < n_known else source}\n" for n, (source, target) in enumerate(pairs("en"))]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_presets_are_found_and_written(folder, tmp_path):
    dev, rare = write_dev(tmp_path / "dev.tsv", 50), write_dev(tmp_path / "rare.tsv", 10)
    result = CliRunner().invoke(app, ["tune", "--model", str(folder), "--gold", str(dev), "--rare", str(rare)])
    assert result.exit_code == 0, result.output
    manifest = json.loads((folder / "errata.json").read_text(encoding="utf-8"))
    assert list(manifest["settings"]["presets"]) == ["careful", "balanced", "eager"]
    assert manifest["tuning"]["sets"]["rare.tsv"]["sentences"] == 50
    scores = manifest["tuning"]["presets"]
    assert scores["balanced"]["scores"]["dev.tsv"]["f0.5"] > 0.9
    sources = [source for source, _ in pairs("en")]
    corrector = load_model(folder, tokenised=True, rules=False)
    counts = {
        name: sum(len(one.edits) for one in corrector.with_preset(name).correct(sources))
        for name in ("careful", "balanced", "eager")
    }
    assert counts["careful"] <= counts["balanced"] <= counts["eager"]
    # Where one edit in five is right, confidences say so.
    told = [e.confidence for one in corrector.with_preset("careful").correct(sources) for e in one.edits]
    assert told == [] or max(told) < 0.6


def test_tuning_again_forgets_the_presets_that_were_there(folder, tmp_path):
    """What is tuned is the model, not what an earlier preset made of it."""
    manifest = json.loads((folder / "errata.json").read_text(encoding="utf-8"))
    tuned = tmp_path / "tuned"
    shutil.copytree(folder, tuned)
    manifest["settings"]["presets"] = {"balanced": {"decoding": {"min_error_probability": 0.9}}}
    (tuned / "errata.json").write_text(json.dumps(manifest), encoding="utf-8")
    corrector = load_model(tuned)
    assert corrector.model.decoding.min_error_probability == 0.9
    tried = Trials(corrector, [DevSet.read(write_dev(tmp_path / "dev.tsv", 50), "en", 2)]).model
    assert tried.decoding.min_error_probability == corrector.base.decoding.min_error_probability != 0.9


def test_tuning_again_keeps_what_talk_asks_for(folder, tmp_path):
    """`wording_odds` are set by hand; the search scores presets that have them."""
    manifest = json.loads((folder / "errata.json").read_text(encoding="utf-8"))
    tuned, again = tmp_path / "tuned", tmp_path / "again"
    shutil.copytree(folder, tuned)
    manifest["settings"]["presets"] = {"balanced": {"wording_odds": 1.7}}
    (tuned / "errata.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert run("--model", tuned, "--gold", write_dev(tmp_path / "dev.tsv", 25), "--out", again).exit_code == 0
    presets = json.loads((again / "errata.json").read_text("utf-8"))["settings"]["presets"]
    assert {name: one.get("wording_odds") for name, one in presets.items()} == {
        "careful": None, "balanced": 1.7, "eager": None
    }  # fmt: skip


def test_writers_are_told_apart_and_told_apart_again(folder, tmp_path):
    """Confidences are fitted for both kinds of writers; tuning again keeps what tells them apart."""
    words, copy, again = "cat dog house tree river stone".split(), tmp_path / "copy", tmp_path / "again"
    files = {name: tmp_path / f"{name}.txt" for name in ("learners", "fluent")}
    for path, verb in zip(files.values(), ("like", "abhor"), strict=True):
        lines = [f"They {verb} the {words[n % 6]} {n} and the {words[n % 5]} .\n" for n in range(1200)]
        path.write_text("".join(lines), encoding="utf-8")
    given = ["--model", folder, "--gold", write_dev(tmp_path / "dev.tsv", 25), "--out", copy]
    alone = run(*given, "--learners", files["learners"]).exception
    assert "--learners and --fluent go together" in str(alone)
    result = run(*given, "--learners", files["learners"], "--fluent", files["fluent"])
    assert result.exit_code == 0, result.output
    assert (
        "1,200 sentences of learners, 1,200 of fluent writers: 100.0 % of held-out ones are told apart" in result.stderr
    )
    settings = json.loads((copy / "errata.json").read_text("utf-8"))["settings"]
    assert set(settings["fluency"]) == {"weights", "scale", "offset"}
    assert all(set(one["calibration"]["fluent"]) >= {"slope", "offset"} for one in settings["presets"].values())
    preset = load_model(copy).ladder.preset
    assert preset.fluency(tuple("They like the dog .".split())) < 0.5 < preset.fluency(tuple("They abhor it .".split()))
    assert run("--model", copy, *given[2:4], "--out", again).exit_code == 0
    assert json.loads((again / "errata.json").read_text("utf-8"))["settings"]["fluency"] == settings["fluency"]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["tune", *map(str, arguments)])


def test_the_old_manifest_is_kept_every_time(folder, tmp_path):
    copy = tmp_path / "model"
    shutil.copytree(folder, copy)
    for backup in copy.glob("errata.json.bak*"):
        backup.unlink()
    dev, manifests = write_dev(tmp_path / "dev.tsv", 50), []
    for _ in range(2):
        manifests.append((copy / "errata.json").read_text())
        assert run("--model", copy, "--gold", dev, "--limit", 20).exit_code == 0
    kept = {path.name: path.read_text() for path in copy.glob("errata.json.bak*")}
    assert kept == {"errata.json.bak": manifests[0], "errata.json.bak2": manifests[1]}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_dry_run_writes_nothing(folder, tmp_path):
    before, dev = contents(folder), write_dev(tmp_path / "dev.tsv", 50)
    result = run("--model", folder, "--gold", dev, "--limit", 20, "--dry-run", "--out", tmp_path / "copy")
    assert result.exit_code == 0
    assert list(json.loads(result.stdout)["settings"]["presets"]) == ["careful", "balanced", "eager"]
    assert contents(folder) == before and not (tmp_path / "copy").exists()


def test_a_copy_is_tuned(folder, tmp_path):
    before, dev, copy = contents(folder), write_dev(tmp_path / "dev.tsv", 50), tmp_path / "copy"
    assert run("--model", folder, "--gold", dev, "--limit", 20, "--out", copy).exit_code == 0
    assert contents(folder) == before
    assert contents(copy).keys() == before.keys() and contents(copy)["errata.json"] != before["errata.json"]
    for taken in (copy, folder, folder / "inner", dev):
        assert "choose" in str(run("--model", folder, "--gold", dev, "--out", taken).exception)
    assert contents(folder) == before


CHINESE = "他在家。\t他再家。\n"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (CHINESE * 20, "20 of 20 sentences are in Chinese, and the model corrects English"),
        (CHINESE * 2 + "He go home .\tHe goes home .\n" * 18, "2 of 20 sentences are in Chinese"),
        ("Je ne sais pas où il est .\tJe ne sais pas où il va .\n" * 9, "are in another language"),
        ("He goes home .\tHe goes home .\n" * 9, "has no gold edits"),
        ("Qqq zzz .\tXxx yyy .\n" * 9, "the preset careful finds nothing in dev.tsv: nothing is saved"),
    ],
    ids=["other", "mixed", "French", "no edits", "nothing found"],
)
@pytest.mark.parametrize("option", ["--gold", "--rare"])
def test_what_cannot_be_tuned_on_is_refused(folder, tmp_path, lines, message, option):
    before, dev = contents(folder), tmp_path / "dev.tsv"
    dev.write_text(lines, encoding="utf-8")
    given = ["--gold", dev] if option == "--gold" else ["--gold", write_dev(tmp_path / "en.tsv", 20), "--rare", dev]
    result = run("--model", folder, *given, "--limit", 20)
    assert message in str(result.exception) and "\n" not in str(result.exception)
    assert contents(folder) == before


def test_a_bundled_model_is_tuned_by_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    dev = tmp_path / "dev.tsv"
    dev.write_text("She have alot of informations .\tShe has a lot of information .\n" * 5, encoding="utf-8")
    before = contents(bundled_folder("en-small"))
    assert run("--model", "en-small", "--gold", dev, "--out", "copy").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "dev.tsv"]
    assert contents(bundled_folder("en-small")) == before
    card = json.loads((tmp_path / "copy" / "errata.json").read_text("utf-8"))["card"]
    assert card == {"licence": "research, non-commercial", "commercial_use": False}  # scores were another model's


def test_a_folder_that_cannot_be_written(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("os.access", lambda path, mode, **_: mode != os.W_OK)  # root may write everywhere
    result = run("--model", folder, "--gold", write_dev(tmp_path / "dev.tsv", 50))
    assert "cannot be written: give --out FOLDER" in str(result.exception)


def test_estimates_are_what_the_metric_counts(folder, tmp_path):
    dev = DevSet.read(write_dev(tmp_path / "dev.tsv", 25), "en")
    trials = Trials(load_model(folder, tokenised=True), [dev])
    corrections = trials.run(Preset(), dev.texts)
    answers = DevAnswers.of(dev, dict(enumerate(corrections)))
    for goal in (Goal(), Goal(beta=1.0), Goal(per_annotator=True)):
        [(precision, f)] = answers.estimate(Calibration(), [0.0], goal)
        measured = dev.score(corrections, goal)
        assert (precision, f) == pytest.approx((measured["precision"], measured[f"f{goal.beta:g}"]), abs=0.08)


def test_answers_against_several_references():
    answers = DevAnswers(
        (FoundEdit(0, 0.9, "R"), FoundEdit(0, 0.4, "R"), FoundEdit(1, 0.8, "M")),
        np.array([[True, False], [False, True], [False, False]]),
        np.array([[1, 3], [0, 0], [2, 2]]),
    )
    # From 0.5 on: the first edit is right for annotator 0, the third for nobody.
    [(precision, _)] = answers.estimate(Calibration(), [0.5], Goal(per_annotator=True))
    assert precision == pytest.approx((1 / 2 + 0 / 2) / 2)
    [(precision, f)] = answers.estimate(Calibration(), [0.5], Goal(beta=1.0))
    assert (precision, f) == pytest.approx((1 / 2, 2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3)))
    assert [edit.is_right for edit in answers.judged()] == [True, True, False]
    assert len(answers.judged(1)) == 1


def test_a_network_is_asked_once(folder):
    class Counting:
        def __init__(self, runtime):
            self.runtime, self.n, self.workers = runtime, 0, runtime.workers
            self.batch_tokens, self.chunk_batches = runtime.batch_tokens, runtime.chunk_batches

        def run(self, batches):
            self.n += sum(map(len, batches))
            return self.runtime.run(batches)

    plain = load_model(folder, tokenised=True).model
    sentences = [tuple(source.split()) for source, _ in pairs("en")]
    expected = plain.propose(sentences)
    asked = load_model(folder, tokenised=True).model
    counting = asked.runtime = Counting(asked.runtime)
    asked.runtime = RememberingRuntime(counting)
    assert asked.propose(sentences) == expected
    n = counting.n
    assert asked.propose(sentences[::-1])[::-1] == expected
    assert counting.n == n


def test_an_empty_set_is_refused(folder):
    with pytest.raises(DataError, match="no sentences to tune on"):
        Trials(load_model(folder), [])
