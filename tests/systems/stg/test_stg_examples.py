"""Examples: packed pairs and fresh noise make the same batches again, without the files they came from."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from stg_tiny import PAIRS, TINY, read_pairs

from errata.synth.learn import Learner
from errata.systems.stg.data import read_examples
from errata.systems.stg.examples import IGNORED, Encoder, NoisyExamples, PairExamples
from errata.systems.stg.preparation import Prepared, prepare
from errata.training.recipe import read_recipe


def prepared_with_noise(folder: Path, *assignments: str) -> Prepared:
    text, noise = folder / "clean.txt", folder / "noise.json"
    synthetic = f"data.synthetic={{text: [{text}], noise: {noise}, rate: 0.2}}"
    recipe = read_recipe(TINY, [f"run.cache={folder / 'cache'}", synthetic, *assignments])
    return prepare(recipe, recipe.run.cache)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples")
    sources, targets = read_pairs()
    learner = Learner("zh", min_count=1)
    for source, target in zip(sources, targets, strict=True):
        learner.add_pair(source, target)
    learner.model().save(folder / "noise.json")
    (folder / "clean.txt").write_text("\n".join(targets) + "\n", "utf-8")
    return folder


def test_a_batch_can_be_made_again(folder: Path) -> None:
    examples = prepared_with_noise(folder, "model.masking=0.3").examples
    chosen = [0, 7, 21, 60, 99]
    first, again = (
        one.collate(chosen, np.random.default_rng(5)) for one in (examples, pickle.loads(pickle.dumps(examples)))
    )
    assert first.keys() == again.keys()
    assert all(np.array_equal(first[name], again[name]) for name in first)
    assert len(examples) == len(examples.lengths) == 100


def test_labels_lead_to_the_clean_sentence(folder: Path) -> None:
    """What the three modules are to answer, carried out by hand, is the sentence before its corruption."""
    prepared = prepared_with_noise(folder)
    pairs, noisy = prepared.examples.parts
    assert isinstance(pairs, PairExamples) and isinstance(noisy, NoisyExamples)
    tokenizer = prepared.subwords.base.tokenizer
    for index in range(len(noisy)):
        row = noisy.row(index, np.random.default_rng(index))
        ids = list(row.masked.ids)
        for place, fill in zip(row.masked.where, row.fills, strict=True):
            assert ids[place] == prepared.subwords.mask
            ids[place] = fill
        clean = [tokenizer.id_to_token(number) for number in ids[1:-1]]
        assert tuple(clean) == noisy.text[index]


def test_packed_rows_are_the_rows_that_were_packed(folder: Path) -> None:
    prepared = prepared_with_noise(folder)
    pairs = prepared.examples.parts[0]
    assert isinstance(pairs, PairExamples)
    encoder = Encoder(prepared.subwords, 60, 6)
    for index, example in enumerate(read_examples([PAIRS], "zh")):
        packed, fresh = pairs.row(index, np.random.default_rng(0)), encoder.row(example)
        assert list(packed.source.ids) == fresh.source.ids
        assert (packed.switched is None) == (fresh.switched is None)
        for name in ("following", "tags", "counts", "fills"):
            assert list(getattr(packed, name)) == list(getattr(fresh, name))
        assert list(packed.masked.ids) == fresh.masked.ids


def test_masking_hides_tokens_that_can_be_guessed(folder: Path) -> None:
    examples = prepared_with_noise(folder, "model.masking=0.5").examples
    batch = examples.collate(list(range(50)), np.random.default_rng(1))
    masked = np.take_along_axis(batch["masked_ids"], batch["masked_where"], 1)
    assert (masked[batch["fills"] != IGNORED] == examples.mask).all()
    assert (batch["fills"] != IGNORED).sum() > 100


def test_only_the_cache_has_to_travel(tmp_path: Path, folder: Path) -> None:
    for name in ("clean.txt", "noise.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    before = prepared_with_noise(tmp_path).examples.collate([60, 61], np.random.default_rng(2))
    for name in ("clean.txt", "noise.json"):
        (tmp_path / name).unlink()
    after = prepared_with_noise(tmp_path).examples.collate([60, 61], np.random.default_rng(2))
    assert all(np.array_equal(before[name], after[name]) for name in before)
