"""Metrics judged on small sets: from files to the report, its JSON and its page; and scores from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from judged_files import M2, SOURCES, write_cltc, write_gjg15, write_gmeg, write_seeda

from errata.errors import DataError, ErrataError, FormatError, UnknownName, UsageError
from errata.meta_eval.base import Track, get_judged_set
from errata.meta_eval.evaluation import MetaOptions, evaluate_metrics
from errata.meta_eval.page import format_page
from errata.meta_eval.report import MetaReport
from errata.meta_eval.scorers import FileScorer, MetricScorer, Scorer
from errata.metrics.base import Item, Metric, get_metric
from errata.model import Score

FAST = MetaOptions(runs=5, window=3, bootstrap=20)


class Length(Metric[float]):
    """The length of corrections: a metric that reads no references."""

    name = "length"
    needs_references = False

    def stats(self, items: Sequence[Item]) -> list[float]:
        return [float(len(str(item.hypothesis))) for item in items]

    def aggregate(self, stats: Sequence[float]) -> Score:
        return Score(self.name, float(np.sum(stats)), {}, self.signature)


def _scorers() -> list[Scorer]:
    return [MetricScorer(get_metric("maxmatch")), MetricScorer(get_metric("gleu")), MetricScorer(Length())]


@pytest.fixture
def tracks(tmp_path: Path) -> list[Track]:
    return get_judged_set("gjg15").load(write_gjg15(tmp_path))


@pytest.fixture
def report(tracks: list[Track]) -> MetaReport:
    return evaluate_metrics("gjg15", tracks, _scorers(), FAST)


def test_agreement_of_each_metric(report: MetaReport) -> None:
    maxmatch, _, length = report.metrics
    assert maxmatch.scores["gjg15"]["GOOD"] == 1.0
    rows = {(one.level, one.against): one for one in maxmatch.agreements}
    assert list(rows) == [("system", "EW"), ("system", "TS"), ("sentence", "pairs")]
    assert rows["system", "EW"].values["spearman"] > 0.9
    pairs = rows["sentence", "pairs"]
    # INPUT and WORSE have nothing right where people tell them apart, so one of 13 pairs is tied.
    assert (pairs.n, pairs.values["accuracy"]) == (13, pytest.approx(12 / 13))
    assert set(pairs.intervals) == {"accuracy", "kendall"} and set(rows["system", "EW"].intervals) == {
        "pearson",
        "spearman",
    }
    assert length.agreements[0].values["spearman"] < 0.9


def test_windows_and_tests(report: MetaReport) -> None:
    [first, *_] = report.metrics[0].windows
    assert (first.size, len(first.systems)) == (3, 2) and first.systems[0][0] == "GOOD"
    assert {(one.against, one.better != one.worse) for one in report.differences} == {("EW", True), ("TS", True)}
    assert all(one.difference >= 0 and one.corrected >= one.p_value for one in report.differences)


def test_signatures_say_what_was_compared(report: MetaReport) -> None:
    assert report.settings == "meta|gjg15|v:0.1.0|ties:wrong|runs:5|seed:12345|bootstrap:20|resample:sentences"
    assert "|gold:edits|" in report.metrics[0].signature and "|gold:texts|" in report.metrics[1].signature


def test_json_has_no_nan(tracks: list[Track], tmp_path: Path) -> None:
    scorer = _write(tmp_path, "GOOD\t1\nHALF\t0.5\nINPUT\t0.5\nWORSE\t0.5\n")
    report = evaluate_metrics("gjg15", tracks, [scorer], FAST)
    told = json.loads(json.dumps(report.as_dict(), allow_nan=False))
    assert told["tracks"][0]["rankings"]["EW"][0]["system"] == "GOOD"
    assert told["metrics"][0]["windows"][0]["windows"][1]["pearson"] is None  # three systems with one score


def test_without_references_a_text_is_scored_once(tmp_path: Path) -> None:
    asked: list[tuple[object, object]] = []

    class Counting(Length):
        def stats(self, items: Sequence[Item]) -> list[float]:
            asked.extend((item.source, item.hypothesis) for item in items)
            return super().stats(items)

    (tmp_path / "gold.m2").write_text(M2, encoding="utf-8")
    tracks = get_judged_set("maege").load(tmp_path / "gold.m2")
    counted, usual = (evaluate_metrics("maege", tracks, [MetricScorer(one())], FAST) for one in (Counting, Length))
    assert len(asked) == len(set(asked)) < 11 * len(tracks[0].gold)
    assert [one.values for one in counted.metrics[0].agreements] == [one.values for one in usual.metrics[0].agreements]


def test_the_same_seed_gives_the_same_report(tracks: list[Track], report: MetaReport) -> None:
    assert evaluate_metrics("gjg15", tracks, _scorers(), FAST).as_dict() == report.as_dict()


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    tracks = get_judged_set("seeda").load(write_seeda(tmp_path))
    evaluate_metrics("seeda", tracks, _scorers()[1:2], FAST, lambda *step: told.append(step))
    assert told == [("rank systems", 1, 2), ("rank systems", 2, 2), *(("gleu", n, 5) for n in range(1, 6))]


def test_all_resamples_are_used(tracks: list[Track], monkeypatch: pytest.MonkeyPatch) -> None:
    """They are drawn in pieces where there are many."""
    whole = evaluate_metrics("x", tracks, _scorers(), FAST).as_dict()
    monkeypatch.setattr("errata.stats.resampling._BATCH", 12)
    assert evaluate_metrics("x", tracks, _scorers(), FAST).as_dict() == whole


def test_systems_can_be_resampled(tracks: list[Track]) -> None:
    options = MetaOptions(runs=5, bootstrap=50, resample="systems")
    low, high = evaluate_metrics("x", tracks, _scorers()[:1], options).metrics[0].agreements[0].intervals["pearson"]
    assert -1 <= low < high <= 1


def test_groups_of_seeda(tmp_path: Path) -> None:
    tracks = get_judged_set("seeda").load(write_seeda(tmp_path))
    report = evaluate_metrics("seeda", tracks, _scorers(), FAST)
    assert {one.group for one in report.metrics[0].agreements} == {"base", "fluency", "all"}
    assert {one.track for one in report.metrics[0].agreements} == {"edit", "sent"}
    chosen = evaluate_metrics("seeda", tracks, _scorers()[:1], MetaOptions(("base",), runs=5))
    assert {one.group for one in chosen.metrics[0].agreements} == {"base"}
    with pytest.raises(UnknownName, match="group of systems 'bases'; did you mean 'base'"):
        evaluate_metrics("seeda", tracks, _scorers(), MetaOptions(("bases",)))


def test_ratings(tmp_path: Path) -> None:
    report = evaluate_metrics(
        "gmeg", get_judged_set("gmeg").load(write_gmeg(tmp_path)), [MetricScorer(get_metric("gleu"))], FAST
    )
    rows = {one.level: one for one in report.metrics[0].agreements}
    assert list(rows) == ["system", "sentence", "within sentence"]
    assert rows["system"].values["spearman"] > 0.9
    assert rows["sentence"].n == 15 and rows["sentence"].values["pearson"] > 0.5


def test_candidates(tmp_path: Path) -> None:
    scorers = [MetricScorer(get_metric("cherrant")), MetricScorer(Length())]
    report = evaluate_metrics("cltc", get_judged_set("cltc").load(write_cltc(tmp_path)), scorers, FAST)
    choice = {one.level: one for one in report.metrics[0].agreements}["choice"]
    assert choice.values == {"chosen": 1.0, "best": 1.0, "first": 0.5, "mean": pytest.approx((1 / 3 + 0.5) / 2)}
    assert report.metrics[0].scores == {} and not report.differences


def test_maege_levels(tmp_path: Path) -> None:
    corpus = tmp_path / "gold.m2"
    corpus.write_text(M2, "utf-8")
    report = evaluate_metrics("maege", get_judged_set("maege").load(corpus), _scorers()[:1], FAST)
    rows = {one.level: one for one in report.metrics[0].agreements}
    assert list(rows) == ["system", "sentence", "chain"]
    assert rows["chain"].values == {"accuracy": 1.0, "kendall": 1.0} and rows["system"].values["pearson"] > 0.8


def test_references_are_needed_only_by_those_who_read_them(tmp_path: Path) -> None:
    tracks = get_judged_set("gjg15").load(write_gjg15(tmp_path, with_gold=False))
    assert evaluate_metrics("x", tracks, [MetricScorer(Length())], FAST).metrics[0].scores["gjg15"]["INPUT"] == sum(
        map(len, SOURCES)
    )
    with pytest.raises(
        UsageError, match="maxmatch compares with references, and gjg15 has none: name them with --gold"
    ):
        evaluate_metrics("x", tracks, _scorers(), FAST)


def test_a_metric_for_another_language_is_refused(tracks: list[Track]) -> None:
    with pytest.raises(UsageError, match="use --metric errant"):
        evaluate_metrics("x", tracks, [MetricScorer(get_metric("cherrant"))], FAST)


def test_a_missing_annotator_agrees_or_changes_nothing(tracks: list[Track]) -> None:
    """The second annotator has no entry for the last sentence, which the first corrected."""
    ours, theirs = (MetricScorer(get_metric("gleu"), missing=one) for one in ("agrees", "unchanged"))
    assert ours.score_systems(tracks[0]).values["GOOD"] > theirs.score_systems(tracks[0]).values["GOOD"]
    assert theirs.signature.endswith("|missing:unchanged")
    with pytest.raises(UnknownName):
        MetricScorer(get_metric("gleu"), missing="absent")


def test_only_a_panel_has_missing_annotators(tmp_path: Path) -> None:
    """Sentences with one and with two references: the one is not doubled, it would count twice in a mean."""
    root = write_cltc(tmp_path)
    references = "0\t他跑的很快。\t他跑得很快。\t他跑得快。\n1\t我爱你门。\t我爱你们。\n"
    (root / "track3.yaclc-minimal_dev.para").write_text(references, "utf-8")
    [track] = get_judged_set("cltc").load(root)
    assert MetricScorer(get_metric("gleu")).describe(track).endswith("|refs:1-2")


# --- Scores from elsewhere.


def _write(tmp_path: Path, text: str) -> FileScorer:
    path = tmp_path / "scores.tsv"
    path.write_text(text, "utf-8")
    return FileScorer(path)


def test_scores_of_systems(tracks: list[Track], tmp_path: Path) -> None:
    scorer = _write(tmp_path, "GOOD\t4\nHALF\t3\nINPUT\t2\nWORSE\t1\nOTHER\t9\n")
    report = evaluate_metrics("x", tracks, [scorer], FAST)
    [ew, ts] = report.metrics[0].agreements
    assert ew.values["spearman"] == pytest.approx(1) and ew.intervals == {} and (ew.level, ts.level) == ("system",) * 2


def test_scores_of_sentences(tracks: list[Track], tmp_path: Path) -> None:
    metric = MetricScorer(get_metric("maxmatch"))
    table = metric.score_systems(tracks[0]).sentences
    assert table is not None
    lines = [f"{name}\t{place + 1}\t{value}" for name, row in table.items() for place, value in enumerate(row)]
    report = evaluate_metrics("x", tracks, [metric, _write(tmp_path, "\n".join(lines) + "\n")], FAST)
    ours, theirs = ({one.level: one for one in metric.agreements}["sentence"] for metric in report.metrics)
    assert ours.values == theirs.values and ours.intervals == theirs.intervals


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", FormatError, "there are no scores"),
        ("GOOD\t1\nHALF 2\n", FormatError, r"scores.tsv:2: a line is a system"),
        ("GOOD\t0\t1\n", FormatError, r"scores.tsv:1: a line is a system"),
        ("GOOD\tnan\n", FormatError, r"scores.tsv:1: a score is a number up to 1e\+100, not 'nan'"),
        ("GOOD\t1e308\n", FormatError, r"scores.tsv:1: a score is a number up to"),
        ("GOOD\t1\nGOOD\t2\n", FormatError, r"scores.tsv:2: GOOD has a score already"),
        ("GOOD\t1\nHALF\t1\t2\n", FormatError, "give one kind"),
        ("GOOD\t1\nHALF\t2\nINPUT\t3\n", DataError, "has no score of WORSE"),
        ("GOOD\t1\t1\nHALF\t1\t2\nINPUT\t1\t3\nWORSE\t1\t1\n", DataError, "GOOD has no score for sentence 2"),
    ],
)
def test_bad_scores(text: str, kind: type[ErrataError], message: str, tracks: list[Track], tmp_path: Path) -> None:
    with pytest.raises(kind, match=message):
        evaluate_metrics("x", tracks, [_write(tmp_path, text)], FAST)


def test_a_file_cannot_score_what_is_made_up(tmp_path: Path) -> None:
    corpus = tmp_path / "gold.m2"
    corpus.write_text(M2, "utf-8")
    with pytest.raises(UsageError, match="made up here"):
        evaluate_metrics("x", get_judged_set("maege").load(corpus), [_write(tmp_path, "0 %\t1\n")], FAST)


@pytest.mark.parametrize(
    "options",
    [{"ties": "x"}, {"window": 1}, {"runs": 0}, {"bootstrap": -1}, {"resample": "words"}, {"seed": -1}],
    ids=lambda options: next(iter(options)),
)
def test_bad_options(options: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        MetaOptions(**options)  # type: ignore[arg-type]


# --- The page.


class _Checker(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.n_plots = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.n_plots += tag == "svg"
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_stands_alone(report: MetaReport) -> None:
    page = format_page(report)
    checker = _Checker()
    checker.feed(page)
    assert checker.open == [] and checker.addresses == []
    assert checker.n_plots == 3 * 2 + 3 * 2  # a scatter plot and windows for each metric and ranking
    assert "prefers-color-scheme: dark" in page and "width=device-width" in page
    assert "Williams&#x27; tests" in page or "Williams' tests" in page


def test_names_are_escaped_on_the_page(tracks: list[Track]) -> None:
    report = evaluate_metrics("x", tracks, [MetricScorer(Length(), "<b>odd</b>")], FAST)
    assert "<b>odd" not in format_page(report)
