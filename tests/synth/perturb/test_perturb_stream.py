"""Corpora of any length: the same variants whatever the number of processes and the part that is asked for."""

from __future__ import annotations

import pytest

from errata.errors import UsageError
from errata.formats.robustgec import format_cases
from errata.model import AnnotatedSentence, Annotation, Sentence
from errata.synth.perturb import stream
from errata.synth.perturb.drawing import parse_shares
from errata.synth.perturb.page import Collector, format_page
from errata.synth.perturb.stream import Job, NoSentences, Session
from errata.synth.perturb.variants import PerturbOptions, Tally

LINES = [
    ("My friend like the big dog of my neighbour .", "My friend likes the big dog of my neighbour ."),
    ("The film was very interesting .", "The film was very interesting ."),
    ("Her brother have a beautiful house in London .", "Her brother has a beautiful house in London ."),
    ("I bought two books and a expensive bag .", "I bought two books and an expensive bag ."),
    ("We usually cook dinner at the weekend .", "We usually cook dinner at the weekend ."),
    ("They is nice .", "They are nice ."),
    ("The teacher explained the problem to my sister .", "The teacher explained the problem to my sister ."),
]
CORPUS = [AnnotatedSentence(Sentence(tuple(s.split())), (Annotation(target=t),)) for s, t in LINES]


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "CHUNK", 2)


def run(seed: int = 0, **settings: int) -> tuple[str, Tally]:
    session = Session(CORPUS, Job("en", options=PerturbOptions(seed=seed)))
    text, total = "", Tally()
    for chunk, tally in session.run(**settings):
        text += "".join(format_cases(varied.as_case() for varied in chunk))
        total.add(tally)
    return text, total


def test_the_number_of_processes_does_not_matter() -> None:
    one, two = run(), run(workers=2)
    assert one == two
    assert one[0].count("O-S") >= 5


def test_parts_are_those_of_the_whole() -> None:
    """So that a run that broke off can be continued: parts one after the other are the whole."""
    whole = run()[0]
    assert run(limit=3)[0] + run(skip=3)[0] == whole


def test_the_seed_decides() -> None:
    assert run(seed=1)[0] != run()[0]


def test_the_tally_adds_up() -> None:
    _, tally = run()
    assert tally.n_sentences == len(CORPUS)
    assert sum(tally.by_variants.values()) == len(CORPUS)
    assert tally.variants.total() + tally.rejected.total() == tally.n_candidates


@pytest.mark.parametrize("corpus", [[], [AnnotatedSentence(Sentence(("A", "."))) for _ in range(3)]])
def test_nothing_to_perturb(corpus: list[AnnotatedSentence]) -> None:
    with pytest.raises(NoSentences):
        Session(corpus, Job("en"))


@pytest.mark.parametrize("text", ["", "replace", "insert=0", "insert=-1", "insert=x", "insert=nan", "insert=inf"])
def test_shares_that_make_no_sense(text: str) -> None:
    with pytest.raises(UsageError):
        parse_shares(text)


def test_only_the_actions_asked_for() -> None:
    session = Session(CORPUS, Job("en", options=PerturbOptions(shares=parse_shares("insert"))))
    actions = {one.site.action for chunk, _ in session.run() for varied in chunk for one in varied.candidates}
    assert actions == {"insert"}


def test_the_page_shows_errors_and_changes() -> None:
    session = Session(CORPUS, Job("en", options=PerturbOptions(shares=parse_shares("substitute"))))
    collector = Collector(0, size=3)
    for chunk, _ in session.run():
        for number, varied in enumerate(chunk, 1):
            collector.add(number, varied)
    assert len(collector.rows) == 3
    everything = Collector(0, size=1000)
    for chunk, _ in Session(CORPUS[:1], Job("en", options=PerturbOptions(shares=parse_shares("substitute")))).run():
        everything.add(1, chunk[0])
    row = everything.rows[0]
    assert "[like → likes]" in row.original and "[like → likes]" in row.variant
    assert row.original.count("{") == row.variant.count("{") == 1
    table = "".join(format_page(everything.rows, as_table=True)).splitlines()
    assert {line.count("\t") for line in table} == {6}
    assert "| 1 | A1 | substitute |" in "".join(format_page(everything.rows, as_table=False))
