"""Packed pairs and clean text corrupted afresh: batches are whole, marked and within the network."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
from seq2seq_pairs import read_pairs

from errata.synth.learn import Learner
from errata.systems.seq2seq.examples import (
    IGNORED,
    NoisyExamples,
    PairExamples,
    TrainingExamples,
    pack_clean,
    pack_pairs,
)
from errata.systems.seq2seq.subwords import TextSubwords, learn_bytes
from errata.training.packed import pack_once

PAIRS = [(tuple(source.split()), tuple(target.split())) for source, target in read_pairs("en")]
WORDS = Counter(word for pair in PAIRS for side in pair for word in side)
SUBWORDS = TextSubwords(learn_bytes(WORDS, 500), "en", 40)


def test_pairs_are_packed_and_padded(tmp_path: Path) -> None:
    too_long = (("word",) * 50, ("word",))
    rng = np.random.default_rng(1)
    packed = pack_once(tmp_path / "p", lambda: pack_pairs([*PAIRS, too_long], SUBWORDS, 30, unchanged=0.0, rng=rng))
    examples = TrainingExamples([PairExamples(packed)], SUBWORDS)
    changed = [pair for pair in PAIRS if pair[0] != pair[1]]
    assert len(examples) == len(examples.lengths) == len(changed)
    batch = examples.collate([0, 1, 2], rng)
    for row, (source, target) in enumerate(changed[:3]):
        ids = batch["ids"][row][batch["mask"][row] == 1].tolist()
        assert ids == SUBWORDS.marked(SUBWORDS.body(source))
        labels = batch["labels"][row]
        assert labels[labels != IGNORED].tolist() == SUBWORDS.marked(SUBWORDS.body(target))


def test_clean_text_is_corrupted_when_a_batch_is_made(tmp_path: Path) -> None:
    learner = Learner("en")
    for source, target in PAIRS:
        learner.add_pair(" ".join(source), " ".join(target))
    noise = learner.model().with_options(rate=0.3, clean=0.0)
    packed = pack_once(tmp_path / "c", lambda: pack_clean([target for _, target in PAIRS], SUBWORDS, 30))
    examples = TrainingExamples([NoisyExamples(packed, noise, SUBWORDS, 30)], SUBWORDS)
    first, again, other = (examples.collate(range(20), np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert all((first[name] == again[name]).all() for name in first)
    assert first["ids"].shape != other["ids"].shape or (first["ids"] != other["ids"]).any()
    assert (first["labels"] == other["labels"]).all()
    assert first["ids"].shape[1] <= SUBWORDS.positions
