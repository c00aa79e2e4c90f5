"""The figures of corpora: small ones counted by hand, and the papers' own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import errata
from errata.analysis.corpora import CorpusFiles, find_corpora
from errata.analysis.measuring import measure_all
from errata.analysis.references import extract_edits, list_references
from errata.analysis.statistics import CorpusStats, StatsOptions, measure_corpus, measure_sentences
from errata.errors import DataError, FormatError, UsageError
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence, Status

ROOT = Path(__file__).resolve().parents[2]
M2 = """\
S This are a sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||1
A 2 3|||U:DET||||||REQUIRED|||-NONE-|||1

S I like cat .
A 2 3|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0

S All is well .

S Odd thing .
A 0 1|||UNK|||Odd|||REQUIRED|||-NONE-|||0
A 0 1|||R:ADJ|||Strange|||REQUIRED|||-NONE-|||1
"""


def measure(tmp_path: Path, text: str, name: str = "gold.m2", **options: Any) -> CorpusStats:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return measure_corpus(find_corpora([str(path)])[0], StatsOptions(**options))


def test_a_small_corpus(tmp_path: Path) -> None:
    found = measure(tmp_path, M2)
    assert (found.n_sentences, found.n_tokens, found.n_characters) == (4, 16, 45)
    assert found.lengths == {"mean": 4.0, "median": 4.0, "min": 3, "max": 5, "p95": pytest.approx(4.85)}
    assert (found.n_annotators, found.n_references, found.n_edits) == (2, 8, 6)
    assert found.erroneous_by_annotator == {"0": 0.75, "1": 0.5}
    assert (found.erroneous, found.erroneous_mean) == (0.75, 0.625)
    assert found.edits_per_reference == 6 / 8 and found.edits_per_erroneous_reference == 6 / 5
    # Annotators agree about three of four sentences; by chance they would about half of them.
    assert found.kappa == 0.5
    # Five edits that say how to correct, over the 16 tokens that each of two annotators read.
    assert found.errors_per_10k == pytest.approx(10_000 * 5 / 32)
    assert found.per_10k["VERB"] == pytest.approx(10_000 * 2 / 32)
    assert found.distribution == {2: 3}
    assert found.type_token is None
    assert "1 edits without a correction" in found.notes[0]


def test_an_annotator_with_a_few_alternatives_is_no_reader(tmp_path: Path) -> None:
    """NLPCC-2018: the second annotator stands where a sentence has another correction, and nowhere else."""
    blocks = [f"S a{n} b .\nA 0 1|||R:NOUN|||x|||REQUIRED|||-NONE-|||0\n" for n in range(9)]
    blocks[3] += "A 0 1|||R:NOUN|||y|||REQUIRED|||-NONE-|||1\n"
    found = measure(tmp_path, "\n".join(blocks))
    assert (found.n_annotators, found.kappa, found.n_references) == (1, None, 10)


def test_columns_of_different_number_are_not_people(tmp_path: Path) -> None:
    found = measure(tmp_path, "我爱你门。\t我爱你们。\t我爱你。\n他很的高。\t他很高。\n", "gold.tsv")
    assert (found.n_annotators, found.kappa, found.erroneous_by_annotator) == (None, None, {})
    assert (found.level, found.language, found.references_per_sentence) == ("char", "zh", 1.5)
    assert found.n_edits is None and "3 corrections are texts" in found.notes[0]


def test_edits_are_extracted_on_request(tmp_path: Path) -> None:
    found = measure(
        tmp_path, "我爱你门。\t我爱你们。\n他很的高。\t他很高。\n他来了。\t他来了。\n", "gold.tsv", extract=True
    )
    assert (found.n_edits, found.n_erroneous, found.types) == (2, 2, {"S": 1, "R": 1})
    assert found.notes == ()


def test_fcgec(tmp_path: Path) -> None:
    found = measure_corpus(find_corpora([str(ROOT / "examples/formats/fcgec.json")])[0], StatsOptions(extract=True))
    again = measure_corpus(find_corpora([str(ROOT / "examples/formats/fcgec.json")])[0], StatsOptions())
    assert found.operations == again.operations and sum(found.operations.values()) > 0
    assert found.labels and found.n_erroneous == again.n_erroneous
    assert found.n_edits is not None and again.n_edits is None


def test_a_line_of_text_has_no_references(tmp_path: Path) -> None:
    found = measure(tmp_path, "One line .\nAnother line .\n", "prose.txt")
    assert (found.n_references, found.n_erroneous, found.erroneous, found.n_edits) == (0, None, None, None)


def test_sentences_that_nobody_could_correct_are_counted() -> None:
    sentence = AnnotatedSentence(Sentence(("a",)), (Annotation(status=Status.NOT_ANNOTATABLE),))
    found = errata.corpus_stats(errata.Corpus("c", (sentence,)))
    assert (found.n_not_annotatable, found.n_references) == (1, 0)


def test_in_other_formats_an_annotator_who_is_missing_did_not_look() -> None:
    edit = Edit(0, 1, ("b",), "R:NOUN")
    sentences = [
        AnnotatedSentence(Sentence(("a", ".")), (Annotation("x", (edit,)), Annotation("y", (edit,)))),
        AnnotatedSentence(Sentence(("c", ".")), (Annotation("x"), Annotation("y"))),
        AnnotatedSentence(Sentence(("d", ".")), (Annotation("x", (edit,)),)),
    ]
    found = errata.corpus_stats(errata.Corpus("c", tuple(sentences)))
    assert found.kappa == 1.0 and found.erroneous_by_annotator == {"x": 2 / 3, "y": 0.5}


def test_named_entities_are_counted_where_asked(tmp_path: Path) -> None:
    found = measure(tmp_path, "Barack Obama lives in Paris .\nIt rains .\n", "prose.txt", entities=True)
    assert found.entities_per_sentence == 1.0 and "model:" in found.signature


@pytest.mark.parametrize(
    ("argument", "name", "paths"),
    [
        ("a/dev.m2.xz", "dev", ("a/dev.m2.xz",)),
        ("CWEB=a/dev.m2", "CWEB", ("a/dev.m2",)),
        ("J=src,ref0,ref1", "J", ("src", "ref0", "ref1")),
        ("src.txt,ref", "src", ("src.txt", "ref")),
    ],
)
def test_names_of_corpora(argument: str, name: str, paths: tuple[str, ...]) -> None:
    assert find_corpora([argument]) == [CorpusFiles(name, paths)]


def test_a_path_that_exists_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a=b,c.m2"
    path.write_text(M2, encoding="utf-8")
    assert find_corpora([str(path)]) == [CorpusFiles("a=b,c", (str(path),))]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["a/x.m2", "b/x.m2"], "two corpora are called 'x'"), (["X="], "lacks the name of a file"), (["a,,b"], "lacks")],
)
def test_names_that_make_no_sense(arguments: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        find_corpora(arguments)


def test_an_empty_corpus_has_no_figures() -> None:
    with pytest.raises(DataError, match="no sentences"):
        measure_sentences("empty", "m2", iter(()), StatsOptions())


def test_processes_give_what_one_gives_and_say_what_is_wrong(tmp_path: Path) -> None:
    paths = [tmp_path / f"{n}.m2" for n in range(3)]
    for number, path in enumerate(paths):
        path.write_text(M2 * (number + 1), encoding="utf-8")
    files = find_corpora(map(str, paths))
    assert measure_all(files, StatsOptions(), workers=2) == measure_all(files, StatsOptions())
    paths[1].write_text("S a b\nA 1 9|||R:NOUN|||x|||REQUIRED|||-NONE-|||0\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"1\.m2:2"):
        measure_all(files, StatsOptions(), workers=2)


WORDS = st.lists(st.sampled_from(["a", "cat", "sat", "."]), min_size=1, max_size=5).map(" ".join)


@given(st.lists(st.tuples(WORDS, st.lists(WORDS, max_size=3)), min_size=1, max_size=6))
def test_extraction_keeps_references_and_verdicts(rows: list[tuple[str, list[str]]]) -> None:
    """Whether a text changes its source does not depend on whether its edits are known."""
    sentences = [
        AnnotatedSentence(
            Sentence(tuple(source.split()), source),
            tuple(Annotation(str(n), target=text) for n, text in enumerate(targets)),
        )
        for source, targets in rows
    ]
    filled = list(extract_edits(sentences, "en"))
    assert len(filled) == len(sentences)
    for before, after in zip(map(list_references, sentences), map(list_references, filled), strict=True):
        assert [(one.annotator, one.is_changed) for one in before] == [(one.annotator, one.is_changed) for one in after]
        assert all(one.edits is not None for one in after)


# What the papers have: CWEB's Tables 3 and 4, FCGEC's Tables 3 and 6. Differences: docs/commands/stats.md.
CWEB = {
    "CWEB-G.test.m2": (
        3981,
        80684,
        20.3,
        25.6,
        0.44,
        208.9,
        {"PUNCT": 48.9, "VERB": 23.4, "OTHER": 31.6, "SPELL": 3.8},
    ),
    "CWEB-S.test.m2": (2864, 68459, 23.9, 24.5, 0.39, 147.2, {"PUNCT": 48.7, "DET": 19.7, "NOUN": 12.8, "PREP": 9.8}),
}


@pytest.mark.data
@pytest.mark.parametrize("file", CWEB)
def test_figures_of_cweb(data: Path, file: str) -> None:
    sentences, tokens, length, erroneous, kappa, errors, types = CWEB[file]
    found = errata.corpus_stats(data / "en/cweb/m2" / file)
    assert found.n_sentences == sentences and found.n_tokens == pytest.approx(tokens, rel=0.001)
    assert found.lengths["mean"] == pytest.approx(length, abs=0.05)
    assert found.kappa == pytest.approx(kappa, abs=0.005)
    assert found.erroneous_mean is not None and 100 * found.erroneous_mean == pytest.approx(erroneous, abs=0.06)
    assert found.errors_per_10k == pytest.approx(errors, abs=0.05)
    assert {name: round(found.per_10k[name], 1) for name in types} == types


@pytest.mark.data
def test_figures_of_fce_leave_out_what_has_no_correction(data: Path) -> None:
    found = errata.corpus_stats(data / "en/fce/m2/fce.test.gold.bea19.m2")
    assert found.errors_per_10k == pytest.approx(1084.9, abs=0.05)
    assert found.edits_per_erroneous_reference == pytest.approx(2.6, abs=0.05)


@pytest.mark.data
def test_figures_of_fcgec(data: Path) -> None:
    found = errata.corpus_stats(data / "zh/fcgec/FCGEC_valid.json")
    assert (found.n_sentences, found.n_erroneous) == (2000, 1102)
    total = sum(found.labels.values())
    shares = {name: round(100 * count / total, 2) for name, count in found.labels.items()}
    assert shares == {"IWC": 21.58, "CM": 20.71, "CR": 6.41, "SC": 19.41, "IWO": 16.9, "ILL": 11.27, "AM": 3.73}
    paper = {"Switch": 262, "Delete": 465, "Insert": 553, "Modify": 453}
    assert all(abs(found.operations[name] - count) <= 2 for name, count in paper.items())
