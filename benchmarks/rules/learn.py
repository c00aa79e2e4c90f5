"""Learn to tell words apart that sound or look alike, from prose: `python -m benchmarks.rules.learn OUT.npz`.

Two of three sentences of the prose teach a linear model for each set of `confusables.sets`; the third, which is what
`python -m benchmarks.rules` reads, is kept aside. For each set the weights are written, and what a wrong member scores
at most in the sentences kept aside (`highest`). The bounds in `confusables.bin` are these, a margin more, lower where
the place was judged to be wrong in the text itself, and higher where an edit was wrong in W&I, FCE or the doc-edits.
Needs torch.
"""

from __future__ import annotations

import random
import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from importlib.resources import files

import numpy as np
from benchmarks.rules.__main__ import N_SENTENCES
from benchmarks.speed.history import shared_folder

from errata.formats.files import read_lines
from errata.model import Tokens
from errata.rules.confusables import SCALE, digest, far_features, near_features, normalise
from errata.text.words import tokenise_words

SEED = 7
# Places of each member that are learnt from.
MOST_PLACES = 8_000
BATCH, RATE, DROPOUT = 256, 0.1, 0.3
# Weights that decide nothing, how many a set may have, and how many places a member must have.
SMALL, MOST_FEATURES, LEAST_PLACES = 0.08, 8_000, 15

Members = tuple[Tokens, ...]
Place = tuple[int, int, list[int]]  # the set, the member that is written, and the digests of the features


def read_sets() -> list[Members]:
    """The sets of words, in the order of the file."""
    lines = files("errata.rules").joinpath("confusables.sets").read_text(encoding="utf-8").splitlines()
    kept = (line for line in lines if line.strip() and not line.startswith("#"))
    return [tuple(tuple(member.split()) for member in line.split(" | ")) for line in kept]


def prose(*, kept_aside: bool) -> Iterator[list[str]]:
    """The tokens of the sentences that are learnt from, or of those that are kept aside."""
    paths = sorted((shared_folder() / "data/en/prose").glob("*.txt.xz"))
    step = max(1, sum(1 for path in paths for _ in read_lines(path)) // N_SENTENCES)
    for path in paths:
        for number, line in enumerate(read_lines(path)):
            if (number % step == 0) == kept_aside:
                yield tokenise_words(line.strip())


def find_places(sets: Sequence[Members], sentences: Iterator[list[str]], most: int) -> Iterator[Place]:
    """Places of the members, at most so many of each."""
    firsts: dict[str, list[tuple[int, int, Tokens]]] = defaultdict(list)
    for number, members in enumerate(sets):
        for which, member in enumerate(members):
            firsts[member[0]].append((number, which, member))
    n_places: Counter[tuple[int, int]] = Counter()
    for tokens in sentences:
        words = [normalise(token) for token in tokens]
        for start, word in enumerate(words):
            for number, which, member in firsts.get(word, ()):
                end = start + len(member)
                if tuple(words[start:end]) == member and n_places[number, which] < most:
                    n_places[number, which] += 1
                    features = near_features(words, start, end) + far_features(words, start, end)
                    yield number, which, [digest(feature) for feature in features]


def learn(places: Sequence[tuple[int, list[int]]], n_members: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The digests, weights (in units of 1 / SCALE) and biases of a set, from its places."""
    import torch

    torch.manual_seed(SEED)
    flat = np.array(array("I", (one for _, digests in places for one in digests)), dtype=np.uint32)
    keys, indices, counts = np.unique(flat, return_inverse=True, return_counts=True)
    offsets = np.cumsum([0, *(len(digests) for _, digests in places)])
    labels = torch.tensor([which for which, _ in places])
    table = torch.nn.EmbeddingBag(len(keys), n_members, mode="sum", sparse=True)
    torch.nn.init.zeros_(table.weight)
    bias = torch.zeros(n_members, requires_grad=True)
    optimizer = torch.optim.Adagrad([table.weight, bias], lr=RATE)
    order = list(range(len(places)))
    for _ in range(3 if len(places) > MOST_PLACES else 6):
        random.Random(SEED).shuffle(order)
        for first in range(0, len(order), BATCH):
            chosen = order[first : first + BATCH]
            rows = [indices[offsets[n] : offsets[n + 1]] for n in chosen]
            starts = torch.tensor(np.cumsum([0, *(len(row) for row in rows[:-1])]))
            given = torch.tensor(np.concatenate(rows))
            kept = (torch.rand(len(given)) > DROPOUT) / (1 - DROPOUT)
            scores = table(given, starts, per_sample_weights=kept) + bias
            loss = torch.nn.functional.cross_entropy(scores, labels[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    weights = table.weight.detach().numpy()
    weights = weights - weights.mean(1, keepdims=True)
    size = np.where(counts >= 2, np.abs(weights).max(1), 0.0)
    best = np.sort(np.argsort(-size)[:MOST_FEATURES])
    best = best[size[best] >= SMALL]
    rounded = np.clip(np.round(weights[best] * SCALE), -127, 127).astype(np.int8)
    return keys[best], rounded, bias.detach().numpy()


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sets = read_sets()
    by_set: dict[int, list[tuple[int, list[int]]]] = defaultdict(list)
    for number, which, digests in find_places(sets, prose(kept_aside=False), MOST_PLACES):
        by_set[number].append((which, digests))
    learnt = {}
    for number, places in sorted(by_set.items()):
        n_places = Counter(which for which, _ in places)
        if all(n_places[which] >= LEAST_PLACES for which in range(len(sets[number]))):
            learnt[number] = learn(places, len(sets[number]))
    highest: dict[tuple[int, int, int], float] = {}
    for number, which, digests in find_places(sets, prose(kept_aside=True), sys.maxsize):
        if number in learnt:
            keys, weights, bias = learnt[number]
            total = bias + weights[np.isin(keys, digests)].sum(0) / SCALE
            for other in range(len(sets[number])):
                place = number, which, other
                highest[place] = max(highest.get(place, -np.inf), float(total[other] - total[which]))
    arrays = {f"{number}.{name}": part for number, one in learnt.items()
              for name, part in zip(("keys", "weights", "bias"), one, strict=True)}  # fmt: skip
    np.savez_compressed(sys.argv[1], **arrays)
    for (number, which, other), score in sorted(highest.items()):
        if which != other:
            print(f"{' '.join(sets[number][which])} → {' '.join(sets[number][other])}: {score:.1f}")


if __name__ == "__main__":
    main()
