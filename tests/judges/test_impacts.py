"""Impacts by error type, in Python and on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_supervision import letters
from typer.testing import CliRunner

from errata.cli import app
from errata.errors import DataError, ErrataError
from errata.judges.impara.impacts import measure_by_type
from errata.judges.impara.supervision import measure_impacts
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence, Status

TOKENS = ("He", "go", "to", "a", "school")
VERB, NOUN = Edit(1, 2, ("went",), "R:VERB"), Edit(4, 5, ("schools",), "R:NOUN")


def test_types_have_the_mean_of_their_edits() -> None:
    sentences = [
        AnnotatedSentence(Sentence(TOKENS), (Annotation(edits=(VERB, NOUN)), Annotation(edits=(VERB,)))),
        AnnotatedSentence(Sentence(TOKENS), (Annotation(edits=(VERB, Edit(0, 3, (), "U:OTHER"))),)),  # overlap
        AnnotatedSentence(Sentence(TOKENS), (Annotation(status=Status.NOT_ANNOTATABLE), Annotation())),
    ]
    rows, n_left_out = measure_by_type(sentences, letters, "en")
    both, alone = measure_impacts([(TOKENS, (VERB, NOUN)), (TOKENS, (VERB,))], letters)
    found = {row.type: (row.n_edits, row.mean) for row in rows}
    assert found["R:VERB"] == (2, pytest.approx((both[0] + alone[0]) / 2))
    assert found["R:NOUN"] == (1, pytest.approx(both[1]))
    assert n_left_out == 1 and [row.mean for row in rows] == sorted((row.mean for row in rows), reverse=True)


def test_edits_of_texts_are_extracted() -> None:
    sentence = AnnotatedSentence(Sentence(("He", "go", "home"), "He go home"), (Annotation(target="He goes home"),))
    rows, _ = measure_by_type([sentence], letters, "en")
    assert [row.type for row in rows] == ["R:VERB:SVA"]


def test_the_command_prints_a_table_or_json(exported: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.m2"
    gold.write_text("S She go .\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n", "utf-8")
    answer = CliRunner().invoke(app, ["impact", str(gold), "--model", str(exported)])
    assert answer.exit_code == 0 and "R:VERB:SVA" in answer.stdout, answer.output
    told = json.loads(CliRunner().invoke(app, ["impact", str(gold), "--model", str(exported), "--json"]).stdout)
    assert told[0]["n_edits"] == 1 and told[0]["mean"] > 0 and told[0]["error"] is None
    gold.write_text("S She goes .\n", "utf-8")
    answer = CliRunner().invoke(app, ["impact", str(gold), "--model", str(exported)])
    assert isinstance(answer.exception, DataError) and "there are no edits" in str(answer.exception)


@pytest.mark.parametrize(("lang", "message"), [("fr", "unknown language 'fr'"), ("zh", "judges en, not zh")])
def test_impacts_of_another_language_are_refused(exported: Path, lang: str, message: str) -> None:
    answer = CliRunner().invoke(app, ["impact", "gold.m2", "--model", str(exported), "--lang", lang])
    assert isinstance(answer.exception, ErrataError) and message in str(answer.exception)
