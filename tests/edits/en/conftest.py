"""English extractors, made once: loading the model is most of what a test would take."""

from __future__ import annotations

import pytest

from errata.edits.en import EnglishExtractor
from errata.edits.en.analysers import make_analyser
from errata.edits.en.analysis import Analyser
from errata.edits.en.spacy_analyser import SpacyAnalyser


@pytest.fixture(scope="session")
def analyser() -> Analyser:
    return make_analyser()


@pytest.fixture(scope="session")
def spacy_analyser() -> SpacyAnalyser:
    return SpacyAnalyser()


@pytest.fixture(scope="session")
def extractor(analyser: Analyser) -> EnglishExtractor:
    return EnglishExtractor(analyser=analyser)
