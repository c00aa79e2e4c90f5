"""The corpora people have: read, written and read again."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from errata.edits.texts import target_text
from errata.errors import FormatError
from errata.formats import detect_format, get_format, read_corpus
from errata.formats.adapt import adapt
from errata.formats.files import read_lines
from errata.formats.robustgec import parse_cases

pytestmark = pytest.mark.data

# path below data/ or oracles/ → format it is detected as
M2_FILES = {
    **dict.fromkeys(
        [
            *(
                f"oracles/errant/{name}.m2"
                for name in ("AMU.hyp", "CAMB.hyp", "GECToR-ens.hyp", "GPT-3.5.hyp", "conll14.gold")
            ),
            "data/en/conll13/official-2013.all-types.m2.xz",
            *(f"data/en/conll14/official-2014.{name}.m2" for name in ("0", "1", "combined")),
            "data/en/conll14/official-2014.combined-withalt.m2.xz",
            "data/en/conll14/conll14.errant-auto.2ref.m2.xz",
            *(f"data/en/cweb/m2/CWEB-{domain}.{split}.m2" for domain in "GS" for split in ("dev", "test")),
            *(
                f"data/en/cweb/m2/CWEB-{domain}.{split}.ann{n}.m2.xz"
                for domain in "GS"
                for split in ("dev", "test")
                for n in "01"
            ),
            *(f"data/en/fce/m2/fce.{split}.gold.bea19.m2" for split in ("dev", "test")),
            *(f"data/en/wi/m2/{level}.dev.gold.bea19.m2" for level in "ABC"),
            *(f"data/en/wi/m2/{level}.train.gold.bea19.m2.xz" for level in "ABC"),
        ],
        "m2",
    ),
    **dict.fromkeys(
        [
            *(f"oracles/cherrant/mucgec_dev.{name}.m2" for name in ("hyp.char", "ref.char")),
            *(f"oracles/cherrant/mucgec_dev.{name}.nolexicon.m2" for name in ("hyp.char", "ref.char")),
            "data/zh/cltc2022/track3.yaclc-fluency_dev.m2.xz",
            "data/zh/nlpcc18/nlpcc2018_official.ref.m2.char",
            "data/zh/nlpcc18/nlpcc2018_official.ref.m2.word",
        ],
        "cherrant",
    ),
}
# They end without a blank line, which is written.
M2_WITHOUT_LAST_BLANK = {
    "data/en/eracond/eracond.all.m2.xz": "m2",
    "data/en/fce/m2/fce.train.rebuilt.m2.xz": "m2scorer",
    "data/en/jfleg/m2/test.ref.m2": "m2",
}
# They have edits that reach beyond their sentence.
M2_BEYOND_THE_END = {
    "data/en/jfleg/m2/dev.ref.m2": ("m2", 340),
    "data/zh/nlpcc18/gold.01.m2": ("m2scorer", 7193),
    "data/zh/nlpcc18/unifiedgec.nlpcc18.gold.m2": ("m2scorer", 6652),
}
TABLES = [
    "mucgec/MuCGEC_dev.txt",
    "mucgec/MuCGEC_test.txt",
    "mucgec/example_pred_dev.txt",
    "mucgec/mucgec.test.para",
    "nacgec/nacgec.test.ref.para",
    "nasgec-exam/nasgec.exam.dev.para",
    "cltc2022/track3.yaclc-minimal_dev.para",
    "fcgec/fcgec.valid.para",
]


def load(path: Path) -> str:
    return "".join(read_lines(path))


def check_identity(path: Path, name: str, *, end: str = "", **options: Any) -> None:
    """The file is detected, and comes out as it went in, followed by `end`; JSON lines keep it as well (if small)."""
    text = load(path)
    head = text[: 1 << 16]
    assert detect_format(head[: head.rindex("\n") + 1], path) == name
    format = get_format(name, **options)
    sentences = list(format.parse(io.StringIO(text, newline="\n"), origin=str(path)))
    assert "".join(format.format(sentences)) == text + end
    if not options and len(text) < 1 << 20:
        jsonl = get_format("jsonl")
        assert list(jsonl.parse(jsonl.format(sentences))) == sentences


@pytest.mark.parametrize("path", M2_FILES)
def test_m2_is_byte_identical(shared: Path, path: str) -> None:
    check_identity(shared / path, M2_FILES[path])


@pytest.mark.parametrize("path", M2_WITHOUT_LAST_BLANK)
def test_m2_gains_its_last_blank_line(shared: Path, path: str) -> None:
    check_identity(shared / path, M2_WITHOUT_LAST_BLANK[path], end="\n")


@pytest.mark.parametrize("path", M2_BEYOND_THE_END)
def test_m2_with_edits_beyond_the_end_needs_leniency(shared: Path, path: str) -> None:
    name, line = M2_BEYOND_THE_END[path]
    with pytest.raises(FormatError, match="ends after the last of") as caught:
        read_corpus(shared / path)
    assert caught.value.line == line
    check_identity(shared / path, name, strict=False)


@pytest.mark.parametrize("path", TABLES)
def test_mucgec_tables_are_byte_identical(data: Path, path: str) -> None:
    check_identity(data / "zh" / path, "mucgec")


@pytest.mark.parametrize(
    "path", ["zh/excgec/excgec.test.pairs.tsv", "zh/csc-lemon/gam.tsv", "en/lang8/lang8.en.20k.raw.tsv.xz"]
)
def test_parallel_tables_are_byte_identical(data: Path, path: str) -> None:
    check_identity(data / path, "parallel")


@pytest.mark.parametrize("path", ["oracles/robustgec/conll14.para", "data/en/robustgec/bea19/para.txt.xz"])
def test_robustgec_is_byte_identical(shared: Path, path: str) -> None:
    check_identity(shared / path, "robustgec")


def test_robustgec_cases(oracles: Path) -> None:
    cases = list(parse_cases(read_lines(oracles / "robustgec" / "conll14.para")))
    assert len(cases) == 1312 and all(len(case.variants) == 5 for case in cases)


def test_fcgec_test_file_is_byte_identical(data: Path) -> None:
    check_identity(data / "zh" / "fcgec" / "FCGEC_test.json", "fcgec")


def test_fcgec_valid_file_says_the_same(data: Path) -> None:
    """Equal as JSON, apart from a list of one label, a tag that is no number, and an insertion filed under Modify."""
    text = load(data / "zh" / "fcgec" / "FCGEC_valid.json")
    format = get_format("fcgec")
    written = "".join(format.format(format.parse(io.StringIO(text))))
    before, after = json.loads(text), json.loads(written)
    assert list(before) == list(after)
    differing = []
    for id_, old in before.items():
        new = after[id_]
        assert {**old, "operation": None} == {**new, "operation": None}
        if json.loads(old["operation"]) != json.loads(new["operation"]):
            differing.append(id_)
            assert _plain(json.loads(old["operation"])) == _plain(json.loads(new["operation"]))
    assert len(differing) == 6


def _plain(operations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Operations with lists of labels, without tags of insertions, and insertions where they belong."""
    plain = []
    for item in operations:
        inserts = [*item.get("Insert", []), *(m for m in item.get("Modify", []) if m["tag"].startswith("INS_"))]
        modifies = [m for m in item.get("Modify", []) if not m["tag"].startswith("INS_")]
        plain.append(
            {
                "Switch": item.get("Switch"),
                "Delete": item.get("Delete", []),
                "Insert": [(i["pos"], _texts(i)) for i in inserts],
                "Modify": [(m["pos"], m["tag"], _texts(m)) for m in modifies],
            }
        )
    return plain


