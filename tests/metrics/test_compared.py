"""The part of a signature that tells one gold from another."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from edit_cases import edit

from errata.formats import write_corpus
from errata.metrics import METRICS, Item, get_metric, score
from errata.metrics.base import metric_class
from errata.metrics.inputs import Gold, Hypothesis, make_items, read_gold, read_parallel
from errata.metrics.references import limit_references
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence, Status

SOURCE = Sentence(("He", "go", "home", "."))
GOES = Annotation("0", (Edit(1, 2, ("goes",), "R:VERB:SVA"),))
WENT = Annotation("1", (Edit(1, 2, ("went",), "R:VERB:TENSE"),))
FIELDS = re.compile(r"\|gold:(\w+)\|digest:([0-9a-f]{8})\|refs:(\d+(?:-\d+)?)$")


def fields(items: list[Item], metric: str = "errant", **options: object) -> tuple[str, str, str]:
    """How the gold came about, its digest and the number of references."""
    found = FIELDS.search(score(items, metric, **options).signature)
    assert found
    kind, digest, refs = found.groups()
    return kind, digest, refs


def against(*references: str | Annotation, source: Sentence = SOURCE, labels: tuple[str, ...] | None = None) -> Item:
    return Item(source, Annotation(), references, labels, ())


@pytest.mark.parametrize("name", [name for name in METRICS if metric_class(name).needs_references])
def test_every_metric_signs_the_gold(name: str) -> None:
    options = {"weights": "none"} if name in ("gotoscorer", "pt-errant", "pt-m2") else {}
    kind, _, refs = fields([against(GOES, WENT, labels=("CM",))], name, **options)
    labelled = name in ("detection", "identification")
    assert kind == ("labels" if labelled else "texts" if name in ("gleu", "green", "exact-match") else "edits")
    assert refs == ("1" if labelled or name == "gotoscorer" else "2")


@pytest.mark.parametrize(
    ("metric", "reference", "kind"),
    [
        ("errant", GOES, "edits"),
        ("errant", "He goes home .", "extracted"),
        ("gleu", GOES, "texts"),
        ("gleu", "He goes home .", "texts"),
        ("detection", GOES, "references"),
        ("detection", "He goes home .", "references"),
    ],
)
def test_how_the_gold_came_about(metric: str, reference: str | Annotation, kind: str) -> None:
    assert fields([against(reference)], metric)[0] == kind


def test_edits_of_a_file_beside_extracted_ones_are_mixed() -> None:
    assert fields([against(GOES, "He went home .")])[0] == "mixed"


def test_a_sentence_that_needs_no_correction_says_nothing_about_how() -> None:
    texts = [against("He goes home ."), against(Annotation("0"))]
    assert fields(texts) == fields([against("He goes home ."), against(" ".join(SOURCE.tokens))])
    assert fields(texts)[0] == "extracted"


@pytest.mark.parametrize(
    "other",
    [
        against(replace(GOES, edits=(edit(1, 2, "goes", "R:VERB"),))),
        against(replace(GOES, edits=(edit(1, 2, "gone", "R:VERB:SVA"),))),
        against(replace(GOES, edits=(edit(0, 2, "goes", "R:VERB:SVA"),))),
        against(replace(GOES, edits=())),
        against(GOES, source=Sentence(("She", "go", "home", "."))),
        against(GOES, GOES),
        against("He goes home ."),
    ],
    ids=["type", "correction", "span", "no edits", "source", "reference more", "text"],
)
def test_other_gold_has_another_signature(other: Item) -> None:
    assert fields([against(GOES)]) != fields([other])


@pytest.mark.parametrize("metric", ["gleu", "exact-match"])
def test_metrics_over_texts_do_not_mind_how_a_file_says_them(metric: str) -> None:
    assert fields([against(GOES)], metric) == fields([against("He goes  home . ")], metric)
    assert fields([against(GOES)], metric) != fields([against("He went home .")], metric)


def test_the_hypothesis_is_not_part_of_the_gold() -> None:
    assert fields([against(GOES)]) == fields([replace(against(GOES), hypothesis=WENT)])


def test_the_order_of_sentences_is_part_of_the_gold() -> None:
    one, other = against(GOES), against(WENT)
    assert fields([one, other])[1] != fields([other, one])[1]


@pytest.mark.parametrize(
    ("items", "refs"),
    [
        ([against(GOES), against(GOES, WENT)], "1-2"),
        ([against(GOES, WENT)], "2"),
        ([against()], "1"),  # nobody wrote anything: the sentence counts as correct
        ([against(GOES, Annotation("1", status=Status.NOT_ANNOTATABLE))], "1"),
        ([against(GOES), against(Annotation(status=Status.NOT_ANNOTATABLE))], "1"),  # the second is not scored
        ([against(Annotation(status=Status.NOT_ANNOTATABLE))], "0"),
        ([against(replace(GOES, alignment=0), replace(GOES, alignment=1))], "1"),
    ],
)
def test_references_are_counted_as_they_are_scored(items: list[Item], refs: str) -> None:
    assert fields(items)[2] == refs


def test_who_annotated_matters_for_the_mean_over_annotators_only() -> None:
    one = [against(GOES), against(replace(WENT, annotator="0"))]
    other = [against(GOES), against(WENT)]
    assert fields(one) == fields(other)
    assert fields(one, per_annotator=True) != fields(other, per_annotator=True)


def test_a_limit_on_references_stands_beside_their_number() -> None:
    signature = score([against(GOES, WENT)], limit_references(get_metric("errant"), 1)).signature
    assert "|max-refs:1|" in signature and signature.endswith("|refs:2")


def test_what_one_hypothesis_needed_is_not_said_of_the_next() -> None:
    """The metric is shared by the hypotheses of a run; only the first of these has to be analysed."""
    metric = get_metric("errant")
    text, edits = [replace(against(GOES), hypothesis="He goes home .")], [against(GOES)]
    signatures = [score(items, metric).signature for items in (text, edits)]
    assert "|spacy:" in signatures[0] and "edits:given" not in signatures[0]
    assert "|edits:given|" in signatures[1] and "spacy" not in signatures[1]


FORMATS = {"m2": "gold.m2", "m2scorer": "gold.m2", "cherrant": "gold.m2", "jsonl": "gold.jsonl"}


@pytest.mark.parametrize("format", FORMATS)
def test_the_format_of_the_gold_does_not_matter(tmp_path: Path, format: str) -> None:
    sentences = [
        AnnotatedSentence(SOURCE, (GOES, WENT)),
        AnnotatedSentence(Sentence(("Fine", ".")), (Annotation("0"),)),
        AnnotatedSentence(Sentence(("A", "big", "dog")), (Annotation("0", (Edit(1, 2, (), "U:ADJ"),)),)),
    ]
    path = tmp_path / FORMATS[format]
    write_corpus(sentences, path, format)
    answers = [Hypothesis(Annotation())] * len(sentences)
    found = [make_items(gold, answers) for gold in (Gold("here", tuple(sentences)), read_gold(path, format))]
    for metric in ("errant", "maxmatch", "gleu", "exact-match", "detection"):
        assert fields(found[0], metric) == fields(found[1], metric)


def test_files_and_tables_of_texts_are_the_same_gold(tmp_path: Path) -> None:
    rows = [("他去校", "他去学校"), ("天气好。", "天气好。")]
    (tmp_path / "src").write_text("".join(f"{source}\n" for source, _ in rows), "utf-8")
    (tmp_path / "ref").write_text("".join(f"{target}\n" for _, target in rows), "utf-8")
    (tmp_path / "gold.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in rows), "utf-8")
    (tmp_path / "gold.para").write_text(f"1\t{rows[0][0]}\t{rows[0][1]}\n2\t{rows[1][0]}\t没有错误\n", "utf-8")
    golds = [
        read_parallel(tmp_path / "src", [tmp_path / "ref"]),
        read_gold(tmp_path / "gold.tsv"),
        read_gold(tmp_path / "gold.para"),
    ]
    answers = [Hypothesis(Annotation())] * 2
    assert len({fields(make_items(gold, answers), "cherrant") for gold in golds}) == 1
