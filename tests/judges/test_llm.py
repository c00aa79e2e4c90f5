"""A language model as judge: what it is asked, how its answers are read, and what is kept, against a real server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import errata
from errata.errors import DataError, UnknownName, UsageError
from errata.judges.llm.metric import Llm, LlmOptions
from errata.judges.llm.prompt import (
    ASPECTS,
    VERSION,
    VIEWS,
    Question,
    make_template,
    mark_edits,
    read_ratings,
    write_question,
)
from errata.metrics.base import Item, Metric, get_metric
from errata.model import Edit, Sentence
from errata.training.digests import key_of
from unruly_server import said, unruly

OK = (200, {}, said("4"))
SOURCES = ["She go home .", "He runs .", "They is here ."]
HYPOTHESES = ["She goes home .", "He runs .", "They are here ."]


def make(folder: Path, endpoint: str, **settings: Any) -> str:
    folder.mkdir(exist_ok=True)
    told = {"model": "m", "endpoint": endpoint, "concurrency": 1, "attempts": 1, **settings}
    manifest = {"system": "prompted", "language": settings.pop("language", "en"), "settings": told}
    told.pop("language", None)
    (folder / "errata.json").write_text(json.dumps(manifest))
    return str(folder)


def question_of(request: dict[str, Any]) -> str:
    content: str = request["body"]["messages"][-1]["content"]
    return content


def targets(body: dict[str, Any]) -> list[str]:
    """The numbered corrections of a question."""
    return re.findall(r"^\d\. (.*)$", body["messages"][-1]["content"], re.M)


def by_length(body: dict[str, Any]) -> str:
    """Ratings that tell corrections apart: 1 to 5 by the number of letters."""
    return " ".join(str(1 + len(text) % 5) for text in targets(body))


def judge(model: str, **options: Any) -> Metric[Any]:
    return get_metric("llm", model=model, allow_network=True, **options)


def items(
    sources: list[str] = SOURCES, hypotheses: list[str] = HYPOTHESES, systems: tuple[str, ...] = ()
) -> list[Item]:
    return [Item(Sentence(tuple(a.split()), a), b, systems=systems) for a, b in zip(sources, hypotheses, strict=True)]


def test_a_corpus_has_the_mean_rating(tmp_path: Path) -> None:
    with unruly((200, {}, said("5")), (200, {}, said("2")), OK) as web:
        model = make(tmp_path / "judge", web.address)
        found = errata.score(SOURCES, HYPOTHESES, metric="llm", model=model, allow_network=True)
    assert found.parts == {"llm": pytest.approx((11 / 3 - 1) / 4), "rating": pytest.approx(11 / 3)}
    assert found.value == found.parts["llm"]
    origin = web.address.removesuffix("/v1")
    expected = f"|model:m|at:{origin}|view:sentences|aspect:overall|prompt:en-{VERSION}|temperature:0|gold:none|"
    assert expected in found.signature
    assert [request["body"]["temperature"] for request in web.requests] == [0, 0, 0]
    assert [targets(request["body"]) for request in web.requests] == [[text] for text in HYPOTHESES]
    assert "Source: She go home ." in question_of(web.requests[0])


def test_nothing_is_sent_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with unruly(OK) as web:
        model = make(tmp_path, web.address)
        with pytest.raises(UsageError, match=r"would send your text to http://127\.0\.0\.1"):
            errata.score(SOURCES, HYPOTHESES, metric="llm", model=model)
        assert not web.requests
        monkeypatch.setenv("ERRATA_ALLOW_ENDPOINT", web.address)
        assert errata.score(SOURCES, HYPOTHESES, metric="llm", model=model).value == 0.75


def test_no_model_is_asked_unless_one_is_named() -> None:
    with pytest.raises(UsageError, match=r"name the folder of a prompted one \(model=./judge\)"):
        errata.score(SOURCES, HYPOTHESES, metric="llm")
    with pytest.raises(UsageError, match="is no prompted model but tagger"):
        errata.score(SOURCES, HYPOTHESES, metric="llm", model="en-small")


def test_an_unreadable_answer_is_asked_for_once_more(tmp_path: Path) -> None:
    with unruly((200, {}, said("I would say 4 out of 5.")), OK) as web:
        metric = judge(make(tmp_path, web.address))
        assert metric.stats(items()[:1]) == [4]
    first, second = map(question_of, web.requests)
    assert second.startswith(first) and "nothing but these numbers" in second


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (said("Very good!"), "it said 'Very good!'"),
        (said("6"), "it said '6'"),
        (said("4", finish="length"), "it said '4'"),
        (said("", finish="content_filter"), "it refused"),
    ],
    ids=["words", "out of range", "cut off", "refused"],
)
def test_an_answer_that_is_unreadable_twice_is_one_clear_line(tmp_path: Path, answer: str, shown: str) -> None:
    with unruly(OK, (200, {}, answer)) as web:
        model = make(tmp_path, web.address)
        with pytest.raises(DataError, match="did not rate 2 of the sentences, asked twice") as caught:
            judge(model).stats(items())
        assert shown in str(caught.value) and "\n" not in str(caught.value)
        assert len(web.requests) == 5
        web.script = [OK]
        assert judge(model).stats(items()) == [4, 4, 4]  # what was rated is kept, what was not is asked again
    assert len(web.requests) == 7


def test_a_killed_run_goes_on_from_its_journal(tmp_path: Path) -> None:
    with unruly(OK, OK, (500, {}, "down")) as web:
        model = make(tmp_path, web.address)
        with pytest.raises(DataError, match="run it again to continue"):
            judge(model).stats(items())
        web.script = [OK]
        n_before = len(web.requests)
        assert judge(model).stats(items()) == [4, 4, 4]
        assert len(web.requests) - n_before == 1
        assert "home" not in (tmp_path / "ratings.jsonl").read_text()  # keys are digests
        # Whatever ratings depend on makes another key.
        judge(model, aspect="fluency").stats(items()[:1])
        judge(model, view="edits").stats(items()[:1])
        judge(make(tmp_path, web.address, model="other")).stats(items()[:1])
    assert len(web.requests) - n_before == 4


def test_without_a_journal_nothing_is_kept(tmp_path: Path) -> None:
    with unruly(OK) as web:
        model = make(tmp_path, web.address, journal=None)
        for _ in range(2):
            judge(model).stats(items()[:1])
    assert len(web.requests) == 2 and not (tmp_path / "ratings.jsonl").exists()


def test_equal_corrections_are_asked_once(tmp_path: Path) -> None:
    with unruly(OK) as web:
        assert judge(make(tmp_path, web.address)).stats([*items(), *items()]) == [4] * 6
    assert len(web.requests) == 3


def test_an_empty_correction_is_the_worst_and_is_not_shown(tmp_path: Path) -> None:
    with unruly(OK) as web:
        metric = judge(make(tmp_path, web.address))
        assert metric.stats(items(["She go .", "", "She go ."], ["", "", "  "])) == [1, 5, 1]
        assert metric.aggregate([]).value == 0.0
    assert not web.requests


def test_edits_are_shown_in_brackets(tmp_path: Path) -> None:
    with unruly(OK) as web:
        judge(make(tmp_path, web.address), view="edits", aspect="impact").stats(items())
    assert [targets(request["body"]) for request in web.requests] == [
        ["She [go→goes] home ."],
        ["He runs ."],
        ["They [is→are] here ."],
    ]
    assert "impact of the edits" in question_of(web.requests[0])


def test_chinese_is_asked_in_chinese(tmp_path: Path) -> None:
    with unruly(OK) as web:
        metric = judge(make(tmp_path, web.address, language="zh"), view="edits")
        metric.stats([Item(Sentence(tuple("我爱你门。")), "我爱你们。")])
    assert targets(web.requests[0]["body"]) == ["我爱你[门→们]。"]
    assert "原句: 我爱你门。" in question_of(web.requests[0])


def test_corrections_of_several_systems_are_rated_together(tmp_path: Path) -> None:
    systems = tuple(f"She goes home{' now' * n} ." for n in range(1, 7))
    with unruly(OK, reply=by_length) as web:
        metric = judge(make(tmp_path, web.address), together=True)
        found = metric.stats(items(SOURCES[:1], HYPOTHESES[:1], systems))
        [again] = metric.stats(items(SOURCES[:1], [systems[3]], (HYPOTHESES[0], *systems)))
        assert found == [1 + len(HYPOTHESES[0]) % 5] and again == 1 + len(systems[3]) % 5
    # Seven different corrections: five and two, whichever of them is the hypothesis.
    assert [len(targets(request["body"])) for request in web.requests] == [5, 2]
    assert "systems:6|outputs:" in metric.compared(items(SOURCES[:1], HYPOTHESES[:1], systems))


def test_systems_are_compared_side_by_side(tmp_path: Path) -> None:
    with unruly(OK, reply=by_length) as web:
        model = make(tmp_path, web.address)
        options: dict[str, Any] = {"metric": "llm", "model": model, "allow_network": True, "together": True}
        found = errata.compare(SOURCES, {"a": HYPOTHESES, "b": SOURCES}, n_resamples=20, **options)
    assert found.scores["a"].value != found.scores["b"].value
    assert sorted(len(targets(request["body"])) for request in web.requests) == [1, 2, 2]


def test_the_fast_way_to_resample_agrees_with_the_plain_one(tmp_path: Path) -> None:
    with unruly(OK, reply=by_length) as web:
        metric = judge(make(tmp_path, web.address))
        stats = metric.stats(items())
        rows = np.array([[0, 0, 1], [2, 1, 0]])
        assert metric.resample(stats, rows) == pytest.approx(Metric.resample(metric, stats, rows))
        assert metric.sentence_scores(stats) == pytest.approx([(rating - 1) / 4 for rating in stats])


@pytest.mark.parametrize(("options", "fault"), [({"view": "words"}, "view"), ({"aspect": "impact"}, "aspect")])
def test_views_and_aspects_go_together(options: dict[str, str], fault: str) -> None:
    with pytest.raises(UnknownName, match=fault):
        Llm(LlmOptions(**options))  # type: ignore[arg-type]


@given(st.lists(st.integers(1, 5), min_size=1, max_size=5))
def test_ratings_are_read_as_they_are_written(ratings: list[int]) -> None:
    assert read_ratings(" ".join(map(str, ratings)) + "\n", len(ratings)) == tuple(ratings)
    assert read_ratings(" ".join(map(str, ratings)), len(ratings) + 1) is None


@given(st.text(max_size=8))
def test_what_is_no_rating_is_never_read_as_one(text: str) -> None:
    assert (read_ratings(text, 1) is not None) == (text.strip() in tuple("12345"))


@pytest.mark.parametrize(
    ("edits", "shown"),
    [
        ([], "He go home ."),
        ([Edit(1, 2, ("goes",)), Edit(3, 3, ("now",))], "He [go→goes] home [→now] ."),
        ([Edit(0, 1, ())], "[He→] go home ."),
    ],
)
def test_marks_of_edits(edits: list[Edit], shown: str) -> None:
    assert mark_edits(("He", "go", "home", "."), edits) == shown


def test_prompts_change_only_with_their_version() -> None:
    """Ratings of another prompt must not be taken for these: raise VERSION, then write the new digest here."""
    texts = [
        make_template(language, view, aspect).as_dict()
        for language in ("en", "zh")
        for view in VIEWS
        for aspect in ASPECTS[view]
    ]
    questions = [write_question(Question("a", ("b",) * n), language) for n in (1, 3) for language in ("en", "zh")]
    assert (VERSION, key_of(texts, questions)[:8]) == (1, "5765cb70")
