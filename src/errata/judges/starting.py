"""What a judge is trained on: a pretrained encoder, one from scratch, or that of a tagger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from errata.model import Tokens
from errata.networks.encoder import BackboneSettings
from errata.networks.subwords import Subwords
from errata.systems.installed import find_model
from errata.systems.manifest import MANIFEST
from errata.systems.tagger.borrowing import borrow_encoder, borrow_subwords
from errata.training.digests import file_digest

if TYPE_CHECKING:
    from errata.judges.sentence_model import Pooling, SentenceModel


class Start(Protocol):
    """The settings that say what training starts from: a `backbone` or a `tagger`."""

    @property
    def backbone(self) -> BackboneSettings | None: ...
    @property
    def tagger(self) -> str | None: ...
    @property
    def pooling(self) -> Pooling: ...
    @property
    def case_embedding(self) -> bool: ...


def digest_start(start: Start) -> str | None:
    """What tells one tagger from another, for the key of what is packed; None without one."""
    return None if start.tagger is None else file_digest(find_model(start.tagger) / MANIFEST)


def choose_subwords(start: Start, language: str, sentences: Iterable[Tokens]) -> Subwords:
    """The subwords of the encoder; for one from scratch they are learnt from the sentences."""
    if start.tagger is not None:
        return borrow_subwords(find_model(start.tagger))
    assert start.backbone is not None
    counts: Counter[str] = Counter()
    if start.backbone.name is None:
        for tokens in sentences:
            counts.update(tokens)
    return Subwords(start.backbone.tokenizer(counts, language), start.backbone.positions)


def build_sentence_model(start: Start, n_subwords: int) -> SentenceModel:
    """The sentence model that is trained."""
    import torch

    from errata.judges.sentence_model import SentenceModel

    if start.tagger is not None:
        encoder, hidden, cases = borrow_encoder(find_model(start.tagger))
    else:
        assert start.backbone is not None
        (encoder, hidden), cases = start.backbone.build(n_subwords), None
    model = SentenceModel(encoder, hidden, start.pooling, has_cases=start.case_embedding or cases is not None)
    if cases is not None and model.cases is not None:
        with torch.no_grad():
            model.cases.weight.copy_(cases)
    return model
