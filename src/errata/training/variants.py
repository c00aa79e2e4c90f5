"""Sentences beside their variants in one batch, and the places that both share.

A recipe's `data.variants` names files of RobustGEC's blocks: an original with its target, then variants of it, in which
words unrelated to the errors were changed. Every variant makes a pair with its original. Where the two sentences share
words is found when the data are packed, since a machine that only trains has no rapidfuzz.

A system encodes the samples and says at which places its heads may be compared (`pair_samples`). In a batch (`Pairs`),
`shared_rows` has the rows of originals and variants (2, pairs), and `shared_HEAD` the places of a head (5, places): the
pair, the row and place in the original, the row and place in the variant.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from errata.formats.files import display_name, read_lines
from errata.formats.robustgec import parse_cases
from errata.model import Tokens
from errata.training.packed import Packed, ragged
from errata.training.pairs import Keep, split_text

if TYPE_CHECKING:
    import torch

    from errata.training.task import Examples

log = logging.getLogger(__name__)

PREFIX = "shared_"
ROWS = f"{PREFIX}rows"
NONE = -1  # in the place of a variant, where an original has none

Encoded = TypeVar("Encoded")
SampleTokens = tuple[Tokens, Tokens]  # a source and its target
Places = Sequence[tuple[int, int]]  # in the original, in the variant


def read_samples(
    paths: Iterable[Path], language: str, *, tokenise: bool = False, keep: Keep | None = None
) -> Iterator[list[SampleTokens]]:
    """The samples of each case, the original first; a case whose original `keep` refuses is left out."""
    for path in paths:
        for case in parse_cases(read_lines(path), origin=display_name(path)):
            samples = [
                (split_text(one.source, language, tokenise), split_text(one.target, language, tokenise))
                for one in (case.original, *case.variants)
            ]
            if keep is None or keep(path, samples[0]):
                yield samples


@dataclass(slots=True)
class PairedSamples(Generic[Encoded]):
    """Encoded samples, pairs of their numbers (original, variant or `NONE`), and the shared places of each head."""

    samples: list[Encoded] = field(default_factory=list)
    pairs: list[tuple[int, int]] = field(default_factory=list)
    places: dict[str, list[Places]] = field(default_factory=dict)

    def arrays(self) -> dict[str, np.ndarray]:
        """What `Pairs` reads, beside the arrays of the samples themselves."""
        arrays = {"pairs": np.asarray(self.pairs, np.int32).reshape(-1, 2)}
        for head, rows in self.places.items():
            flat, offsets = ragged([np.asarray(row, np.int32).reshape(-1, 2) for row in rows], np.uint16)
            arrays[f"{head}_places"], arrays[f"{head}_offsets"] = flat.reshape(-1, 2), offsets
        return arrays


def pair_samples(
    cases: Iterable[Sequence[SampleTokens]],
    heads: Sequence[str],
    encode: Callable[[Tokens, Tokens], Encoded | None],
    share: Callable[[Encoded, Encoded], Mapping[str, Places]],
) -> PairedSamples[Encoded]:
    """Originals paired with each of their variants; what `encode` has no room for is left out and counted.

    `share` gives the places of every head in an original and in a variant of it.
    """
    paired: PairedSamples[Encoded] = PairedSamples(places={head: [] for head in heads})
    n_cases = too_long = 0
    for case in cases:
        n_cases += 1
        original, *variants = (encode(source, target) for source, target in case)
        if original is None:
            too_long += len(case)
            continue
        fitting = [one for one in variants if one is not None]
        too_long += len(variants) - len(fitting)
        number = len(paired.samples)
        paired.samples += [original, *fitting]
        numbers = range(number + 1, number + 1 + len(fitting)) or (NONE,)
        paired.pairs += [(number, other) for other in numbers]
        shared = [share(original, variant) for variant in fitting] or [{}]
        for head in heads:
            paired.places[head] += [places.get(head, ()) for places in shared]
    log.info("%d cases with variants: %d pairs", n_cases, sum(variant != NONE for _, variant in paired.pairs))
    if too_long:
        log.warning("%d originals and variants left out: the model has no room for them", too_long)
    return paired


class Pairs:
    """Examples of which the last ones are packed samples: these come in pairs, the others alone.

    An example is an original with one of its variants, so an original is there as often as it has variants.
    """

    def __init__(self, examples: Examples, packed: Packed, heads: Sequence[str]) -> None:
        self.examples, self.packed, self.heads = examples, packed, tuple(heads)

    @cached_property
    def _numbers(self) -> np.ndarray:
        """Of every example, the numbers of its sentences (examples, 2); `NONE` where it is alone."""
        pairs = np.asarray(self.packed["pairs"], np.int64)
        n_alone = len(self.examples) - (int(pairs.max(initial=NONE)) + 1)
        alone = np.stack([np.arange(n_alone), np.full(n_alone, NONE)], 1)
        return np.concatenate([alone, np.where(pairs == NONE, NONE, pairs + n_alone)])

    @cached_property
    def lengths(self) -> np.ndarray:
        """Tokens of each example, those of both sentences together."""
        lengths = np.asarray(self.examples.lengths)
        first, second = self._numbers.T
        both: np.ndarray = lengths[first] + np.where(second == NONE, 0, lengths[second])
        return both

    def __len__(self) -> int:
        return len(self._numbers)

    def collate(self, indices: Sequence[int], rng: np.random.Generator) -> dict[str, np.ndarray]:
        """The batch of all first sentences, then the variants; with what they share."""
        numbers = self._numbers[list(indices)]
        has_variant = np.flatnonzero(numbers[:, 1] != NONE)
        batch = self.examples.collate([*numbers[:, 0].tolist(), *numbers[has_variant, 1].tolist()], rng)
        rows = np.stack([has_variant, len(numbers) + np.arange(len(has_variant))])
        batch[ROWS] = rows
        # Alone are those before the pairs of the packed data.
        packed_at = np.asarray(indices)[has_variant] - (len(self) - len(self.packed["pairs"]))
        for head in self.heads:
            batch[PREFIX + head] = self._places(head, packed_at, rows)
        return batch

    def _places(self, head: str, pairs: np.ndarray, rows: np.ndarray) -> np.ndarray:
        flat, offsets = self.packed[f"{head}_places"], self.packed[f"{head}_offsets"]
        columns = [np.zeros((5, 0), np.int64)]
        for number, pair in enumerate(pairs.tolist()):
            places = np.asarray(flat[offsets[pair] : offsets[pair + 1]], np.int64).T
            same = np.full((3, places.shape[1]), [[number], [rows[0, number]], [rows[1, number]]])
            columns.append(np.stack([same[0], same[1], places[0], same[2], places[1]]))
        return np.concatenate(columns, 1)


def scores_at(scores: torch.Tensor, batch: Mapping[str, torch.Tensor], head: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Of scores (sentences, places, choices), those of originals and of variants at shared places (shared, choices)."""
    _, row, place, other_row, other_place = batch[PREFIX + head]
    return scores[row, place], scores[other_row, other_place]
