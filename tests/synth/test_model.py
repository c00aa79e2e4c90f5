"""Noise models: exact edits in both languages, options, reproducibility, and files."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.edits.apply import apply_edits
from errata.errors import DataError, UnknownName, UsageError
from errata.synth import NoiseModel, Noisy, generic_model
from errata.synth.lexicon import compile_english

ENGLISH = "The children usually walk to school because their parents leave for work very early .".split()
CHINESE = list("我们昨天在学校的图书馆里认真地讨论了这个问题。")
ODD_WORDS = st.one_of(
    st.sampled_from("The the I a an Paris NATO 3rd www.a.org , . ' n't 's receive children goes well-known".split()),
    st.sampled_from(["", " ", "İ", "ß", "😀", "的", "ﬁ", "é", "\u200b"]),
    st.text(min_size=1, max_size=6),
)
ODD_CHARACTERS = st.one_of(
    st.sampled_from("我们的地得学校了，。“”大人a1"), st.sampled_from(["[MC]", "😀", "", "ab"]), st.characters()
)


def all_noises(model: NoiseModel) -> NoiseModel:
    """Every noise of the language at once, in about equal parts."""
    return model.with_options(clean=0.0, rate=0.4, mix=dict.fromkeys(model.shares, 1.0))


@pytest.fixture(scope="module")
def noisy_english(english: NoiseModel) -> NoiseModel:
    return all_noises(english)


@pytest.fixture(scope="module")
def noisy_chinese(chinese: NoiseModel) -> NoiseModel:
    return all_noises(chinese)


@settings(max_examples=100)
@given(tokens=st.lists(ODD_WORDS, max_size=25), seed=st.integers(0, 2**32))
def test_english_edits_give_the_clean_sentence(noisy_english: NoiseModel, tokens: list[str], seed: int) -> None:
    check_edits(noisy_english.corrupt(tokens, Random(seed)), tokens)


@settings(max_examples=100)
@given(tokens=st.lists(ODD_CHARACTERS, max_size=30), seed=st.integers(0, 2**32))
def test_chinese_edits_give_the_clean_sentence(noisy_chinese: NoiseModel, tokens: list[str], seed: int) -> None:
    check_edits(noisy_chinese.corrupt(tokens, Random(seed)), tokens)


def check_edits(noisy: Noisy, clean: list[str]) -> None:
    assert apply_edits(noisy.tokens, noisy.edits) == tuple(clean)
    ends = [0]
    for edit in noisy.edits:
        assert edit.start >= ends[-1]
        assert noisy.tokens[edit.start : edit.end] != edit.replacement
        ends.append(edit.end)


@pytest.mark.parametrize(("language", "sentence"), [("english", ENGLISH), ("chinese", CHINESE)])
def test_every_noise_can_happen_and_names_itself(
    language: str, sentence: list[str], request: pytest.FixtureRequest
) -> None:
    model: NoiseModel = request.getfixturevalue(language)
    texts = [
        sentence, list("他已经跑得很快，所以大人应该学习。"), list("通过学习，我们不仅必须参加约三十人的会议。"),
        list("他在学习中提高能力和改善环境。"),
    ] if language == "chinese" else [
        sentence, "He often plays in the sea , and everyday his friend received it 's letter at home .".split(),
        "However , I know that some times may be odd .".split(),
        "We do n't have a lot of friend 's letters . The day should have gone , and I have done it .".split(),
        "There are children .".split(),
    ]  # fmt: skip
    for noise in model.shares:
        only = model.with_options(clean=0.0, mix={name: float(name == noise) for name in model.shares})
        rng = Random(3)
        types = {e.type for _ in range(60) for tokens in texts for e in only.corrupt(tokens, rng).edits}
        if noise == "learned":
            assert types and not types & set(model.shares)
        else:
            assert types == {noise}


@pytest.mark.parametrize(
    ("noise", "source", "expected"),
    [
        pytest.param("inflect", "He goes home", {"He go home", "He went home", "He going home"}, id="verb-forms"),
        pytest.param("inflect", "The children", {"The child", "The childs"}, id="regularised-plural"),
        pytest.param("order", "The garden", {"Garden the"}, id="capital-follows"),
        pytest.param("drop", "The old garden", {"Old garden", "The garden"}, id="capital-handed-on"),
        pytest.param("case", "I agree", {"i agree", "I Agree"}, id="case"),
        pytest.param("merge", "He did not", {"Hedid not"}, id="merge"),
    ],
)
def test_english_outcomes(english: NoiseModel, noise: str, source: str, expected: set[str]) -> None:
    only = english.with_options(clean=0.0, rate=0.4, mix={name: float(name == noise) for name in english.shares})
    rng = Random(5)
    seen = {" ".join(only.corrupt(source.split(), rng).tokens) for _ in range(400)}
    assert expected <= seen


@pytest.mark.parametrize(
    ("noise", "source", "expected"),
    [
        pytest.param("de", "跑得快", {"跑的快", "跑地快"}, id="的地得"),
        pytest.param("glyph", "大人", {"太人", "大入"}, id="glyph"),
        pytest.param("sound", "在学校", {"再学校"}, id="same-sound"),
        pytest.param("synonym", "我们学习", {"我们工作"}, id="synonym"),
        pytest.param("reorder", "学生看书", {"看书学生"}, id="words-exchanged"),
        pytest.param("drop-word", "我们学习", {"我们", "学习"}, id="word-dropped"),
    ],
)
def test_chinese_outcomes(chinese: NoiseModel, noise: str, source: str, expected: set[str]) -> None:
    only = chinese.with_options(clean=0.0, rate=0.4, mix={name: float(name == noise) for name in chinese.shares})
    rng = Random(5)
    seen = {"".join(only.corrupt(list(source), rng).tokens) for _ in range(300)}
    assert expected <= seen


def test_numbers_and_addresses_are_left_alone(noisy_english: NoiseModel) -> None:
    tokens = ["2019", "http://a.org/b", "a@b.org", "1,000", "C3PO"]
    rng = Random(0)
    for _ in range(200):
        noisy = noisy_english.corrupt(tokens, rng)
        assert [t for t in noisy.tokens if t in tokens] == tokens


def test_names_are_mostly_left_alone(noisy_english: NoiseModel) -> None:
    rng = Random(0)
    wrong = Counter[bool]()
    for _ in range(400):
        noisy = noisy_english.corrupt(["we", "visit", "Paris", "often"], rng)
        wrong["Paris" in noisy.tokens] += 1
    assert wrong[False] < wrong[True]


@pytest.mark.parametrize("language", ["english", "chinese"])
def test_rate_and_clean_share(language: str, request: pytest.FixtureRequest) -> None:
    model: NoiseModel = request.getfixturevalue(language)
    tokens = ENGLISH if language == "english" else CHINESE
    out = model.with_options(rate=0.1, clean=0.3).corrupt_batch([tokens] * 3000, Random(1))
    assert sum(not n.edits for n in out) / len(out) == pytest.approx(0.3, abs=0.03)
    assert sum(len(n.edits) for n in out) / (3000 * len(tokens)) == pytest.approx(0.1, rel=0.25)
    assert not any(n.edits for n in model.with_options(rate=0.0).corrupt_batch([tokens] * 50, Random(1)))
    assert not any(n.edits for n in model.with_options(clean=1.0).corrupt_batch([tokens] * 50, Random(1)))


def test_mixture_sets_the_share_of_a_noise(english: NoiseModel) -> None:
    mixed = english.with_options(mix={"learned": 0, "typing": 1})
    assert mixed.shares["typing"] > 0.7
    types = Counter(e.type for n in mixed.corrupt_batch([ENGLISH] * 500, Random(1)) for e in n.edits)
    assert types["typing"] > 0.5 * types.total()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"rate": 2.0}, UsageError, "rate 2.0 is not between 0 and 1"),
        ({"clean": -1.0}, UsageError, "clean -1.0 is not between 0 and 1"),
        ({"mix": {"tiping": 1.0}}, UnknownName, "unknown noise 'tiping'; did you mean 'typing'?"),
        ({"mix": {"typing": -1.0}}, UsageError, "noise typing cannot have the share -1.0"),
        ({"mix": {"typing": float("nan")}}, UsageError, "noise typing cannot have the share nan"),
        ({"mix": {"typing": float("inf")}}, UsageError, "noise typing cannot have the share inf"),
    ],
)
def test_wrong_options(english: NoiseModel, options: dict, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message.replace("?", r"\?")):
        english.with_options(**options)


def test_sentences_are_corrupted_the_same_in_any_order(english: NoiseModel) -> None:
    forward = [english.corrupt_at(ENGLISH, seed=7, index=i) for i in range(50)]
    again = pickle.loads(pickle.dumps(english))
    backward = [again.corrupt_at(ENGLISH, seed=7, index=i) for i in reversed(range(50))]
    assert forward == backward[::-1]
    assert len({n.tokens for n in forward}) > 10
    assert forward != [english.corrupt_at(ENGLISH, seed=8, index=i) for i in range(50)]
    assert forward != [english.corrupt_at(ENGLISH, seed=7, index=i, copy=1) for i in range(50)]


def test_numpy_generators_are_welcome(english: NoiseModel) -> None:
    first = english.corrupt_batch([ENGLISH] * 20, np.random.default_rng(3))
    assert first == english.corrupt_batch([ENGLISH] * 20, np.random.default_rng(3))
    assert first != english.corrupt_batch([ENGLISH] * 20, np.random.default_rng(4))


@pytest.mark.parametrize("language", ["english", "chinese"])
@pytest.mark.parametrize("suffix", [".json", ".json.xz"])
def test_saved_models_load_and_corrupt_the_same(
    language: str, suffix: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    model: NoiseModel = request.getfixturevalue(language)
    tokens = ENGLISH if language == "english" else CHINESE
    path = tmp_path / f"errors{suffix}"
    model.save(path)
    loaded = NoiseModel.load(path)
    assert loaded.digest == model.digest
    assert [loaded.corrupt_at(tokens, seed=1, index=i) for i in range(100)] == [
        model.corrupt_at(tokens, seed=1, index=i) for i in range(100)
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("{", "is not a noise model", id="not-json"),
        pytest.param("{}", "`errata synth learn` makes one", id="other-json"),
        pytest.param('{"kind": "errata noise model", "format": 9}', "has format 9", id="newer"),
    ],
)
def test_foreign_files_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text(text, "utf-8")
    with pytest.raises(DataError, match=message):
        NoiseModel.load(path)


def test_damaged_models_are_refused(english: NoiseModel, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    english.save(path)
    data = json.loads(path.read_text("utf-8"))
    data["shares"]["typing"] = 0.9
    path.write_text(json.dumps(data), "utf-8")
    with pytest.raises(DataError, match="is damaged"):
        NoiseModel.load(path)


def test_corrupting_needs_only_the_standard_library(english: NoiseModel, tmp_path: Path) -> None:
    english.save(tmp_path / "m.json")
    program = f"""
