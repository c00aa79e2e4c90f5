"""The owner's figures: by hand on a small project, and as `errata score` finds them in exported files."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bench import Bench, open_bench
from played import CHINESE, ENGLISH, play, swap_characters, swap_words

from errata.web.database import open_database
from errata.web.workbench.exports.samples import Sampled, export_samples
from errata.web.workbench.figures import compute_figures
from errata.web.workbench.figures.progress import find_quartiles
from errata.web.workbench.figures.record import read_record
from errata.web.workbench.review import Verdict
from errata.web.workbench.scorer import Scorers

NAMES = ("annotator-1", "annotator-2", "annotator-3", "annotator-4")
SCORERS = Scorers()
RAW = ["He don't [MC] to school.", "She have two brother.", "It is right.", "They was happy yesterday!"]


def figures(bench: Bench) -> dict[str, Any]:
    found = compute_figures(read_record(bench.engine, bench.project_id), SCORERS[bench.language])
    json.dumps(found, allow_nan=False)
    return found


@pytest.fixture
def score(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., dict[str, Any]]:
    """`errata score --json`, in this process."""
    from errata.cli import main

    def run(metric: str, gold: Path, answers: Path) -> dict[str, Any]:
        command = ["score", "--metric", metric, "--m2", str(gold), "--hyp", str(answers), "--json"]
        monkeypatch.setattr(sys, "argv", ["errata", *command])
        with pytest.raises(SystemExit) as stop:
            main()
        assert not stop.value.code
        [found] = json.loads(capfd.readouterr().out)
        return dict(found)

    return run


def write_samples(bench: Bench, folder: Path, name: str, stage: str, form: str = "m2") -> tuple[Path, Path]:
    record = read_record(bench.engine, bench.project_id)
    gold, answers = folder / "gold.m2", folder / f"answers.{form}"
    for path, side, kind in ((gold, "gold", "m2"), (answers, "answers", form)):
        sampled = Sampled(bench.people[name], side, stage)
        path.write_text("".join(export_samples(record, SCORERS[bench.language], sampled, kind)), "utf-8")
    return gold, answers


@pytest.fixture(params=["m2", "raw", "zh"])
def worked(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """A project that was worked through: tokenised English of an M2 file, raw English, Chinese."""
    settings = {"qualification": {"n": 0}}
    bench = open_bench("sqlite://", language="zh" if request.param == "zh" else "en", settings=settings)
    bench.begin([], *NAMES, "reviewer-1", "reviewer-2")
    if request.param == "m2":
        blocks = [f"S {line}\nA 0 1|||R:PRON|||It|||REQUIRED|||-NONE-|||0\n\n" for line in ENGLISH * 2]
        bench.bring("".join(blocks), name="a.m2", references="golden")
    else:
        bench.bring("\n".join((RAW if request.param == "raw" else CHINESE) * 3))
    yield play(bench, NAMES, swap_characters if request.param == "zh" else swap_words, seed=3)
    bench.engine.dispose()


def test_scores_are_those_of_errata_score(worked: Bench, score: Any, tmp_path: Path) -> None:
    found = figures(worked)["scores"]
    n_items = [row["n_items"] for row in found["annotators"]]
    assert n_items == sorted(n_items, reverse=True)
    assert len(found["annotators"]) == len(NAMES)
    for row in found["annotators"]:
        for stage in ("before", "after"):
            gold, answers = write_samples(worked, tmp_path, row["name"], stage)
            parts = score(found["metric"], gold, answers)["parts"]
            assert row[stage] == {name: parts[name] for name in row[stage]}, (row["name"], stage)
    assert found["all"]["after"]["f0.5"] > found["all"]["before"]["f0.5"]


def test_answers_as_text_have_the_same_score(worked: Bench, score: Any, tmp_path: Path) -> None:
    """Where the texts are tokenised, or Chinese: raw English is tokenised only in M2."""
    if worked.language == "en" and '"is_tokenised": false' in worked.rows("SELECT origin FROM items")[0].origin:
        pytest.skip("raw English")
    found = figures(worked)["scores"]
    row = found["annotators"][0]
    gold, answers = write_samples(worked, tmp_path, row["name"], "before", "text")
    assert score(found["metric"], gold, answers)["parts"]["f0.5"] == row["before"]["f0.5"]


@pytest.fixture
def small(database_url: str) -> Iterator[Bench]:
    """Two sentences, three annotators, a review, a study; every number can be told by hand."""
    bench = open_bench(database_url, settings={"qualification": {"n": 0}, "k": 2}, now=86_400.0 * 3)
    bench.begin([], "annotator-1", "annotator-2", "reviewer-1")
    bench.bring("He go home .\tx\nI am fine .\tx\nStill open .\tx\n", name="a.tsv")
    answers = {
        "He go home .": {"annotator-1": ["He goes home ."], "annotator-2": ["He went the home ."]},
        "I am fine .": {"annotator-1": ["I am fine ."], "annotator-2": ["I am fine ."]},
    }
    for name in ("annotator-1", "annotator-2"):
        for _ in range(3):
            task = bench.take(name, "annotate")
            own = answers.get(task["item"]["source"])
            if own is None:
                bench.submit(name, task, status="skipped", comment="no time")
            else:
                seconds = 10.0 if name == "annotator-1" else 30.0
                given = {"answers": own[name], "seconds": seconds, "is_suggested": name == "annotator-1"}
                bench.submit(name, task, status="corrected", **given)
    bench.now += 86_400
    for _ in range(2):
        task = bench.take("reviewer-1", "review")
        verdicts = [{"target": one["target"], "is_accepted": "the" not in one["target"]} for one in task["answers"]]
        bench.submit("reviewer-1", task, status="corrected", verdicts=[Verdict(**one) for one in verdicts], seconds=5.0)
    bench.now += 8 * 86_400
    task = bench.take("annotator-2", "study")
    bench.submit("annotator-2", task, answers=["He goes home ."])
    yield bench
    bench.engine.dispose()


def test_progress(small: Bench) -> None:
    progress = figures(small)["progress"]
    assert progress["items"] == {"annotating": 1, "done": 2}
    assert (progress["n_items"], progress["share_done"]) == (3, pytest.approx(2 / 3))
    assert progress["annotations"] == {"n_done": 4, "n_wanted": 6}
    assert progress["tasks"] == {"annotate": {"done": 4, "dropped": 2}, "review": {"done": 2}, "study": {"done": 1}}


def test_whom_a_project_lacks(database_url: str) -> None:
    """One annotator of two, then no reviewer who has not annotated the sentence."""
    bench = open_bench(database_url, settings={"k": 2}).begin(["He go home.", "She go home."], "annotator-1")
    lacking = lambda: figures(bench)["progress"]["lacking"]  # noqa: E731
    assert lacking() == {"annotators": 0, "reviewers": 0}
    bench.answer("annotator-1")
    assert lacking() == {"annotators": 1, "reviewers": 0}
    bench.answer("owner")  # what was begun comes first
    assert lacking() == {"annotators": 0, "reviewers": 1}
    bench.add("reviewer-1")
    assert lacking() == {"annotators": 0, "reviewers": 0}
    bench.engine.dispose()


def test_throughput(small: Bench) -> None:
    throughput = figures(small)["throughput"]
    assert throughput["n_submissions"] == 9
    assert [(day["day"], day["n"]) for day in throughput["days"][:2]] == [("1970-01-04", 6), ("1970-01-05", 2)]
    assert [day["n"] for day in throughput["days"][2:]] == [0] * 7 + [1]
    assert throughput["days"][0]["kinds"] == {"annotate": 6}
    assert [(week["week"], week["n"]) for week in throughput["weeks"]] == [
        ("1969-12-29", 6),
        ("1970-01-05", 2),
        ("1970-01-12", 1),
    ]


def test_scores_before_and_after_study(small: Bench) -> None:
    first, second = figures(small)["scores"]["annotators"]
    assert (first["name"], first["n_answers"], first["n_accepted"]) == ("annotator-1", 2, 2)
    assert first["before"] == {"precision": 1, "recall": 1, "f0.5": 1, "tp": 1, "fp": 0, "fn": 0}
    # `went` for `goes`, and `the`: two wrong edits, one missed.
    assert (second["before"]["tp"], second["before"]["fp"], second["before"]["fn"]) == (0, 2, 1)
    assert second["before"]["f0.5"] == 0
    assert second["after"]["f0.5"] == 1


def test_agreement(small: Bench) -> None:
    agreement = figures(small)["agreement"]
    assert (agreement["n_items"], agreement["n_pairs"]) == (2, 1)
    assert agreement["kappa"] == 1.0
    assert agreement["alpha"] == 1.0
    # One edit and two edits, none in common, on the first sentence.
    assert (agreement["f0.5"], agreement["f1"]) == (0.0, 0.0)
    assert agreement["pairs"][0]["names"] == ["annotator-1", "annotator-2"]


def test_mistakes(small: Bench) -> None:
    mistakes = figures(small)["mistakes"]
    assert (mistakes["n_rejected"], mistakes["ways"]) == (1, {"both": 1})
    assert {row["type"]: row["n"] for row in mistakes["rejected"]} == {"M:DET": 1, "R:VERB:TENSE": 1}
    [missed] = mistakes["missed"]
    assert (missed["type"], missed["n"]) == ("R:VERB:SVA", 1)
    [example] = missed["examples"]
    assert (example["original"], example["replacement"], example["number"]) == ("go", "goes", 1)


def test_references_time_and_suggestions(small: Bench) -> None:
    found = figures(small)
    assert found["references"]["distribution"] == [{"n_references": 1, "n": 2}]
    assert found["references"]["with_errors"] == {"n": 1, "distribution": [{"n_references": 1, "n": 1}], "mean": 1.0}
    assert found["time"]["kinds"]["annotate"] == {"n": 4, "q1": 10.0, "median": 20.0, "q3": 30.0}
    assert found["time"]["kinds"]["review"] == {"n": 2, "q1": 5.0, "median": 5.0, "q3": 5.0}
    assert [row["median"] for row in found["time"]["annotators"]] == [10.0, 30.0]
    assert found["suggestions"] == {"n": 1, "n_submissions": 4, "share": 0.25}


def test_an_empty_project(database_url: str) -> None:
    bench = open_bench(database_url).begin([])
    found = figures(bench)
    assert found["progress"]["share_done"] is None
    assert found["scores"]["annotators"] == []
    assert found["scores"]["all"] == {"before": None, "after": None}
    assert found["agreement"]["kappa"] is None
    assert found["throughput"]["days"] == []
    bench.engine.dispose()


@pytest.mark.parametrize(
    ("seconds", "quartiles"),
    [([], (0, None, None, None)), ([0.0], (0, None, None, None)), ([7.0], (1, 7.0, 7.0, 7.0)),
     ([1.0, 2.0], (2, 1.25, 1.5, 1.75))],
)  # fmt: skip
def test_quartiles(seconds: list[float], quartiles: tuple[Any, ...]) -> None:
    assert tuple(find_quartiles(seconds).values()) == quartiles


def test_databases_agree(new_postgres: Callable[[], str], tmp_path: Path) -> None:
    """The same project, backed up and restored into the other database, has the same figures."""
    from errata.web.backup import read_backup, write_backup

    bench = open_bench("sqlite://", settings={"qualification": {"n": 0}}).begin(
        ENGLISH, *NAMES, "reviewer-1", "reviewer-2"
    )
    play(bench, NAMES, swap_words, seed=5)
    write_backup(bench.engine, tmp_path / "b")
    other = open_database(new_postgres())
    read_backup(other, tmp_path / "b")
    assert compute_figures(read_record(other, bench.project_id), SCORERS["en"]) == figures(bench)
    other.dispose()
    bench.engine.dispose()
