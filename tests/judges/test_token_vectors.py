"""Vectors of subwords: published encoders with and without torch, one sentence at a time or many, and BERTScore."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.errors import DataError, UsageError
from errata.judges.bertscore import bertscore
from errata.judges.token_vectors import SubwordVectors, TokenVectors, _load_torch, load_token_vectors
from errata.networks.native import is_available
from errata.networks.pretrained_weights import PretrainedWeights
from tiny_encoder import POSITIONS, WORDS

SENTENCES = [tuple(one.split()) for one in ("the dog runs home .", "He go", ".", "a cat sees the the dog , and goes .")]

needs_kernels = pytest.mark.skipif(not is_available(), reason="our own kernels need AVX2")


def open_torch(folder: Path, layer: int | None = None) -> TokenVectors:
    return _load_torch(folder, str(folder), layer, "cpu")


@needs_kernels
@pytest.mark.parametrize("layer", [1, 2, None])
def test_our_kernels_give_the_states_of_torch(bert: Path, layer: int | None) -> None:
    native, torch = load_token_vectors(str(bert), layer), open_torch(bert, layer)
    assert (native.arithmetic, torch.arithmetic) == ("int16", "float32")
    assert (native.layer, native.name, native.digest) == (torch.layer, torch.name, torch.digest)
    for one, other in zip(native(SENTENCES), torch(SENTENCES), strict=True):
        assert one.vectors == pytest.approx(other.vectors, abs=2e-3)
        assert (one.is_word == other.is_word).all()


def test_layers_differ_and_are_counted_from_one(bert: Path) -> None:
    first, last = (load_token_vectors(str(bert), layer)(SENTENCES[:1])[0].vectors for layer in (1, None))
    assert np.abs(first - last).max() > 0.1
    for layer in (0, 4):
        with pytest.raises(UsageError, match=r"layer is between 1 and 3 for .*, not"):
            load_token_vectors(str(bert), layer)


@pytest.mark.parametrize("kind", ["native", "torch"])
def test_vectors_do_not_depend_on_batches(bert: Path, kind: str) -> None:
    vectors = load_token_vectors(str(bert)) if kind == "native" else open_torch(bert)
    sentences = SENTENCES * 3 + [tuple("dog cat".split() * n) for n in range(1, 6)]
    alone = vectors(sentences, batch_tokens=1)
    for batch_tokens in (20, 10_000):
        for one, other in zip(alone, vectors(sentences, batch_tokens), strict=True):
            assert one.vectors == pytest.approx(other.vectors, abs=1e-6)


def test_marks_are_no_words_and_case_is_nothing_to_an_uncased_encoder(bert: Path) -> None:
    upper, lower, empty = load_token_vectors(str(bert))([("The", "dog"), ("the", "dog"), ()])
    assert upper is lower
    assert upper.is_word.tolist() == [False, True, True, False]
    assert empty.vectors.shape == (0, 0)
    assert np.linalg.norm(upper.vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-6)


def test_an_encoder_with_cases_sees_them() -> None:
    upper, lower = load_token_vectors("en-small")([("The", "dog"), ("the", "dog")])
    assert np.abs(upper.vectors - lower.vectors).max() > 1e-3


def test_a_sentence_longer_than_the_encoder_is_read_in_segments(bert: Path) -> None:
    long = tuple("the dog runs home .".split() * 8)
    [found] = load_token_vectors(str(bert))([long])
    assert len(found.is_word) > 2 * POSITIONS and found.is_word.sum() == len(long)
    # The last words are there: another ending has other vectors.
    [other] = load_token_vectors(str(bert))([(*long[:-1], "cat")])
    assert bertscore(found, other) < 1 - 1e-4


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("package:no_such_encoder", r"is not installed \(pip install no-such-encoder\)"),
        ("./nowhere", "no such folder"),
    ],
)
def test_an_encoder_that_is_not_there_is_told_in_a_line(name: str, fault: str) -> None:
    with pytest.raises(DataError, match=fault) as caught:
        load_token_vectors(name)
    assert "\n" not in str(caught.value)


# --- BERTScore


def by_the_book(candidate: SubwordVectors, reference: SubwordVectors) -> float:
    """Greedy matching with loops."""

    def best(one: SubwordVectors, other: SubwordVectors) -> float:
        words = [row for row, is_word in zip(one.vectors, one.is_word, strict=True) if is_word]
        return sum(max(float(row @ col) for col in other.vectors) for row in words) / len(words)

    precision, recall = best(candidate, reference), best(reference, candidate)
    return 2 * precision * recall / (precision + recall)


@settings(max_examples=40)
@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=9), st.lists(st.sampled_from(WORDS), min_size=1, max_size=9)
)
def test_greedy_matching_is_that_of_the_book(bert: Path, one: list[str], other: list[str]) -> None:
    left, right = load_token_vectors(str(bert))([tuple(one), tuple(other)])
    assert bertscore(left, right) == pytest.approx(by_the_book(left, right), abs=1e-6)
    assert bertscore(left, left) == pytest.approx(1, abs=1e-6)


def test_marks_may_be_matched_but_do_not_count() -> None:
    mark, word, other = np.eye(3, dtype=np.float32)
    left = SubwordVectors(np.stack([mark, word]), np.array([False, True]))
    right = SubwordVectors(np.stack([word, other]), np.array([False, True]))
    # Left's word is right's mark (1); right's word is like nothing on the left (0): no recall.
    assert bertscore(left, right) == 0.0
    both = SubwordVectors(np.stack([word, word]), np.array([False, True]))
    assert bertscore(left, both) == 1.0


def test_empty_sentences(bert: Path) -> None:
    empty, full = load_token_vectors(str(bert))([(), ("dog",)])
    assert (bertscore(empty, empty), bertscore(empty, full), bertscore(full, empty)) == (1.0, 0.0, 0.0)


# --- Published weights


def write_tensors(path: Path, tensors: dict[str, np.ndarray], **changes: object) -> Path:
    header, content = {}, b""
    for name, tensor in tensors.items():
        kind = {"f": "F32", "e": "F16", "H": "BF16"}[tensor.dtype.char]
        place = [len(content), len(content) + tensor.nbytes]
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": place, **changes}
        content += tensor.tobytes()
    text = json.dumps({"__metadata__": {"format": "pt"}, **header}).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + content)
    return path


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("layer.weight", "encoder.layer.weight"),
        ("bert.layer.weight", "encoder.layer.weight"),
        ("bert.a.LayerNorm.gamma", "encoder.a.LayerNorm.weight"),
        ("a.LayerNorm.beta", "encoder.a.LayerNorm.bias"),
    ],
)
def test_names_of_published_weights(tmp_path: Path, written: str, asked: str) -> None:
    path = write_tensors(tmp_path / "w", {written: np.arange(6, dtype=np.float32).reshape(2, 3)})
    assert PretrainedWeights(path).floats(asked, (None, 3)).tolist() == [[0, 1, 2], [3, 4, 5]]


@given(values=st.lists(st.floats(-1e4, 1e4, width=16), min_size=1, max_size=9))
def test_halves_become_floats(tmp_path_factory: pytest.TempPathFactory, values: list[float]) -> None:
    folder = tmp_path_factory.mktemp("halves")
    halves = np.array(values, np.float16)
    uppers = (np.array(values, np.float32).view(np.uint32) >> 16).astype(np.uint16)
    path = write_tensors(folder / "w", {"a": halves, "b": uppers})
    assert PretrainedWeights(path).floats("encoder.a", (None,)) == pytest.approx(halves.astype(np.float32))
    assert PretrainedWeights(path).floats("encoder.b", (None,)) == pytest.approx(np.array(values), rel=1 / 128)


@pytest.mark.parametrize(
    ("changes", "shape", "fault"),
    [
        ({}, (3, 3), "does not fit config.json"),
        ({"data_offsets": [0, 10_000]}, (2, 3), "damaged"),
        ({"data_offsets": [-8, 16]}, (2, 3), "no tensor of floats"),
        ({"dtype": "I64"}, (2, 3), "no tensor of floats"),
        ({"shape": [2**40, 2**40]}, (2, 3), "damaged"),
    ],
)
def test_damaged_weights_are_refused(
    tmp_path: Path, changes: dict[str, object], shape: tuple[int, int], fault: str
) -> None:
    path = write_tensors(tmp_path / "w", {"a": np.zeros((2, 3), np.float32)}, **changes)
    with pytest.raises(DataError, match=fault):
        PretrainedWeights(path).floats("encoder.a", shape)


def test_missing_and_torn_weights_are_refused(tmp_path: Path) -> None:
    path = write_tensors(tmp_path / "w", {"a": np.array([1, np.inf], np.float32)})
    with pytest.raises(DataError, match="has no b"):
        PretrainedWeights(path).floats("encoder.b", (2,))
    with pytest.raises(DataError, match="infinite or none"):
        PretrainedWeights(path).floats("encoder.a", (2,))
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(DataError, match="damaged"):
        PretrainedWeights(path).floats("encoder.a", (2,))
    path.write_bytes(b"\xff" * 20)
    with pytest.raises(DataError, match="cannot read weights"):
        PretrainedWeights(path)
