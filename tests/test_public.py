"""The package as people meet it: what it exports, how fast it imports, and its verbs with their mistakes."""

from __future__ import annotations

import logging
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import errata
from errata.metrics import get_metric
from errata.metrics.references import limit_references

HEAVY = ("numpy", "spacy", "torch", "transformers", "rich", "typer", "onnxruntime", "importlib.metadata")
VERBS = {
    "correct",
    "load_corrector",
    "extract",
    "score",
    "compare",
    "robust",
    "corpus_stats",
    "read_corpus",
    "write_corpus",
    "train",
}

SOURCES = ["This are a sentence .", "I like cat .", "All is well ."]
GOOD = ["This is a sentence .", "I like cats .", "All is well ."]
OTHER = ["This is sentence .", "I like cat .", "All is well ."]
CHINESE, RIGHT = ["我爱你门。", "他很的高。"], ["我爱你们。", "他很高。"]
M2 = """\
S This are a sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0

S I like cat .
A 2 3|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0

S All is well .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
"""


@pytest.fixture
def corpus(tmp_path: Path) -> errata.Corpus:
    path = tmp_path / "gold.m2"
    path.write_text(M2, encoding="utf-8")
    return errata.read_corpus(path)


def test_all_is_what_is_public() -> None:
    public = {
        name
        for name, value in vars(errata).items()
        if not name.startswith("_")
        and not isinstance(value, types.ModuleType)
        and name not in ("annotations", "TYPE_CHECKING", "lazy_members")
    }
    assert public | {"__version__"} | VERBS == set(errata.__all__)
    assert all(callable(getattr(errata, verb)) and getattr(errata, verb).__doc__ for verb in VERBS)


def test_import_is_light() -> None:
    """`import errata` takes well under 0.3 s because it pulls in none of the heavy packages."""
    code = f"import sys, errata; print([m for m in {HEAVY!r} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert found == "[]"


@pytest.mark.parametrize("references", [GOOD, [[one] for one in GOOD], [*GOOD[:2], [GOOD[2]]]], ids=["1", "n", "mixed"])
def test_score_takes_one_or_several_references(references: Any) -> None:
    found = errata.score(SOURCES, GOOD, references)
    assert (found.metric, found.value, found.parts["tp"], found.interval) == ("errant", 1.0, 2, None)
    assert "|gold:extracted|" in found.signature


def test_score_chooses_the_best_reference_and_knows_options() -> None:
    several = [list(pair) for pair in zip(GOOD, OTHER, strict=True)]
    found = errata.score(SOURCES, OTHER, several, beta=1, bootstrap=50, seed=1)
    assert found.value == 1.0 and found.interval == (1.0, 1.0)
    assert found.signature.startswith("errant|F1|") and found.signature.endswith("|bootstrap:50|seed:1")


def test_score_takes_gold_edits(corpus: errata.Corpus) -> None:
    found = errata.score(SOURCES, SOURCES, corpus)
    assert (found.value, found.parts["fn"]) == (0.0, 2) and "|gold:edits|" in found.signature


def test_score_takes_a_metric_made_before() -> None:
    limited = limit_references(get_metric("errant"), 1, "first")
    assert (
        errata.score(SOURCES, OTHER, [list(pair) for pair in zip(OTHER, GOOD, strict=True)], metric=limited).value == 1
    )


def test_score_of_chinese() -> None:
    assert errata.score(CHINESE, RIGHT, RIGHT, metric="cherrant").value == 1.0


def test_score_warns_as_the_command_does(caplog: pytest.LogCaptureFixture) -> None:
    sources = [f"Word number {number} is here , my friend ." for number in range(6)]
    detokenised = [one.replace(" ,", ",").replace(" .", ".") for one in sources]
    with caplog.at_level(logging.WARNING):
        errata.score(sources, detokenised, sources, metric="exact-match")
    assert "hypotheses: in 100 % of its lines punctuation sticks to the word before" in caplog.text


def test_extract_one_or_many() -> None:
    one = errata.extract(SOURCES[0], GOOD[0])
    many = errata.extract(SOURCES, GOOD)
    assert isinstance(one, errata.Annotation) and one == many[0]
    assert [[edit.type for edit in found.edits] for found in many] == [["R:VERB:SVA"], ["R:NOUN:NUM"], []]
    assert errata.extract([], []) == []


