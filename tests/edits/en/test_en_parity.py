"""ERRANT's answers, from its recorded output and, where it is installed, from itself."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from english_cases import CASES

from errata.edits.en import EnglishExtractor
from errata.edits.en.analysis import Analyser
from errata.edits.en.merge import MERGERS
from errata.edits.en.spacy_analyser import find_model
from errata.formats.m2 import M2

SYSTEMS = ["AMU", "CAMB", "GECToR-ens", "GPT-3.5"]
MODES = [(merge, lev) for merge in MERGERS for lev in (False, True)]


@pytest.mark.data
@pytest.mark.parametrize("system", SYSTEMS)
def test_m2_is_identical(extractor: EnglishExtractor, oracles: Path, system: str) -> None:
    source, target = (
        (oracles / "errant" / name).read_text("utf-8").splitlines() for name in ("conll14.src.txt", f"{system}.hyp.txt")
    )
    pairs = ((s, [t]) for s, t in zip(source, target, strict=True))
    found = "".join(M2().format(extractor.annotate(pairs)))
    assert found.split("\n") == (oracles / "errant" / f"{system}.hyp.m2").read_text("utf-8").split("\n")


@pytest.fixture(scope="module")
def errant() -> Any:
    package = pytest.importorskip("errant")
    import spacy

    return package.load("en", spacy.load(find_model(), disable=["ner"]))


def compare(errant: Any, analyser: Analyser, pairs: list[tuple[str, str]]) -> None:
    extractors = {mode: EnglishExtractor(merge=mode[0], lev=mode[1], analyser=analyser) for mode in MODES}
    for source, target in pairs:
        parsed = errant.parse(source), errant.parse(target)
        for (merge, lev), extractor in extractors.items():
            [annotated] = extractor.annotate([(source, [target])])
            found = [(e.start, e.end, list(e.replacement), e.type) for e in annotated.annotations[0].edits]
            expected = [
                (e.o_start, e.o_end, [token.text for token in e.c_toks], e.type)
                for e in errant.annotate(*parsed, lev, merge)
            ]
            assert found == expected, (source, target, merge, lev)


def test_own_pairs(errant: Any, analyser: Analyser) -> None:
    compare(errant, analyser, [(source, target) for source, target, _ in CASES])


def test_shuffled_words(errant: Any, analyser: Analyser) -> None:
    rng = random.Random(0)
    words = [word for source, target, _ in CASES for word in (source + " " + target).split()]
    pairs = [tuple(" ".join(rng.choices(words, k=rng.randint(0, 9))) for _ in "st") for _ in range(60)]
    compare(errant, analyser, pairs)  # type: ignore[arg-type]


@pytest.mark.data
@pytest.mark.slow
def test_learner_sentences(errant: Any, analyser: Analyser, data: Path) -> None:
    folder = data / "en" / "jfleg" / "dev"
    source, target = ((folder / name).read_text("utf-8").splitlines()[:60] for name in ("dev.src", "dev.ref1"))
    compare(errant, analyser, list(zip(source, target, strict=True)))
