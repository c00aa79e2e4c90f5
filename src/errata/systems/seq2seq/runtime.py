"""Running a network: torch, or CTranslate2 alone.

Both generate answers to batches of sources and give the log-probabilities of answers that are there already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from errata.errors import DataError, MissingExtra, UsageError
from errata.files import read_json
from errata.networks.weights import place_model

if TYPE_CHECKING:
    import torch

    from errata.systems.seq2seq.decoding import Decoding
    from errata.systems.seq2seq.subwords import TextSubwords

CT2 = "ctranslate2"  # folder of a converted network
# CTranslate2 stops at beam · patience finished answers, however good the unfinished ones are. With 1, early ends of bad
# beams cut off long corrections (see `beam`).
PATIENCE = 3.0

Ids = Sequence[int]


class Runtime(Protocol):
    """A network that answers; texts are subwords without marks."""

    def generate(self, sources: Sequence[Ids], decoding: Decoding) -> list[list[int] | None]:
        """The answer to each source; None where the decoder did not come to an end."""
        ...

    def score(self, sources: Sequence[Ids], targets: Sequence[Ids]) -> list[np.ndarray]:
        """The log-probability of each subword of each target, the end mark last."""
        ...


class TorchRuntime:
    """A torch network on a device."""

    def __init__(self, network: Any, subwords: TextSubwords, decoder_start: int, device: str = "cpu") -> None:
        self.network, self.subwords, self.device = place_model(network, device), subwords, device
        self.start = [decoder_start, *subwords.prefix]

    def generate(self, sources: Sequence[Ids], decoding: Decoding) -> list[list[int] | None]:
        import torch

        from errata.systems.seq2seq.beam import beam_search

        with torch.inference_mode():
            limits = [self._limit(source, decoding) for source in sources]
            answers = beam_search(
                self.network,
                *self._padded([self.subwords.marked(source) for source in sources]),
                start=self.start,
                end=self.subwords.end,
                beam=decoding.beam,
                length_penalty=decoding.length_penalty,
                limit=max(limits),
            )
        return [
            None if answer is None or len(answer) >= limit else answer
            for answer, limit in zip(answers, limits, strict=True)
        ]

    def score(self, sources: Sequence[Ids], targets: Sequence[Ids]) -> list[np.ndarray]:
        import torch

        with torch.inference_mode():
            ids, mask = self._padded([self.subwords.marked(source) for source in sources])
            written, _ = self._padded([[*self.start, *target] for target in targets])
            chances = self.network(ids, mask, written).float().log_softmax(-1)
            wanted, _ = self._padded([[*self.subwords.prefix, *target, self.subwords.end] for target in targets])
            rows = chances.gather(-1, wanted[..., None])[..., 0].cpu().numpy()
        skip = len(self.subwords.prefix)
        return [row[skip : skip + len(target) + 1] for row, target in zip(rows, targets, strict=True)]

    def _limit(self, source: Ids, decoding: Decoding) -> int:
        return min(decoding.limit(len(source)), self.subwords.positions - len(self.start))

    def _padded(self, rows: Sequence[Ids]) -> tuple[torch.Tensor, torch.Tensor]:
        import torch

        ids = np.full((len(rows), max(map(len, rows))), self.subwords.pad, np.int64)
        mask = np.zeros_like(ids)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        return torch.from_numpy(ids).to(self.device), torch.from_numpy(mask).to(self.device)


class CTranslate2Runtime:
    """A converted network; needs ctranslate2 and no torch."""

    def __init__(self, folder: Path, subwords: TextSubwords, device: str = "cpu", threads: int = 0) -> None:
        try:
            import ctranslate2
        except ImportError as error:
            raise MissingExtra("ctranslate2", "ct2") from error
        kind, _, number = device.partition(":")
        try:
            self._translator = ctranslate2.Translator(
                str(folder),
                device=kind,
                device_index=int(number or 0),
                compute_type="float32" if kind == "cpu" else "default",  # whatever the weights are stored in
                intra_threads=threads,
            )
        except (RuntimeError, ValueError) as error:
            message = f"{folder} is not a model ctranslate2 can run on {device}: {str(error).splitlines()[0]}"
            raise (UsageError if "CUDA" in str(error) else DataError)(message) from error
        self.subwords = subwords
        vocabulary = subwords.tokenizer.get_vocab(with_added_tokens=True)
        _refuse_other_subwords(folder, vocabulary)
        self._number = vocabulary
        self._text = {number: text for text, number in vocabulary.items()}

    def generate(self, sources: Sequence[Ids], decoding: Decoding) -> list[list[int] | None]:
        limits = [
            min(decoding.limit(len(one)), self.subwords.positions - len(self.subwords.prefix) - 1) for one in sources
        ]
        prefix = self._texts(self.subwords.prefix)
        found = self._translator.translate_batch(
            [self._texts(self.subwords.marked(source)) for source in sources],
            target_prefix=[prefix for _ in sources] if prefix else None,
            beam_size=decoding.beam,
            patience=PATIENCE,
            length_penalty=decoding.length_penalty,
            max_input_length=0,
            max_decoding_length=max(limits) + len(prefix),
        )
        answers = [[self._number[text] for text in one.hypotheses[0]][len(prefix) :] for one in found]
        return [None if len(answer) >= limit else answer for answer, limit in zip(answers, limits, strict=True)]

    def score(self, sources: Sequence[Ids], targets: Sequence[Ids]) -> list[np.ndarray]:
        found = self._translator.score_batch(
            [self._texts(self.subwords.marked(source)) for source in sources],
            [self._texts([*self.subwords.prefix, *target]) for target in targets],
            max_input_length=0,
        )
        return [np.asarray(one.log_probs[len(self.subwords.prefix) :], np.float32) for one in found]

    def _texts(self, subwords: Ids) -> list[str]:
        return [self._text[subword] for subword in subwords]


def _refuse_other_subwords(folder: Path, vocabulary: Mapping[str, int]) -> None:
    """Raise if a converted network has other subwords than the tokenizer beside it: it would write nonsense."""
    shared = folder / "shared_vocabulary.json"
    texts = read_json(shared) if shared.is_file() else []
    if any(text in vocabulary and vocabulary[text] != number for number, text in enumerate(texts)) or (
        texts and not set(vocabulary) <= set(texts)
    ):
        raise DataError(f"{folder} was converted with another tokenizer than the one beside it")
