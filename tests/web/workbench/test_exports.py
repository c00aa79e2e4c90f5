"""Exports: what people made of the sentences, in the formats of the field; what was not touched is as it came."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from bench import Bench, open_bench
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from errata.edits.operations import apply_operations
from errata.errors import DataError, UnknownName, UsageError
from errata.formats.base import get_format
from errata.model import AnnotatedSentence, Annotation, Edit, Sentence, Status
from errata.web.database import reading, writing
from errata.web.workbench.exports.corpora import CORPORA, Wanted
from errata.web.workbench.exports.samples import Sampled, export_samples
from errata.web.workbench.figures.record import read_record
from errata.web.workbench.scorer import Scorers

SCORERS = Scorers()


def export(bench: Bench, form: str, wanted: Wanted | None = None) -> str:
    with reading(bench.engine) as connection:
        chunks = CORPORA[form][0](connection, bench.project_id, SCORERS[bench.language], wanted or Wanted())
        return "".join(chunks)


def set_golden(bench: Bench, number: int, *targets: str, state: str = "done") -> None:
    """What a review would have written."""
    where = {"id": bench.items()[number]["id"]}
    with writing(bench.engine) as connection:
        connection.execute(text("UPDATE items SET state = :state WHERE id = :id"), {**where, "state": state})
        connection.execute(text("DELETE FROM golden WHERE item_id = :id"), where)
        for place, target in enumerate(targets):
            row = {"id": f"{where['id'][:20]}{place}", "item": where["id"], "place": place, "target": target}
            columns = "(id, item_id, position, target, origin) VALUES (:id, :item, :place, :target, 'review')"
            connection.execute(text(f"INSERT INTO golden {columns}"), row)


@pytest.fixture
def chinese(database_url: str) -> Iterator[Bench]:
    bench = open_bench(database_url, language="zh").begin(["我爱你门。", "他很高。", "他她它。", "还没有做。"])
    set_golden(bench, 0, "我爱你们。", "我[MC]你们。")
    set_golden(bench, 1, "他很高。")
    set_golden(bench, 2)
    yield bench
    bench.engine.dispose()


def test_m2_has_an_annotator_for_each_reference(chinese: Bench) -> None:
    assert export(chinese, "m2") == (
        "S 我 爱 你 门 。\n"
        "T0-A0 我 爱 你 们 。\nA 3 4|||S|||们|||REQUIRED|||-NONE-|||0\n"
        "T1-A0 我 [MC] 你 们 。\n"
        "A 1 2|||S|||[MC]|||REQUIRED|||-NONE-|||1\nA 3 4|||S|||们|||REQUIRED|||-NONE-|||1\n\n"
        "S 他 很 高 。\nT0 没有错误\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
        "S 他 她 它 。\nT0 无法标注\nA -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
    )


def test_m2_of_raw_english() -> None:
    bench = open_bench("sqlite://").begin(["He don't like it."])
    set_golden(bench, 0, "He doesn't like it.", "He don't  like it.")
    assert export(bench, "m2") == (
        "S He do n't like it .\nA 1 2|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n"
    )
    bench.engine.dispose()


def test_tsv(chinese: Bench) -> None:
    assert export(chinese, "tsv") == (
        "1\t我爱你门。\t我爱你们。\t我[MC]你们。\n2\t他很高。\t没有错误\n3\t他她它。\t无法标注\n"
    )
    assert export(chinese, "tsv", Wanted("all")).endswith("4\t还没有做。\n")


def test_fcgec_says_operations(chinese: Bench) -> None:
    wanted = Wanted()
    records = json.loads(export(chinese, "fcgec", wanted))
    assert wanted.notes() == ["left out because fcgec cannot say “not annotatable”, in 1 sentence"]
    assert [one["error_flag"] for one in records.values()] == [1, 0]
    first = next(get_format("fcgec").parse([json.dumps(records, ensure_ascii=False)]))
    made = [apply_operations("我爱你门。", one.operations) for one in first.annotations if one.operations]
    assert made == ["我爱你们。", "我[MC]你们。"]


def test_fcgec_is_for_chinese() -> None:
    bench = open_bench("sqlite://").begin(["Hello."])
    with pytest.raises(UsageError, match=r"for Chinese.*m2, tsv or jsonl"):
        export(bench, "fcgec")
    bench.engine.dispose()


def test_para_has_originals_with_their_first_reference(chinese: Bench) -> None:
    wanted = Wanted()
    assert export(chinese, "para", wanted) == ("O-S 我爱你门。\nO-T 我爱你们。\n\nO-S 他很高。\nO-T 他很高。\n\n")
    assert len(wanted.notes()) == 2


def test_text(chinese: Bench) -> None:
    assert export(chinese, "text") == "我爱你们。\n他很高。\n他她它。\n"


def test_withdrawn_sentences_and_those_to_qualify_with(chinese: Bench) -> None:
    chinese.bring("7\t你门\t你们\n", name="q.tsv", purpose="qualify")
    set_golden(chinese, 1, "他很高。", state="withdrawn")
    assert export(chinese, "tsv") == "1\t我爱你门。\t我爱你们。\t我[MC]你们。\n3\t他她它。\t无法标注\n"
    assert export(chinese, "tsv", Wanted("all", "qualify")) == "7\t你门\t你们\n"
    assert export(chinese, "text", Wanted(purpose="any")).splitlines() == ["我爱你们。", "他她它。", "你们"]


def test_what_cannot_be_said_names_the_item() -> None:
    bench = open_bench("sqlite://").begin(["Hello there.", "So it is."])
    set_golden(bench, 1, "So ||| it is.")
    with pytest.raises(DataError, match="item 2 cannot be exported this way: M2 cannot say"):
        export(bench, "m2")
    bench.engine.dispose()


def test_unknown_choices() -> None:
    with pytest.raises(UnknownName, match="purpose"):
        Wanted(purpose="fun")
    with pytest.raises(UnknownName, match="choice of sentences"):
        Wanted("some")


def test_people_without_answers(chinese: Bench) -> None:
    record = read_record(chinese.engine, chinese.project_id)
    with pytest.raises(DataError, match="nothing to score"):
        list(export_samples(record, SCORERS["zh"], Sampled("nobody", "gold"), "m2"))


# --- What was not touched.

M2 = (
    "S This are a sentence .\n"
    "A 1 2|||SVA|||is|||REQUIRED|||because|||teacher\n"
    "A 1 3|||Vform||||||OPTIONAL|||-NONE-|||pupil\n\n"
    "S Fine .\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||teacher\n\n"
    "S Nobody looked .\n\n"
    "S xx yy zz\nA -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
)


def test_m2_comes_out_as_it_came(database_url: str) -> None:
    bench = open_bench(database_url).begin([])
    bench.bring(M2, name="gold.m2")
    assert export(bench, "m2", Wanted("all")) == M2
    assert export(bench, "m2") == ""
    # A review that accepts both references as they are changes nothing; one that adds another does.
    set_golden(bench, 0, "This sentence .", "This is a sentence .")
    assert export(bench, "m2", Wanted("all")) == M2
    set_golden(bench, 0, "This sentence .", "This is a sentence .", "These are sentences .")
    changed = export(bench, "m2", Wanted("all"))
    assert changed.split("\n\n")[1:] == M2.split("\n\n")[1:]
    assert [line[-1] for line in changed.split("\n\n")[0].splitlines()[1:]] == ["0", "1", "2", "2", "2"]
    bench.engine.dispose()


@pytest.mark.parametrize(
    ("language", "name", "content"),
    [
        ("en", "m2scorer", "S a b\nA 0 1|||W|||c||d|||REQUIRED|||-NONE-|||0\nA 1 2|||X|||-NONE-|||1|||-NONE-|||0\n\n"),
        ("zh", "cherrant", "S 我 爱 你 门\nT0-A0 我 爱 你 们\nA 3 4|||S|||们|||REQUIRED|||-NONE-|||0\n\n"),
        ("zh", "m2", "S 我们 爱 你 门\nA 3 4|||S:NOUN|||们|||REQUIRED|||-NONE-|||0\n\n"),
    ],
)  # fmt: skip
def test_every_dialect_comes_out_as_it_came(language: str, name: str, content: str) -> None:
    bench = open_bench("sqlite://", language=language).begin([])
    bench.bring(content, name="gold.m2", format=name, purpose="qualify")
    assert export(bench, "m2", Wanted("all", "qualify")) == content
    bench.engine.dispose()


TOKENS = st.lists(st.text("abcdeXYZ'’é", min_size=1, max_size=4), min_size=1, max_size=6)


@st.composite
def edits(draw: Any, n_tokens: int) -> list[Edit]:
    """Edits in order that do not overlap."""
    places = sorted(draw(st.lists(st.integers(0, n_tokens), max_size=4, unique=True)))
    found = []
    for start, end in zip(places[::2], places[1::2], strict=False):
        types = st.sampled_from(["R:VERB", "Mec", "S-V"])
        found.append(Edit(start, end, tuple(draw(TOKENS)), draw(types), comment=draw(st.sampled_from(["", "why"]))))
    return found


@st.composite
def m2_files(draw: Any) -> str:
    blocks = []
    for _ in range(draw(st.integers(1, 4))):
        tokens = tuple(draw(TOKENS))
        annotations = [
            Annotation(name, tuple(draw(edits(len(tokens)))))
            for name in draw(st.lists(st.sampled_from(["0", "1", "ann", "x y"]), max_size=3, unique=True))
        ]
        if draw(st.booleans()) and not annotations:
            annotations = [Annotation("0", status=Status.NOT_ANNOTATABLE)]
        blocks += get_format("m2").format([AnnotatedSentence(Sentence(tokens), tuple(annotations))])
    return "".join(blocks)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(m2_files())
def test_any_m2_comes_out_as_it_came(content: str) -> None:
    bench = open_bench("sqlite://").begin([])
    bench.bring(content, name="gold.m2", format="m2", references="golden")
    assert export(bench, "m2", Wanted("all")) == content
    bench.engine.dispose()


OPERATION = [{"Modify": [{"pos": 3, "tag": "MOD_1", "label": "们"}]}]
FILES = {
    "fcgec": json.dumps({"a": {"sentence": "我爱你门。", "operation": OPERATION}}, ensure_ascii=False),
    "mucgec": "7\t我爱你门。\t我爱你们。\n",
}


@pytest.mark.parametrize(("name", "content"), FILES.items(), ids=FILES)
def test_references_of_files_without_edits_get_them(name: str, content: str) -> None:
    bench = open_bench("sqlite://", language="zh").begin([])
    bench.bring(content, name="a.json" if name == "fcgec" else "a.tsv", format=name)
    assert "A 3 4|||S|||们|||" in export(bench, "m2", Wanted("all"))
    assert export(bench, "tsv", Wanted("all")).endswith("\t我爱你门。\t我爱你们。\n")
    bench.engine.dispose()