import sys
for name in ("numpy", "rapidfuzz", "lemminflect", "pypinyin", "jieba", "spacy", "typer", "rich", "opencc"):
    sys.modules[name] = None
from random import Random
from errata.synth import NoiseModel
print(NoiseModel.load({str(tmp_path / "m.json")!r}).corrupt({ENGLISH!r}, Random(1)).clean)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(tuple(ENGLISH))


def test_a_model_without_a_corpus() -> None:
    tables = compile_english(Counter(" ".join(ENGLISH).lower().split()))
    model = generic_model("en", tables, [tuple(ENGLISH)])
    noisy = model.with_options(clean=0.0).corrupt_batch([ENGLISH] * 300, Random(1))
    types = Counter(e.type for n in noisy for e in n.edits)
    assert types["inflect"] > types["double"] > 0
    assert all(n.clean == tuple(ENGLISH) for n in noisy)


def test_a_model_learnt_before_a_noise_was_known_reads_as_before(chinese: NoiseModel, tmp_path: Path) -> None:
    def without(table: Mapping[str, float]) -> dict[str, float]:
        return {name: value for name, value in table.items() if name not in ("subject", "frame", "confusable")}

    old = replace(chinese, shares=without(chinese.shares), units=without(chinese.units))
    old.save(tmp_path / "old.json")
    loaded = NoiseModel.load(tmp_path / "old.json")
    assert loaded.corrupt(CHINESE, Random(1)) == old.corrupt(CHINESE, Random(1))
    with pytest.raises(UsageError, match="learnt without the noise frame: learn it again"):
        loaded.with_options(mix={"frame": 0.1})