def test_extract_options() -> None:
    assert [edit.type for edit in errata.extract(CHINESE[0], RIGHT[0]).edits] == ["S"]
    assert errata.extract("他喜欢苹果", "他喜欢香蕉", level="word").edits[0].type.startswith("S:")
    assert errata.extract("He go.", "He goes.", tokenise=True).edits[0].replacement == ("goes",)
    assert errata.extract("1 2", "1 3", language="en").edits[0].start == 1


def test_compare() -> None:
    systems = {"baseline": SOURCES, "good": GOOD, "other": OTHER}
    found = errata.compare(SOURCES, systems, GOOD, n_resamples=100)
    assert {name: score.value for name, score in found.scores.items()} == pytest.approx(
        {"baseline": 0.0, "good": 1.0, "other": errata.score(SOURCES, OTHER, GOOD).value}
    )
    assert all(score.interval for score in found.scores.values())
    assert found.tests.keys() == found.differences.keys() == {"good", "other"}
    assert found.tests["good"].method == "paired-bootstrap" and found.tests["good"].difference == 1.0
    assert [(one.number, one.second[0].is_right) for one in found.differences["good"]] == [(1, True), (2, True)]
    assert list(found.pairs) == [("baseline", "good"), ("baseline", "other"), ("good", "other")]
    assert found.pairs["baseline", "good"] == found.tests["good"]
    assert all(found.p_values[pair] >= test.p_value for pair, test in found.pairs.items())
    assert found.ranking[0].name == "good"
    randomised = errata.compare(SOURCES, systems, GOOD, method="randomisation", metric="gleu", n_resamples=50)
    assert randomised.tests["good"].method == "approximate-randomisation"
    assert [one.number for one in randomised.differences["good"]] == [1, 2]


