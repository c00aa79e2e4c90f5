"""The queue in front of a model: what is corrected together, in which order, and for whom."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_corrector import SlowCorrector, TableModel, load_table

from errata.model import Tokens
from errata.pipeline.sentences import SentenceCorrector
from errata.systems.base import ProposedEdit
from errata.web.batching import BATCH_CHARACTERS, Batcher
from errata.web.metrics import Metrics
from errata.web.recent import RecentSentences
from errata.web.refusals import Refusal

Make = Callable[..., Batcher]


@pytest.fixture
def make() -> Iterator[Make]:
    made: list[Batcher] = []

    def batcher(corrector: SentenceCorrector, *, capacity: int = 10, patience: float = 30.0) -> Batcher:
        made.append(
            Batcher("en", corrector, capacity=capacity, patience=patience, workers=1, recent=100, metrics=Metrics())
        )
        return made[-1]

    yield batcher
    for one in made:
        one.close()


@pytest.fixture
def slow() -> Iterator[SlowCorrector]:
    corrector = SlowCorrector()
    yield corrector
    corrector.gate.set()


def test_every_sentence_gets_its_own_edits(make: Make) -> None:
    batcher = make(load_table("en"))
    found = batcher.submit(["We go.", "Fine.", "We go."]).result(10)
    assert [[one.edit.replacement for one in some] for some in found] == [["goes"], [], ["goes"]]
    assert batcher.submit([]).result(10) == []


def wait_for_first_batch(slow: SlowCorrector) -> None:
    while not slow.asked:
        threading.Event().wait(0.005)


def test_what_waits_is_corrected_together(make: Make, slow: SlowCorrector) -> None:
    batcher = make(slow)
    first = batcher.submit(["One."])
    wait_for_first_batch(slow)
    others = [batcher.submit([f"Number {n}.", "The same."]) for n in range(5)]
    slow.gate.set()
    assert [future.result(10) for future in (first, *others)] == [[()]] + [[(), ()]] * 5
    assert slow.asked == [["One."], ["Number 0.", "The same.", "Number 1.", "Number 2.", "Number 3.", "Number 4."]]


def test_a_short_request_does_not_wait_for_the_end_of_a_long_one(make: Make, slow: SlowCorrector) -> None:
    batcher = make(slow)
    blocker = batcher.submit(["One."])
    wait_for_first_batch(slow)
    long = batcher.submit([f"{n} {'word ' * 99}end." for n in range(100)])
    short = batcher.submit(["Short."])
    slow.gate.set()
    assert [future.result(10) for future in (blocker, short)] and len(long.result(10)) == 100
    assert "Short." in slow.asked[1]
    assert all(sum(map(len, batch)) < BATCH_CHARACTERS + 600 for batch in slow.asked)


class WatchedModel(TableModel):
    """A table that notes how many letters it reads at a time."""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self.read: list[int] = []

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        self.read.append(sum(len(token) for tokens in sentences for token in tokens))
        return super().propose(sentences)


@pytest.mark.parametrize(
    ("language", "sentence", "n_edits"),
    [
        ("en", "we go to school and I very like my freind who go to " * 100, 500),
        ("zh", "他做的很好，我很做，" * 1000, 2000),
        ("en", "go" * 5000, 0),
    ],
    ids=["english", "chinese", "one word"],
)
def test_a_sentence_too_long_for_a_model_is_corrected_piece_by_piece(
    make: Make, language: str, sentence: str, n_edits: int
) -> None:
    model = WatchedModel(language)
    corrector = SentenceCorrector(model, name="watched")
    [whole, fine] = corrector.look([(sentence.strip(), None), ("Fine.", None)])
    model.read.clear()
    futures = [make(corrector).submit([sentence.strip(), "Fine."]) for _ in range(2)]
    assert [future.result(10) for future in futures] == [[whole, fine]] * 2
    assert len(whole) == n_edits and (not n_edits or max(model.read) < BATCH_CHARACTERS + 600)


def test_tiny_requests_say_little_about_the_speed(make: Make) -> None:
    """A queue must not be thought slow because a model takes its time with two letters."""
    batcher = make(load_table("en"))
    batcher.submit(["word " * 200 + f"{n}." for n in range(100)]).result(10)
    usual = batcher.pace.speed
    for n in range(60):
        batcher.submit([f"{n}"]).result(10)
    assert batcher.pace.speed == pytest.approx(usual, rel=0.05)


def test_a_full_queue_refuses_and_says_when_to_come_back(make: Make, slow: SlowCorrector) -> None:
    batcher = make(slow, capacity=2)
    waiting = [batcher.submit(["One."])]
    wait_for_first_batch(slow)
    waiting += [batcher.submit([f"{n}."]) for n in range(2)]
    with pytest.raises(Refusal, match="too many requests") as refused:
        batcher.submit(["Three."])
    assert refused.value.status == 503 and int(refused.value.headers["Retry-After"]) >= 1
    waiting[1].cancel()  # whoever went away makes room
    waiting[1] = batcher.submit(["Three."])
    slow.gate.set()
    assert [future.result(10) for future in waiting] == [[()]] * 3


def test_a_request_that_would_wait_too_long_is_refused_at_once(make: Make, slow: SlowCorrector) -> None:
    batcher = make(slow, capacity=100, patience=1.0)
    waiting = [batcher.submit(["One."])]
    wait_for_first_batch(slow)
    long = ["word " * 200 + f"{n}." for n in range(20)]  # two seconds at the speed a queue begins with
    waiting.append(batcher.submit(long))  # nobody is before it
    waiting.append(batcher.submit(["Short."]))  # its turn comes soon
    with pytest.raises(Refusal, match="too many requests") as refused:
        batcher.submit([f"Other {sentence}" for sentence in long])
    assert int(refused.value.headers["Retry-After"]) >= 2
    slow.gate.set()
    assert [len(future.result(10)) for future in waiting] == [1, 20, 1]


def test_a_queue_counts_on_sentences_being_looked_at_again(make: Make, slow: SlowCorrector) -> None:
    """Where all sentences are looked at three times, a queue of half a second is one of a second and a half."""
    batcher = make(slow, capacity=100, patience=1.0)
    waiting = [batcher.submit(["One."])]
    wait_for_first_batch(slow)
    waiting.append(batcher.submit(["word " * 200 + f"{n}." for n in range(5)]))
    short = ["word " * 200 + "short."]
    waiting.append(batcher.submit(short))
    for _ in range(2):
        waiting.append(batcher.submit([f"again {n} " * 1000 for n in range(5)], since=time.monotonic()))
    for future in waiting[-2:]:
        future.cancel()
    with pytest.raises(Refusal, match="too many requests"):
        batcher.submit(["word " * 200 + f"other {n}." for n in range(5)])
    slow.gate.set()
    assert [len(future.result(10)) for future in waiting[:-2]] == [1, 5, 1]


@pytest.mark.parametrize(("n_sentences", "is_helped"), [(20, True), (2000, False)], ids=["long", "hopeless"])
def test_a_long_request_does_not_wait_for_short_ones_for_ever(
    make: Make, slow: SlowCorrector, n_sentences: int, is_helped: bool
) -> None:
    batcher = make(slow, capacity=1000, patience=100.0)
    waiting = [batcher.submit(["One."])]
    wait_for_first_batch(slow)
    long = [f"{n} {'word ' * 99}end." for n in range(n_sentences)]
    waiting.append(batcher.submit(long, since=time.monotonic() - 30.0))
    waiting += [batcher.submit([f"Short {n} {'word ' * 99}end."]) for n in range(200)]
    slow.gate.set()
    assert [len(future.result(10)) for future in waiting] == [1, n_sentences, *[1] * 200]
    with_long = [any(sentence in long for sentence in batch) for batch in slow.asked[1:]]
    n_batches = with_long.index(False) if False in with_long else len(with_long)
    assert (n_batches >= n_sentences // 3) is is_helped
    assert any(sentence.startswith("Short") for sentence in slow.asked[1])


def test_work_nobody_waits_for_is_dropped(make: Make, slow: SlowCorrector) -> None:
    batcher = make(slow)
    first = batcher.submit(["One."])
    wait_for_first_batch(slow)
    gone, stays = batcher.submit(["Gone."]), batcher.submit(["Stays."])
    assert gone.cancel()
    slow.gate.set()
    assert [first.result(10), stays.result(10)] == [[()], [()]]
    assert slow.asked == [["One."], ["Stays."]]


def test_a_sentence_that_fails_fails_alone(make: Make, slow: SlowCorrector) -> None:
    batcher = make(slow)
    first = batcher.submit(["One."])
    wait_for_first_batch(slow)
    good, bad = batcher.submit(["We go."]), batcher.submit(["Fine.", "Poison."])
    slow.gate.set()
    assert first.result(10) == [()] and good.result(10)[0][0].edit.replacement == "goes"
    with pytest.raises(RuntimeError, match="no model can take"):
        bad.result(10)
    assert batcher.submit(["We go."]).result(10)[0][0].edit.replacement == "goes"  # the worker lives


def test_what_was_corrected_is_remembered(make: Make, slow: SlowCorrector) -> None:
    slow.gate.set()
    batcher = make(slow)
    for _ in range(3):
        assert batcher.submit(["We go.", "Fine."]).result(10)[0][0].edit.replacement == "goes"
    batcher.submit(["We go.", "New."]).result(10)
    assert slow.asked == [["We go.", "Fine."], ["New."]]


def test_recent_sentences_are_bounded() -> None:
    recent = RecentSentences(2)
    for sentence in ("a", "b", "a", "c", "x" * 5000):
        if recent.get(sentence) is None:
            recent.put(sentence, ())
    assert len(recent) == 2 and recent.get("b") is None and recent.get("a") == ()
    nothing = RecentSentences(0)
    nothing.put("a", ())
    assert nothing.get("a") is None


def test_closing_finishes_what_is_queued(make: Make, slow: SlowCorrector) -> None:
    batcher = make(slow)
    waiting = [batcher.submit([f"{n}."]) for n in range(5)]
    closing = threading.Thread(target=batcher.close)
    closing.start()
    slow.gate.set()
    closing.join(10)
    assert [future.result(0) for future in waiting] == [[()]] * 5
    with pytest.raises(Refusal, match="shutting down"):
        batcher.submit(["Late."])


SENTENCES = st.lists(st.sampled_from("go freind very I school boom .".split()), max_size=8).map(" ".join)
REQUESTS = st.lists(st.lists(SENTENCES, max_size=6), min_size=1, max_size=12)
# Which request gets a long sentence, and how often LONG is repeated in it: more than a batch has room for. The numbers
# are drawn and not the text, since Hypothesis warns when it has to print that much.
LONG = "we go through unquestionable neighbourhoods very "
LONG_SENTENCES = st.lists(st.tuples(st.integers(0, 11), st.integers(90, 110)), max_size=2)
# A busy machine is slow, not wrong: nothing is refused, and nobody gives up within these seconds.
PATIENCE = 600.0


@settings(max_examples=30, deadline=None)
@given(REQUESTS, LONG_SENTENCES)
def test_an_answer_does_not_depend_on_what_it_was_batched_with(
    requests: list[list[str]], long: list[tuple[int, int]]
) -> None:
    texts = [list(sentences) for sentences in requests]
    for place, n_times in long:
        texts[place % len(texts)].append(LONG * n_times)
    corrector = load_table("en")
    batcher = Batcher("en", corrector, capacity=50, patience=PATIENCE, workers=3, recent=5, metrics=Metrics())
    with closing(batcher):
        futures = [batcher.submit(sentences) for sentences in texts]
        for sentences, future in zip(texts, futures, strict=True):
            assert future.result(PATIENCE) == corrector.look([(sentence, None) for sentence in sentences])
