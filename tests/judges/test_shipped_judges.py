"""The judges in the repository's packages: small, with card and licence, and at work without torch or options."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import errata
from errata.errors import DataError
from errata.formats import read_corpus
from errata.judges.judge_metric import list_sides
from errata.metrics.base import Item, get_metric
from errata.model import Sentence
from errata.systems.cards import read_facts
from errata.systems.installed import IN_REPOSITORY, JUDGES, NoModel, find_model
from errata.systems.manifest import read_manifest
from errata.training.shipped import FOLDER as RECIPES

MODELS = Path(__file__).resolve().parents[2] / "models"
FOLDERS = {name: MODELS / name / "src" / f"errata_{name.replace('-', '_')}" / name for name in JUDGES}
HERE = [name for name, folder in FOLDERS.items() if folder.is_dir()]
LIMIT, LIMIT_OF_LARGE, LARGEST = 25 * 2**20, 64 * 2**20, 16 * 2**20


def read_items(language: str) -> list[Item]:
    """Sample sentences with their corrections."""
    pairs = read_corpus(RECIPES / "data" / f"tagger-pairs.{language}.tsv")
    rows = [(one.sentence, one.annotations[0].target or "") for one in pairs]
    if language == "zh":
        rows = [(Sentence(tuple("".join(source.tokens))), target.replace(" ", "")) for source, target in rows]
    return [Item(source, target) for source, target in rows]


def open_metric(name: str) -> Any:
    language, kind = name.split("-")[:2]
    return get_metric(kind, model=str(FOLDERS[name]), language=language)


@pytest.mark.parametrize("name", HERE)
def test_packages_are_small_and_say_what_they_are(name: str) -> None:
    sizes = [path.stat().st_size for path in FOLDERS[name].rglob("*") if path.is_file()]
    assert sum(sizes) <= (LIMIT_OF_LARGE if name.endswith("-large") else LIMIT) and max(sizes) <= LARGEST
    facts = read_facts(FOLDERS[name], read_manifest(FOLDERS[name]))
    assert facts.licence and facts.scores and not facts.commercial_use
    assert (MODELS / name / "README.md").read_text("utf-8") == (FOLDERS[name] / "README.md").read_text("utf-8")
    assert facts.licence in (MODELS / name / "LICENSE").read_text("utf-8")


@pytest.mark.parametrize("name", HERE)
def test_corrections_score_higher_than_their_sources(name: str) -> None:
    metric, items = open_metric(name), read_items(name[:2])
    sources, targets = list_sides(items)
    changed = [row for row, target in enumerate(targets) if target != sources[row]]
    plain = [Item(item.source, "".join(source) if name[:2] == "zh" else " ".join(source))
             for item, source in zip(items, sources, strict=True)]  # fmt: skip
    before, after = (metric.sentence_scores(metric.stats(side)) for side in (plain, items))
    assert (after[changed] > before[changed]).mean() > 0.8


@pytest.mark.parametrize("name", HERE)
def test_scores_do_not_depend_on_the_batch(name: str) -> None:
    metric, items = open_metric(name), read_items(name[:2])[:24]
    together = metric.sentence_scores(metric.stats(items))
    for size in (1, 5):
        parts = [metric.stats(items[start : start + size]) for start in range(0, len(items), size)]
        assert np.concatenate(list(map(metric.sentence_scores, parts))) == pytest.approx(together, abs=5e-7)


@pytest.mark.parametrize("name", HERE)
def test_an_installed_judge_needs_no_torch_and_a_small_one_no_option(name: str) -> None:
    try:
        find_model(name)
    except NoModel:
        pytest.skip(f"{name} is not installed: pip install --no-deps ./models/{name}")
    language, kind = name.split("-")[:2]
    texts = {"en": ("She go to school .", "She goes to school ."), "zh": ("我爱你门。", "我爱你们。")}[language]
    chosen = "" if name == f"{language}-{kind}" else f", model={name!r}"
    code = (
        "import sys; sys.modules.update(dict.fromkeys(('torch', 'transformers', 'spacy')))\n"
        "import errata, json\n"
        f"source, options = {texts[0]!r}, dict(metric={kind!r}, language={language!r}{chosen})\n"
        f"scores = [errata.score([source], [text], **options) for text in {texts}]\n"
        "print(json.dumps([*(score.value for score in scores), scores[0].signature]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    before, after, signature = json.loads(done.stdout)
    assert 0 <= before < after <= 1.2 and (language == "zh" or after > 0.5)
    assert f"|model:{name}|weights:" in signature


def test_the_packages_that_messages_name_are_in_the_repository() -> None:
    assert sorted(folder.parent.name for folder in MODELS.glob("*/pyproject.toml")) == sorted(IN_REPOSITORY)


def test_where_no_judge_is_installed_a_line_says_what_to_do() -> None:
    with pytest.raises(DataError, match=r"no some for zh is installed: name one with --set model=\./FOLDER"):
        errata.score(["我爱你门。"], ["我爱你们。"], metric="some", language="zh")