def _texts(item: dict[str, Any]) -> list[str]:
    return [item["label"]] if isinstance(item["label"], str) else item["label"]


def test_fcgec_positions_mean_what_the_public_references_say(data: Path) -> None:
    """The operations of 1,976 records give the references of `fcgec.valid.para`; the rest are faults of that file."""
    folder = data / "zh" / "fcgec"
    mucgec = get_format("mucgec")
    references = {s.sentence.text: {a.target for a in s.annotations} for s in read_corpus(folder / "fcgec.valid.para")}
    n_equal = 0
    for annotated in read_corpus(folder / "FCGEC_valid.json"):
        adapted = adapt(annotated, mucgec)
        made = {target_text(adapted.sentence, annotation) for annotation in adapted.annotations}
        n_equal += made == references[annotated.sentence.text]
    assert n_equal == 1976


def test_mucgec_survives_a_round_through_operations(data: Path) -> None:
    fcgec, mucgec = get_format("fcgec"), get_format("mucgec")
    corpus = read_corpus(data / "zh" / "mucgec" / "MuCGEC_dev.txt")
    some = corpus.sentences[::4]
    there = list(fcgec.parse(fcgec.format(adapt(sentence, fcgec) for sentence in some)))
    for before, after in zip(some, there, strict=True):
        wanted = [a.target for a in before.annotations if a.target is not None]
        assert [a.target for a in adapt(after, mucgec).annotations if a.target is not None] == wanted
