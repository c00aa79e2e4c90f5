"""The real judged sets: rankings against the published ones, and correlations against gec-metrics 0.1.1."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from errata.meta_eval.base import Track, get_judged_set
from errata.meta_eval.evaluation import MetaOptions, evaluate_metrics, rank_systems
from errata.meta_eval.scorers import MetricScorer
from errata.metrics.base import Item, Metric, get_metric
from errata.model import Score
from errata.stats.correlation import pearson, spearman

pytestmark = pytest.mark.data

# Grundkiewicz et al. (2015), table 3: Expected Wins, and TrueSkill with the range of ranks.
EXPECTED_WINS = {
    "AMU": 0.628,
    "RAC": 0.566,
    "CAMB": 0.561,
    "CUUI": 0.550,
    "POST": 0.539,
    "UFC": 0.513,
    "PKU": 0.506,
    "UMC": 0.495,
    "IITB": 0.485,
    "SJTU": 0.463,
    "INPUT": 0.456,
    "NTHU": 0.437,
    "IPN": 0.300,
}
TRUE_SKILL = {
    "AMU": (0.273, 1, 1),
    "CAMB": (0.182, 2, 2),
    "RAC": (0.114, 3, 4),
    "CUUI": (0.105, 3, 5),
    "POST": (0.080, 4, 5),
    "PKU": (-0.001, 6, 7),
    "UMC": (-0.022, 6, 8),
    "UFC": (-0.041, 7, 10),
    "IITB": (-0.055, 8, 11),
    "INPUT": (-0.062, 8, 11),
    "SJTU": (-0.074, 9, 11),
    "NTHU": (-0.142, 12, 12),
    "IPN": (-0.358, 13, 13),
}
# In the order of SEEDA's files of scores.
SEEDA = (
    "BART BERT-fuse GECToR-BERT GECToR-ens GPT-3.5 INPUT LM-Critic PIE REF-F REF-M Riken-Tohoku T5 TemplateGEC "
    "TransGEC UEDIN-MS"
).split()


class Length(Metric[float]):
    """The length of corrections, which gec-metrics tests its meta-evaluation with."""

    name = "length"
    needs_references = False

    def stats(self, items: Sequence[Item]) -> list[float]:
        return [float(len(str(item.hypothesis))) for item in items]

    def aggregate(self, stats: Sequence[float]) -> Score:
        return Score(self.name, float(np.sum(stats)), {}, self.signature)


@pytest.fixture(scope="module")
def gjg15(data: Path) -> Track:
    [track] = get_judged_set("gjg15").load(data / "en" / "gjg15")
    return track


@pytest.fixture(scope="module")
def seeda(data: Path) -> list[Track]:
    return get_judged_set("seeda").load(data / "en" / "seeda")


def test_gjg15_rankings_are_the_published_ones(gjg15: Track) -> None:
    pytest.importorskip("errata.stats._trueskill_c", reason="without the kernel this takes minutes")
    assert len(gjg15.judgements) == 109_098
    rankings = rank_systems(gjg15, MetaOptions())
    assert list(rankings["EW"].scores) == list(EXPECTED_WINS)
    assert rankings["EW"].scores == pytest.approx(EXPECTED_WINS, abs=0.0006)  # published with three places
    assert list(rankings["TS"].scores) == list(TRUE_SKILL)
    assert rankings["TS"].scores == pytest.approx({name: row[0] for name, row in TRUE_SKILL.items()}, abs=0.01)
    for name, (_, low, high) in TRUE_SKILL.items():  # the ends of ranges are a matter of the seed
        assert rankings["TS"].ranges[name] == pytest.approx((low, high), abs=1)


@pytest.mark.parametrize("way", ["edit", "sent"])
def test_seeda_rankings_are_the_published_ones(way: str, seeda: list[Track], data: Path) -> None:
    pytest.importorskip("errata.stats._trueskill_c", reason="without the kernel this takes minutes")
    [track] = [one for one in seeda if one.name == way]
    rankings = rank_systems(track, MetaOptions())
    for method, tolerance in (("EW", 0.001), ("TS", 0.025)):
        path = data / "en" / "seeda" / "scores" / "human" / f"{method}_{way}.txt"
        published = dict(zip(SEEDA, map(float, path.read_text("utf-8").split()), strict=True))
        ours = rankings[method].scores
        assert ours == pytest.approx(published, abs=tolerance)
        assert list(ours) == sorted(published, key=lambda name: -published[name])
        assert pearson(list(ours.values()), [published[name] for name in ours]) > 0.999


def test_length_on_seeda_as_in_gec_metrics(seeda: list[Track]) -> None:
    """gec-metrics counts a tie as a loss of the first system; its system scores are rounded to three places."""
    report = evaluate_metrics("seeda", seeda, [MetricScorer(Length())], MetaOptions(("base",), ties="loss", runs=1))
    rows = {(one.track, one.level, one.against): one.values for one in report.metrics[0].agreements}
    assert rows["edit", "sentence", "pairs"]["accuracy"] == pytest.approx(0.5365853658536586, abs=1e-12)
    assert rows["sent", "sentence", "pairs"]["accuracy"] == pytest.approx(0.5455708346658139, abs=1e-12)
    assert rows["edit", "system", "EW"]["spearman"] == pytest.approx(0.4545454545454546)
    assert rows["sent", "system", "EW"]["spearman"] == pytest.approx(0.5454545454545455)


def test_gleu_on_seeda_as_in_gec_metrics(seeda: list[Track]) -> None:
    """Its README's numbers, with its counts and its reading of annotators who are missing.

    They are of 500 draws of references and human scores with three places; ours of the expectation, and unrounded.
    """
    pytest.importorskip("errata.stats._trueskill_c", reason="without the kernel this takes minutes")
    scorer = MetricScorer(get_metric("gleu", penalty="surplus"), missing="unchanged")
    report = evaluate_metrics("seeda", seeda, [scorer], MetaOptions(("base",)))
    rows = {(one.track, one.against): one.values for one in report.metrics[0].agreements if one.level == "system"}
    published = {("edit", "EW"): (0.9008, 0.9301), ("edit", "TS"): (0.9124, 0.9441)}
    published |= {("sent", "EW"): (0.8749, 0.9091), ("sent", "TS"): (0.8856, 0.9021)}
    for key, numbers in published.items():
        assert (rows[key]["pearson"], rows[key]["spearman"]) == pytest.approx(numbers, abs=0.005), key


def test_length_on_gjg15_as_in_gec_metrics(gjg15: Track) -> None:
    scores = MetricScorer(Length()).score_systems(gjg15).values
    published = {"ew": EXPECTED_WINS, "ts": {name: row[0] for name, row in TRUE_SKILL.items()}}
    found = {key: spearman([scores[n] for n in one], list(one.values())) for key, one in published.items()}
    assert found == pytest.approx({"ew": -0.016483516483516484, "ts": -0.06043956043956044})


def test_maxmatch_as_published_with_gjg15(gjg15: Track, data: Path) -> None:
    """The file beside the judgements has F0.5 of each system, up to 0.0057 from the shared task's own numbers.

    Ours are those of the shared task (AMU 0.3501, CAMB 0.3733, UMC 0.2537).
    """
    lines = (data / "en" / "gjg15" / "metrics" / "scores.m2").read_text("utf-8").splitlines()
    published = {line.split()[0]: float(line.split()[1]) for line in lines}
    ours = MetricScorer(get_metric("maxmatch")).score_systems(gjg15).values
    assert ours == pytest.approx(published, abs=0.006)
    assert [round(ours[name], 4) for name in ("AMU", "CAMB", "UMC")] == [0.3501, 0.3733, 0.2537]
    assert pearson(list(ours.values()), [published[name] for name in ours]) > 0.999


def test_ratings_of_gmeg_are_those_of_the_corpus(data: Path) -> None:
    tracks = get_judged_set("gmeg").load(data / "en" / "gmeg")
    assert [track.name for track in tracks] == ["dev/fce", "dev/wiki", "test/fce"]
    for track in tracks:
        lines = (data / "en" / "gmeg" / f"{track.name}-corpus-scores.csv").read_text("utf-8").splitlines()[1:]
        published = {line.split(",")[0]: float(line.split(",")[1]) for line in lines}
        assert track.scores["mean"] == pytest.approx({name: published[name] for name in track.outputs}, abs=1e-6)


def test_candidates_of_cltc(data: Path) -> None:
    tracks = get_judged_set("cltc").load(data / "zh" / "cltc2022")
    assert [(track.name, len(track.gold)) for track in tracks] == [
        ("yaclc-fluency_dev", 1839),
        ("yaclc-minimal_dev", 1839),
    ]
    assert all(track.has_references for track in tracks)
