"""Files that are not what they were given as are told; real outputs, identity and bad systems are not."""

from __future__ import annotations

import lzma
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from errata.errors import UsageError
from errata.metrics.base import Item
from errata.metrics.doubts import (
    MIN_COPIED,
    check_language,
    find_copied_reference,
    find_doubts,
    find_foreign_types,
    find_language,
)
from errata.metrics.inputs import Hypothesis, make_items, make_sentence, read_gold
from errata.metrics.texts import reference_texts
from errata.model import Annotation, Edit, Sentence

NAMES = "Ann Bob Carol Dan Eve Fay Gus Hal Ida Joe Kim Lou Mia Ned Ola Pat".split()
PLACES = "school work church market town court prison".split()
ENGLISH = [f"{name} go to the {place} with 3 friends , every day ." for name in NAMES for place in PLACES]
CHINESE = [
    f"{a}{b}昨天去了{c}看朋友，今天又来。"
    for a in "王李张刘陈"
    for b in "明红军丽"
    for c in ("学校", "医院", "公园", "北京")
]
SEGMENTED = [
    f"{a} {b} 昨天 去 了 {c} 看 朋友 ， 今天 又 来 。" for a in "王李张" for b in "明红军" for c in ("学校", "医院")
]


def corrected(sources: list[str]) -> list[str]:
    """Half of the sentences right, the rest unchanged."""
    return [
        text.replace(" go ", " goes ").replace("又来", "又来了") if n % 2 else text for n, text in enumerate(sources)
    ]


def detokenise(text: str) -> str:
    return re.sub(r" ([.,])", r"\1", text)


