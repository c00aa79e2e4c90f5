"""The models that measure edits: a sentence encoder and a causal language model; what they answered is kept on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from errata.analysis.corpora import CorpusFiles, peek_language
from errata.analysis.edit_impact import (
    CorpusImpact,
    Progress,
    SingleEdit,
    draw_sample,
    list_single_edits,
    measure_edits,
)
from errata.analysis.journal import Advance, AnswerFile, answers_folder, stamp_files
from errata.analysis.references import extract_edits
from errata.errors import DataError, UsageError
from errata.judges.edit_weights import ENGLISH as ENGLISH_ENCODER
from errata.judges.perplexity import Perplexity
from errata.judges.similarity import load_sentence_vectors, measure_similarities
from errata.metrics.signature import make_signature
from errata.networks.encoder import PACKAGE, is_local, package_roots
from errata.places import as_path
from errata.systems.lm.causal import DEFAULT_ENGLISH, load_causal

BATCH = 32  # texts that are measured together: seconds of work, which is all that a kill loses
SEPARATOR = "\x1f"  # between the two texts of a question; no text has it


@dataclass(frozen=True)
class ModelJudge:
    """`encoder` and `lm` are packages, folders or Hugging Face names."""

    encoder: str = ENGLISH_ENCODER
    lm: str = DEFAULT_ENGLISH
    device: str = "cpu"
    cache: Path | None = None

    @property
    def signature(self) -> str:
        return make_signature("edits", encoder=self.encoder, lm=self.lm, texts="tokens")

    def check_language(self, name: str, language: str | None) -> None:
        """Refuse Chinese text for the English models."""
        if language == "zh" and (self.encoder == ENGLISH_ENCODER or self.lm == DEFAULT_ENGLISH):
            raise UsageError(f"{name} is Chinese: name models that read it with --encoder and --lm")

    def similarities(self, edits: Sequence[SingleEdit], stage: str, progress: Progress | None) -> list[float]:
        def answer(questions: Sequence[str]) -> list[float]:
            pairs = [tuple(one.split(SEPARATOR)) for one in questions]
            found: list[float] = measure_similarities(self._vectors, pairs).tolist()  # type: ignore[arg-type]
            return found

        questions = [f"{one.source}{SEPARATOR}{one.target}" for one in edits]
        return self._file("similarity", self.encoder).ask(questions, answer, BATCH, _advance(stage, progress))

    def losses(self, texts: Sequence[str], stage: str, progress: Progress | None) -> list[float]:
        def answer(questions: Sequence[str]) -> list[float]:
            found: list[float] = self._perplexity.losses(questions).tolist()
            return found

        ordered = sorted(texts, key=len)  # batches of like length waste less
        found = self._file("loss", self.lm).ask(ordered, answer, BATCH, _advance(stage, progress))
        by_text = dict(zip(ordered, found, strict=True))
        return [by_text[text] for text in texts]

    def _file(self, kind: str, model: str) -> AnswerFile[float]:
        return AnswerFile(answers_folder(self.cache), kind, f"{model}|{_stamp(model)}")

    @cached_property
    def _vectors(self) -> Any:
        return load_sentence_vectors(self.encoder, self.device)

    @cached_property
    def _perplexity(self) -> Perplexity:
        return Perplexity(load_causal(self.lm, self.device))


def _stamp(model: str) -> str:
    """What tells the files of a model from others of the same name."""
    if model.startswith(PACKAGE):
        return " ".join(stamp_files(root) for root in package_roots(model))
    return stamp_files(as_path(model)) if is_local(model) else ""


def _advance(stage: str, progress: Progress | None) -> Advance | None:
    return None if progress is None else lambda finished, total: progress(stage, finished, total)


def measure_corpora(
    files: Sequence[CorpusFiles],
    judge: ModelJudge,
    *,
    limit: int | None,
    sample: int | None,
    seed: int,
    progress: Progress | None,
) -> list[CorpusImpact]:
    """What single edits change in each corpus; edits of corrected texts are extracted first."""
    chosen = []
    for one in files:
        _, stream = one.open()
        language, sentences = peek_language(islice(stream, limit))
        judge.check_language(one.name, language)
        edits = list_single_edits(extract_edits(sentences, language or "en"))
        if not edits:
            raise DataError(f"{one.name}: no sentence has exactly one edit")
        chosen.append((one, edits))
    return [
        measure_edits(
            one.name,
            draw_sample(edits, sample, seed),
            judge,
            n_single=len(edits),
            digest=one.digest,
            progress=progress,
        )
        for one, edits in chosen
    ]