def test_a_corpus_is_written_and_read(corpus: errata.Corpus, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert errata.write_corpus(corpus, tmp_path / "gold.jsonl") == 3
    assert errata.read_corpus(tmp_path / "gold.jsonl") == corpus and not caplog.records
    with caplog.at_level(logging.WARNING):
        errata.write_corpus(corpus, tmp_path / "gold.txt", format="parallel")
    assert (tmp_path / "gold.txt").read_text("utf-8").splitlines()[1] == "I like cat .\tI like cats ."
    assert "gold.txt: parallel cannot say: edit types, in 2 sentences" in caplog.text


def mistake(call: Callable[[], object], error: type[Exception], message: str, id: str) -> Any:
    return pytest.param(call, error, message, id=id)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        mistake(
            lambda: errata.score(SOURCES, GOOD[:2], GOOD),
            errata.AlignmentError,
            "2 hypotheses and 3 sources: give one for each, in the same order",
            "too few hypotheses",
        ),
        mistake(
            lambda: errata.score(SOURCES, GOOD, [GOOD, OTHER]),
            errata.AlignmentError,
            "2 references and 3 sources: give one for each, in the same order",
            "references by annotator",
        ),
        mistake(
            lambda: errata.score("This are", GOOD, GOOD),
            TypeError,
            "sources is of type str: give a list with one entry for each sentence",
            "a text for a list",
        ),
        mistake(
            lambda: errata.score(SOURCES, GOOD, "This is"),  # type: ignore[arg-type]
            TypeError,
            "references is of type str: give a list with one entry for each sentence",
            "a text for references",
        ),
        mistake(
            lambda: errata.score(SOURCES, [*GOOD[:2], None], GOOD),  # type: ignore[list-item]
            TypeError,
            "hypotheses[2] is of type NoneType: give a str",
            "no text",
        ),
        mistake(
            lambda: errata.score(SOURCES, GOOD, [*GOOD[:2], []]),
            errata.DataError,
            "references[2] is empty: give the source itself where nothing is wrong with it",
            "no reference",
        ),
        mistake(lambda: errata.score([], [], []), errata.DataError, "there are no sentences to score", "no sentences"),
        mistake(
            lambda: errata.score(SOURCES, GOOD, GOOD, metric="errrant"),
            errata.UnknownName,
            "unknown metric 'errrant'; did you mean 'errant'? (choose from ",
            "unknown metric",
        ),
        mistake(
            lambda: errata.score(SOURCES, GOOD, GOOD, betta=1),
            errata.UnknownName,
            "unknown option of errant 'betta'; did you mean 'beta'? (choose from ",
            "unknown option",
        ),
        mistake(
            lambda: errata.score(SOURCES, GOOD, GOOD, metric=get_metric("gleu"), order=2),
            errata.UsageError,
            "order is an option of metrics given by name; this one has its options already",
            "options of a metric made before",
        ),
        mistake(
            lambda: errata.score(CHINESE, RIGHT, RIGHT),
            errata.UsageError,
            "the source text is Chinese, errant is for English: use metric='cherrant'",
            "Chinese for errant",
        ),
        mistake(
            lambda: errata.score(SOURCES, GOOD, GOOD, metric="maxmatch", extract="zh"),
            errata.UsageError,
            "the source text is English, extract=zh is for Chinese: use extract='en'",
            "English for a Chinese extractor",
        ),
        mistake(
            lambda: errata.score(SOURCES, GOOD, GOOD, language="zh"),
            errata.UsageError,
            "language='zh': errant is for en",
            "another language than the metric's",
        ),
        mistake(
            lambda: errata.score(SOURCES, GOOD, GOOD, language="fr"),
            errata.UnknownName,
            "unknown language 'fr' (choose from en, zh)",
            "unknown language",
        ),
        mistake(
            lambda: errata.score(SOURCES, GOOD, GOOD, bootstrap=-1),
            errata.UsageError,
            "bootstrap is the number of resamples, at least 0, not -1",
            "negative resamples",
        ),
        mistake(
            lambda: errata.extract("Ça ne va pas du tout .", "Ça va ."),
            errata.UsageError,
            "the source text is in neither English nor Chinese, as far as one can tell: name its language",
            "French",
        ),
        mistake(
            lambda: errata.extract("a b", "a c", language="fr"),
            errata.UnknownName,
            "unknown language 'fr' (choose from auto, en, zh)",
            "unknown language of extraction",
        ),
        mistake(
            lambda: errata.extract("I go", "I goes", level="char"),
            errata.UsageError,
            "level='char': edits of English are over words",
            "English characters",
        ),
        mistake(
            lambda: errata.extract("I go", ["I goes"]),  # type: ignore[call-overload]
            TypeError,
            "source is of type str: give a list with one entry for each sentence",
            "a text and a list",
        ),
        mistake(
            lambda: errata.extract(["I go", "He"], ["I goes"]),
            errata.AlignmentError,
            "1 targets and 2 sources: give one for each, in the same order",
            "too few targets",
        ),
        mistake(
            lambda: errata.extract("I go", "I goes", strategy="all"),
            errata.UsageError,
            "extract gives one annotation for each pair; errata.edits.get_extractor takes a strategy",
            "several alignments",
        ),
        mistake(
            lambda: errata.extract("I go", "I goes", mergee="rules"),
            errata.UnknownName,
            "unknown option of the extractor of en 'mergee'; did you mean 'merge'? (choose from ",
            "unknown option of extraction",
        ),
        mistake(
            lambda: errata.compare(SOURCES, {"one": GOOD}, GOOD),
            errata.UsageError,
            "compare takes at least two systems, not 1",
            "one system",
        ),
        mistake(
            lambda: errata.compare(SOURCES, [GOOD, OTHER], GOOD),  # type: ignore[arg-type]
            TypeError,
            "hypotheses is of type list: give a dict from names to lists of texts",
            "systems without names",
        ),
        mistake(
            lambda: errata.compare(SOURCES, {"one": GOOD, "two": OTHER}, GOOD, method="bootstrapping"),
            errata.UnknownName,
            "unknown method 'bootstrapping'; did you mean 'bootstrap'? (choose from bootstrap, randomisation)",
            "unknown method",
        ),
        mistake(
            lambda: errata.compare(SOURCES, {"one": GOOD, "two": OTHER[:1]}, GOOD),
            errata.AlignmentError,
            "1 two and 3 sources: give one for each, in the same order",
            "too few hypotheses of a system",
        ),
        mistake(
            lambda: errata.read_corpus("nowhere.m2"),
            errata.DataError,
            "nowhere.m2: No such file or directory",
            "no file",
        ),
        mistake(
            lambda: errata.write_corpus([], "gold.doc"),
            errata.UsageError,
            "the suffix of 'gold.doc' names no format; name it with --to or format= (one of ",
            "no format",
        ),
    ],
)
def test_mistakes_are_one_line(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value).startswith(message) and "\n" not in str(caught.value)


def test_a_corpus_of_other_sources_is_refused(corpus: errata.Corpus) -> None:
    with pytest.raises(errata.AlignmentError, match=r"3 sentences in the corpus gold"):
        errata.score(SOURCES[:2], GOOD[:2], corpus)
    with pytest.raises(errata.AlignmentError, match=r"sources:2: differs from the source in gold: 'I like dog \.'"):
        errata.score([SOURCES[0], "I like dog .", SOURCES[2]], GOOD, corpus)