@pytest.mark.parametrize("sources", [ENGLISH, CHINESE, SEGMENTED], ids=["en", "zh", "segmented"])
@pytest.mark.parametrize(
    "system",
    [
        lambda texts: texts,
        corrected,
        lambda texts: ["" for _ in texts],
        lambda texts: [text[: len(text) // 2] for text in texts],
        lambda texts: [" ".join(text.split()[::-1]) for text in texts],
        lambda texts: [text.upper() for text in texts],
        lambda texts: [text + text for text in texts],
        lambda texts: [" ".join("".join(Random(1).sample(word, len(word))) for word in text.split()) for text in texts],
    ],
    ids=["identity", "corrections", "nothing", "half", "backwards", "capitals", "twice", "jumbled letters"],
)
def test_a_system_is_only_bad(sources: list[str], system: Callable[[list[str]], list[str]]) -> None:
    assert find_doubts(sources, system(sources)) == []


OTHERS = [f"They were {n} years old when it rained last night ." for n in range(len(ENGLISH))]
WRONG = {
    "detokenised": (ENGLISH, [*map(detokenise, corrected(ENGLISH))], "in 100 % of its lines punctuation sticks"),
    "tokenised": ([*map(detokenise, ENGLISH)], corrected(ENGLISH), "it seems tokenised, unlike the sources"),
    "one line missing": (ENGLISH, [*corrected(ENGLISH)[1:], "Bye ."], "of one line further down; the first is line 2"),
    "one line too many": (ENGLISH, ["Oh .", *corrected(ENGLISH)[:-1]], "of one line further up; the first is line 2"),
    "two lines too many": (ENGLISH, ["A .", "B .", *corrected(ENGLISH)[:-2]], "the source of 2 lines further up"),
    "missing late": (ENGLISH, ENGLISH[:100] + ENGLISH[101:] + [""], "the first is line 101, the source of line 102"),
    "Chinese shifted": (CHINESE, [*corrected(CHINESE)[1:], "好。"], "of one line further down"),
    "shifted and detokenised": (ENGLISH, [*map(detokenise, ENGLISH[1:]), "Bye."], "of one line further down"),
    "another corpus": (ENGLISH, OTHERS, "share at most 0 % of their words with the source"),
    "another language": (ENGLISH[: len(CHINESE)], CHINESE, "is it the output for these sources?"),
    "unsegmented": (SEGMENTED, ["".join(text.split()) for text in SEGMENTED], "segment it as the sources are"),
}


@pytest.mark.parametrize(("sources", "outputs", "evidence"), WRONG.values(), ids=WRONG)
def test_a_wrong_file_is_told_with_the_evidence(sources: list[str], outputs: list[str], evidence: str) -> None:
    (doubt,) = find_doubts(sources, outputs)
    assert evidence in doubt


def test_spaces_do_not_matter_to_texts_that_will_be_tokenised() -> None:
    assert find_doubts(ENGLISH, [*map(detokenise, ENGLISH)], are_raw=True) == []
    assert find_doubts(SEGMENTED, ["".join(text.split()) for text in SEGMENTED], are_raw=True) == []


def test_a_name_between_spaces_does_not_make_words() -> None:
    spaced = [text.replace("看朋友", " Python 和 Java ") for text in CHINESE]
    assert find_doubts(spaced, ["".join(text.split()) for text in spaced]) == []


def test_characters_may_be_spaced_out() -> None:
    assert find_doubts(CHINESE, [" ".join(text) for text in CHINESE]) == []


@pytest.mark.parametrize("n_lines", [0, 1, 2])
def test_a_line_or_two_prove_nothing(n_lines: int) -> None:
    assert find_doubts(ENGLISH[:n_lines], ["Nothing like it ."] * n_lines) == []


def test_exchanged_files_are_known_by_their_spelling() -> None:
    misspelt = [text.replace("friends", "freinds") if n % 3 == 0 else text for n, text in enumerate(ENGLISH)]
    assert find_doubts(misspelt, ENGLISH) == []
    (doubt,) = find_doubts(ENGLISH, misspelt)
    assert "misspells words that the source has right in 38 lines (friends → freinds)" in doubt
    assert doubt.endswith("are the source and this file exchanged?")


GOLD = [(text, text.replace(" go ", " goes ")) for text in ENGLISH]


def items(hypotheses: list[str], pairs: list[tuple[str, str]] = GOLD) -> list[Item]:
    return [Item(make_sentence(s), h, (r,)) for (s, r), h in zip(pairs, hypotheses, strict=True)]


def test_a_reference_given_as_hypothesis_is_told() -> None:
    doubt = find_copied_reference(items([target for _, target in GOLD]))
    assert doubt == "it equals the reference in 112 of 112 corrected sentences: is it the reference file?"


def test_the_edits_of_a_reference_are_known_as_well() -> None:
    annotation = Annotation(edits=(Edit(1, 2, ("goes",), "R:VERB:SVA"),))
    sides = [Item(make_sentence(source), target, (annotation,)) for source, target in GOLD]
    assert find_copied_reference(sides)
    assert find_copied_reference([Item(one.source, annotation, one.references) for one in sides])


@pytest.mark.parametrize(
    "given",
    [
        items([source for source, _ in GOLD]),
        items(corrected(ENGLISH)),
        items([source for source, _ in GOLD], [(source, source) for source, _ in GOLD]),  # nothing to correct
        items([target for _, target in GOLD[: MIN_COPIED - 1]], GOLD[: MIN_COPIED - 1]),  # a few may all be right
    ],
    ids=["identity", "half right", "correct corpus", "few"],
)
def test_a_good_system_is_not_taken_for_the_reference(given: list[Item]) -> None:
    assert find_copied_reference(given) is None


@pytest.mark.parametrize(
    ("sources", "language"), [(ENGLISH, "en"), (CHINESE, "zh"), (SEGMENTED, "zh"), (["", "12"], None), ([], None)]
)
def test_languages(sources: list[str], language: str | None) -> None:
    assert find_language(sources) == language


def test_the_wrong_language_is_refused() -> None:
    with pytest.raises(UsageError, match=r"gold\.m2 is Chinese, errant is for English: use --metric cherrant"):
        check_language("gold.m2", CHINESE, "en", "errant", "use --metric cherrant")
    check_language("gold.m2", ENGLISH, "en", "errant", "")
    check_language("gold.m2", ["12"], "en", "errant", "")


def typed(gold: str, hypothesis: str | None) -> Item:
    def edit(type_: str) -> Annotation:
        return Annotation(edits=(Edit(0, 1, ("x",), type_),))

    return Item(Sentence(("a", "b")), "x b" if hypothesis is None else edit(hypothesis), (edit(gold),))


@pytest.mark.parametrize(
    ("gold", "hypothesis", "is_foreign"),
    [
        ("R:NOUN", "M:DET", False),
        ("R:NOUN", None, False),
        ("S", "M", False),
        ("ArtOrDet", None, True),
        ("ArtOrDet", "R:DET", True),
        ("ArtOrDet", "Nn", False),
        ("R:DET", "ArtOrDet", True),
        ("UNK", None, False),
    ],
)
def test_types_of_another_kind(gold: str, hypothesis: str | None, is_foreign: bool) -> None:
    assert bool(find_foreign_types([typed(gold, hypothesis)])) is is_foreign


def _read(path: Path) -> list[str]:
    opened = lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8")  # noqa: SIM115
    with opened as stream:
        return stream.read().removesuffix("\n").split("\n")


@pytest.mark.data
@pytest.mark.parametrize("name", ["AMU", "CAMB", "GECToR-ens", "GPT-3.5"])
def test_real_english_outputs_raise_no_doubt(oracles: Path, name: str) -> None:
    gold = read_gold(oracles / "errant" / "conll14.gold.m2")
    outputs = _read(oracles / "errant" / f"{name}.hyp.txt")
    sources = [" ".join(one.sentence.tokens) for one in gold.sentences]
    assert find_doubts(sources, outputs) == []
    assert find_copied_reference(make_items(gold, [*map(Hypothesis, outputs)])) is None
    assert find_doubts(outputs, sources), "exchanged"
    assert find_doubts(sources, [*outputs[1:], ""]), "shifted"


@pytest.mark.data
def test_real_chinese_outputs_raise_no_doubt(oracles: Path) -> None:
    gold = read_gold(oracles / "cherrant" / "MuCGEC_dev.txt")
    outputs = [line.split("\t")[2] for line in _read(oracles / "cherrant" / "example_pred_dev.txt")]
    sources = [one.sentence.text or "".join(one.sentence.tokens) for one in gold.sentences]
    references = [reference_texts(item)[:1] for item in make_items(gold, [Hypothesis()] * len(gold))]
    assert find_doubts(sources, outputs) == []
    assert find_doubts(sources, [own[0] if own else "" for own in references]) == []
    assert find_copied_reference(make_items(gold, [*map(Hypothesis, outputs)])) is None
